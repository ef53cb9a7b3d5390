"""Infer shapes and fold constants in one walk: shapes often depend on folded constants and the reverse."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import onnx
from google.protobuf.message import DecodeError, EncodeError

from desktop.base.errors import LightloomError, ModelUnsupportedError
from desktop.base.wording import Text, sentence
from desktop.compute.nn.frontends.onnx import LARGEST_TENSOR
from desktop.compute.nn.ir.graph import Body, Graph, Node, SequenceValue, Value
from desktop.compute.nn.ir.narrow_floats import numpy_dtype
from desktop.compute.nn.lowering.operator import Expand, Operator, refuse_unless, require
from desktop.compute.nn.refusals import doubted, of_node, refused

_LONGEST_FOLD: Final = 1 << 33  # multiply-adds: a tenth of a second in NumPy on two cores
_MOST_FOLDED: Final = (
    1 << 29
)  # bytes of all that is folded; with 1 GiB, loading grew by a little more than a network may
_MOST_SPELT: Final = (
    1 << 31
)  # bytes of constants that nodes are expanded with: weights in another order or type
_MOST_NODES: Final = 20_000  # of control flow and recurrent networks, expanded
DAMAGE: Final = (
    AssertionError,
    IndexError,
    ValueError,
    TypeError,
    KeyError,
    OverflowError,
    AttributeError,
    ZeroDivisionError,
    NotImplementedError,
    RuntimeError,
    StopIteration,
    onnx.defs.SchemaError,
    onnx.checker.ValidationError,
    onnx.shape_inference.InferenceError,
    DecodeError,
    EncodeError,
)
"""Exceptions of this code and the onnx package on damaged nodes: missing inputs, wrong types or opsets."""


@contextmanager
def file_at_fault(node: Node) -> Iterator[None]:
    """Turn `DAMAGE`, which a damaged node causes, into a ModelUnsupportedError that names the node."""
    try:
        yield
    except LightloomError:
        raise
    except DAMAGE as error:
        raise doubted(node, damage_of(error)) from error


def damage_of(error: Exception) -> Text:
    """Describe an exception of our own code without Python's wording."""
    if isinstance(error, KeyError):
        return sentence("it lacks '{name}'", name=next(iter(error.args), ""))
    if isinstance(error, IndexError) and not isinstance(error, ValueError):
        return sentence("it lacks an input, an output or a dimension")
    if isinstance(error, (TypeError, AttributeError, AssertionError, StopIteration)):
        return sentence("an attribute or an input is of another kind than the operator takes")
    return sentence("its attributes and inputs do not fit each other")


def infer_shapes(graph: Graph, operators: Mapping[str, Operator]) -> Graph:
    """Infer every value's shape and type, and fold constants; raise ModelUnsupportedError for bad shapes."""
    return _Inference(graph, operators).run()


@dataclass(frozen=True)
class Decided:
    """The part of a graph that is known before it runs.

    Attributes:
        graph: the nodes whose results have known shapes, as `infer_shapes` returns them, and their values.
        undecided: values whose shape follows from computed ones, and all that is computed of them.
        deciders: the nodes that make the first of them, in order.
    """

    graph: Graph
    undecided: frozenset[str]
    deciders: tuple[Node, ...]


def infer_decided(graph: Graph, operators: Mapping[str, Operator]) -> Decided:
    """Infer the shapes known before a run; set aside the other nodes. Errors are those of `infer_shapes`."""
    inference = _Inference(graph, operators, undecided=set())
    known = inference.run()
    assert inference.undecided is not None
    return Decided(known, frozenset(inference.undecided), tuple(inference.deciders))


def _outer_reads(node: Node) -> Iterator[str]:
    """Yield every name that a node or its subgraphs read, names made inside a subgraph included."""
    yield from node.reads
    for body in node.attributes.values():
        if isinstance(body, Body):
            yield from body.outputs
            for inner in body.nodes:
                yield from _outer_reads(inner)


