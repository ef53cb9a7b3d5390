"""Operators that read by index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.places import Chosen, Index, Place, Read, Source, Test, number, total
from desktop.compute.nn.ir.views import TensorView
from desktop.compute.nn.kernels.indexing import (
    WRAP,
    address,
    coordinates,
    emit,
    require_indices,
    slice_address,
)
from desktop.compute.nn.kernels.scatter import is_index
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    axis_of,
    one_number,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, Operand


# Gather: parts along an axis, named by their indices.
def _infer_gather(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape takes the axis's place."""
    require_indices(node, inputs[1])
    shape = inputs[0].shape
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
    indices = constants.get(node.inputs[1])
    inside = indices is None or bool(((indices >= -shape[axis]) & (indices < shape[axis])).all())
    require(inside, node, "an index outside its input")
    return [Value(node.outputs[0], (*shape[:axis], *inputs[1].shape, *shape[axis + 1 :]), inputs[0].dtype)]


def _lower_gather(lowering: Lowering, node: Node) -> None:
    """A strided copy for one index that is known now, else a look-up for each element."""
    x = source(lowering, node.inputs[0])
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(x.shape))
    indices = lowering.graph.constants.get(node.inputs[1])
    if indices is None or indices.size != 1:
        _lower_lookup(lowering, node, x, axis)
        return
    y = lowering.values.movable(node.outputs[0])
    first = int(indices.reshape(())) % x.shape[axis] * x.strides[axis]
    strides = (*x.strides[:axis], *[0] * indices.ndim, *x.strides[axis + 1 :])
    copy_box(lowering, node, x, y, y.shape, strides, y.strides, x_first=first)


def _lower_lookup(lowering: Lowering, node: Node, x: Operand, axis: int) -> None:
    indices, y = lowering.nchw(node.inputs[1]), lowering.values.result(node.outputs[0], NCHW)
    rank = len(indices.shape)
    names = [f"c{i}" for i in range(len(y.shape))]
    place = " + ".join(
        f"{name} * {step}u"
        for name, step in zip(names[axis : axis + rank], indices.strides, strict=True)
    )  # fmt: skip
    body = [
        *coordinates(y.shape),
        f"let index = wrap(indices[{place or '0u'}], {x.shape[axis]});",
        f"return Element(x[{address(x, [*names[:axis], 'index', *names[axis + rank :]])}]);",
    ]
    emit(lowering, node, {"x": x, "indices": indices}, y, body, code=WRAP)


def _fold_gather(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of constants; the indices were checked by `infer`."""
    return [np.asarray(np.take(inputs[0], inputs[1], axis=int(node.attributes.get("axis", 0))))]


def _view_gather(node: Node, name: str, seen: TensorView, graph: Graph) -> TensorView | None:
    """One index that is known."""
    indices = graph.constants.get(node.inputs[1])
    if indices is None or indices.size != 1:
        return None
    axis = int(node.attributes.get("axis", 0)) % len(seen.axes)
    chosen = seen.cut(axis, int(indices.reshape(())) % seen.shape[axis], 1)
    return chosen and chosen.reshaped((*seen.shape[:axis], *[1] * indices.ndim, *seen.shape[axis + 1 :]))


_MOST_RUNS: Final = 4
"""Most runs of indices at equal steps that are a choice between formulas; a roll has two."""


def _runs(indices: Sequence[int]) -> list[range] | None:
    """The indices as runs at equal steps; None for too many."""
    found: list[range] = []
    at = 0
    while at < len(indices):
        step = indices[at + 1] - indices[at] if at + 1 < len(indices) else 1
        end = at + 1
        while end < len(indices) and indices[end] - indices[end - 1] == step:
            end += 1
        if not step or len(found) == _MOST_RUNS:
            return None
        found.append(range(indices[at], indices[at] + step * (end - at), step))
        at = end
    return found


def _fetch_gather(node: Node, name: str, place: Place, graph: Graph) -> Source | None:
    """By known indices that are few runs at equal steps."""
    indices = graph.constants.get(node.inputs[1])
    if indices is None or not indices.size:
        return None
    shape = graph.shape(node.inputs[0])
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
    runs = _runs([int(n) % shape[axis] for n in indices.reshape(-1)])
    if runs is None:
        return None
    at = number(place[axis : axis + indices.ndim], indices.shape)

    def read(run: range, before: int) -> Read:
        index = (
            total([(at.plus(-before), run.step)]).plus(run.start) if len(run) > 1 else Index((), run.start)
        )
        return Read(0, (*place[:axis], index, *place[axis + indices.ndim :]))

    ends = list(accumulate(map(len, runs)))
    found: Source = read(runs[-1], ends[-1] - len(runs[-1]))
    for run, end in zip(runs[-2::-1], ends[-2::-1], strict=True):
        found = Chosen((Test(at, end),), read(run, end - len(run)), found)
    return found


# GatherElements: for each index, the element of the input at the same place but for the axis.
def _infer_gather_elements(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape."""
    require_indices(node, inputs[1])
    shape, wanted = inputs[0].shape, inputs[1].shape
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
    fits = len(wanted) == len(shape) and all(
        a <= b for i, (a, b) in enumerate(zip(wanted, shape, strict=True)) if i != axis
    )
    require(fits, node, "indices that do not fit its input")
    return [Value(node.outputs[0], wanted, inputs[0].dtype)]


def _lower_gather_elements(lowering: Lowering, node: Node) -> None:
    """A look-up for each element."""
    x, indices = source(lowering, node.inputs[0]), lowering.nchw(node.inputs[1])
    y = lowering.values.result(node.outputs[0], NCHW)
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(x.shape))
    places = [f"c{i}" for i in range(len(x.shape))]
    places[axis] = f"wrap(indices[at], {x.shape[axis]})"
    body = [*coordinates(y.shape), f"return Element(x[{address(x, places)}]);"]
    emit(lowering, node, {"x": x, "indices": indices}, y, body, code=WRAP)


