"""Operators that change the element type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from onnx import helper

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS, Rounding, numpy_dtype, rounded
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import HELD, scalar_type
from desktop.compute.nn.kernels.casting import cast_steps, convert
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, refuse_unless, require

# BitCast: the same bits as another element type of the same width.

# The packing functions of WGSL are exact for finite 16-bit floats; of the others they promise nothing.
_CODE: Final = """
fn half_bits(v: f32) -> u32 {
  let bits = bitcast<u32>(v);
  let other = ((bits >> 16u) & 0x8000u) | 0x7c00u | ((bits >> 13u) & 0x3ffu);
  let packed = pack2x16float(vec2<f32>(clamp(v, -65504.0, 65504.0), 0.0)) & 0xffffu;
  return select(packed, other, (bits & 0x7f800000u) == 0x7f800000u);
}
fn of_half_bits(bits: u32) -> f32 {
  let other = bitcast<f32>(((bits & 0x8000u) << 16u) | 0x7f800000u | ((bits & 0x3ffu) << 13u));
  return select(unpack2x16float(bits & 0xffffu).x, other, (bits & 0x7c00u) == 0x7c00u);
}"""
_BITS: Final = {
    "f32": "bitcast<u32>(a)",
    "i32": "bitcast<u32>(a)",
    "u32": "a",
    "bool": "select(0u, 1u, a)",
}
_VALUES: Final = {
    "f32": "bitcast<f32>({})",
    "i32": "bitcast<i32>({})",
    "u32": "{}",
    "bool": "({} & 255u) != 0u",
}


def _infer_bit_cast(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type that `to` names."""
    dtype = dtype_name(int(node.attributes["to"]))
    refuse_unless(dtype in HELD, node, f"{dtype or 'unknown'} tensors")
    require(np.dtype(dtype).itemsize == np.dtype(inputs[0].dtype).itemsize, node, "a type of another width")
    return [Value(node.outputs[0], inputs[0].shape, dtype)]


def _lower_bit_cast(lowering: Lowering, node: Node) -> None:
    """Through u32. Of 64 bits only 32 are held, whose meaning hangs on the type."""
    before, after = (lowering.graph.values[name].dtype for name in (node.inputs[0], node.outputs[0]))
    refuse_unless(before == after or not after.endswith("64"), node, f"bits of {before} as {after}")
    bits = "half_bits(a)" if before == "float16" else _BITS[scalar_type(before)]
    value = "of_half_bits({})" if after == "float16" else _VALUES[scalar_type(after)]
    expression = "a" if before == after else value.format(bits)
    map_elements(lowering, node, expression, node.inputs, node.outputs[0], _CODE)


# Cast: as NumPy and ONNX Runtime convert: towards zero from floats, by the low bits between integers.
def _infer_cast(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type that `to` names."""
    return [Value(node.outputs[0], inputs[0].shape, dtype_name(int(node.attributes["to"])))]


def _fold_cast(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """NumPy's conversion, which is ONNX's between the types that it has, and that to floats of fewer bits."""
    dtype = dtype_name(int(node.attributes["to"]))
    refuse_unless(dtype in HELD or dtype == "float64", node, f"{dtype or 'unknown'} tensors")
    with np.errstate(all="ignore"):
        if dtype in NARROW_FLOATS:
            return [rounded(inputs[0], dtype, Rounding.of(node.attributes))]
        return [inputs[0].astype(numpy_dtype(dtype))]


# CastLike: a Cast to the element type of a second tensor, of which nothing else is read; so constants fold.
def _expand_cast_like(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a Cast."""
    build = Builder(node)
    to = helper.np_dtype_to_tensor_dtype(numpy_dtype(values[node.inputs[1]].dtype))
    build.add("Cast", node.inputs[0], output=node.outputs[0], **{**node.attributes, "to": int(to)})
    return build.done()


OPERATORS: Final = (
    Operator("BitCast", _infer_bit_cast, _lower_bit_cast),
    Operator("Cast", _infer_cast, convert, cast_steps, _fold_cast, identity=True),
    Operator("CastLike", expands, expand=_expand_cast_like),
)
