"""Inputs and outputs of a served model: types, shapes checked before allocation, and JSON arrays.

Types:
https://github.com/open-inference/open-inference-protocol/blob/main/specification/protocol/inference_rest.md#tensor-data-types
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from desktop.base.errors import ServingError
from desktop.net.inference.codec import from_numbers
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
    """An input or output of a served model; -1 in `shape` is a dynamic size, `dtype` is NumPy's name."""

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

    def accepts(self, sizes: Sequence[int]) -> bool:
        """Return True for sizes of at least 1 that match the shape."""
        return len(sizes) == len(self.shape) and all(
            given >= 1 and own in (-1, given) for given, own in zip(sizes, self.shape, strict=True)
        )

    def check(self, datatype: object, shape: Sequence[object], largest: int) -> tuple[int, ...]:
        """Return the sizes that a request gives, each at least 1, before anything is allocated.

        `datatype` is the protocol's name. Raises ServingError for another type or shape, or more than
        `largest` bytes.
        """
        if datatype != self.datatype:
            raise ServingError(
                "invalid", f"The input '{self.name}' takes {self.datatype}, not {shown(datatype)}."
            )
        sizes = [size for size in itertools.islice(shape, _MAX_RANK + 1) if type(size) is int]
        if len(sizes) != len(shape) or not self.accepts(sizes):
            raise ServingError(
                "invalid",
                f"The input '{self.name}' takes the shape {list(self.shape)} (-1: any size), not "
                f"{shown(list(shape)[:_MAX_RANK])}.",
            )
        # Python's integers do not overflow, whatever the sizes are.
        if math.prod(sizes) * self.itemsize > largest:
            raise ServingError(
                "large", f"The input '{self.name}' is larger than the {largest} bytes that a tensor may have."
            )
        return tuple(sizes)


@contextmanager
def of_input(name: str) -> Iterator[None]:
    """Convert a ValueError about an input into a ServingError with a full sentence."""
    try:
        yield
    except ValueError as error:
        raise ServingError("invalid", f"The input '{shown(name)}' {error}.") from None


def from_json(spec: TensorSpec, shape: tuple[int, ...], data: object) -> np.ndarray:
    """Return the array of a list of numbers, flat or nested as the shape is.

    Raises ValueError if it is not a list, or has a wrong number or type of elements.
    """
    flat = _flat(data)
    kind = np.dtype(spec.dtype).kind
    allowed = {bool} if kind == "b" else {int} if kind in "iu" else {int, float}
    if not set(map(type, flat)) <= allowed:
        raise ValueError(f"has elements that are not {spec.datatype} numbers")
    array = from_numbers(spec.datatype, shape, flat)
    if kind == "f" and not np.isfinite(array).all():  # 1e999 is a number in JSON, and infinite as a float
        raise ValueError(f"has a number that {spec.datatype} cannot hold")
    return array


def _flat(data: object) -> list[Any]:
    """Flatten nested lists level by level, so that no depth overflows the stack."""
    if not isinstance(data, list):
        raise ValueError("has no list of numbers as its data")
    for _ in range(_MAX_NESTING):
        nested = sum(type(value) is list for value in data)
        if not nested:
            return data
        if nested != len(data):
            break
        data = list(itertools.chain.from_iterable(data))
    raise ValueError("has lists that are not of one depth")


def to_json(name: str, array: np.ndarray) -> list[Any]:
    """Return an output as a flat list. Raises ServingError for infinity and NaN, which JSON lacks."""
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ServingError(
            "failed",
            f"The output '{name}' has values that are not finite, which JSON cannot hold; ask for it with "
            "binary_data.",
        )
    return list(array.ravel().tolist())
