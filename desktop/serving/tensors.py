"""Tensors as the protocol has them: names of types, shapes that are checked before anything is allocated, and arrays of bytes or JSON.

Types: https://github.com/open-inference/open-inference-protocol/blob/main/specification/protocol/inference_rest.md#tensor-data-types
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from desktop.base.errors import ServingError
from desktop.net.inference.wire import DTYPES

Arrays = dict[str, np.ndarray]
"""Inputs or outputs of a network, by their names."""

_NAMES: Final = {dtype: name for name, dtype in DTYPES.items()}
_MAX_RANK: Final = 16
_MAX_NESTING: Final = _MAX_RANK
_SHOWN: Final = 80


def shown(value: object) -> str:
    """Return an untrusted text for a response: at most a line."""
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


@dataclass(frozen=True)
class TensorSpec:
    """An input or output of a served model.

    Attributes:
        name: in the network.
        dtype: NumPy's name of its element type.
        shape: its sizes; -1 stands for a free one.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def datatype(self) -> str:
        """The protocol's name of its element type."""
        return _NAMES[self.dtype]

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return np.dtype(self.dtype).itemsize

    def check(self, datatype: object, shape: Sequence[object], largest: int) -> tuple[int, ...]:
        """Return the sizes that a request gives, all of them at least 1; nothing is allocated for them.

        Args:
            datatype: the protocol's name, as the request has it.
            shape: its sizes.
            largest: bytes that a tensor may have.

        Raises:
            ServingError: another type, a shape that does not fit, or one that is too large.
        """
        if datatype != self.datatype:
            raise ServingError(
                "invalid", f"The input '{self.name}' takes {self.datatype}, not {shown(datatype)}."
            )
        sizes = [size for size in itertools.islice(shape, _MAX_RANK + 1) if type(size) is int]
        fits = len(sizes) == len(shape) == len(self.shape) and all(
            given >= 1 and own in (-1, given) for given, own in zip(sizes, self.shape, strict=True)
        )
        if not fits:
            raise ServingError(
                "invalid",
                f"The input '{self.name}' takes the shape {list(self.shape)} (-1: any size), not {shown(list(shape)[:_MAX_RANK])}.",
            )
        # Python's integers do not overflow, whatever the sizes are.
        if math.prod(sizes) * self.itemsize > largest:
            raise ServingError(
                "large", f"The input '{self.name}' is larger than the {largest} bytes that a tensor may have."
            )
        return tuple(sizes)


def from_bytes(spec: TensorSpec, shape: tuple[int, ...], data: bytes | memoryview) -> np.ndarray:
    """Return the array of a binary tensor: little-endian, row-major. It may share the memory of `data`.

    Raises:
        ServingError: not as many bytes as the shape says, or a BOOL that is neither 0 nor 1.
    """
    needed = math.prod(shape) * spec.itemsize
    if len(data) != needed:
        raise ServingError(
            "invalid", f"The input '{spec.name}' of {list(shape)} has {needed} bytes, not {len(data)}."
        )
    if spec.dtype == "bool":
        raw = np.frombuffer(data, np.uint8)
        if raw.max() > 1:
            raise ServingError("invalid", f"The input '{spec.name}' is BOOL: each byte of it is 0 or 1.")
        return raw.astype(np.bool_).reshape(shape)
    array = np.frombuffer(data, np.dtype(spec.dtype).newbyteorder("<")).astype(spec.dtype, copy=False)
    # Behind a header of any length the numbers may lie at odd addresses, which not every kernel reads.
    return np.require(array, requirements=["A", "C"]).reshape(shape)


def from_json(spec: TensorSpec, shape: tuple[int, ...], data: object) -> np.ndarray:
    """Return the array of a list of numbers, flat or nested as the shape is.

    Raises:
        ServingError: no list, another number of elements, or elements that are not of the type.
    """
    flat = _flat(spec, data)
    if len(flat) != math.prod(shape):
        raise ServingError(
            "invalid",
            f"The input '{spec.name}' of {list(shape)} has {math.prod(shape)} elements, not {len(flat)}.",
        )
    kind = np.dtype(spec.dtype).kind
    allowed = {bool} if kind == "b" else {int} if kind in "iu" else {int, float}
    if not set(map(type, flat)) <= allowed:
        raise ServingError(
            "invalid", f"The input '{spec.name}' has elements that are not {spec.datatype} numbers."
        )
    array = from_numbers(spec, shape, flat)
    if kind == "f" and not np.isfinite(array).all():  # 1e999 is a number in JSON, and infinite as a float
        raise ServingError(
            "invalid", f"The input '{spec.name}' has a number that {spec.datatype} cannot hold."
        )
    return array


def from_numbers(spec: TensorSpec, shape: tuple[int, ...], numbers: Sequence[Any]) -> np.ndarray:
    """Return the array of numbers, of which there are as many as the shape says.

    Raises:
        ServingError: one is larger than the type can hold.
    """
    if len(numbers) != math.prod(shape):
        raise ServingError(
            "invalid",
            f"The input '{spec.name}' of {list(shape)} has {math.prod(shape)} elements, not {len(numbers)}.",
        )
    try:
        with np.errstate(over="raise"):
            return np.array(numbers, spec.dtype).reshape(shape)
    except (OverflowError, FloatingPointError):
        raise ServingError(
            "invalid", f"The input '{spec.name}' has a number that {spec.datatype} cannot hold."
        ) from None


def _flat(spec: TensorSpec, data: object) -> list[Any]:
    """Lists in lists are one list; level by level, so that no depth of them ends the stack."""
    if not isinstance(data, list):
        raise ServingError("invalid", f"The input '{spec.name}' has no list of numbers as its data.")
    for _ in range(_MAX_NESTING):
        nested = sum(type(value) is list for value in data)
        if not nested:
            return data
        if nested != len(data):
            break
        data = list(itertools.chain.from_iterable(data))
    raise ServingError("invalid", f"The lists of the input '{spec.name}' are not of one depth.")


def to_bytes(array: np.ndarray) -> bytes:
    """Return an output as a binary tensor: little-endian, row-major."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def to_json(name: str, array: np.ndarray) -> list[Any]:
    """Return an output as a flat list.

    Raises:
        ServingError: it has infinities, or what is no number; JSON has no words for them.
    """
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ServingError(
            "failed",
            f"The output '{name}' has values that are not finite, which JSON cannot hold; ask for it with binary_data.",
        )
    return list(array.ravel().tolist())
