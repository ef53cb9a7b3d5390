"""MatMulInteger: the exact int32 product of 8-bit matrices less their zero points (one, or one a row of A or column of B).

https://onnx.ai/onnx/operators/onnx__MatMulInteger.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.products import MatrixProduct, multiply, row_major
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.ops.mat_mul import multiply_adds, product_shape


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The product's shape, int32."""
    a, b = inputs[:2]
    require(a.dtype in ("int8", "uint8") and b.dtype in ("int8", "uint8"), node, "inputs that are not 8-bit")
    for index, whole, along in ((2, a.shape, -2), (3, b.shape, -1)):
        if node.input(index):
            shape = inputs[index].shape
            count = int(np.prod(shape, dtype=np.int64))
            own = whole[along] if len(whole) > 1 else 1
            refuse_unless(count in (1, own), node, "a zero point for each row of a batch")
    return [Value(node.outputs[0], product_shape(node, a.shape, b.shape), "int32")]


def lower(lowering: Lowering, node: Node) -> None:
    """A product of int32 numbers, of which the kernel takes the zero points as it reads them."""
    graph = lowering.graph
    a, b = (graph.shape(name) for name in node.inputs[:2])
    left, right = (1, *a) if len(a) == 1 else a, (*b, 1) if len(b) == 1 else b
    batch = tuple(int(n) for n in np.broadcast_shapes(left[:-2], right[:-2]))
    loads, extra = {"a": "a[at]", "b": "b[at]"}, {}
    for index, key in ((2, "a"), (3, "b")):
        if node.input(index):
            extra[f"zero_{key}"] = lowering.nchw(node.inputs[index])
            at = "0u" if graph.values[node.inputs[index]].size == 1 else "i"
            loads[key] += f" - zero_{key}[{at}]"
    product = MatrixProduct(batch, left[-2], right[-1], left[-1], "i32")
    multiply(
        lowering,
        node.name,
        row_major(lowering.nchw(node.inputs[0]), batch, loads["a"], shape=left),
        row_major(lowering.nchw(node.inputs[1]), batch, loads["b"], shape=right),
        lowering.values.result(node.outputs[0], NCHW),
        product,
        extra,
    )


OPERATOR = Operator("MatMulInteger", infer, lower, multiply_adds=multiply_adds)
