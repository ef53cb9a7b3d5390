"""Moves transposes (of NHWC converters) past element-wise nodes, Concats and Splits until they cancel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.ops import OPERATORS
from desktop.compute.nn.passes.identity import remove_identities
from desktop.compute.nn.passes.unused import remove_unused

Permutation = tuple[int, ...]

_ROUNDS: Final = 64
"""More than the longest chain seen between two transposes (24); longer ones stay as they are."""


def sink_transposes(graph: Graph) -> Graph:
    """Rewrite until nothing changes."""
    settled: set[str] = set()
    for _ in range(_ROUNDS):
        changed = _Rewriter(graph, settled).run()
        if changed is None:
            break
        graph = remove_unused(remove_identities(changed))
    return _raised(graph)


def _raised(graph: Graph) -> Graph:
    """Move each Transpose right behind its input's node: a residual must precede the product taking it."""
    waiting: dict[str, list[Node]] = {}
    for node in graph.nodes:
        if node.op == "Transpose":
            waiting.setdefault(node.inputs[0], []).append(node)
    nodes: list[Node] = []

    def follow(names: Iterable[str]) -> None:
        for name in names:
            for node in waiting.pop(name, ()):
                nodes.append(node)
                follow(node.outputs)

    follow((*graph.inputs, *graph.constants))
    for node in graph.nodes:
        if node.op != "Transpose":
            nodes.append(node)
            follow(node.outputs)
    return graph.with_nodes(nodes)


def _inverse(perm: Permutation) -> Permutation:
    return tuple(int(i) for i in np.argsort(perm))


def _permuted(shape: tuple[int, ...], perm: Permutation) -> tuple[int, ...]:
    return tuple(shape[i] for i in perm)


