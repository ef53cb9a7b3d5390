"""BitShift: bits moved up or down; a signed number keeps its sign on the way down.

https://onnx.ai/onnx/operators/onnx__BitShift.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, broadcast, refuse_unless, require


def lower(lowering: Lowering, node: Node) -> None:
    """One element a thread. Up, a value of 64 bits may need the upper 32 and is refused."""
    direction = node.attributes.get("direction", "")
    require(direction in ("LEFT", "RIGHT"), node, f"the direction '{direction}'")
    dtype = lowering.graph.values[node.inputs[0]].dtype
    unsigned = dtype in ("uint32", "uint64")
    zero, outside = ("0u", "b > 31u") if unsigned else ("0", "(b < 0 || b > 31)")
    if direction == "LEFT":
        refuse_unless(not dtype.endswith("64"), node, f"shifts of {dtype} to the left")
        expression = f"select(a << (u32(b) & 31u), {zero}, {outside})"
    elif unsigned:
        expression = f"select(a >> (b & 31u), 0u, {outside})"
    else:
        expression = f"a >> select(u32(b) & 31u, 31u, {outside})"
    map_elements(lowering, node, expression, node.inputs, node.outputs[0])


OPERATOR = Operator("BitShift", broadcast, lower)
