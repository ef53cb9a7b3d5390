"""Tensors of the Open Inference Protocol as bytes and numbers, for the client and for desktop/serving.

Untrusted input is validated; a ValueError has a clause that begins with the tensor's name. Binary tensors:
https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_binary_data.md
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from desktop.net.inference.wire import DTYPES

HEAD_LENGTH: Final = "Inference-Header-Content-Length"
"""The HTTP header that says where the JSON of a body ends and binary tensors begin."""
CONTENTS: Final = {
    "BOOL": "bool_contents",
    **dict.fromkeys(("INT8", "INT16", "INT32"), "int_contents"),
    "INT64": "int64_contents",
    **dict.fromkeys(("UINT8", "UINT16", "UINT32"), "uint_contents"),
    "UINT64": "uint64_contents",
    "FP32": "fp32_contents",
    "FP64": "fp64_contents",
}
"""The field of gRPC's InferTensorContents for each type; FP16 has none and travels as bytes."""


def to_bytes(array: np.ndarray) -> bytes:
    """Return a binary tensor: little-endian, row-major."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def from_bytes(datatype: str, shape: tuple[int, ...], data: bytes | memoryview) -> np.ndarray:
    """Return the read-only array of a binary tensor, which may share the memory of `data`.

    Raise ValueError if the size does not match the shape, or a BOOL is neither 0 nor 1.
    """
    dtype = np.dtype(DTYPES[datatype])
    needed = math.prod(shape) * dtype.itemsize
    if len(data) != needed:
        raise ValueError(f"of {list(shape)} has {needed} bytes, not {len(data)}")
    if datatype == "BOOL" and np.frombuffer(data, np.uint8).max(initial=0) > 1:
        raise ValueError("is BOOL: each byte of it is 0 or 1")
    array = np.frombuffer(data, dtype.newbyteorder("<")).astype(dtype, copy=False)
    # Behind JSON of any length the numbers may lie at odd addresses, which not every kernel reads.
    return np.require(array, requirements=["A", "C"]).reshape(shape)


def from_numbers(datatype: str, shape: tuple[int, ...], numbers: Any) -> np.ndarray:
    """Return the array of numbers, flat or nested; raise ValueError if the count or a value misfits."""
    try:
        with np.errstate(over="raise"):
            array = np.array(numbers, DTYPES[datatype])
    except (OverflowError, FloatingPointError, ValueError, TypeError, RecursionError):
        raise ValueError(f"has a number that {datatype} cannot hold") from None
    if array.size != math.prod(shape):
        raise ValueError(f"of {list(shape)} has {math.prod(shape)} elements, not {array.size}")
    return array.reshape(shape)


def divided(body: bytes | bytearray, head_length: str | None) -> tuple[memoryview, memoryview]:
    """Return the JSON of a received body, and the binary tensors after it.

    `head_length` is the header `HEAD_LENGTH` (None: all JSON); raise ValueError if not within the body.
    """
    end = len(body)
    if head_length is not None:
        text = head_length.strip()
        if not (text.isascii() and text.isdecimal() and len(text) < 16):
            raise ValueError("is no number of bytes")
        end = int(text)
    if not 0 < end <= len(body):
        raise ValueError(f"is {end}, and the body has {len(body)} bytes")
    return memoryview(body)[:end], memoryview(body)[end:]


def binary_part(parameters: Mapping[str, Any], rest: memoryview) -> tuple[memoryview | None, memoryview]:
    """Return a tensor's bytes from the beginning of `rest`, None if it has none there, and what follows.

    Raise ValueError if its parameter 'binary_data_size' is not a size within `rest`.
    """
    size = parameters.get("binary_data_size")
    if size is None:
        return None, rest
    if type(size) is not int or not 0 <= size <= len(rest):
        raise ValueError("has a 'binary_data_size' that is not within the body")
    return rest[:size], rest[size:]
