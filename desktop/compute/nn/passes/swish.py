"""x * Sigmoid(x) and x * HardSigmoid(x) become one element-wise step, which the kernel that computes x can then take.

Swish: Ramachandran, Zoph, Le, "Searching for Activation Functions", 2017; its piecewise form: Howard et al., "Searching for
MobileNetV3", 2019.
"""

from __future__ import annotations

from dataclasses import replace

from desktop.compute.nn.ir.epilogue import Step
from desktop.compute.nn.ir.graph import INTERNAL, Graph, Node


def fuse_swish(graph: Graph) -> Graph:
    """The gate goes with the Mul unless somebody else reads it (then it is computed besides)."""
    producers = graph.producers()
    return graph.with_nodes(_rewrite(node, producers) for node in graph.nodes)


def _rewrite(node: Node, producers: dict[str, Node]) -> Node:
    if node.op != "Mul" or len(node.inputs) != 2:
        return node
    for x, gate in (node.inputs, node.inputs[::-1]):
        source = producers.get(gate)
        if source is None or source.op not in ("Sigmoid", "HardSigmoid") or source.inputs[0] != x:
            continue
        if source.op == "Sigmoid":
            step = Step("swish")
        else:
            alpha, beta = source.attributes.get("alpha", 0.2), source.attributes.get("beta", 0.5)
            step = Step("hard_swish", (float(alpha), float(beta)))
        return replace(node, op="Elementwise", domain=INTERNAL, inputs=(x,), attributes={}, epilogue=(step,))
    return node
