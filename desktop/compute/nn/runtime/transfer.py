"""Copy host arrays to a session's inputs and from its outputs, with the fewest calls and copies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import wgpu

from desktop.base.errors import GpuError, ModelError, ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.ir.narrow_floats import numpy_dtype
from desktop.compute.nn.ir.scalar import hold
from desktop.compute.nn.lowering.plan import BYTES
from desktop.compute.nn.session import TensorInfo


@dataclass(frozen=True)
class Port:
    """An input or output: its public description, the element type in its buffer, and the buffer."""

    info: TensorInfo
    stored: str
    buffer: wgpu.GPUBuffer

    @property
    def size(self) -> int:
        """Return the buffer's bytes that hold elements, rounded up to 4 as WebGPU's copies require."""
        return -(-math.prod(self.info.shape) * BYTES[self.stored] // 4) * 4


class HostTransfer:
    """Uploads and downloads of one session. The buffer for reading outputs is made once."""

    def __init__(self, gpu: Gpu, inputs: Sequence[Port], outputs: Sequence[Port]) -> None:
        self._gpu = gpu
        self._inputs = {port.info.name: port for port in inputs}
        self._outputs = outputs
        # Dawn's `write_buffer` allocates memory for larger inputs: they go through a mapped buffer.
        taken = sum(-(-port.size // 8) * 8 for port in inputs) if gpu.stages_uploads else 0
        source = wgpu.BufferUsage.MAP_WRITE | wgpu.BufferUsage.COPY_SRC
        self._source = gpu.buffer(taken, source, "nn inputs") if taken else None
        total = sum(-(-port.size // 8) * 8 for port in outputs)
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        self._staging = gpu.buffer(total, usage, "nn readback") if total else None

    @property
    def uploads(self) -> bool:
        """Return True if a run begins with an upload, which reports a lost device."""
        return any(port.size for port in self._inputs.values())

    def upload(self, feeds: Mapping[str, np.ndarray]) -> None:
        """Write the inputs; no submission that uses them may be unfinished.

        Raises ModelError: a missing or unknown input, wrong shape or type, or integer beyond 32 bits.
        """
        if set(feeds) != set(self._inputs):
            raise ModelError(
                sentence(
                    "The network takes the inputs {inputs}, not {given}.",
                    inputs=sorted(self._inputs),
                    given=sorted(feeds),
                )
            )
        arrays = {name: self._held(self._inputs[name], array) for name, array in feeds.items()}
        if self._source is None:
            for name, data in arrays.items():
                if data.size:
                    self._gpu.queue.write_buffer(self._inputs[name].buffer, 0, data)
            return
        try:
            memory = self._gpu.map_for_writing(self._source)
        except (RuntimeError, wgpu.GPUError) as error:
            raise self._unfinished(error) from error
        offset = 0
        for name, port in self._inputs.items():
            data = arrays[name].view(np.uint8)
            memory[offset : offset + data.size] = data
            offset += -(-port.size // 8) * 8
        del memory
        self._source.unmap()

    def _held(self, port: Port, array: np.ndarray) -> np.ndarray:
        """Return an input's elements as they are stored, a flat array of a multiple of 4 bytes."""
        if array.shape != port.info.shape or array.dtype.name != port.info.dtype:
            raise ModelError(
                sentence(
                    "The input '{name}' takes {dtype} of shape {shape}, not {dtype2} of shape {array_shape}.",
                    name=port.info.name,
                    dtype=port.info.dtype,
                    shape=port.info.shape,
                    dtype2=array.dtype,
                    array_shape=array.shape,
                )
            )
        try:
            data = np.ascontiguousarray(hold(array, port.stored, port.info.name)).reshape(-1)
        except ModelUnsupportedError as error:
            raise ModelError(sentence("The input cannot be uploaded: {error}", error=error)) from error
        if data.nbytes % 4:
            data = np.concatenate([data, np.zeros(1, data.dtype)])  # write_buffer takes multiples of 4 bytes
        return data

    def record_inputs(self, encoder: wgpu.GPUCommandEncoder) -> None:
        """Record the copies of inputs that `upload` leaves in a mapped buffer, before the first dispatch."""
        offset = 0
        for port in self._inputs.values() if self._source is not None else ():
            if port.size:
                encoder.copy_buffer_to_buffer(self._source, offset, port.buffer, 0, port.size)
            offset += -(-port.size // 8) * 8

    def record(self, encoder: wgpu.GPUCommandEncoder) -> None:
        """Record the copies of the outputs."""
        offset = 0
        for port in self._outputs:
            if port.size:
                encoder.copy_buffer_to_buffer(port.buffer, 0, self._staging, offset, port.size)
            offset += -(-port.size // 8) * 8

    def download(self) -> dict[str, np.ndarray]:
        """Wait for the last submission and return the outputs."""
        if self._staging is None:
            return {
                port.info.name: np.zeros(port.info.shape, numpy_dtype(port.info.dtype))
                for port in self._outputs
            }
        try:
            self._gpu.map_for_reading(self._staging)
        except (RuntimeError, wgpu.GPUError) as error:
            raise self._unfinished(error) from error
        data = self._staging.read_mapped(copy=False)
        try:
            return self._split(data)
        finally:
            del data
            self._staging.unmap()

    def _unfinished(self, error: Exception) -> GpuError:
        return GpuError(
            sentence(
                "{adapter} did not finish the network ({error}); restart it.",
                adapter=self._gpu.adapter,
                error=error,
            )
        )

    def _split(self, data: memoryview) -> dict[str, np.ndarray]:
        found, offset = {}, 0
        for port in self._outputs:
            count = math.prod(port.info.shape)
            array = np.frombuffer(data, port.stored, count, offset).reshape(port.info.shape)
            found[port.info.name] = array.astype(
                numpy_dtype(port.info.dtype)
            )  # a copy: the mapped memory goes away
            offset += -(-port.size // 8) * 8
        return found
