"""GELU spelled out becomes one element-wise step, which the kernel that computes x can then take.

    x / sqrt(2) -> Erf -> + 1 -> * x -> * 0.5        or        sqrt(2 / pi) (x + 0.044715 x^3) -> Tanh -> + 1 -> * x -> * 0.5

in any order, before opset 20 (Hendrycks, Gimpel, "Gaussian Error Linear Units", 2016).
"""

from __future__ import annotations

import math
from typing import Final

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.passes.elementwise import elementwise
from desktop.compute.nn.passes.pattern import (
    Made,
    Match,
    Matcher,
    Multiple,
    Number,
    OneOf,
    Op,
    Product,
    Rule,
    Var,
    apply,
)

_X: Final = Var("x")
_CUBE: Final = OneOf(Op("Pow", _X, Number(3)), Op("Mul", _X, Op("Mul", _X, _X)))
_ERF: Final = Op("Erf", Multiple(_X, math.sqrt(1 / 2)))
_TANH: Final = Op("Tanh", Multiple(Op("Add", _X, Multiple(_CUBE, 0.044715)), math.sqrt(2 / math.pi)))
GELU: Final = Product(_X, Op("Add", _ERF, Number(1)), by=0.5)
GELU_TANH: Final = Product(_X, Op("Add", _TANH, Number(1)), by=0.5)


def fuse_gelu(graph: Graph) -> Graph:
    """Fuse GELU into its last product; nodes before it stay only if others read them."""
    return apply(graph, Rule(GELU, _gelu), Rule(GELU_TANH, _gelu_tanh))


def _gelu(matcher: Matcher, node: Node, match: Match) -> Made | None:
    return _step(matcher, node, match, "gelu")


def _gelu_tanh(matcher: Matcher, node: Node, match: Match) -> Made | None:
    return _step(matcher, node, match, "gelu_tanh")


def _step(matcher: Matcher, node: Node, match: Match, kind: str) -> Made | None:
    # A constant may have stretched x.
    fits = matcher.graph.shape(match["x"]) == matcher.graph.shape(node.outputs[0])
    return Made(elementwise(node, match["x"], EpilogueStep(kind))) if fits else None
