"""What is known of an operator: the one table is `ops/`, whose files each say it of theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node, SequenceValue, Value
from desktop.compute.nn.ir.views import Seen
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.refusals import doubted, of_node, refused
from desktop.wording import sentence

Constants = Mapping[str, np.ndarray]
Shapes = Callable[[str], tuple[int, ...]]
"""From a value's name to its shape."""

Infer = Callable[[Node, Sequence[Value], Constants], Sequence[Value]]
Lower = Callable[[Lowering, Node], None]
Steps = Callable[[Node, Graph], tuple[str, tuple[EpilogueStep, ...]]]
Fold = Callable[[Node, Sequence[np.ndarray]], Sequence[np.ndarray] | None]
View = Callable[[Node, str, Seen, Graph], Seen | None]

ANY: Final = "any"
"""The layout of an operator that takes and gives whatever those want that read its result."""


@dataclass(frozen=True)
class Expansion:
    """What stands for a node: nodes in topological order that end in its outputs, new constants, and outputs that are sequences."""

    nodes: tuple[Node, ...]
    constants: Mapping[str, np.ndarray]
    sequences: tuple[SequenceValue, ...] = ()


Expand = Callable[[Node, Mapping[str, Value], Constants], Expansion | None]


class Quantized(Enum):
    """What an operator does between QuantizeLinear and DequantizeLinear, where numbers are whole (passes/quantization.py)."""

    MOVES = auto()
    """It moves or chooses numbers of its first input."""
    JOINS = auto()
    """It moves the numbers of all its inputs."""
    CLIPS = auto()
    """It bounds them: so does rounding to fewer numbers."""
    PRODUCT = auto()
    """A sum of products with constant weights."""
    SUM = auto()
    """The sum of two tensors."""
    MEAN = auto()
    """The mean over all pixels."""
    SCALED = auto()
    """It takes whole numbers and the attribute `scale`, their factor."""


class Sums(Enum):
    """What an operator adds up, so that a float16 may not hold the result where it holds each element (passes/full_precision.py)."""

    MEAN = auto()
    """Elements, but the result is no larger than they are."""
    ELEMENTS = auto()
    """Elements."""
    POWERS = auto()
    """Their squares or products, or the sum is as large a tensor as they are."""


@dataclass(frozen=True)
class Operator:
    """One operator of ONNX, or one that only passes make: everything that the engine knows of it.

    Attributes:
        name: as ONNX names it.
        infer: output values from the node, its input values ('' inputs are Values with an empty name) and the known constants.
        lower: adds the dispatches; None for an operator that must vanish before (folded, or made element-wise).
        steps: for an element-wise operator: the input that it applies to, and the steps.
        fold: computes the outputs where all inputs are constants; None leaves that to the onnx package's reference.
        known: for an operator whose outputs follow from the inputs' shapes alone.
        fuses: the kernel ends in `finish`, so that passes may give the node an epilogue.
        host: the inputs that must be known when a session is built, because shapes or kernels hang on them (a Reshape's shape).
        expand: spells the node in other operators before its shapes are inferred, given all values and constants so far;
            None where it stays as it is.
        layout: of the input that its kernel reads: NHWC or ANY. Tensors that are merely moved to it are written so.
        view: for an operator that only moves numbers of its first input: what an output is of a view of that, None where steps
            along axes do not express it. A kernel that takes steps can then read the input itself.
        identity: its first output is its first input, where both have one type.
        quantized: what it does with whole numbers; None keeps it in floating point.
        multiply_adds: for a sum of products: how many a node has.
        internal: only passes make it; no file may hold it.
        places: the inputs that name places in another one; in 16 bits they are kept in float32.
        sums: what it adds up of its first input; in 16 bits sums that may be out of their range are kept in float32.
        carries: it computes places from places, or moves them: a rounding of its inputs is one of its result. So do those with a
            `view` and an `identity`, of which it need not be said.
        tables: of an element-wise operator: the inputs that results are looked up in, which have no element for each of the result's.
    """

    name: str
    infer: Infer
    lower: Lower | None = None
    steps: Steps | None = None
    fold: Fold | None = None
    known: Callable[[Node, Sequence[Value]], Sequence[np.ndarray]] | None = None
    fuses: bool = False
    host: tuple[int, ...] = ()
    expand: Expand | None = None
    layout: str = NCHW
    view: View | None = None
    identity: bool = False
    quantized: Quantized | None = None
    multiply_adds: Callable[[Node, Shapes], int] | None = None
    internal: bool = False
    tables: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    sums: Sums | None = None
    carries: bool = False


