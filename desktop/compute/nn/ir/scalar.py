"""Map ONNX's element types to storage types on the GPU, and generate the WGSL that reads and writes them.

Floats are stored as float32 or float16; bfloat16 and those of 8 and 4 bits always as float32. WGSL's only
integers are 32-bit, so every integer and bool takes such a word; int64 and uint64 are checked at upload.
Words of narrow types hold values of that type (`store` wraps around). float64 is converted at inputs and
outputs only; complex numbers and strings are refused.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS

_FLOATS: Final = ("float32", "float16", "bfloat16")
_STORED_FLOATS: Final = tuple(name for name in NARROW_FLOATS if name not in _FLOATS)
_SIGNED: Final = (
    *("bool", "int2", "uint2", "int4", "uint4", "int8", "uint8", "int16", "uint16"),
    *("int32", "int64"),
)
_UNSIGNED: Final = ("uint32", "uint64")
HELD: Final = frozenset((*_FLOATS, *_STORED_FLOATS, *_SIGNED, *_UNSIGNED))
"""Element types of tensors that can be stored on the GPU."""

CONVERTED: Final = frozenset({"float64"})
"""Types of inputs and outputs that only a Cast may convert, exactly, to or from floats of up to 32 bits."""

_ELEMENTS: Final = {"float32": "f32", "float16": "f16", "int32": "i32", "uint32": "u32"}
_BITS: Final = {f"{sign}int{bits}": bits for sign in ("", "u") for bits in (2, 4, 8, 16)}


def is_float(dtype: str) -> bool:
    """Return True for the types that fast kernels and epilogues compute with."""
    return dtype in _FLOATS


def stored_dtype(dtype: str, float_dtype: str) -> str:
    """Return the element type in the buffer of a tensor of `dtype`; floats are stored as `float_dtype`."""
    if dtype in _FLOATS:
        return float_dtype
    if dtype in _STORED_FLOATS or dtype in CONVERTED:
        return "float32"
    return "uint32" if dtype in _UNSIGNED else "int32"


def element_type(stored: str) -> str:
    """Return the WGSL type of the numbers in a buffer."""
    return _ELEMENTS[stored]


def scalar_type(dtype: str) -> str:
    """Return the WGSL type that kernels compute in for values of `dtype`: f32, i32, u32 or bool."""
    if dtype in _FLOATS or dtype in _STORED_FLOATS or dtype in CONVERTED:
        return "f32"
    if dtype == "bool":
        return "bool"
    return "u32" if dtype in _UNSIGNED else "i32"


def limits(dtype: str) -> tuple[int, int]:
    """Return the smallest and the largest number of an integer type of at most 32 bits."""
    bits = _BITS.get(dtype, 32)
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def load(array: str, index: str, dtype: str) -> str:
    """Return a WGSL expression, of `scalar_type(dtype)`, for an element of the buffer variable `array`."""
    if dtype == "bool":
        return f"({array}[{index}] != 0)"
    return f"f32({array}[{index}])" if scalar_type(dtype) == "f32" else f"{array}[{index}]"


def store(value: str, dtype: str) -> str:
    """Return a WGSL expression that converts `value`, of `scalar_type(dtype)`, to the type of the buffer."""
    if dtype == "bool":
        return f"select(0, 1, {value})"
    if dtype in _BITS and dtype.startswith("u"):
        return f"(({value}) & {2 ** _BITS[dtype] - 1})"
    if dtype in _BITS:
        shift = 32 - _BITS[dtype]
        return f"((({value}) << {shift}u) >> {shift}u)"
    return f"Element({value})"


def narrowed(array: np.ndarray, stored: str) -> np.ndarray:
    """Return `array`, contiguous, as `stored`; finite numbers beyond float16 become its largest one.

    Infinite, a mask of float32's lowest number would make NaN times zero. float64 may overflow, as in Cast.
    """
    with np.errstate(over="ignore"):
        result = np.asarray(array, dtype=stored, order="C")  # also of an array without dimensions
    if stored != "float16" or array.dtype == np.float16:
        return result
    beyond = np.isinf(result) & np.isfinite(array)
    if beyond.any():
        result[beyond] = np.copysign(np.finfo(np.float16).max, array[beyond])
    return result


def check_held(array: np.ndarray, stored: str, name: str) -> None:
    """Raise ModelUnsupportedError for integers beyond 32 bits or an element type that cannot be stored."""
    if array.dtype.name not in HELD and array.dtype.name not in CONVERTED:
        raise ModelUnsupportedError(
            sentence(
                "'{name}' has the element type {dtype}, which the wgpu engine does not hold; use the "
                "onnxruntime "
                "backend.",
                name=name,
                dtype=array.dtype,
            ),
            (f"'{name}': {array.dtype} tensors",),
        )
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        lowest, highest = limits(stored)
        if array.min() < lowest or array.max() > highest:
            raise ModelUnsupportedError(
                sentence(
                    "'{name}' holds an integer beyond 32 bits, which WebGPU's shaders do not have; use the "
                    "onnxruntime backend.",
                    name=name,
                ),
                (f"'{name}': integers beyond 32 bits",),
            )


def hold(array: np.ndarray, stored: str, name: str) -> np.ndarray:
    """Convert `array` to its buffer's content: same shape, type `stored`; errors as in `check_held`."""
    check_held(array, stored, name)
    with np.errstate(over="ignore"):  # a float64 beyond float32 is infinite, as Cast makes it
        return array.astype(stored, copy=False)
