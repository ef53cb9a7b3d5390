"""MatMul: the matrix product, as numpy.matmul has it: batches are stretched, vectors are rows or columns.

https://onnx.ai/onnx/operators/onnx__MatMul.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.scalar import is_float, load, scalar_type, store
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.dense import convolve
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.normalization import normalize_after
from desktop.compute.nn.kernels.products import MatrixProduct, multiply, row_major
from desktop.compute.nn.kernels.rows import as_rows, is_of_rows
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, Shapes, require
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.ops.gemm import POINTWISE


def product_shape(node: Node, a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    """Shape of the product of tensors of shapes `a` and `b`."""
    require(len(a) > 0 and len(b) > 0, node, "a scalar")
    left = (1, *a) if len(a) == 1 else tuple(a)
    right = (*b, 1) if len(b) == 1 else tuple(b)
    require(left[-1] == right[-2], node, "matrices that do not fit each other")
    try:
        batch = np.broadcast_shapes(left[:-2], right[:-2])
    except ValueError:
        require(False, node, "batches that do not fit each other")
    rows = () if len(a) == 1 else (left[-2],)
    columns = () if len(b) == 1 else (right[-1],)
    return (*(int(n) for n in batch), *rows, *columns)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Rows of the first, columns of the second."""
    return [Value(node.outputs[0], product_shape(node, inputs[0].shape, inputs[1].shape), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """With constant weights a 1x1 convolution with one pixel a row, else a product of row-major tensors."""
    graph = lowering.graph
    if _is_dense(node, graph):
        _dense(lowering, node)
        return
    a, b = (graph.values[name] for name in node.inputs)
    left = (1, *a.shape) if len(a.shape) == 1 else a.shape
    right = (*b.shape, 1) if len(b.shape) == 1 else b.shape
    batch = tuple(int(n) for n in np.broadcast_shapes(left[:-2], right[:-2]))
    rows = unfused(lowering, node)
    product = MatrixProduct(
        batch,
        left[-2],
        right[-1],
        left[-1],
        scalar_type(a.dtype),
        store("v", graph.values[node.outputs[0]].dtype),
    )
    multiply(
        lowering,
        node.name,
        row_major(lowering.nchw(node.inputs[0]), batch, load("a", "at", a.dtype), shape=left),
        row_major(lowering.nchw(node.inputs[1]), batch, load("b", "at", b.dtype), shape=right),
        rows,
        product,
    )
    finish(lowering, node, rows)
    normalize_after(lowering, node)


def _is_dense(node: Node, graph: Graph) -> bool:
    """True where the fast kernel takes it: rows of whole vec4s, or a plain matrix, by a constant matrix."""
    weights = graph.constants.get(node.inputs[1])
    shape = graph.shape(node.inputs[0])
    if (
        weights is None
        or weights.ndim != 2
        or len(shape) < 2
        or not is_float(graph.values[node.inputs[0]].dtype)
    ):
        return False
    if len(shape) == 2:
        return True
    # A step's operand has to be seen as a matrix too.
    return is_of_rows(node, graph) and weights.shape[0] % 4 == weights.shape[1] % 4 == 0


def _dense(lowering: Lowering, node: Node) -> None:
    weights = lowering.graph.constants[node.inputs[1]]
    shape = lowering.graph.shape(node.inputs[0])
    packed = weights.T[:, :, None, None]
    if len(shape) == 2:
        x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    else:
        x, result = (
            as_rows(lowering.nchw(node.inputs[0])),
            as_rows(lowering.values.result(node.outputs[0], NCHW)),
        )
    convolve(lowering, Convolution(node, x, result, POINTWISE, packed))


def multiply_adds(node: Node, shape: Shapes) -> int:
    """The length of a row, for each result."""
    return math.prod(shape(node.outputs[0])) * shape(node.inputs[0])[-1]


OPERATOR = Operator(
    "MatMul", infer, lower, fuses=True, quantized=Quantized.PRODUCT, multiply_adds=multiply_adds
)
