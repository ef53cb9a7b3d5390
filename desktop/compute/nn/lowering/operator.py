"""Descriptions of operators; each file of `ops/` has those of a family, and all files together are the table
of operators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node, SequenceValue, Value
from desktop.compute.nn.ir.places import Place, Read, Source, reshaped
from desktop.compute.nn.ir.views import TensorView
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.refusals import doubted, of_node, refused

Constants = Mapping[str, np.ndarray]
Shapes = Callable[[str], tuple[int, ...]]
"""Function from a value's name to its shape."""

Infer = Callable[[Node, Sequence[Value], Constants], Sequence[Value]]
Lower = Callable[[Lowering, Node], None]
Steps = Callable[[Node, Graph], tuple[str, tuple[EpilogueStep, ...]]]
Idle = Callable[[Node, Graph], bool]
Fold = Callable[[Node, Sequence[np.ndarray]], Sequence[np.ndarray] | None]
View = Callable[[Node, str, TensorView, Graph], TensorView | None]
Fetch = Callable[[Node, str, Place, Graph], Source | None]

ANY: Final = "any"
"""Layout of an operator that accepts any, and gives the one that the readers of its result prefer."""


@dataclass(frozen=True)
class Expansion:
    """Nodes that replace a node, in topological order and ending in its outputs, constants, and sequences."""

    nodes: tuple[Node, ...]
    constants: Mapping[str, np.ndarray]
    sequences: tuple[SequenceValue, ...] = ()


Expand = Callable[[Node, Mapping[str, Value], Constants], Expansion | None]


class Quantized(Enum):
    """Behavior of an operator between QuantizeLinear and DequantizeLinear, on integers
    (passes/quantization.py).
    """

    MOVES = auto()
    """Moves or selects numbers of its first input."""
    JOINS = auto()
    """Moves the numbers of all its inputs."""
    CLIPS = auto()
    """Clips them: so does rounding to a smaller type."""
    PRODUCT = auto()
    """A sum of products with constant weights."""
    SUM = auto()
    """The sum of two tensors."""
    MEAN = auto()
    """The mean over all pixels."""
    SCALED = auto()
    """Takes integers and the attribute `scale`, their factor."""


class Sums(Enum):
    """Terms that an operator sums: float16 may hold each of them and not the sum (passes/full_precision.py)."""

    MEAN = auto()
    """Elements, with a result no larger than they are."""
    ELEMENTS = auto()
    """Elements."""
    POWERS = auto()
    """Squares or products of elements, or elements with a sum as large a tensor as they are."""


@dataclass(frozen=True)
class Operator:
    """One operator of ONNX, or one that only passes make: everything that the engine knows of it.

    Attributes:
        infer: output values from the node, its inputs ('' inputs have an empty name) and known constants.
        lower: adds the dispatches; None for an operator that must be gone by then (folded or element-wise).
        steps: for an element-wise operator: the input that it applies to, and the steps.
        fold: computes the outputs of constant inputs; None leaves that to the onnx package's reference.
        known: for an operator whose outputs follow from the inputs' shapes alone.
        fuses: the kernel ends in `finish`, so that passes may give the node an epilogue.
        beside: its kernels may write into memory that they read, beside the channels that they read.
        host: the inputs that must be known when a session is built, e.g. a Reshape's shape.
        expand: replaces the node by others before its shapes are inferred; None keeps the node.
        layout: the input layout of its kernel, NHWC or ANY, in which moved tensors before it are written.
        view: for an operator that moves numbers: the output as a strided view of its first input, or None.
        fetch: for an operator that moves numbers: where the element at a place of an output comes from, or None.
        identity: its first output is its first input, if both have the same type.
        idle: for an operator without `view`: whether a node's only output is its first input.
        quantized: its behavior on integers; None keeps it in floating point.
        multiply_adds: for a sum of products: how many a node has.
        internal: only passes make it; no file may hold it.
        places: the inputs that are coordinates in another one; in 16 bits they stay in float32.
        sums: the terms of its first input that it sums; sums that float16 may not hold stay in float32.
        carries: it moves or computes coordinates, which rounding spoils (implied by `view`, `identity`).
        tables: the inputs of an element-wise operator in which results are looked up.
    """

    name: str
    infer: Infer
    lower: Lower | None = None
    steps: Steps | None = None
    fold: Fold | None = None
    known: Callable[[Node, Sequence[Value]], Sequence[np.ndarray]] | None = None
    fuses: bool = False
    beside: bool = False
    host: tuple[int, ...] = ()
    expand: Expand | None = None
    layout: str = NCHW
    view: View | None = None
    fetch: Fetch | None = None
    identity: bool = False
    idle: Idle | None = None
    quantized: Quantized | None = None
    multiply_adds: Callable[[Node, Shapes], int] | None = None
    internal: bool = False
    tables: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    sums: Sums | None = None
    carries: bool = False


