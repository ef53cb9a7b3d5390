"""ImageScaler: an image times a number, plus one a channel. An operator of ONNX's first releases that runtimes still take.

https://github.com/onnx/onnx/blob/rel-1.4/docs/Operators.md#experimental-imagescaler
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.kernels.indexing import coordinates, emit
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, require
from desktop.compute.nn.lowering.plan import NCHW


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape."""
    shape, bias = inputs[0].shape, node.attributes.get("bias", ())
    fits = len(shape) == 4 and len(bias) == shape[1] and is_float(inputs[0].dtype)
    require(fits, node, "a bias that does not fit its input")
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A number a thread: it stands at a network's input, which lies row-major."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    scale = literal(float(node.attributes.get("scale", 1.0)))
    body = [*coordinates(y.shape), f"return Element(f32(x[at]) * {scale} + bias[c1]);"]
    bias = lowering.memory.constant(np.array(node.attributes["bias"]), dtype="float32")
    emit(lowering, node, {"x": x}, y, body, constants={"bias": (bias, "f32")})


OPERATOR = Operator("ImageScaler", infer, lower)
