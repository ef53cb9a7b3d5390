"""DVD subtitles ("VobSub"): run-length images of four colors out of sixteen, each with its own times.

PyAV returns no palette; the track's header has it, as an .idx file. Format:
http://dvd.sourceforge.net/dvdinfo/spu.html, FFmpeg's libavcodec/dvdsubdec.c.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.media.subtitles.cues import Bitmap

_FORCED, _START, _STOP, _COLORS, _ALPHA, _AREA, _OFFSETS = range(7)
_CHANGES, _LAST = 0x07, 0xFF
# Delays count 1024 ticks of 90 kHz.
_TICK: Final = 1024 / 90_000
_MOST_SIDE: Final = 4096
_MOST_SEQUENCES: Final = 64
_PALETTE: Final = re.compile(rb"palette:\s*((?:[0-9a-fA-F]{6}[,\s]*){16})")
_SIZE: Final = re.compile(rb"size:\s*(\d{1,4})x(\d{1,4})")
# Where the head has none: black, and white in four steps.
_GRAYS: Final = np.array([[v, v, v] for v in (0, 255, 128, 64)] * 4, np.uint8)


@dataclass(frozen=True)
class Head:
    """The track's header: palette, uint8 [16, 3] R'G'B'; (width, height) for positions, (0, 0) if unknown."""

    palette: np.ndarray
    size: tuple[int, int]

    @classmethod
    def parse(cls, head: bytes) -> Head:
        """Read the lines of an .idx file that stand in a track's head."""
        colors, size = _PALETTE.search(head[:65_536]), _SIZE.search(head[:65_536])
        palette = _GRAYS
        if colors is not None:
            digits = re.findall(rb"[0-9a-fA-F]{6}", colors.group(1))
            palette = np.frombuffer(bytes.fromhex(b"".join(digits).decode()), np.uint8).reshape(16, 3)
        return cls(palette, (int(size.group(1)), int(size.group(2))) if size is not None else (0, 0))


@dataclass(frozen=True)
class Subpicture:
    """A subtitle from `start` to `end` seconds after its packet's time; the end is None if unknown."""

    bitmap: Bitmap
    start: float
    end: float | None


@dataclass
class _Commands:
    """Content of a packet's control sequences."""

    start: float = 0.0
    end: float | None = None
    colors: tuple[int, ...] = (0, 1, 2, 3)
    alpha: tuple[int, ...] = (0, 15, 15, 15)
    area: tuple[int, int, int, int] | None = None
    offsets: tuple[int, int] | None = None


def read_subpicture(packet: bytes, head: Head, size: tuple[int, int]) -> Subpicture | None:
    """Decode a complete subpicture unit; None if it shows nothing, ValueError if damaged. `size` is the
    video's (width, height), for a header without one.
    """
    try:
        said = _commands(packet)
    except (struct.error, IndexError) as error:
        raise ValueError("a control sequence is too short") from error
    if said.area is None or said.offsets is None:
        return None
    left, right, top, bottom = said.area
    width, height = right - left + 1, bottom - top + 1
    across, down = head.size if all(head.size) else size
    if not (0 < width <= _MOST_SIDE and 0 < height <= _MOST_SIDE and across and down):
        raise ValueError(f"an image of {width} x {height}")
    indices = np.zeros((height, width), np.uint8)
    for field, offset in enumerate(said.offsets):
        rows = indices[field::2]
        rows[:] = _rows(packet, offset, width, rows.shape[0])
    palette = np.zeros((4, 4), np.uint8)
    palette[:, :3] = head.palette[list(said.colors)]
    palette[:, 3] = [alpha * 17 for alpha in said.alpha]
    if not palette[np.unique(indices), 3].any():
        return None
    rect = (left / across, top / down, width / across, height / down)
    return Subpicture(Bitmap(indices, palette, rect), said.start, said.end)


def _commands(packet: bytes) -> _Commands:
    said = _Commands()
    (at,) = struct.unpack_from(">H", packet, 2)
    for _ in range(_MOST_SEQUENCES):
        delay, following = struct.unpack_from(">HH", packet, at)
        _take_sequence(packet, at + 4, delay * _TICK, said)
        if following <= at:  # the last one names itself
            break
        at = following
    return said


def _take_sequence(packet: bytes, at: int, delay: float, said: _Commands) -> None:
    while (command := packet[at]) != _LAST:
        at += 1
        match command:
            case c if c == _START:
                said.start = delay
            case c if c == _STOP:
                said.end = delay
            case c if c in (_COLORS, _ALPHA):
                values = (packet[at + 1] & 15, packet[at + 1] >> 4, packet[at] & 15, packet[at] >> 4)
                at += 2
                if command == _COLORS:
                    said.colors = values
                elif said.end is None and (any(values) or not any(said.alpha)):
                    said.alpha = values
            case c if c == _AREA:
                x, y = (int.from_bytes(packet[n : n + 3], "big") for n in (at, at + 3))
                said.area = (x >> 12, x & 4095, y >> 12, y & 4095)
                at += 6
            case c if c == _OFFSETS:
                said.offsets = struct.unpack_from(">HH", packet, at)
                at += 4
            case c if c == _CHANGES:
                at += struct.unpack_from(">H", packet, at)[0]
            case c if c == _FORCED:
                pass
            case _:
                return  # what comes behind an unknown command cannot be read


def _rows(packet: bytes, offset: int, width: int, count: int) -> np.ndarray:
    """Return the rows of a field: uint8 [count, width]. Each begins at a byte; missing rows have color 0."""
    rows = np.zeros((count, width), np.uint8)
    nibble, end = offset * 2, len(packet) * 2
    for row in rows:
        at = 0
        while at < width and nibble < end:
            code, nibble = _code(packet, nibble, end)
            length = code >> 2 or width - at
            row[at : at + length] = code & 3
            at += length
        nibble += nibble & 1
        if nibble >= end:
            break
    return rows


def _code(packet: bytes, nibble: int, end: int) -> tuple[int, int]:
    """Return a run's code, of one to four half bytes, and where the next one is."""
    code = 0
    for least in (0x4, 0x10, 0x40, 0):
        code = code << 4 | (packet[nibble >> 1] >> (0 if nibble & 1 else 4)) & 15
        nibble += 1
        if code >= least or nibble >= end:
            break
    return code, nibble
