"""TensorScatter: writes new entries into a cache of keys or values, from an index that each batch has.

https://onnx.ai/onnx/operators/onnx__TensorScatter.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, require
from desktop.compute.nn.lowering.plan import NCHW


def _axis(node: Node, rank: int) -> int:
    axis = axis_of(node, int(node.attributes.get("axis", -2)), rank)
    require(axis > 0, node, "the batch as its axis")
    return axis


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The cache's shape."""
    shape, update = inputs[0].shape, inputs[1].shape
    axis = _axis(node, len(shape))
    fits = len(update) == len(shape) and all(
        a == b if i != axis else a <= b for i, (a, b) in enumerate(zip(update, shape, strict=True))
    )
    require(fits, node, "an update that does not fit its cache")
    require(inputs[1].dtype == inputs[0].dtype, node, "an update of another type than its cache's")
    if node.input(2):
        require_indices(node, inputs[2])
        require(inputs[2].shape == shape[:1], node, "write indices that do not fit its cache")
    require(node.attributes.get("mode", "linear") in ("linear", "circular"), node, "an unknown mode")
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Each element is the cache's, or the update's where its place along the axis lies in what is written."""
    x, update = source(lowering, node.inputs[0]), source(lowering, node.inputs[1])
    y = lowering.values.result(node.outputs[0], NCHW)
    axis = _axis(node, len(x.shape))
    size = x.shape[axis]
    places = [f"c{i}" for i in range(len(x.shape))]
    reads, first = {"x": x, "fresh": update}, "0"
    if node.input(2):
        reads["indices"], first = lowering.nchw(node.inputs[2]), "indices[c0]"
    body = [*coordinates(y.shape), f"var place = i32(c{axis}) - {first};"]
    if node.attributes.get("mode", "linear") == "circular":
        body.append(f"place = place + select(0, {size}, place < 0);")
    chosen = [*places[:axis], "u32(place)", *places[axis + 1 :]]
    body += [
        f"if (place >= 0 && place < {update.shape[axis]}) {{",
        f"  return Element(fresh[{address(update, chosen)}]);",
        "}",
        f"return Element(x[{address(x, places)}]);",
    ]
    emit(lowering, node, reads, y, body)


OPERATOR = Operator("TensorScatter", infer, lower)
