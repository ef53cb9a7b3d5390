"""Storages of a plan under construction: memory for tensors, and constants packed for the kernels."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.ir.scalar import narrowed
from desktop.compute.nn.lowering.plan import BYTES, Constant, Storage
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div

_SMALL: Final = 1 << 20
"""Largest array, in bytes, that is converted at once, so that errors name the node that it belongs to."""


class Storages:
    """List of storages; a storage's number is its index."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._storages: list[Storage] = []

    def reserve(self, size: int, *, pinned: bool = False, data: Constant | None = None) -> int:
        """Add a storage of `size` bytes and return its number; raise `ModelUnsupportedError` if too large."""
        size = ceil_div(max(size, 16), 16) * 16
        if size > self._target.max_binding:
            raise ModelUnsupportedError(
                sentence(
                    "The model needs a tensor of {size:.0f} MiB, but this adapter binds at most "
                    "{limit:.0f} MiB; use "
                    "a smaller input or the onnxruntime backend.",
                    size=size / 2**20,
                    limit=self._target.max_binding / 2**20,
                ),
                (
                    f"a tensor of {size / 2**20:.0f} MiB, and this adapter binds at most "
                    f"{self._target.max_binding / 2**20:.0f} MiB",
                ),
            )
        self._storages.append(Storage(len(self._storages), size, pinned, data, data is not None))
        return len(self._storages) - 1

    def constant(self, array: np.ndarray, *, dtype: str | None = None) -> int:
        """Upload an array in the kernel's layout (converted late if large); return its storage."""
        wanted = dtype or self._target.dtype
        if array.nbytes <= _SMALL or array.dtype.kind not in "biuf":
            array = narrowed(array, wanted)

        def converted() -> np.ndarray:
            return narrowed(array, wanted)

        return self.made(array.shape, wanted, converted)

    def made(self, shape: tuple[int, ...], dtype: str, make: Callable[[], np.ndarray]) -> int:
        """Upload the array that `make` returns (on another thread, each time anew); return its storage."""
        size = math.prod(shape) * BYTES[dtype]
        if size % 4 == 0:
            return self.reserve(size, pinned=True, data=Constant.made(size, dtype, make))

        def padded_words() -> np.ndarray:  # for an odd number of 16-bit floats: WebGPU writes whole words
            return np.append(make(), np.dtype(dtype).type(0))

        size += BYTES[dtype]
        return self.reserve(size, pinned=True, data=Constant.made(size, dtype, padded_words))

    def filled(self, shape: tuple[int, ...], dtype: str, fill: Callable[[np.ndarray], None]) -> int:
        """Upload zeros that `fill` overwrites on another thread (packing is slow); return the storage."""

        def make() -> np.ndarray:
            data = np.zeros(shape, dtype)
            fill(data)
            return data

        return self.made(shape, dtype, make)

    @property
    def count(self) -> int:
        """Return the number of storages so far."""
        return len(self._storages)

    def truncate(self, count: int) -> None:
        """Remove the storages after the first `count`."""
        del self._storages[count:]

    def finish(self) -> tuple[Storage, ...]:
        """Return all storages."""
        return tuple(self._storages)
