"""Losses of class scores, for NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss."""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import emit
from desktop.compute.nn.kernels.reduction import add_reduction
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import require
from desktop.compute.nn.lowering.plan import NCHW, Operand


def infer_loss(node: Node, inputs: Sequence[Value]) -> Value:
    """One number, or with reduction='none' one for each label. Scores are (batch, classes, ...), labels (batch, ...)."""
    shape, labels = inputs[0].shape, inputs[1].shape
    require(len(shape) >= 2 and labels == (shape[0], *shape[2:]), node, "labels that do not fit the scores")
    reduction = node.attributes.get("reduction", "mean")
    require(reduction in ("none", "sum", "mean"), node, f"the reduction '{reduction}'")
    return Value(node.outputs[0], labels if reduction == "none" else (), inputs[0].dtype)


def add_loss(lowering: Lowering, node: Node, scores: Operand) -> None:
    """Add the dispatch that computes output 0.

    Args:
        scores: logarithms of probabilities, row-major. The labels are input 1, the classes' weights input 2 or left out.
    """
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
