"""Head of a network whose output covers the frame: it writes the texture that a stage reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import wgpu

from desktop.base.errors import ModelError, ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.pipeline.running.one.picture_network import TextureHead
from desktop.vision.backends.loader import LoadedSession
from desktop.vision.tasks.common.dense import Output, OutputLayout
from desktop.vision.tasks.common.unpack import GpuUnpacker
from desktop.vision.tasks.task import FrameResult, Size


@dataclass(frozen=True, kw_only=True)
class DenseResult(FrameResult):
    """Output of a session with host arrays for one frame, float32."""

    values: np.ndarray


class DenseHead(TextureHead):
    """Writes the output into a texture (see `GpuUnpacker`); nothing is read back."""

    def __init__(
        self, gpu: Gpu, loaded: LoadedSession, output: TensorInfo, layout: OutputLayout, kind: Output
    ) -> None:
        """Make the texture and any upload buffer; raise ModelUnsupportedError for an unfit output."""
        self._gpu, self._output, self.layout = gpu, output, layout
        self._owned: wgpu.GPUBuffer | None = None
        recorded = loaded.session.capabilities.recorder
        tensor = recorded.tensor(output.name) if recorded is not None else self._make_tensor()
        self._unpacker = GpuUnpacker(gpu, layout, kind, tensor)
        self.texture = self._unpacker.texture

    @property
    def channels(self) -> int:
        return self.layout.channels

    def _make_tensor(self) -> Tensor:
        size = int(np.prod(self._output.shape)) * 4
        if size > self._gpu.limits["max-storage-buffer-binding-size"]:
            raise ModelUnsupportedError(
                sentence(
                    "The network's output of {size} MiB is more than {adapter} takes; choose a smaller "
                    "working size.",
                    size=size >> 20,
                    adapter=self._gpu.adapter,
                )
            )
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST
        self._owned = self._gpu.buffer(size, usage, "network output")
        return Tensor(self._owned, self._output.shape, "float32")

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the writing of the texture."""
        self._unpacker.encode(compute_pass)

    def decode(self, data: bytes | memoryview, size: Size) -> FrameResult:
        """Return an empty result: nothing is read back."""
        return FrameResult()

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> DenseResult:
        """Return the output for upload; raise ModelError if its shape is not the declared one."""
        values = np.ascontiguousarray(outputs[self._output.name], np.float32)
        if values.shape != self._output.shape:
            raise ModelError(
                sentence(
                    "The network gave an output of {shape} instead of {expected}; choose another one.",
                    shape=list(values.shape),
                    expected=list(self._output.shape),
                )
            )
        return DenseResult(values=values)

    def upload(self, result: DenseResult) -> None:
        """Upload an output to the buffer that `encode` reads."""
        self._gpu.queue.write_buffer(self._owned, 0, result.values)

    def close(self) -> None:
        """Release texture and buffer."""
        self._unpacker.close()
        if self._owned is not None:
            self._owned.destroy()
