"""ONNX's numbers for element types, as NumPy's names."""

from __future__ import annotations

import numpy as np
import onnx


def dtype_name(code: int) -> str:
    """NumPy's name of a `TensorProto.DataType`; '' for a type that NumPy does not have or no type at all."""
    try:
        return str(np.dtype(onnx.helper.tensor_dtype_to_np_dtype(code)).name)
    except (KeyError, TypeError, ValueError):
        return ""


def code_of(name: str) -> int:
    """The `TensorProto.DataType` of a NumPy type.

    Raises:
        KeyError: ONNX has none.
    """
    return int(onnx.helper.np_dtype_to_tensor_dtype(np.dtype(name)))
