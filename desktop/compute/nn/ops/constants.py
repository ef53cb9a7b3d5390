"""Constants, and what follows from shapes alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    constant_input,
    one_number,
    refuse_unless,
    require,
)


# Constant: an array in an attribute.
def _array(node: Node) -> np.ndarray:
    kinds = {
        "value_float": np.float32,
        "value_floats": np.float32,
        "value_int": np.int64,
        "value_ints": np.int64,
    }
    for name, dtype in kinds.items():
        if name in node.attributes:
            return np.asarray(node.attributes[name], dtype)
    value = node.attributes.get("value")
    refuse_unless(isinstance(value, np.ndarray), node, "a sparse or text constant")
    return np.asarray(value)


def _infer_constant(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The array's shape and type."""
    array = _array(node)
    return [Value(node.outputs[0], array.shape, array.dtype.name)]


def _fold_constant(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The array."""
    return [_array(node)]


# ConstantOfShape: an array of one value.
def _fill(node: Node) -> np.ndarray:
    return np.asarray(node.attributes.get("value", np.zeros(1, np.float32))).reshape(-1)[:1]


def _infer_constant_of_shape(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The shape is the input's content."""
    shape = constant_input(node, 0, constants)
    require(shape is not None and bool((shape >= 0).all()), node, "a shape with negative dimensions")
    return [
        Value(node.outputs[0], tuple(int(n) for n in np.asarray(shape).reshape(-1)), _fill(node).dtype.name)
    ]


def _fold_constant_of_shape(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The filled array. Its size was checked by the caller, from `infer`."""
    fill = _fill(node)
    return [np.full(tuple(int(n) for n in inputs[0].reshape(-1)), fill[0], fill.dtype)]


# EyeLike: ones on a diagonal of a matrix that is shaped like the input.
def _infer_eye_like(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A matrix of the input's type or the one that `dtype` names."""
    require(len(inputs[0].shape) == 2, node, f"an input with {len(inputs[0].shape)} dimensions")
    dtype = dtype_name(int(node.attributes["dtype"])) if "dtype" in node.attributes else inputs[0].dtype
    refuse_unless(dtype in HELD, node, f"{dtype or 'unknown'} tensors")
    return [Value(node.outputs[0], inputs[0].shape, dtype)]


def _known_eye_like(node: Node, inputs: Sequence[Value]) -> Sequence[np.ndarray]:
    """The matrix, which hangs on the shape alone."""
    (value,) = _infer_eye_like(node, inputs, {})
    rows, columns = value.shape
    return [np.eye(rows, columns, int(node.attributes.get("k", 0)), np.dtype(value.dtype))]


def _fold_eye_like(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The same of a constant."""
    return _known_eye_like(node, [Value(node.inputs[0], inputs[0].shape, inputs[0].dtype.name)])


# Range: numbers in equal steps, made when the session is built, because their count is the result's shape.
def _infer_range(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """max(ceil((limit - start) / delta), 0) numbers of the inputs' type."""
    numbers = [one_number(node, index, constants) for index in range(3)]
    start, limit, delta = numbers
    require(
        delta != 0 and all(math.isfinite(n) for n in numbers), node, "a step of zero or an infinite range"
    )
    count = max(math.ceil((limit - start) / delta), 0)
    return [Value(node.outputs[0], (count,), inputs[0].dtype)]


def _fold_range(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """start + i * delta, in float64 (or exact integers) before it is rounded to the inputs' type."""
    start, limit, delta = (array.reshape(()).item() for array in inputs)
    count = max(math.ceil((limit - start) / delta), 0)
    return [(start + np.arange(count) * delta).astype(inputs[0].dtype)]


# Shape: known when the session is built, so it is always a constant (see `infer_shapes`).
def _dimensions(node: Node, shape: Sequence[int]) -> np.ndarray:
    """The dimensions from `start` to `end`."""
    start, end = int(node.attributes.get("start", 0)), node.attributes.get("end")
    return np.array(list(shape)[start : None if end is None else int(end)], np.int64)


def _infer_shape(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A vector of int64."""
    return [Value(node.outputs[0], _dimensions(node, inputs[0].shape).shape, "int64")]


def _shape(node: Node, inputs: Sequence[Value | np.ndarray]) -> Sequence[np.ndarray]:
    """The input's shape."""
    return [_dimensions(node, inputs[0].shape)]


# Size: the number of elements, known when the session is built.
def _infer_size(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A scalar of int64."""
    return [Value(node.outputs[0], (), "int64")]


def _size(node: Node, inputs: Sequence[Value | np.ndarray]) -> Sequence[np.ndarray]:
    """The product of the input's dimensions."""
    return [np.array(math.prod(inputs[0].shape), np.int64)]


OPERATORS: Final = (
    Operator("Constant", _infer_constant, fold=_fold_constant),
    Operator("ConstantOfShape", _infer_constant_of_shape, fold=_fold_constant_of_shape, host=(0,)),
    Operator("EyeLike", _infer_eye_like, fold=_fold_eye_like, known=_known_eye_like),
    Operator("Range", _infer_range, fold=_fold_range, host=(0, 1, 2)),
    Operator("Shape", _infer_shape, fold=_shape, known=_shape),
    Operator("Size", _infer_size, fold=_size, known=_size),
)
