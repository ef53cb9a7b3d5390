"""Softmax along an axis, its relatives and the losses of classifiers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.graph import Detail, Node, Value
from desktop.compute.nn.kernels.indexing import emit
from desktop.compute.nn.kernels.losses import add_loss, infer_loss
from desktop.compute.nn.kernels.softmax import add_softmax, rows_of
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    left_to_the_gpu,
    same_as_first,
)
from desktop.compute.nn.lowering.plan import NCHW, Operand


# Hardmax: 1 at the first largest element of a row, 0 elsewhere.
def _lower_hardmax(lowering: Lowering, node: Node) -> None:
    """Each element looks through its row for one that comes before it."""
    x, result = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    _, length, inner = rows_of(node, lowering.graph.shape(node.inputs[0]))
    body = [
        f"let mine = at / {inner}u % {length}u;",
        "let own = f32(x[at]);",
        f"let base = at - mine * {inner}u;",
        f"for (var k = 0u; k < {length}u; k++) {{",
        f"  let other = f32(x[base + k * {inner}u]);",
        "  if (nan(other) && (!nan(own) || k < mine)) { return Element(0.0); }",
        "  if (!nan(own) && (other > own || (other == own && k < mine))) { return Element(0.0); }",
        "}",
        "return Element(1.0);",
    ]
    emit(lowering, node, {"x": x}, result, body)


# LogSoftmax: the logarithm of Softmax, computed without it.
def _lower_log_softmax(lowering: Lowering, node: Node) -> None:
    """One workgroup a row of the row-major tensor."""
    x, result = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    rows = rows_of(node, lowering.graph.shape(node.inputs[0]))
    add_softmax(lowering, node, x, result, rows, logarithm=True)


# Softmax along one axis; before opset 13 over everything from `axis` (default 1) on.
@dataclass(frozen=True)
class Scaled(Detail):
    """The input is to be multiplied by `scale` first: integers of a quantized network."""

    scale: float


def _lower_softmax(lowering: Lowering, node: Node) -> None:
    """One workgroup a row of the row-major tensor."""
    x, result = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    scaled = node.detail(Scaled)
    rows = rows_of(node, lowering.graph.shape(node.inputs[0]))
    add_softmax(lowering, node, x, result, rows, scale=scaled.scale if scaled else 1.0)


# NegativeLogLikelihoodLoss: what the logarithms of the labels' probabilities lack.
def _infer_negative_log_likelihood_loss(
    node: Node, inputs: Sequence[Value], constants: Constants
) -> Sequence[Value]:
    """See `infer_loss`."""
    return [infer_loss(node, inputs)]


def _lower_negative_log_likelihood_loss(lowering: Lowering, node: Node) -> None:
    """One dispatch."""
    add_loss(lowering, node, lowering.nchw(node.inputs[0]))


# SoftmaxCrossEntropyLoss: LogSoftmax over the classes, then NegativeLogLikelihoodLoss; its second output is
# the former.
def _infer_softmax_cross_entropy_loss(
    node: Node, inputs: Sequence[Value], constants: Constants
) -> Sequence[Value]:
    """The loss, and the logarithms of the probabilities, shaped like the scores."""
    scores = [Value(name, inputs[0].shape, inputs[0].dtype) for name in node.outputs[1:]]
    return [infer_loss(node, inputs), *scores]


def _lower_softmax_cross_entropy_loss(lowering: Lowering, node: Node) -> None:
    """Two dispatches."""
    x = lowering.nchw(node.inputs[0])
    if any(node.outputs[1:]):
        scores = lowering.values.result(node.outputs[1], NCHW)
    else:
        scores = Operand(lowering.memory.reserve(math.prod(x.shape) * 4), x.shape, "float32", NCHW)
    rows = (x.shape[0], x.shape[1], math.prod(x.shape[2:]))
    add_softmax(lowering, node, x, scores, rows, logarithm=True)
    add_loss(lowering, node, scores)


OPERATORS: Final = (
    Operator("Hardmax", same_as_first, _lower_hardmax, fold=left_to_the_gpu),
    Operator("LogSoftmax", same_as_first, _lower_log_softmax, fold=left_to_the_gpu),
    Operator("Softmax", same_as_first, _lower_softmax, fold=left_to_the_gpu, quantized=Quantized.SCALED),
    Operator(
        "NegativeLogLikelihoodLoss", _infer_negative_log_likelihood_loss, _lower_negative_log_likelihood_loss
    ),
    Operator("SoftmaxCrossEntropyLoss", _infer_softmax_cross_entropy_loss, _lower_softmax_cross_entropy_loss),
)
