"""Conversions between element types, for Cast and CastLike."""

from __future__ import annotations

from desktop.compute.nn.graph import Node
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.mapping import map_elements
from desktop.compute.nn.operator import refuse_unless
from desktop.compute.nn.scalar import HELD, scalar_type

# pack2x16float leaves open what becomes of numbers that a 16-bit float cannot hold.
_ROUND_HALF = """
fn half_precision(v: f32) -> f32 {
  let kept = unpack2x16float(pack2x16float(vec2<f32>(clamp(v, -65504.0, 65504.0), 0.0))).x;
  return select(kept, v, (bitcast<u32>(v) & 0x7f800000u) == 0x7f800000u);
}"""


def convert(lowering: Lowering, node: Node, source: str, target: str) -> None:
    """Add the dispatch that converts the value `source` into the value `target`."""
    before, after = lowering.graph.values[source].dtype, lowering.graph.values[target].dtype
    for dtype in (before, after):
        refuse_unless(dtype in HELD, node, f"{dtype or 'unknown'} tensors")
    # Where 16-bit floats lie in 32 bits, the rounding is still due.
    rounds = after == "float16" and lowering.result(target).dtype == "float32"
    expression, code = ("half_precision(f32(a))", _ROUND_HALF) if rounds else (_expression(before, after), "")
    map_elements(lowering, node, expression, [source], target, code)


def _expression(before: str, after: str) -> str:
    """WGSL of the result's `scalar_type` of `a`, which has that of `before`."""
    kind, wanted = scalar_type(before), scalar_type(after)
    if kind == wanted:
        return "a"
    if wanted == "bool":
        return "a != 0"
    if kind == "f32" and wanted == "u32":
        # Negative numbers wrap around, as in ONNX Runtime.
        return "select(u32(a), bitcast<u32>(i32(a)), a < 0.0)"
    return f"{wanted}(a)"
