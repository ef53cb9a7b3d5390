"""Divide a network whose shapes follow from computed values (NonMaxSuppression, NonZero) into two ONNX files.

The first part has all shapes known before it runs and becomes a plan. The second, for a backend that finds
shapes while it runs, has all nodes that depend on a computed shape; its inputs, the cut, are results of the
first. Cheap nodes such as Expand move behind the cut if fewer bytes are then read back.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from google.protobuf.message import EncodeError

from desktop.base.errors import ModelError, SizesNeededError
from desktop.base.wording import Text, counted, sentence
from desktop.compute.nn.compile.shape_inputs import is_setting, shape_inputs
from desktop.compute.nn.compile.shapes import DAMAGE, Decided, infer_decided
from desktop.compute.nn.frontends.formats import ONNX
from desktop.compute.nn.frontends.inlining import calls, inlined
from desktop.compute.nn.frontends.network_file import NetworkFile
from desktop.compute.nn.frontends.onnx import ANY_OPERATOR, import_model
from desktop.compute.nn.frontends.pruning import prune_to_outputs, read_by
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.narrow_floats import numpy_dtype
from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.ops import IMPORTABLE, OPERATORS
from desktop.compute.nn.passes.qlinear import expand_qlinear
from desktop.compute.nn.passes.separate_names import separate_names, separated
from desktop.compute.nn.refusals import most_is_behind

_LONGEST_CHAIN: Final = 16
"""Most nodes considered together for moving behind the cut, such as an Expand behind a Transpose."""
_NAMED: Final = 3  # tensors of a cut that a sentence names
_INITIALIZERS_ALONE: Final = 4
"""The first IR version in which initializers need not be inputs."""


class NetworkPart(NetworkFile):
    """A part of a network in memory: its bytes stay when it is released, as they cannot be read again."""

    @classmethod
    def of(cls, path: Path, model: Any) -> NetworkPart:
        """Return an `onnx.ModelProto` as a file; `path` is that of the whole, next to its external data."""
        return cls(path, model.SerializeToString(deterministic=True), (0, 0))

    def release(self) -> None:
        """Drop the parsed model."""
        self._proto = self._bare = self._weights = None


@dataclass(frozen=True)
class Division:
    """A network in two parts.

    Attributes:
        head, tail: ONNX files in memory.
        cut: results of the head that are inputs of the tail; `last` is the last of the nodes that make them.
        dynamic_node: the first node whose result's shape follows from computed values.
        behind: nodes of the tail.
        inputs, outputs: names of the whole network's, in its order.
    """

    head: NetworkFile
    tail: NetworkFile
    cut: tuple[str, ...]
    last: str
    dynamic_node: Node
    behind: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def text(self) -> Text:
        """Describe in a sentence where the network is divided and why."""
        tensors = ", ".join(f"'{name}'" for name in self.cut[:_NAMED]) + (
            ", ..." if len(self.cut) > _NAMED else ""
        )
        if self.behind == 1:
            return sentence(
                "It runs on wgpu up to {last}; the node behind it, {decider}, runs on the CPU, because its "
                "shape follows from what the "
                "network computes (it is cut at {tensors}).",
                last=self.last,
                decider=_named(self.dynamic_node),
                tensors=tensors,
            )
        return sentence(
            "It runs on wgpu up to {last}; the {nodes} behind it, from {decider} on, run on the CPU, "
            "because their shapes follow "
            "from what the network computes (it is cut at {tensors}).",
            last=self.last,
            nodes=counted(self.behind, "node"),
            decider=_named(self.dynamic_node),
            tensors=tensors,
        )


def let_go(error: BaseException | None) -> None:
    """Release what an error's frames hold: the constants folded so far, before everything is made again."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def divide(
    file: NetworkFile,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
) -> Division | None:
    """Divide a network where values first decide shapes; None if none do, or if the rest cannot be read.

    Raises ModelUnsupportedError if most sums of products lie behind such a node.
    """
    if file.format != ONNX:
        return None
    try:
        complete = _CompleteNetwork.read(file, input_shapes, input_values)
    except SizesNeededError:
        raise
    except (ModelError, ValueError, *DAMAGE):
        return None
    if complete is None or not complete.decided.deciders:
        return None
    try:
        cut = _Cut(complete)
        cut.settle()
        before, behind = cut.products
        if not before or behind > before:
            raise most_is_behind(file.name, complete.decided.deciders[0], behind, before + behind)
        return cut.division(file.path)
    except (EncodeError, *DAMAGE):
        return None  # damaged, with a constant of a type that no file can hold, or of more than 2 GiB


