"""Image of the built-in sample: a moving coast, with a balloon, a boat and a lighthouse in turn in the
middle.

Layers of assets/sample (drawn by training/sample_art.py) are read on first use, scaled once, and composed as
BT.709 limited luma and half-size chroma. Drawing them here would delay the first frame from 40 to 340 ms.

Each NumPy call releases the interpreter's lock and competes for it, so few large calls are used: a row of
chroma is one of bytes, a blend is three calls. Lengths are pixels of a frame of 720 rows.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from desktop.base.disk_cache import cached
from desktop.base.resources import resource

if TYPE_CHECKING:
    from av.video.plane import VideoPlane

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint16]
# Of each plane the bytes and the shape, as they are kept.
Planes = tuple[tuple[bytes, tuple[int, ...]], ...]

SAMPLE_FORM: Final = 1
"""Counts up with each change of what is kept of a layer."""
# Larger layers are read at each start: 720 rows and more are for a machine with a GPU, whose CPU is idle.
_LARGEST_CACHED: Final = 0.75

_HEIGHT: Final = 720
_SKY_SWAY: Final = 40
_SEA_TOP: Final = 470
_WIDE: Final = 900
_STRIPS: Final = ("sea", "meadow")
_SIGNS: Final = "0123456789:."
# Seconds of the 30 s loop in which an object is in the middle; it enters and leaves in 1.5 s each.
_ACTS: Final = {"balloon": (-0.8, 9.8), "boat": (11.3, 19.0), "lighthouse": (20.7, 28.2)}
_CHANGE: Final = 1.5


@dataclass(frozen=True)
class Blend:
    """One plane of an overlay: paint times weight (0..256), and 256 less the weight, as words.

    Attributes:
        paint: uint8 (H, columns): a byte for each sample of luma, two for each of chroma.
        solid: the first of the opaque rows, up to the end, which are copied.
    """

    paint: Bytes
    weighted: Words
    rest: Words
    solid: int

    @staticmethod
    def make(paint: Bytes, alpha: Bytes) -> Blend:
        """Take a plane, (H, W) or (H, W, 2), and its alpha of 0..255 (H, W)."""
        weight = alpha.astype(np.uint16)
        weight += weight >> 7
        covered = (weight == 256).all(1)
        solid = len(covered) - int(np.argmin(covered[::-1])) if not covered.all() else 0
        paint, weight = _in_bytes(paint), np.repeat(weight, paint[0, 0].size, 1)
        return Blend(paint, paint * weight, 256 - weight, solid)

    def put(self, plane: Bytes, left: int, top: int) -> None:
        """Blend into a frame's plane at (left, top) in bytes, cut at the edges."""
        height, width = self.paint.shape
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + width, plane.shape[1]), min(top + height, plane.shape[0])
        if x0 >= x1 or y0 >= y1:
            return
        across = slice(x0 - left, x1 - left)
        middle = min(max(top + self.solid, y0), y1)
        if middle < y1:
            plane[middle:y1, x0:x1] = self.paint[middle - top : y1 - top, across]
        if middle > y0:
            inside = slice(y0 - top, middle - top)
            target = plane[y0:middle, x0:x1]
            mixed = target * self.rest[inside, across]
            mixed += self.weighted[inside, across]
            np.right_shift(mixed, 8, out=target, casting="unsafe")  # at most 255 by then

    def cut(self, start: int, columns: int) -> Blend:
        """Return some columns of it, in bytes."""
        across = slice(start, start + columns)
        return Blend(self.paint[:, across], self.weighted[:, across], self.rest[:, across], self.solid)


