"""Operators that are spelt in others when shapes are inferred: control flow is unrolled, recurrent networks are laid out in time.

Rejected: kernels of their own. A branch that is chosen, or a loop whose length is known, costs nothing at run time when it is unrolled, and
every pass then sees through it.
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
"""Most nodes that one node becomes."""


def expands(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The `infer` of operators that have gone before it would be asked."""
    raise AssertionError(f"{node} was not expanded")


@dataclass
class Builder:
    """Collects the nodes that stand for one node; the names that it makes begin with the node's first output."""

    node: Node
    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    version: int = 18
    prefix: str = ""

    def __post_init__(self) -> None:
        self.prefix = self.prefix or next(name for name in self.node.outputs if name)

    def name(self, suffix: object = "") -> str:
        """A new value's name."""
        return f"{self.prefix}:{suffix}{len(self.nodes) + len(self.constants)}"

    def constant(self, array: ArrayLike, dtype: str = "int64") -> str:
        """Add an array; returns its name."""
        name = self.name("c")
        self.constants[name] = np.asarray(array, dtype)
        return name

    def add(self, op: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """Add a node with one result; returns its name."""
        name = output or self.name("v")
        made = Node(
            op, self.node.name, inputs, (name,), attributes, version=self.version, origin=str(self.node)
        )
        self.nodes.append(made)
        return name

    def floats(self, name: str) -> str:
        """Numbers of any type as float32; returns their name."""
        return self.add("Cast", name, to=1)

    def stack(self, names: Sequence[str], axis: int, output: str) -> None:
        """Join tensors along a new axis."""
        axes = self.constant([axis])
        self.add("Concat", *(self.add("Unsqueeze", name, axes) for name in names), output=output, axis=axis)

    def body(self, body: Body, inputs: Sequence[str], suffix: str) -> tuple[str, ...]:
        """Add a subgraph's nodes, its inputs bound to `inputs`; returns the names of its results."""
        require(len(inputs) == len(body.inputs), self.node, "a subgraph with another number of inputs")
        prefix = f"{self.prefix}:{suffix}:"
        names = dict(zip(body.inputs, inputs, strict=True))  # '' for one that is left out
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
        """Everything that was added."""
        return Expansion(tuple(self.nodes), self.constants, sequences)


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """The node with other names for values, also for those that its subgraphs take from outside."""
    attributes = {
        key: _captured(value, names) if isinstance(value, Body) else value
        for key, value in node.attributes.items()
    }
    inputs, outputs = (tuple(names.get(name, name) for name in each) for each in (node.inputs, node.outputs))
    return replace(node, inputs=inputs, outputs=outputs, attributes=attributes)


def _captured(body: Body, names: Mapping[str, str]) -> Body:
    """A nested subgraph with what it takes from outside renamed."""
    own = {*body.inputs, *body.constants, *(name for node in body.nodes for name in node.outputs)}
    outer = {name: to for name, to in names.items() if name not in own}
    nodes = tuple(renamed(node, outer) for node in body.nodes)
    return replace(body, nodes=nodes, outputs=tuple(outer.get(name, name) for name in body.outputs))


def body_of(node: Node, name: str) -> Body:
    """A subgraph of `node`."""
    body = node.attributes.get(name)
    require(isinstance(body, Body), node, f"no subgraph '{name}'")
    assert isinstance(body, Body)
    return body


def items_of(node: Node, index: int, values: Mapping[str, Value]) -> tuple[str, ...]:
    """The tensors of an input that must be a sequence."""
    value = values[node.inputs[index]]
    require(isinstance(value, SequenceValue), node, "a tensor in place of a sequence")
    assert isinstance(value, SequenceValue)
    return value.items


def known(node: Node, name: str, constants: Constants, what: str) -> int:
    """A number that must be known when the session is built."""
    refuse_unless(name in constants, node, f"{what} that is computed at run time")
    require(constants[name].size == 1, node, f"{what} that is no single value")
    return int(constants[name].reshape(()))


def same_sequence(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion | None:
    """The `expand` of operators that give their input as it is: of a sequence the result is known, a tensor's node stays."""
    value = values[node.inputs[0]]
    if not isinstance(value, SequenceValue):
        return None
    return Expansion((), {}, (SequenceValue.of(node.outputs[0], value.items),))
