"""Recognize video files by their first bytes, or a raw bit stream, which has no signature, by its name."""

from __future__ import annotations

from typing import Final

from desktop.media.sources._still_header import sniff

# fmt: off
VIDEO_SUFFIXES: Final = frozenset((
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".wmv", ".asf", ".flv", ".ts", ".m2ts", ".mts",
    ".mpg", ".mpeg", ".m2v", ".vob", ".ogv", ".3gp", ".3g2", ".mxf", ".ivf", ".y4m", ".h264", ".h265",
    ".264", ".265", ".hevc", ".obu", ".dv", ".nut", ".gif", ".apng",
))
# fmt: on
_MAGIC: Final = (
    b"\x1aE\xdf\xa3",  # Matroska, WebM
    b"FLV\x01",
    b"OggS",
    b"0&\xb2u\x8ef\xcf\x11",  # ASF
    b"\0\0\x01\xba",  # MPEG program stream
    b"\0\0\x01\xb3",  # MPEG video
    b"DKIF",  # IVF
    b"YUV4MPEG2",
    b"nut/multimedia container",
    b"\x06\x0e+4\x02\x05\x01\x01\r\x01\x02\x01\x01\x02",  # MXF
)


def is_video(head: bytes) -> bool:
    """Return True for the first bytes of a video container."""
    if head.startswith(_MAGIC):
        return True
    if head[:4] == b"RIFF" and head[8:12] == b"AVI ":
        return True
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"):
        return not sniff(head)
    # MPEG transport streams: sync bytes 188 apart, or 192 with a timestamp before each (M2TS).
    return any(
        len(head) > at + 2 * step and all(head[at + k * step] == 0x47 for k in range(3))
        for at, step in ((0, 188), (4, 192))
    )
