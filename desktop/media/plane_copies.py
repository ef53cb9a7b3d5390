"""Copy the planes of a frame in one native call, by FFmpeg.

NumPy releases the interpreter's lock for each array that it copies, and takes it again afterwards, which beside
a thread that renders takes longer than the copy itself. `av_image_copy` copies all planes between one release
and the next. It is in the libavutil that PyAV brings; where that is not found, NumPy copies.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

import numpy as np

_PLANES: Final = 4
"""Length of FFmpeg's arrays of planes."""
_MOST_STRIDE: Final = (1 << 31) - 1
"""Largest distance of rows that FFmpeg's functions take."""

_Shapes: TypeAlias = tuple[tuple[int, int], ...]

_Pointers = ctypes.c_void_p * _PLANES
_Ints = ctypes.c_int * _PLANES
_Sizes = ctypes.c_size_t * _PLANES
_Offsets = ctypes.c_ssize_t * _PLANES


def copy_planes(
    targets: Sequence[np.ndarray], sources: Sequence[np.ndarray], pix_fmt: str, width: int, height: int
) -> None:
    """Copy arrays of bytes, [rows, bytes of a row], into others of the same shapes: the planes of a frame.

    `pix_fmt`, `width` and `height` are FFmpeg's for all planes together. Where they do not give the arrays'
    shapes, the arrays are copied one by one.
    """
    # Without PyAV in use no frame is decoded, and nothing is to be copied beside a busy thread.
    loaded = sys.modules.get("av.video.frame")
    images = _images(str(loaded.__file__)) if loaded is not None else None
    shapes = tuple(target.shape for target in targets)
    fits = shapes == tuple(source.shape for source in sources) and all(
        array.strides[1] == 1 and array.strides[0] <= _MOST_STRIDE for array in (*targets, *sources)
    )
    if images is not None and fits and images.shapes(pix_fmt, width, height) == shapes:
        images.copy(targets, sources, pix_fmt, width, height)
        return
    for target, source in zip(targets, sources, strict=True):
        target[...] = source


class _Images:
    """Functions on images of a libavutil."""

    def __init__(self, library: ctypes.CDLL) -> None:
        """Look the functions up; AttributeError if the library lacks one."""
        integer, pointer = ctypes.c_int, ctypes.c_void_p
        self._format = library.av_get_pix_fmt
        self._format.argtypes, self._format.restype = [ctypes.c_char_p], integer
        self._fill_lines = library.av_image_fill_linesizes
        self._fill_lines.argtypes, self._fill_lines.restype = [pointer, integer, integer], integer
        self._fill_sizes = library.av_image_fill_plane_sizes
        self._fill_sizes.argtypes, self._fill_sizes.restype = [pointer, integer, integer, pointer], integer
        self._copy = library.av_image_copy
        self._copy.argtypes = [pointer, pointer, pointer, pointer, integer, integer, integer]
        self._copy.restype = None
        self.shapes = lru_cache(16)(self._shapes)

    def _shapes(self, pix_fmt: str, width: int, height: int) -> _Shapes | None:
        """Return (rows, bytes of a row) of each plane that `copy` writes, None if it knows no such image."""
        number = self._format(pix_fmt.encode())
        lines, sizes = _Ints(), _Sizes()
        if number < 0 or self._fill_lines(lines, number, width) < 0:
            return None
        if self._fill_sizes(sizes, number, height, _Offsets(*lines)) < 0:
            return None
        # A palette has a size but no rows.
        if any(bool(size) != bool(line) for size, line in zip(sizes, lines, strict=True)):
            return None
        return tuple((size // line, line) for size, line in zip(sizes, lines, strict=True) if line)

    def copy(
        self,
        targets: Sequence[np.ndarray],
        sources: Sequence[np.ndarray],
        pix_fmt: str,
        width: int,
        height: int,
    ) -> None:
        """Copy planes, whose shapes must be those of `shapes`."""
        (to, to_lines), (of, of_lines) = (
            (
                _Pointers(*(array.__array_interface__["data"][0] for array in arrays)),
                _Ints(*(array.strides[0] for array in arrays)),
            )
            for arrays in (targets, sources)
        )
        self._copy(to, to_lines, of, of_lines, self._format(pix_fmt.encode()), width, height)


@cache
def _images(module: str) -> _Images | None:
    """Return the functions of the libavutil that an extension module of PyAV is linked with.

    A symbol of a library is looked up in those that it needs, too, except on Windows.
    """
    try:
        return _Images(ctypes.CDLL(module))
    except (OSError, AttributeError):
        return None
