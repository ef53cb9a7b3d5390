"""Convert frames for an encoder: its size and pixel format, and a constant frame rate on request."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Protocol

import av
import numpy as np

from desktop.outputs.deep_frames import DEEP_ACROSS, DEEP_HALVED, DeepConverter, is_deep, scaled_deep
from desktop.outputs.encoders import Choice, Encoder
from desktop.outputs.encoding import Encoding
from desktop.outputs.transparency import has_half_transparent, over_black
from desktop.outputs.video_color import VideoColor

_HALVED: Final = ("yuv420p", "yuva420p", "nv12", *DEEP_HALVED)
# Times are sums of floats: a middle that falls on a tick must not miss it.
_EPSILON: Final = 1e-6


@dataclass(frozen=True)
class Picture:
    """A frame to be written to a file: uint8 or float16 [height, width, 4] R'G'B'A, straight alpha; seconds after
    the first one; seconds it is shown, 0.0 if unknown.
    """

    pixels: np.ndarray
    pts: float
    duration: float = 0.0


def coded_size(encoder: Encoder, encoding: Encoding, size: tuple[int, int]) -> tuple[int, int]:
    """Return the (width, height) of a video for a frame size: even if the chroma is halved (4:2:0)."""
    width, height = encoding.size_of(size)
    if encoder.pixels in _HALVED:
        return width + width % 2, height + height % 2
    if encoder.pixels in DEEP_ACROSS:
        return width + width % 2, height
    return width, height


def fitted(pixels: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Letterbox a frame into (width, height) over black; both are uint8 or float16 [height, width, 4], R'G'B'A."""
    height, width = pixels.shape[:2]
    if (width, height) == size:
        return pixels
    scale = min(size[0] / width, size[1] / height)
    inner = (max(1, min(size[0], round(width * scale))), max(1, min(size[1], round(height * scale))))
    if is_deep(pixels):
        scaled: np.ndarray = scaled_deep(pixels, inner)
    else:
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgba")
        scaled = frame.reformat(*inner, format="rgba").to_ndarray()
    # An odd row or column is no border.
    if size[0] - inner[0] <= 1 and size[1] - inner[1] <= 1:
        more = ((0, size[1] - inner[1]), (0, size[0] - inner[0]), (0, 0))
        return np.pad(scaled, more, mode="edge")
    out = np.zeros((size[1], size[0], 4), pixels.dtype)
    out[..., 3] = 1.0 if is_deep(pixels) else 255
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    out[top : top + inner[1], left : left + inner[0]] = scaled
    return out


def is_ycbcr(pixels: str) -> bool:
    """Return whether a pixel format of FFmpeg's, of those that encoders are given, is Y'CbCr."""
    return pixels.startswith("yuv") or pixels == "nv12"


def converter_of(
    choice: Choice, encoding: Encoding, size: tuple[int, int], color: VideoColor
) -> FrameConverter:
    """Return what converts frames of a size for an encoder."""
    if choice.bits == 8:
        return Converter(choice.encoder, encoding, size)
    return TenBitConverter(choice.encoder, encoding, size, color)


class FrameConverter(Protocol):
    """Makes FFmpeg frames of arrays of one size."""

    @property
    def flattened(self) -> bool:
        """True if transparency was composited over black."""

    @property
    def hardened(self) -> bool:
        """True if transparency became all or nothing."""

    def frame(self, pixels: np.ndarray) -> Any:
        """Return an `av.VideoFrame` of a frame, [height, width, 4] R'G'B'A."""


