"""Operators between floating-point and quantized tensors. Between QuantizeLinear and DequantizeLinear a pass keeps integers
(passes/quantization.py). Scales are of a tensor, an axis or blocks, from anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS, Rounding, numpy_dtype, rounded
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import limits
from desktop.compute.nn.kernels.quantized import TYPES, expanded_parameter, lower_quantized, parameter_shape
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, refuse_unless, require


# QuantizeLinear: y = saturate(round_half_even(x / scale) + zero_point), to integers and to floats of 8 and 4
# bits.
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
    """As ONNX's function spells it out, but that a tensor of zeros has the scale 1, as in ONNX Runtime; the function divides 0 by 0."""
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
