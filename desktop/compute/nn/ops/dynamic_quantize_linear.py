"""DynamicQuantizeLinear: uint8 numbers with a scale and zero point from the tensor's own range.

https://onnx.ai/onnx/operators/onnx__DynamicQuantizeLinear.html
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, require


def _expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As ONNX's function spells it out, but that a tensor of zeros has the scale 1, as in ONNX Runtime; the function divides 0 by 0."""
    require(len(node.inputs) == 1, node, "another number of inputs")
    build, x = Builder(node), node.inputs[0]
    zero, one, most = (build.constant(number, "float32") for number in (0.0, 1.0, 255.0))
    low = build.add("Min", build.add("ReduceMin", x, keepdims=0), zero)
    spread = build.add("Sub", build.add("Max", build.add("ReduceMax", x, keepdims=0), zero), low)
    scale = build.add("Where", build.add("Equal", spread, zero), one, build.add("Div", spread, most))
    place = build.add("Sub", zero, build.add("Div", low, scale))
    place = build.add("Cast", build.add("Round", build.add("Clip", place, zero, most)), to=2)  # uint8
    outputs = [*node.outputs, "", "", ""][:3]
    if outputs[0]:
        build.add("QuantizeLinear", x, scale, place, output=outputs[0])
    for name, found in ((outputs[1], scale), (outputs[2], place)):
        if name:
            build.add("Identity", found, output=name)
    return build.done()


OPERATOR = Operator("DynamicQuantizeLinear", expands, expand=_expand)
