"""GatherElements: for each index, the element of the input at the same place but for the axis.

https://onnx.ai/onnx/operators/onnx__GatherElements.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import WRAP, address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, require
from desktop.compute.nn.lowering.plan import NCHW


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape."""
    require_indices(node, inputs[1])
    shape, wanted = inputs[0].shape, inputs[1].shape
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
    fits = len(wanted) == len(shape) and all(
        a <= b for i, (a, b) in enumerate(zip(wanted, shape, strict=True)) if i != axis
    )
    require(fits, node, "indices that do not fit its input")
    return [Value(node.outputs[0], wanted, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A look-up for each element."""
    x, indices = source(lowering, node.inputs[0]), lowering.nchw(node.inputs[1])
    y = lowering.values.result(node.outputs[0], NCHW)
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(x.shape))
    places = [f"c{i}" for i in range(len(x.shape))]
    places[axis] = f"wrap(indices[at], {x.shape[axis]})"
    body = [*coordinates(y.shape), f"return Element(x[{address(x, places)}]);"]
    emit(lowering, node, {"x": x, "indices": indices}, y, body, code=WRAP)


OPERATOR = Operator("GatherElements", infer, lower, carries=True)
