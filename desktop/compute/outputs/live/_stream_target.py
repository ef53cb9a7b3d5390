"""Where a stream goes: an address that may be shown, one that may not, and what can be said of both before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, quote, urlsplit

import av

from desktop.compute.media.containers import open_container
from desktop.compute.media.sources.stream import public_address
from desktop.compute.outputs.encoding import STREAMED, Container
from desktop.errors import ExportError
from desktop.fields import Value
from desktop.wording import sentence

PLAYLIST: Final = ".m3u8"
_PLAYLIST_NAME: Final = "stream.m3u8"
# What an address's scheme makes of `STREAMED`, and the port where it names none; 0: it must.
_SCHEMES: Final[Mapping[str, tuple[str, int]]] = {
    "rtmp": ("rtmp", 1935),
    "rtmps": ("rtmp", 443),
    "udp": ("udp", 0),
    "srt": ("srt", 0),
}
# What fits into an Ethernet packet of MPEG-TS: seven of its own of 188 bytes.
_DATAGRAM: Final = "pkt_size=1316"


@dataclass(frozen=True)
class Target:
    """Where a stream goes.

    Attributes:
        kind: of `STREAMED`.
        address: what FFmpeg is given, with the key in it: never shown or logged. A playlist's path for HLS.
        public: what may be shown.
        host, port: that it leads to; '' and 0 for HLS.
    """

    kind: str
    address: str = field(repr=False)
    public: str
    host: str = ""
    port: int = 0

    @property
    def container(self) -> Container:
        """What is sent there."""
        return STREAMED[self.kind]

    @property
    def comes_back(self) -> bool:
        """True where a connection that broke is made again; of a folder that cannot be written nothing is to be hoped."""
        return self.kind != "hls"


def target_of(values: Mapping[str, Value]) -> Target:
    """Return where the 'address' and the 'key' of some values lead.

    Raises:
        ExportError: it is no address that can be streamed to.
    """
    address, key = str(values["address"]).strip(), str(values["key"]).strip()
    if not address:
        raise ExportError(sentence("Nowhere to stream to: give an address or a folder."))
    if "://" not in address:
        return _folder(address)
    try:
        parts = urlsplit(address)
        port = parts.port or 0
    except ValueError:  # an unclosed bracket, a port that is no number
        raise ExportError(
            sentence("The address is not one: write it as rtmp://host/app or udp://host:port.")
        ) from None
    scheme = parts.scheme.lower()
    if scheme not in _SCHEMES:
        raise ExportError(
            sentence(
                "Nothing can be streamed to {scheme}:// addresses: use one of {known}, or a folder for HLS.",
                scheme=scheme,
                known=", ".join(f"{name}://" for name in _SCHEMES),
            )
        )
    kind, usual = _SCHEMES[scheme]
    public = _public(parts, kind)
    if any(letter.isspace() for letter in address + key):
        raise ExportError(sentence("The address or the key has a blank in it; copy it once more."))
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
    return Target(kind, _with_key(address, parts, kind, key), public, parts.hostname, port or usual)


def _folder(address: str) -> Target:
    try:
        path = Path(address).expanduser().absolute()
    except (OSError, RuntimeError, ValueError):  # the home of somebody who is not there
        path = Path(address)
    if path.suffix.lower() != PLAYLIST:
        path = path / _PLAYLIST_NAME
    return Target("hls", str(path), str(path))


def init_name(playlist: Path) -> str:
    """Return what the file is called that all segments of a playlist begin with."""
    return f"{playlist.stem}-init.mp4"


def without_secrets(address: str) -> str:
    """Return what of an address may be written down: all but users, passwords, and what may be a key."""
    if "://" not in address:
        return address
    try:
        parts = urlsplit(address.strip())
        kind, _ = _SCHEMES.get(parts.scheme.lower(), ("", 0))
        public = _public(parts, kind)
    except ValueError:
        return ""
    # Of datagrams the query says how they are sent.
    return f"{public}?{parts.query}" if kind == "udp" and parts.query else public


def _public(parts: SplitResult, kind: str) -> str:
    # Behind the application's name an address of RTMP has the key, where that was not given by itself.
    path = "/".join(parts.path.split("/")[:2]) if kind == "rtmp" else ""
    return public_address(parts._replace(path=path).geturl())


def _with_key(address: str, parts: SplitResult, kind: str, key: str) -> str:
    joint = "&" if parts.query else "?"
    if kind == "rtmp":
        return f"{address.rstrip('/')}/{key}" if key else address
    if kind == "srt":
        return f"{address}{joint}streamid={quote(key, safe='')}" if key else address
    return address if "pkt_size" in parts.query else f"{address}{joint}{_DATAGRAM}"


def check_protocol(target: Target) -> None:
    """Find out whether this FFmpeg speaks the protocol of an address.

    Raises:
        ExportError: it does not.
    """
    if target.kind == "hls":
        return
    scheme = target.address.partition("://")[0].lower()
    try:
        # PyAV lists formats and codecs, no protocols. An empty list of those allowed ends every one that is there before it does anything.
        open_container(f"{scheme}://x", options={"protocol_whitelist": "none"}).close()
    except av.error.ProtocolNotFoundError:
        raise ExportError(
            sentence(
                "This FFmpeg has no {protocol}; install PyAV built against an FFmpeg that has it, or stream by RTMP or UDP.",
                protocol=scheme.upper(),
            )
        ) from None
    except (OSError, ValueError, av.FFmpegError):
        return
