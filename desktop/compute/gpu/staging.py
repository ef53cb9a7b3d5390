"""Host memory that the GPU reads: mapped buffers, from which rows of pixels are copied into textures.

They are written once, by any thread; the copies are recorded with the commands that read the texture.
`write_texture` instead copies on the thread that renders, and Dawn allocates memory for each call above 4 MB.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import wgpu

from desktop.compute.gpu.device import Gpu

_ROW: Final = 256
"""Bytes to which WebGPU aligns the rows of a buffer that is copied into a texture."""


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

    def put(self, data: Any, offset: int, bytes_per_row: int, row: int, count: int) -> tuple[int, int]:
        source = np.frombuffer(data, np.uint8)[offset:]
        stride = -(-row // _ROW) * _ROW
        with self._lock:
            begin, end = self._used, self._used + stride * count
            last = (count - 1) * bytes_per_row + row
            if self._memory is None or end > self.size or last > source.size or row > bytes_per_row:
                raise ValueError(f"{count} rows of {row} bytes do not fit")
            target = self._memory[begin:end].reshape(count, stride)[:, :row]
            # NumPy releases the interpreter's lock meanwhile.
            target[...] = np.lib.stride_tricks.as_strided(source, (count, row), (bytes_per_row, 1))
            self._used = end
        return begin, stride

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

    def put(self, data: Any, offset: int, bytes_per_row: int, row: int, count: int) -> StagedRows:
        """Copy `count` rows of `row` bytes, which lie `bytes_per_row` apart in `data` from `offset` on.

        Raises ValueError if `data` has fewer, or they do not fit.
        """
        return StagedRows(self, *self._buffer.put(data, offset, bytes_per_row, row, count))

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