def _named(node: Node) -> str:
    return f"{node.op} '{node.name}'"


def _operator(proto: Any) -> str:
    return proto.op_type if proto.domain in ("", "ai.onnx") else f"{proto.domain}.{proto.op_type}"


def _products(proto: Any) -> int:
    """Count the sums of products of a node, those in its subgraphs included."""
    operators = (OPERATORS.get(_operator(each)) for each in calls([proto]))
    return sum(operator is not None and operator.multiply_adds is not None for operator in operators)


@dataclass(frozen=True)
class _CompleteNetwork:
    """A network with its shapes (`decided`; names with a colon have others there, see `names`) and constants.

    `model` is an `onnx.ModelProto` without function calls; `fixed` are the inputs that have a value.
    """

    model: Any
    decided: Decided
    names: Mapping[str, str]
    fixed: frozenset[str]

    @classmethod
    def read(
        cls,
        file: NetworkFile,
        input_shapes: Mapping[str, Sequence[int]] | None,
        input_values: Mapping[str, np.ndarray] | None,
    ) -> _CompleteNetwork | None:
        """Read the network; None if an input is a size or factor, whose value would decide all shapes."""
        model = inlined(file.take_proto(), IMPORTABLE)
        graph = import_model(
            model, file.path, ANY_OPERATOR, input_shapes=input_shapes, input_values=input_values
        )
        if any(is_setting(graph.values[name]) for name in shape_inputs(graph, OPERATORS)):
            return None
        decided = infer_decided(expand_qlinear(separate_names(graph)), OPERATORS)
        return cls(model, decided, separated(graph), frozenset(input_values or ()))

    @property
    def _graph(self) -> Graph:
        return self.decided.graph

    def is_undecided(self, name: str) -> bool:
        return self.names.get(name, name) in self.decided.undecided

    def value(self, name: str) -> Value | None:
        """Return a tensor; None for a sequence and for an undecided value."""
        return self._graph.values.get(self.names.get(name, name))

    def constant(self, name: str) -> np.ndarray | None:
        """Return a value known before the network runs, such as a tensor without elements; else None."""
        value = self.value(name)
        if value is not None and value.size == 0 and name not in self.inputs:
            return np.zeros(value.shape, numpy_dtype(value.dtype))
        return self._graph.constants.get(self.names.get(name, name))

    @property
    def inputs(self) -> tuple[str, ...]:
        return self._graph.inputs


