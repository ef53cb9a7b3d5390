"""Operators that keep the row-major bytes of their input: with another shape, or as it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.views import TensorView
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.expansion import same_sequence
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Infer,
    Operator,
    Quantized,
    axis_of,
    constant_input,
    fetch_reshaped,
    folds,
    integers,
    refuse_unless,
    require,
    reshaped_view,
    same_as_first,
)


# Identity: removed by a pass; what is left (from an input to an output) is a copy.
def copy(lowering: Lowering, node: Node) -> None:
    """Copy."""
    lowering.copy(node, lowering.values.any(node.inputs[0]), lowering.values.result(node.outputs[0]))


def _view_identity(node: Node, name: str, seen: TensorView, graph: Graph) -> TensorView | None:
    """Itself."""
    return seen


# Dropout: the identity at inference; a pass removes it.
def _infer_dropout(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Infer result and mask: all true; before opset 12 zeros (ONNX Runtime), before 10 the input's type."""
    training, ratio = constant_input(node, 2, constants), constant_input(node, 1, constants)
    keeps_all = training is None or not training.any() or (ratio is not None and not ratio.any())
    refuse_unless(keeps_all, node, "training mode")
    mask = [Value(name, inputs[0].shape, _mask_type(node, inputs[0].dtype)) for name in node.outputs[1:]]
    return [Value(node.outputs[0], inputs[0].shape, inputs[0].dtype), *mask]


def _mask_type(node: Node, dtype: str) -> str:
    return "bool" if node.version >= 10 else dtype


def _fold_dropout(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The constant, and its mask: the reference's is true in every opset."""
    x = inputs[0]
    mask = np.full(x.shape, node.version >= 12, _mask_type(node, x.dtype.name))
    return [x, mask][: len(node.outputs)]


def _lower_dropout(lowering: Lowering, node: Node) -> None:
    """A copy, and the mask."""
    copy(lowering, node)
    if node.outputs[1:] and node.outputs[1]:
        older = "0.0" if node.version < 10 else "false"
        map_elements(lowering, node, "true" if node.version >= 12 else older, [], node.outputs[1])


# Reshape: the same row-major bytes with another shape.
def _infer_reshape(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """0 copies a dimension (unless allowzero), -1 takes what is left."""
    wanted = list(integers(node, "shape", 1, constants) or ())
    source = inputs[0].shape
    if not node.attributes.get("allowzero", 0):
        require(
            all(n != 0 or i < len(source) for i, n in enumerate(wanted)),
            node,
            "a zero past the input's dimensions",
        )
        wanted = [source[i] if n == 0 else n for i, n in enumerate(wanted)]
    require(wanted.count(-1) <= 1 and all(n >= -1 for n in wanted), node, "a negative dimension")
    if -1 in wanted:
        known = math.prod(n for n in wanted if n != -1)
        require(known > 0 and inputs[0].size % known == 0, node, "a shape that does not hold the input")
        wanted[wanted.index(-1)] = inputs[0].size // known
    require(math.prod(wanted) == inputs[0].size, node, "a shape that does not hold the input")
    return [Value(node.outputs[0], tuple(wanted), inputs[0].dtype)]


def lower_reshape(lowering: Lowering, node: Node) -> None:
    """No work where the bytes lie row-major already."""
    lowering.view(node.inputs[0], node.outputs[0])


# Flatten: to a matrix, split at `axis`.
def _infer_flatten(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(product before the axis, product from it on)."""
    shape = inputs[0].shape
    axis = int(node.attributes.get("axis", 1))
    require(-len(shape) <= axis <= len(shape), node, f"axis {axis} of a tensor with {len(shape)} dimensions")
    axis += len(shape) if axis < 0 else 0
    return [Value(node.outputs[0], (math.prod(shape[:axis]), math.prod(shape[axis:])), inputs[0].dtype)]


# Squeeze: removes dimensions of size 1; axes as an attribute (before opset 13) or as an input.
def _infer_squeeze(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Without axes, all dimensions of size 1 go."""
    shape = inputs[0].shape
    axes = integers(node, "axes", 1, constants)
    gone = (
        {i for i, n in enumerate(shape) if n == 1}
        if axes is None
        else {axis_of(node, a, len(shape)) for a in axes}
    )
    require(all(shape[i] == 1 for i in gone), node, "an axis that is not of size 1")
    return [Value(node.outputs[0], tuple(n for i, n in enumerate(shape) if i not in gone), inputs[0].dtype)]


# Unsqueeze: inserts dimensions of size 1; axes as an attribute (before opset 13) or as an input.
def _infer_unsqueeze(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Axes count in the output."""
    axes = integers(node, "axes", 1, constants) or ()
    rank = len(inputs[0].shape) + len(axes)
    inserted = {axis_of(node, axis, rank) for axis in axes}
    require(len(inserted) == len(axes), node, "an axis given twice")
    rest = iter(inputs[0].shape)
    shape = tuple(1 if i in inserted else next(rest) for i in range(rank))
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def _reshaping(name: str, infer: Infer, host: tuple[int, ...] = ()) -> Operator:
    fold = folds(infer, np.reshape)
    moves = Quantized.MOVES
    return Operator(
        name,
        infer,
        lower_reshape,
        fold=fold,
        host=host,
        quantized=moves,
        view=reshaped_view,
        fetch=fetch_reshaped,
    )


OPERATORS: Final = (
    Operator(
        "Identity",
        same_as_first,
        copy,
        fold=lambda node, inputs: [inputs[0]],
        view=_view_identity,
        identity=True,
        expand=same_sequence,
    ),
    Operator("Dropout", _infer_dropout, _lower_dropout, fold=_fold_dropout, host=(1, 2), identity=True),
    _reshaping("Reshape", _infer_reshape, host=(1,)),
    _reshaping("Flatten", _infer_flatten),
    _reshaping("Squeeze", _infer_squeeze, host=(1,)),
    _reshaping("Unsqueeze", _infer_unsqueeze, host=(1,)),
)
