"""Name what a picture shows: preprocessing, a network, softmax and top-k, labels.

On the wgpu backend everything is recorded into the frame's own compute pass and some tens of bytes come back. On onnxruntime the
preprocessing still runs on the GPU; its tensor is read back and a worker thread computes, while the picture goes on.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import wgpu

from desktop.compute.gpu import Gpu
from desktop.compute.nn.loader import LoadedSession, load_session
from desktop.compute.nn.session import Backend, GpuSession, Precision, Session, Tensor
from desktop.compute.tasks.facts import ModelFacts, read_facts
from desktop.compute.tasks.gpu_preprocess import GpuPreprocessor
from desktop.compute.tasks.gpu_topk import MOST, GpuTopK
from desktop.compute.tasks.labels import Labels, choose_labels
from desktop.compute.tasks.preprocess import Preprocess, choose_preprocess
from desktop.errors import (
    LightloomError,
    ModelError,
    ModelUnsupportedError,
    SourceDamagedError,
    SourceNotFoundError,
    UsageError,
)


@dataclass(frozen=True)
class Prediction:
    """One class: its index in the network's output, its name, and its probability in 0..1."""

    index: int
    label: str
    probability: float


@dataclass(frozen=True)
class Classification:
    """What a network said of one frame.

    Attributes:
        predictions: the most probable classes, best first.
        note: what the caller left with the frame (its presentation time, say).
        latency_ms: from the frame's hand-over to the result.
        inference_ms: of it, the network's own time (0.0 where the GPU's timestamps tell it).
    """

    predictions: tuple[Prediction, ...]
    note: Any = None
    latency_ms: float = 0.0
    inference_ms: float = 0.0


@dataclass(frozen=True)
class Slice:
    """A part of one inference that was recorded into a frame: steps `start` to `stop`, and whether it is the last part.

    `note` is that of the frame on which the inference began.
    """

    start: int
    stop: int
    finished: bool
    note: Any = None


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


def top_k(scores: np.ndarray, k: int, *, logits: bool) -> list[tuple[int, float]]:
    """Return the `k` greatest as (index, probability), best first, equals by lower index; softmax first if `logits`.

    A score that is not a number counts as the least, as in `shaders/nn_tasks/topk.wgsl`.
    """
    values = np.nan_to_num(np.ravel(scores).astype(np.float64), nan=-3.4e38, posinf=3.4e38, neginf=-3.4e38)
    order = np.argsort(-values, kind="stable")[:k]
    if logits:
        values = np.exp(values - values.max())
        values /= values.sum()
    return [(int(i), float(values[i])) for i in order]


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
    """

    def __init__(self, gpu: Gpu, session: Session, tensor: Tensor, input_name: str, dtype: str) -> None:
        self._session = session
        self._tensor = tensor
        self._input_name = input_name
        self._dtype = np.dtype(dtype)
        self.readback_bytes = int(np.prod(tensor.shape)) * self._dtype.itemsize
        self.readbacks = 0
        self.error: LightloomError | None = None
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        self._staging = gpu.buffer(self.readback_bytes, usage, "network input readback")
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[np.ndarray, Any, float, float]] = queue.SimpleQueue()
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

    def poll(self) -> tuple[np.ndarray, Any, float, float] | None:
        """Return the newest result as (scores, note, latency ms, inference ms), once.

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
                self.error = ModelError(f"The network's input could not be read back from the GPU: {error}.")
            self._idle.set()

    def _infer(self, request: _Request) -> tuple[np.ndarray, Any, float, float]:
        request.promise.sync_wait()
        data = bytes(self._staging.read_mapped(0, self._staging.size, copy=False)[: self.readback_bytes])
        self._staging.unmap()
        array = np.frombuffer(data, self._dtype).reshape(self._tensor.shape)
        began = time.perf_counter()
        scores = next(iter(self._session.run({self._input_name: array}).values()))
        ended = time.perf_counter()
        return scores, request.note, (ended - request.began) * 1e3, (ended - began) * 1e3

    def close(self) -> None:
        """Stop the thread (a running inference is waited for, 10 s at most) and release the buffer."""
        self._requests.put(None)
        self._thread.join(timeout=10.0)
        self._staging.destroy()


