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
        total = sum(-(-port.size // 8) * 8 for port in outputs)
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        self._staging = gpu.buffer(total, usage, "nn readback") if total else None

    @property
    def uploads(self) -> bool:
        """Return True if a run begins with an upload, which reports a lost device."""
        return any(port.size for port in self._inputs.values())

    def upload(self, feeds: Mapping[str, np.ndarray]) -> None:
        """Write the inputs.

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
        for name, array in feeds.items():
            port = self._inputs[name]
            if array.shape != port.info.shape or array.dtype.name != port.info.dtype:
                raise ModelError(
                    sentence(
                        "The input '{name}' takes {dtype} of shape {shape}, not {dtype2} of shape "
                        "{array_shape}.",
                        name=name,
                        dtype=port.info.dtype,
                        shape=port.info.shape,
                        dtype2=array.dtype,
                        array_shape=array.shape,
                    )
                )
            self._write(port, array)

    def _write(self, port: Port, array: np.ndarray) -> None:
        try:
            data = np.ascontiguousarray(hold(array, port.stored, port.info.name)).reshape(-1)
        except ModelUnsupportedError as error:
            raise ModelError(sentence("The input cannot be uploaded: {error}", error=error)) from error
        if data.nbytes % 4:
            data = np.concatenate([data, np.zeros(1, data.dtype)])  # write_buffer takes multiples of 4 bytes
        if data.size:
            self._gpu.queue.write_buffer(port.buffer, 0, data)

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
            # The long wait precedes the map: Ctrl+C in it leaves nothing mapped for the next run's copy.
            self._gpu.poll()
            self._gpu.map_for_reading(self._staging)
        except (RuntimeError, wgpu.GPUError) as error:
            raise GpuError(
                sentence(
                    "{adapter} did not finish the network ({error}); restart it.",
                    adapter=self._gpu.adapter,
                    error=error,
                )
            ) from error
        data = self._staging.read_mapped(copy=False)
        try:
            return self._split(data)
        finally:
            del data
            self._staging.unmap()

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
