"""ai.onnx.ml's Binarizer: 1 above a threshold, else 0.

https://onnx.ai/onnx/operators/onnx_aionnxml_Binarizer.html
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a Greater and a Cast."""
    build, dtype = Builder(node), values[node.inputs[0]].dtype
    threshold = build.constant(float(node.attributes.get("threshold", 0.0)), dtype)
    build.add(
        "Cast",
        build.add("Greater", node.inputs[0], threshold),
        output=node.outputs[0],
        to=code_of(dtype),
    )
    return build.done()


OPERATOR = Operator("ai.onnx.ml.Binarizer", expands, expand=expand)
