"""Products of matrices: of floating-point tensors, of integers, and with packed weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.scalar import is_float, load, scalar_type, store
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.dense import convolve
from desktop.compute.nn.kernels.elementwise import broadcast_index
from desktop.compute.nn.kernels.indexing import finish, unfused
from desktop.compute.nn.kernels.normalization import normalize_after
from desktop.compute.nn.kernels.products import (
    MatrixOperand,
    MatrixProduct,
    Orders,
    multiply,
    multiply_and_finish,
    ordered,
    row_major,
    strided,
)
from desktop.compute.nn.kernels.rows import as_rows, is_of_rows
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expansion,
    Operator,
    Quantized,
    Shapes,
    needed_input,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW

# Gemm: alpha * A' * B' + beta * C; with B and C constant a fully connected layer.

_POINTWISE = SlidingWindow((1, 1), (1, 1), (1, 1), (0, 0), (0, 0), (1, 1), (1, 1))


def _infer_gemm(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(M, N)."""
    require(len(inputs[0].shape) == 2 and len(inputs[1].shape) == 2, node, "inputs that are not matrices")
    a = inputs[0].shape[::-1] if node.attributes.get("transA", 0) else inputs[0].shape
    b = inputs[1].shape[::-1] if node.attributes.get("transB", 0) else inputs[1].shape
    require(a[1] == b[0], node, "matrices that do not fit each other")
    return [Value(node.outputs[0], (a[0], b[1]), inputs[0].dtype)]


def _lower_gemm(lowering: Lowering, node: Node) -> None:
    """Lower to a 1x1 convolution if weights are constant and the bias is by column, else to a product."""
    if float(node.attributes.get("beta", 1.0)) == 0.0:  # as in BLAS: what is not used may hold anything
        node = replace(node, inputs=node.inputs[:2])
    graph = lowering.graph
    b, c = graph.constants.get(node.inputs[1]), graph.constants.get(node.input(2))
    by_column = not node.input(2) or (c is not None and c.size in (1, c.shape[-1] if c.ndim else 1))
    is_matrix = is_float(graph.values[node.inputs[0]].dtype) and not node.attributes.get("transA", 0)
    if b is not None and by_column and is_matrix:
        _dense_gemm(lowering, node, b, c)
    else:
        _general(lowering, node)


def _dense_gemm(lowering: Lowering, node: Node, b: np.ndarray, c: np.ndarray | None) -> None:
    matrix = b if node.attributes.get("transB", 0) else b.T
    alpha = node.attributes.get("alpha", 1.0)
    if alpha != 1.0:  # a copy of the weights
        matrix = matrix * np.asarray(alpha, b.dtype)
    bias = None
    if c is not None:
        bias = np.broadcast_to(c.reshape(-1), (matrix.shape[0],)) * float(node.attributes.get("beta", 1.0))
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    convolve(lowering, Convolution(node, x, result, _POINTWISE, matrix[:, :, None, None], bias))


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


def _multiply_adds_gemm(node: Node, shape: Shapes) -> int:
    """The length of a row, for each result."""
    across = 0 if node.attributes.get("transA", 0) else 1
    return math.prod(shape(node.outputs[0])) * shape(node.inputs[0])[across]


