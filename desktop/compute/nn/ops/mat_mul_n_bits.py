"""ONNX Runtime's MatMulNBits: a product with weights of 2, 4 or 8 bits, which have a scale and a zero point for each block of a column.

The weights are dequantized when the network is loaded; the product is MatMul's. Weighed: a kernel that reads the packed words, which keeps
a fourth of the memory. Vision networks of this kind have some 100 MB of them, and MatMul's kernels are tuned for floats.
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MatMulNBits
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expansion,
    Operator,
    constant_input,
    refuse_unless,
    require,
)


def unpacked(words: np.ndarray, bits: int) -> np.ndarray:
    """The numbers in bytes (..., n), lowest bits first: uint8 of shape (..., n * 8 / bits)."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    numbers = (words[..., None] >> shifts) & np.uint8(2**bits - 1)
    return numbers.reshape(*words.shape[:-1], -1)


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a MatMul with float weights (K, N), and an Add where there is a bias."""
    build = Builder(node)
    weights = build.constant(_weights(node, constants), values[node.inputs[0]].dtype)
    bias = node.input(5)
    product = build.add("MatMul", node.inputs[0], weights, output="" if bias else node.outputs[0])
    if bias:
        build.add("Add", product, bias, output=node.outputs[0])
    return build.done()


def _weights(node: Node, constants: Constants) -> np.ndarray:
    """float32 (K, N).

    Raises:
        ModelUnsupportedError: weights that the network computes, another order of their rows (`g_idx`), or sizes that do not fit each
            other.
    """
    depth, columns, block = (int(node.attributes.get(name, 0)) for name in ("K", "N", "block_size"))
    bits = int(node.attributes.get("bits", 4))
    refuse_unless(bits in (2, 4, 8), node, f"weights of {bits} bits")
    require(min(depth, columns, block) > 0, node, "sizes that are not positive")
    packed, scales = (constant_input(node, index, constants) for index in (1, 2))
    refuse_unless(packed is not None and scales is not None, node, "weights that are computed")
    refuse_unless(not node.input(4), node, "weights in another order (g_idx)")
    assert packed is not None and scales is not None
    blocks = -(-depth // block)
    require(
        packed.dtype == np.uint8 and packed.size * 8 == columns * blocks * block * bits,
        node,
        "weights that do not fit K, N and block_size",
    )
    require(scales.size == columns * blocks, node, "scales that do not fit its weights")
    numbers = unpacked(packed.reshape(columns, blocks, -1), bits).astype(np.float32)
    zero = _zero_points(node, constants, (columns, blocks), bits)
    real = (numbers - zero) * scales.reshape(columns, blocks, 1).astype(np.float32)
    return np.ascontiguousarray(real.reshape(columns, -1)[:, :depth].T)


def _zero_points(node: Node, constants: Constants, shape: tuple[int, int], bits: int) -> np.ndarray:
    """float32 (N, blocks, 1); the middle of the range where the node has none."""
    if not node.input(3):
        return np.full((*shape, 1), 2.0 ** (bits - 1), np.float32)
    array = constant_input(node, 3, constants)
    refuse_unless(array is not None, node, "zero points that are computed")
    assert array is not None
    columns, blocks = shape
    if array.dtype == np.uint8 and bits < 8:
        # Each column begins in a byte of its own.
        width = -(-blocks * bits // 8)
        require(array.size == columns * width, node, "zero points that do not fit its weights")
        array = unpacked(array.reshape(columns, width), bits)[:, :blocks]
    require(array.size == columns * blocks, node, "zero points that do not fit its weights")
    return array.reshape(columns, blocks, 1).astype(np.float32)


OPERATOR = Operator("com.microsoft.MatMulNBits", expands, expand=expand)
