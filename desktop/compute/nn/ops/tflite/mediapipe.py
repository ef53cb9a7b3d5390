"""Operators of MediaPipe's own. Options are C structs: TfLitePoolParams, TfLiteTransposeConvParams.

https://github.com/google-ai-edge/mediapipe/tree/master/mediapipe/util/tflite/operations
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.lowering.operator import refuse_unless, require
from desktop.compute.nn.ops.tflite.spelling import Spelling
from desktop.compute.nn.ops.tflite.windows import transposed_with_bias

_PADDINGS: Final = {1: 0, 2: 1}
"""Of the C enumeration, as the schema's: SAME, VALID."""


def _read(s: Spelling, *names: str) -> Mapping[str, int]:
    data = s.option("custom", b"")
    require(len(data) >= 4 * (1 + len(names)), s.node, "options that cannot be read")
    padding, *numbers = struct.unpack_from(f"<{1 + len(names)}i", data)
    require(
        padding in _PADDINGS and all(0 < n < 1 << 12 for n in numbers), s.node, "options that cannot be read"
    )
    return {"Padding": _PADDINGS[padding], **dict(zip(names, numbers, strict=True))}


def _transposed(s: Spelling) -> None:
    options = _read(s, "StrideW", "StrideH")
    s.node = replace(s.node, attributes={**s.node.attributes, **options})
    transposed_with_bias(s)


def _blocks(s: Spelling) -> tuple[int, int, int, int]:
    """Height and width of windows that lie side by side, and of the smaller image."""
    options = _read(s, "StrideW", "StrideH", "FilterWidth", "FilterHeight")
    height, width = options["FilterHeight"], options["FilterWidth"]
    side_by_side = (options["StrideH"], options["StrideW"]) == (height, width)
    refuse_unless(side_by_side and len(s.shape(0)) == 4, s.node, "windows that do not lie side by side")
    return height, width, s.shape(0)[1], s.shape(0)[2]


def _pool_with_places(s: Spelling) -> None:
    """The largest of each window, and its place in it (0.1 more, so that what cuts it off finds the number)."""
    height, width, rows, columns = _blocks(s)
    batch, _, _, channels = s.shape(0)
    refuse_unless(rows % height == 0 and columns % width == 0, s.node, "windows that reach beyond the image")
    cut = s.add(
        "Reshape", s.real(0), s.int64(batch, rows // height, height, columns // width, width, channels)
    )
    turned = s.add("Transpose", cut, perm=[0, 1, 3, 5, 2, 4])
    flat = s.add(
        "Reshape", turned, s.int64(batch, rows // height, columns // width, channels, height * width)
    )
    s.give(s.add("ReduceMax", flat, s.int64(4), keepdims=0), 0)
    place = s.add("Cast", s.add("ArgMax", flat, axis=4, keepdims=0), to=code_of("float32"))
    s.give(s.add("Add", place, s.constant(0.1, "float32")), 1)


def _unpool(s: Spelling) -> None:
    """Each number at its place in the window, zeros around it."""
    height, width, rows, columns = _blocks(s)
    batch, _, _, channels = s.shape(0)
    shape = s.int64(batch, rows, columns, channels, 1)
    value = s.add("Reshape", s.real(0), shape)
    place = s.add("Reshape", s.add("Floor", s.real(1)), shape)
    taps = s.constant(np.arange(height * width, dtype=np.float32))
    wide = s.int64(batch, rows, columns, channels, height * width)
    there = s.add("Equal", s.add("Expand", place, wide), taps)
    placed = s.add("Where", there, s.add("Expand", value, wide), s.constant(0.0, "float32"))
    cut = s.add("Reshape", placed, s.int64(batch, rows, columns, channels, height, width))
    turned = s.add("Transpose", cut, perm=[0, 1, 4, 2, 5, 3])
    s.give(s.add("Reshape", turned, s.int64(batch, rows * height, columns * width, channels)))


def _transform_landmarks(s: Spelling) -> None:
    """Transform points (batch, n, 2 or 3) in the plane by (batch, 4, 4); a third coordinate stays."""
    points, matrix = s.shape(0), s.shape(1)
    fits = len(points) == len(matrix) == 3 and points[2] in (2, 3) and matrix[1:] == (4, 4)
    require(fits and points[0] == matrix[0], s.node, "points and a matrix that do not fit")

    def part(name: str, starts: tuple[int, ...], ends: tuple[int, ...], axes: tuple[int, ...]) -> str:
        return s.add("Slice", name, s.int64(*starts), s.int64(*ends), s.int64(*axes))

    plane = part(s.real(0), (0,), (2,), (2,)) if points[2] == 3 else s.real(0)
    turn = s.add("Transpose", part(s.real(1), (0, 0), (2, 2), (1, 2)), perm=[0, 2, 1])
    shift = s.add("Transpose", part(s.real(1), (0, 3), (2, 4), (1, 2)), perm=[0, 2, 1])
    moved = s.add("Add", s.add("MatMul", plane, turn), shift)
    s.give(moved if points[2] == 2 else s.add("Concat", moved, part(s.real(0), (2,), (3,), (2,)), axis=2))


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "CUSTOM Convolution2DTransposeBias": _transposed,
    "CUSTOM MaxPoolingWithArgmax2D": _pool_with_places,
    "CUSTOM MaxUnpooling2D": _unpool,
    "CUSTOM TransformLandmarks": _transform_landmarks,
}
