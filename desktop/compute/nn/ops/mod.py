"""Mod: the remainder, with the sign of the divisor, or of the dividend where fmod is 1; with multidirectional broadcasting.

https://onnx.ai/onnx/operators/onnx__Mod.html
"""

from __future__ import annotations

from desktop.compute.nn.graph import Node
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.mapping import map_elements
from desktop.compute.nn.operator import Operator, broadcast
from desktop.compute.nn.scalar import scalar_type

# Spelt out, because drivers compute the remainder of negative integers wrongly (docs/facts.md).
_CODE = {
    "i32": "fn truncated(a: i32, b: i32) -> i32 { return a - b * (a / b); }",
    "u32": "fn truncated(a: u32, b: u32) -> u32 { return a - b * (a / b); }",
    # A finite number is its own remainder of infinity, of which a product with zero is none.
    "f32": """fn truncated(a: f32, b: f32) -> f32 {
  let endless = (bitcast<u32>(b) & 0x7fffffffu) == 0x7f800000u && (bitcast<u32>(a) & 0x7f800000u) != 0x7f800000u;
  return select(a - b * trunc(a / b), a, endless);
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


OPERATOR = Operator("Mod", broadcast, lower)
