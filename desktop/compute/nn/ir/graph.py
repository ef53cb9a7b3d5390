"""Typed, frozen graph of a network; passes return new ones. Names: https://onnx.ai/onnx/repo-docs/IR.html"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep

INTERNAL = "lightloom"
"""Domain of operators that only passes make, such as `Elementwise`; files must not contain it."""


class Detail:
    """Fact about a node found by a pass for its kernel: a frozen dataclass per kind.

    Not attributes: those are the file's and untyped, and a misspelled one would be ignored.
    """


_D = TypeVar("_D", bound=Detail)


@dataclass(frozen=True)
class Value:
    """A tensor's name, shape (every dimension known) and element type (NumPy's name)."""

    name: str
    shape: tuple[int, ...]
    dtype: str

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class SequenceValue(Value):
    """A sequence of tensors by name, gone once shapes are known; `shape` and `dtype` mean nothing."""

    items: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, items: Iterable[str]) -> SequenceValue:
        """One of these tensors."""
        return cls(name, (), "sequence", tuple(items))


@dataclass(frozen=True)
class Node:
    """One operator, `op` in ONNX's names.

    Attributes:
        name: the node's name; the first output's where the file gives none.
        inputs, outputs: value names; '' for an omitted optional input or unused output.
        version: the opset version that the model declares for `domain`.
        epilogue: element-wise steps on the result, fused in by a pass.
        details: other findings of passes, at most one of a class.
        origin: name in messages of the file's node it was made from; '' for the file's own nodes.
    """

    op: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    domain: str = ""
    version: int = 0
    epilogue: tuple[EpilogueStep, ...] = ()
    details: tuple[Detail, ...] = ()
    origin: str = field(default="", compare=False)

    @property
    def is_plain(self) -> bool:
        """True for a node as ONNX defines it: of its own domain, and nothing fused into it."""
        return not (self.domain or self.epilogue or self.details)

    def detail(self, kind: type[_D]) -> _D | None:
        """The detail of a class; None where no pass gave the node one."""
        return next((each for each in self.details if isinstance(each, kind)), None)

    def with_detail(self, detail: Detail) -> Node:
        """The node with a detail, in place of one of the same class."""
        others = tuple(each for each in self.details if type(each) is not type(detail))
        return replace(self, details=(*others, detail))

    @property
    def reads(self) -> tuple[str, ...]:
        """Every value that the node needs: its inputs and its epilogue's operands."""
        operands = tuple(name for step in self.epilogue for name in (step.operand, step.table) if name)
        return tuple(name for name in self.inputs if name) + operands

    def input(self, index: int) -> str:
        """The name of input `index`, '' where it is left out."""
        return self.inputs[index] if index < len(self.inputs) else ""

    def __str__(self) -> str:
        if self.origin:
            return self.origin
        if self.domain == INTERNAL:
            return f"the node '{self.name}'"
        domain = f"{self.domain}." if self.domain else ""
        return f"{domain}{self.op} '{self.name}' (opset {self.version})"


@dataclass(frozen=True)
class Body:
    """A subgraph of a control-flow node; a name that nothing in it defines is the surrounding graph's."""

    nodes: tuple[Node, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    constants: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Graph:
    """Nodes in topological order with the values that they connect; `inputs` exclude constants.

    Attributes:
        values: type and shape of each value that is known so far.
        constants: arrays of the values that are known at build time.
        kept: inner values that the caller wants to read; no pass may remove them.
        folded: by result, the nodes whose results became constants, for passes.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    values: Mapping[str, Value]
    constants: Mapping[str, np.ndarray]
    kept: tuple[str, ...] = ()
    folded: Mapping[str, Node] = field(default_factory=dict)

    @cached_property
    def pinned(self) -> frozenset[str]:
        """Values that must exist at the end: outputs and kept ones."""
        return frozenset(self.outputs) | frozenset(self.kept)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Map each computed value to its node's place in `nodes`."""
        return {name: at for at, node in enumerate(self.nodes) for name in node.outputs}

    def consumers(self) -> dict[str, list[Node]]:
        """Map each value to the nodes that read it (a node that reads it twice is listed twice)."""
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            for name in node.reads:
                found.setdefault(name, []).append(node)
        return found

    def producers(self) -> dict[str, Node]:
        """Map each computed value to its node."""
        return {name: node for node in self.nodes for name in node.outputs if name}

    def shape(self, name: str) -> tuple[int, ...]:
        """Shape of a value."""
        return self.values[name].shape

    def with_nodes(self, nodes: Iterable[Node], constants: Mapping[str, np.ndarray] | None = None) -> Graph:
        """The same graph with other nodes and, where given, more constants (their values are derived)."""
        if not constants:
            return replace(self, nodes=tuple(nodes))
        values = dict(self.values)
        for name, array in constants.items():
            values[name] = Value(name, array.shape, array.dtype.name)
        return replace(self, nodes=tuple(nodes), values=values, constants={**self.constants, **constants})
