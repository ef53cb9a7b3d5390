"""A network for one frame: preprocessing on the GPU, the network, and a task's head for its outputs.

A recorded session stays on the GPU; for one with host arrays the prepared input is read back.
"""

from __future__ import annotations

import os
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import wgpu

from desktop.base.errors import (
    ModelUnsupportedError,
    UsageError,
)
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Tensor
from desktop.pipeline.picture.upload import uploaded
from desktop.pipeline.running.caller import Caller
from desktop.pipeline.running.description import NetworkDescription, where_of
from desktop.pipeline.running.inputs.gpu_preprocess import GpuPreprocessor, check_input
from desktop.pipeline.running.inputs.input_view import InputView
from desktop.pipeline.running.one.head_reader import HeadReader
from desktop.pipeline.running.worker import CpuWorker
from desktop.vision.backends.loader import LoadedSession
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.task import FrameResult, Head, Size

RecordInput = Callable[[wgpu.GPUComputePassEncoder], None]
"""Records the preprocessing into an open compute pass."""


class TextureHead(Head):
    """Head whose result is a texture that covers the frame, for a stage; nothing is read back.

    `enlargement` is its factor over the frame's size, where a stage takes that.
    """

    texture: wgpu.GPUTexture
    enlargement: int = 1

    @property
    @abstractmethod
    def channels(self) -> int:
        """Channels of the output."""

    @abstractmethod
    def upload(self, result: Any) -> None:
        """Upload a result of `read` for `encode`."""

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the writing of the texture."""


class PictureNetwork:
    """A network for one frame, with preprocessing and head. For the rendering thread; made on any.

    `items` is the number of inputs of a frame; `view` converts them to frames while watched; `is_heavy`: it
    takes too much memory to be kept ready together with another network; `turns`: for frames of the other
    orientation it is to be loaded again.
    """

    items = 1
    is_heavy = False

    def __init__(
        self,
        gpu: Gpu,
        loaded: LoadedSession,
        preprocess: Preprocess,
        facts: ModelFacts,
        head: Head,
        notes: tuple[str, ...] = (),
        name: str = "",
        *,
        turns: bool = False,
    ) -> None:
        """Assemble a network, taking ownership of session and head.

        Raise ModelUnsupportedError if the preprocessing does not produce the network's input.
        """
        self._gpu = gpu
        self.name = name
        self.turns = turns
        self.session = loaded.session
        self.reason = loaded.reason
        self.preprocess = preprocess
        self.head = head
        self.reader = HeadReader(gpu, loaded.session, head)
        self.notes = notes
        self.view: InputView | None = None
        self.caller = Caller(loaded.session)
        self._facts = facts
        self._capabilities = loaded.session.capabilities
        self._network = self._capabilities.recorder
        self._own: wgpu.GPUBuffer | None = None
        network = self._network
        self._tensor = network.tensor(facts.input_name) if network else self._make_tensor()
        self._preprocessor = GpuPreprocessor(gpu, preprocess, self._tensor)

    @property
    def description(self) -> NetworkDescription:
        """Backend and reason, preprocessing, and everything that was inferred or assumed."""
        return NetworkDescription(
            where_of(self.session), self.reason, (self.preprocess.describe(), *self.notes)
        )

    def describe(self) -> str:
        """Return the description in lines for the user."""
        return self.description.text

    # -- in a frame ------------------------------------------------------------------------------------------

    def bind(self, texture: wgpu.GPUTexture) -> BoundPicture:
        """Take the frame from `texture`: gamma-coded R'G'B' in 0..1, usage TEXTURE_BINDING, any size."""
        return BoundPicture(self, self._preprocessor.bind(texture), (texture.size[0], texture.size[1]))

    def make_view(self) -> InputView:
        """Return what makes frames of its input."""
        return InputView(self._gpu, self.preprocess, (self._tensor,))

    def release_texture(self, texture: wgpu.GPUTexture) -> None:
        """Release a texture that is about to be destroyed."""
        self._preprocessor.release_texture(texture)

    def record_input(self, compute_pass: wgpu.GPUComputePassEncoder, preprocessing: RecordInput) -> None:
        """Record the preprocessing, and the frame of the input while it is watched."""
        preprocessing(compute_pass)
        if self.view is not None:
            self.view.encode(compute_pass)

    @property
    def copies_ms(self) -> float | None:
        """Time of the last run spent on copies between devices; None if unknown."""
        run_times = self._capabilities.run_times
        times = run_times() if run_times is not None else None
        return times.copies if times is not None else None

    @property
    def encodes(self) -> bool:
        """True if the network and its head are recorded into the frame; otherwise it takes host arrays."""
        return self._network is not None

    @property
    def remembers(self) -> bool:
        """True if a result also depends on previous frames."""
        return self._capabilities.reset_state is not None

    def reset_state(self) -> None:
        """Reset the state: the next frame does not follow the previous one (a seek, another source)."""
        if self._capabilities.reset_state is not None:
            self._capabilities.reset_state()

    def adjust(self, values: Mapping[str, object]) -> None:
        """Pass settings to a session that accepts them while it runs."""
        if self._capabilities.adjust is not None:
            self._capabilities.adjust(values)

    def follow(self, *, wait: bool = False) -> bool:
        """See `SessionCapabilities.follow`; False for a session without it."""
        return self._capabilities.follow is not None and self._capabilities.follow(wait=wait)

    @property
    def shares_cores(self) -> bool:
        """True where the network and the frames are both computed by the CPU."""
        return not (self.encodes or self.caller.is_elsewhere) and self._gpu.adapter.is_software

    @property
    def steps(self) -> int:
        """Steps of one inference that is recorded: the preprocessing, the network's dispatches, the head."""
        return self._network.dispatch_count + 2 if self._network is not None else 0

    def make_worker(self) -> CpuWorker:
        """Start a thread for a session with host arrays; its frames' notes are (note, size, generation)."""
        name, dtype = self._facts.input_name, self.preprocess.dtype
        return CpuWorker(self._gpu, self.session, self._tensor, name, dtype, self._read)

    def compute(self, array: np.ndarray) -> dict[str, np.ndarray]:
        """Run a session with host arrays on a prepared input (`read_input`); raise ModelError if it fails."""
        return self.session.run({self._facts.input_name: array})

    # -- at once ---------------------------------------------------------------------------------------------

    def analyze_texture(self, texture: wgpu.GPUTexture) -> Any:
        """Wait for the result of a texture, without a window; raise ModelError if inference failed."""
        began = time.perf_counter()
        picture = self.bind(texture)
        self._gpu.compute(picture.encode if self.encodes else picture.encode_input)
        inference_ms = 0.0
        if self.encodes:
            result = self.reader.decode(self._read_result(), picture.size)
        else:
            result, inference_ms = self.compute_result(picture.size)
        return replace(result, latency_ms=(time.perf_counter() - began) * 1e3, inference_ms=inference_ms)

    def compute_result(self, size: Size) -> tuple[FrameResult, float]:
        """Run a session with host arrays on what was prepared from a frame of a size; return the result and ms."""
        array = self.read_input()
        begun = time.perf_counter()
        outputs = self.compute(array)
        inference_ms = (time.perf_counter() - begun) * 1e3
        return self.reader.read(outputs, size), inference_ms

    def _read_result(self) -> bytes:
        usage = wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.COPY_SRC
        buffer = self._gpu.buffer(self.reader.result_bytes, usage, "result")
        encoder = self._gpu.device.create_command_encoder()
        self.reader.copy_result(encoder, buffer, 0)
        self._gpu.queue.submit([encoder.finish()])
        data = bytes(self._gpu.queue.read_buffer(buffer))
        buffer.destroy()
        return data

    def analyze_pixels(self, pixels: np.ndarray) -> Any:
        """Return the result for uint8 R'G'B' (height, width, 3), with the same preprocessing.

        Raise UsageError for another shape or type, ModelError if inference failed.
        """
        texture = upload_rgb(self._gpu, pixels)
        try:
            return self.analyze_texture(texture)
        finally:
            self.release_texture(texture)
            texture.destroy()

    def analyze_image(self, path: str | os.PathLike[str]) -> Any:
        """Return the result for an image file, rotated by its EXIF orientation; colors are taken as sRGB.

        Raise ModelError, SourceNotFoundError, SourceUnsupportedError (no image) or SourceDamagedError.
        """
        # Imported here: a program that looks only at video does not need the decoders of stills.
        from desktop.media.sources.image import load_image

        uploader = uploaded(self._gpu, load_image(Path(path)).frame)
        try:
            return self.analyze_texture(uploader.texture)
        finally:
            self.release_texture(uploader.texture)
            uploader.texture.destroy()
            uploader.close()

    def read_input(self) -> np.ndarray:
        """Return the prepared input tensor of the whole frame, read back."""
        return self._read_back(self._tensor)

    def _read_back(self, tensor: Tensor) -> np.ndarray:
        shape, dtype = tensor.shape, np.dtype(tensor.dtype)
        size = int(np.prod(shape)) * dtype.itemsize
        padded = min((size + 3) // 4 * 4, tensor.buffer.size - tensor.offset)
        data = self._gpu.queue.read_buffer(tensor.buffer, tensor.offset, padded)
        return np.frombuffer(bytes(data)[:size], dtype).reshape(shape)

    def close(self) -> None:
        """Release everything, the session too."""
        self._preprocessor.close()
        self.reader.close()
        if self._own is not None:
            self._own.destroy()
        self.session.close()

    # -- within ----------------------------------------------------------------------------------------------

    def _make_tensor(self) -> Tensor:
        info = next((i for i in self.session.inputs if i.name == self._facts.input_name), None)
        if info is None or info.shape != self.preprocess.shape or info.dtype != self.preprocess.dtype:
            raise ModelUnsupportedError(
                sentence(
                    "The preprocessing makes {dtype}{shape}, but the network takes {value}; set the "
                    "preprocessing to "
                    "the network's input.",
                    dtype=self.preprocess.dtype,
                    shape=list(self.preprocess.shape),
                    value=[f"{i.dtype}{list(i.shape)}" for i in self.session.inputs],
                )
            )
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
        size = self.items * int(np.prod(info.shape)) * np.dtype(info.dtype).itemsize
        check_input(self._gpu, size)
        self._own = self._gpu.buffer(size, usage, "network input")
        return Tensor(self._own, info.shape, info.dtype)

    def _read(self, outputs: dict[str, np.ndarray], note: tuple[Any, Size, int]) -> FrameResult:
        return self.reader.read(outputs, note[1])


@dataclass(frozen=True)
class BoundPicture:
    """A frame bound to a network by `bind`, for recording."""

    _network: PictureNetwork
    _input: RecordInput
    size: Size

    def encode_input(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the preprocessing alone."""
        self._network.record_input(compute_pass, self._input)

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record a whole inference: preprocessing, network, head."""
        network = self._network._network
        assert network is not None, "it takes host arrays"
        self.encode_input(compute_pass)
        network.encode(compute_pass)
        self._network.reader.encode(compute_pass)

    def encode_steps(self, compute_pass: wgpu.GPUComputePassEncoder, start: int, stop: int) -> None:
        """Record the steps from `start` to `stop` of `steps`; only the first sees this frame."""
        network = self._network._network
        assert network is not None, "it takes host arrays"
        last = self._network.steps - 1
        if start == 0:
            self.encode_input(compute_pass)
        first, end = max(start - 1, 0), min(stop - 1, last - 1)
        if end > first:
            network.encode(compute_pass, first, end)
        if stop > last:
            self._network.reader.encode(compute_pass)


def upload_rgb(gpu: Gpu, pixels: np.ndarray) -> wgpu.GPUTexture:
    """Return an rgba8unorm texture of uint8 R'G'B' (height, width, 3); raise UsageError for others."""
    most = gpu.limits.get("max-texture-dimension-2d", 8192)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
        raise UsageError(
            sentence(
                "An image is uint8 of shape (height, width, 3), not {dtype}{shape}.",
                dtype=pixels.dtype,
                shape=list(pixels.shape),
            )
        )
    if max(pixels.shape) > most:
        raise UsageError(
            sentence(
                "The image has {width}x{height} pixels; this GPU takes {most} a side.",
                width=pixels.shape[1],
                height=pixels.shape[0],
                most=most,
            )
        )
    height, width = pixels.shape[:2]
    rgba = np.dstack((pixels, np.full((height, width), 255, np.uint8)))
    usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
    texture = gpu.device.create_texture(
        size=(width, height, 1), format="rgba8unorm", usage=usage, label="picture"
    )
    layout = {"offset": 0, "bytes_per_row": width * 4, "rows_per_image": height}
    gpu.queue.write_texture({"texture": texture}, rgba, layout, (width, height, 1))
    return texture
