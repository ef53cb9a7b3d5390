"""Join nodes that move numbers, and element-wise ones between them, to trees of one dispatch each.

    y = Concat(Slice(x), Neg(Slice(x))) * s   reads x and s, and stores nothing between (kernels/moved.py)

A value is computed where it is read if only nodes of trees read it: moves of one tensor in each of them, all
else in one. The last step before the lowering: other passes see the plain nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from desktop.compute.nn.ir.epilogue import TABLED
from desktop.compute.nn.ir.graph import INTERNAL, Graph, Node
from desktop.compute.nn.ir.places import Chosen, Digit, Index, Read, Source
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.kernels.moved import Member, Moved, operand_place
from desktop.compute.nn.ops import OPERATORS

_MOST_VALUES: Final = 40
"""Most values of a tree, those that are read more than once counted as often."""
_MOST_LEAVES: Final = 15
"""Most tensors that a tree reads, where the adapter binds as many."""
_MOST_TREES: Final = 8
"""Most trees in which a move is repeated."""
_ROUNDED: Final = frozenset(
    {
        "nearest",
        "half",
        "floor",
        "ceil",
        "round",
        "round_away",
        "requantize",
        "requantize_once",
        "whole_mean",
        *TABLED,
    }
)
"""Steps whose result jumps with the last bit of what they are given, which must be what it is elsewhere."""
_CHEAP: Final = frozenset(
    {"relu", "clip", "at_least", "at_most", "above_infinity", "below_infinity", "leaky_relu", "abs", "neg"}
    | {
        "square",
        "cube",
        "add",
        "sub",
        "rsub",
        "mul",
        "div",
        "rdiv",
        "min",
        "max",
        "prelu",
        "reciprocal",
        "sqrt",
    }
)
"""Steps that may be repeated for each element to which their result is stretched."""
_OF_ZERO: Final = frozenset({"mul", "div", "rdiv", "prelu", "swiglu"})
"""Steps of two tensors whose result compilers take for zero where they see that one of them is, though the other
may be NaN: a Pad's constants come from memory there."""


def join_moves(graph: Graph, placed: Mapping[str, tuple[str, int]], most_storages: int) -> Graph:
    """Return the graph with trees in place of their nodes.

    Args:
        placed: values that are computed in the memory of a Concat, which takes no dispatch there.
        most_storages: storage buffers a stage, the result's included.
    """
    return _Joining(graph, placed, min(most_storages - 1, _MOST_LEAVES)).run()


@dataclass(frozen=True)
class _Size:
    """Values of a tree, and the tensors that it reads; `is_padded`: some are constants of a Pad."""

    values: int
    leaves: frozenset[str]
    is_padded: bool


