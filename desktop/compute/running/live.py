"""A `PictureNetwork` in the pipeline: every n-th picture, sliced on a slow GPU, beside the picture on a CPU backend."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.timing import FrameTimer
from desktop.compute.models.model_file import ModelFile
from desktop.compute.nn.session import Precision
from desktop.compute.presets.preset import NetworkSpec
from desktop.compute.running.loading import load_network
from desktop.compute.running.picture_network import PictureNetwork, Slice
from desktop.compute.tasks import the_task
from desktop.compute.tasks.task import Features, Reading, Size

# A network on the CPU beside a picture on the CPU (a software adapter) rests after each result, for a multiple of the time that it took and
# at least so many seconds: else it takes the cores that draw. With none, two cores drew 17 of 25 pictures a second beside YOLOX-Nano.
_REST: Final = 2.0
_LEAST_REST_S: Final = 0.1


@dataclass(frozen=True)
class Job:
    """What one frame did for the network: its span's name, the slice, where the network runs in slices, and the size of the picture."""

    span: str
    part: Slice | None
    finished: bool
    size: Size


class LiveNetwork:
    """Implements the pipeline's `Analysis`.

    Attributes:
        network: the network.
        budget_ms: GPU time that the network may take of one frame; None for a whole inference each time (batch work).
    """

    def __init__(self, network: PictureNetwork, spec: NetworkSpec) -> None:
        self.network = network
        self.budget_ms: float | None = None
        self._spec = spec
        self._task = the_task(network.head.features.task)
        self._seen = 0
        self._job: Job | None = None
        self._running = False
        self._spent_ms = 0.0
        self._inference_ms: float | None = None
        self._captured = False
        self._rest_until = 0.0
        self._resting = False

    @classmethod
    def load(cls, gpu: Gpu, spec: NetworkSpec, model: ModelFile | None = None) -> LiveNetwork:
        """Load what a `NetworkSpec` names, for the task that it says or that the file shows; on any thread.

        `model` is its file, where that is open already.

        Raises:
            ModelUnsupportedError: it is a network for the chain, or one that is good for nothing here.
            LightloomError: see `load_network`.
        """
        network = load_network(
            gpu,
            model or spec.model,
            "" if spec.task == "auto" else spec.task,
            settings=spec.settings,
            backend=spec.backend,
            precision=cast(Precision, spec.precision),
            preset=spec.preprocess,
        )
        return cls(network, spec)

    def adjust(self, spec: NetworkSpec) -> bool:
        """Take over what can be changed while the network runs; False where it has to be loaded anew.

        Raises:
            UsageError: a value that its field does not take.
        """
        kept = {name: getattr(self._spec, name) for name in ("every", "on_result", "settings")}
        if replace(spec, **kept) != self._spec or self._task.needs_loading(
            self._spec.settings, spec.settings
        ):
            return False
        self.network.head.adjust(spec.settings)
        self._spec = spec
        return True

    @property
    def features(self) -> Features:
        """What there is to be set on it."""
        return self.network.head.features

    @property
    def description(self) -> str:
        """Backend, device, precision and why; preprocessing; what was assumed."""
        return self.network.describe()

    @property
    def backend(self) -> str:
        """'wgpu' or 'onnxruntime'."""
        return self.network.session.backend

    @property
    def inference_ms(self) -> float | None:
        """Time of the last whole inference: on the GPU, or in onnxruntime's thread."""
        return self._inference_ms

    @property
    def pending(self) -> bool:
        """True while slices of an inference are still to be recorded, the CPU has not answered, or a picture waits until it has rested."""
        return self._running or self._resting

    @property
    def readback_bytes(self) -> int:
        """Bytes that the frame recorded last reads back beside the slot: the prepared input, if it goes to a CPU backend."""
        return self.network.readback_bytes if self._captured else 0

    def encode(
        self, encoder: Any, texture: Any, pts: float, timer: FrameTimer, *, is_new: bool
    ) -> Job | None:
        """Record an inference, a slice of one, or nothing where this picture's turn has not come."""
        self._job = None
        self._captured = False
        if not self._running:
            self._seen += is_new
            if is_new and (self._seen - 1) % max(1, self._spec.every):
                return None
            self._resting = self.budget_ms is not None and time.perf_counter() < self._rest_until
            if self._resting:
                return None
        self.network.bind(texture)
        compute_pass = encoder.begin_compute_pass(**timer.begin("network"))
        part: Slice | None = None
        if not self.network.on_gpu or self.budget_ms is None:
            self.network.encode(compute_pass)
        else:
            part = self.network.encode_slice(compute_pass, self.budget_ms, pts)
        compute_pass.end()
        timer.end()
        self._captured = self.network.capturing
        self.network.capture(encoder)
        finished = self.network.on_gpu and (part is None or part.finished)
        self._running = not finished
        size = part.size if part is not None else self.network.size
        self._job = Job("network", part, finished, size)
        return self._job

    def copy_result(self, encoder: Any, target: Any, offset: int) -> int:
        """Record the copy of a result that this frame completes; return its bytes, 0 where it completes none."""
        if self._job is None or not self._job.finished:
            return 0
        head = self.network.head
        encoder.copy_buffer_to_buffer(head.result_buffer, 0, target, offset, head.result_bytes)
        return head.result_bytes

    def submitted(self, pts: float) -> None:
        """The frame was submitted: a CPU backend's thread may have its input."""
        self.network.submitted(pts)

    def measured(self, job: Job, gpu_ms: float) -> None:
        """Tell what a job took on the GPU."""
        if not self.network.on_gpu:
            return
        if job.part is None:
            self._inference_ms = gpu_ms
            return
        self.network.measured(job.part, gpu_ms)
        self._spent_ms = gpu_ms + (0.0 if job.part.start == 0 else self._spent_ms)
        if job.finished:
            self._inference_ms = self._spent_ms

    def take_result(self, data: bytes, job: Job, pts: float) -> Reading:
        """Return the reading of bytes that `copy_result` wrote in the frame of `job`."""
        reading = self.network.head.decode(data, job.size)
        note = pts if job.part is None else job.part.note
        return replace(reading, note=note, inference_ms=self._inference_ms or 0.0)

    def poll(self) -> Reading | None:
        """Return a CPU backend's newest result, once.

        Raises:
            ModelError: inference failed.
        """
        found = None if self.network.on_gpu else self.network.poll()
        if found is not None:
            self._running = False
            self._inference_ms = found.inference_ms
            if self.network.shares_cores:
                rest = max(_LEAST_REST_S, _REST * found.inference_ms / 1e3)
                self._rest_until = time.perf_counter() + rest
        return found

    def close(self) -> None:
        """Release the network."""
        self.network.close()
