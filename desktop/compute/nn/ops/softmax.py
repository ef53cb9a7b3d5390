"""Softmax along one axis; before opset 13 over everything from `axis` (default 1) on.

https://onnx.ai/onnx/operators/onnx__Softmax.html
"""

from __future__ import annotations

import math

from desktop.compute.nn.graph import INTERNAL, Node
from desktop.compute.nn.lowering import PLANAR, Lowering
from desktop.compute.nn.operator import Operator, axis_of, same_as_first


def lower(lowering: Lowering, node: Node) -> None:
    """One workgroup a row of the row-major tensor."""
    shape = lowering.graph.shape(node.inputs[0])
    axis = axis_of(node, int(node.attributes.get("axis", -1 if node.version >= 13 else 1)), len(shape))
    outer = math.prod(shape[:axis])
    if node.version >= 13:
        length, inner = shape[axis], math.prod(shape[axis + 1 :])
    else:
        length, inner = math.prod(shape[axis:]), 1
    x, result = lowering.planar(node.inputs[0]), lowering.result(node.outputs[0], PLANAR)
    width = min(outer * inner, 4096)
    threads = 256 if length > 64 and not lowering.target.is_software else 16
    numbers = {"COUNT": outer * inner, "LENGTH": length, "INNER": inner, "WIDTH": width, "THREADS": threads}
    scale = float(node.attributes["scale"]) if node.domain == INTERNAL else 1.0
    lowering.dispatch(
        node.name, "softmax", {"x": x}, result, (width, -(-outer * inner // width), 1), numbers,
        floats={"SCALE": scale}, raw=True,
    )  # fmt: skip


OPERATOR = Operator("Softmax", same_as_first, lower)