class _Joining:
    def __init__(self, graph: Graph, placed: Mapping[str, tuple[str, int]], most_leaves: int) -> None:
        self._graph = graph
        self._placed = placed
        self._shared = {whole for whole, _ in placed.values()}
        self._most_leaves = most_leaves
        self._consumers = graph.consumers()
        self._producers = graph.producers()
        self._sources: dict[str, tuple[str, ...]] = {}
        """By value of a node that may be in a tree: the values that it reads, as often as it does."""
        self._roots: dict[str, frozenset[str]] = {}
        """By such a value: the values of the trees that compute it."""
        self._sizes: dict[str, _Size] = {}
        products = (OPERATORS[node.op].multiply_adds is not None for node in graph.nodes)
        self._products = list(accumulate(map(int, products)))
        """By a node's place: the products up to it."""

    def run(self) -> Graph:
        for node in self._graph.nodes:
            self._sources.update(self._read_by(node) or {})
        if not self._sources:
            return self._graph
        for node in reversed(self._graph.nodes):
            for name in node.outputs:
                if name in self._sources:
                    self._roots[name] = self._trees_of(node, name)
        for node in self._graph.nodes:
            for name in node.outputs:
                if name in self._sources:
                    self._measure(name)
        return self._graph.with_nodes(each for node in self._graph.nodes for each in self._replaced(node))

    # -- what may be in a tree -------------------------------------------------------------------------------

    def _read_by(self, node: Node) -> dict[str, tuple[str, ...]] | None:
        """Return what each output of a node is made of; None for a node that may not be in a tree."""
        names = [name for name in node.outputs if name]
        if any(not self._is_held(name) or name in self._placed for name in names) or not node.inputs:
            return None
        if node.op == "Elementwise":
            return self._read_by_elementwise(node)
        fetch = OPERATORS[node.op].fetch
        if fetch is None or not node.is_plain or self._is_in_place(node):
            return None
        found: dict[str, tuple[str, ...]] = {}
        for name in names:
            shape = self._graph.shape(name)
            place = tuple(Index(((Digit(None, 1, n, is_top=True), 1),)) for n in shape)
            source = fetch(node, name, place, self._graph)
            read = None if source is None else tuple(node.inputs[at] for at in _inputs(source))
            if read is None or not all(map(self._is_held, read)):
                return None
            found[name] = read
        return found

    def _is_read(self, name: str) -> bool:
        """False for a part that nothing reads any more, such as values that attention finds in the whole."""
        return name in self._consumers or name in self._graph.pinned

    def _is_held(self, name: str) -> bool:
        value = self._graph.values[name]
        return is_float(value.dtype) and value.size > 0

    def _is_in_place(self, node: Node) -> bool:
        """True for a node whose memory also has other values: inputs of it, or a shorter list."""
        return not self._shared.isdisjoint(node.outputs)

    def _read_by_elementwise(self, node: Node) -> dict[str, tuple[str, ...]] | None:
        name, shape = node.outputs[0], self._graph.shape(node.outputs[0])
        operands = tuple(dict.fromkeys(step.operand for step in node.epilogue if step.operand))
        place = (Index(),) * len(shape)
        fits = (
            not node.details
            and not any(step.table or step.kind in _ROUNDED for step in node.epilogue)
            and self._graph.shape(node.inputs[0]) == shape
            and all(self._is_held(each) for each in (node.inputs[0], *operands))
            and all(operand_place(place, shape, self._graph.shape(each)) is not None for each in operands)
        )
        return {name: (node.inputs[0], *operands)} if fits else None

    # -- which values are stored -----------------------------------------------------------------------------

    def _trees_of(self, node: Node, name: str) -> frozenset[str]:
        """Return the trees in which a value is computed: its own if it is stored."""
        own = frozenset((name,))
        readers = self._consumers.get(name, [])
        results = [each for reader in readers for each in reader.outputs if each]
        if name in self._graph.pinned or not results or any(each not in self._roots for each in results):
            return own
        found = frozenset(root for each in results for root in self._roots[each])
        is_move = node.op not in ("Elementwise", "Concat", "Pad")
        if len(found) > (_MOST_TREES if is_move else 1):
            return own
        size = self._graph.values[name].size
        if self._holds_more(name, found):
            return own
        is_stretched = any(self._graph.values[root].size > 2 * size for root in found)
        is_cheap = all(step.kind in _CHEAP for step in node.epilogue)
        return own if is_stretched and not is_cheap else found

    def _holds_more(self, name: str, trees: frozenset[str]) -> bool:
        """True where a tensor much larger than `name` would have to be kept for it until products are done."""
        size, places = self._graph.values[name].size, self._graph.places
        larger = any(
            each not in self._graph.constants and self._graph.values[each].size > 2 * size
            for each in self._sources[name]
        )
        return larger and self._products[max(places[root] for root in trees)] > self._products[places[name]]

    def _is_stored(self, name: str) -> bool:
        return self._roots.get(name, frozenset((name,))) == {name}

    def _measure(self, name: str) -> None:
        """Store the largest of what a value is made of until its tree is small enough."""
        node = self._producers[name]
        inner = [each for each in self._sources[name] if not self._is_stored(each)]
        if len(self._sources[name]) >= _MOST_VALUES:  # too many, however small they are
            self._roots.update((each, frozenset((each,))) for each in inner)
        if any(step.kind in _OF_ZERO and step.operand not in self._graph.constants for step in node.epilogue):
            for each in inner:
                if self._sizes[each].is_padded:
                    self._roots[each] = frozenset((each,))
        while True:
            inner = [each for each in self._sources[name] if not self._is_stored(each)]
            sizes = [self._sizes[each] for each in inner]
            stored = frozenset(each for each in self._sources[name] if self._is_stored(each))
            size = _Size(
                1 + len(self._sources[name]) - len(inner) + sum(each.values for each in sizes),
                stored.union(*(each.leaves for each in sizes)),
                node.op == "Pad" or any(each.is_padded for each in sizes),
            )
            if not inner or self._fits(size):
                break
            largest = max(inner, key=lambda each: (len(self._sizes[each].leaves), self._sizes[each].values))
            self._roots[largest] = frozenset((largest,))
        self._sizes[name] = size
        if not self._fits(size):
            self._roots[name] = frozenset((name,))

    def _fits(self, size: _Size) -> bool:
        return size.values <= _MOST_VALUES and len(size.leaves) <= self._most_leaves

    # -- the graph -------------------------------------------------------------------------------------------

    def _replaced(self, node: Node) -> Iterator[Node]:
        """Yield what a node becomes: itself, the trees whose results are its outputs, or nothing."""
        names = [name for name in node.outputs if name]
        if not names or any(name not in self._sources for name in names):
            yield node
            return
        stored = [name for name in names if self._is_read(name) and self._is_stored(name)]
        trees = {name: self._members(name) for name in stored if self._fits(self._sizes[name])}
        alone = tuple(
            name if name in stored and not _is_tree(trees.get(name, ())) else "" for name in node.outputs
        )
        if any(alone):
            yield replace(node, outputs=alone)
        for name in stored:
            if name not in alone:
                yield self._joined(node, name, trees[name])

    def _members(self, name: str) -> tuple[Node, ...]:
        """Return the nodes of a tree in topological order, each with the outputs that are read in it."""
        found: dict[str, None] = {}
        self._visit(name, name, found)
        return tuple(self._only(self._producers[each], each) for each in found)

    def _visit(self, each: str, root: str, found: dict[str, None]) -> None:
        """Add to `found` what the tree of `root` has at `each`, sources first."""
        if each in found or (each != root and self._is_stored(each)):
            return
        for source in self._sources[each]:
            self._visit(source, root, found)
        found[each] = None

    def _only(self, node: Node, name: str) -> Node:
        if node.outputs[1:]:
            return replace(node, outputs=tuple(each if each == name else "" for each in node.outputs))
        return node

    def _joined(self, node: Node, name: str, nodes: tuple[Node, ...]) -> Node:
        members = tuple(self._member(each) for each in nodes)
        made = {each for member in nodes for each in member.outputs if each}
        leaves = tuple(dict.fromkeys(each for at in made for each in self._sources[at] if each not in made))
        joined = Node("Moved", node.name, leaves, (name,), domain=INTERNAL, origin=str(node))
        return joined.with_detail(Moved(members))

    def _member(self, node: Node) -> Member:
        operator = OPERATORS[node.op]
        assert operator.lower is not None
        return Member(node, operator.lower, None if node.op == "Elementwise" else operator.fetch)


def _inputs(source: Source) -> Iterator[int]:
    if isinstance(source, Read):
        yield source.input
    elif isinstance(source, Chosen):
        yield from _inputs(source.then)
        yield from _inputs(source.otherwise)


def _is_tree(nodes: tuple[Node, ...]) -> bool:
    """True for nodes that may take several dispatches."""
    return len(nodes) > 1 or any(node.op == "Concat" for node in nodes)
