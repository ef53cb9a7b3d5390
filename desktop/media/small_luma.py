"""Luma of frames at a small size, for what reads motion and scene cuts on the CPU."""

from __future__ import annotations

from typing import Final

import av
import numpy as np
from av.video.reformatter import Interpolation
from numpy.typing import NDArray

from desktop.base.errors import SourceUnsupportedError
from desktop.base.wording import sentence
from desktop.media.coded import as_av, plane_rows
from desktop.media.frame import Frame, PixelFormat

_GRAYS: Final = {(1, 8): "gray", (2, 9): "gray9le", (2, 10): "gray10le", (2, 12): "gray12le"}


def small_size(frame: Frame, longest: int) -> tuple[int, int]:
    """Return the display size (width, height) of a frame scaled down to a longest side, at least 1 x 1."""
    width, height = frame.display_size
    scale = min(1.0, longest / max(width, height, 1))
    return max(1, round(width * scale)), max(1, round(height * scale))


def small_luma(frame: Frame, longest: int) -> NDArray[np.float32]:
    """Return the luma of a frame as displayed, float32 [height, width] in 0..255, averaged down to `longest`.

    Raise SourceUnsupportedError if the format cannot be converted.
    """
    width, height = small_size(frame, longest)
    if frame.rotation in (90, 270):
        width, height = height, width
    try:
        picture = _luma(frame).reformat(width, height, "gray", interpolation=Interpolation.AREA)
    except (av.FFmpegError, ValueError, MemoryError) as error:
        raise SourceUnsupportedError(
            sentence("The image cannot be converted ({reason}); convert it to yuv420p.", reason=error)
        ) from error
    values = plane_rows(picture.planes[0], np.uint8)[:height, :width].astype(np.float32)
    if frame.mirrored:
        values = values[:, ::-1]
    return np.ascontiguousarray(np.rot90(values, -frame.rotation // 90))


def _luma(frame: Frame) -> av.VideoFrame:
    """Return the luma alone where a plane of its own has it; copying chroma would double the time."""
    first = frame.format.planes[0]
    bits = 16 if frame.format.msb_aligned else frame.format.bits
    name = _GRAYS.get((first.bytes_per_component, bits)) or ("gray16le" if bits == 16 else "")
    if first.components != "Y" or not name:
        return as_av(frame)
    form = PixelFormat(name, (first,), bits)
    return as_av(Frame((frame.planes[0],), form, frame.width, frame.height))