class Classifier:
    """A network that names pictures. For the thread that renders; `load` may run on another.

    For every frame: `bind(texture)`; in the frame's compute pass `encode(pass)` (or `encode_slice`); then, with onnxruntime,
    `capture(encoder)` after the pass, `submitted(note)` after the submission, and `poll()` for what has come. With wgpu the frame
    copies `result_bytes` of `result_buffer` and hands the bytes to `decode`.

    Attributes:
        session: the network.
        reason: why it runs on this backend.
        preprocess: how pictures are prepared.
        labels: names of the classes.
        notes: what was inferred or assumed, in sentences.
        top: how many classes are kept.
    """

    def __init__(
        self,
        gpu: Gpu,
        loaded: LoadedSession,
        preprocess: Preprocess,
        labels: Labels,
        facts: ModelFacts,
        *,
        top: int = 5,
    ) -> None:
        """Put a loaded network together with what goes before and after it; `load` does all of it.

        Raises:
            ModelUnsupportedError: the network's input or output is not a classifier's.
            UsageError: `top` is not 1 to 10.
        """
        if not 1 <= top <= MOST:
            raise UsageError(f"The number of classes to show is {top}; give 1 to {MOST}.")
        self._gpu = gpu
        self.session = loaded.session
        self.reason = loaded.reason
        self.preprocess = preprocess
        self.labels = labels
        self.notes: tuple[str, ...] = ()
        self.top = top
        self._facts = facts
        self.logits = not facts.softmax
        self._network = cast(GpuSession, loaded.session) if loaded.session.backend == "wgpu" else None
        self._own: Any = None
        self._topk: GpuTopK | None = None
        self._worker: CpuWorker | None = None
        self._capturing = False
        self._step = 0
        self._note: Any = None
        network = self._network
        self._tensor = network.tensor(facts.input_name) if network else self._make_tensor()
        self._preprocessor = GpuPreprocessor(gpu, preprocess, self._tensor)
        if network:
            scores = network.tensor(network.outputs[0].name)
            self._topk = GpuTopK(gpu, scores, top, logits=self.logits)
        steps = network.dispatch_count + 2 if network else 1
        self._slices = SlicePlan(steps)

    @classmethod
    def load(
        cls,
        gpu: Gpu,
        path: str | os.PathLike[str],
        *,
        backend: Backend = "auto",
        precision: Precision = "auto",
        top: int = 5,
        preset: Mapping[str, Any] | None = None,
        threads: int | None = None,
    ) -> Classifier:
        """Load a network, infer its preprocessing, find its labels.

        Args:
            gpu: the device, which prepares the pictures whatever the backend.
            path: an ONNX file.
            backend: see `load_session`.
            precision: see `load_session`.
            top: how many classes to keep, 1 to 10.
            preset: preprocessing fields that override what is inferred and the sidecar.
            threads: threads of onnxruntime.

        Raises:
            ModelInvalidError: not a readable ONNX model, or a file beside it is broken.
            ModelUnsupportedError: not a classifier of one picture, or no backend takes it.
            UsageError: a preset value that its field or the network does not take.
        """
        path = Path(path)
        facts = read_facts(path)
        preprocess, notes = choose_preprocess(path, facts, preset)
        shapes = {facts.input_name: preprocess.shape} if 0 in facts.input_shape else None
        loaded = load_session(
            path, gpu=gpu, backend=backend, precision=precision, threads=threads, input_shapes=shapes
        )
        try:
            classes = _classes(loaded.session, path)
            labels = choose_labels(classes, model=path, metadata=facts.metadata)
            self = cls(gpu, loaded, preprocess, labels, facts, top=top)
        except LightloomError:
            loaded.session.close()
            raise
        if not facts.softmax:
            notes.append("The network ends in logits; softmax makes probabilities of them.")
        self.notes = (*notes, f"Labels: {labels.origin}.")
        return self

    def describe(self) -> str:
        """Return lines for the user: backend and reason, preprocessing, and everything that was inferred or assumed."""
        where = f"{self.session.backend} on {self.session.device}, {self.session.precision}"
        return "\n".join((f"{where}: {self.reason}", self.preprocess.describe(), *self.notes))

    # -- in the frame ----------------------------------------------------------------------------------------------

    def bind(self, texture: Any) -> None:
        """Take pictures from `texture`: gamma-coded R'G'B' in 0..1, usage TEXTURE_BINDING, any size."""
        self._preprocessor.bind(texture)

    @property
    def on_gpu(self) -> bool:
        """True on the wgpu backend: results come through `result_buffer`; else through `poll`."""
        return self._network is not None

    @property
    def result_buffer(self) -> Any:
        """The `GPUBuffer` of the wgpu backend's result (COPY_SRC); None with onnxruntime."""
        return self._topk.result if self._topk else None

    @property
    def result_bytes(self) -> int:
        """Bytes of `result_buffer` that the frame copies, at most 80; 0 with onnxruntime."""
        return self._topk.result_bytes if self._topk else 0

    @property
    def readback_bytes(self) -> int:
        """Bytes that one inference reads back: `result_bytes`, or with onnxruntime the whole input."""
        return self.result_bytes if self._topk else self._cpu_worker().readback_bytes

    def encode(self, compute_pass: Any) -> None:
        """Record a whole inference into an open compute pass (onnxruntime: the preprocessing, while its thread is idle)."""
        if self._network is None or self._topk is None:
            self._capturing = self._cpu_worker().idle
            if self._capturing:
                self._preprocessor.encode(compute_pass)
            return
        self._preprocessor.encode(compute_pass)
        self._network.encode(compute_pass)
        self._topk.encode(compute_pass)
        self._step = 0

    def encode_slice(self, compute_pass: Any, budget_ms: float, note: Any = None) -> Slice:
        """Record as much of an inference as is estimated to fit into `budget_ms` of GPU time, so that the picture keeps its rate.

        The slices of one inference see the one frame on which it began. Tell what a slice took with `measured`.
        `result_buffer` holds a new result after the slice that is `finished`. For the wgpu backend.

        Raises:
            UsageError: the backend is onnxruntime, which has its own thread.
        """
        network, topk = self._network, self._topk
        if network is None or topk is None:
            raise UsageError(
                "Only inference on wgpu is spread over frames; onnxruntime runs on its own thread."
            )
        start = self._step
        if start == 0:
            self._note = note
        stop = self._slices.stop(start, budget_ms)
        last = self._slices.steps - 1
        # Step 0 prepares the picture, the last one is the top-k, the network's dispatches are between.
        if start == 0:
            self._preprocessor.encode(compute_pass)
        first, end = max(start - 1, 0), min(stop - 1, last - 1)
        if end > first:
            network.encode(compute_pass, first, end)
        finished = stop > last
        if finished:
            topk.encode(compute_pass)
        self._step = 0 if finished else stop
        return Slice(start, stop, finished, self._note)

    def measured(self, part: Slice, gpu_ms: float) -> None:
        """Tell how long a slice took on the GPU."""
        self._slices.measured(part.start, part.stop, gpu_ms)

    def restart(self) -> None:
        """Begin the next slice with a new picture (after a seek, or another source)."""
        self._step = 0

    def decode(self, data: bytes | memoryview) -> list[Prediction]:
        """Return the predictions in what was copied from `result_buffer`."""
        return self._named(self._topk.decode(data)) if self._topk else []

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
            self._worker.submitted(note)
        self._capturing = False

    def poll(self) -> Classification | None:
        """With onnxruntime, return the newest result, once; else None.

        Raises:
            ModelError: inference failed.
        """
        found = self._worker.poll() if self._worker is not None else None
        if found is None:
            return None
        scores, note, latency, inference = found
        return Classification(tuple(self._named_scores(scores)), note, latency, inference)

    # -- at once ---------------------------------------------------------------------------------------------------

    def classify_texture(self, texture: Any) -> Classification:
        """Classify what a texture shows and wait for the result; for the command line and tests.

        Raises:
            ModelError: inference failed.
        """
        began = time.perf_counter()
        self.bind(texture)
        encoder = self._gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        self._preprocessor.encode(compute_pass)
        if self._network is not None and self._topk is not None:
            self._network.encode(compute_pass)
            self._topk.encode(compute_pass)
        compute_pass.end()
        self._gpu.queue.submit([encoder.finish()])
        if self._topk is not None:
            predictions = self.decode(self._gpu.queue.read_buffer(self._topk.result, 0, self.result_bytes))
            return Classification(tuple(predictions), None, (time.perf_counter() - began) * 1e3)
        array = self.read_input()
        inference = time.perf_counter()
        scores = next(iter(self.session.run({self._facts.input_name: array}).values()))
        ended = time.perf_counter()
        named = tuple(self._named_scores(scores))
        return Classification(named, None, (ended - began) * 1e3, (ended - inference) * 1e3)

    def classify_pixels(self, pixels: np.ndarray) -> Classification:
        """Classify a picture on the CPU: uint8 R'G'B' of shape (height, width, 3), by the same preprocessing on the GPU.

        Raises:
            UsageError: the array is not such a picture.
            ModelError: inference failed.
        """
        texture = upload_rgb(self._gpu, pixels)
        try:
            return self.classify_texture(texture)
        finally:
            self._preprocessor.forget(texture)
            texture.destroy()

    def classify_image(self, path: str | os.PathLike[str]) -> Classification:
        """Classify an image file, turned as its EXIF orientation says; the colours are taken as sRGB.

        Raises:
            SourceNotFoundError: no such file.
            SourceDamagedError: it cannot be decoded.
            ModelError: inference failed.
        """
        # OpenCV is imported here: a program that classifies only video does not need its decoders.
        import cv2

        try:
            data = np.fromfile(path, np.uint8)
        except OSError as error:
            raise SourceNotFoundError(
                f"The image {path} cannot be read: {error.strerror or error}."
            ) from error
        # Decoded from memory: cv2.imread takes no path with letters beyond the system's code page on Windows.
        bgr = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        if bgr is None:
            raise SourceDamagedError(
                f"{Path(path).name} is not an image that can be decoded; choose another file."
            )
        return self.classify_pixels(np.ascontiguousarray(bgr[..., ::-1]))

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
        self._preprocessor.close()
        if self._topk is not None:
            self._topk.close()
        if self._own is not None:
            self._own.destroy()
        self.session.close()

    # -- within ----------------------------------------------------------------------------------------------------

    def _make_tensor(self) -> Tensor:
        info = next((i for i in self.session.inputs if i.name == self._facts.input_name), None)
        if info is None or info.shape != self.preprocess.shape or info.dtype != self.preprocess.dtype:
            raise ModelUnsupportedError(
                f"The preprocessing makes {self.preprocess.dtype}{list(self.preprocess.shape)}, but the network takes "
                f"{[f'{i.dtype}{list(i.shape)}' for i in self.session.inputs]}; set the preprocessing to the network's input."
            )
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
        size = int(np.prod(info.shape)) * np.dtype(info.dtype).itemsize
        self._own = self._gpu.buffer(size, usage, "network input")
        return Tensor(self._own, info.shape, info.dtype)

    def _cpu_worker(self) -> CpuWorker:
        # Made on first use: the command line classifies single pictures without a thread.
        if self._worker is None:
            name, dtype = self._facts.input_name, self.preprocess.dtype
            self._worker = CpuWorker(self._gpu, self.session, self._tensor, name, dtype)
        return self._worker

    def _named(self, pairs: list[tuple[int, float]]) -> list[Prediction]:
        return [Prediction(index, self.labels[index], p) for index, p in pairs]

    def _named_scores(self, scores: np.ndarray) -> list[Prediction]:
        return self._named(top_k(scores, self.top, logits=self.logits))


