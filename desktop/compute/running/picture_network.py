"""A network that looks at one picture: preprocessing on the GPU, the network on either backend, and a task's head that reads its outputs.

On the wgpu backend everything is recorded into the frame's own compute pass and at most some KiB come back. On onnxruntime the
preprocessing still runs on the GPU; its tensor is read back and a worker thread computes, while the picture goes on.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import wgpu

from desktop.compute.backends.loader import LoadedSession
from desktop.compute.gpu.device import Gpu
from desktop.compute.media.upload import uploaded
from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.preprocess import Preprocess
from desktop.compute.nn.session import Session, Tensor, recordable
from desktop.compute.running.description import Description
from desktop.compute.running.gpu_preprocess import GpuPreprocessor
from desktop.compute.tasks.task import Head, Reading, Size
from desktop.errors import (
    LightloomError,
    ModelError,
    ModelUnsupportedError,
    UsageError,
)
from desktop.wording import sentence


@dataclass(frozen=True)
class Slice:
    """A part of one inference that was recorded into a frame: steps `start` to `stop`, and whether it is the last part.

    `note` and `size` are those of the frame on which the inference began.
    """

    start: int
    stop: int
    finished: bool
    note: Any = None
    size: Size = (0, 0)


class SlicePlan:
    """Chooses how many steps of an inference fit into a frame, from the measured times of earlier slices.

    Steps differ in cost, so each has its own estimate: a measurement scales those of its slice to the measured sum.
    """

    def __init__(self, steps: int, guess_ms: float = 0.2) -> None:
        self._costs = np.full(steps, guess_ms)

    @property
    def steps(self) -> int:
        """Steps of one whole inference."""
        return len(self._costs)

    @property
    def total_ms(self) -> float:
        """Estimated time of one whole inference."""
        return float(self._costs.sum())

    def stop(self, start: int, budget_ms: float) -> int:
        """Return the end of the longest slice from `start` that is estimated to fit; at least one step, so that it ends."""
        fits = int(np.searchsorted(np.cumsum(self._costs[start:]), budget_ms, side="right"))
        return min(self.steps, start + max(1, fits))

    def measured(self, start: int, stop: int, ms: float) -> None:
        """Take in that the steps from `start` to `stop` took `ms` on the GPU."""
        part = self._costs[start:stop]
        if part.size and ms > 0.0:
            # Half of the way: one measurement may be disturbed by another program's work.
            part *= 0.5 + 0.5 * ms / float(part.sum())


@dataclass(frozen=True)
class _Request:
    promise: Any
    note: Any
    began: float


class CpuWorker:
    """Runs a session on its own thread, one input at a time, the newest: while it is busy no frame is captured for it.

    `capture` and `submitted` are for the thread that renders and never block; results are taken with `poll`.

    Attributes:
        readback_bytes: bytes that one input takes from the GPU; `readbacks` counts them.
        error: why it stopped, once it has.
        on_result: called from the thread when it has finished with an input; must only wake somebody.
    """

    def __init__(
        self,
        gpu: Gpu,
        session: Session,
        tensor: Tensor,
        input_name: str,
        dtype: str,
        read: Callable[[dict[str, np.ndarray], Any], Any] = lambda outputs, note: outputs,
    ) -> None:
        """Start the thread.

        Args:
            gpu: the device that the input is on.
            session: computes on the CPU, with one input.
            tensor: the prepared input, in a buffer with COPY_SRC.
            input_name: its name.
            dtype: its type.
            read: what `poll` returns of the outputs and the frame's note; called on the thread, so that it may take its time.
        """
        self._session = session
        self._read = read
        self._tensor = tensor
        self._input_name = input_name
        self._dtype = np.dtype(dtype)
        self.readback_bytes = int(np.prod(tensor.shape)) * self._dtype.itemsize
        self.readbacks = 0
        self.error: LightloomError | None = None
        self.on_result: Callable[[], None] = lambda: None
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        self._staging = gpu.buffer(self.readback_bytes, usage, "network input readback")
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Any, Any, float, float]] = queue.SimpleQueue()
        self._idle = threading.Event()
        self._idle.set()
        self._thread = threading.Thread(target=self._run, name="inference", daemon=True)
        self._thread.start()

    @property
    def idle(self) -> bool:
        """True if the next frame should be captured for it."""
        return self._idle.is_set() and self.error is None

    def capture(self, encoder: Any) -> None:
        """Record the copy of the input to the staging buffer, after the pass that fills it and only while `idle`."""
        size = (self.readback_bytes + 3) // 4 * 4
        encoder.copy_buffer_to_buffer(self._tensor.buffer, self._tensor.offset, self._staging, 0, size)

    def submitted(self, note: Any) -> None:
        """Hand over the frame whose `capture` has just been submitted."""
        self._idle.clear()
        self.readbacks += 1
        # "READ_NOSYNC": the buffer has just been written by a submission, so wgpu-py's empty extra submission is not needed.
        promise = self._staging.map_async("READ_NOSYNC")
        self._requests.put(_Request(promise, note, time.perf_counter()))

    def poll(self) -> tuple[Any, Any, float, float] | None:
        """Return the newest result as (outputs by name or what `read` made of them, note, latency ms, inference ms), once.

        Raises:
            LightloomError: inference failed; the worker has stopped.
        """
        if self.error is not None:
            raise self.error
        newest = None
        with contextlib.suppress(queue.Empty):
            while True:
                newest = self._results.get_nowait()
        return newest

    def wait_idle(self, timeout: float = 60.0) -> bool:
        """Block until nothing is in flight; False after `timeout` seconds. Not for the display path."""
        return self._idle.wait(timeout)

    def _run(self) -> None:
        # The picture comes first: this thread yields to the one that draws (threads have their own priority on Linux only).
        with contextlib.suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        while (request := self._requests.get()) is not None:
            try:
                self._results.put(self._infer(request))
            except LightloomError as error:
                self.error = error
            except Exception as error:
                # Whatever it is: a thread that dies silently would look like a network that never answers.
                self.error = ModelError(
                    sentence("The network's input could not be read back from the GPU: {error}.", error=error)
                )
            self._idle.set()
            self.on_result()

    def _infer(self, request: _Request) -> tuple[Any, Any, float, float]:
        request.promise.sync_wait()
        data = bytes(self._staging.read_mapped(0, self._staging.size, copy=False)[: self.readback_bytes])
        self._staging.unmap()
        array = np.frombuffer(data, self._dtype).reshape(self._tensor.shape)
        began = time.perf_counter()
        found: Any = self._session.run({self._input_name: array})
        ended = time.perf_counter()
        found = self._read(found, request.note)
        return found, request.note, (ended - request.began) * 1e3, (ended - began) * 1e3

    def close(self) -> None:
        """Stop the thread (a running inference is waited for, 10 s at most) and release the buffer."""
        self._requests.put(None)
        self._thread.join(timeout=10.0)
        self._staging.destroy()


class PictureNetwork:
    """A network that looks at one picture, with what goes before and behind it. For the thread that renders; it may be made on another.

    For every frame: `bind(texture)`; in the frame's compute pass `encode(pass)` (or `encode_slice`); then, with onnxruntime,
    `capture(encoder)` after the pass, `submitted(note)` after the submission, and `poll()` for what has come. With wgpu the frame
    copies the head's `result_buffer` and hands the bytes to the head's `decode`.

    Attributes:
        session: the network.
        reason: why it runs on this backend.
        preprocess: how pictures are prepared.
        head: what reads the outputs.
        notes: what was inferred or assumed, in sentences.
    """

    def __init__(
        self,
        gpu: Gpu,
        loaded: LoadedSession,
        preprocess: Preprocess,
        facts: ModelFacts,
        head: Head,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Put a loaded network together with what goes before and behind it; it owns session and head from now on.

        Raises:
            ModelUnsupportedError: the network's input is not what the preprocessing makes.
        """
        self._gpu = gpu
        self.session = loaded.session
        self.reason = loaded.reason
        self.preprocess = preprocess
        self.head = head
        self.notes = notes
        self._facts = facts
        self._network = recordable(loaded.session)
        self._own: Any = None
        self._worker: CpuWorker | None = None
        self._capturing = False
        self._step = 0
        self._note: Any = None
        self._size: Size = (0, 0)
        self._begun_size: Size = (0, 0)
        network = self._network
        self._tensor = network.tensor(facts.input_name) if network else self._make_tensor()
        self._preprocessor = GpuPreprocessor(gpu, preprocess, self._tensor)
        # Before the network's dispatches stands the preprocessing, behind them the head.
        self._slices = SlicePlan(network.dispatch_count + 2 if network else 1)

    @property
    def description(self) -> Description:
        """Backend and reason, preprocessing, and everything that was inferred or assumed."""
        session = self.session
        where = sentence(
            "{backend} on {device}, {precision}",
            backend=session.backend,
            device=session.device,
            precision=session.precision,
        )
        return Description(where, self.reason, (self.preprocess.describe(), *self.notes))

    def describe(self) -> str:
        """Return the description in lines for the user."""
        return self.description.text

    # -- in the frame ----------------------------------------------------------------------------------------------

    def bind(self, texture: Any) -> None:
        """Take pictures from `texture`: gamma-coded R'G'B' in 0..1, usage TEXTURE_BINDING, any size."""
        self._preprocessor.bind(texture)
        self._size = (texture.size[0], texture.size[1])

    @property
    def size(self) -> Size:
        """Size of the picture that is bound."""
        return self._size

    @property
    def on_gpu(self) -> bool:
        """True on the wgpu backend: results come through the head's `result_buffer`; else through `poll`."""
        return self._network is not None

    @property
    def shares_cores(self) -> bool:
        """True where the network and the pictures are both computed by the CPU."""
        return not self.on_gpu and self._gpu.adapter.is_software

    @property
    def readback_bytes(self) -> int:
        """Bytes that one inference reads back: the head's result, or with onnxruntime the whole input."""
        return self.head.result_bytes if self.on_gpu else self._cpu_worker().readback_bytes

    def encode(self, compute_pass: Any) -> None:
        """Record a whole inference into an open compute pass (onnxruntime: the preprocessing, while its thread is idle)."""
        if self._network is None:
            self._capturing = self._cpu_worker().idle
            if self._capturing:
                self._preprocessor.encode(compute_pass)
            return
        self._preprocessor.encode(compute_pass)
        self._network.encode(compute_pass)
        self.head.encode(compute_pass)
        self._step = 0

    def start(self, on_result: Callable[[], None]) -> None:
        """With onnxruntime, start its thread, which calls `on_result` after each input; that must only wake somebody."""
        if not self.on_gpu:
            self._cpu_worker().on_result = on_result

    def prepare(self, compute_pass: Any) -> None:
        """Record the preprocessing alone; see `read_input`."""
        self._preprocessor.encode(compute_pass)

    def encode_slice(self, compute_pass: Any, budget_ms: float, note: Any = None) -> Slice:
        """Record as much of an inference as is estimated to fit into `budget_ms` of GPU time, so that the picture keeps its rate.

        The slices of one inference see the one frame on which it began. Tell what a slice took with `measured`.
        The head's `result_buffer` holds a new result after the slice that is `finished`. For the wgpu backend.

        Raises:
            UsageError: the backend is onnxruntime, which has its own thread.
        """
        network = self._network
        if network is None:
            raise UsageError(
                sentence("Only inference on wgpu is spread over frames; onnxruntime runs on its own thread.")
            )
        start = self._step
        if start == 0:
            self._note, self._begun_size = note, self._size
        stop = self._slices.stop(start, budget_ms)
        last = self._slices.steps - 1
        # Step 0 prepares the picture, the last one is the head, the network's dispatches are between.
        if start == 0:
            self._preprocessor.encode(compute_pass)
        first, end = max(start - 1, 0), min(stop - 1, last - 1)
        if end > first:
            network.encode(compute_pass, first, end)
        finished = stop > last
        if finished:
            self.head.encode(compute_pass)
        self._step = 0 if finished else stop
        return Slice(start, stop, finished, self._note, self._begun_size)

    def measured(self, part: Slice, gpu_ms: float) -> None:
        """Tell how long a slice took on the GPU."""
        self._slices.measured(part.start, part.stop, gpu_ms)

    def restart(self) -> None:
        """Begin the next slice with a new picture (after a seek, or another source)."""
        self._step = 0

    @property
    def capturing(self) -> bool:
        """True if the frame being recorded prepares an input for onnxruntime, which then reads back `readback_bytes`."""
        return self._capturing

    def capture(self, encoder: Any) -> None:
        """With onnxruntime, record the copy of the prepared input, after the pass of `encode`; else nothing."""
        if self._capturing and self._worker is not None:
            self._worker.capture(encoder)

    def submitted(self, note: Any = None) -> None:
        """With onnxruntime, hand the captured input to its thread, after the submission; else nothing."""
        if self._capturing and self._worker is not None:
            self._worker.submitted((note, self._size))
        self._capturing = False

    def poll(self) -> Reading | None:
        """With onnxruntime, return the newest result, once; else None.

        Raises:
            ModelError: inference failed.
        """
        found = self._worker.poll() if self._worker is not None else None
        if found is None:
            return None
        reading, (note, _), latency, inference = found
        return cast(Reading, replace(reading, note=note, latency_ms=latency, inference_ms=inference))

    # -- at once ---------------------------------------------------------------------------------------------------

    def look_at_texture(self, texture: Any) -> Any:
        """Return the head's reading of what a texture shows, and wait for it; for tests and programs without a window.

        Raises:
            ModelError: inference failed.
        """
        began = time.perf_counter()
        self.bind(texture)
        encoder = self._gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        self._preprocessor.encode(compute_pass)
        if self._network is not None:
            self._network.encode(compute_pass)
            self.head.encode(compute_pass)
        compute_pass.end()
        self._gpu.queue.submit([encoder.finish()])
        inference_ms = 0.0
        if self._network is not None:
            data = self._gpu.queue.read_buffer(self.head.result_buffer, 0, self.head.result_bytes)
            reading = self.head.decode(data, self._size)
        else:
            array = self.read_input()
            inference = time.perf_counter()
            outputs = self.session.run({self._facts.input_name: array})
            inference_ms = (time.perf_counter() - inference) * 1e3
            reading = self.head.read(outputs, self._size)
        return replace(reading, latency_ms=(time.perf_counter() - began) * 1e3, inference_ms=inference_ms)

    def look_at_pixels(self, pixels: np.ndarray) -> Any:
        """Return the reading of a picture in memory: uint8 R'G'B' of shape (height, width, 3), by the same preprocessing on the GPU.

        Raises:
            UsageError: the array is not such a picture.
            ModelError: inference failed.
        """
        texture = upload_rgb(self._gpu, pixels)
        try:
            return self.look_at_texture(texture)
        finally:
            self._preprocessor.forget(texture)
            texture.destroy()

    def look_at_image(self, path: str | os.PathLike[str]) -> Any:
        """Return the reading of an image file, turned as its EXIF orientation says; the colours are taken as sRGB.

        Raises:
            SourceNotFoundError: no such file.
            SourceUnsupportedError: it is no picture.
            SourceDamagedError: it cannot be decoded.
            ModelError: inference failed.
        """
        # Imported here: a program that looks only at video does not need the decoders of stills.
        from desktop.compute.media.sources.image import load_image

        uploader = uploaded(self._gpu, load_image(Path(path)).frame)
        try:
            return self.look_at_texture(uploader.texture)
        finally:
            self._preprocessor.forget(uploader.texture)
            uploader.texture.destroy()
            uploader.close()

    def read_input(self) -> np.ndarray:
        """Return the prepared input tensor, read back; for tests and for inspection."""
        shape, dtype = self._tensor.shape, np.dtype(self._tensor.dtype)
        size = int(np.prod(shape)) * dtype.itemsize
        padded = min((size + 3) // 4 * 4, self._tensor.buffer.size - self._tensor.offset)
        data = self._gpu.queue.read_buffer(self._tensor.buffer, self._tensor.offset, padded)
        return np.frombuffer(bytes(data)[:size], dtype).reshape(shape)

    def close(self) -> None:
        """Stop the worker and release everything, the session too."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None  # it holds this network, and its last result, which may be large
        self._preprocessor.close()
        self.head.close()
        if self._own is not None:
            self._own.destroy()
        self.session.close()

    # -- within ----------------------------------------------------------------------------------------------------

    def _make_tensor(self) -> Tensor:
        info = next((i for i in self.session.inputs if i.name == self._facts.input_name), None)
        if info is None or info.shape != self.preprocess.shape or info.dtype != self.preprocess.dtype:
            raise ModelUnsupportedError(
                sentence(
                    "The preprocessing makes {dtype}{shape}, but the network takes {value}; set the preprocessing to "
                    "the network's input.",
                    dtype=self.preprocess.dtype,
                    shape=list(self.preprocess.shape),
                    value=[f"{i.dtype}{list(i.shape)}" for i in self.session.inputs],
                )
            )
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
        size = int(np.prod(info.shape)) * np.dtype(info.dtype).itemsize
        self._own = self._gpu.buffer(size, usage, "network input")
        return Tensor(self._own, info.shape, info.dtype)

    def _cpu_worker(self) -> CpuWorker:
        # Made on first use: single pictures are looked at without a thread.
        if self._worker is None:
            name, dtype = self._facts.input_name, self.preprocess.dtype
            self._worker = CpuWorker(self._gpu, self.session, self._tensor, name, dtype, self._read)
        return self._worker

    def _read(self, outputs: dict[str, np.ndarray], note: tuple[Any, Size]) -> Reading:
        return self.head.read(outputs, note[1])


def upload_rgb(gpu: Gpu, pixels: np.ndarray) -> Any:
    """Return an rgba8unorm texture of a uint8 R'G'B' picture of shape (height, width, 3).

    Raises:
        UsageError: the array is not such a picture, or is larger than the device's textures.
    """
    most = gpu.limits.get("max-texture-dimension-2d", 8192)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
        raise UsageError(
            sentence(
                "A picture is uint8 of shape (height, width, 3), not {dtype}{shape}.",
                dtype=pixels.dtype,
                shape=list(pixels.shape),
            )
        )
    if max(pixels.shape) > most:
        raise UsageError(
            sentence(
                "The picture has {width}x{height} pixels; this GPU takes {most} a side.",
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
