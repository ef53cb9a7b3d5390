"""Affine: alpha * x + beta. An operator of ONNX's first releases that runtimes still take.

https://github.com/onnx/onnx/blob/rel-1.4/docs/Operators.md#experimental-affine
"""

from __future__ import annotations

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Operator, same_as_first


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """A product and a sum."""
    alpha, beta = float(node.attributes.get("alpha", 1.0)), float(node.attributes.get("beta", 0.0))
    return node.inputs[0], (EpilogueStep("mul", (alpha,)), EpilogueStep("add", (beta,)))


OPERATOR = Operator("Affine", same_as_first, steps=steps)
