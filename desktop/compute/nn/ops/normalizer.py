"""ai.onnx.ml's Normalizer: rows divided by their largest number, by the sum of their sizes, or by their length.

https://onnx.ai/onnx/operators/onnx_aionnxml_Normalizer.html
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, require

_REDUCTIONS = {"MAX": "ReduceMax", "L1": "ReduceL1", "L2": "ReduceL2"}


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a reduction and a division; a row of zeros stays one, as in ONNX Runtime."""
    norm = str(node.attributes.get("norm", "MAX"))
    require(norm in _REDUCTIONS, node, f"norm '{norm}'")
    build = Builder(node)
    rows = build.floats(node.inputs[0])
    size = build.add(_REDUCTIONS[norm], rows, build.constant([-1]), keepdims=1)
    nothing = build.add("Equal", size, build.constant(0.0, "float32"))
    divisor = build.add("Where", nothing, build.constant(1.0, "float32"), size)
    build.add("Div", rows, divisor, output=node.outputs[0])
    return build.done()


OPERATOR = Operator("ai.onnx.ml.Normalizer", expands, expand=expand)
