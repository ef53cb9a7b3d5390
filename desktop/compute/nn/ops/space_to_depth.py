"""SpaceToDepth: blocks of pixels laid out as channels.

https://onnx.ai/onnx/operators/onnx__SpaceToDepth.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.strided import copy_box
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, require
from desktop.compute.nn.lowering.plan import NCHW


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels * size^2, height / size, width / size)."""
    shape, size = inputs[0].shape, int(node.attributes.get("blocksize", 0))
    require(len(shape) == 4 and size > 0, node, f"blocks of {size} in {len(shape)} dimensions")
    n, c, h, w = shape
    require(h % size == w % size == 0, node, "a size that blocks do not divide")
    return [Value(node.outputs[0], (n, c * size**2, h // size, w // size), inputs[0].dtype)]


def _steps(shape: Sequence[int]) -> list[int]:
    return [math.prod(shape[i + 1 :]) for i in range(len(shape))]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy over batch, channels, rows and columns of blocks, rows and columns in a block."""
    size = int(node.attributes["blocksize"])
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    small = y
    n, c, h, w = small.shape
    channels = c // size**2
    box = (n, channels, h, size, w, size)
    # Where the place in a block comes among the channels: before them, or (mode CRD) after.
    inner = node.attributes.get("mode", "DCR") == "CRD"
    order = (n, channels, size, size, h, w) if inner else (n, size, size, channels, h, w)
    s = _steps(order)
    deep = (s[0], s[1], s[4], s[2], s[5], s[3]) if inner else (s[0], s[3], s[4], s[1], s[5], s[2])
    wide = _steps(box)
    copy_box(lowering, node, x, y, box, wide, deep)


OPERATOR = Operator("SpaceToDepth", infer, lower)
