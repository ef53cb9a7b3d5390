"""Expand: repeats dimensions of size 1 as multidirectional broadcasting does.

https://onnx.ai/onnx/operators/onnx__Expand.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.views import Seen
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, folds, integers, require


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape and the given one, broadcast together."""
    wanted = integers(node, "shape", 1, constants)
    require(wanted is not None and all(n >= 0 for n in wanted), node, "no shape, or a negative dimension")
    assert wanted is not None
    shape = np.broadcast_shapes(inputs[0].shape, wanted)
    return [Value(node.outputs[0], tuple(int(n) for n in shape), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A strided copy that stands still along the repeated dimensions."""
    x, y = source(lowering, node.inputs[0]), lowering.values.movable(node.outputs[0])
    own = [step if size > 1 else 0 for size, step in zip(x.shape, x.strides, strict=True)]
    strides = [0] * (len(y.shape) - len(own)) + own
    copy_box(lowering, node, x, y, y.shape, strides, y.strides)


def view(node: Node, name: str, seen: Seen, graph: Graph) -> Seen | None:
    """No step along what is repeated."""
    return seen.stretched(graph.shape(name))


OPERATOR = Operator(
    "Expand",
    infer,
    lower,
    fold=folds(infer, lambda x, shape: np.array(np.broadcast_to(x, shape))),
    host=(1,),
    view=view,
)
