"""Gather: parts along an axis, named by their indices.

https://onnx.ai/onnx/operators/onnx__Gather.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.views import Seen
from desktop.compute.nn.kernels.indexing import WRAP, address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, axis_of, require
from desktop.compute.nn.lowering.plan import NCHW, Operand


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The indices' shape takes the axis's place."""
    require_indices(node, inputs[1])
    shape = inputs[0].shape
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
    indices = constants.get(node.inputs[1])
    inside = indices is None or bool(((indices >= -shape[axis]) & (indices < shape[axis])).all())
    require(inside, node, "an index outside its input")
    return [Value(node.outputs[0], (*shape[:axis], *inputs[1].shape, *shape[axis + 1 :]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy for one index that is known now, else a look-up for each element."""
    x = source(lowering, node.inputs[0])
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(x.shape))
    indices = lowering.graph.constants.get(node.inputs[1])
    if indices is None or indices.size != 1:
        _look_up(lowering, node, x, axis)
        return
    y = lowering.values.movable(node.outputs[0])
    first = int(indices.reshape(())) % x.shape[axis] * x.strides[axis]
    strides = (*x.strides[:axis], *[0] * indices.ndim, *x.strides[axis + 1 :])
    copy_box(lowering, node, x, y, y.shape, strides, y.strides, x_first=first)


def _look_up(lowering: Lowering, node: Node, x: Operand, axis: int) -> None:
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


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of constants; the indices were checked by `infer`."""
    return [np.asarray(np.take(inputs[0], inputs[1], axis=int(node.attributes.get("axis", 0))))]


def view(node: Node, name: str, seen: Seen, graph: Graph) -> Seen | None:
    """One index that is known."""
    indices = graph.constants.get(node.inputs[1])
    if indices is None or indices.size != 1:
        return None
    axis = int(node.attributes.get("axis", 0)) % len(seen.axes)
    chosen = seen.cut(axis, int(indices.reshape(())) % seen.shape[axis], 1)
    return chosen and chosen.reshaped((*seen.shape[:axis], *[1] * indices.ndim, *seen.shape[axis + 1 :]))


OPERATOR = Operator("Gather", infer, lower, fold=fold, quantized=Quantized.MOVES, view=view, carries=True)
