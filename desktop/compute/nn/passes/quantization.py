"""QuantizeLinear + DequantizeLinear around activations: one element-wise step that rounds to the quantised grid.

The network then computes in floating point what integer kernels would give, up to rounding; weights were dequantised when
constants were folded. The rounding is kept, not dropped: networks are trained with it, and top-5 depends on it.
"""

from __future__ import annotations

import numpy as np

from desktop.compute.nn.epilogue import Step
from desktop.compute.nn.graph import INTERNAL, Graph, Node
from desktop.compute.nn.operator import constant_input, refuse_unless


def fold_quantization(graph: Graph) -> Graph:
    """Replace each DequantizeLinear of a QuantizeLinear; the latter goes when nobody reads it any more."""
    producers = graph.producers()
    nodes = []
    for node in graph.nodes:
        source = producers.get(node.inputs[0]) if node.op == "DequantizeLinear" else None
        if source is None or source.op != "QuantizeLinear":
            refuse_unless(
                node.op != "DequantizeLinear", node, "integer activations without QuantizeLinear before"
            )
            nodes.append(node)
            continue
        nodes.append(
            Node(
                "Elementwise",
                node.name,
                (source.inputs[0],),
                node.outputs,
                domain=INTERNAL,
                epilogue=(_step(source, node, graph),),
            )
        )
    return _without_quantize(graph.with_nodes(nodes))


def _step(quantize: Node, dequantize: Node, graph: Graph) -> Step:
    constants = graph.constants
    found = []
    for node in (quantize, dequantize):
        scale, zero = constant_input(node, 1, constants), constant_input(node, 2, constants)
        assert scale is not None
        refuse_unless(scale.size == 1, node, "a scale for each channel of activations")
        found.append((float(scale.reshape(())), 0.0 if zero is None else float(zero.reshape(()))))
    refuse_unless(found[0] == found[1], dequantize, "another scale than the QuantizeLinear before it")
    refuse_unless(
        graph.values[quantize.outputs[0]].dtype in ("int8", "uint8"),
        quantize,
        "a type other than int8 and uint8",
    )
    limits = np.iinfo(graph.values[quantize.outputs[0]].dtype)
    return Step("quantize", (*found[0], float(limits.min), float(limits.max)))


def _without_quantize(graph: Graph) -> Graph:
    read = {name for node in graph.nodes for name in node.reads} | graph.pinned
    return graph.with_nodes(n for n in graph.nodes if n.op != "QuantizeLinear" or n.outputs[0] in read)