def left_to_the_gpu(node: Node, inputs: Sequence[np.ndarray]) -> None:
    """The `fold` of operators that are computed with the network even of constants: the reference is slow at them, and wrong at some
    pads, groups, modes and older opsets: it takes Softmax and BatchNormalization as of the newest, multiplies PRelu's zeros by the
    slope, and makes NaN of an infinite ReduceLogSumExp."""


def reshaped_view(node: Node, name: str, seen: Seen, graph: Graph) -> Seen | None:
    """The `view` of operators that give the same numbers in the same order another shape."""
    return seen.reshaped(graph.shape(name))


def folds(infer: Infer, compute: Callable[[np.ndarray, tuple[int, ...]], np.ndarray]) -> Fold:
    """The `fold` of an operator with one result that `compute` makes of its first input and the shape that `infer` gives."""

    def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        pairs = list(zip(node.inputs, inputs, strict=True))
        values = [Value(name, array.shape, array.dtype.name) for name, array in pairs]
        shape = infer(node, values, {name: array for name, array in pairs if name})[0].shape
        return [compute(inputs[0], shape)]

    return fold


def same_as_first(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Shape inference of operators whose output is like their first input."""
    return [Value(node.outputs[0], inputs[0].shape, inputs[0].dtype)]


def broadcast(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Shape inference of operators with multidirectional broadcasting."""
    try:
        shape = np.broadcast_shapes(*(value.shape for value in inputs))
    except ValueError as error:
        raise doubted(node, sentence("its inputs have shapes that do not broadcast")) from error
    return [Value(node.outputs[0], tuple(int(n) for n in shape), inputs[0].dtype)]


def compare(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Shape inference of operators that say yes or no of each element."""
    return [Value(value.name, value.shape, "bool") for value in broadcast(node, inputs, constants)]


def require(condition: bool, node: Node, what: str) -> None:
    """Refuse a node that is not as the specification asks, as far as the engine understands it.

    Raises:
        ModelUnsupportedError: it is not. Another backend may know better: only it says that a file is invalid.
    """
    if not condition:
        raise doubted(node, what)


def refuse_unless(condition: bool, node: Node, what: str) -> None:
    """Refuse a valid node that the engine does not take.

    Raises:
        ModelUnsupportedError: it is one.
    """
    if not condition:
        raise refused(of_node(node, what))


def constant_input(node: Node, index: int, constants: Constants) -> np.ndarray | None:
    """The array of input `index`; None where it is left out.

    Raises:
        ModelUnsupportedError: it is computed by the network.
    """
    name = node.input(index)
    if not name:
        return None
    refuse_unless(name in constants, node, f"its input {index} has to be a constant")
    return constants[name]


def integers(node: Node, attribute: str, index: int, constants: Constants) -> tuple[int, ...] | None:
    """A list that older opsets have as an attribute and newer ones as an input; None where it is in neither."""
    if attribute in node.attributes:
        return tuple(int(n) for n in node.attributes[attribute])
    array = constant_input(node, index, constants)
    return None if array is None else tuple(int(n) for n in array.reshape(-1))


def axis_of(node: Node, axis: int, rank: int) -> int:
    """`axis` counted from 0."""
    require(-rank <= axis < max(rank, 1), node, f"axis {axis} of a tensor with {rank} dimensions")
    return axis + rank if axis < 0 else axis
