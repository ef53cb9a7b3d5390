"""Cast: another element type, as NumPy and ONNX Runtime convert: towards zero from floats, by the low bits between integers.

https://onnx.ai/onnx/operators/onnx__Cast.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS, Rounding, numpy_dtype, rounded
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.kernels.casting import cast_steps, convert
from desktop.compute.nn.lowering.operator import Constants, Operator, refuse_unless


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type that `to` names."""
    return [Value(node.outputs[0], inputs[0].shape, dtype_name(int(node.attributes["to"])))]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """NumPy's conversion, which is ONNX's between the types that it has, and that to floats of fewer bits."""
    dtype = dtype_name(int(node.attributes["to"]))
    refuse_unless(dtype in HELD or dtype == "float64", node, f"{dtype or 'unknown'} tensors")
    with np.errstate(all="ignore"):
        if dtype in NARROW_FLOATS:
            return [rounded(inputs[0], dtype, Rounding.of(node.attributes))]
        return [inputs[0].astype(numpy_dtype(dtype))]


OPERATOR = Operator("Cast", infer, convert, cast_steps, fold, identity=True)
