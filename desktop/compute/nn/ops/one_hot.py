"""OneHot: a new axis that is on at each index and off elsewhere.

https://onnx.ai/onnx/operators/onnx__OneHot.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import address, coordinates, emit
from desktop.compute.nn.kernels.scatter import is_index
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, constant_input, require
from desktop.compute.nn.lowering.plan import NCHW


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape with an axis of `depth` inserted."""
    shape, depth = inputs[0].shape, constant_input(node, 1, constants)
    require(depth is not None and depth.size == 1, node, "a depth that is not one number")
    assert depth is not None
    axis = axis_of(node, int(node.attributes.get("axis", -1)), len(shape) + 1)
    size = int(depth.reshape(()))
    return [Value(node.outputs[0], (*shape[:axis], size, *shape[axis:]), inputs[2].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A comparison for each element; an index outside [-depth, depth) turns none on. Fractions of an index are cut off."""
    indices, values = lowering.nchw(node.inputs[0]), lowering.nchw(node.inputs[2])
    y = lowering.values.result(node.outputs[0], NCHW)
    axis = axis_of(node, int(node.attributes.get("axis", -1)), len(y.shape))
    places = [f"c{i}" for i in range(len(y.shape)) if i != axis]
    body = [
        *coordinates(y.shape),
        f"let index = i32(indices[{address(indices, places)}]);",
        f"return Element(values[select(0, 1, {is_index('index', f'c{axis}', y.shape[axis])})]);",
    ]
    emit(lowering, node, {"indices": indices, "values": values}, y, body)


OPERATOR = Operator("OneHot", infer, lower, host=(1,))
