"""ai.onnx.ml's ArrayFeatureExtractor: entries of the last axis, chosen by their numbers.

It picks a class's probability behind a classifier.

https://onnx.ai/onnx/operators/onnx_aionnxml_ArrayFeatureExtractor.html
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, require


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a Gather; of one axis the result has two, as ONNX Runtime gives it."""
    build = Builder(node)
    source, chosen = node.inputs
    rank = len(values[source].shape)
    require(rank > 0, node, "a number instead of a tensor")
    if rank == 1:
        source = build.add("Unsqueeze", source, build.constant([0]))
    flat = build.add("Reshape", chosen, build.constant([-1]))
    build.add("Gather", source, flat, output=node.outputs[0], axis=-1)
    return build.done()


OPERATOR = Operator("ai.onnx.ml.ArrayFeatureExtractor", expands, expand=expand)