class Converter:
    """A `FrameConverter` of uint8 arrays; BT.709 by default, limited range for Y'CbCr."""

    def __init__(
        self, encoder: Encoder, encoding: Encoding, size: tuple[int, int], matrix: str = "ITU709"
    ) -> None:
        self._format, self._matrix = encoder.pixels, matrix
        self._target = coded_size(encoder, encoding, size)
        self._scaled = encoding.size_of(size) != size
        self._count = 0
        self._writes_alpha = encoder.writes_alpha
        self.flattened = self.hardened = False
        self._palette: Any = None
        if encoder.pixels == "pal8":
            self._palette = _palette_graph(self._target)

    def frame(self, pixels: np.ndarray) -> Any:
        """Return an `av.VideoFrame` of a frame, uint8 [height, width, 4] R'G'B'A."""
        if not self._writes_alpha:
            opaque = over_black(pixels)
            self.flattened = self.flattened or opaque is not pixels
            pixels = opaque
        height, width = pixels.shape[:2]
        if not self._scaled and (width, height) != self._target:
            # 4:2:0 has no odd sizes: the edge is repeated.
            more = (self._target[1] - height, self._target[0] - width)
            pixels = np.pad(pixels, ((0, more[0]), (0, more[1]), (0, 0)), mode="edge")
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgba")
        if self._palette is not None:
            self.hardened = self.hardened or has_half_transparent(pixels)
            if self._scaled:
                frame = frame.reformat(*self._target, format="rgba")
            return self._with_palette(frame)
        if is_ycbcr(self._format):
            return frame.reformat(
                *self._target, format=self._format, dst_colorspace=self._matrix, dst_color_range="MPEG"
            )
        return frame.reformat(*self._target, format=self._format)

    def _with_palette(self, frame: Any) -> Any:
        frame.pts, frame.time_base = self._count, Fraction(1, 1000)
        self._count += 1
        self._palette.push(frame)
        return self._palette.pull()


def _palette_graph(size: tuple[int, int]) -> Any:
    """A palette of 256 colors for each frame, in constant memory, unlike one for the whole video. Ordered
    dither does not flicker, unlike error diffusion.
    """
    graph = av.filter.Graph()
    # Neither filter has work for more, and theirs stay until cycles are collected (PyAV 19).
    graph.threads = 1
    rgba = av.VideoFormat("rgba", *size)
    source = graph.add_buffer(width=size[0], height=size[1], format=rgba, time_base=Fraction(1, 1000))
    split = graph.add("split")
    palette = graph.add("palettegen", "stats_mode=single")
    use = graph.add("paletteuse", "new=1:dither=bayer:bayer_scale=4")
    sink = graph.add("buffersink")
    source.link_to(split)
    split.link_to(use, 0, 0)
    split.link_to(palette, 1, 0)
    palette.link_to(use, 0, 1)
    use.link_to(sink)
    graph.configure()
    # Whole, and not its ends: they do not keep it alive.
    return graph


class TenBitConverter:
    """A `FrameConverter` of uint8 and float16 arrays to 10 bits; scaled frames are clipped to 0..1."""

    hardened = False

    def __init__(
        self, encoder: Encoder, encoding: Encoding, size: tuple[int, int], color: VideoColor
    ) -> None:
        self._size = encoding.size_of(size)
        self._is_scaled = self._size != size
        self._converter = DeepConverter(
            encoder.pixels,
            coded_size(encoder, encoding, size),
            color,
            writes_alpha=encoder.writes_alpha,
        )

    @property
    def flattened(self) -> bool:
        """True if transparency was composited over black."""
        return self._converter.flattened

    def frame(self, pixels: np.ndarray) -> Any:
        """Return an `av.VideoFrame` of a frame, uint8 or float16 [height, width, 4] R'G'B'A."""
        return self._converter.frame(scaled_deep(pixels, self._size) if self._is_scaled else pixels)


class Pacer:
    """Frames at equal distances of those at any: each tick shows the frame that is nearest in time."""

    def __init__(self, fps: float) -> None:
        """`fps`: ticks a second, 0.0 to leave the frames as they are."""
        self._fps = fps
        self._held: Picture | None = None
        self._first = self._next = 0

    def add(self, picture: Picture) -> Iterator[Picture]:
        """Yield what is to be written now."""
        if not self._fps:
            yield picture
            return
        if self._held is None:
            self._first = self._next = round(picture.pts * self._fps)
        else:
            # Up to the middle between the two the one before is nearer.
            middle = (self._held.pts + picture.pts) / 2 * self._fps
            yield from self._until(math.floor(middle + _EPSILON) + 1)
        self._held = picture

    def end(self) -> Iterator[Picture]:
        """Yield what is left."""
        if self._held is not None:
            shown = self._held.pts + (self._held.duration or 1 / self._fps)
            yield from self._until(max(round(shown * self._fps), self._first + 1))

    def _until(self, tick: int) -> Iterator[Picture]:
        while self._held is not None and self._next < tick:
            yield replace(self._held, pts=self._next / self._fps, duration=1 / self._fps)
            self._next += 1