@dataclass(frozen=True)
class Layer:
    """Something to put on a frame: luma (H, W) and chroma (H/2, W bytes)."""

    y: Blend
    uv: Blend

    @property
    def width(self) -> int:
        """Columns of luma."""
        return int(self.y.paint.shape[1])

    def put(self, y: Bytes, uv: Bytes, left: int, top: int) -> None:
        """Blend into a frame at (left, top). A chroma sample is at most half a luma pixel off."""
        self.y.put(y, left, top)
        self.uv.put(uv, left // 2 * 2, top // 2)

    def cut(self, start: int, columns: int) -> Layer:
        """Return some columns of it, from an even one on."""
        return Layer(self.y.cut(start, columns), self.uv.cut(start, (columns + 1) // 2 * 2))


Placed = tuple[Layer, int]
"""A layer, and the column of luma that it begins at."""


def _joined(parts: Sequence[Placed]) -> list[Placed]:
    """Merge layers of one height without solid rows into an equivalent one; unchanged if they overlap."""
    lefts = [left for _, left in parts]
    y = _joined_plane([layer.y for layer, _ in parts], lefts)
    uv = _joined_plane([layer.uv for layer, _ in parts], [left // 2 * 2 for left in lefts])
    # Both begin where the first does: its chroma as far to the left of its luma as that of `Layer.put`.
    return list(parts) if y is None or uv is None else [(Layer(y, uv), lefts[0])]


def _joined_plane(blends: Sequence[Blend], lefts: Sequence[int]) -> Blend | None:
    """Merge planes, leftmost first; None if two overlap."""
    height = len(blends[0].rest)
    width = max(left - lefts[0] + blend.rest.shape[1] for blend, left in zip(blends, lefts, strict=True))
    weight, weighted = (np.zeros((height, width), np.uint16) for _ in range(2))
    for blend, left in zip(blends, lefts, strict=True):
        across = slice(left - lefts[0], left - lefts[0] + blend.rest.shape[1])
        own = 256 - blend.rest
        if (weight[:, across].astype(bool) & own.astype(bool)).any():
            return None
        weight[:, across] += own
        weighted[:, across] += blend.weighted
    return Blend(np.zeros((height, width), np.uint8), weighted, 256 - weight, height)


def _in_bytes(plane: Bytes) -> Bytes:
    """Return a plane of whole rows with a row's bytes as its columns; the same memory."""
    return plane.reshape(len(plane), -1)


def load_layer(name: str, unit: float, folder: Path | None = None) -> Layer:
    """Read a layer of assets/sample at `unit` pixels a pixel; it is cached in `folder`, if given."""
    data = resource("assets", "sample", f"{name}.webp").read_bytes()

    def make() -> Planes:
        return _decoded(data, unit, spare=2 if unit != 1 and name in _STRIPS else 0)

    if folder is None or unit > _LARGEST_CACHED:
        planes = make()
    else:
        # Decoding needs PyAV, whose import alone costs the first image more than all the rest of the sample.
        depends_on = f"{unit:.6f} {hashlib.sha256(data).hexdigest()} {SAMPLE_FORM}"
        planes = cached(folder, f"sample-{name}", depends_on, make)
    luma, chroma, alpha = (np.frombuffer(content, np.uint8).reshape(shape) for content, shape in planes)
    return Layer(Blend.make(luma, alpha), Blend.make(chroma, _halved(alpha)))


def _decoded(data: bytes, unit: float, spare: int) -> Planes:
    """Return luma (H, W), chroma (H/2, W/2, 2) and alpha (H, W) of a WebP image; `spare` rows keep it
    touching the frame's last row after rounding.
    """
    import av

    from desktop.media.containers import packet_of

    context = av.CodecContext.create("webp", "r")
    assert isinstance(context, av.VideoCodecContext)
    context.thread_count = 1
    (frame,) = (f for packet in (packet_of(data), None) for f in context.decode(packet))
    size = (_even(frame.width * unit), _even(frame.height * unit + spare))
    if size != (frame.width, frame.height):
        frame = frame.reformat(*size, interpolation="AREA" if unit < 1 else "BICUBIC")
    y, u, v = (_rows(plane) for plane in frame.planes[:3])
    chroma = np.clip(np.stack((u, v), -1), 16, 240)
    alpha = _rows(frame.planes[3]) if len(frame.planes) > 3 else np.full(y.shape, 255, np.uint8)
    return tuple((plane.tobytes(), plane.shape) for plane in (np.clip(y, 16, 235), chroma, alpha))


def _rows(plane: VideoPlane) -> Bytes:
    array: Bytes = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)[
        :, : plane.width
    ]
    return array


def _halved(alpha: Bytes) -> Bytes:
    words = alpha.astype(np.uint16)
    return ((words[::2, ::2] + words[1::2, ::2] + words[::2, 1::2] + words[1::2, 1::2] + 2) >> 2).astype(
        np.uint8
    )


def _even(value: float) -> int:
    return max(2, round(value / 2) * 2)


class Scene:
    """Data to compose frames of an even size; `folder` caches the scaled layers for the next start."""

    def __init__(self, width: int, height: int, folder: Path | None = None) -> None:
        self.width, self.height = width, height
        # A frame higher than wide has more sky.
        self._unit = min(width, height) / _HEIGHT
        self._extra = _even(height - _HEIGHT * self._unit) if height > width else 0
        self._span = width / self._unit
        self._folder = folder
        self._layers: dict[str, Layer] = {}
        # By the clock's text and its first place: at most one for each second and each hundredth of one.
        self._written: dict[tuple[str, int], list[Placed]] = {}

    def render(self, phase: float, seconds: float) -> tuple[Bytes, Bytes]:
        """Return luma (H, W) and chroma (H/2, W/2, 2) at `phase` (0..1); `seconds` is drawn as the time."""
        y = np.empty((self.height, self.width), np.uint8)
        uv = np.empty((self.height // 2, self.width // 2, 2), np.uint8)
        self._draw(y, _in_bytes(uv), phase, seconds)
        return y, uv

    def _draw(self, y: Bytes, uv: Bytes, phase: float, seconds: float) -> None:
        turn, now, middle = 2 * math.pi * phase, 30 * phase, self._span / 2
        self._backdrop(y, uv, turn)
        self._scroll(y, uv, "sea", _SEA_TOP, phase)
        self._put(
            y, uv, "balloon_far", self._span * 0.08 + 70 * math.sin(turn), 120 + 24 * math.sin(2 * turn)
        )
        # The balloon leaves upwards, boat and lighthouse with the moving coast.
        if (away := self._away("lighthouse", now)) is not None:
            self._put(y, uv, "lighthouse", middle - 380 - away * (middle + 420), 60)
        if (away := self._away("boat", now)) is not None:
            left = middle - 186 - away * (middle + 220) + 46 * math.sin(3 * turn)
            self._put(y, uv, "boat", left, 92 + 6 * math.sin(11 * turn))
        if (away := self._away("balloon", now)) is not None:
            top = 44 + 16 * math.sin(5 * turn) - abs(away) * 500
            self._put(y, uv, "balloon", middle - 147 + 60 * math.sin(2 * turn), top)
        self._inset(y, uv, turn)
        self._scroll(y, uv, "meadow", 590, 2 * phase)
        self._clock(y, uv, seconds)

    @staticmethod
    def _away(name: str, now: float) -> float | None:
        """Return an object's offset: 0 in the middle, -1 before, 1 after it; None if not visible."""
        first, last = _ACTS[name]
        for time in (now, now - 30):
            if first - _CHANGE < time < last + _CHANGE:
                before, after = max(0.0, first - time) / _CHANGE, max(0.0, time - last) / _CHANGE
                return after * after - before * before
        return None

    def _layer(self, name: str) -> Layer:
        if name not in self._layers:
            self._layers[name] = load_layer(name, self._unit, self._folder)
        return self._layers[name]

    def _backdrop(self, y: Bytes, uv: Bytes, turn: float) -> None:
        """Put the sky where the sea, which is solid, does not cover it."""
        start = round((1 + math.sin(turn)) * _SKY_SWAY / 2 * self._unit) * 2
        across = slice(start, start + self.width)
        end = self._row(_SEA_TOP)
        for plane, sky, extra, covered in (
            (y, self._sky[0], self._extra, end),
            (uv, self._sky[1], self._extra // 2, end // 2),
        ):
            if extra:
                plane[:extra] = sky[0, across]
            plane[extra:covered] = sky[: covered - extra, across]

    @cached_property
    def _sky(self) -> tuple[Bytes, Bytes]:
        """Luma and chroma of a sky that is wider than the frame, by reflection where it has to be."""
        sky = self._layer("sky")
        needed = self.width + 2 * _even(_SKY_SWAY * self._unit) + 2
        planes = []
        for paint in (sky.y.paint, sky.uv.paint.reshape(len(sky.uv.paint), -1, 2)):
            copies = -(-needed // sky.width)
            planes.append(np.concatenate([paint[:, :: 1 - 2 * (k % 2)] for k in range(copies)], 1))
        return planes[0], _in_bytes(planes[1])

    def _scroll(self, y: Bytes, uv: Bytes, name: str, top: float, phase: float) -> None:
        """Put a strip that repeats, moved to the left by `phase` of its width."""
        strip = self._layer(name)
        for left in range(-(int(phase % 1.0 * strip.width) // 2 * 2), self.width, strip.width):
            strip.put(y, uv, left, self._row(top))

    def _inset(self, y: Bytes, uv: Bytes, turn: float) -> None:
        if self._span < _WIDE:
            return  # it would stand before what is in the middle
        left = self._span - 300
        self._put(y, uv, "screen", left, 48)
        # The head is cut by the frame around the green screen.
        x0, x1, y0, y1 = (_even(v * self._unit) for v in (left + 12, left + 272, 60, 340))
        head_x, head_y = -10 + 32 * math.sin(turn), 14 + 6 * math.sin(6 * turn)
        inside = (y[y0:y1, x0:x1], uv[y0 // 2 : y1 // 2, x0:x1])
        self._layer("head").put(*inside, round(head_x * self._unit), round(head_y * self._unit))

    def _clock(self, y: Bytes, uv: Bytes, seconds: float) -> None:
        text = f"{int(seconds) // 60:02d}:{seconds % 60:05.2f}"
        # What stands for a second, and what is another with each frame and comes again a second later.
        for place, part in ((0, text[:-2]), (len(text) - 2, text[-2:])):
            for layer, left in self._signs(part, place):
                layer.put(y, uv, left, self._row(668))

    def _signs(self, text: str, first: int) -> list[Placed]:
        """Return signs of the clock, the first at a place, as what is put on a frame; joined once."""
        key = (text, first)
        if key not in self._written:
            digits = self._layer("digits")
            step = digits.width / len(_SIGNS)
            starts = [round(_SIGNS.index(sign) * step / 2) * 2 for sign in text]
            lefts = [
                math.floor((self._span - 168 + 19 * place) * self._unit)
                for place in range(first, first + len(text))
            ]
            signs = [digits.cut(start, _even(step)) for start in starts]
            self._written[key] = _joined(list(zip(signs, lefts, strict=True)))
        return self._written[key]

    def _put(self, y: Bytes, uv: Bytes, name: str, left: float, top: float) -> None:
        self._layer(name).put(y, uv, math.floor(left * self._unit), self._row(top))

    def _row(self, top: float) -> int:
        return self._extra + math.floor(top * self._unit)
