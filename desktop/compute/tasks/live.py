"""A `Classifier` in the pipeline: every n-th picture, sliced on a slow GPU, beside the picture on a CPU backend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from desktop.compute.gpu import Gpu
from desktop.compute.preset import NetworkSpec
from desktop.compute.tasks.classification import Classification, Classifier, Slice
from desktop.compute.timing import FrameTimer


@dataclass(frozen=True)
class Job:
    """What one frame did for the network: its span's name, and the slice, where the network runs in slices."""

    span: str
    part: Slice | None
    finished: bool


class LiveClassifier:
    """Implements the pipeline's `Analysis` for classification.

    Attributes:
        budget_ms: GPU time that the network may take of one frame; None for a whole inference each time (batch work).
    """

    def __init__(self, classifier: Classifier, every: int = 1) -> None:
        self.classifier = classifier
        self.budget_ms: float | None = None
        self._every = max(1, every)
        self._seen = 0
        self._job: Job | None = None
        self._running = False
        self._spent_ms = 0.0
        self._inference_ms: float | None = None
        self._captured = False

    @classmethod
    def load(cls, gpu: Gpu, spec: NetworkSpec) -> LiveClassifier:
        """Load what a `NetworkSpec` names; on any thread.

        Raises:
            LightloomError: see `Classifier.load`.
        """
        classifier = Classifier.load(
            gpu,
            spec.model,
            backend=spec.backend,  # type: ignore[arg-type]
            precision=spec.precision,  # type: ignore[arg-type]
            top=spec.top,
            preset=dict(spec.preprocess) or None,
        )
        return cls(classifier, spec.every)

    @property
    def description(self) -> str:
        """Backend, device, precision and why; preprocessing; what was assumed."""
        return self.classifier.describe()

    @property
    def backend(self) -> str:
        """'wgpu' or 'onnxruntime'."""
        return self.classifier.session.backend

    @property
    def inference_ms(self) -> float | None:
        """Time of the last whole inference: on the GPU, or in onnxruntime's thread."""
        return self._inference_ms

    @property
    def pending(self) -> bool:
        """True while slices of an inference are still to be recorded, or the CPU has not answered."""
        return self._running

    @property
    def readback_bytes(self) -> int:
        """Bytes that the frame recorded last reads back beside the slot: the prepared input, if it goes to a CPU backend."""
        return self.classifier.readback_bytes if self._captured else 0

    def encode(
        self, encoder: Any, texture: Any, pts: float, timer: FrameTimer, *, is_new: bool
    ) -> Job | None:
        """Record an inference, a slice of one, or nothing where this picture's turn has not come."""
        self._job = None
        self._captured = False
        if not self._running:
            self._seen += is_new
            if is_new and (self._seen - 1) % self._every:
                return None
        self.classifier.bind(texture)
        compute_pass = encoder.begin_compute_pass(**timer.begin("network"))
        part: Slice | None = None
        if not self.classifier.on_gpu or self.budget_ms is None:
            self.classifier.encode(compute_pass)
        else:
            part = self.classifier.encode_slice(compute_pass, self.budget_ms, pts)
        compute_pass.end()
        timer.end()
        self._captured = self.classifier.capturing
        self.classifier.capture(encoder)
        finished = self.classifier.on_gpu and (part is None or part.finished)
        self._running = not finished
        self._job = Job("network", part, finished)
        return self._job

    def copy_result(self, encoder: Any, target: Any, offset: int) -> int:
        """Record the copy of a result that this frame completes; return its bytes, 0 where it completes none."""
        if self._job is None or not self._job.finished:
            return 0
        count = self.classifier.result_bytes
        encoder.copy_buffer_to_buffer(self.classifier.result_buffer, 0, target, offset, count)
        return count

    def submitted(self, pts: float) -> None:
        """The frame was submitted: a CPU backend's thread may have its input."""
        self.classifier.submitted(pts)

    def measured(self, job: Job, gpu_ms: float) -> None:
        """Tell what a job took on the GPU."""
        if not self.classifier.on_gpu:
            return
        if job.part is None:
            self._inference_ms = gpu_ms
            return
        self.classifier.measured(job.part, gpu_ms)
        self._spent_ms = gpu_ms + (0.0 if job.part.start == 0 else self._spent_ms)
        if job.finished:
            self._inference_ms = self._spent_ms

    def take_result(self, data: bytes, pts: float) -> Classification:
        """Return the reading of bytes that `copy_result` wrote."""
        return Classification(tuple(self.classifier.decode(data)), pts, 0.0, self._inference_ms or 0.0)

    def poll(self) -> Classification | None:
        """Return a CPU backend's newest result, once.

        Raises:
            ModelError: inference failed.
        """
        if self.classifier.on_gpu:
            return None
        found = self.classifier.poll()
        if found is not None:
            self._running = False
            self._inference_ms = found.inference_ms
            return replace(found)
        return None

    def close(self) -> None:
        """Release the network."""
        self.classifier.close()
