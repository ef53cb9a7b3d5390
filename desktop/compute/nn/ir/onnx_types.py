"""ONNX's numbers for element types, as NumPy's names."""

from __future__ import annotations

import numpy as np
import onnx

from desktop.compute.nn.ir.narrow_floats import numpy_dtype


def dtype_name(code: int) -> str:
    """NumPy's or ml_dtypes' name of a `TensorProto.DataType`; '' for a type that neither has."""
    try:
        return str(np.dtype(onnx.helper.tensor_dtype_to_np_dtype(code)).name)
    except (KeyError, TypeError, ValueError):
        return ""


def code_of(name: str) -> int:
    """The `TensorProto.DataType` of a NumPy type; raise KeyError if ONNX has none."""
    return int(onnx.helper.np_dtype_to_tensor_dtype(numpy_dtype(name)))
