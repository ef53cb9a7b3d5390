"""Conversions between element types, for Cast and CastLike.

A float16 tensor may lie in 32 bits, with digits that 16 have not. They are dropped where the network looks at the number as a float16: in
a conversion to it, and in one of a computed tensor from it. (A network's outputs are rounded when they are read.)
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import HELD, scalar_type
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import refuse_unless


def cast_steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The steps from float to float."""
    source = node.inputs[0]
    before, after = graph.values[source].dtype, graph.values[node.outputs[0]].dtype
    exact = before == "float16" and (after == "float16" or source in graph.inputs)
    rounds = "float16" in (before, after) and not exact
    return source, (EpilogueStep("half"),) if rounds else ()


def convert(lowering: Lowering, node: Node) -> None:
    """Add the dispatch that converts input 0 into output 0."""
    source, target = node.inputs[0], node.outputs[0]
    before, after = lowering.graph.values[source].dtype, lowering.graph.values[target].dtype
    for dtype in (before, after):
        refuse_unless(dtype in HELD, node, f"{dtype or 'unknown'} tensors")
    value = "half_precision(vec4<f32>(a)).x" if before == "float16" else "a"
    expression = _expression(value, scalar_type(before), scalar_type(after))
    if after == "float16":
        expression = f"half_precision(vec4<f32>({expression})).x"
    map_elements(lowering, node, expression, [source], target)


def _expression(value: str, kind: str, wanted: str) -> str:
    """WGSL of `value`, of the type `kind`, as one of the type `wanted`."""
    if kind == wanted:
        return value
    if wanted == "bool" and kind == "f32":
        return f"(bitcast<u32>({value}) & 0x7fffffffu) != 0u"  # NaN is true, and WGSL's != of one is not
    if wanted == "bool":
        return f"{value} != 0"
    if kind == "f32" and wanted == "u32":
        # Negative numbers wrap around, as in ONNX Runtime.
        return f"select(u32({value}), bitcast<u32>(i32({value})), a < 0.0)"
    return f"{wanted}({value})"