class _Inference:
    """A walk over nodes and, in place of a node, its replacements; `undecided` collects values set aside."""

    def __init__(
        self, graph: Graph, operators: Mapping[str, Operator], undecided: set[str] | None = None
    ) -> None:
        self.undecided = undecided
        self.deciders: list[Node] = []
        self._graph = graph
        self._operators = operators
        self._values = dict(graph.values)
        self._constants = dict(graph.constants)
        self._folded: dict[str, Node] = {}
        self._nodes: list[Node] = []
        self._folded_bytes = 0
        self._expanded = 0
        self._spelt_bytes = 0

    def run(self) -> Graph:
        waiting = deque(self._graph.nodes)
        while waiting:
            node = waiting.popleft()
            if self._is_set_aside(node):
                continue
            refuse_unless(node.op in self._operators, node, "inside a subgraph")
            operator = self._operators[node.op]
            try:
                spelt = None if operator.expand is None else self._expand(node, operator.expand)
            except ModelUnsupportedError:
                if self.undecided is None or not any(isinstance(v, Body) for v in node.attributes.values()):
                    raise
                self._set_aside(node)  # a condition that depends on its body's results
                continue
            if spelt is None:
                self._infer(node, operator)
            else:
                waiting.extendleft(reversed(spelt))
        self._check_results()
        return replace(
            self._graph,
            nodes=tuple(self._nodes),
            values={
                name: value for name, value in self._values.items() if not isinstance(value, SequenceValue)
            },
            constants=self._constants,
            folded=self._folded,
        )

    def _is_set_aside(self, node: Node) -> bool:
        """Return True for a node whose results' shapes follow from computed values, and nodes behind it."""
        if self.undecided is None:
            return False
        if self.undecided and not self.undecided.isdisjoint(_outer_reads(node)):
            self.undecided.update(filter(None, node.outputs))
            return True
        operator = self._operators.get(node.op)
        needed = () if operator is None else (node.input(index) for index in operator.host)
        if all(name in self._constants for name in needed if name):
            return False
        self._set_aside(node)
        return True

    def _set_aside(self, node: Node) -> None:
        assert self.undecided is not None
        self.undecided.update(filter(None, node.outputs))
        self.deciders.append(node)

    def _check_results(self) -> None:
        for name in self._graph.pinned:
            if isinstance(self._values.get(name), SequenceValue):
                raise ModelUnsupportedError(
                    sentence(
                        "Its result '{name}' is a sequence of tensors; have it join them, or give each as "
                        "a result.",
                        name=name,
                    ),
                    (sentence("the result '{name}' is a sequence", name=name),),
                )

    def _expand(self, node: Node, expand: Expand) -> Sequence[Node] | None:
        """Return the nodes that replace `node`; None if it is not replaced."""
        with file_at_fault(node):
            expansion = expand(node, self._values, self._constants)
        if expansion is None:
            return None
        for name, array in expansion.constants.items():
            self._spelt_bytes += array.nbytes
            self._add_constant(name, array)
        require(self._spelt_bytes <= _MOST_SPELT, node, "constants that grow beyond 2 GiB")
        self._expanded += len(expansion.nodes)
        self._values.update((value.name, value) for value in expansion.sequences)
        enough = self._expanded <= _MOST_NODES
        refuse_unless(enough, node, f"more than {_MOST_NODES} nodes when it is spelt out")
        return expansion.nodes

    def _infer(self, node: Node, operator: Operator) -> None:
        inputs = [self._values[name] if name else Value("", (), "") for name in node.inputs]
        sequences = any(isinstance(value, SequenceValue) for value in inputs)
        refuse_unless(not sequences, node, "sequences")
        with file_at_fault(node):
            outputs = operator.infer(node, inputs, self._constants)
        for value in outputs:
            require(all(n >= 0 for n in value.shape), node, f"a result of shape {value.shape}")
            require(math.prod(value.shape) * 4 <= LARGEST_TENSOR, node, f"a result of shape {value.shape}")
        arrays = self._arrays(node, operator, outputs)
        if arrays is not None:
            self._folded.update((name, node) for name, _ in zip(node.outputs, arrays, strict=False))
        elif operator.known is not None:
            arrays = operator.known(node, inputs)
        if arrays is None:
            named = {value.name: value for value in outputs if value.name}
            # A file may name any number of outputs; those that the operator does not have are ignored.
            self._nodes.append(replace(node, outputs=tuple(n if n in named else "" for n in node.outputs)))
            self._values.update(named)
            return
        for name, array in zip(node.outputs, arrays, strict=False):
            self._add_constant(name, array)

    def _add_constant(self, name: str, array: np.ndarray) -> None:
        self._constants[name], self._values[name] = array, Value(name, array.shape, array.dtype.name)

    def _arrays(
        self, node: Node, operator: Operator, outputs: Sequence[Value]
    ) -> Sequence[np.ndarray] | None:
        """Return the results of a node with constant inputs; None if they are left to the GPU."""
        constant = all(name in self._constants for name in node.inputs if name)
        if not constant or self._is_long(node, operator, outputs):
            return None
        self._folded_bytes += sum(value.size * numpy_dtype(value.dtype).itemsize for value in outputs)
        require(self._folded_bytes <= _MOST_FOLDED, node, "constants that grow beyond 512 MiB")
        return _fold(
            node, operator, [self._constants[name] if name else np.zeros(0) for name in node.inputs], outputs
        )

    def _is_long(self, node: Node, operator: Operator, outputs: Sequence[Value]) -> bool:
        """Return True for a product that would take the CPU seconds; the GPU computes it instead."""
        if operator.multiply_adds is None:
            return False
        shapes = {value.name: value.shape for value in outputs}
        with file_at_fault(node):
            count = operator.multiply_adds(
                node, lambda name: shapes[name] if name in shapes else self._values[name].shape
            )
        return count > _LONGEST_FOLD


