"""A frame's way through the GPU: upload, colour, chain, network, present; one encoder and one submit.

The same object serves the window (target: the canvas's texture) and the command line (no target, or an offscreen one).
Nothing is read back but a slot of at most 4 KiB: the timestamps and the network's reduced result.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import wgpu

from desktop.compute.chain.runner import ChainRunner, ChainSpec, StageStatus
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.readback import SLOT_BYTES, WAIT_SECONDS, Arrival, ReadbackRing
from desktop.compute.gpu.timing import (
    MAX_SPANS,
    TIMESTAMP_BYTES,
    FrameTimer,
    Percentiles,
    RateMeter,
    ResultRate,
    Series,
    StageTime,
)
from desktop.compute.gpu.wgpu_native.failures import LossLog, is_loss
from desktop.compute.gpu.wgpu_native.messages import gpu_reason
from desktop.compute.media.frame import Frame
from desktop.compute.media.upload import Uploader
from desktop.compute.present import Exporter, PendingPicture, Presenter, View
from desktop.errors import DeviceLostError, GpuError, ModelError
from desktop.wording import sentence

if TYPE_CHECKING:
    from desktop.compute.chain.network_feed import StageJob
    from desktop.compute.filters.judge import FilterJudge
    from desktop.compute.models.open_models import OpenModels
    from desktop.compute.tasks.task import Features

log = logging.getLogger(__name__)

RESULT_BYTES: Final = SLOT_BYTES - TIMESTAMP_BYTES


class Job(Protocol):
    """What one frame did for an `Analysis`."""

    @property
    def span(self) -> str:
        """Name of its span in the frame's timer."""


class Analysis(Protocol):
    """A network that looks at pictures and says something about them (running/live.py)."""

    budget_ms: float | None

    @property
    def features(self) -> Features:
        """What there is to be set on it."""

    @property
    def description(self) -> str:
        """Backend, device, precision, and why these; for the user."""

    @property
    def pending(self) -> bool:
        """True while an inference is under way that needs further calls of `encode`, even with no new picture."""

    @property
    def inference_ms(self) -> float | None:
        """Time of the last whole inference; None where nothing can tell it."""

    @property
    def readback_bytes(self) -> int:
        """Bytes that the frame recorded last reads back beside the slot."""

    def encode(
        self, encoder: Any, texture: Any, pts: float, timer: FrameTimer, *, is_new: bool
    ) -> Job | None:
        """Record its work, or a slice of it, on a working texture (rgba16float); None where it records nothing."""

    def copy_result(self, encoder: Any, target: Any, offset: int) -> int:
        """Record the copy of a result that this frame completes; return its bytes (at most `RESULT_BYTES`), 0 for none."""

    def submitted(self, pts: float) -> None:
        """The frame was submitted."""

    def measured(self, job: Any, gpu_ms: float) -> None:
        """Tell what a job took on the GPU."""

    def take_result(self, data: bytes, job: Any, pts: float) -> Any:
        """Return the reading of bytes that `copy_result` wrote in the frame of `job`."""

    def poll(self) -> Any:
        """Return a result that came by another way than the slot, once; None where there is none."""

    def adjust(self, spec: Any) -> bool:
        """Take over another `NetworkSpec` without loading; False where that is not possible."""

    def close(self) -> None:
        """Release what it holds."""


@dataclass(frozen=True)
class _Note:
    """What a frame in flight leaves for its own arrival."""

    captured_at: float
    names: tuple[str, ...]
    cpu_ms: tuple[float, ...]
    analysis: Analysis | None
    job: Job | None
    result_bytes: int
    pts: float
    is_new: bool
    follows: bool
    stage_jobs: Mapping[str, StageJob]


