"""Operators that cut a tensor along axes, or join tensors along one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.places import Chosen, Place, Read, Source, Test, total
from desktop.compute.nn.ir.views import TensorView
from desktop.compute.nn.kernels.indexing import pick
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    ANY,
    Constants,
    Operator,
    Quantized,
    axis_of,
    integers,
    needed_input,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC


# Compress: the parts along an axis that a condition keeps, which must be known for the shape.
def _selected_indices(node: Node, size: int, constants: Constants) -> np.ndarray:
    """Return the selected indices of an axis of `size`; those beyond the condition's end are not selected."""
    condition = needed_input(node, 1, constants)
    require(condition.size <= size, node, "a condition that is longer than its axis")
    return np.flatnonzero(condition)


def _infer_compress(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape with a shorter axis; a vector where no axis is given."""
    shape = inputs[0].shape
    if "axis" not in node.attributes:
        return [
            Value(
                node.outputs[0], (_selected_indices(node, math.prod(shape), constants).size,), inputs[0].dtype
            )
        ]
    axis = axis_of(node, int(node.attributes["axis"]), len(shape))
    count = _selected_indices(node, shape[axis], constants).size
    return [Value(node.outputs[0], (*shape[:axis], count, *shape[axis + 1 :]), inputs[0].dtype)]


def _lower_compress(lowering: Lowering, node: Node) -> None:
    """A look-up for each element."""
    if "axis" in node.attributes:
        x = source(lowering, node.inputs[0])
        axis = axis_of(node, int(node.attributes["axis"]), len(x.shape))
    else:
        rows = lowering.nchw(node.inputs[0])
        x, axis = replace(rows, shape=(math.prod(rows.shape),)), 0
    kept = _selected_indices(node, x.shape[axis], lowering.graph.constants)
    pick(lowering, node, x, lowering.values.result(node.outputs[0], NCHW), {axis: kept})


# Concat along an axis. Inputs that were computed in place (see passes/placement.py) cost nothing.
def _infer_concat(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Sizes add up along the axis."""
    shape = list(inputs[0].shape)
    axis = axis_of(node, int(node.attributes.get("axis", 1)), len(shape))
    require(len({value.dtype for value in inputs}) == 1, node, "inputs of several types")
    for value in inputs:
        same = len(value.shape) == len(shape) and all(
            a == b for i, (a, b) in enumerate(zip(value.shape, shape, strict=True)) if i != axis
        )
        require(same, node, "inputs whose shapes differ off the axis")
    shape[axis] = sum(value.shape[axis] for value in inputs)
    return [Value(node.outputs[0], tuple(shape), inputs[0].dtype)]


def _lower_concat(lowering: Lowering, node: Node) -> None:
    """Lower to a copy for each input that is not in the result already, of vec4s where they line up."""
    name = node.outputs[0]
    shape = lowering.graph.shape(name)
    axis = axis_of(node, int(node.attributes.get("axis", 1)), len(shape))
    sizes = [lowering.graph.shape(part)[axis] for part in node.inputs]
    aligned = axis == 1 and len(shape) > 1 and all(size % 4 == 0 for size in sizes[:-1])
    whole = lowering.values.result(name) if aligned else lowering.values.movable(name)
    for part, first in zip(node.inputs, accumulate(sizes, initial=0), strict=False):
        place = replace(whole, shape=lowering.graph.shape(part), start=whole.start + first // 4)
        lies_there = whole.layout == NHWC and first % 4 == 0 and lowering.values.lies_at(part, place)
        if lies_there or 0 in place.shape:
            continue
        if aligned and whole.layout == NHWC:
            lowering.copy(node, lowering.values.any(part), place)
            lowering.values.copied_to(part, place)
        else:
            x = source(lowering, part)
            copy_box(
                lowering,
                node,
                x,
                whole,
                x.shape,
                x.strides,
                whole.strides,
                y_first=first * whole.strides[axis],
            )


def _fetch_concat(node: Node, name: str, place: Place, graph: Graph) -> Source:
    """The element of the input in whose part of the axis it is."""
    axis = axis_of(node, int(node.attributes.get("axis", 1)), len(place))
    sizes = [graph.shape(part)[axis] for part in node.inputs]
    parts = [(at, first) for at, first in enumerate(accumulate(sizes[:-1], initial=0)) if sizes[at]]
    found: Source | None = None
    for at, first in reversed(parts):
        part = Read(at, (*place[:axis], place[axis].plus(-first), *place[axis + 1 :]))
        found = part if found is None else Chosen((Test(place[axis], first + sizes[at]),), part, found)
    assert found is not None
    return found


def _is_idle_concat(node: Node, graph: Graph) -> bool:
    """Of one tensor, and empty ones after it."""
    return graph.shape(node.inputs[0]) == graph.shape(node.outputs[0])


def _fold_concat(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of constants."""
    return [np.concatenate(inputs, int(node.attributes.get("axis", 1)))]


# Slice: a box with steps; starts, ends, axes and steps as attributes (before opset 10) or as inputs.
def _range(size: int, start: int, end: int, step: int) -> range:
    """Return the indices kept along an axis, clamped as ONNX specifies (unlike Python for early starts)."""
    start, end = (n + size if n < 0 else n for n in (start, end))
    if step > 0:
        return range(min(max(start, 0), size), min(max(end, 0), size), step)
    return range(min(max(start, 0), size - 1), min(max(end, -1), size - 1), step)


def _ranges(node: Node, shape: Sequence[int], constants: Constants) -> list[range]:
    """The indices that a Slice keeps along each axis."""
    starts, ends = integers(node, "starts", 1, constants), integers(node, "ends", 2, constants)
    require(starts is not None and ends is not None, node, "no starts or no ends")
    assert starts is not None and ends is not None
    axes = integers(node, "axes", 3, constants) or tuple(range(len(starts)))
    steps = integers(node, "steps", 4, constants) or (1,) * len(starts)
    require(
        len(starts) == len(ends) == len(axes) == len(steps) and 0 not in steps, node, "lists that do not fit"
    )
    ranges = [range(n) for n in shape]
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        at = axis_of(node, axis, len(shape))
        ranges[at] = _range(shape[at], start, end, step)
    return ranges


def _infer_slice(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The lengths of the ranges."""
    ranges = _ranges(node, inputs[0].shape, constants)
    return [Value(node.outputs[0], tuple(len(r) for r in ranges), inputs[0].dtype)]


def _is_part(ranges: Sequence[range], shape: Sequence[int]) -> bool:
    """True for a run of channels with all else whole."""
    others = [r == range(n) for i, (r, n) in enumerate(zip(ranges, shape, strict=True)) if i != 1]
    return len(shape) > 1 and all(others) and len(ranges[1]) > 0 and ranges[1].step == 1


def _lower_slice(lowering: Lowering, node: Node) -> None:
    """A strided copy, unless a part of the channels can stay where it lies."""
    x = source(lowering, node.inputs[0])
    ranges = _ranges(node, x.shape, lowering.graph.constants)
    if _is_part(ranges, x.shape) and lowering.values.part(x, node.outputs[0], ranges[1].start):
        return
    y = lowering.values.movable(node.outputs[0])
    strides = [stride * r.step for stride, r in zip(x.strides, ranges, strict=True)]
    first = sum(stride * r.start for stride, r in zip(x.strides, ranges, strict=True))
    copy_box(lowering, node, x, y, y.shape, strides, y.strides, x_first=first)


def _fold_slice(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of a constant."""
    given = {name: array for name, array in zip(node.inputs, inputs, strict=True) if name}
    return [np.asarray(inputs[0][np.ix_(*_ranges(node, inputs[0].shape, given))])]


def _view_slice(node: Node, name: str, seen: TensorView, graph: Graph) -> TensorView | None:
    """Forward slices."""
    found: TensorView | None = seen
    for axis, kept in enumerate(_ranges(node, seen.shape, graph.constants)):
        if found is None or kept.step < 0:
            return None
        if kept != range(seen.shape[axis]):
            found = found.cut(axis, kept.start, len(kept), kept.step)
    return found


def _fetch_slice(node: Node, name: str, place: Place, graph: Graph) -> Source:
    """The element at the range's start and that many steps."""
    ranges = _ranges(node, graph.shape(node.inputs[0]), graph.constants)
    return Read(0, tuple(total([(i, r.step)]).plus(r.start) for i, r in zip(place, ranges, strict=True)))


# Split along an axis; the sizes as an attribute (before opset 13), as an input, or equal.
def _split_sizes(node: Node, size: int, constants: Constants) -> tuple[int, ...]:
    """Return the sizes of a split axis: those given, or equal parts with a smaller last one."""
    parts = len(node.outputs)
    sizes = integers(node, "split", 1, constants)
    if sizes is None:
        require(
            int(node.attributes.get("num_outputs", parts)) == parts, node, "num_outputs is another number"
        )
        each = -(-size // parts)
        sizes = tuple(min(each, max(size - i * each, 0)) for i in range(parts))
    require(len(sizes) == parts and min(sizes) >= 0 and sum(sizes) == size, node, "sizes that do not add up")
    return sizes


def _split_axis(node: Node, shape: Sequence[int]) -> int:
    return axis_of(node, int(node.attributes.get("axis", 0)), len(shape))


def _infer_split(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape with the axis cut."""
    shape = inputs[0].shape
    axis = _split_axis(node, shape)
    return [
        Value(name, (*shape[:axis], size, *shape[axis + 1 :]), inputs[0].dtype)
        for name, size in zip(node.outputs, _split_sizes(node, shape[axis], constants), strict=True)
    ]


def _lower_split(lowering: Lowering, node: Node) -> None:
    """A strided copy for each output that is read and is no part of the channels that can stay where it lies."""
    x = source(lowering, node.inputs[0])
    axis = _split_axis(node, x.shape)
    sizes = _split_sizes(node, x.shape[axis], lowering.graph.constants)
    for name, first in zip(node.outputs, accumulate(sizes, initial=0), strict=False):
        if name and not (axis == 1 and lowering.values.part(x, name, first)):
            y = lowering.values.movable(name)
            copy_box(lowering, node, x, y, y.shape, x.strides, y.strides, x_first=first * x.strides[axis])


def _fold_split(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of a constant."""
    axis = _split_axis(node, inputs[0].shape)
    sizes = _split_sizes(node, inputs[0].shape[axis], dict(zip(node.inputs, inputs, strict=True)))
    return np.split(inputs[0], list(accumulate(sizes))[:-1], axis)


def _view_split(node: Node, name: str, seen: TensorView, graph: Graph) -> TensorView | None:
    """The part that output `name` is; unknown where one before it is left out, and with it its size."""
    axis = int(node.attributes.get("axis", 0)) % len(seen.axes)
    before = node.outputs[: node.outputs.index(name)]
    if not all(before):
        return None
    return seen.cut(axis, sum(graph.shape(each)[axis] for each in before), graph.shape(name)[axis])


def _fetch_split(node: Node, name: str, place: Place, graph: Graph) -> Source:
    """The element behind the parts before."""
    shape = graph.shape(node.inputs[0])
    axis = _split_axis(node, shape)
    first = sum(_split_sizes(node, shape[axis], graph.constants)[: node.outputs.index(name)])
    return Read(0, (*place[:axis], place[axis].plus(first), *place[axis + 1 :]))


OPERATORS: Final = (
    Operator("Compress", _infer_compress, _lower_compress, host=(1,)),
    Operator(
        "Concat",
        _infer_concat,
        _lower_concat,
        fold=_fold_concat,
        fetch=_fetch_concat,
        idle=_is_idle_concat,
        layout=ANY,
        quantized=Quantized.JOINS,
        carries=True,
    ),
    Operator(
        "Slice",
        _infer_slice,
        _lower_slice,
        fold=_fold_slice,
        host=(1, 2, 3, 4),
        quantized=Quantized.MOVES,
        view=_view_slice,
        fetch=_fetch_slice,
    ),
    Operator(
        "Split",
        _infer_split,
        _lower_split,
        fold=_fold_split,
        host=(1,),
        quantized=Quantized.MOVES,
        view=_view_split,
        fetch=_fetch_split,
    ),
)
