"""Network streams by FFmpeg's libraries: RTSP, MJPEG and MPEG-TS over HTTP, MPEG-TS over UDP and TCP.

For security, protocols and containers are allowlisted: playlists (HLS, DASH), which refer to other addresses,
are refused. Secrets and queries of addresses stay in this module: FFmpeg's messages are not passed on.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from typing import Any, Final

import av

from desktop.base.addresses import has_hidden_password, is_address, public_address, split_address
from desktop.base.clock import MACHINE_CLOCK, Clock
from desktop.base.errors import SourceError, SourceUnsupportedError, StreamError, UsageError
from desktop.base.printable import printable
from desktop.base.wording import Text, sentence
from desktop.media.containers import network_error, open_container
from desktop.media.sources._address_options import check_query, without_rate
from desktop.media.sources._live import LiveSource
from desktop.media.sources._live_sound import LiveSound
from desktop.media.sources._packet_reader import PacketReader
from desktop.media.sources.base import SourceKind

# Scheme -> FFmpeg's protocols that its addresses may lead to; never 'file', 'concat', 'data', ...
PROTOCOLS: Final[dict[str, str]] = {
    "rtsp": "rtsp,rtp,udp,tcp",
    "rtsps": "rtsps,rtsp,rtp,tls,tcp",
    "http": "http,https,tls,tcp",
    "https": "http,https,tls,tcp",
    "tcp": "tcp",
    "udp": "udp",
    "rtp": "rtp,udp",
}
_CONTAINERS: Final = "mpegts,mpjpeg,mjpeg,jpeg_pipe,rtsp,rtp,mov,matroska,webm,flv,avi,ogg,h264,hevc,mpeg"
_OPEN_TIMEOUT, _READ_TIMEOUT = 8.0, 5.0
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 8.0

_OPTIONS: Final = {
    # No "fflags": "nobuffer" discards what was read to detect the format, a recording's beginning, and
    # "discardcorrupt" counts nothing.
    "probesize": "1000000",
    "analyzeduration": "1000000",
    # No "merge_pmt_versions", with which FFmpeg 8 frees memory twice.
    # Packets that arrive out of order are waited for no longer than this (microseconds).
    "max_delay": "300000",
}
_BY_SCHEME: Final[dict[str, dict[str, str]]] = {
    # UDP loses packets of a frame at the least congestion; TCP is what cameras' own viewers use.
    "rtsp": {"rtsp_transport": "tcp", "allowed_media_types": "video"},
    "rtsps": {"rtsp_transport": "tcp", "allowed_media_types": "video"},
    # The port may still be read by a connection that was given up; the newest reader gets the datagrams.
    "udp": {"fifo_size": "20000", "overrun_nonfatal": "1", "reuse": "1"},
    "http": {"user_agent": "Lightloom"},
    "https": {"user_agent": "Lightloom"},
}
# Schemes whose address may name a port alone, at which this machine receives.
_LISTENS: Final = ("tcp", "udp", "rtp")
# Containers with timestamps from an arbitrary moment; live even if a server reports a length.
_ALWAYS_LIVE: Final = ("rtsp", "mpjpeg", "mjpeg", "jpeg_pipe", "rtp")
# Containers without time stamps: FFmpeg numbers their frames at a rate that it assumes, mostly 25 per second.
_UNTIMED: Final = ("mpjpeg", "mjpeg", "jpeg_pipe")
# Containers without time stamps whose frames FFmpeg does not number either.
_TIMED_BY_ARRIVAL: Final = ("h264", "hevc")


def _refusal(address: str, scheme: str) -> str:
    """Return why no network can connect to an address, '' for one that has a host and a port."""
    try:
        parts = split_address(address)
    except ValueError:
        parts = None
    if has_hidden_password(address):
        return sentence(
            "The password in the {scheme}:// address contains #, / or ?, which ends the host name; write # as %23, / "
            "as %2F and ? as %3F. If the @ belongs to the path, write it as %40.",
            scheme=scheme,
        )
    if parts is None:
        host = re.split(r"[/?#]", address.partition("://")[2], maxsplit=1)[0].rpartition("@")[2]
        return sentence(
            "The host or the port of the address {scheme}://{host} is not valid: a host has no spaces, and a port is "
            "a number from 1 to 65535; correct it.",
            scheme=scheme,
            host=printable(host),
        )
    if not (parts.hostname or (parts.netloc and scheme in _LISTENS)):
        return sentence(
            "The address {public_address} names no host: write it as {scheme}://host/path.",
            public_address=public_address(address),
            scheme=scheme,
        )
    return ""


class StreamSource(LiveSource):
    """A network stream of a scheme in `PROTOCOLS`, which reconnects automatically after its first frame. The
    address may have user and password, and at its end '#fps=10': the rate of MJPEG, which has no time stamps.
    Raises UsageError for another scheme, no host, an unknown option or an impossible rate.
    """

    def __init__(self, address: str, clock: Clock = MACHINE_CLOCK) -> None:
        scheme = address.partition("://")[0].lower()
        if scheme not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            raise UsageError(
                sentence(
                    "Addresses that begin with {scheme}:// can't be opened: use one of {known}.",
                    scheme=scheme,
                    known=known,
                )
            )
        if refusal := _refusal(address, scheme):
            raise UsageError(refusal)
        check_query(address)
        self._address, self._own_rate = without_rate(address)
        self._scheme = scheme
        self._public = public_address(address)
        self._wait = _FIRST_WAIT
        super().__init__("stream", self._public, clock)
        self._sound: LiveSound = LiveSound(self._public)

    @property
    def sound(self) -> LiveSound:
        """Its audio; silent, and not read, until it has an output."""
        return self._sound

    def _open(self) -> Any:
        options = {**_OPTIONS, **_BY_SCHEME.get(self._scheme, {})}
        if self._sound.has_listener and "allowed_media_types" in options:
            options["allowed_media_types"] = "video+audio"
        options |= {"protocol_whitelist": PROTOCOLS[self._scheme], "format_whitelist": _CONTAINERS}
        timeouts = (self._clock.real(_OPEN_TIMEOUT), self._clock.real(_READ_TIMEOUT))
        try:
            container = open_container(self._address, options=options, timeout=timeouts)
        except (av.FFmpegError, OSError, ValueError) as error:
            raise self._refusal(error) from None
        if not container.streams.video:
            container.close()
            raise SourceUnsupportedError(
                sentence("{public} has no video in it: check the address.", public=self._public)
            )
        if self._own_rate and container.format.name not in _UNTIMED:
            container.close()
            raise self._rate_refusal(container.format.name)
        return container

    def _rate_refusal(self, container: str) -> SourceUnsupportedError:
        if container in _TIMED_BY_ARRIVAL:
            return SourceUnsupportedError(
                sentence(
                    "{public} sends no time stamps, and its frames are timed by their arrival, so #fps={rate:.4g} "
                    "has no effect; leave it out of the address.",
                    public=self._public,
                    rate=self._own_rate,
                )
            )
        return SourceUnsupportedError(
            sentence(
                "{public} sends time stamps, so #fps={rate:.4g} has no effect; leave it out of the address.",
                public=self._public,
                rate=self._own_rate,
            )
        )

    def _wait_longer(self, waited: float) -> None:
        # FFmpeg's own limit does not hold where packets arrive that PyAV skips.
        if waited > 2 * _READ_TIMEOUT:
            raise TimeoutError(errno.ETIMEDOUT, "no packet")

    def _paced(self, container: Any) -> bool:
        return container.duration is not None and container.format.name not in _ALWAYS_LIVE

    def _rate(self, reader: PacketReader) -> float:
        return self._own_rate or super()._rate(reader)

    def _time_scale(self, reader: PacketReader) -> float:
        assumed, rate = super()._rate(reader), self._rate(reader)
        return assumed / rate if assumed and rate else 1.0

    def _assumption(self, reader: PacketReader) -> str:
        if self._own_rate or reader.container.format.name not in _UNTIMED:
            return ""
        return sentence(
            "{public} sends no time stamps, so {rate:.4g} frames per second are assumed; add its rate to the "
            "address, as in #fps=10.",
            public=self._public,
            rate=self._rate(reader),
        )

    def _detail(self, container: Any) -> dict[str, str]:
        self._wait = _FIRST_WAIT
        return {"container": container.format.name, "transport": self._scheme}

    def _failed(self, error: Exception) -> float | None:
        reason = self._sentence(error)
        if self._info.size == (0, 0):
            self._set_state("failed", reason)
            return None
        wait, self._wait = self._wait, min(self._wait * 2, _LONGEST_WAIT)
        self._set_state("reconnecting", reason)
        return wait

    def _sentence(self, error: Exception) -> SourceError:
        if isinstance(error, SourceError):
            return error
        # HTTP without a length ends with EIO: no more is known then than that it ended.
        if self._info.size != (0, 0) and getattr(error, "errno", 0) == errno.EIO:
            return self._ended()
        return self._refusal(error)

    def _is_end(self, error: Exception) -> bool:
        # As for `_sentence`; where it is the connection that broke, nothing tells.
        return getattr(error, "errno", 0) == errno.EIO

    def _broken(self, error: Exception) -> SourceError:
        if getattr(error, "errno", 0) == errno.EIO:
            return StreamError(
                sentence("{public} broke off before its end: try it again.", public=self._public)
            )
        return error if isinstance(error, SourceError) else self._refusal(error)

    def _ended(self) -> StreamError:
        return StreamError(
            sentence("{public} stopped sending: waiting for it to come back.", public=self._public)
        )

    def _at_end(self, error: Exception) -> SourceError:
        return StreamError(sentence("{public} stopped sending; its stream has ended.", public=self._public))

    def _refusal(self, error: Exception) -> StreamError | SourceUnsupportedError:
        """Say in one sentence what an error of FFmpeg means, without its text."""
        error = network_error(error)
        for kinds, said in _SENTENCES:
            if isinstance(error, kinds):
                return StreamError(said(self._public))
        if isinstance(error, (av.error.InvalidDataError, av.error.DemuxerNotFoundError, ValueError)):
            return SourceUnsupportedError(
                sentence(
                    "{public} is not a video stream that Lightloom reads: give one of RTSP, MJPEG or "
                    "MPEG-TS.",
                    public=self._public,
                )
            )
        return StreamError(
            sentence(
                "{public} can't be reached or sends no video: check the address and the network.",
                public=self._public,
            )
        )


_SENTENCES: Final[tuple[tuple[Any, Callable[[str], Text]], ...]] = (
    (
        ConnectionRefusedError,
        lambda a: sentence(
            "{address} refuses the connection: check that the server runs and that the port is right.",
            address=a,
        ),
    ),
    (
        (av.error.HTTPNotFoundError, FileNotFoundError),
        lambda a: sentence("{address} does not exist on the server (404): check the path.", address=a),
    ),
    (
        av.error.HTTPUnauthorizedError,
        lambda a: sentence(
            "{address} asks for a name and password: write user:password@ before the host.", address=a
        ),
    ),
    (
        av.error.HTTPForbiddenError,
        lambda a: sentence("{address} may not be read (403): ask its owner for access.", address=a),
    ),
    (
        av.error.HTTPClientError,
        lambda a: sentence("{address} was refused by the server: check the address.", address=a),
    ),
    (
        av.error.HTTPServerError,
        lambda a: sentence("{address} failed on the server's side: try again later.", address=a),
    ),
    (
        (TimeoutError, av.error.ExitError),
        lambda a: sentence(
            "{address} does not answer: check the address, the network and the firewall.", address=a
        ),
    ),
    (
        (ConnectionResetError, ConnectionAbortedError, BrokenPipeError),
        lambda a: sentence("{address} broke the connection off: check the server.", address=a),
    ),
)


def _open_text(text: str) -> StreamSource | None:
    if not is_address(text):
        return None
    if text.startswith("file://"):
        raise UsageError(sentence("{spec} is the address of a file: give its path instead.", spec=text))
    return StreamSource(text)


SOURCE: Final = SourceKind(open_text=_open_text)
