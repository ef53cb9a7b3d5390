"""Host memory that the GPU reads: mapped buffers, from which rows of pixels are copied into textures.

They are written once, by any thread; the copies are recorded with the commands that read the texture.
`write_texture` instead copies on the thread that renders, and Dawn allocates memory for each call above 4 MB.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import wgpu

from desktop.compute.gpu.device import Gpu

_ROW: Final = 256
"""Bytes to which WebGPU aligns the rows of a buffer that is copied into a texture."""


CopyRows: TypeAlias = Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], None]
"""Copies arrays of bytes, [rows, bytes of a row], into others of the same shapes: `(targets, sources)`."""


@dataclass(frozen=True)
class Rows:
    """`count` rows of `row` bytes, which lie `bytes_per_row` apart in `data` from byte `offset` on."""

    data: Any
    offset: int
    bytes_per_row: int
    row: int
    count: int


def _copy_each(targets: Sequence[np.ndarray], sources: Sequence[np.ndarray]) -> None:
    for target, source in zip(targets, sources, strict=True):
        # NumPy releases the interpreter's lock meanwhile.
        target[...] = source


def staged_bytes(row: int, count: int) -> int:
    """Return the bytes that `count` rows of `row` bytes take in a `StagingMemory`."""
    return -(-row // _ROW) * _ROW * count


class _Buffer:
    """A buffer that is mapped for writing, and then copied from."""

    def __init__(self, gpu: Gpu, size: int) -> None:
        self.size = -(-size // 4) * 4
        usage = wgpu.BufferUsage.MAP_WRITE | wgpu.BufferUsage.COPY_SRC
        self.buffer = gpu.device.create_buffer(size=self.size, usage=usage, label="staging")
        self._gpu = gpu
        self._memory: np.ndarray | None = None
        self._used = 0
        # Held while the memory is written: destroying the buffer takes it away.
        self._lock = threading.Lock()

    def map(self) -> None:
        if self._memory is None:
            self._memory = self._gpu.map_for_writing(self.buffer)
        self._used = 0

    def put(self, parts: Sequence[Rows], copy: CopyRows) -> list[tuple[int, int]]:
        targets, sources, places = [], [], []
        with self._lock:
            end = self._used
            for part in parts:
                source = np.frombuffer(part.data, np.uint8)[part.offset :]
                row, count, stride = part.row, part.count, -(-part.row // _ROW) * _ROW
                begin, end = end, end + stride * count
                last = (count - 1) * part.bytes_per_row + row
                if self._memory is None or end > self.size or last > source.size or row > part.bytes_per_row:
                    raise ValueError(f"{count} rows of {row} bytes do not fit")
                targets.append(self._memory[begin:end].reshape(count, stride)[:, :row])
                sources.append(np.lib.stride_tricks.as_strided(source, (count, row), (part.bytes_per_row, 1)))
                places.append((begin, stride))
            copy(targets, sources)
            self._used = end
        return places

    def unmap(self) -> None:
        with self._lock:
            if self._memory is not None:
                self._memory = None
                self.buffer.unmap()

    def destroy(self) -> None:
        with self._lock:
            self._memory = None
            self.buffer.destroy()


class StagingMemory:
    """A mapped buffer of a `StagingRing`, to which it returns once nothing refers to this object."""

    def __init__(self, buffer: _Buffer, ring: StagingRing) -> None:
        self._buffer = buffer
        self._ring = ring

    def __del__(self) -> None:
        self._ring._give_back(self._buffer)

    def put(self, *parts: Rows, copy: CopyRows = _copy_each) -> list[StagedRows]:
        """Copy rows of pixels, one part behind the other.

        Raises ValueError, without copying any, if a part has fewer rows than it says, or they do not fit.
        """
        return [StagedRows(self, *place) for place in self._buffer.put(parts, copy)]

    def unmap(self) -> None:
        """Give it to the GPU, before the submission that copies from it. It cannot be written any more."""
        self._buffer.unmap()

    def is_of(self, gpu: Gpu) -> bool:
        """Return True if it was made by this device."""
        return self._ring.gpu is gpu

    @property
    def buffer(self) -> wgpu.GPUBuffer:
        """The buffer."""
        return self._buffer.buffer


@dataclass(frozen=True)
class StagedRows:
    """Rows of pixels in staging memory: from byte `offset` on, `bytes_per_row` apart."""

    memory: StagingMemory
    offset: int
    bytes_per_row: int

    def copy(
        self,
        encoder: wgpu.GPUCommandEncoder,
        skipped: int,
        texture: wgpu.GPUTexture,
        at: tuple[int, int],
        size: tuple[int, int],
    ) -> None:
        """Record a copy to a texture.

        Args:
            skipped: bytes of each row to leave out.
            at: upper left corner of the part of the texture, in texels.
            size: (width, height) of that part, in texels.
        """
        self.memory.unmap()
        encoder.copy_buffer_to_texture(
            {
                "buffer": self.memory.buffer,
                "offset": self.offset + skipped,
                "bytes_per_row": self.bytes_per_row,
                "rows_per_image": size[1],
            },
            {"texture": texture, "origin": (*at, 0)},
            (*size, 1),
        )


class StagingRing:
    """At most `count` buffers, which grow to the largest size requested."""

    def __init__(self, gpu: Gpu, count: int) -> None:
        self.gpu = gpu
        self._is_closed = False
        self._buffers: list[_Buffer] = []
        self._free: queue.SimpleQueue[_Buffer | None] = queue.SimpleQueue()
        for _ in range(count):
            self._free.put(None)
        # Held while a buffer is made and mapped: wgpu-native aborts if it is destroyed meanwhile.
        self._lock = threading.Lock()

    def take(self, size: int, wait_s: float = 0.0) -> StagingMemory | None:
        """Return writable memory of at least `size` bytes, once the GPU has read what it held before.

        None if every buffer is in use for `wait_s` seconds. Raises RuntimeError or wgpu.GPUError if the device
        is lost or has no memory left.
        """
        try:
            buffer = self._free.get(block=wait_s > 0.0, timeout=wait_s or None)
        except queue.Empty:
            return None
        with self._lock:
            if self._is_closed:
                return None
            try:
                buffer = self._fitting(buffer, size)
                buffer.map()
            except BaseException:
                self._free.put(None if buffer not in self._buffers else buffer)
                raise
        return StagingMemory(buffer, self)

    def _fitting(self, buffer: _Buffer | None, size: int) -> _Buffer:
        if buffer is not None and buffer.size >= size:
            return buffer
        if buffer is not None:
            self._buffers.remove(buffer)
            buffer.destroy()
        buffer = _Buffer(self.gpu, size)
        self._buffers.append(buffer)
        return buffer

    def close(self) -> None:
        """Release the buffers, those in use too: nothing can be put there any more."""
        with self._lock:
            self._is_closed = True
            for buffer in self._buffers:
                buffer.destroy()
            self._buffers.clear()

    def _give_back(self, buffer: _Buffer) -> None:
        self._free.put(buffer)
