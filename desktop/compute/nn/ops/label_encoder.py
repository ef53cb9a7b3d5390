"""ai.onnx.ml's LabelEncoder: a number in the place of each, by a table. Tables of texts are not taken: no tensor here holds any.

https://onnx.ai/onnx/operators/onnx_aionnxml_LabelEncoder.html
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, refuse_unless, require

_NUMBERS: Final = (("int64s", "int64", -1), ("floats", "float32", 0.0))


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
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
    """The table's keys or values, as written in any version of the operator, and what stands for a key that is missing."""
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


OPERATOR = Operator("ai.onnx.ml.LabelEncoder", expands, expand=expand)
