"""Ask an ONVIF camera for the addresses of its streams (media service 1.0), by SOAP over HTTP.

The requests have the user name and a digest of the password (WS-Security UsernameToken 1.0), never the password;
they go through no proxy. `CameraStream.address_for` does put the password into the address of a stream.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit
from xml.sax.saxutils import escape

from desktop.base.addresses import split_address
from desktop.base.errors import StreamError
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.net.http_client import Failed, HttpClient, Interrupted, RangeGone, Response
from desktop.net.onvif.limited_xml import MOST_BYTES, Element, parse

PASSWORD_VARIABLE: Final = "LIGHTLOOM_CAMERA_PASSWORD"
MOST_STREAMS: Final = 16
_PATIENCE: Final = 3
"""After the time of so many unanswered requests no further streams are requested if one is refused."""
_MOST_REFUSALS: Final = 3
"""Refused profiles, before any stream, after which no further one is requested: cameras lock a user after some
five wrong logins.
"""
_LONGEST_ADDRESS: Final = 2000
_LONGEST_NAME: Final = 80
_YEARS: Final = range(
    1970, 9000
)  # The token's time is later than the camera's, and no datetime is after 9999.
_SECURITY: Final = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss"
_ENVELOPE: Final = (
    '<?xml version="1.0" encoding="utf-8"?>'
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"'
    ' xmlns:d="http://www.onvif.org/ver10/device/wsdl" xmlns:m="http://www.onvif.org/ver10/media/wsdl"'
    ' xmlns:t="http://www.onvif.org/ver10/schema"><s:Header>{header}</s:Header><s:Body>{body}</s:Body>'
    "</s:Envelope>"
)
_TOKEN: Final = (
    f'<w:Security xmlns:w="{_SECURITY}-wssecurity-secext-1.0.xsd"'
    f' xmlns:u="{_SECURITY}-wssecurity-utility-1.0.xsd" s:mustUnderstand="1"><w:UsernameToken>'
    "<w:Username>{user}</w:Username>"
    f'<w:Password Type="{_SECURITY}-username-token-profile-1.0#PasswordDigest">{{digest}}</w:Password>'
    f'<w:Nonce EncodingType="{_SECURITY}-soap-message-security-1.0#Base64Binary">{{nonce}}</w:Nonce>'
    "<u:Created>{created}</u:Created></w:UsernameToken></w:Security>"
)
_TIME: Final = "<d:GetSystemDateAndTime/>"
_CAPABILITIES: Final = "<d:GetCapabilities><d:Category>Media</d:Category></d:GetCapabilities>"
_PROFILES: Final = "<m:GetProfiles/>"
_STREAM: Final = (
    "<m:GetStreamUri><m:StreamSetup><t:Stream>RTP-Unicast</t:Stream>"
    "<t:Transport><t:Protocol>RTSP</t:Protocol></t:Transport></m:StreamSetup>"
    "<m:ProfileToken>{token}</m:ProfileToken></m:GetStreamUri>"
)


@dataclass(frozen=True)
class CameraStream:
    """A stream: the profile's name, its address without user and password, codec, (width, height)."""

    name: str
    address: str
    codec: str = ""
    size: tuple[int, int] = (0, 0)

    def address_for(self, user: str, password: str) -> str:
        """Return the address with a user and password, which is a secret; as it is for no user."""
        if not user:
            return self.address
        scheme, rest = self.address.split("://", 1)
        return f"{scheme}://{quote(user, safe='')}:{quote(password, safe='')}@{rest}"


def streams_of(
    address: str, user: str = "", password: str = "", answer_s: float = 5.0
) -> tuple[CameraStream, ...]:
    """Return the streams of the camera whose device service has that address, largest first.

    Raises StreamError if it does not answer, refuses, or has no stream.
    """
    if not _is_service(address):
        raise StreamError(
            sentence(
                "'{address}' is no address of an ONVIF camera; give one such as "
                "http://192.168.1.20/onvif/device_service.",
                address=printable(address[:80]),
            )
        )
    camera = _Camera(address, user, password, answer_s)
    media = camera.on_its_host(camera.request(address, _CAPABILITIES).text_at("Media", "XAddr")) or address
    profiles = tuple(camera.request(media, _PROFILES).all("Profiles"))[:MOST_STREAMS]
    found: list[CameraStream] = []
    refusals: list[StreamError] = []
    until = time.monotonic() + _PATIENCE * answer_s
    for profile in profiles:
        try:
            if (stream := camera.stream(media, profile)) is not None:
                found.append(stream)
        except StreamError as error:  # such as for a profile without video
            refusals.append(error)
            # A stream that was given shows that the login is right.
            if time.monotonic() > until or (not found and len(refusals) == _MOST_REFUSALS):
                break
    if not found:
        if refusals:
            raise refusals[0]
        raise StreamError(
            sentence("The camera {host} offers no stream; set up a profile on its page.", host=camera.host)
        )
    return tuple(sorted(found, key=lambda stream: -stream.size[0] * stream.size[1]))


