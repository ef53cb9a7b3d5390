"""x * Sigmoid(x), x * Sigmoid(a x) and x * HardSigmoid(x) become one step that x's kernel can take.

Ramachandran, Zoph, Le, "Searching for Activation Functions", 2017; Howard et al., "Searching for
MobileNetV3", 2019. a = 1.702 is CLIP's GELU (Hendrycks, Gimpel, 2016).
"""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.passes.elementwise import elementwise
from desktop.compute.nn.passes.pattern import Made, Match, Matcher, Op, Rule, Var, apply

_X: Final = Var("x")
SWISH: Final = Op("Mul", _X, Op("Sigmoid", _X))
SCALED_SWISH: Final = Op("Mul", _X, Op("Sigmoid", Var("multiple")))
HARD_SWISH: Final = Op("Mul", _X, Op("HardSigmoid", _X, label="gate"))


def fuse_swish(graph: Graph) -> Graph:
    """Replace the Mul by a step; the gate stays only if another node reads it."""
    return apply(graph, Rule(SWISH, _swish), Rule(SCALED_SWISH, _scaled_swish), Rule(HARD_SWISH, _hard_swish))


def _swish(matcher: Matcher, node: Node, match: Match) -> Made:
    return Made(elementwise(node, match["x"], EpilogueStep("swish")))


def _scaled_swish(matcher: Matcher, node: Node, match: Match) -> Made | None:
    for source, factor in matcher.multiples(match["multiple"]):
        if source == match["x"]:
            return Made(elementwise(node, source, EpilogueStep("scaled_swish", (factor,))))
    return None


def _hard_swish(matcher: Matcher, node: Node, match: Match) -> Made | None:
    given = match.nodes["gate"].attributes
    numbers = (float(given.get("alpha", 0.2)), float(given.get("beta", 0.5)))
    return Made(elementwise(node, match["x"], EpilogueStep("hard_swish", numbers))) if numbers[0] else None