def left_to_the_gpu(node: Node, inputs: Sequence[np.ndarray]) -> None:
    """Fold nothing: the onnx package's reference is slow at these operators or wrong in some cases."""


def reshaped_view(node: Node, name: str, seen: TensorView, graph: Graph) -> TensorView | None:
    """Return the `view` of operators that reshape their input."""
    return seen.reshaped(graph.shape(name))


def fetch_reshaped(node: Node, name: str, place: Place, graph: Graph) -> Source:
    """Return the `fetch` of operators that reshape their input."""
    return Read(0, reshaped(place, graph.shape(name), graph.shape(node.inputs[0])))


def folds(infer: Infer, compute: Callable[[np.ndarray, tuple[int, ...]], np.ndarray]) -> Fold:
    """Return the `fold` of an operator with one result, made by `compute(first input, inferred shape)`."""

    def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        pairs = list(zip(node.inputs, inputs, strict=True))
        values = [Value(name, array.shape, array.dtype.name) for name, array in pairs]
        shape = infer(node, values, {name: array for name, array in pairs if name})[0].shape
        return [compute(inputs[0], shape)]

    return fold


def same_as_first(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Infer an output of the same shape and type as the first input."""
    return [Value(node.outputs[0], inputs[0].shape, inputs[0].dtype)]


def broadcast(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Infer the output of an operator with multidirectional broadcasting."""
    try:
        shape = np.broadcast_shapes(*(value.shape for value in inputs))
    except ValueError as error:
        raise doubted(node, sentence("its inputs have shapes that do not broadcast")) from error
    return [Value(node.outputs[0], tuple(int(n) for n in shape), inputs[0].dtype)]


def compare(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Infer the output of an element-wise comparison, a bool tensor."""
    return [Value(value.name, value.shape, "bool") for value in broadcast(node, inputs, constants)]


def require(condition: bool, node: Node, what: str) -> None:
    """Raise `ModelUnsupportedError` for a node that violates the specification, unless `condition`.

    Not `ModelInvalidError`, because another backend may accept the node.
    """
    if not condition:
        raise doubted(node, what)


def refuse_unless(condition: bool, node: Node, what: str) -> None:
    """Raise `ModelUnsupportedError` for a valid node that the engine lacks, unless `condition` is True."""
    if not condition:
        raise refused(of_node(node, what))


def constant_input(node: Node, index: int, constants: Constants) -> np.ndarray | None:
    """Return the array of input `index`; None if omitted; raise `ModelUnsupportedError` if computed."""
    name = node.input(index)
    if not name:
        return None
    refuse_unless(name in constants, node, f"its input {index} has to be a constant")
    return constants[name]


def needed_input(node: Node, index: int, constants: Constants) -> np.ndarray:
    """Return the array of input `index`; raise `ModelUnsupportedError` if it is omitted or computed."""
    array = constant_input(node, index, constants)
    if array is None:
        raise doubted(node, f"no input {index}")
    return array


def one_number(node: Node, index: int, constants: Constants) -> Any:
    """Return input `index`, an int or a float; errors as `needed_input`, also where it is not one number."""
    array = needed_input(node, index, constants)
    require(array.size == 1, node, f"input {index} is not one number")
    return array.reshape(()).item()


def integers(node: Node, attribute: str, index: int, constants: Constants) -> tuple[int, ...] | None:
    """Return a list that is an attribute in older opsets, an input in newer ones; None if in neither."""
    if attribute in node.attributes:
        return tuple(int(n) for n in node.attributes[attribute])
    array = constant_input(node, index, constants)
    return None if array is None else tuple(int(n) for n in array.reshape(-1))


def axis_of(node: Node, axis: int, rank: int) -> int:
    """Return `axis` counted from 0."""
    require(-rank <= axis < max(rank, 1), node, f"axis {axis} of a tensor with {rank} dimensions")
    return axis + rank if axis < 0 else axis
