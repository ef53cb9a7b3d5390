"""Options in a stream's address: '#fps=10' at its end, and behind '?' those that FFmpeg reads itself.

FFmpeg ignores what it does not know there, and of HTTP and RTSP the query is the server's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from desktop.base.errors import UsageError
from desktop.base.nearest import nearest
from desktop.base.wording import sentence

_FPS: Final = "fps"
_RATE: Final = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)")
_RATES: Final = (0.1, 1000.0)
# Not every text behind '#' is an option: a password may have one, before the @.
_OPTION: Final = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,31})=([^@]*)")
_LONGEST: Final = 40
_DATAGRAMS: Final = (
    "pkt_size",
    "ttl",
    "connect",
    "sources",
    "block",
    "dscp",
    "timeout",
    "localport",
    "localaddr",
)
QUERY_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "udp": (
        *_DATAGRAMS,
        *("buffer_size", "bitrate", "burst_bits", "udplite_coverage", "reuse", "reuse_socket", "broadcast"),
        *("fifo_size", "overrun_nonfatal", "local_port"),
    ),
    "rtp": (
        *_DATAGRAMS,
        *("buffer_size", "rtcpport", "rtcp_port", "localrtpport", "local_rtpport", "localrtcpport"),
        *("local_rtcpport", "write_to_source", "fec"),
    ),
    "tcp": (
        *("listen", "timeout", "listen_timeout", "send_buffer_size", "recv_buffer_size", "tcp_nodelay"),
        *("tcp_mss", "tcp_keepalive", "local_addr", "local_port"),
    ),
}
"""By scheme: FFmpeg's options of udp, rtp and tcp that an address may have behind '?'."""


def without_rate(address: str) -> tuple[str, float]:
    """Return an address without '#fps=...', and that rate, 0.0 for none; UsageError for another option or an
    impossible rate.
    """
    before, sign, fragment = address.partition("#")
    option = _OPTION.fullmatch(fragment)
    if option is None and ("@" in fragment or not fragment.lower().startswith(_FPS)):
        return address, 0.0
    if option is not None and option[1].lower() != _FPS:
        raise UsageError(
            sentence(
                "'#{name}' is no option of an address; the only one is the frame rate, as in #fps=10.",
                name=option[1],
            )
        )
    found = _RATE.fullmatch(option[2]) if option is not None else None
    rate = float(found[1]) if found is not None else 0.0
    if not _RATES[0] <= rate <= _RATES[1]:
        raise UsageError(
            sentence(
                "'{text}' is no frame rate; write one of 0.1 to 1000 frames per second, as in #fps=10.",
                text=(sign + fragment)[:_LONGEST],
            )
        )
    return before, rate


def check_query(address: str) -> None:
    """Raise UsageError for an option behind '?' that FFmpeg would ignore."""
    parts = urlsplit(address)
    known = QUERY_OPTIONS.get(parts.scheme.lower())
    if known is None:
        return
    for pair in filter(None, parts.query.split("&")):
        name = pair.partition("=")[0][:_LONGEST]
        if name in known:
            continue
        near = nearest(name, known)
        raise UsageError(
            sentence(
                "'?{name}' is no option of {scheme} addresses; did you mean '{near}'?",
                name=name,
                scheme=parts.scheme.lower(),
                near=near,
            )
            if near
            else sentence(
                "'?{name}' is no option of {scheme} addresses; leave it out, or choose one of {known}.",
                name=name,
                scheme=parts.scheme.lower(),
                known=", ".join(sorted(known)),
            )
        )
