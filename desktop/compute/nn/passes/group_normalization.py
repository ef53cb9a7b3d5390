"""A group normalization that is spelled out becomes one node (Wu, He, "Group Normalization", 2018).

    Reshape(InstanceNormalization(Reshape(x, [N, groups, -1])), shape of x) * scale + bias

before opset 21. That takes seven dispatches with two changes of layout, the node three.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.passes.pattern import Made, Match, Matcher, Op, Rule, Var, apply

_INSTANCE: Final = Op(
    "InstanceNormalization", Op("Reshape", Var("x"), more=True), label="instance", more=True
)
GROUPED: Final = Op("Reshape", _INSTANCE, more=True)
SCALED: Final = Op(
    ("Mul", "Add"), Op("GroupNormalization", Var("x"), label="group", more=True), Var("parameter")
)
_BY_CHANNEL: Final = 21
"""The opset since which there is a parameter for each channel."""


def fuse_group_normalizations(graph: Graph) -> Graph:
    """The Reshapes go, and the scale and bias after them join the node where they are constants."""
    graph = apply(graph, Rule(GROUPED, _grouped))
    for _ in ("scale", "bias"):  # the second one multiplies and adds to what the first one made
        graph = apply(graph, Rule(SCALED, _with_parameter))
    return graph


def _grouped(matcher: Matcher, node: Node, match: Match) -> Made | None:
    graph, instance = matcher.graph, match.nodes["instance"]
    shape, seen = graph.shape(match["x"]), graph.shape(instance.inputs[0])
    parameters = [graph.constants.get(name) for name in instance.inputs[1:3]]
    known = [each for each in parameters if each is not None]
    if graph.shape(node.outputs[0]) != shape or len(shape) < 3 or shape[:1] != seen[:1] or len(known) < 2:
        return None
    if shape[1] % seen[1] or not all(matcher.is_private(name) for name in (instance.outputs[0],)):
        return None
    scale, bias = (np.repeat(each, shape[1] // seen[1]) for each in known)
    attributes = {"num_groups": seen[1], "epsilon": float(instance.attributes.get("epsilon", 1e-5))}
    return _made(replace(node, attributes=attributes), match["x"], scale, bias)


def _with_parameter(matcher: Matcher, node: Node, match: Match) -> Made | None:
    graph, group = matcher.graph, match.nodes["group"]
    parameter = graph.constants.get(match["parameter"])
    shape = graph.shape(group.outputs[0])
    arrays = [graph.constants.get(name) for name in group.inputs[1:3]]
    scale, bias = arrays
    if parameter is None or scale is None or bias is None or group.version != _BY_CHANNEL:
        return None
    full = (1,) * (len(shape) - parameter.ndim) + parameter.shape
    by_channel = len(full) == len(shape) and full[1] in (1, shape[1]) and parameter.size == full[1]
    fits = by_channel and graph.shape(node.outputs[0]) == shape and matcher.is_private(group.outputs[0])
    if not fits:
        return None
    each = np.broadcast_to(parameter.reshape(-1), (shape[1],))
    scale, bias = (scale * each, bias * each) if node.op == "Mul" else (scale, bias + each)
    return _made(replace(node, attributes=group.attributes), match["x"], scale, bias)


def _made(node: Node, x: str, scale: np.ndarray, bias: np.ndarray) -> Made:
    names = f"{node.outputs[0]}:scale", f"{node.outputs[0]}:bias"
    made = replace(node, op="GroupNormalization", inputs=(x, *names), version=_BY_CHANNEL)
    return Made(made, dict(zip(names, (scale, bias), strict=True)))
