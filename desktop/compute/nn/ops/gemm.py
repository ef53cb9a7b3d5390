"""Gemm: alpha * A' * B' + beta * C; with B and C constant a fully connected layer.

https://onnx.ai/onnx/operators/onnx__Gemm.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import is_float, load, scalar_type, store
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.dense import convolve
from desktop.compute.nn.kernels.elementwise import broadcast_index
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.normalization import normalize_after
from desktop.compute.nn.kernels.products import MatrixProduct, multiply, row_major
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    Shapes,
    refuse_unless,
    require,
)

POINTWISE = SlidingWindow((1, 1), (1, 1), (1, 1), (0, 0), (0, 0), (1, 1), (1, 1))


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(M, N)."""
    require(len(inputs[0].shape) == 2 and len(inputs[1].shape) == 2, node, "inputs that are not matrices")
    a = inputs[0].shape[::-1] if node.attributes.get("transA", 0) else inputs[0].shape
    b = inputs[1].shape[::-1] if node.attributes.get("transB", 0) else inputs[1].shape
    require(a[1] == b[0], node, "matrices that do not fit each other")
    return [Value(node.outputs[0], (a[0], b[1]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """With constant weights and a bias for each column a 1x1 convolution with one pixel a row, else a product of row-major tensors."""
    if float(node.attributes.get("beta", 1.0)) == 0.0:  # as in BLAS: what is not used may hold anything
        node = replace(node, inputs=node.inputs[:2])
    graph = lowering.graph
    b, c = graph.constants.get(node.inputs[1]), graph.constants.get(node.input(2))
    by_column = not node.input(2) or (c is not None and c.size in (1, c.shape[-1] if c.ndim else 1))
    is_matrix = is_float(graph.values[node.inputs[0]].dtype) and not node.attributes.get("transA", 0)
    if b is not None and by_column and is_matrix:
        _dense(lowering, node, b, c)
    else:
        _general(lowering, node)


def _dense(lowering: Lowering, node: Node, b: np.ndarray, c: np.ndarray | None) -> None:
    matrix = b if node.attributes.get("transB", 0) else b.T
    alpha = node.attributes.get("alpha", 1.0)
    if alpha != 1.0:  # a copy of the weights
        matrix = matrix * np.asarray(alpha, b.dtype)
    bias = None
    if c is not None:
        bias = np.broadcast_to(c.reshape(-1), (matrix.shape[0],)) * float(node.attributes.get("beta", 1.0))
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    convolve(lowering, Convolution(node, x, result, POINTWISE, matrix[:, :, None, None], bias))


def _general(lowering: Lowering, node: Node) -> None:
    graph = lowering.graph
    a, b = (graph.values[name] for name in node.inputs[:2])
    m, n = graph.shape(node.outputs[0])
    trans_a, trans_b = (bool(node.attributes.get(name, 0)) for name in ("transA", "transB"))
    kind = scalar_type(a.dtype)
    alpha, beta = (float(node.attributes.get(name, 1.0)) for name in ("alpha", "beta"))
    refuse_unless(kind == "f32" or alpha == beta == 1.0, node, "factors of integers")
    done, extra = ("v" if alpha == 1.0 else f"v * {literal(alpha)}"), {}
    if node.input(2):
        c = graph.values[node.inputs[2]]
        extra["c"] = lowering.nchw(node.inputs[2])
        index = broadcast_index((m, n), c.shape, f"(i * {n}u + j)")
        term = load("c", index, c.dtype)
        done += f" + {term}" if beta == 1.0 else f" + {term} * {literal(beta)}"
    rows = unfused(lowering, node)
    product = MatrixProduct((), m, n, a.shape[0 if trans_a else 1], kind, store(done, a.dtype))
    multiply(
        lowering,
        node.name,
        row_major(lowering.nchw(node.inputs[0]), (), load("a", "at", a.dtype), transposed=trans_a),
        row_major(lowering.nchw(node.inputs[1]), (), load("b", "at", b.dtype), transposed=trans_b),
        rows,
        product,
        extra,
    )
    finish(lowering, node, rows)
    normalize_after(lowering, node)


def multiply_adds(node: Node, shape: Shapes) -> int:
    """The length of a row, for each result."""
    across = 0 if node.attributes.get("transA", 0) else 1
    return math.prod(shape(node.outputs[0])) * shape(node.inputs[0])[across]


OPERATOR = Operator(
    "Gemm", infer, lower, fuses=True, quantized=Quantized.PRODUCT, multiply_adds=multiply_adds
)
