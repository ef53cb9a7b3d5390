"""A small matcher, so that a fusion reads like its formula.

    x = Var("x")
    SWISH = Op("Mul", x, Op("Sigmoid", x))

A pattern is a value with its computation, matched from the last node backwards; equal parts must be the same
value. Sums and products match either way round, so a matcher yields every match: the first may be refuted by
a later comparison. Nodes with an epilogue or of another domain do not match.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.passes.moves import factor_of, scalar_of

_CLOSE: Final = 1e-3
"""Relative, of factors: a constant may have been rounded to float16."""
_COMMUTATIVE: Final = frozenset({"Add", "Mul"})
_FARTHEST: Final = 4
"""Longest chain of products by constants that is followed; only a malicious file has more."""


@dataclass(frozen=True)
class Match:
    """Values of a pattern's labels."""

    values: Mapping[str, str] = field(default_factory=dict)
    nodes: Mapping[str, Node] = field(default_factory=dict)

    def __getitem__(self, label: str) -> str:
        """Name of the value that a `Var` or a `Named` stands for."""
        return self.values[label]


class Matcher:
    """A graph, and what is looked up in it again and again."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._producers = graph.producers()

    @cached_property
    def _readers(self) -> dict[str, list[Node]]:
        return self.graph.consumers()

    def take(self, node: Node) -> None:
        """Let later matches find `node`, made by a pass, in place of the one that computed its outputs."""
        self._producers.update({name: node for name in node.outputs if name})

    def made_by(self, name: str, *ops: str) -> Node | None:
        """The plain node of one of `ops` that computes a value."""
        node = self._producers.get(name)
        return node if node is not None and node.op in ops and node.is_plain else None

    def readers_of(self, name: str) -> Sequence[Node]:
        """The nodes that read a value; one that reads it twice is listed twice."""
        return self._readers.get(name, ())

    def is_private(self, name: str, readers: int = 1) -> bool:
        """True where `readers` inputs read the value and it need not exist at the end."""
        return len(self.readers_of(name)) == readers and name not in self.graph.pinned

    def multiples(self, name: str) -> Iterator[tuple[str, float]]:
        """The value itself, then what it is a multiple of by constants, and by how much."""
        factor = 1.0
        yield name, factor
        for _ in range(_FARTHEST):
            node = self._producers.get(name)
            found = factor_of(self.graph, node) if node is not None else None
            if found is None:
                return
            name, factor = found[0], factor * found[1]
            yield name, factor

    def matches(self, pattern: Pattern, name: str) -> Iterator[Match]:
        """Every way in which a pattern matches the value `name`."""
        return pattern.match(self, name, Match())


class Pattern(ABC):
    """Stands for a value."""

    @abstractmethod
    def match(self, within: Matcher, name: str, found: Match) -> Iterator[Match]:
        """Yield `found` with this pattern's bindings, for each way in which it matches the value `name`."""


@dataclass(frozen=True)
class Var(Pattern):
    """Any value; the same one wherever the label stands."""

    label: str

    def match(self, within: Matcher, name: str, found: Match) -> Iterator[Match]:
        if found.values.get(self.label, name) == name:
            yield replace(found, values={**found.values, self.label: name})


@dataclass(frozen=True)
class Named(Pattern):
    """A value that another pattern describes, with a label for it."""

    label: str
    inner: Pattern

    def match(self, within: Matcher, name: str, found: Match) -> Iterator[Match]:
        for each in Var(self.label).match(within, name, found):
            yield from self.inner.match(within, name, each)


@dataclass(frozen=True)
class Number(Pattern):
    """A constant of one element that holds just this number."""

    value: float

    def match(self, within: Matcher, name: str, found: Match) -> Iterator[Match]:
        if scalar_of(within.graph, name) == self.value:
            yield found


