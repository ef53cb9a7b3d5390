"""ai.onnx.ml's Scaler: (x - offset) * scale, each of them one number or one for each feature.

https://onnx.ai/onnx/operators/onnx_aionnxml_Scaler.html
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, require


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a Sub and a Mul."""
    build, features = Builder(node), values[node.inputs[0]].shape[-1:]
    found = []
    for name, default in (("offset", 0.0), ("scale", 1.0)):
        numbers = node.attributes.get(name, [default])
        require(len(numbers) == 1 or (len(numbers),) == features, node, f"{len(numbers)} numbers '{name}'")
        found.append(build.constant(numbers, "float32"))
    offset, scale = found
    build.add("Mul", build.add("Sub", build.floats(node.inputs[0]), offset), scale, output=node.outputs[0])
    return build.done()


OPERATOR = Operator("ai.onnx.ml.Scaler", expands, expand=expand)