@dataclass
class _Cut:
    """The set of nodes behind the cut, by index, and the tensors that cross it."""

    complete: _CompleteNetwork
    behind: set[int] = field(default_factory=set)
    border: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        graph = self.complete.model.graph
        self.nodes = list(graph.node)
        self._reads = [set(filter(None, read_by([node]))) for node in self.nodes]
        self._maker = {name: at for at, node in enumerate(self.nodes) for name in node.output if name}
        self._outputs = dict.fromkeys(info.name for info in graph.output)
        for at, node in enumerate(self.nodes):
            if any(self.complete.is_undecided(name) for name in node.output):
                self._move(at)

    def _crosses(self, name: str) -> bool:
        """Return True if the tail must be given a tensor: a computed value, neither an input nor known."""
        return (
            name in self._maker
            and self.complete.constant(name) is None
            and self._maker[name] not in self.behind
        )

    def _move(self, at: int) -> list[str]:
        """Move a node behind the cut; return the tensors that cross it only now."""
        self.behind.add(at)
        self.border.difference_update(self.nodes[at].output)
        fresh = [name for name in sorted(self._reads[at]) if self._crosses(name) and name not in self.border]
        self.border.update(fresh)
        return fresh

    # -- fewer bytes -----------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Move the cut to reduce the bytes that cross it."""
        waiting = deque(sorted(self.border, key=lambda name: self._maker[name]))
        while waiting:
            name = waiting.popleft()
            if name in self.border:
                for at in self._worth_moving(name):
                    waiting.extend(self._move(at))

    def _worth_moving(self, name: str) -> list[int]:
        """Return a tensor's maker and nodes before it to move behind the cut, to read back fewer bytes."""
        at = self._maker[name]
        if not self._may_cross(name):
            return [at]
        chain: list[int] = []
        saved, held = 0, {name}  # tensors that cross the cut because of these nodes
        while len(chain) < _LONGEST_CHAIN and not _products(self.nodes[at]):
            chain.append(at)
            made = [each for each in self.nodes[at].output if each in held or each in self.border]
            fresh = [each for each in self._reads[at] if self._crosses(each) and each not in self.border]
            saved += sum(self._bytes(each) for each in made if each not in self._outputs)
            saved -= sum(map(self._bytes, fresh))
            if saved > 0:
                return chain
            if len(fresh) != 1:
                break
            held = set(fresh)
            at = self._maker[fresh[0]]
        return []

    def _may_cross(self, name: str) -> bool:
        value = self.complete.value(name)
        return value is not None and value.dtype in HELD

    def _bytes(self, name: str) -> int:
        value = self.complete.value(name)
        return 0 if value is None else value.size * numpy_dtype(value.dtype).itemsize

    # -- the parts -------------------------------------------------------------------------------------------

    @property
    def products(self) -> tuple[int, int]:
        """Count the sums of products before the cut and behind it."""
        counts = [_products(node) for node in self.nodes]
        behind = sum(counts[at] for at in self.behind)
        return sum(counts) - behind, behind

    def division(self, path: Path) -> Division:
        """Build both parts; the whole's model is released."""
        complete = self.complete
        behind = [self.nodes[at] for at in sorted(self.behind)]
        made = {name for node in behind for name in node.output}
        cut = tuple(sorted(self.border, key=lambda name: self._maker[name]))
        own = [name for name in self._outputs if name not in made]
        last = max((self._maker[name] for name in cut), default=0)
        tail = self._tail(behind, cut, [name for name in self._outputs if name in made])
        graph, outputs = complete.model.graph, tuple(self._outputs)
        named = f"{_operator(self.nodes[last])} '{self.nodes[last].name or self.nodes[last].output[0]}'"
        part = NetworkPart.of(path, tail)
        prune_to_outputs(graph, {*own, *cut})
        graph.output.extend(self._info(name) for name in cut if name not in own)
        return Division(
            *(NetworkPart.of(path, complete.model), part, cut, named),
            *(complete.decided.deciders[0], len(behind), complete.inputs, outputs),
        )

    def _info(self, name: str) -> Any:
        value = self.complete.value(name)
        assert value is not None
        return onnx.helper.make_tensor_value_info(name, code_of(value.dtype), value.shape)

    def _tail(self, nodes: Sequence[Any], cut: Sequence[str], outputs: Sequence[str]) -> Any:
        complete, graph = self.complete, self.complete.model.graph
        reads = set().union(*(self._reads[at] for at in self.behind))
        made = {name for node in nodes for name in node.output}
        tail = onnx.ModelProto(ir_version=max(complete.model.ir_version, _INITIALIZERS_ALONE))
        tail.opset_import.extend(complete.model.opset_import)
        tail.functions.extend(complete.model.functions)
        tail.graph.name = "tail"
        tail.graph.node.extend(nodes)
        stored = [tensor for tensor in graph.initializer if tensor.name in reads]
        tail.graph.initializer.extend(stored)
        known = reads - made - {tensor.name for tensor in stored} - complete.fixed
        for name in sorted(known):
            array = complete.constant(name)
            if array is not None:
                tail.graph.initializer.append(onnx.numpy_helper.from_array(np.array(array, order="C"), name))
        inputs = {
            info.name: info
            for info in graph.input
            if info.name in known and complete.constant(info.name) is None
        }
        inputs |= {info.name: info for info in graph.input if info.name in reads & complete.fixed}
        tail.graph.input.extend(inputs.values())
        tail.graph.input.extend(self._info(name) for name in cut)
        tail.graph.output.extend(info for info in graph.output if info.name in outputs)
        return tail
