"""Operators of the domain ai.onnx.ml: what scikit-learn's converters write around a network.

https://onnx.ai/onnx/operators/onnx_aionnxml_Scaler.html, and so on by their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, refuse_unless, require


# ArrayFeatureExtractor: entries of the last axis by index, such as a class's probability.
def _expand_array_feature_extractor(
    node: Node, values: Mapping[str, Value], constants: Constants
) -> Expansion:
    """As a Gather; of one axis the result has two, as ONNX Runtime gives it."""
    build = Builder(node)
    source, chosen = node.inputs
    rank = len(values[source].shape)
    require(rank > 0, node, "a number instead of a tensor")
    if rank == 1:
        source = build.add("Unsqueeze", source, build.constant([0]))
    flat = build.add("Reshape", chosen, build.constant([-1]))
    build.add("Gather", source, flat, output=node.outputs[0], axis=-1)
    return build.done()


# ai.onnx.ml's Binarizer: 1 above a threshold, else 0.
def _expand_binarizer(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a Greater and a Cast."""
    build, dtype = Builder(node), values[node.inputs[0]].dtype
    threshold = build.constant(float(node.attributes.get("threshold", 0.0)), dtype)
    build.add(
        "Cast",
        build.add("Greater", node.inputs[0], threshold),
        output=node.outputs[0],
        to=code_of(dtype),
    )
    return build.done()


# LabelEncoder: a replacement of each number, by a table. Tables of texts are not supported.

_NUMBERS: Final = (("int64s", "int64", -1), ("floats", "float32", 0.0))


def _expand_label_encoder(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a comparison with each key, and a Gather of the first one's value that is equal."""
    keys, _ = _table(node, "keys")
    found, default = _table(node, "values")
    source = values[node.inputs[0]]
    require(keys.ndim == 1 and keys.shape == found.shape and keys.size > 0, node, "a table with gaps")
    refuse_unless(keys.dtype.name == source.dtype, node, f"{source.dtype} beside keys in {keys.dtype.name}")
    refuse_unless(not np.isnan(keys).any(), node, "a key that is no number")
    build = Builder(node)
    each = build.add("Unsqueeze", node.inputs[0], build.constant([-1]))
    equal = build.add("Cast", build.add("Equal", each, build.constant(keys, keys.dtype.name)), to=6)
    value = build.add(
        "Gather",
        build.constant(found, found.dtype.name),
        build.add("ArgMax", equal, axis=-1, keepdims=0),
        axis=0,
    )
    there = build.add("Cast", build.add("ReduceMax", equal, build.constant([-1]), keepdims=0), to=9)
    build.add("Where", there, value, build.constant(default, found.dtype.name), output=node.outputs[0])
    return build.done()


def _table(node: Node, name: str) -> tuple[np.ndarray, Any]:
    """Return the table's keys or values, in any version of the operator, and what a missing key gets."""
    given = node.attributes
    tensor = given.get(f"{name}_tensor")
    if isinstance(tensor, np.ndarray) and tensor.dtype.name in ("int64", "float32"):
        default = given.get("default_tensor", -1 if tensor.dtype.name == "int64" else 0.0)
        return tensor, np.asarray(default).reshape(-1)[0]
    for ending, dtype, default in _NUMBERS:
        if f"{name}_{ending}" in given:
            missing = given.get(f"default_{ending.rstrip('s')}", default)
            return np.array(given[f"{name}_{ending}"], dtype), missing
    refuse_unless(False, node, "a table of texts")
    raise AssertionError


# LinearClassifier: a score for each class from one product, and the index of the likeliest class.

_TRANSFORMS = {"NONE": "", "LOGISTIC": "Sigmoid", "SOFTMAX": "Softmax"}


def _expand_linear_classifier(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """Expand to a Gemm, its transformation and an ArgMax; class names, being text, are not available."""
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
    """Add 1 - score as the score of the other of two classes, without a softmax, as ONNX Runtime does."""
    mine = build.add("Sigmoid", raw) if transform == "Sigmoid" else raw
    other = build.add("Sub", build.constant(1.0, "float32"), mine)
    build.add("Concat", other, mine, output=build.node.outputs[1], axis=-1)


def _likeliest(build: Builder, raw: str, count: int) -> str:
    if count > 1:
        return build.add("ArgMax", raw, axis=-1, keepdims=0)
    above = build.add("Greater", raw, build.constant(0.0, "float32"))
    return build.add("Reshape", build.add("Cast", above, to=7), build.constant([-1]))


# Normalizer: rows divided by their largest number, by the sum of their magnitudes, or by their length.

_REDUCTIONS = {"MAX": "ReduceMax", "L1": "ReduceL1", "L2": "ReduceL2"}


def _expand_normalizer(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a reduction and a division; a row of zeros stays one, as in ONNX Runtime."""
    norm = str(node.attributes.get("norm", "MAX"))
    require(norm in _REDUCTIONS, node, f"norm '{norm}'")
    build = Builder(node)
    rows = build.floats(node.inputs[0])
    size = build.add(_REDUCTIONS[norm], rows, build.constant([-1]), keepdims=1)
    nothing = build.add("Equal", size, build.constant(0.0, "float32"))
    divisor = build.add("Where", nothing, build.constant(1.0, "float32"), size)
    build.add("Div", rows, divisor, output=node.outputs[0])
    return build.done()


# ai.onnx.ml's Scaler: (x - offset) * scale, each of them one number or one for each feature.
def _expand_scaler(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a Sub and a Mul."""
    build, features = Builder(node), values[node.inputs[0]].shape[-1:]
    found = []
    for name, default in (("offset", 0.0), ("scale", 1.0)):
        numbers = node.attributes.get(name, [default])
        require(len(numbers) == 1 or (len(numbers),) == features, node, f"{len(numbers)} numbers '{name}'")
        found.append(build.constant(numbers, "float32"))
    offset, scale = found
    build.add("Mul", build.add("Sub", build.floats(node.inputs[0]), offset), scale, output=node.outputs[0])
    return build.done()


OPERATORS: Final = (
    Operator("ai.onnx.ml.ArrayFeatureExtractor", expands, expand=_expand_array_feature_extractor),
    Operator("ai.onnx.ml.Binarizer", expands, expand=_expand_binarizer),
    Operator("ai.onnx.ml.LabelEncoder", expands, expand=_expand_label_encoder),
    Operator("ai.onnx.ml.LinearClassifier", expands, expand=_expand_linear_classifier),
    Operator("ai.onnx.ml.Normalizer", expands, expand=_expand_normalizer),
    Operator("ai.onnx.ml.Scaler", expands, expand=_expand_scaler),
)
