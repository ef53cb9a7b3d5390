"""Operators between floating-point and quantized tensors. Scales are for a tensor, an axis or blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS, Rounding, numpy_dtype, rounded, rounding_code
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import limits, load, store
from desktop.compute.nn.kernels.elementwise import broadcast_index
from desktop.compute.nn.kernels.indexing import emit
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expansion,
    Operator,
    axis_of,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW

# Scales and zero points of QuantizeLinear and DequantizeLinear: of a tensor, an axis, or blocks.

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
    """Add the dispatch of QuantizeLinear or DequantizeLinear, row-major, with computed parameters."""
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
            # Bounded first: float to int is undefined out of range. NaN is the smallest (ONNX Runtime).
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


# QuantizeLinear: saturate(round_half_even(x / scale) + zero_point), to integers and 8- and 4-bit floats.
def _infer_quantize_linear(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type is the zero point's, or the one that `output_dtype` names, or uint8."""
    code = int(node.attributes.get("output_dtype", 0))
    dtype = inputs[2].dtype if node.input(2) else dtype_name(code) if code else "uint8"
    refuse_unless(dtype in TYPES, node, f"quantized numbers of type {dtype or 'unknown'}")
    # ONNX divides in the type that `precision` names; the shaders divide in float32.
    refuse_unless(int(node.attributes.get("precision", 0)) in (0, 1), node, "a precision other than float32")
    parameter_shape(node, inputs[0].shape, inputs[1].shape)
    return [Value(node.outputs[0], inputs[0].shape, dtype)]


def _fold_quantize_linear(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Quantized constants."""
    x, scale = inputs[0], expanded_parameter(node, inputs[0].shape, inputs[1])
    values = [
        Value(name, array.shape, array.dtype.name) for name, array in zip(node.inputs, inputs, strict=True)
    ]
    dtype = _infer_quantize_linear(node, values, {})[0].dtype
    zero = expanded_parameter(node, x.shape, inputs[2]) if node.input(2) else np.zeros((), np.int32)
    with np.errstate(all="ignore"):
        quotient = x.astype(np.float32) / scale.astype(np.float32)
        if dtype in NARROW_FLOATS:
            moved = quotient + zero.astype(np.float32)
            return [rounded(moved, dtype, Rounding.of(node.attributes))]
        whole = np.rint(quotient) + zero.astype(np.float64)
    lowest, highest = limits(dtype)
    return [
        np.clip(np.nan_to_num(whole, nan=lowest), lowest, highest).astype(np.int64).astype(numpy_dtype(dtype))
    ]


def _lower_quantize_linear(lowering: Lowering, node: Node) -> None:
    """Element by element."""
    lower_quantized(lowering, node, quantizes=True)


# DequantizeLinear: (x - zero_point) * scale. Weights are dequantized at load.
def _infer_dequantize_linear(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type is the scale's."""
    refuse_unless(inputs[0].dtype in TYPES, node, f"quantized numbers of type {inputs[0].dtype}")
    refuse_unless(not node.attributes.get("output_dtype", 0), node, "an output type of its own")
    parameter_shape(node, inputs[0].shape, inputs[1].shape)
    return [Value(node.outputs[0], inputs[0].shape, inputs[1].dtype)]


def _fold_dequantize_linear(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Dequantized weights."""
    x, scale = inputs[0], expanded_parameter(node, inputs[0].shape, inputs[1])
    zero = expanded_parameter(node, x.shape, inputs[2]) if node.input(2) else np.zeros((), x.dtype)
    return [((x.astype(np.float32) - zero.astype(np.float32)) * scale).astype(inputs[1].dtype)]


def _lower_dequantize_linear(lowering: Lowering, node: Node) -> None:
    """Element by element."""
    lower_quantized(lowering, node, quantizes=False)


# DynamicQuantizeLinear: uint8 numbers with a scale and zero point from the tensor's own range.
def _expand_dynamic_quantize_linear(
    node: Node, values: Mapping[str, Value], constants: Constants
) -> Expansion:
    """Expand as ONNX's function, but with the scale 1 for zeros, as in ONNX Runtime (the function: 0 / 0)."""
    require(len(node.inputs) == 1, node, "another number of inputs")
    build, x = Builder(node), node.inputs[0]
    zero, one, most = (build.constant(number, "float32") for number in (0.0, 1.0, 255.0))
    low = build.add("Min", build.add("ReduceMin", x, keepdims=0), zero)
    spread = build.add("Sub", build.add("Max", build.add("ReduceMax", x, keepdims=0), zero), low)
    scale = build.add("Where", build.add("Equal", spread, zero), one, build.add("Div", spread, most))
    place = build.add("Sub", zero, build.add("Div", low, scale))
    place = build.add("Cast", build.add("Round", build.add("Clip", place, zero, most)), to=2)  # uint8
    outputs = [*node.outputs, "", "", ""][:3]
    if outputs[0]:
        build.add("QuantizeLinear", x, scale, place, output=outputs[0])
    for name, found in ((outputs[1], scale), (outputs[2], place)):
        if name:
            build.add("Identity", found, output=name)
    return build.done()


OPERATORS: Final = (
    Operator("QuantizeLinear", _infer_quantize_linear, _lower_quantize_linear, fold=_fold_quantize_linear),
    Operator(
        "DequantizeLinear", _infer_dequantize_linear, _lower_dequantize_linear, fold=_fold_dequantize_linear
    ),
    Operator("DynamicQuantizeLinear", expands, expand=_expand_dynamic_quantize_linear),
)
