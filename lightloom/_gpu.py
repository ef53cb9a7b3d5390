"""The GPU that networks, chains and sources share."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import UsageError
from desktop.compute.gpu.device import Gpu as Device
from desktop.compute.gpu.device import list_adapters
from desktop.pipeline.picture.present import Exporter, LaidOver
from desktop.pipeline.running.one.picture_network import upload_rgb


@dataclass(frozen=True)
class Tensor:
    """Input or output of a network on the GPU, with the values of its last run, for custom kernels.

    Attributes:
        buffer: the `wgpu.GPUBuffer` (STORAGE | COPY_SRC | COPY_DST); it belongs to the network.
        shape: as in the file.
        dtype: element type in the buffer: 'float32', 'float16', 'int32', ...
        layout: 'NCHW' for row-major of any rank, 'NHWC' with channels zero-padded to `padded_channels`.
        padded_channels: channels as stored; 0 for row-major.
        offset: first byte in the buffer.
    """

    buffer: Any
    shape: tuple[int, ...]
    dtype: str
    layout: str
    padded_channels: int
    offset: int

    @property
    def stored_shape(self) -> tuple[int, ...]:
        """The shape in the buffer: [n, height, width, padded_channels] for the layout 'NHWC'."""
        if self.layout != "NHWC":
            return self.shape
        return (self.shape[0], *self.shape[2:], max(self.padded_channels, self.shape[1]))

    @property
    def wgsl_type(self) -> str:
        """The element type in WGSL: 'f32', 'f16' (needs `enable f16;` in a shader), 'i32' or 'u32'."""
        return {"float32": "f32", "float16": "f16", "int32": "i32", "uint32": "u32"}[self.dtype]


class Gpu:
    """An open GPU. Pass it to several networks and chains to share one device; otherwise each opens its own.

    Attributes:
        device: the `wgpu.GPUDevice`, for custom shaders and buffers.
        queue: its `wgpu.GPUQueue`.
        name: adapter, WebGPU backend and kind, as in 'NVIDIA H100 (Vulkan, discrete)'.
        is_software: it computes on the CPU.
    """

    def __init__(self, name: str | None = None) -> None:
        """Open the best adapter, or the first whose name or backend contains `name` in any case ('vulkan').

        Raises:
            NoAdapterError: there is none, or none of that name.
            GpuError: the driver failed to open it.
        """
        self._device = Device.open(name)
        self._is_open = True
        self.device = self._device.device
        self.queue = self._device.queue
        self.name = str(self._device.adapter)
        self.is_software = self._device.adapter.is_software

    @staticmethod
    def names() -> tuple[str, ...]:
        """Return the adapters of this machine, best first."""
        return tuple(str(info) for info in list_adapters())

    def upload(self, image: NDArray[np.uint8]) -> Any:
        """Return a uint8 image [height, width, 3] as a `wgpu.GPUTexture` with alpha 1.

        It is rgba8unorm, TEXTURE_BINDING | COPY_DST. The caller owns it and calls its `destroy`.

        Raises:
            UsageError: the array is not such an image, or exceeds the GPU's texture size.
        """
        return upload_rgb(self._inside, image)

    def download(self, texture: Any) -> NDArray[np.uint8]:
        """Return a texture of R'G'B' in 0..1 as uint8 [height, width, 4]; waits for the GPU.

        `texture` is rgba8unorm or rgba16float, with the usage TEXTURE_BINDING.
        """
        exporter = Exporter(self._inside, dither=False)
        try:
            return exporter.begin(texture, LaidOver()).result()
        finally:
            exporter.close()

    def read(self, tensor: Tensor) -> NDArray[Any]:
        """Return a tensor's values in its shape and type, row-major in any layout; waits for the GPU."""
        stored = tensor.stored_shape
        dtype = np.dtype(tensor.dtype)
        size = int(np.prod(stored)) * dtype.itemsize
        end = min(tensor.offset + (size + 3) // 4 * 4, tensor.buffer.size)
        data = bytes(self._inside.queue.read_buffer(tensor.buffer, tensor.offset, end - tensor.offset))
        values = np.frombuffer(data[:size], dtype).reshape(stored)
        if tensor.layout == "NHWC":
            values = np.moveaxis(values, -1, 1)[:, : tensor.shape[1]]
        return np.ascontiguousarray(values)

    @property
    def _inside(self) -> Device:
        """The program's own device.

        Raises:
            UsageError: the GPU is closed.
        """
        if not self._is_open:
            raise UsageError("The GPU is closed; open another one with lightloom.Gpu().")
        return self._device

    def close(self) -> None:
        """Release the device; objects made with it become invalid."""
        if self._is_open:
            self._is_open = False
            self._device.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<lightloom.Gpu {self.name}{'' if self._is_open else ', closed'}>"


class GpuUser:
    """Base of classes that use a GPU: their own, which they close, or a given one, which they leave open."""

    def __init__(self, gpu: Gpu | str | None) -> None:
        if not isinstance(gpu, Gpu | str | None):
            raise UsageError(
                f"'gpu' is a lightloom.Gpu or part of an adapter's name, not {type(gpu).__name__}."
            )
        self._owns_gpu = not isinstance(gpu, Gpu)
        self.gpu = gpu if isinstance(gpu, Gpu) else Gpu(gpu)

    def close(self) -> None:
        """Release all resources."""
        if self._owns_gpu:
            self.gpu.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
