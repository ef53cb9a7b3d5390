"""Softmax along an axis, its relatives and the losses of classifiers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.graph import Detail, Node, Value
from desktop.compute.nn.kernels.indexing import emit
from desktop.compute.nn.kernels.reduction import add_reduction
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    axis_of,
    left_to_the_gpu,
    require,
    same_as_first,
)
from desktop.compute.nn.lowering.plan import NCHW, Operand
from desktop.compute.nn.lowering.workgroups import ceil_div


# Softmax and its relatives: rows along one axis; before opset 13 everything from `axis` on is one row.
def rows_of(node: Node, shape: Sequence[int]) -> tuple[int, int, int]:
    """(rows before, length of a row, elements from one of its elements to the next)."""
    axis = axis_of(node, int(node.attributes.get("axis", -1 if node.version >= 13 else 1)), len(shape))
    if node.version < 13:
        return math.prod(shape[:axis]), math.prod(shape[axis:]), 1
    return math.prod(shape[:axis]), math.prod(shape[axis : axis + 1]), math.prod(shape[axis + 1 :])


def add_softmax(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    rows: tuple[int, int, int],
    *,
    logarithm: bool = False,
    scale: float = 1.0,
) -> None:
    """Add a dispatch of softmax(scale * x) or its logarithm on row-major operands; `rows`: see `rows_of`."""
    outer, length, inner = rows
    count = outer * inner if length else 0
    width = min(count, 4096)
    threads = 256 if length > 64 and not lowering.target.is_software else 16
    numbers = {"COUNT": count, "LENGTH": length, "INNER": inner, "WIDTH": width, "THREADS": threads}
    numbers |= {"OTHERS": threads // 4 - 1, "LOG": int(logarithm)}
    code = functions_in("log_1p() special()") if logarithm else ""
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("softmax", numbers, floats={"SCALE": scale}, code=code, raw=True, own_indices=True),
            {"x": x},
            result,
            (width, ceil_div(count, max(width, 1)), 1),
        )
    )


# Losses of class scores, for NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.
def infer_loss(node: Node, inputs: Sequence[Value]) -> Value:
    """Infer a scalar, or with reduction='none' the labels' shape (batch, ...) of (batch, classes, ...)."""
    shape, labels = inputs[0].shape, inputs[1].shape
    require(len(shape) >= 2 and labels == (shape[0], *shape[2:]), node, "labels that do not fit the scores")
    reduction = node.attributes.get("reduction", "mean")
    require(reduction in ("none", "sum", "mean"), node, f"the reduction '{reduction}'")
    return Value(node.outputs[0], labels if reduction == "none" else (), inputs[0].dtype)


def add_loss(lowering: Lowering, node: Node, scores: Operand) -> None:
    """Compute output 0 from row-major log probabilities `scores`, labels and (input 2) class weights."""
    classes, inner = scores.shape[1], math.prod(scores.shape[2:])
    reads = {"scores": scores, "labels": lowering.nchw(node.inputs[1])}
    weight = "1.0"
    if node.input(2):
        reads["weights"] = lowering.nchw(node.inputs[2])
        weight = "f32(weights[class_of])"
    ignored = node.attributes.get("ignore_index")
    skip = "" if ignored is None else f"if (label == i32({int(ignored)})) {{ return vec2<f32>(0.0); }}"
    # Labels outside the classes are forbidden, and no kernel can report them.
    code = f"""
fn weighted(at: u32) -> vec2<f32> {{
  let label = labels[at];
  {skip}
  let class_of = u32(clamp(label, 0, {classes - 1}));
  let weight = {weight};
  let score = f32(scores[(at / {inner}u * {classes}u + class_of) * {inner}u + at % {inner}u]);
  return vec2<f32>(-score * weight, weight);
}}"""
    result = lowering.values.result(node.outputs[0], NCHW)
    reduction = node.attributes.get("reduction", "mean")
    if reduction == "none":
        emit(lowering, node, reads, result, ["return Element(weighted(at).x);"], code=code)
        return
    code += f"""
alias Value = vec2<f32>;
fn first() -> Value {{ return vec2<f32>(0.0); }}
fn take(at: u32, k: u32) -> Value {{ return weighted(at); }}
fn join(a: Value, b: Value) -> Value {{ return a + b; }}
fn finish(v: Value) -> Element {{ return Element({"v.x / v.y" if reduction == "mean" else "v.x"}); }}"""
    add_reduction(lowering, node, reads, result, (scores.shape[0] * inner,), {0}, code)


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


# SoftmaxCrossEntropyLoss: LogSoftmax over the classes (output 1), then NegativeLogLikelihoodLoss.
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
