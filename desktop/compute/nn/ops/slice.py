"""Slice: a box with steps; starts, ends, axes and steps as attributes (before opset 10) or as inputs.

https://onnx.ai/onnx/operators/onnx__Slice.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.views import Seen
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, axis_of, integers, require


def _range(size: int, start: int, end: int, step: int) -> range:
    """The indices that one axis keeps, clamped as the specification says: not quite as Python does for a start before the axis."""
    start, end = (n + size if n < 0 else n for n in (start, end))
    if step > 0:
        return range(min(max(start, 0), size), min(max(end, 0), size), step)
    return range(min(max(start, 0), size - 1), min(max(end, -1), size - 1), step)


def ranges_of(node: Node, shape: Sequence[int], constants: Constants) -> list[range]:
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


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The lengths of the ranges."""
    ranges = ranges_of(node, inputs[0].shape, constants)
    return [Value(node.outputs[0], tuple(len(r) for r in ranges), inputs[0].dtype)]


def _is_part(ranges: Sequence[range], shape: Sequence[int]) -> bool:
    """True for a run of channels with all else whole."""
    others = [r == range(n) for i, (r, n) in enumerate(zip(ranges, shape, strict=True)) if i != 1]
    return len(shape) > 1 and all(others) and len(ranges[1]) > 0 and ranges[1].step == 1


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy, unless a part of the channels can stay where it lies."""
    x = source(lowering, node.inputs[0])
    ranges = ranges_of(node, x.shape, lowering.graph.constants)
    if _is_part(ranges, x.shape) and lowering.values.part(x, node.outputs[0], ranges[1].start):
        return
    y = lowering.values.movable(node.outputs[0])
    strides = [stride * r.step for stride, r in zip(x.strides, ranges, strict=True)]
    first = sum(stride * r.start for stride, r in zip(x.strides, ranges, strict=True))
    copy_box(lowering, node, x, y, y.shape, strides, y.strides, x_first=first)


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of a constant."""
    given = {name: array for name, array in zip(node.inputs, inputs, strict=True) if name}
    return [np.asarray(inputs[0][np.ix_(*ranges_of(node, inputs[0].shape, given))])]


def view(node: Node, name: str, seen: Seen, graph: Graph) -> Seen | None:
    """Forward slices."""
    found: Seen | None = seen
    for axis, kept in enumerate(ranges_of(node, seen.shape, graph.constants)):
        if found is None or kept.step < 0:
            return None
        if kept != range(seen.shape[axis]):
            found = found.cut(axis, kept.start, len(kept), kept.step)
    return found


OPERATOR = Operator("Slice", infer, lower, fold=fold, host=(1, 2, 3, 4), quantized=Quantized.MOVES, view=view)
