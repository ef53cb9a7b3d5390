"""ai.onnx.ml's LinearClassifier: a score for each class from one product, and the number of the likeliest class.

https://onnx.ai/onnx/operators/onnx_aionnxml_LinearClassifier.html
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, refuse_unless, require

_TRANSFORMS = {"NONE": "", "LOGISTIC": "Sigmoid", "SOFTMAX": "Softmax"}


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a Gemm, its transformation, and an ArgMax.

    Names of classes are in no tensor here: what reads them finds nothing, and what only the file's text outputs read is gone before.
    """
    transform = str(node.attributes.get("post_transform", "NONE"))
    refuse_unless(transform in _TRANSFORMS, node, f"post_transform '{transform}'")
    require(len(node.outputs) == 2, node, f"{len(node.outputs)} results")
    build = Builder(node)
    raw, count = _raw_scores(build, values[node.inputs[0]])
    labels = np.array(node.attributes.get("classlabels_ints", ()), np.int64)
    texts = node.attributes.get("classlabels_strings", ())
    classes = len(texts) or labels.size
    require(classes >= 2 and classes == max(count, 2), node, f"{classes} classes of {count} rows")
    if node.outputs[1]:
        (_add_one_score if count == 1 else _add_scores)(build, raw, _TRANSFORMS[transform])
    if node.outputs[0] and not texts:
        place = _likeliest(build, raw, count)
        build.add("Gather", build.constant(labels), place, output=node.outputs[0], axis=0)
    return build.done()


def _raw_scores(build: Builder, x: Value) -> tuple[str, int]:
    """The name of x W^T + b, one row for each of x, and how many numbers such a row has."""
    node = build.node
    require(1 <= len(x.shape) <= 2, node, f"an input of shape {x.shape}")
    features = x.shape[-1]
    weights = np.array(node.attributes.get("coefficients", ()), np.float32)
    require(features > 0 and weights.size > 0 and weights.size % features == 0, node, "other coefficients")
    weights = weights.reshape(-1, features)
    offsets = np.array(node.attributes.get("intercepts", [0.0] * len(weights)), np.float32)
    require(offsets.shape == (len(weights),), node, f"{offsets.size} intercepts of {len(weights)} rows")
    rows = build.add("Reshape", build.floats(x.name), build.constant([-1, features]))
    product = build.add("MatMul", rows, build.constant(weights.T, "float32"))
    return build.add("Add", product, build.constant(offsets, "float32")), len(weights)


def _add_scores(build: Builder, raw: str, transform: str) -> None:
    attributes = {"axis": -1} if transform == "Softmax" else {}
    build.add(transform or "Identity", raw, output=build.node.outputs[1], **attributes)


def _add_one_score(build: Builder, raw: str, transform: str) -> None:
    """Of two classes with one score the other's is what is missing to 1, as ONNX Runtime has it: a softmax of one is left out."""
    mine = build.add("Sigmoid", raw) if transform == "Sigmoid" else raw
    other = build.add("Sub", build.constant(1.0, "float32"), mine)
    build.add("Concat", other, mine, output=build.node.outputs[1], axis=-1)


def _likeliest(build: Builder, raw: str, count: int) -> str:
    if count > 1:
        return build.add("ArgMax", raw, axis=-1, keepdims=0)
    above = build.add("Greater", raw, build.constant(0.0, "float32"))
    return build.add("Reshape", build.add("Cast", above, to=7), build.constant([-1]))


OPERATOR = Operator("ai.onnx.ml.LinearClassifier", expands, expand=expand)
