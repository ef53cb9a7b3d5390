"""If: the branch that a condition chooses; the condition must be known when the session is built.

https://onnx.ai/onnx/operators/onnx__If.html
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import Builder, body_of, expands, known
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, require


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """The nodes of the chosen branch."""
    chosen = known(node, node.inputs[0], constants, "a condition")
    build = Builder(node)
    results = build.body(body_of(node, "then_branch" if chosen else "else_branch"), (), "branch")
    require(len(results) == len(node.outputs), node, "a branch with another number of results")
    for result, output in zip(results, node.outputs, strict=True):
        if output:
            build.add("Identity", result, output=output)
    return build.done()


OPERATOR = Operator("If", expands, expand=expand, host=(0,))
