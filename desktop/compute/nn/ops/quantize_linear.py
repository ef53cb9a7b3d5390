"""QuantizeLinear: y = saturate(round_half_even(x / scale) + zero_point), to integers and to floats of 8 and 4 bits.

Scales are of a tensor, an axis or blocks, from anywhere.

Between it and DequantizeLinear a pass keeps integers (passes/quantization.py).
https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS, Rounding, numpy_dtype, rounded
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import limits
from desktop.compute.nn.kernels.quantized import TYPES, expanded_parameter, lower_quantized, parameter_shape
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, refuse_unless


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type is the zero point's, or the one that `output_dtype` names, or uint8."""
    code = int(node.attributes.get("output_dtype", 0))
    dtype = inputs[2].dtype if node.input(2) else dtype_name(code) if code else "uint8"
    refuse_unless(dtype in TYPES, node, f"quantized numbers of type {dtype or 'unknown'}")
    # ONNX divides in the type that `precision` names; the shaders divide in float32.
    refuse_unless(int(node.attributes.get("precision", 0)) in (0, 1), node, "a precision other than float32")
    parameter_shape(node, inputs[0].shape, inputs[1].shape)
    return [Value(node.outputs[0], inputs[0].shape, dtype)]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Quantized constants."""
    x, scale = inputs[0], expanded_parameter(node, inputs[0].shape, inputs[1])
    values = [
        Value(name, array.shape, array.dtype.name) for name, array in zip(node.inputs, inputs, strict=True)
    ]
    dtype = infer(node, values, {})[0].dtype
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


def lower(lowering: Lowering, node: Node) -> None:
    """Element by element."""
    lower_quantized(lowering, node, quantizes=True)


OPERATOR = Operator("QuantizeLinear", infer, lower, fold=fold)