def _fold(
    node: Node, operator: Operator, inputs: Sequence[np.ndarray], outputs: Sequence[Value]
) -> Sequence[np.ndarray] | None:
    """Return the results of a node for these inputs; None if they are left to the GPU."""
    if operator.fold is not None:
        with file_at_fault(node):
            return operator.fold(node, inputs)
    computable = operator.lower is not None or operator.steps is not None
    try:
        arrays = _fold_by_reference(node, inputs)
    except ModelUnsupportedError:
        if computable:
            return None
        raise
    fits = all(
        a.shape == value.shape and a.dtype.name == value.dtype
        for a, value in zip(arrays, outputs, strict=False)
        if value.name
    )
    return arrays if fits or not computable else None


def _fold_by_reference(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    from onnx.reference import ReferenceEvaluator  # here, because few models need it

    proto = onnx.helper.make_node(
        node.op, list(node.inputs), list(node.outputs), domain=node.domain,
        **{k: onnx.numpy_helper.from_array(v) if isinstance(v, np.ndarray) else v for k, v in node.attributes.items()},
    )  # fmt: skip
    opset = onnx.helper.make_opsetid(node.domain, node.version)
    feeds = {name: array for name, array in zip(node.inputs, inputs, strict=True) if name}
    try:
        infos = [onnx.helper.make_tensor_value_info(name, 0, None) for name in feeds]
        results = [onnx.helper.make_tensor_value_info(name, 0, None) for name in node.outputs if name]
        graph = onnx.helper.make_graph([proto], "constant", infos, results)
        evaluator = ReferenceEvaluator(onnx.helper.make_model(graph, opset_imports=[opset]))
        return [np.asarray(array) for array in evaluator.run(None, feeds)]
    except Exception as error:  # the reference raises whatever its NumPy code meets
        raise refused(of_node(node, sentence("its constant result cannot be computed"))) from error
