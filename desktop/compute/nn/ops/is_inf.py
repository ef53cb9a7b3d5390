"""IsInf: True for infinite elements; an attribute restricts the sign.

https://onnx.ai/onnx/operators/onnx__IsInf.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, compare


def lower(lowering: Lowering, node: Node) -> None:
    """By the bits: WGSL lets a compiler assume that there are no infinities."""
    wanted = [
        f"bitcast<u32>(a) == {bits}u"
        for name, bits in (("detect_positive", 0x7F800000), ("detect_negative", 0xFF800000))
        if node.attributes.get(name, 1)
    ]
    map_elements(lowering, node, " || ".join(wanted) or "false", node.inputs, node.outputs[0])


OPERATOR = Operator("IsInf", compare, lower)
