"""Conversions between element types, for Cast and CastLike.

A float16 or bfloat16 tensor may be stored in 32 bits with excess digits, which conversions drop.
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS, Rounding, rounding_code
from desktop.compute.nn.ir.scalar import CONVERTED, HELD, scalar_type
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import refuse_unless


def cast_steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The steps from float to float."""
    source = node.inputs[0]
    before, after = graph.values[source].dtype, graph.values[node.outputs[0]].dtype
    refuse_unless(not {before, after} & NARROW_FLOATS.keys(), node, "a float of fewer bits as a step")
    exact = before == "float16" and (after == "float16" or source in graph.inputs)
    rounds = "float16" in (before, after) and not exact
    return source, (EpilogueStep("half"),) if rounds else ()


def convert(lowering: Lowering, node: Node) -> None:
    """Add the dispatch that converts input 0 into output 0."""
    source, target = node.inputs[0], node.outputs[0]
    before, after = lowering.graph.values[source].dtype, lowering.graph.values[target].dtype
    for name in (source, target):
        dtype = lowering.graph.values[name].dtype
        converted = is_converted(node, lowering.graph, name)
        refuse_unless(dtype in HELD or converted, node, f"{dtype or 'unknown'} tensors")
    how = Rounding.of(node.attributes)
    code: dict[str, str] = {}
    value = "a" if source in lowering.graph.inputs else _as_float("a", before, how, code)
    expression = _expression(value, scalar_type(before), scalar_type(after))
    expression = _as_float(expression, after, how, code)
    map_elements(lowering, node, expression, [source], target, "\n".join(code.values()))


def is_converted(node: Node, graph: Graph, name: str) -> bool:
    """True for a lossless float64 in 32 bits: an input cast to float32, or an output cast from fewer bits."""
    if node.op != "Cast" or graph.values[name].dtype not in CONVERTED:
        return False
    source, target = node.inputs[0], node.outputs[0]
    if name == source:
        return name in graph.inputs and graph.values[target].dtype == "float32"
    return (
        name in graph.outputs
        and scalar_type(graph.values[source].dtype) == "f32"
        and graph.values[source].dtype in HELD
    )


def _as_float(value: str, dtype: str, how: Rounding, code: dict[str, str]) -> str:
    """Return WGSL that rounds an f32 to `dtype` if that is a narrower float; helpers are added to `code`."""
    if dtype == "float16":
        return f"half_precision(vec4<f32>({value})).x"
    if dtype not in NARROW_FLOATS:
        return value
    name, code[dtype] = rounding_code(dtype, how)
    return f"{name}({value})"


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
