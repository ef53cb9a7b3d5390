"""System shared memory: tensors for a server on this machine without a socket (Triton's extension)."""

from __future__ import annotations

import logging
import math
import os
import secrets
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from desktop.net.inference.wire import (
    ASIDE_S,
    DTYPES,
    CallFailed,
    InferenceClient,
    Region,
    SharedPart,
    TensorMeta,
)

log = logging.getLogger(__name__)

EXTENSION: Final = "system_shared_memory"
_ALIGNMENT: Final = 64


class SharedTensors:
    """A region for all inputs and outputs of a network whose sizes are known. On one thread."""

    def __init__(self, client: InferenceClient, tensors: Sequence[TensorMeta]) -> None:
        """Create the region and register it; raise CallFailed if the server refuses it (one in a container
        sees other memory), OSError if the system cannot provide it, ImportError without tritonclient.
        """
        from tritonclient.utils import shared_memory

        self._memory: Any = shared_memory
        self._client = client
        name = f"lightloom-{os.getpid()}-{secrets.token_hex(6)}"
        self._parts: dict[str, SharedPart] = {}
        at = 0
        for meta in tensors:
            self._parts[meta.name] = SharedPart(name, at, meta.nbytes)
            at += math.ceil(meta.nbytes / _ALIGNMENT) * _ALIGNMENT
        try:
            # Python's name has no slash before it; shm_open's has.
            self._handle = shared_memory.create_shared_memory_region(name, name, max(at, 1), create_only=True)
        except shared_memory.SharedMemoryException as error:
            raise OSError(str(error)) from error
        self._region = Region(name, f"/{name}", max(at, 1))
        try:
            client.register(self._region, ASIDE_S)
        except CallFailed:
            self._destroy()
            raise

    def part(self, meta: TensorMeta) -> SharedPart:
        """Return where a tensor lies."""
        return self._parts[meta.name]

    def write(self, meta: TensorMeta, array: np.ndarray) -> None:
        """Put an input there."""
        self._memory.set_shared_memory_region(self._handle, [array], self._parts[meta.name].offset)

    def read(self, meta: TensorMeta) -> np.ndarray:
        """Return a copy of an output: the next call writes there."""
        dtype = np.dtype(DTYPES[meta.datatype])
        view = self._memory.get_contents_as_numpy(
            self._handle, dtype, meta.shape, self._parts[meta.name].offset
        )
        return np.array(view)

    def close(self) -> None:
        """Give the region back; a server that is gone need not hear of it."""
        try:
            self._client.unregister(self._region, ASIDE_S)
        except CallFailed as error:
            log.info("shared memory: %s", error)
        self._destroy()

    def _destroy(self) -> None:
        try:
            self._memory.destroy_shared_memory_region(self._handle)
        except Exception as error:  # Python's own: a view of it that is still there, a segment that is not
            log.info("shared memory: %s", error)
