"""Mod: the remainder, with the sign of the divisor, or of the dividend where fmod is 1; with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Mod.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ir.scalar import scalar_type
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, broadcast

# Spelt out, because drivers compute the remainder of negative integers wrongly (docs/facts.md).
_CODE = {
    "i32": "fn truncated(a: i32, b: i32) -> i32 { return a - b * (a / b); }",
    "u32": "fn truncated(a: u32, b: u32) -> u32 { return a - b * (a / b); }",
    # Long division of the mantissas, exact: a - b * trunc(a / b) would hang on how the division is rounded.
    "f32": """fn truncated(a: f32, b: f32) -> f32 {
  let x = bitcast<u32>(a) & 0x7fffffffu;
  let y = bitcast<u32>(b) & 0x7fffffffu;
  var missing = 0x7fc00000u; // not a constant expression, in which WGSL forbids NaN
  if (x >= 0x7f800000u || y == 0u || y > 0x7f800000u) { return bitcast<f32>(missing); }
  if (x < y) { return a; }
  let exponent = max(y >> 23u, 1u);
  let divisor = (y & 0x7fffffu) | select(0u, 0x800000u, y >= 0x800000u);
  var left = max(x >> 23u, 1u) - exponent;
  var rest = ((x & 0x7fffffu) | select(0u, 0x800000u, x >= 0x800000u)) % divisor;
  for (var i = 0u; i < 32u; i++) {
    let shift = min(left, 8u);
    rest = (rest << shift) % divisor;
    left -= shift;
  }
  let shift = countLeadingZeros(rest) - 8u;
  let normal = ((rest << (shift & 31u)) & 0x7fffffu) | ((exponent - shift) << 23u);
  var bits = select(rest << ((exponent - 1u) & 31u), normal, exponent > shift);
  bits = select(bits, 0u, rest == 0u);
  return bitcast<f32>(bits | (bitcast<u32>(a) & 0x80000000u));
}""",
}
_FLOORED = (
    "select(truncated(a, b), truncated(a, b) + b, (truncated(a, b) < 0) != (b < 0) && truncated(a, b) != 0)"
)


def lower(lowering: Lowering, node: Node) -> None:
    """One element a thread."""
    kind = scalar_type(lowering.graph.values[node.inputs[0]].dtype)
    keeps_dividend = node.attributes.get("fmod", 0) or kind == "u32"
    expression = "truncated(a, b)" if keeps_dividend else _FLOORED
    map_elements(lowering, node, expression, node.inputs, node.outputs[0], _CODE[kind])


OPERATOR = Operator("Mod", broadcast, lower, carries=True)
