"""BatchNormalization: into the weights of the Conv before it, else into a scale and a shift a channel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import INTERNAL, Graph, Node
from desktop.compute.nn.ops.normalization import has_known_parameters, scale_and_shift
from desktop.compute.nn.passes.merged_weights import stored_weights


def fold_batch_norm(graph: Graph) -> Graph:
    """A Conv takes it when nothing else reads the Conv's result and the weights are constants."""
    consumers = graph.consumers()
    constants: dict[str, np.ndarray] = {}
    nodes: dict[str, Node] = {}  # by first output, in order
    for node in graph.nodes:
        if node.op != "BatchNormalization" or not has_known_parameters(node, graph.constants):
            nodes[node.outputs[0]] = node
            continue
        source = node.inputs[0]
        scale, shift = scale_and_shift(node, graph.constants, graph.shape(source)[1])
        conv = nodes.get(source)
        alone = len(consumers[source]) == 1 and source not in graph.pinned
        merged = None
        if conv is not None and conv.op == "Conv" and alone and _is_known(conv, graph):
            merged = _into_conv(conv, node.outputs[0], scale, shift, graph, constants)
        if merged is not None:
            del nodes[source]
        nodes[node.outputs[0]] = merged or _as_steps(node, scale, shift, graph, constants)
    return graph.with_nodes(nodes.values(), constants)


def _is_known(conv: Node, graph: Graph) -> bool:
    """Whether weights and bias are constants."""
    return all(name in graph.constants for name in conv.inputs[1:] if name)


def _into_conv(
    conv: Node,
    output: str,
    scale: np.ndarray,
    shift: np.ndarray,
    graph: Graph,
    constants: dict[str, np.ndarray],
) -> Node | None:
    """Return the Conv that computes both; None if float16 would not hold its weights."""
    weights = graph.constants[conv.inputs[1]]
    scaled = weights * scale.reshape(-1, *[1] * (weights.ndim - 1))
    stored = stored_weights(scaled, weights.dtype)
    if stored is None:
        return None
    bias = graph.constants[conv.input(2)] if conv.input(2) else 0.0
    names = (f"{output}:weights", f"{output}:bias")
    constants[names[0]] = stored
    # The bias stays float32 even in a float16 model: kernels add it in float32.
    constants[names[1]] = (bias * scale + shift).astype(np.float32)
    return replace(conv, inputs=(conv.inputs[0], *names), outputs=(output,))


def _as_steps(
    node: Node, scale: np.ndarray, shift: np.ndarray, graph: Graph, constants: dict[str, np.ndarray]
) -> Node:
    rank = len(graph.shape(node.inputs[0]))
    steps = []
    for kind, array in (("mul", scale), ("add", shift)):
        name = f"{node.outputs[0]}:{kind}"
        constants[name] = array.astype(np.float32).reshape(1, -1, *[1] * (rank - 2))
        steps.append(EpilogueStep(kind, operand=name))
    return Node(
        *("Elementwise", node.name, node.inputs[:1], node.outputs),
        domain=INTERNAL,
        epilogue=tuple(steps),
        origin=str(node),
    )
