"""A normalization spelled out in primitives becomes one InstanceNormalization or LayerNormalization.

    d = x - ReduceMean(x);  y = d / Sqrt(ReduceMean(d * d) + epsilon)

(Ulyanov, Vedaldi, Lempitsky, 2016; Ba, Kiros, Hinton, 2016). It takes two or three dispatches, not seven, and
keeps sums and squares, which may overflow float16, in float32. So do rows divided by their norm:

    y = x / Max(ReduceL2(x), epsilon)
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.kernels.normalization import LeastNorm
from desktop.compute.nn.passes.moves import scalar_of
from desktop.compute.nn.passes.pattern import (
    Made,
    Match,
    Matcher,
    Named,
    Number,
    OneOf,
    Op,
    Pattern,
    Rule,
    Var,
    apply,
)


def _mean(of: Pattern, label: str) -> Pattern:
    """A mean; a Reshape that joins the averaged axes is looked through."""
    return Named(label, Op("ReduceMean", OneOf(Op("Reshape", of, more=True), of), label=label, more=True))


_X: Final = Var("x")
_DIFFERENCE: Final = Op("Sub", _X, _mean(_X, "mean"))
_SQUARE: Final = OneOf(Op("Mul", _DIFFERENCE, _DIFFERENCE), Op("Pow", _DIFFERENCE, Number(2)))
_VARIANCE: Final = _mean(_SQUARE, "variance")
NORMALIZED: Final = Op("Div", _DIFFERENCE, Op("Sqrt", Op("Add", _VARIANCE, Var("epsilon"))))

_LAYER: Final = Op("LayerNormalization", _X, label="layer", more=True)
SCALED: Final = Op(("Mul", "Add"), _LAYER, Var("parameter"))

_NORM: Final = Named("norm", Op("ReduceL2", _X, more=True))
_FLOOR: Final = Var("floor")
_AT_LEAST: Final = OneOf(Op("Clip", _NORM, _FLOOR), Op("Max", _NORM, _FLOOR), Op("Max", _FLOOR, _NORM))
BY_NORM: Final = Op("Div", _X, OneOf(Op("Expand", _AT_LEAST, more=True), _AT_LEAST))
_LEAST_FLOOR: Final = 1e-30
"""A floor whose reciprocal is a normal float32."""


def fuse_normalizations(graph: Graph) -> Graph:
    """Replace the Div and the nodes only it needs; a constant scale and bias join a layer."""
    return apply(
        graph, Rule(NORMALIZED, _normalization), Rule(SCALED, _with_parameter), Rule(BY_NORM, _by_norm)
    )


def _normalization(matcher: Matcher, node: Node, match: Match) -> Made | None:
    graph, x = matcher.graph, match["x"]
    epsilon = scalar_of(graph, match["epsilon"])
    if epsilon is None or epsilon < 0 or graph.shape(match["mean"]) != graph.shape(match["variance"]):
        return None
    if not all(_averages_the_last(graph, match.nodes[label], x) for label in ("mean", "variance")):
        return None
    shape, axis = graph.shape(x), _first_axis(graph, match["variance"], x)
    if axis == 2 and len(shape) > 3:  # of three dimensions, the second one is a transformer's tokens
        return _instance(graph, node, x, epsilon)
    return Made(
        replace(node, op="LayerNormalization", inputs=(x,), attributes={"epsilon": epsilon, "axis": axis})
    )


def _by_norm(matcher: Matcher, node: Node, match: Match) -> Made | None:
    """PyTorch's `normalize` over the last axis."""
    graph, x = matcher.graph, match["x"]
    floor, shape = scalar_of(graph, match["floor"]), graph.shape(x)
    if floor is None or not _LEAST_FLOOR <= floor < math.inf or not shape or shape[-1] == 1:
        return None
    if graph.shape(match["norm"]) != (*shape[:-1], 1) or graph.shape(node.outputs[0]) != shape:
        return None
    made = replace(node, op="LpNormalization", inputs=(x,), attributes={"axis": -1, "p": 2})
    return Made(made.with_detail(LeastNorm(floor)))


def _instance(graph: Graph, node: Node, x: str, epsilon: float) -> Made:
    dtype, channels = graph.values[x].dtype, graph.shape(x)[1]
    scale, bias = f"{node.outputs[0]}:scale", f"{node.outputs[0]}:bias"
    made = replace(node, op="InstanceNormalization", inputs=(x, scale, bias), attributes={"epsilon": epsilon})
    return Made(made, {scale: np.ones(channels, dtype), bias: np.zeros(channels, dtype)})


def _averages_the_last(graph: Graph, mean: Node, source: str) -> bool:
    """True if a ReduceMean keeps and averages all axes from one on of `source` or a tensor of its shape."""
    if not int(mean.attributes.get("keepdims", 1)):
        return False
    shape, kept = graph.shape(source), graph.shape(mean.outputs[0])
    start = _first_axis(graph, mean.outputs[0], source)
    trailing = kept[:start] == shape[:start] and all(n == 1 for n in kept[start:])
    # Averaged are the last elements of the row-major tensor, so a Reshape in between changes nothing.
    inner = graph.shape(mean.inputs[0])
    axes = [i for i, (a, b) in enumerate(zip(inner, kept, strict=True)) if a != b]
    joined = bool(axes) and math.prod(inner[axes[0] :]) == math.prod(shape[start:])
    return trailing and joined and len(kept) == len(shape)


def _first_axis(graph: Graph, mean: str, source: str) -> int:
    shape, kept = graph.shape(source), graph.shape(mean)
    return next((i for i, (a, b) in enumerate(zip(shape, kept, strict=False)) if a != b), len(shape))


def _with_parameter(matcher: Matcher, node: Node, match: Match) -> Made | None:
    """A Mul or Add of a constant to a layer normalization that lacks its scale or its bias."""
    graph, layer = matcher.graph, match.nodes["layer"]
    array = graph.constants.get(match["parameter"])
    if array is None or not matcher.is_private(layer.outputs[0]):
        return None
    shape = graph.shape(layer.outputs[0])
    # A parameter may stretch an axis of one, which the layer itself does not.
    fits = array.ndim <= len(shape) - int(layer.attributes.get("axis", -1)) % len(shape)
    fits &= graph.shape(node.outputs[0]) == shape
    if fits and len(layer.inputs) == (1 if node.op == "Mul" else 2) and layer.outputs[1:] == ():
        return Made(replace(layer, outputs=node.outputs, inputs=(*layer.inputs, match["parameter"])))
    return None
