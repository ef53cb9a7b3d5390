"""Expand operators into others during shape inference: unroll control flow and recurrent networks.

Unrolled branches and loops cost nothing at run time, and every pass sees through them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from desktop.compute.nn.ir.graph import Body, Node, SequenceValue, Value
from desktop.compute.nn.lowering.operator import Constants, Expansion, refuse_unless, require

LONGEST: Final = 1000
"""Most iterations that are unrolled."""

MOST_NODES: Final = 20_000
"""Most nodes that a node expands to."""


def expands(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Stand in for `infer` of operators that are always expanded before it would be called."""
    raise AssertionError(f"{node} was not expanded")


@dataclass
class Builder:
    """Builder of the nodes that replace one node; the names that it makes begin with the node's first output."""

    node: Node
    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    version: int = 18
    prefix: str = ""

    def __post_init__(self) -> None:
        self.prefix = self.prefix or next(name for name in self.node.outputs if name)

    def name(self, suffix: object = "") -> str:
        """Return a new value's name."""
        return f"{self.prefix}:{suffix}{len(self.nodes) + len(self.constants)}"

    def constant(self, array: ArrayLike, dtype: str = "int64") -> str:
        """Add a constant; return its name."""
        name = self.name("c")
        self.constants[name] = np.asarray(array, dtype)
        return name

    def add(self, op: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """Add a node with one result; return its name."""
        name = output or self.name("v")
        made = Node(
            op, self.node.name, inputs, (name,), attributes, version=self.version, origin=str(self.node)
        )
        self.nodes.append(made)
        return name

    def floats(self, name: str) -> str:
        """Convert numbers of any type to float32; return their name."""
        return self.add("Cast", name, to=1)

    def stack(self, names: Sequence[str], axis: int, output: str) -> None:
        """Join tensors along a new axis."""
        axes = self.constant([axis])
        self.add("Concat", *(self.add("Unsqueeze", name, axes) for name in names), output=output, axis=axis)

    def body(self, body: Body, inputs: Sequence[str], suffix: str) -> tuple[str, ...]:
        """Add a subgraph's nodes, its inputs bound to `inputs`; return the names of its results."""
        require(len(inputs) == len(body.inputs), self.node, "a subgraph with another number of inputs")
        prefix = f"{self.prefix}:{suffix}:"
        names = dict(zip(body.inputs, inputs, strict=True))  # '' for an omitted one
        for name, array in body.constants.items():
            names[name] = f"{prefix}{name}"
            self.constants[names[name]] = array
        for node in body.nodes:
            names.update((name, f"{prefix}{name}") for name in node.outputs if name)
        refuse_unless(
            len(self.nodes) + len(body.nodes) <= MOST_NODES,
            self.node,
            f"more than {MOST_NODES} nodes when it is spelt out",
        )
        origin = str(self.node)
        self.nodes += [renamed(replace(node, origin=node.origin or origin), names) for node in body.nodes]
        return tuple(names.get(name, name) for name in body.outputs)

    def done(self, *sequences: SequenceValue) -> Expansion:
        """Return everything that was added."""
        return Expansion(tuple(self.nodes), self.constants, sequences)


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """Return a copy of the node with values renamed, also those that its subgraphs read from outside."""
    attributes = {
        key: _captured(value, names) if isinstance(value, Body) else value
        for key, value in node.attributes.items()
    }
    inputs, outputs = (tuple(names.get(name, name) for name in each) for each in (node.inputs, node.outputs))
    return replace(node, inputs=inputs, outputs=outputs, attributes=attributes)


def _captured(body: Body, names: Mapping[str, str]) -> Body:
    """Return a nested subgraph with the values that it reads from outside renamed."""
    own = {*body.inputs, *body.constants, *(name for node in body.nodes for name in node.outputs)}
    outer = {name: to for name, to in names.items() if name not in own}
    nodes = tuple(renamed(node, outer) for node in body.nodes)
    return replace(body, nodes=nodes, outputs=tuple(outer.get(name, name) for name in body.outputs))


def body_of(node: Node, name: str) -> Body:
    """Return a subgraph of `node`."""
    body = node.attributes.get(name)
    require(isinstance(body, Body), node, f"no subgraph '{name}'")
    assert isinstance(body, Body)
    return body


def items_of(node: Node, index: int, values: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the tensors of an input that must be a sequence."""
    value = values[node.inputs[index]]
    require(isinstance(value, SequenceValue), node, "a tensor in place of a sequence")
    assert isinstance(value, SequenceValue)
    return value.items


def known(node: Node, name: str, constants: Constants, what: str) -> int:
    """Return a number that must be known when the session is built."""
    refuse_unless(name in constants, node, f"{what} that is computed at run time")
    require(constants[name].size == 1, node, f"{what} that is no single value")
    return int(constants[name].reshape(()))


def same_sequence(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion | None:
    """Expand operators that return their input: a sequence's result is known; for a tensor the node stays."""
    value = values[node.inputs[0]]
    if not isinstance(value, SequenceValue):
        return None
    return Expansion((), {}, (SequenceValue.of(node.outputs[0], value.items),))
