"""Scales and zero points of QuantizeLinear and DequantizeLinear: of a tensor, of an axis's entries, or of blocks along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS, Rounding, rounding_code
from desktop.compute.nn.ir.scalar import limits, load, store
from desktop.compute.nn.kernels.elementwise import broadcast_index
from desktop.compute.nn.kernels.indexing import emit
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import axis_of, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW

_FLOATS: Final = tuple(name for name in NARROW_FLOATS if name not in ("bfloat16", "float8_e8m0fnu"))
TYPES: Final = ("int2", "uint2", "int4", "uint4", "int8", "uint8", "int16", "uint16", "int32", *_FLOATS)
"""Element types of quantized tensors that are supported."""


def parameter_shape(
    node: Node, shape: Sequence[int], scale: Sequence[int]
) -> tuple[tuple[int, ...], int, int]:
    """(shape of the scale, aligned to `shape`; axis; entries along the axis that share one number)."""
    rank, block = len(shape), int(node.attributes.get("block_size", 0))
    if int(np.prod(scale, dtype=np.int64)) == 1 and not block:
        return (1,) * rank, 0, 1
    axis = axis_of(node, int(node.attributes.get("axis", 1)), rank)
    if len(scale) == 1 and not block:
        require(scale[0] == shape[axis], node, "a scale that does not fit its axis")
        return tuple(n if i == axis else 1 for i, n in enumerate(shape)), axis, 1
    require(len(scale) == rank, node, "a scale that does not fit its input")
    if not block:
        # A scale for each row or column, as QLinearMatMul has it.
        require(
            all(n in (1, full) for n, full in zip(scale, shape, strict=True)),
            node,
            "a scale that does not fit",
        )
        return tuple(scale), 0, 1
    fits = all(
        n == (-(-full // block) if i == axis else full)
        for i, (n, full) in enumerate(zip(scale, shape, strict=True))
    )
    require(block > 0 and fits, node, "a scale that does not fit its blocks")
    return tuple(scale), axis, block


def parameter_index(shape: Sequence[int], own: Sequence[int], axis: int, block: int) -> str:
    """WGSL expression of the scale's index for element `at`."""
    if block == 1:
        return broadcast_index(shape, own)
    inner = int(np.prod(shape[axis + 1 :], dtype=np.int64))
    return f"at / {inner * shape[axis]}u * {inner * own[axis]}u + at / {inner}u % {shape[axis]}u / {block}u * {inner}u + at % {inner}u"


def lower_quantized(lowering: Lowering, node: Node, *, quantizes: bool) -> None:
    """Add the dispatch of QuantizeLinear or DequantizeLinear on row-major tensors with parameters from the GPU."""
    values = lowering.graph.values
    x, scale, y = (values[name] for name in (*node.inputs[:2], node.outputs[0]))
    narrow = y.dtype if quantizes else x.dtype
    refuse_unless(narrow in TYPES, node, f"quantized numbers of type {narrow}")
    own, axis, block = parameter_shape(node, x.shape, scale.shape)
    reads = {"x": lowering.nchw(node.inputs[0]), "scale": lowering.nchw(node.inputs[1])}
    body = [f"let p = {parameter_index(x.shape, own, axis, block)};"]
    zero = "0.0" if narrow in _FLOATS else "0"
    functions = ""
    if node.input(2):
        require(values[node.inputs[2]].size == scale.size, node, "zero points that do not fit its scales")
        reads["zero"] = lowering.nchw(node.inputs[2])
        zero = "zero[p]"
    quotient = (
        f"quotient(vec4<f32>({load('x', 'at', x.dtype)}), vec4<f32>({load('scale', 'p', scale.dtype)})).x"
    )
    if quantizes and narrow in _FLOATS:
        name, functions = rounding_code(narrow, Rounding.of(node.attributes))
        body.append(f"return {name}({quotient} + {zero});")
    elif quantizes:
        low, high = limits(narrow)
        body += [
            f"let v = round({quotient});",
            # Bounded first: a float beyond an integer's range has no defined value as one. NaN is the smallest, as in ONNX Runtime.
            f"let q = clamp(i32(select(clamp(v, -1e9, 1e9), -1e9, nan(v))) + {zero}, {low}, {high});",
            f"return {store('q', narrow)};",
        ]
    else:
        body.append(f"return {store(f'f32(x[at] - {zero}) * ' + load('scale', 'p', scale.dtype), y.dtype)};")
    code = "\n".join([functions_in("\n".join(body)), functions])
    emit(lowering, node, reads, lowering.values.result(node.outputs[0], NCHW), body, code=code)


def expanded_parameter(node: Node, shape: Sequence[int], array: np.ndarray) -> np.ndarray:
    """A scale or zero point, repeated over its blocks, that NumPy stretches to `shape`."""
    own, axis, block = parameter_shape(node, shape, array.shape)
    array = array.reshape(own)
    if block == 1:
        return array
    return np.repeat(array, block, axis).take(np.arange(shape[axis]), axis)