@dataclass(frozen=True)
class PipelineStats:
    """What the pipeline measured lately.

    Attributes:
        fps: new pictures finished a second.
        latency_ms: from capture (a file's due time) to the GPU having finished the frame's last pass.
        gpu_ms: sum of the stages' GPU times, None where the adapter has no timestamps.
        cpu_ms: recording and submitting a frame.
        stages: mean times of what is in use over the last frames in which it ran, in order.
        network_ms: mean of the last whole inferences of the network that looks at the pictures, however many frames each took; None
            where nothing can tell it.
        network_fps: its results a second.
        upload_bytes: bytes uploaded for the last frame.
        readback_bytes: bytes read back a frame, on average, the CPU backend's network input included.
        frames: pictures finished since the beginning.
        skipped: frames not drawn because the GPU was still busy with the ones before.
        timing_source: 'GPU timestamps' or 'CPU time': where the stages' times come from.
    """

    fps: float = 0.0
    latency_ms: Percentiles = field(default_factory=Percentiles)
    gpu_ms: float | None = None
    cpu_ms: float = 0.0
    stages: tuple[StageTime, ...] = ()
    network_ms: float | None = None
    network_fps: float = 0.0
    upload_bytes: int = 0
    readback_bytes: int = 0
    frames: int = 0
    skipped: int = 0
    timing_source: str = "CPU time"


