"""The storages of a plan while it is made: memory for tensors, and constants packed as kernels want them."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from desktop.compute.nn.lowering.plan import Storage
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div
from desktop.errors import ModelUnsupportedError
from desktop.wording import sentence


class Memory:
    """Collects storages; a storage's number is its place among them."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._storages: list[Storage] = []
        self._fills: list[tuple[Callable[[np.ndarray], None], np.ndarray]] = []

    def reserve(self, size: int, *, pinned: bool = False, data: np.ndarray | None = None) -> int:
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
        self._storages.append(Storage(len(self._storages), size, pinned, data))
        return len(self._storages) - 1

    def constant(self, array: np.ndarray, *, dtype: str | None = None) -> int:
        """Upload an array that already lies as the kernel wants it; returns its storage."""
        data = np.ascontiguousarray(array, dtype=dtype or self._target.dtype)
        if data.nbytes % 4:  # an odd number of 16-bit floats: WebGPU writes whole words
            data = np.append(data, data.dtype.type(0))
        return self.reserve(data.nbytes, pinned=True, data=data)

    def filled(self, shape: tuple[int, ...], dtype: str, fill: Callable[[np.ndarray], None]) -> int:
        """Upload an array of zeros that `fill` is to write into; returns its storage.

        `finish` calls all of them, on several threads: packing ResNet50's weights took 0.2 s of 0.6 s of loading it.
        """
        data = np.zeros(shape, dtype)
        self._fills.append((fill, data))
        return self.reserve(data.nbytes, pinned=True, data=data)

    def finish(self) -> tuple[Storage, ...]:
        """All storages, their constants filled."""
        with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
            list(pool.map(lambda each: each[0](each[1]), self._fills))
        return tuple(self._storages)