class Op(Pattern):
    """A plain node of the types `ops`, by its first output.

    `inputs` match its first inputs (it may have more only if `more`), `label` names the node.
    """

    def __init__(
        self, ops: str | tuple[str, ...], *inputs: Pattern, label: str = "", more: bool = False
    ) -> None:
        self._ops = (ops,) if isinstance(ops, str) else ops
        self._inputs, self._label, self._more = inputs, label, more

    def match(self, within: Matcher, name: str, found: Match) -> Iterator[Match]:
        node = within.made_by(name, *self._ops)
        if node is None or node.outputs[0] != name or not self._fits(node):
            return
        if self._label:
            found = replace(found, nodes={**found.nodes, self._label: node})
        yield from _each(self._inputs, node.inputs, within, found)
        if node.op in _COMMUTATIVE:
            yield from _each(self._inputs, node.inputs[::-1], within, found)

    def _fits(self, node: Node) -> bool:
        count = len(self._inputs)
        return len(node.inputs) >= count and (self._more or not any(node.inputs[count:]))


def _each(
    patterns: tuple[Pattern, ...], names: tuple[str, ...], within: Matcher, found: Match
) -> Iterator[Match]:
    if not patterns:
        yield found
        return
    for each in patterns[0].match(within, names[0], found):
        yield from _each(patterns[1:], names[1:], within, each)


class OneOf(Pattern):
    """A pattern with alternatives."""

    def __init__(self, *patterns: Pattern) -> None:
        self._patterns = patterns

    def match(self, within: Matcher, name: str, found: Match) -> Iterator[Match]:
        for pattern in self._patterns:
            yield from pattern.match(within, name, found)


@dataclass(frozen=True)
class Multiple(Pattern):
    """`inner` times a number, in however many products and quotients by constants."""

    inner: Pattern
    by: float

    def match(self, within: Matcher, name: str, found: Match) -> Iterator[Match]:
        for source, factor in within.multiples(name):
            if math.isclose(factor, self.by, rel_tol=_CLOSE):
                yield from self.inner.match(within, source, found)


@dataclass(frozen=True)
class Product(Pattern):
    """`first * second * by`, in any order, the number in however many places."""

    first: Pattern
    second: Pattern
    by: float

    def match(self, within: Matcher, name: str, found: Match) -> Iterator[Match]:
        for whole, factor in within.multiples(name):
            product = within.made_by(whole, "Mul")
            for one, other in (product.inputs, product.inputs[::-1]) if product is not None else ():
                yield from self._factors(within, one, other, factor, found)

    def _factors(self, within: Matcher, one: str, other: str, factor: float, found: Match) -> Iterator[Match]:
        for a, by in within.multiples(one):
            for b, further in within.multiples(other):
                if math.isclose(factor * by * further, self.by, rel_tol=_CLOSE):
                    for each in self.first.match(within, a, found):
                        yield from self.second.match(within, b, each)


@dataclass(frozen=True)
class Made:
    """Replacement of a node, and the constants that it brings along, by name."""

    node: Node
    constants: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """A pattern and a function for its last node's replacement, which returns None on a false match."""

    pattern: Pattern
    make: Callable[[Matcher, Node, Match], Made | None]


def apply(graph: Graph, *rules: Rule) -> Graph:
    """Replace each node by the result of the first rule that accepts it; nodes before it stay.

    Later nodes match plain results of earlier ones: a scale joins a normalization just fused.
    """
    matcher = Matcher(graph)
    nodes: list[Node] = []
    constants: dict[str, np.ndarray] = {}
    for node in graph.nodes:
        made = _made(matcher, rules, node)
        nodes.append(made.node)
        constants.update(made.constants)
        if made.node is not node and made.node.is_plain:
            matcher.take(made.node)
    return graph.with_nodes(nodes, constants)


def _made(matcher: Matcher, rules: tuple[Rule, ...], node: Node) -> Made:
    for rule in rules if node.outputs[0] and node.is_plain else ():
        for match in matcher.matches(rule.pattern, node.outputs[0]):
            made = rule.make(matcher, node, match)
            if made is not None:
                return made
    return Made(node)