class Pipeline:
    """Runs frames on one `Gpu`. For one thread, the one that renders.

    Attributes:
        view: how the picture lies on the target.
        analyse_result: the network looks at the chain's result instead of its source.
        network_budget_ms: GPU time that the network may take of one frame, so that a slow one never slows the picture: half of the time
            between two pictures, smoothed. None, as in batch work, for a whole
            inference with each picture.
        latest: the network's newest result (a `Result` of tasks/).
        analysis_error: why the network was taken out, if it failed while running.
        latency, frame_time: milliseconds of the last frames, for graphs.

    `on_progress` is called from another thread when a frame has come back; it must only wake somebody.
    """

    def __init__(
        self,
        gpu: Gpu,
        library: FilterLibrary,
        *,
        wait: bool = False,
        in_flight: int = 2,
        judge: FilterJudge | None = None,
        models: OpenModels | None = None,
    ) -> None:
        """Make a pipeline.

        Args:
            gpu: the device.
            library: the filters that chains may name.
            wait: batch work: compile before the frame, wait for a free slot instead of skipping the frame.
            in_flight: frames submitted and not yet finished, at most.
            judge, models: see `ChainRunner`.
        """
        self.gpu = gpu
        self._wait = wait
        self._uploader = Uploader(gpu)
        self.chain = ChainRunner(gpu, library, wait=wait, judge=judge, models=models)
        self._timer = FrameTimer(gpu)
        self._watch = LossLog()
        self._ring = ReadbackRing(gpu, in_flight, is_lost=lambda: self._watch.is_lost)
        self._presenter: Presenter | None = None
        self._exporter: Exporter | None = None
        self._analysis: Analysis | None = None
        self.analyse_result = False
        self.analysis_error: str | None = None
        self.network_budget_ms: float | None = None
        self._analysis_due = False
        self._retired: list[tuple[int, Analysis]] = []
        self._result: Any = None
        self._overlay: tuple[np.ndarray | None] | None = None
        self.view = View()
        self._captured_at = 0.0
        self._pts = 0.0
        self._has_picture = False
        self._frames = 0
        self._skipped = 0
        self._submits = self._readback_bytes = 0
        self._rate = RateMeter()
        self.latency = Series()
        self.frame_time = Series()
        self._last_finished: float | None = None
        self._follows = False
        self._cpu = Series(120)
        self._spans: dict[str, tuple[Series, Series]] = {}
        self._results = ResultRate()
        self._inference = Series(30)
        self.latest: Any = None

    # -- settings ----------------------------------------------------------------------------------------------------

    @property
    def on_progress(self) -> Callable[[], None] | None:
        """What is called, from another thread, when a frame has come back."""
        return self._ring.on_arrival

    @on_progress.setter
    def on_progress(self, callback: Callable[[], None] | None) -> None:
        self._ring.on_arrival = callback
        self.chain.wake = callback

    def set_chain(self, spec: ChainSpec) -> None:
        """Take over a chain; see `ChainRunner.set_spec`."""
        self.chain.set_spec(spec)
        kept = {f"{kind}:{stage.id}" for stage in spec.stages for kind in ("filter", "network")}
        for name in [n for n in self._spans if n.startswith(("filter:", "network:")) and n not in kept]:
            del self._spans[name]

    def set_analysis(self, analysis: Analysis | None) -> None:
        """Use another network, or none; the old one is closed once the frames in flight, which may use it, have finished."""
        if self._analysis is not None:
            self._retired.append((self._ring.submitted_frames, self._analysis))
        self._analysis = analysis
        self._analysis_due = True
        self.analysis_error = None if analysis is not None else self.analysis_error
        self.latest = None
        self._spans.pop("network", None)
        self._results.clear()
        self._inference.clear()

    @property
    def analysis(self) -> Analysis | None:
        """The network in use."""
        return self._analysis

    def look_again(self) -> None:
        """Let the network look at the picture once more, though it is no new one."""
        self._analysis_due = True

    def set_overlay(self, image: np.ndarray | None) -> None:
        """Show an image above the picture; see `Presenter.set_overlay`."""
        self._overlay = (image,)

    def skip_interval(self) -> None:
        """The next picture does not follow the one before (a pause, a seek, a step): what lies between is no frame time."""
        self._follows = False

    def reset_stats(self) -> None:
        """Begin all counters and series anew."""
        self._frames = self._skipped = self._submits = self._readback_bytes = 0
        self._rate = RateMeter()
        self._last_finished = None
        self._results.clear()
        for series in (self.latency, self.frame_time, self._cpu, self._inference):
            series.clear()
        self._spans.clear()

    # -- a frame -------------------------------------------------------------------------------------------------------

    @property
    def picture_size(self) -> tuple[int, int]:
        """Size of the current picture, (0, 0) before the first."""
        texture = self._uploader.texture
        return (texture.width, texture.height) if self._has_picture and texture is not None else (0, 0)

    @property
    def has_picture(self) -> bool:
        """True once a frame was uploaded."""
        return self._has_picture

    @property
    def wants_frames(self) -> bool:
        """True while a repaint without a new picture would get on with something: a filter compiled meanwhile, a network's slices.

        Never before the first picture: nothing would get on, and who asks would draw without end.
        """
        return self._has_picture and (
            self.chain.is_compiling
            or self.chain.is_dirty
            or (self._analysis is not None and (self._analysis.pending or self._analysis_due))
        )

    @property
    def is_busy(self) -> bool:
        """True while the GPU holds as many frames as it may."""
        return self._ring.is_full

    def render(self, frame: Frame | None, target: Any = None) -> bool:
        """Upload a new frame (or use the last one again), run everything, draw into `target` where one is given, submit.

        Returns:
            False if the GPU was still busy and the frame was skipped.

        Raises:
            DeviceLostError: the device is gone; make another pipeline.
            GpuError: the GPU refuses the picture, and it is neither a stage's fault nor the network's.
            SourceUnsupportedError: the picture is larger than this GPU takes.
        """
        self.poll()
        self.check_device()
        slot = self._ring.take(wait=self._wait)
        if slot is None:
            if self._wait:
                self.check_device()
                raise DeviceLostError(
                    sentence(
                        "The GPU has not answered for {wait_seconds:.0f} s; it or its driver has stopped.",
                        wait_seconds=WAIT_SECONDS,
                    )
                )
            self._skipped += frame is not None
            return False
        try:
            self._render(frame, target, slot)
        except BaseException as error:
            self._ring.give_back(slot)
            self._result = None  # it may be half drawn, or its texture gone
            if isinstance(error, wgpu.GPUError):
                raise self._explained(error) from error
            raise
        return True

    def _render(self, frame: Frame | None, target: Any, slot: Any) -> None:
        begun = time.perf_counter()
        timer = self._timer
        if frame is not None:
            self._uploader.upload(frame)
            self._has_picture = True
            self._set_budget(frame.captured_at - self._captured_at)
            self._captured_at, self._pts = frame.captured_at, frame.pts
        upload_ms = (time.perf_counter() - begun) * 1e3
        try:
            job, result_bytes = self._submit(frame is not None, target, slot)
        except wgpu.GPUError as error:
            if self._is_loss(error):
                raise
            job, result_bytes = self._submit_without_culprit(error, frame is not None, target, slot)
        if job is not None and self._analysis is not None:
            self._analysis.submitted(self._pts)
        now = time.perf_counter()
        self._cpu.add((now - begun) * 1e3)
        names, cpu = tuple(timer.names), tuple(timer.cpu_ms)
        if frame is not None:
            self._span("upload")[1].add(upload_ms)
        is_new, follows = frame is not None, self._follows
        note = _Note(
            self._captured_at,
            names,
            cpu,
            self._analysis,
            job,
            result_bytes,
            self._pts,
            is_new,
            follows,
            self.chain.jobs,
        )
        self._follows = follows or is_new
        stamps = min(len(names), MAX_SPANS) * 16 * timer.on_gpu
        used = TIMESTAMP_BYTES + result_bytes if result_bytes else stamps
        self._submits += 1
        self._readback_bytes += stamps + result_bytes
        self._readback_bytes += self._analysis.readback_bytes if job and self._analysis else 0
        self._ring.submitted(slot, note, used)

    def _set_budget(self, interval: float) -> None:
        # Half of the time between two pictures is the network's; the rest is for the chain, the present pass and jitter. A pause (over
        # half a second) says nothing about the rate.
        if self._wait or not 0.0 < interval < 0.5:
            return
        share = max(1.0, interval * 1e3 * 0.5)
        budget = self.network_budget_ms
        self.network_budget_ms = share if budget is None else budget + 0.1 * (share - budget)

    def _submit(self, is_new: bool, target: Any, slot: Any) -> tuple[Job | None, int]:
        self._timer.begin_frame()
        encoder = self.gpu.device.create_command_encoder()
        job, result_bytes = None, 0
        if self._has_picture:
            encoder = self._encode_picture(encoder, is_new)
            job, result_bytes = self._encode_analysis(encoder, is_new, slot)
        if target is not None:
            self._present(encoder, target)
        self._timer.resolve(encoder, slot.buffer)
        self.gpu.queue.submit([encoder.finish()])
        self._readback_bytes += self.chain.submitted()
        return job, result_bytes

    def _submit_without_culprit(
        self, error: wgpu.GPUError, is_new: bool, target: Any, slot: Any
    ) -> tuple[Job | None, int]:
        # The frame was refused as a whole: find the stage that is to blame, or else the network, and go on without it.
        self._result = None
        if self._has_picture and self.chain.isolate(self._uploader.texture):
            return self._submit(is_new, target, slot)
        if self._analysis is None:
            raise error
        analysis, self._analysis = self._analysis, None
        try:
            outcome = self._submit(is_new, target, slot)
        finally:
            self._analysis = analysis
        self._drop_analysis(f"The network was switched off, because the GPU refused it: {gpu_reason(error)}.")
        return outcome

    def _encode_picture(self, encoder: Any, is_new: bool) -> Any:
        timer = self._timer
        if is_new:
            compute_pass = encoder.begin_compute_pass(**timer.begin("color"))
            self._uploader.encode(compute_pass)
            compute_pass.end()
            timer.end()
        # A repaint (overlay, zoom) without a new picture or an edit needs no second run of the chain, and temporal
        # filters must not see one.
        if is_new or self._result is None or self.chain.is_dirty:
            self.chain.network_budget_ms = self.network_budget_ms
            source = self._uploader.texture
            self._result, encoder = self.chain.encode(encoder, source, self._pts, timer, is_new=is_new)
        return encoder

    def _encode_analysis(self, encoder: Any, is_new: bool, slot: Any) -> tuple[Job | None, int]:
        analysis = self._analysis
        if analysis is None or not (is_new or self._analysis_due or analysis.pending):
            return None, 0
        analysis.budget_ms = self.network_budget_ms
        texture = self._result if self.analyse_result else self._uploader.texture
        job = analysis.encode(encoder, texture, self._pts, self._timer, is_new=is_new)
        self._analysis_due = False
        return job, analysis.copy_result(encoder, slot.buffer, TIMESTAMP_BYTES) if job is not None else 0

    def _present(self, encoder: Any, target: Any) -> None:
        fmt = str(target.format)
        if self._presenter is None or self._presenter.target_format != fmt:
            if self._presenter is not None:
                self._presenter.close()
            self._presenter = Presenter(self.gpu, fmt)
        if self._overlay is not None:
            self._presenter.set_overlay(self._overlay[0])
            self._overlay = None
        source = self._uploader.texture
        span = self._timer.begin("present")
        if self._has_picture:
            size = (source.width, source.height)
            self._presenter.encode(encoder, target, self._result, source, size, self.view, **span)
        else:
            self._presenter.encode_empty(encoder, target, self.view, **span)
        self._timer.end()

    # -- what comes back -----------------------------------------------------------------------------------------------

    def poll(self) -> bool:
        """Take in what has come back; True if anything has. Never blocks."""
        arrivals = self._ring.arrivals()
        for arrival in arrivals:
            self._take_in(arrival)
        self._poll_analysis()
        while self._retired and self._retired[0][0] <= self._ring.finished_frames:
            self._retired.pop(0)[1].close()
        return bool(arrivals)

    def _take_in(self, arrival: Arrival) -> None:
        note: _Note = arrival.note
        if note.is_new:
            self._frames += 1
            self._rate.tick(arrival.finished_at)
            self.latency.add((arrival.finished_at - note.captured_at) * 1e3)
            if self._last_finished is not None and note.follows:
                self.frame_time.add((arrival.finished_at - self._last_finished) * 1e3)
            self._last_finished = arrival.finished_at
        gpu = (
            self._timer.decode(note.names, memoryview(arrival.data))
            if arrival.data
            else [None] * len(note.names)
        )
        for name, gpu_ms, cpu_ms in zip(note.names, gpu, note.cpu_ms, strict=True):
            on_gpu, on_cpu = self._span(name)
            on_cpu.add(cpu_ms)
            if gpu_ms is not None:
                on_gpu.add(gpu_ms)
                if note.job is not None and note.analysis is self._analysis and name == note.job.span:
                    note.analysis.measured(note.job, gpu_ms)  # type: ignore[union-attr]
                if name in note.stage_jobs:
                    note.stage_jobs[name].measured(gpu_ms)
        if note.result_bytes and note.analysis is self._analysis and note.analysis is not None:
            data = arrival.data[TIMESTAMP_BYTES : TIMESTAMP_BYTES + note.result_bytes]
            self._take_reading(note.analysis, note.analysis.take_result(data, note.job, note.pts))

    def _poll_analysis(self) -> None:
        if self._analysis is None:
            return
        try:
            reading = self._analysis.poll()
            if reading is not None:
                self._take_reading(self._analysis, reading)
        except ModelError as error:
            self._drop_analysis(str(error))

    def _take_reading(self, analysis: Analysis, reading: Any) -> None:
        self.latest = reading
        self._results.tick(time.perf_counter())
        if analysis.inference_ms is not None:
            self._inference.add(analysis.inference_ms)

    def _drop_analysis(self, reason: str) -> None:
        log.warning("%s", reason)
        self.analysis_error = reason
        self.set_analysis(None)

    def _span(self, name: str) -> tuple[Series, Series]:
        return self._spans.setdefault(name, (Series(120), Series(120)))

    def drain(self, timeout: float = WAIT_SECONDS) -> bool:
        """Wait for everything in flight and take it in; False if that takes longer than `timeout` seconds."""
        done = self._ring.drain(timeout)
        self.poll()
        return done

    def await_analysis(self, timeout: float = WAIT_SECONDS) -> None:
        """Wait for a network that computes beside the pictures and still has one (batch work: the last picture counts too)."""
        end = time.perf_counter() + timeout
        while self._analysis is not None and self._analysis.pending and time.perf_counter() < end:
            self.poll()
            time.sleep(0.0005)

    @property
    def stats(self) -> PipelineStats:
        """What was measured lately."""
        # By what is in use, not by what the last frame ran: a network sits pictures out, a repaint uploads nothing.
        network = ("network",) if self._analysis is not None else ()
        names = ("upload", "color", *self.chain.spans, *network, "present")
        stages = tuple(self._stage_time(name) for name in names if name in self._spans)
        gpu = [s.gpu_ms for s in stages if s.gpu_ms is not None]
        return PipelineStats(
            fps=self._rate.rate(time.perf_counter()),
            latency_ms=self.latency.percentiles,
            gpu_ms=sum(gpu) if self._timer.on_gpu else None,
            cpu_ms=self._cpu.mean,
            stages=stages,
            network_ms=self._inference.mean if self._inference.values else None,
            network_fps=self._results.rate(time.perf_counter()),
            upload_bytes=self._uploader.bytes_uploaded,
            readback_bytes=math.ceil(self._readback_bytes / max(self._submits, 1)),
            frames=self._frames,
            skipped=self._skipped,
            timing_source="GPU timestamps" if self._timer.on_gpu else "CPU time",
        )

    def _stage_time(self, name: str) -> StageTime:
        on_gpu, on_cpu = self._spans[name]
        return StageTime(name, on_gpu.mean if on_gpu.values else None, on_cpu.mean)

    @property
    def stage_statuses(self) -> tuple[StageStatus, ...]:
        """How each stage of the chain is doing."""
        return self.chain.statuses

    # -- exports -------------------------------------------------------------------------------------------------------

    def export(self) -> PendingPicture | None:
        """Begin to read the chain's current result, full resolution, unmirrored; None before the first frame.

        Raises:
            GpuError: the GPU refuses it, for want of memory; DeviceLostError: it is gone.
        """
        if self._result is None:
            return None
        try:
            if self._exporter is None:
                self._exporter = Exporter(self.gpu)
            return self._exporter.begin(self._result)
        except wgpu.GPUError as error:
            raise self._explained(error) from error

    # -- the device ----------------------------------------------------------------------------------------------------

    def check_device(self) -> None:
        """Raise DeviceLostError if the device is known to be gone."""
        if self._watch.is_lost or self._ring.failed is not None:
            raise self._lost()

    def _is_loss(self, error: wgpu.GPUError) -> bool:
        return self._watch.is_lost or is_loss(error)

    def _explained(self, error: wgpu.GPUError) -> GpuError:
        if self._is_loss(error):
            return self._lost()
        width, height = self.picture_size
        if isinstance(error, wgpu.GPUOutOfMemoryError):
            return GpuError(
                sentence(
                    "The GPU has not enough memory for a picture of {width} x {height} pixels; choose a smaller one.",
                    width=width,
                    height=height,
                )
            )
        return GpuError(sentence("The GPU refused to draw the picture: {reason}.", reason=gpu_reason(error)))

    def _lost(self) -> DeviceLostError:
        return DeviceLostError(
            sentence(
                "The GPU {name} stopped working; its driver was reset or it was unplugged.",
                name=self.gpu.adapter.name,
            )
        )

    def close(self) -> None:
        """Release everything but the `Gpu`."""
        if self._watch.is_lost:
            self._ring.failed = self._ring.failed or "device lost"
        self._ring.drain(2.0)
        self._result = None
        self._watch.close()
        self._ring.close()
        for _, analysis in self._retired:
            analysis.close()
        if self._analysis is not None:
            self._analysis.close()
        self.chain.close()
        for part in (self._presenter, self._exporter, self._timer, self._uploader):
            if part is not None:
                part.close()