def _is_service(address: str) -> bool:
    try:
        parts = split_address(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


class _Camera:
    def __init__(self, address: str, user: str, password: str, answer_s: float) -> None:
        self.host = urlsplit(address).hostname or ""
        self._user, self._password = user, password
        self._http = HttpClient(answer_s, ("http", "https"), uses_proxies=False)
        # A camera refuses a token of another time than its own.
        self._ahead = timedelta()
        if user:
            self._ahead = self._time_of(address) - datetime.now(UTC)

    def _time_of(self, address: str) -> datetime:
        answer = self.request(address, _TIME, has_token=False).first("UTCDateTime")
        if answer is None:
            return datetime.now(UTC)
        try:
            year, month, day, hour, minute, second = (
                int(answer.text_at(*names))
                for names in (
                    *(("Date", "Year"), ("Date", "Month"), ("Date", "Day")),
                    *(("Time", "Hour"), ("Time", "Minute"), ("Time", "Second")),
                )
            )
            if year in _YEARS:
                return datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
        except (ValueError, OverflowError):
            pass
        return datetime.now(UTC)

    def _read(self, response: Response) -> bytes:
        """Return what a camera answers. Raises Interrupted if it stops in the middle of that."""
        data = b""
        try:
            data = response.http.read(MOST_BYTES + 1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            # A timeout may come before the deadline, whose shutdown of the connection breaks a chunk or TLS off.
            if not (response.deadline.passed or isinstance(error, TimeoutError)):
                raise
            is_late = True
        else:
            is_late = response.deadline.passed  # which looks like the end of the answer
        if is_late:
            raise Interrupted(sentence("{host} does not answer", host=self.host))
        return data

    def request(self, address: str, body: str, *, has_token: bool = True) -> Element:
        """Return the response to a request. Raises StreamError."""
        header = self._token() if has_token and self._user else ""
        message = _ENVELOPE.format(header=header, body=body).encode()
        headers = {"Content-Type": "application/soap+xml; charset=utf-8"}
        try:
            response = self._http.get(address, headers, message)
            try:
                data = self._read(response)
                return parse(data)
            finally:
                response.close()
        except Interrupted as error:
            raise StreamError(
                sentence(
                    "The camera {host} does not answer ({reason}); check that it is on and in this "
                    "network, and its user and password.",
                    host=self.host,
                    reason=str(error),
                )
            ) from error
        except Failed as error:
            raise StreamError(
                sentence(
                    "The camera {host} refuses ({reason}); check user and password, and that ONVIF is on.",
                    host=self.host,
                    reason=str(error),
                )
            ) from error
        except (RangeGone, http.client.HTTPException, OSError, ValueError) as error:
            raise StreamError(
                sentence(
                    "The camera {host} gives an answer that is not ONVIF; check its address.", host=self.host
                )
            ) from error

    def _token(self) -> str:
        nonce = os.urandom(16)
        created = (datetime.now(UTC) + self._ahead).strftime("%Y-%m-%dT%H:%M:%SZ")
        digest = hashlib.sha1(nonce + created.encode() + self._password.encode()).digest()  # as WSS has it
        return _TOKEN.format(
            user=escape(self._user),
            digest=base64.b64encode(digest).decode(),
            nonce=base64.b64encode(nonce).decode(),
            created=created,
        )

    def stream(self, media: str, profile: Element) -> CameraStream | None:
        """Return the stream of a profile; None if the camera gives no address for it."""
        token = profile.attributes.get("token", "")[:_LONGEST_NAME]
        answer = self.request(media, _STREAM.format(token=escape(token)))
        address = self.on_its_host(answer.text_at("MediaUri", "Uri"), ("rtsp", "rtsps"))
        if not address:
            return None
        encoder = profile.first("VideoEncoderConfiguration") or Element("")
        size = (
            _pixels(encoder.text_at("Resolution", "Width")),
            _pixels(encoder.text_at("Resolution", "Height")),
        )
        name = printable(profile.text_at("Name")[:_LONGEST_NAME]) or printable(token)
        return CameraStream(name, address, printable(encoder.text_at("Encoding")[:_LONGEST_NAME]), size)

    def on_its_host(self, address: str, schemes: tuple[str, ...] = ("http", "https")) -> str:
        """Return an address with this camera's host, '' for an invalid one.

        Cameras behind a router give their inner one, and a password goes to no other machine.
        """
        try:
            parts = urlsplit(address[:_LONGEST_ADDRESS])
            port = "" if parts.port is None else f":{parts.port}"
        except ValueError:
            return ""
        if parts.scheme not in schemes or any(c <= " " or c > "~" for c in address):
            return ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return urlunsplit((parts.scheme, host + port, parts.path, parts.query, ""))


def _pixels(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0
