"""BitShift: bits moved left or right by as many places as a second tensor says; all are gone after the type's width.

https://onnx.ai/onnx/operators/onnx__BitShift.html
"""

from __future__ import annotations

from desktop.compute.nn.graph import Node
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.mapping import map_elements
from desktop.compute.nn.operator import Operator, broadcast, refuse_unless, require


def lower(lowering: Lowering, node: Node) -> None:
    """One element a thread; a value of 64 bits may need the upper 32 and is refused."""
    direction = node.attributes.get("direction", "")
    require(direction in ("LEFT", "RIGHT"), node, f"the direction '{direction}'")
    dtype = lowering.graph.values[node.inputs[0]].dtype
    refuse_unless(dtype in ("uint8", "uint16", "uint32"), node, f"shifts of {dtype}")
    shift = f"u32(a) {'<<' if direction == 'LEFT' else '>>'} min(u32(b), 31u)"
    kind = "u32" if dtype == "uint32" else "i32"
    map_elements(lowering, node, f"{kind}(select({shift}, 0u, u32(b) > 31u))", node.inputs, node.outputs[0])


OPERATOR = Operator("BitShift", broadcast, lower)