# GatherND: slices, each named by a tuple of indices.
def _infer_gather_nd(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape without its last dimension, then that of a slice."""
    require_indices(node, inputs[1])
    shape, indices = inputs[0].shape, inputs[1].shape
    batch = int(node.attributes.get("batch_dims", 0))
    require(
        0 <= batch < min(len(shape), len(indices)) and shape[:batch] == indices[:batch],
        node,
        "batch dimensions that differ",
    )
    require(batch + indices[-1] <= len(shape), node, "tuples of more indices than its input has dimensions")
    return [Value(node.outputs[0], (*indices[:-1], *shape[batch + indices[-1] :]), inputs[0].dtype)]


def _lower_gather_nd(lowering: Lowering, node: Node) -> None:
    """A look-up for each element."""
    x, indices = lowering.nchw(node.inputs[0]), lowering.nchw(node.inputs[1])
    y = lowering.values.result(node.outputs[0], NCHW)
    batch, depth = int(node.attributes.get("batch_dims", 0)), indices.shape[-1]
    inner = math.prod(x.shape[batch + depth :])
    tuples = math.prod(indices.shape[batch:-1])  # in each batch
    body = [
        f"let tuple = at / {inner}u;",
        f"let first = tuple / {tuples}u * {math.prod(x.shape[batch:])}u;",
        f"let slice = {slice_address('tuple', x.shape[batch:], depth)};",
        f"return Element(x[first + slice + at % {inner}u]);",
    ]
    emit(lowering, node, {"x": x, "indices": indices}, y, body, code=WRAP)


# OneHot: a new axis that is on at each index and off elsewhere.
def _infer_one_hot(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape with an axis of `depth` inserted."""
    shape, size = inputs[0].shape, int(one_number(node, 1, constants))
    axis = axis_of(node, int(node.attributes.get("axis", -1)), len(shape) + 1)
    return [Value(node.outputs[0], (*shape[:axis], size, *shape[axis:]), inputs[2].dtype)]


def _lower_one_hot(lowering: Lowering, node: Node) -> None:
    """Compare each element's place with its truncated index; outside [-depth, depth) none matches."""
    indices, values = lowering.nchw(node.inputs[0]), lowering.nchw(node.inputs[2])
    y = lowering.values.result(node.outputs[0], NCHW)
    axis = axis_of(node, int(node.attributes.get("axis", -1)), len(y.shape))
    places = [f"c{i}" for i in range(len(y.shape)) if i != axis]
    body = [
        *coordinates(y.shape),
        f"let index = i32(indices[{address(indices, places)}]);",
        f"return Element(values[select(0, 1, {is_index('index', f'c{axis}', y.shape[axis])})]);",
    ]
    emit(lowering, node, {"indices": indices, "values": values}, y, body)


OPERATORS: Final = (
    Operator(
        "Gather",
        _infer_gather,
        _lower_gather,
        fold=_fold_gather,
        quantized=Quantized.MOVES,
        view=_view_gather,
        fetch=_fetch_gather,
        carries=True,
    ),
    Operator("GatherElements", _infer_gather_elements, _lower_gather_elements, carries=True),
    Operator("GatherND", _infer_gather_nd, _lower_gather_nd, carries=True),
    Operator("OneHot", _infer_one_hot, _lower_one_hot, host=(1,)),
)