# MatMul: the matrix product, as numpy.matmul has it: batches are stretched, vectors are rows or columns.
def _product_shape(node: Node, a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
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


def _infer_mat_mul(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Rows of the first, columns of the second."""
    return [Value(node.outputs[0], _product_shape(node, inputs[0].shape, inputs[1].shape), inputs[0].dtype)]


def _lower_mat_mul(lowering: Lowering, node: Node) -> None:
    """With constant weights a 1x1 convolution with one pixel a row, else a product of row-major tensors."""
    graph = lowering.graph
    if _is_dense(node, graph):
        _dense_mat_mul(lowering, node)
        return
    a, b = (graph.values[name] for name in node.inputs)
    left, right = _orders(node).shapes(a.shape, b.shape)
    left, right = (1, *left) if len(left) == 1 else left, (*right, 1) if len(right) == 1 else right
    batch = tuple(int(n) for n in np.broadcast_shapes(left[:-2], right[:-2]))
    name = node.outputs[0]
    kind = scalar_type(a.dtype)
    product = MatrixProduct(batch, left[-2], right[-1], left[-1], kind, store("v", graph.values[name].dtype))
    factors = _factor(lowering, node, 0, left, batch), _factor(lowering, node, 1, right, batch)
    if len(graph.shape(name)) > 2 and not lowering.values.wants_channels_last(name):
        lowering.values.result(name, NCHW)  # as softmaxes and other products read it
    if kind == "f32" and is_float(graph.values[name].dtype):
        multiply_and_finish(lowering, node, *factors, product)
    else:
        rows = unfused(lowering, node)
        multiply(lowering, node.name, *factors, rows, product)
        finish(lowering, node, rows)
    normalize_after(lowering, node)


def _orders(node: Node) -> Orders:
    return node.detail(Orders) or Orders()


def _factor(
    lowering: Lowering, node: Node, index: int, shape: tuple[int, ...], batch: tuple[int, ...]
) -> MatrixOperand:
    """Return a factor of `shape`, read in the layout that it has if threads side by side read what lies so."""
    name, letter = node.inputs[index], "ab"[index]
    order = (_orders(node).left, _orders(node).right)[index]
    value = load(letter, "at", lowering.graph.values[name].dtype)
    for operand in (source(lowering, name), None):
        read = lowering.nchw(name) if operand is None else operand
        steps = ordered(read.strides, order)
        if len(steps) == 1:  # a row, or a column
            steps = (0, *steps) if index == 0 else (*steps, 0)
        if read.layout == NCHW or 1 in steps[-2:]:
            return strided(read, shape, steps, batch, value)
    raise AssertionError("a row-major tensor is read as it is")


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


def _dense_mat_mul(lowering: Lowering, node: Node) -> None:
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
    convolve(lowering, Convolution(node, x, result, _POINTWISE, packed))


def _multiply_adds_mat_mul(node: Node, shape: Shapes) -> int:
    """The length of a row, for each result."""
    left = ordered(shape(node.inputs[0]), _orders(node).left)
    return math.prod(shape(node.outputs[0])) * left[-1]


# MatMulInteger: exact int32 product of 8-bit matrices less zero points (one, or by row of A, column of B).
def _infer_mat_mul_integer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The product's shape, int32."""
    a, b = inputs[:2]
    require(a.dtype in ("int8", "uint8") and b.dtype in ("int8", "uint8"), node, "inputs that are not 8-bit")
    for index, whole, along in ((2, a.shape, -2), (3, b.shape, -1)):
        if node.input(index):
            shape = inputs[index].shape
            count = int(np.prod(shape, dtype=np.int64))
            own = whole[along] if len(whole) > 1 else 1
            refuse_unless(count in (1, own), node, "a zero point for each row of a batch")
    return [Value(node.outputs[0], _product_shape(node, a.shape, b.shape), "int32")]


def _lower_mat_mul_integer(lowering: Lowering, node: Node) -> None:
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


# ONNX Runtime's MatMulNBits: a product with weights of 2, 4 or 8 bits, with a scale and a zero point a block.
# The weights are dequantized on loading (some 100 MB in vision networks), so that MatMul's kernels apply.
# https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MatMulNBits
def _unpacked(words: np.ndarray, bits: int) -> np.ndarray:
    """The numbers in bytes (..., n), lowest bits first: uint8 of shape (..., n * 8 / bits)."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    numbers = (words[..., None] >> shifts) & np.uint8(2**bits - 1)
    return numbers.reshape(*words.shape[:-1], -1)


def _expand_mat_mul_n_bits(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a MatMul with float weights (K, N), and an Add where there is a bias."""
    build = Builder(node)
    weights = build.constant(_weights(node, constants), values[node.inputs[0]].dtype)
    bias = node.input(5)
    product = build.add("MatMul", node.inputs[0], weights, output="" if bias else node.outputs[0])
    if bias:
        build.add("Add", product, bias, output=node.outputs[0])
    return build.done()


def _weights(node: Node, constants: Constants) -> np.ndarray:
    """Return float32 weights (K, N).

    Raises:
        ModelUnsupportedError: weights that are computed, reordered (`g_idx`) or of sizes that do not fit.
    """
    depth, columns, block = (int(node.attributes.get(name, 0)) for name in ("K", "N", "block_size"))
    bits = int(node.attributes.get("bits", 4))
    refuse_unless(bits in (2, 4, 8), node, f"weights of {bits} bits")
    require(min(depth, columns, block) > 0, node, "sizes that are not positive")
    packed, scales = (needed_input(node, index, constants) for index in (1, 2))
    refuse_unless(not node.input(4), node, "weights in another order (g_idx)")
    blocks = -(-depth // block)
    require(
        packed.dtype == np.uint8 and packed.size * 8 == columns * blocks * block * bits,
        node,
        "weights that do not fit K, N and block_size",
    )
    require(scales.size == columns * blocks, node, "scales that do not fit its weights")
    numbers = _unpacked(packed.reshape(columns, blocks, -1), bits).astype(np.float32)
    zero = _zero_points(node, constants, (columns, blocks), bits)
    real = (numbers - zero) * scales.reshape(columns, blocks, 1).astype(np.float32)
    return np.ascontiguousarray(real.reshape(columns, -1)[:, :depth].T)


def _zero_points(node: Node, constants: Constants, shape: tuple[int, int], bits: int) -> np.ndarray:
    """float32 (N, blocks, 1); the middle of the range where the node has none."""
    if not node.input(3):
        return np.full((*shape, 1), 2.0 ** (bits - 1), np.float32)
    array = needed_input(node, 3, constants)
    columns, blocks = shape
    if array.dtype == np.uint8 and bits < 8:
        # Each column begins in a byte of its own.
        width = -(-blocks * bits // 8)
        require(array.size == columns * width, node, "zero points that do not fit its weights")
        array = _unpacked(array.reshape(columns, width), bits)[:, :blocks]
    require(array.size == columns * blocks, node, "zero points that do not fit its weights")
    return array.reshape(columns, blocks, 1).astype(np.float32)


OPERATORS: Final = (
    Operator(
        "Gemm",
        _infer_gemm,
        _lower_gemm,
        fuses=True,
        quantized=Quantized.PRODUCT,
        multiply_adds=_multiply_adds_gemm,
    ),
    Operator(
        "MatMul",
        _infer_mat_mul,
        _lower_mat_mul,
        fuses=True,
        quantized=Quantized.PRODUCT,
        multiply_adds=_multiply_adds_mat_mul,
    ),
    Operator(
        "MatMulInteger", _infer_mat_mul_integer, _lower_mat_mul_integer, multiply_adds=_multiply_adds_mat_mul
    ),
    Operator("com.microsoft.MatMulNBits", expands, expand=_expand_mat_mul_n_bits),
)
