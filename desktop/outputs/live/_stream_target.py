"""Stream targets: the secret address, a displayable form of it, and checks before sending."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, quote, urlsplit

import av

from desktop.base.addresses import public_address, split_address
from desktop.base.errors import ExportError
from desktop.base.fields import Value
from desktop.base.files import home_expanded
from desktop.base.wording import sentence
from desktop.media.containers import open_container
from desktop.outputs.encoding import STREAMED, Container

PLAYLIST: Final = ".m3u8"
_PLAYLIST_NAME: Final = "stream.m3u8"
# Entries of `STREAMED` by URL scheme, with the default port; 0: the address must have one. FFmpeg knows WHIP's by
# the schemes of HTTP.
_SCHEMES: Final[Mapping[str, tuple[str, int]]] = {
    "rtmp": ("rtmp", 1935),
    "rtmps": ("rtmp", 443),
    "udp": ("udp", 0),
    "srt": ("srt", 0),
    "whip": ("whip", 80),
    "whips": ("whip", 443),
    "http": ("whip", 80),
    "https": ("whip", 443),
}
_OF_HTTP: Final[Mapping[str, str]] = {"whip": "http", "whips": "https"}
# The largest MPEG-TS payload of an Ethernet packet: seven of its own packets of 188 bytes.
_DATAGRAM: Final = "pkt_size=1316"


@dataclass(frozen=True)
class StreamTarget:
    """Destination of a stream.

    Attributes:
        kind: 'rtmp' (also for rtmps), 'udp', 'srt', 'whip' or 'hls': a key of `STREAMED`.
        address: for FFmpeg, including the stream key: never shown or logged. A playlist's path for HLS.
        public: the displayable form.
        host, port: of the address; '' and 0 for HLS.
        token: the key of WHIP, which is no part of the address; never shown or logged.
    """

    kind: str
    address: str = field(repr=False)
    public: str
    host: str = ""
    port: int = 0
    token: str = field(default="", repr=False)

    @property
    def container(self) -> Container:
        """The container that is sent."""
        return STREAMED[self.kind]

    @property
    def comes_back(self) -> bool:
        """True if the stream reconnects after a failure; a folder that cannot be written ends it."""
        return self.kind != "hls"


def target_of(values: Mapping[str, Value]) -> StreamTarget:
    """Return the target of the fields 'address' and 'key', which only RTMP, SRT and WHIP use.

    Raises ExportError if nothing can be streamed there.
    """
    address, key = str(values["address"]).strip(), str(values["key"]).strip()
    if not address:
        raise ExportError(sentence("Nowhere to stream to: give an address or a folder."))
    if "://" not in address:
        return _folder(address)
    if any(letter.isspace() for letter in address + key):
        raise ExportError(sentence("The address or the key has a blank in it; copy it once more."))
    try:
        parts = split_address(address)
        port = parts.port or 0
    except ValueError:
        raise ExportError(
            sentence("The address is not one: write it as rtmp://host/app or udp://host:port.")
        ) from None
    scheme = parts.scheme.lower()
    if scheme not in _SCHEMES:
        raise ExportError(
            sentence(
                "Nothing can be streamed to {scheme}:// addresses: use one of {known}, or a folder for HLS.",
                scheme=scheme,
                known=", ".join(f"{name}://" for name in _SCHEMES if name not in _OF_HTTP.values()),
            )
        )
    kind, usual = _SCHEMES[scheme]
    public = _public(address, kind)
    if not parts.hostname:
        raise ExportError(
            sentence(
                "The address {address} names no host: write it as {scheme}://host.",
                address=public,
                scheme=scheme,
            )
        )
    if not (port or usual):
        raise ExportError(
            sentence(
                "The address {address} names no port: write it as {scheme}://host:port.",
                address=public,
                scheme=scheme,
            )
        )
    port, token = port or usual, key if kind == "whip" else ""
    return StreamTarget(kind, _with_key(address, parts, kind, key), public, parts.hostname, port, token)


def _folder(address: str) -> StreamTarget:
    try:
        path = home_expanded(address).absolute()
    except OSError:  # the working directory is gone
        path = Path(address)
    if path.suffix.lower() != PLAYLIST:
        path = path / _PLAYLIST_NAME
    return StreamTarget("hls", str(path), str(path))


def init_name(playlist: Path) -> str:
    """Return the name of the initialization segment (EXT-X-MAP) of a playlist."""
    return f"{playlist.stem}-init.mp4"


def without_secrets(address: str) -> str:
    """Return an address without user, password, query (except for UDP), and path.

    An RTMP address keeps the application, the first part of its path; the key may follow it.
    """
    if "://" not in address:
        return address
    try:
        parts = urlsplit(address.strip())
        kind, _ = _SCHEMES.get(parts.scheme.lower(), ("", 0))
        public = _public(address.strip(), kind)
    except ValueError:
        return ""
    # For datagrams the query contains transport options.
    return f"{public}?{parts.query}" if kind == "udp" and parts.query else public


def _public(address: str, kind: str) -> str:
    # In an RTMP address the key follows the application's name, unless it was given separately.
    host, *path = public_address(address).split("/")[2:]
    scheme = address.partition("://")[0].lower()
    return f"{scheme}://{'/'.join((host, *(path[:1] if kind == 'rtmp' else ())))}"


def _with_key(address: str, parts: SplitResult, kind: str, key: str) -> str:
    joint = "&" if parts.query else "?"
    if kind == "rtmp":
        return f"{address.rstrip('/')}/{key}" if key else address
    if kind == "srt":
        return f"{address}{joint}streamid={quote(key, safe='')}" if key else address
    if kind == "whip":
        return parts._replace(scheme=_OF_HTTP.get(parts.scheme, parts.scheme)).geturl()
    return address if "pkt_size" in parts.query else f"{address}{joint}{_DATAGRAM}"


def check_protocol(target: StreamTarget) -> None:
    """Raise ExportError if this FFmpeg does not support the protocol of an address."""
    if target.kind == "hls":
        return
    if target.kind == "whip" and target.container.format not in av.formats_available:
        raise ExportError(
            sentence("This FFmpeg has no WHIP; use the server's RTMP address, such as rtmp://host/app.")
        )
    scheme = target.address.partition("://")[0].lower()
    try:
        # PyAV does not list protocols. An empty whitelist makes supported ones fail before any I/O.
        open_container(f"{scheme}://x", options={"protocol_whitelist": "none"}).close()
    except av.error.ProtocolNotFoundError:
        raise ExportError(
            sentence(
                "This FFmpeg has no {protocol}; install PyAV built against an FFmpeg that has it, or "
                "stream by RTMP or UDP.",
                protocol=scheme.upper(),
            )
        ) from None
    except (OSError, ValueError, av.FFmpegError):
        return