def upload_rgb(gpu: Gpu, pixels: np.ndarray) -> Any:
    """Return an rgba8unorm texture of a uint8 R'G'B' picture of shape (height, width, 3).

    Raises:
        UsageError: the array is not such a picture, or is larger than the device's textures.
    """
    most = gpu.limits.get("max-texture-dimension-2d", 8192)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
        raise UsageError(
            f"A picture is uint8 of shape (height, width, 3), not {pixels.dtype}{list(pixels.shape)}."
        )
    if max(pixels.shape) > most:
        raise UsageError(
            f"The picture has {pixels.shape[1]}x{pixels.shape[0]} pixels; this GPU takes {most} a side."
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


def _classes(session: Session, path: Path) -> int:
    if len(session.inputs) != 1:
        names = ", ".join(info.name for info in session.inputs)
        raise ModelUnsupportedError(f"{path.name} has the inputs {names}; a classifier of pictures has one.")
    shape = session.outputs[0].shape
    rest = [size for size in shape[1:] if size != 1] if len(shape) > 1 else list(shape)
    if len(rest) != 1 or shape[0] not in (1, rest[0]):
        raise ModelUnsupportedError(
            f"{path.name} is not a classifier: its output '{session.outputs[0].name}' has the shape {list(shape)}, "
            "where one score a class is expected; choose a classification network.",
            (f"output shape {list(shape)}",),
        )
    return rest[0]
