"""Convert frames, float16 or uint8, for encoders with more than 8 bits a color: without libswscale, which clips codes
beyond 0..1.
"""

from __future__ import annotations

from typing import Any, Final

import av
import numpy as np
from numpy.typing import NDArray

from desktop.media.coded import plane_rows
from desktop.media.conversion import matrix_to_rgb
from desktop.outputs.transparency import over_black
from desktop.outputs.video_color import VideoColor

_MATRICES: Final = {1: "bt709", 9: "bt2020"}
# BT.2100, table 9: 10 bits, narrow range.
_BLACK, _LUMA, _CENTER, _CHROMA, _TOP = 64.0, 876.0, 512.0, 896.0, 1023
# log2 of the subsampling, across and down.
_SUBSAMPLED: Final = {
    "yuv420p10le": (1, 1),
    "p010le": (1, 1),
    "yuv422p10le": (1, 0),
    "yuv444p10le": (0, 0),
    "yuva444p10le": (0, 0),
}
_OPAQUE: Final = 65535.0
_EIGHT_BITS: Final = 255.0

DEEP_HALVED: Final = tuple(name for name, (across, down) in _SUBSAMPLED.items() if across and down)
"""Pixel formats of 10 bits with 4:2:0."""

DEEP_ACROSS: Final = tuple(name for name, (across, _) in _SUBSAMPLED.items() if across)
"""Pixel formats of 10 bits with chroma halved across."""


def is_deep(picture: NDArray[Any]) -> bool:
    """Return whether a frame is float16, and not uint8."""
    return picture.dtype == np.float16


def unit_values(picture: NDArray[Any]) -> NDArray[np.float32]:
    """Return a frame, uint8 or float16, as float32 with 1.0 for white and full opacity."""
    values = picture.astype(np.float32)
    return values if is_deep(picture) else values / _EIGHT_BITS


def sixteen_bit(picture: NDArray[Any]) -> NDArray[np.uint16]:
    """Return a frame, uint8 or float16, as uint16 of the same shape, clipped and rounded."""
    return np.rint(np.clip(unit_values(picture), 0.0, 1.0) * _OPAQUE).astype(np.uint16)


def eight_bit(picture: NDArray[Any]) -> NDArray[np.uint8]:
    """Return a frame as uint8, [height, width, 4] R'G'B'A, clipped and rounded; one of uint8 itself."""
    if not is_deep(picture):
        return picture
    return np.rint(np.clip(unit_values(picture), 0.0, 1.0) * _EIGHT_BITS).astype(np.uint8)


def scaled_deep(picture: NDArray[Any], size: tuple[int, int]) -> NDArray[np.float16]:
    """Return a frame, uint8 or float16, scaled to (width, height) as float16, clipped to 0..1."""
    frame = av.VideoFrame.from_ndarray(sixteen_bit(picture), format="rgba64le")
    scaled = frame.reformat(*size, format="rgba64le", interpolation="BICUBIC").to_ndarray()
    return (scaled.astype(np.float32) / _OPAQUE).astype(np.float16)


class DeepConverter:
    """Makes FFmpeg frames of arrays of one size, with 10 bits and limited range.

    Chroma is cosited to the left (4:2:2 and 4:2:0: weights 1, 2, 1 across) and centered down. `flattened`:
    transparency was composited over black.
    """

    def __init__(self, pixels: str, size: tuple[int, int], color: VideoColor, *, writes_alpha: bool) -> None:
        """Make a converter to FFmpeg's format `pixels` and a (width, height)."""
        self._pixels, self._size = pixels, size
        self._color = color
        self._writes_alpha = writes_alpha
        self.flattened = False
        to_ycbcr = np.linalg.inv(matrix_to_rgb(_MATRICES[color.matrix]))
        scale = np.array([[_LUMA], [_CHROMA], [_CHROMA]])
        self._to_codes = (to_ycbcr * scale).astype(np.float32)

    def frame(self, picture: NDArray[Any]) -> Any:
        """Return an `av.VideoFrame` of a frame, uint8 or float16 [height, width, 4] R'G'B'A, of this size or up to a
        pixel smaller, whose edge is then repeated.
        """
        if not self._writes_alpha:
            opaque = over_black(picture)
            self.flattened = self.flattened or opaque is not picture
            picture = opaque
        width, height = self._size
        more = (height - picture.shape[0], width - picture.shape[1])
        if any(more):
            picture = np.pad(picture, ((0, more[0]), (0, more[1]), (0, 0)), mode="edge")
        values = unit_values(picture)
        luma, *chroma = np.moveaxis(values[..., :3] @ self._to_codes.T, -1, 0)
        across, down = _SUBSAMPLED[self._pixels]
        planes = [_rounded(luma + _BLACK)]
        planes += [_rounded(_subsampled(each, across, down) + _CENTER) for each in chroma]
        if self._pixels.startswith("yuva"):
            planes.append(_rounded(values[..., 3] * _TOP))
        if self._pixels == "p010le":
            # The upper bits count.
            pairs = np.stack(planes[1:], axis=-1).reshape(height // 2, width)
            planes = [np.left_shift(codes, np.uint16(6)) for codes in (planes[0], pairs)]
        made = av.VideoFrame(width, height, self._pixels)
        for plane, codes in zip(made.planes, planes, strict=True):
            plane_rows(plane, np.uint16)[: codes.shape[0], : codes.shape[1]] = codes
        made.colorspace, made.color_range = self._color.matrix, 1
        made.color_primaries, made.color_trc = self._color.primaries, self._color.transfer
        return made


def _rounded(codes: NDArray[np.float32]) -> NDArray[np.uint16]:
    return np.clip(np.rint(codes), 0, _TOP).astype(np.uint16)


def _subsampled(plane: NDArray[np.float32], across: int, down: int) -> NDArray[np.float32]:
    """Return chroma at half the samples; edges are repeated."""
    if across:
        left = np.concatenate([plane[:, :1], plane[:, 1:-1:2]], axis=1)[:, : plane.shape[1] // 2]
        plane = 0.25 * left + 0.5 * plane[:, ::2] + 0.25 * plane[:, 1::2]
    if down:
        plane = 0.5 * (plane[::2] + plane[1::2])
    return plane
