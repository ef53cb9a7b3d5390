"""DepthToSpace: channels laid out as blocks of pixels.

https://onnx.ai/onnx/operators/onnx__DepthToSpace.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.blocks import blocks
from desktop.compute.nn.kernels.strided import copy_box
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, require
from desktop.compute.nn.lowering.plan import NCHW


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels / size^2, height * size, width * size)."""
    shape, size = inputs[0].shape, int(node.attributes.get("blocksize", 0))
    require(len(shape) == 4 and size > 0, node, f"blocks of {size} in {len(shape)} dimensions")
    n, c, h, w = shape
    require(c % (size * size) == 0, node, "a size that blocks do not divide")
    return [Value(node.outputs[0], (n, c // size**2, h * size, w * size), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy over batch, channels, rows and columns of blocks, rows and columns in a block."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    walk = blocks(node, x.shape)
    copy_box(lowering, node, x, y, walk.box, walk.deep, walk.wide)


OPERATOR = Operator("DepthToSpace", infer, lower)
