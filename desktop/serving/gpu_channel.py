"""Messages between the server and its processes for GPUs, over an authenticated local connection.

A message is a small object, followed by the bytes of arrays, which are not pickled.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Literal, TypeAlias

import numpy as np

from desktop.base.errors import (
    GpuError,
    LightloomError,
    ModelError,
    ModelMemoryError,
    RefusalKind,
    ServingError,
)
from desktop.compute.nn.session import Precision
from desktop.serving.session_pool import ModelDescription
from desktop.serving.tensors import Arrays

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection

    Channel: TypeAlias = Connection | PipeConnection
else:
    Channel: TypeAlias = Connection


Layout = tuple[tuple[str, str, tuple[int, ...]], ...]
"""Name, type and shape of each array that follows."""


@dataclass(frozen=True)
class Open:
    """Load a network; the response is its `ModelDescription`."""

    model: str
    backend: str
    precision: Precision
    max_batch: int
    memory_bytes: int


@dataclass(frozen=True)
class Warm:
    """Load every batch that there may be; the response is None."""


@dataclass(frozen=True)
class Run:
    """Compute the arrays that follow; the response is `Ran`, with the outputs behind it."""

    layout: Layout


@dataclass(frozen=True)
class Ran:
    """The outputs follow."""

    layout: Layout


@dataclass(frozen=True)
class Failed:
    """An error: its kind, that of a refusal (`ServingError`), and its sentence."""

    error: Literal["gpu", "refusal", "memory", "model"]
    text: str
    refusal: RefusalKind = "failed"

    @classmethod
    def of(cls, error: LightloomError) -> Failed:
        """Describe an error."""
        if isinstance(error, ServingError):
            return cls("refusal", str(error), error.kind)
        if isinstance(error, ModelMemoryError):
            return cls("memory", str(error))
        return cls("gpu" if isinstance(error, GpuError) else "model", str(error))

    def exception(self) -> LightloomError:
        """Return it as an error again."""
        if self.error == "refusal":
            return ServingError(self.refusal, self.text)
        return {"gpu": GpuError, "memory": ModelMemoryError, "model": ModelError}[self.error](self.text)


Request = Open | Warm | Run
Response = ModelDescription | Ran | Failed | None


def layout_of(arrays: Arrays) -> Layout:
    """Return the layout of arrays."""
    return tuple((name, array.dtype.name, array.shape) for name, array in arrays.items())


def send_arrays(connection: Channel, arrays: Arrays) -> None:
    """Send the bytes of arrays, in order. Raises OSError if the other side is gone."""
    for array in arrays.values():
        if array.nbytes:
            connection.send_bytes(np.ascontiguousarray(array).data.cast("B"))


def receive_arrays(connection: Channel, layout: Layout) -> Arrays:
    """Receive arrays. Raises EOFError or OSError if the other side is gone."""
    found: Arrays = {}
    for name, dtype, shape in layout:
        found[name] = array = np.empty(shape, dtype)
        if array.nbytes:
            connection.recv_bytes_into(array.data.cast("B"))
    return found
