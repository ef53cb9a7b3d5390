"""The storages of a plan while it is made: memory for tensors, and constants packed as kernels want them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from desktop.compute.nn.ir.scalar import narrowed
from desktop.compute.nn.lowering.plan import BYTES, Constant, Storage
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div
from desktop.errors import ModelUnsupportedError
from desktop.wording import sentence

_SMALL: Final = 1 << 20
"""Bytes of an array that is converted at once: what is wrong with it is then said of the node that it belongs to."""


class Memory:
    """Collects storages; a storage's number is its place among them."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._storages: list[Storage] = []

    def reserve(self, size: int, *, pinned: bool = False, data: Constant | None = None) -> int:
        """Add a storage of `size` bytes; returns its number.

        Raises:
            ModelUnsupportedError: more than the adapter lets a shader bind.
        """
        size = ceil_div(max(size, 16), 16) * 16
        if size > self._target.max_binding:
            raise ModelUnsupportedError(
                sentence(
                    "The model needs a tensor of {size:.0f} MiB, but this adapter binds at most {limit:.0f} MiB; use "
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
        """Upload an array that already lies as the kernel wants it; returns its storage.

        A large one is kept as it is, and converted when it is uploaded.
        """
        wanted = dtype or self._target.dtype
        if array.nbytes <= _SMALL or array.dtype.kind not in "biuf":
            array = narrowed(array, wanted)

        def converted() -> np.ndarray:
            return narrowed(array, wanted)

        return self.made(array.shape, wanted, converted)

    def made(self, shape: tuple[int, ...], dtype: str, make: Callable[[], np.ndarray]) -> int:
        """Upload an array of this shape and type that `make` gives, on another thread and each time anew; returns its storage."""
        size = math.prod(shape) * BYTES[dtype]
        if size % 4 == 0:
            return self.reserve(size, pinned=True, data=Constant.made(size, dtype, make))

        def whole_words() -> np.ndarray:  # an odd number of 16-bit floats: WebGPU writes whole words
            return np.append(make(), np.dtype(dtype).type(0))

        size += BYTES[dtype]
        return self.reserve(size, pinned=True, data=Constant.made(size, dtype, whole_words))

    def filled(self, shape: tuple[int, ...], dtype: str, fill: Callable[[np.ndarray], None]) -> int:
        """Upload an array of zeros that `fill` is to write into, on another thread; returns its storage.

        Packing ResNet50's weights on one thread took 0.2 s of 0.6 s of loading it.
        """

        def make() -> np.ndarray:
            data = np.zeros(shape, dtype)
            fill(data)
            return data

        return self.made(shape, dtype, make)

    def finish(self) -> tuple[Storage, ...]:
        """All storages."""
        return tuple(self._storages)
