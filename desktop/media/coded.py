"""Conversion between frames in their own pixel format and coded R'G'B' as float32 arrays, by libswscale.
Chroma is repeated, then averaged back: a round trip is exact, so interpolated frames do not flicker.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import av
import numpy as np
from av.video.reformatter import Interpolation
from numpy.typing import NDArray

from desktop.base.errors import SourceUnsupportedError
from desktop.base.wording import sentence
from desktop.media.frame import ColorInfo, Frame
from desktop.media.sources._av_frames import FORMATS, planes_of

MATRICES: Final = {"bt709": 1, "bt2020": 9, "smpte240m": 7, "fcc": 4}
"""AVCOL_SPC_* of a matrix; `BT601` for all others."""

BT601: Final = 5
FULL, LIMITED = 2, 1

_EXACT: Final = Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INP | Interpolation.FULL_CHR_H_INT
_ORDER: Final = (2, 0, 1, 3)
"""Plane indices of R, G, B and A in gbrapf32le, which stores G, B, R, A."""


def as_av(frame: Frame) -> av.VideoFrame:
    """Return a copy of a frame's planes as FFmpeg has them."""
    picture = av.VideoFrame(frame.width, frame.height, frame.format.name)
    for plane, source, form in zip(picture.planes, frame.planes, frame.format.planes, strict=True):
        row = source.width * len(form.components) * form.bytes_per_component
        given = np.frombuffer(source.data, np.uint8)
        rows = plane_rows(plane, np.uint8)
        height = min(source.height, len(rows))
        # The last row may end with its last sample.
        whole = given[: source.stride * (height - 1)].reshape(-1, source.stride)
        rows[: height - 1, :row] = whole[:, :row]
        rows[height - 1, :row] = given[source.stride * (height - 1) :][:row]
    return picture


def plane_rows(plane: Any, dtype: Any) -> NDArray[Any]:
    """Return a writable view of a plane: [height, samples per row including padding]."""
    numbers = np.asarray(memoryview(plane)).view(dtype)
    width = plane.line_size // np.dtype(dtype).itemsize
    return numbers[: len(numbers) // width * width].reshape(-1, width)


def colors_of(frame: Frame) -> NDArray[np.float32]:
    """Return a frame as float32 [3 or 4, height, width]: coded R'G'B' in 0..1, alpha if present; not rotated
    or scaled. Raises SourceUnsupportedError if its format is unsupported or memory is insufficient.
    """
    matrix = MATRICES.get(frame.color.matrix, BT601)
    value_range = FULL if frame.color.range == "full" else LIMITED
    name = "gbrapf32le" if frame.format.has_alpha else "gbrpf32le"
    return _numbers(_reformatted(as_av(frame), name, matrix, (value_range, FULL), Interpolation.POINT))


def frame_of(colors: NDArray[np.float32], like: Frame) -> Frame:
    """Return colors of `colors_of` as a frame with the coding, time and position of another of that size.

    Full range becomes limited range with more bits, in which libswscale is exact. Raises as `colors_of`.
    """
    matrix = MATRICES.get(like.color.matrix, BT601)
    name, color = _coding(like)
    value_range = FULL if color.range == "full" else LIMITED
    made = _reformatted(_picture(colors), name, matrix, (FULL, value_range), Interpolation.AREA)
    form = FORMATS[name]
    return replace(like, planes=planes_of(made, form), format=form, color=color)


def _coding(like: Frame) -> tuple[str, ColorInfo]:
    if like.color.range != "full" or not like.format.is_yuv:
        return like.format.name, like.color
    tag = {(1, 1): "420", (1, 0): "422"}.get(like.format.chroma_shift, "444")
    name = f"yuva{tag}p10le" if like.format.has_alpha else f"yuv{tag}p12le"
    return name, replace(like.color, range="limited")


def scaled_colors(colors: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """Return colors in another size, (width, height)."""
    if colors.shape[:0:-1] == size:
        return colors
    picture = _picture(colors)
    return _numbers(picture.reformat(*size, picture.format.name, interpolation=Interpolation.BICUBIC))


def _picture(colors: NDArray[np.float32]) -> av.VideoFrame:
    count, height, width = colors.shape
    picture = av.VideoFrame(width, height, "gbrapf32le" if count == 4 else "gbrpf32le")
    for values, place in zip(colors, _ORDER, strict=False):
        plane_rows(picture.planes[place], np.float32)[:height, :width] = values
    return picture


def _numbers(picture: av.VideoFrame) -> NDArray[np.float32]:
    planes = [plane_rows(plane, np.float32)[: picture.height, : picture.width] for plane in picture.planes]
    return np.stack([planes[place] for place in _ORDER[: len(planes)]])


def _reformatted(
    picture: av.VideoFrame, name: str, matrix: int, ranges: tuple[int, int], scaling: Interpolation
) -> av.VideoFrame:
    try:
        return picture.reformat(
            format=name,
            src_colorspace=matrix,
            dst_colorspace=matrix,
            src_color_range=ranges[0],
            dst_color_range=ranges[1],
            interpolation=scaling | _EXACT,
        )
    except (av.FFmpegError, ValueError, MemoryError) as error:
        raise SourceUnsupportedError(
            sentence("The image cannot be converted ({reason}); convert it to yuv420p.", reason=error)
        ) from error
