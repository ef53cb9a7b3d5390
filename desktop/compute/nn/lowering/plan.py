"""A frozen plan, which a session runs: storages with lifetimes, constants to upload, and dispatches.

`Lowering` makes it from a graph; `WgpuSession` turns it into buffers, pipelines and bind groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

NHWC: Final = "NHWC"
NCHW: Final = "NCHW"
BYTES: Final = {"float32": 4, "float16": 2, "int32": 4, "uint32": 4}


@dataclass(frozen=True)
class Piece:
    """`size` bytes of a constant, made anew or read (not cached) by each call of `read`, on any thread."""

    size: int
    read: Callable[[], memoryview]


@dataclass(frozen=True)
class Constant:
    """Data that are uploaded once, in the kernels' layout, in pieces to limit the memory for large networks.

    Attributes:
        size: bytes, a multiple of 4.
        dtype: a key of `BYTES`.
        pieces: in order; each but the last is a multiple of 16 bytes.
    """

    size: int
    dtype: str
    pieces: tuple[Piece, ...]

    @classmethod
    def made(cls, size: int, dtype: str, make: Callable[[], np.ndarray]) -> Constant:
        """Return a constant that `make` returns as an array of `size` bytes."""

        def read() -> memoryview:
            return np.ascontiguousarray(make()).reshape(-1).view(np.uint8).data

        return cls(size, dtype, (Piece(size, read),) if size else ())

    def array(self) -> np.ndarray:
        """Return all of it as a one-dimensional array."""
        return np.frombuffer(b"".join(piece.read() for piece in self.pieces), self.dtype)


@dataclass(frozen=True)
class Storage:
    """Memory of one or more tensors.

    Attributes:
        size: bytes, a multiple of 16.
        pinned: has its own buffer throughout (inputs, outputs, tensors to keep).
        data: data to upload once; None for activations, and for constants that are on the GPU.
        is_constant: only that upload writes it.
    """

    index: int
    size: int
    pinned: bool = False
    data: Constant | None = None
    is_constant: bool = False


@dataclass(frozen=True)
class Operand:
    """Layout of a tensor (batch, channels, spatial...) in a storage. Lower ranks are one row of channels.

    'NHWC': `pixels` rows of `stride` vec4s of channels, from vec4 `start`. 'NCHW': row-major, as in ONNX.

    Attributes:
        dtype: a key of `BYTES`, as stored (`scalar.py` converts other types).
        stride, start: in vec4s; 0 for NCHW.
    """

    storage: int
    shape: tuple[int, ...]
    dtype: str
    layout: str
    stride: int = 0
    start: int = 0

    @property
    def batch(self) -> int:
        """Return the first dimension."""
        return self.shape[0] if len(self.shape) > 1 else 1

    @property
    def channels(self) -> int:
        """Return the second dimension (the only one of a rank 1 tensor)."""
        return self.shape[1] if len(self.shape) > 1 else (self.shape[0] if self.shape else 1)

    @property
    def spatial(self) -> tuple[int, ...]:
        """Return the dimensions after the channels."""
        return self.shape[2:]

    @property
    def plane(self) -> int:
        """Return the number of pixels of one channel."""
        return int(np.prod(self.spatial, dtype=np.int64))

    @property
    def pixels(self) -> int:
        """Return the number of pixels of the whole batch."""
        return self.batch * self.plane

    @property
    def strides(self) -> tuple[int, ...]:
        """Return the step in numbers (not vec4s) along each dimension of `shape`."""
        steps = [0] * len(self.shape)
        step = 1 if self.layout == NCHW else self.stride * 4
        order = list(range(len(self.shape) - 1, -1, -1))
        if self.layout != NCHW:
            channel = 1 if len(self.shape) > 1 else 0
            steps[channel : channel + 1] = [1] * min(len(self.shape), 1)
            order = [axis for axis in order if axis != channel]
        for axis in order:
            steps[axis] = step
            step *= self.shape[axis]
        return tuple(steps)

    @property
    def blocks(self) -> int:
        """Return the number of channels in vec4s."""
        return (self.channels + 3) // 4


@dataclass(frozen=True, kw_only=True)
class Phased(Operand):
    """An image as seen by a product that computes the phases of an enlargement as channels.

    Its shape is (batch, phases x vec4s of channels x 4, rows, columns). Row i and column j of phase (p, q)
    are pixel (i, j) * steps + (p, q) - cut of the image `whole`; pixels outside are not written.
    """

    whole: Operand
    steps: tuple[int, int]
    cut: tuple[int, int]


@dataclass(frozen=True)
class Dispatch:
    """One compute dispatch.

    Attributes:
        node: name of the node that it computes, for profiles and messages.
        kernel: file name in shaders/nn.
        code: final WGSL.
        reads: storages bound read-only at bindings 0, 1, ...
        writes: storages bound after them; a kernel may also read one beside what it writes there.
        tuned: name of the kernel that a tuning chose; '' for the rule's.
        own_indices: as in its `Kernel`; the functions that it calls do not index by memory either.
    """

    node: str
    kernel: str
    code: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    workgroups: tuple[int, int, int]
    tuned: str = ""
    own_indices: bool = False

    @property
    def touches(self) -> tuple[int, ...]:
        """Return every storage that is bound, in the order of the bindings."""
        return (*self.reads, *self.writes)


@dataclass(frozen=True)
class Plan:
    """A whole inference.

    Attributes:
        slots: byte sizes of the buffers that activations share.
        slot_of: storage index to slot, for activations that are not pinned.
    """

    storages: tuple[Storage, ...]
    dispatches: tuple[Dispatch, ...]
    operands: Mapping[str, Operand]
    slots: tuple[int, ...]
    slot_of: Mapping[int, int]

    @property
    def memory(self) -> int:
        """Return the bytes of GPU memory that the plan takes."""
        return sum(self.slots) + sum(s.size for s in self.storages if s.index not in self.slot_of)

    def uploaded(self) -> Plan:
        """Return the plan without the constants, after they were uploaded."""
        return replace(self, storages=tuple(replace(storage, data=None) for storage in self.storages))
