"""EyeLike: ones on a diagonal of a matrix that is shaped like the input.

https://onnx.ai/onnx/operators/onnx__EyeLike.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.lowering.operator import Constants, Operator, refuse_unless, require


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A matrix of the input's type or the one that `dtype` names."""
    require(len(inputs[0].shape) == 2, node, f"an input with {len(inputs[0].shape)} dimensions")
    dtype = dtype_name(int(node.attributes["dtype"])) if "dtype" in node.attributes else inputs[0].dtype
    refuse_unless(dtype in HELD, node, f"{dtype or 'unknown'} tensors")
    return [Value(node.outputs[0], inputs[0].shape, dtype)]


def known(node: Node, inputs: Sequence[Value]) -> Sequence[np.ndarray]:
    """The matrix, which hangs on the shape alone."""
    (value,) = infer(node, inputs, {})
    rows, columns = value.shape
    return [np.eye(rows, columns, int(node.attributes.get("k", 0)), np.dtype(value.dtype))]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The same of a constant."""
    return known(node, [Value(node.inputs[0], inputs[0].shape, inputs[0].dtype.name)])


OPERATOR = Operator("EyeLike", infer, fold=fold, known=known)