class _Rewriter:
    """One walk over a graph."""

    def __init__(self, graph: Graph, settled: set[str]) -> None:
        """`settled`: results in final layout, extended here; the next walk would turn them back."""
        self.graph = graph
        self.settled = settled
        self.values = dict(graph.values)
        self.constants = dict(graph.constants)
        self.producers: Mapping[str, Node] = graph.producers()
        self.consumers = graph.consumers()
        self.count = 0

    def run(self) -> Graph | None:
        """The graph after the first rewriting that applies to each node; None where none does."""
        nodes: list[Node] = []
        taken: set[str] = (
            set()
        )  # values whose node was rewritten in this walk: what hangs on them waits for the next
        changed = False
        for node in self.graph.nodes:
            made = None if taken.intersection(node.inputs) else self._rewrite(node)
            if made is None:
                nodes.append(node)
            else:
                changed = True
                taken.update(name for each in made for name in each.outputs)
                nodes += made
        if not changed:
            return None
        return replace(self.graph, nodes=tuple(nodes), values=self.values, constants=self.constants)

    def _rewrite(self, node: Node) -> list[Node] | None:
        if node.epilogue:
            return None
        if node.op == "Transpose":
            return self._merge(node)
        if node.op == "Split":
            return self._hoist(node)
        if node.op == "Concat":
            return self._sink_concat(node)
        if OPERATORS[node.op].steps is not None and len(node.outputs) == 1:
            return self._sink(node)
        return None

    # -- helpers ---------------------------------------------------------------------------------------------

    def _perm(self, name: str) -> Permutation | None:
        """The permutation of the Transpose that computes `name`."""
        node = self.producers.get(name)
        return self._perm_of(node) if node is not None and node.op == "Transpose" else None

    def _perm_of(self, node: Node) -> Permutation:
        rank = len(self.graph.shape(node.inputs[0]))
        given = node.attributes.get("perm")
        return tuple(range(rank))[::-1] if given is None else tuple(int(i) for i in given)

    def _follows(self, name: str) -> Permutation | None:
        """The permutation that all readers of `name` begin with; None if one of them reads it as it is."""
        readers = self.consumers.get(name, [])
        if name in self.graph.pinned or not readers or any(reader.op != "Transpose" for reader in readers):
            return None
        perms = {self._perm_of(reader) for reader in readers}
        return perms.pop() if len(perms) == 1 else None

    def _new(self, like: str, perm: Permutation) -> str:
        """A value with the permuted shape of `like`."""
        self.count += 1
        name = f"{like}:{'x'.join(map(str, perm))}:{self.count}:{len(self.values)}"
        value = self.graph.values[like]
        self.values[name] = Value(name, _permuted(value.shape, perm), value.dtype)
        return name

    def _transpose(self, source: str, target: str, perm: Permutation) -> Node:
        return Node("Transpose", target, (source,), (target,), {"perm": list(perm)}, version=13)

    # -- rules -----------------------------------------------------------------------------------------------

    def _merge(self, node: Node) -> list[Node] | None:
        """Two transposes in a row are one, or none."""
        first = self._perm(node.inputs[0])
        if first is None:
            return None
        perm = tuple(first[i] for i in self._perm_of(node))
        source = self.producers[node.inputs[0]].inputs[0]
        if perm == tuple(range(len(perm))):
            return [Node("Identity", node.name, (source,), node.outputs, version=13)]
        return [replace(node, inputs=(source,), attributes={"perm": list(perm)})]

    def _sink(self, node: Node) -> list[Node] | None:
        """op(T(a), b) becomes T(op(a, b')), where b' is b seen the other way round."""
        output = node.outputs[0]
        if output in self.settled:
            return None
        shape = self.graph.shape(output)
        perms = {
            perm
            for name in node.inputs
            if (perm := self._perm(name)) is not None and self.graph.shape(name) == shape
        }
        if len(perms) != 1:
            return None
        perm = perms.pop()
        back = _inverse(perm)
        meets = self._follows(output) == back
        free = self._is_free(node, perm)
        inputs: list[str] = []
        extra: list[Node] = []
        tables = OPERATORS[node.op].tables
        for at, name in enumerate(node.inputs):
            is_scalar = name in self.constants and self.constants[name].size == 1
            if not name or at in tables or is_scalar:
                inputs.append(name)
            elif name in self.constants:
                inputs.append(self._constant(name, back))
            elif self._perm(name) == perm and (meets or free or len(set(map(id, self.consumers[name]))) == 1):
                inputs.append(self.producers[name].inputs[0])
            elif (meets or free) and len(self.graph.shape(name)) == len(shape) and not extra:
                turned = self._new(name, back)
                extra.append(self._transpose(name, turned, back))
                inputs.append(turned)
            else:
                return None
        inner = self._new(output, back)
        if free:
            self.settled.add(inner)
        return [
            *extra,
            replace(node, inputs=tuple(inputs), outputs=(inner,)),
            self._transpose(inner, output, perm),
        ]

    def _is_free(self, node: Node, perm: Permutation) -> bool:
        """True for a residual Add of a branch moved to channels first, if all else is written channels last.

        All then lie in memory as the branch does, and the Add joins the product that ends it.
        """
        shape = self.graph.shape(node.outputs[0])
        if node.op != "Add" or perm != (0, len(shape) - 1, *range(1, len(shape) - 1)) or shape[1] % 4:
            return False
        if any(name in self.constants or self.graph.shape(name) != shape for name in node.inputs):
            return False
        turned = [name for name in node.inputs if self._perm(name) == perm]
        others = [self.producers.get(name) for name in node.inputs if name not in turned]
        return any(len(self.consumers[name]) == 1 for name in turned) and all(
            other is not None and OPERATORS[other.op].layout == NHWC and OPERATORS[other.op].fuses
            for other in others
        )

    def _constant(self, name: str, back: Permutation) -> str:
        array = self.constants[name]
        full = array.reshape((1,) * (len(back) - array.ndim) + array.shape)
        self.count += 1
        turned = f"{name}:{'x'.join(map(str, back))}:{self.count}:{len(self.values)}"
        self.constants[turned] = np.ascontiguousarray(full.transpose(back))
        self.values[turned] = Value(turned, self.constants[turned].shape, array.dtype.name)
        return turned

    def _sink_concat(self, node: Node) -> list[Node] | None:
        """Concat(T(a), T(b)) becomes T(Concat(a, b)) along the axis where the transpose puts it."""
        perms = {self._perm(name) for name in node.inputs}
        perm = perms.pop() if len(perms) == 1 else None
        if perm is None or any(len(self.consumers[name]) != 1 for name in node.inputs):
            return None
        axis = int(node.attributes.get("axis", 1)) % len(perm)
        inner = self._new(node.outputs[0], _inverse(perm))
        sources = tuple(self.producers[name].inputs[0] for name in node.inputs)
        attributes = {**node.attributes, "axis": perm[axis]}
        return [
            replace(node, inputs=sources, outputs=(inner,), attributes=attributes),
            self._transpose(inner, node.outputs[0], perm),
        ]

    def _hoist(self, node: Node) -> list[Node] | None:
        """T(Split(a)) for every part becomes Split(T(a)): one transpose, which may meet another before it."""
        perms = {self._follows(name) for name in node.outputs if name}
        perm = perms.pop() if len(perms) == 1 else None
        if perm is None or self._perm(node.inputs[0]) is None:
            return None
        turned = self._new(node.inputs[0], perm)
        axis = int(node.attributes.get("axis", 0)) % len(perm)
        parts = tuple(self._new(name, perm) if name else "" for name in node.outputs)
        back = _inverse(perm)
        return [
            self._transpose(node.inputs[0], turned, perm),
            replace(
                node,
                inputs=(turned, *node.inputs[1:]),
                outputs=parts,
                attributes={**node.attributes, "axis": perm.index(axis)},
            ),
            *(
                self._transpose(part, name, back)
                for part, name in zip(parts, node.outputs, strict=True)
                if name
            ),
        ]
