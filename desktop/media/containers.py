"""PyAV's `open` and its errors, alike on every version that pyproject.toml allows."""

from __future__ import annotations

import errno
import os
from typing import Any, Final

import av
from av.sidedata.sidedata import SideDataContainer, Type

from desktop.base.files import known_reason

# Metadata is often not UTF-8: PyAV 19 keeps such bytes as surrogates, 18 needs an argument that 19 rejects.
_METADATA: Final[dict[str, Any]] = (
    {} if int(av.__version__.split(".")[0]) >= 19 else {"metadata_errors": "surrogateescape"}
)


# FFmpeg on Windows has the numbers of Microsoft's C library; PyAV knows those of Python, which are Winsock's there.
_OF_WINDOWS: Final = {
    106: errno.ECONNABORTED,
    107: errno.ECONNREFUSED,
    108: errno.ECONNRESET,
    110: errno.EHOSTUNREACH,
    116: errno.ENETDOWN,
    118: errno.ENETUNREACH,
    138: errno.ETIMEDOUT,
}


def _unknown(cls: Any, value: object) -> Any:
    if not isinstance(value, int):
        return None
    member = object.__new__(cls)
    member._name_, member._value_ = f"UNKNOWN_{value}", value
    return cls._value2member_map_.setdefault(value, member)


if "_missing_" not in vars(Type):
    # PyAV 18 raises ValueError for side data newer than FFmpeg 7.1's; 19 names unknown kinds like this.
    Type._missing_ = classmethod(_unknown)  # type: ignore[method-assign,assignment]


_SIDE_DATA: Final = (Type.DISPLAYMATRIX, Type.CONTENT_LIGHT_LEVEL, Type.MASTERING_DISPLAY_METADATA)


def side_data(frame: Any) -> tuple[Any, ...]:
    """Return a frame's side data of the used kinds. Not `frame.side_data`: its reference cycle keeps every
    frame (12 MB at 3840 x 2160) until garbage collection.
    """
    attached: Any = SideDataContainer  # the stub leaves out its constructor
    container = attached(frame)
    # By kind: iteration yields items up to PyAV 18, kinds from 19 on, whose length ignores duplicates.
    return tuple(container[kind] for kind in _SIDE_DATA if kind in container)


def packet_of(data: bytes) -> av.Packet:
    """Return a packet that holds a copy of `data`.

    Not `av.Packet(data)`: its Python bytes lack FFmpeg's zero padding, and a decoder thread that releases
    them waits for the interpreter's lock, held by the thread that closes the decoder (deadlock).
    """
    packet = av.Packet(len(data))
    if data:
        packet.update(data)
    return packet


def open_container(file: Any, mode: str = "r", **arguments: Any) -> Any:
    """Call `av.open` with metadata as UTF-8, other bytes as surrogates ("surrogateescape"), in both
    directions.

    Takes a path, an address or a binary file, and other arguments of `av.open`. Raises as `av.open` does:
    av.FFmpegError, OSError, ValueError.
    """
    # Its stubs list the arguments of their own version only.
    opening: Any = av.open
    return opening(file, mode, **_METADATA, **arguments)


def network_error(error: Exception) -> Exception:
    """Return an error of FFmpeg whose number PyAV does not know as the built-in one for it, others unchanged."""
    number = _OF_WINDOWS.get(error.errno or 0) if isinstance(error, av.error.UndefinedError) else None
    return error if number is None else OSError(number, os.strerror(number))


def av_reason(error: BaseException) -> str:
    """Return why FFmpeg or the system did not write; encoders refuse with ValueError and others too."""
    return known_reason(str(getattr(error, "strerror", None) or error).rstrip("."))
