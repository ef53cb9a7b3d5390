"""Presentation Graphic Streams, the subtitles of Blu-ray discs: run-length images with a palette of 256
colors.

PyAV returns no palette. Format: US 2009/0185789 A1, and FFmpeg's libavcodec/pgssubdec.c. Packets are
untrusted: images are at most as large as the declared video, and damaged parts are left out.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.media.subtitles.cues import Bitmap

_PALETTE, _OBJECT, _COMPOSITION, _END = 0x14, 0x15, 0x16, 0x80
_FIRST, _LAST = 0x80, 0x40
_EPOCH_START: Final = 0x80
_CROPPED: Final = 0x80
# The format's limits: 64 objects, 8 palettes (2 objects an image); the largest side is Ultra HD's.
_MOST_OBJECTS: Final = 64
_MOST_SIDE: Final = 4096
_MOST_DATA: Final = 1 << 20


@dataclass(frozen=True)
class _Placed:
    """An object's place in the video's image; `crop` is (left, top, width, height) in the object."""

    object: int
    x: int
    y: int
    crop: tuple[int, int, int, int] | None


@dataclass
class _Growing:
    """An object whose data come in several segments."""

    width: int
    height: int
    data: bytearray


class PgsDecoder:
    """Takes packets in order, and says what stands from each complete set on."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all: what comes next lies elsewhere in the file."""
        self._palettes: dict[int, np.ndarray] = {}
        self._objects: dict[int, np.ndarray] = {}
        self._growing: dict[int, _Growing] = {}
        self._size = (0, 0)
        self._palette = 0
        self._placed: tuple[_Placed, ...] | None = None

    def take(self, packet: bytes) -> tuple[Bitmap, ...] | None:
        """Return images from this packet on, () for "cleared", None if incomplete; ValueError if damaged."""
        shown: tuple[Bitmap, ...] | None = None
        place = 0
        try:
            while place + 3 <= len(packet):
                kind, length = struct.unpack_from(">BH", packet, place)
                body = packet[place + 3 : place + 3 + length]
                place += 3 + length
                if kind == _PALETTE:
                    self._take_palette(body)
                elif kind == _OBJECT:
                    self._take_object(body)
                elif kind == _COMPOSITION:
                    self._take_composition(body)
                elif kind == _END and self._placed is not None:
                    shown, self._placed = self._compose(self._placed), None
        except (struct.error, IndexError) as error:
            raise ValueError("a segment is too short") from error
        return shown

    def _take_palette(self, body: bytes) -> None:
        entries = np.frombuffer(body[2 : 2 + (len(body) - 2) // 5 * 5], np.uint8).reshape(-1, 5)
        palette = self._palettes.get(body[0], np.zeros((256, 4), np.uint8)).copy()
        palette[entries[:, 0]] = _rgba(entries[:, 1:], is_sd=0 < self._size[1] <= 576)
        self._palettes[body[0]] = palette

    def _take_object(self, body: bytes) -> None:
        number, _, sequence = struct.unpack_from(">HBB", body)
        data = body[4:]
        if sequence & _FIRST:
            width, height = struct.unpack_from(">HH", data, 3)
            if not (0 < width <= self._size[0] and 0 < height <= self._size[1]):
                raise ValueError(f"an image of {width} x {height} in a video of {self._size}")
            self._growing = {number: _Growing(width, height, bytearray())}
            data = data[7:]
        growing = self._growing.get(number)
        if growing is None or len(growing.data) + len(data) > _MOST_DATA:
            return
        growing.data += data
        if sequence & _LAST:
            del self._growing[number]
            if number in self._objects or len(self._objects) < _MOST_OBJECTS:
                self._objects[number] = _indices(bytes(growing.data), growing.width, growing.height)

    def _take_composition(self, body: bytes) -> None:
        width, height, _, _, state, _, palette, count = struct.unpack_from(">HHBHBBBB", body)
        if not (0 < width <= _MOST_SIDE and 0 < height <= _MOST_SIDE):
            raise ValueError(f"a video of {width} x {height}")
        if state == _EPOCH_START:
            self.reset()
        self._size, self._palette = (width, height), palette
        placed, at = [], 11
        for _ in range(count):
            number, _, flags, x, y = struct.unpack_from(">HBBHH", body, at)
            at += 8
            crop = None
            if flags & _CROPPED:
                crop = struct.unpack_from(">HHHH", body, at)
                at += 8
            placed.append(_Placed(number, x, y, crop))
        self._placed = tuple(placed)

    def _compose(self, placed: tuple[_Placed, ...]) -> tuple[Bitmap, ...]:
        width, height = self._size
        palette = self._palettes.get(self._palette)
        found = []
        for each in placed:
            # After a jump the epoch's images may be missing; its next "acquisition point" repeats them.
            indices = self._objects.get(each.object)
            if indices is None or palette is None:
                continue
            if each.crop is not None:
                left, top, wide, high = each.crop
                indices = indices[top : top + high, left : left + wide]
            rect = (
                each.x / width,
                each.y / height,
                indices.shape[1] / width,
                indices.shape[0] / height,
            )
            if indices.size:
                found.append(Bitmap(indices, palette, rect))
        return tuple(found)


def _rgba(entries: np.ndarray, *, is_sd: bool) -> np.ndarray:
    """Of [n, 4] Y'CrCbA in limited range: BT.601 up to 576 lines, BT.709 above (ITU-R BT.601-7, BT.709-6)."""
    luma = (entries[:, 0].astype(np.float32) - 16.0) * (255.0 / 219.0)
    cr, cb = ((entries[:, n].astype(np.float32) - 128.0) * (255.0 / 224.0) for n in (1, 2))
    kr, kb = (0.299, 0.114) if is_sd else (0.2126, 0.0722)
    red = luma + 2 * (1 - kr) * cr
    blue = luma + 2 * (1 - kb) * cb
    green = (luma - kr * red - kb * blue) / (1 - kr - kb)
    colors = np.stack([red, green, blue, entries[:, 3].astype(np.float32)], axis=1)
    return np.clip(np.rint(colors), 0, 255).astype(np.uint8)


def _indices(data: bytes, width: int, height: int) -> np.ndarray:
    """Decode run lengths to uint8 [height, width]; ValueError or IndexError for too few pixels."""
    colors, counts = bytearray(), []
    place, total, end = 0, 0, width * height
    while place < len(data) and total < end:
        color, count = data[place], 1
        place += 1
        if color == 0:
            flags = data[place]
            place += 1
            count = flags & 0x3F
            if flags & 0x40:
                count = count << 8 | data[place]
                place += 1
            if flags & 0x80:
                color = data[place]
                place += 1
        if count:  # none: the end of a line
            colors.append(color)
            counts.append(count)
            total += count
    if total < end:
        raise ValueError(f"{total} of {end} pixels")
    pixels = np.repeat(np.frombuffer(bytes(colors), np.uint8), counts)
    return pixels[:end].reshape(height, width)
