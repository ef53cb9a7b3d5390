"""GatherND: slices, each named by a tuple of indices.

https://onnx.ai/onnx/operators/onnx__GatherND.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import WRAP, emit, require_indices, slice_address
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, require
from desktop.compute.nn.lowering.plan import NCHW


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape without its last dimension, then that of a slice."""
    require_indices(node, inputs[1])
    shape, indices = inputs[0].shape, inputs[1].shape
    batch = int(node.attributes.get("batch_dims", 0))
    require(
        0 <= batch < min(len(shape), len(indices)) and shape[:batch] == indices[:batch],
        node,
        "batch dimensions that differ",
    )
    require(batch + indices[-1] <= len(shape), node, "tuples of more indices than its input has dimensions")
    return [Value(node.outputs[0], (*indices[:-1], *shape[batch + indices[-1] :]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A look-up for each element."""
    x, indices = lowering.nchw(node.inputs[0]), lowering.nchw(node.inputs[1])
    y = lowering.values.result(node.outputs[0], NCHW)
    batch, depth = int(node.attributes.get("batch_dims", 0)), indices.shape[-1]
    inner = math.prod(x.shape[batch + depth :])
    tuples = math.prod(indices.shape[batch:-1])  # in each batch
    body = [
        f"let tuple = at / {inner}u;",
        f"let first = tuple / {tuples}u * {math.prod(x.shape[batch:])}u;",
        f"let slice = {slice_address('tuple', x.shape[batch:], depth)};",
        f"return Element(x[first + slice + at % {inner}u]);",
    ]
    emit(lowering, node, {"x": x, "indices": indices}, y, body, code=WRAP)


OPERATOR = Operator("GatherND", infer, lower, carries=True)
