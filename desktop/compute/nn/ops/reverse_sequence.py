"""ReverseSequence: reverse the first elements of each sequence in a batch, as many as its length.

https://onnx.ai/onnx/operators/onnx__ReverseSequence.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, require
from desktop.compute.nn.lowering.plan import NCHW


def _axes(node: Node) -> tuple[int, int]:
    return int(node.attributes.get("batch_axis", 1)), int(node.attributes.get("time_axis", 0))


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape."""
    shape, lengths = inputs[0].shape, inputs[1]
    require_indices(node, lengths)
    batch, time = _axes(node)
    require(len(shape) >= 2 and {batch, time} == {0, 1}, node, f"axes {batch} and {time}")
    require(lengths.shape == (shape[batch],), node, "lengths that do not fit its batch")
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Each element is fetched from its mirrored place."""
    x, lengths = source(lowering, node.inputs[0]), lowering.nchw(node.inputs[1])
    result = lowering.values.result(node.outputs[0], NCHW)
    batch, time = _axes(node)
    places = [f"c{axis}" for axis in range(len(result.shape))]
    places[time] = "t"
    body = [
        *coordinates(result.shape),
        f"let count = u32(clamp(lengths[c{batch}], 0, {result.shape[time]}));",
        f"let t = select(c{time}, count - 1u - c{time}, c{time} < count);",
        f"return Element(x[{address(x, places)}]);",
    ]
    emit(lowering, node, {"x": x, "lengths": lengths}, result, body)


OPERATOR = Operator("ReverseSequence", infer, lower)
