"""QLinearConv, QLinearMatMul and QLinearAdd, rewritten as DequantizeLinear, float operator, QuantizeLinear.

Runs before shape inference; `rewrite_as_integers` makes integers of both forms.
https://onnx.ai/onnx/operators/onnx__QLinearConv.html,
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import constant_input, refuse_unless, require
from desktop.compute.nn.ops import QLINEAR


def expand_qlinear(graph: Graph) -> Graph:
    """Inputs of all three: (a, scale, zero point), (b, scale, zero point), result's scale and zero point."""
    nodes: list[Node] = []
    constants: dict[str, np.ndarray] = {}
    for node in graph.nodes:
        if node.op in QLINEAR:
            nodes += _expanded(node, graph, constants)
        else:
            nodes.append(node)
    return graph.with_nodes(nodes, constants)


def _expanded(node: Node, graph: Graph, constants: dict[str, np.ndarray]) -> list[Node]:
    require(len(node.inputs) >= 8 and len(node.outputs) == 1, node, "it lacks inputs or its output")
    output = node.outputs[0]
    opset = 13 if node.op.startswith("com.") else node.version
    axis = {"QLinearConv": 0, "QLinearMatMul": 1}.get(node.op, 0)

    def own(
        op: str,
        inputs: tuple[str, ...],
        outputs: tuple[str, ...],
        attributes: Mapping[str, Any] | None = None,
    ) -> Node:
        return Node(op, node.name, inputs, outputs, attributes or {}, version=opset, origin=str(node))

    def dequantized(first: int, suffix: str) -> Node:
        inputs = tuple(node.input(first + i) for i in range(3))
        return own("DequantizeLinear", inputs, (f"{output}:{suffix}",), {"axis": axis})

    made = [dequantized(0, "a"), dequantized(3, "b")]
    inputs = [f"{output}:a", f"{output}:b"]
    if node.op == "QLinearConv" and node.input(8):
        scales = [constant_input(node, i, graph.constants) for i in (1, 4)]
        refuse_unless(all(s is not None and s.dtype == np.float32 for s in scales), node, "its scales")
        # The bias is in units of the product of both scales.
        constants[f"{output}:scale"] = np.multiply(*scales).reshape(-1)  # type: ignore[arg-type]
        names = (node.input(8), f"{output}:scale")
        made.append(own("DequantizeLinear", names, (f"{output}:c",), {"axis": 0}))
        inputs.append(f"{output}:c")
    plain = node.op.removeprefix("com.microsoft.").removeprefix("QLinear")
    made.append(own(plain, tuple(inputs), (f"{output}:y",), node.attributes))
    quantize = (f"{output}:y", node.input(6), node.input(7))
    return [*made, own("QuantizeLinear", quantize, node.outputs)]
