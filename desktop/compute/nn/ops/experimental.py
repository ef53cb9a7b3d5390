"""Experimental operators of early ONNX: https://github.com/onnx/onnx/blob/rel-1.4/docs/Operators.md"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.kernels.indexing import coordinates, emit
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, require
from desktop.compute.nn.lowering.plan import NCHW


# Crop: an image without its border.
def _box(node: Node, shape: Sequence[int]) -> tuple[int, int, int, int]:
    """(first row, first column, rows, columns) from `border` (left, top, right, bottom) and `scale`."""
    border = [int(n) for n in node.attributes.get("border", ())]
    require(
        len(shape) == 4 and len(border) == 4 and min(border) >= 0,
        node,
        "a border that does not fit its input",
    )
    left, top, right, bottom = border
    scale = [int(n) for n in node.attributes.get("scale", ())]
    require(len(scale) in (0, 2), node, "a scale that is not a height and a width")
    rows, columns = scale or (shape[2] - top - bottom, shape[3] - left - right)
    fits = 0 < rows <= shape[2] - top and 0 < columns <= shape[3] - left
    require(fits, node, "a border that does not fit its input")
    return top, left, rows, columns


def _infer_crop(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Height and width without the border."""
    shape = inputs[0].shape
    return [Value(node.outputs[0], (*shape[:2], *_box(node, shape)[2:]), inputs[0].dtype)]


def _lower_crop(lowering: Lowering, node: Node) -> None:
    """A strided copy."""
    x, y = source(lowering, node.inputs[0]), lowering.values.movable(node.outputs[0])
    top, left, _, _ = _box(node, x.shape)
    first = top * x.strides[2] + left * x.strides[3]
    copy_box(lowering, node, x, y, y.shape, x.strides, y.strides, x_first=first)


# ImageScaler: an image times a number, plus one a channel.
def _infer_image_scaler(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape."""
    shape, bias = inputs[0].shape, node.attributes.get("bias", ())
    fits = len(shape) == 4 and len(bias) == shape[1] and is_float(inputs[0].dtype)
    require(fits, node, "a bias that does not fit its input")
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def _lower_image_scaler(lowering: Lowering, node: Node) -> None:
    """A number a thread: it stands at a network's input, which lies row-major."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    scale = literal(float(node.attributes.get("scale", 1.0)))
    body = [*coordinates(y.shape), f"return Element(f32(x[at]) * {scale} + bias[c1]);"]
    bias = lowering.memory.constant(np.array(node.attributes["bias"]), dtype="float32")
    emit(lowering, node, {"x": x}, y, body, constants={"bias": (bias, "f32")})


OPERATORS: Final = (
    Operator("Crop", _infer_crop, _lower_crop),
    Operator("ImageScaler", _infer_image_scaler, _lower_image_scaler),
)
