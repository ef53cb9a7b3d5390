"""A frame's way through the GPU: upload, color, chain, network, present; one encoder and one submit.

The same object serves the window (target: the canvas's texture) and the command line (no target, or an offscreen one).
Nothing is read back but a slot of at most 4 KiB: the timestamps and the network's reduced result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import wgpu

from desktop.compute.chain.runner import ChainRunner, ChainSpec, StageStatus
from desktop.compute.chain.segment import EncodedChain, Shown
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.device_watch import DeviceWatch
from desktop.compute.gpu.readback import SLOT_BYTES, WAIT_SECONDS, Arrival, ReadbackRing
from desktop.compute.gpu.timing import MAX_SPANS, TIMESTAMP_BYTES, FrameTimer, Series
from desktop.compute.gpu.wgpu_native.messages import gpu_reason
from desktop.compute.mask_layer import DrawnMask
from desktop.compute.media.frame import Frame
from desktop.compute.media.upload import Uploader
from desktop.compute.present import Exporter, LaidOver, PendingPicture, Presenter, View
from desktop.compute.running.analysis import Analysis, AnalysisFrame, AnalysisSlot
from desktop.compute.running.picture import Picture
from desktop.compute.statistics import PipelineStats, Statistics
from desktop.compute.tracking.scene import Scene, Sighting
from desktop.errors import DeviceLostError, GpuError
from desktop.wording import sentence

if TYPE_CHECKING:
    from desktop.compute.filters.judge import FilterJudge
    from desktop.compute.gpu.readback import Slot
    from desktop.compute.models.open_models import OpenModels
    from desktop.compute.running.strategy import Turn
    from desktop.compute.tasks.task import Result

RESULT_BYTES: Final = SLOT_BYTES - TIMESTAMP_BYTES


@dataclass(frozen=True)
class _Recorded:
    """What a frame does for networks, for the analysis and for stages by the names of their spans; and whether it shows a new picture."""

    analysis: AnalysisFrame | None
    turns: Mapping[str, Turn]
    is_new: bool

    def submitted(self) -> int:
        """The frame was submitted. Return the bytes that it reads back for networks."""
        count = sum(turn.submitted() for turn in self.turns.values())
        if self.analysis is not None:
            count += self.analysis.turn.submitted() + self.analysis.result_bytes
        return count


@dataclass(frozen=True)
class _Note:
    """What a frame in flight leaves for its own arrival."""

    captured_at: float
    names: tuple[str, ...]
    cpu_ms: tuple[float, ...]
    recorded: _Recorded
    follows: bool


class Pipeline:
    """Runs frames on one `Gpu`. For one thread, the one that renders.

    Attributes:
        gpu: the device.
        view: how the picture lies on the target.
        chain: the stages.
        statistics: what the frames took.
        analyses: the place of the network that looks at the pictures.
        network_budget_ms: GPU time that the network may take of one frame, so that a slow one never slows the picture: half of the time
            between two pictures, smoothed. None, as in batch work, for a whole
            inference with each picture.

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
        scene: Scene | None = None,
        on_sighting: Callable[[Sighting], None] = lambda _: None,
    ) -> None:
        """Make a pipeline.

        Args:
            gpu: the device.
            library: the filters that chains may name.
            wait: batch work: compile before the frame, wait for a free slot instead of skipping the frame.
            in_flight: frames submitted and not yet finished, at most.
            judge, models: see `ChainRunner`.
            scene: sees the network's results; one that makes nothing of them by default.
            on_sighting: gets what it sees of each, in their order.
        """
        self.gpu = gpu
        self._wait = wait
        self._uploader = Uploader(gpu)
        self.chain = ChainRunner(gpu, library, wait=wait, judge=judge, models=models)
        self._timer = FrameTimer(gpu)
        self.statistics = Statistics(on_gpu=self._timer.on_gpu)
        self.analyses = AnalysisSlot(
            self.statistics.analyzed, self.statistics.forget_analysis, scene or Scene(), on_sighting
        )
        self._watch = DeviceWatch(gpu)
        self._ring = ReadbackRing(gpu, in_flight, is_lost=self._watch.is_lost)
        self._presenter: Presenter | None = None
        self._exporter: Exporter | None = None
        self.network_budget_ms: float | None = None
        self._picture: Picture | None = None  # uploaded last
        self._shown: Shown | None = None
        self._overlay: tuple[np.ndarray | None] | None = None
        self._masks: tuple[DrawnMask, ...] = ()
        self.view = View()

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
        self.statistics.keep_stages({stage.id for stage in spec.stages})

    def set_analysis(self, analysis: Analysis | None) -> None:
        """Use another network, or none; the old one is closed once the frames in flight, which may use it, have finished."""
        self.analyses.put(analysis, self._ring.submitted_frames)

    def set_overlay(self, image: np.ndarray | None) -> None:
        """Show an image above the picture; see `Presenter.set_overlay`."""
        self._overlay = (image,)

    def set_masks(self, masks: Sequence[DrawnMask]) -> None:
        """Show masks over the chain's result, in the colors of their classes, the first uppermost; under the overlay."""
        self._masks = tuple(masks)

    # -- a frame -------------------------------------------------------------------------------------------------------

    @property
    def picture_size(self) -> tuple[int, int]:
        """Size of the current picture, (0, 0) before the first."""
        picture = self._picture
        return (picture.texture.width, picture.texture.height) if picture is not None else (0, 0)

    @property
    def shown_size(self) -> tuple[int, int]:
        """Size of the picture that is shown, the chain's result, as it is exported; (0, 0) before the first."""
        if self._shown is None:
            return (0, 0)
        texture = self._shown.picture.texture
        return (texture.width, texture.height)

    @property
    def has_picture(self) -> bool:
        """True once a frame was uploaded."""
        return self._picture is not None

    @property
    def wants_frames(self) -> bool:
        """True while a repaint without a new picture would get on with something: a filter compiled meanwhile, a network's slices.

        Never before the first picture: nothing would get on, and who asks would draw without end.
        """
        return self.has_picture and (
            self.chain.is_compiling or self.chain.is_dirty or self.analyses.wants_frames
        )

    @property
    def is_busy(self) -> bool:
        """True while the GPU holds as many frames as it may."""
        return self._ring.is_full

    def render(self, frame: Frame | None, target: wgpu.GPUTexture | None = None) -> bool:
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
            if frame is not None:
                self.statistics.skipped()
            return False
        try:
            self._render(frame, target, slot)
        except BaseException as error:
            self._ring.give_back(slot)
            self._shown = None  # it may be half drawn, or its texture gone
            if isinstance(error, wgpu.GPUError):
                raise self._explained(error) from error
            raise
        return True

    def _render(self, frame: Frame | None, target: wgpu.GPUTexture | None, slot: Slot) -> None:
        begun = time.perf_counter()
        if frame is not None:
            self._upload(frame)
            self.statistics.uploaded((time.perf_counter() - begun) * 1e3)
        try:
            recorded = self._submit(frame is not None, target, slot)
        except wgpu.GPUError as error:
            if self._watch.is_loss(error):
                raise
            recorded = self._submit_without_culprit(error, frame is not None, target, slot)
        stamps = min(len(self._timer.names), MAX_SPANS) * 16 * self._timer.on_gpu
        self.statistics.read_back(stamps + recorded.submitted())
        follows = self.statistics.submitted((time.perf_counter() - begun) * 1e3, is_new=recorded.is_new)
        note = _Note(
            captured_at=self._shown.picture.captured_at if self._shown is not None else 0.0,
            names=tuple(self._timer.names),
            cpu_ms=tuple(self._timer.cpu_ms),
            recorded=recorded,
            follows=follows,
        )
        result = recorded.analysis.result_bytes if recorded.analysis is not None else 0
        self._ring.submitted(slot, note, TIMESTAMP_BYTES + result if result else stamps)

    def _upload(self, frame: Frame) -> None:
        self._uploader.upload(frame)
        before = self._picture.captured_at if self._picture is not None else 0.0
        texture = self._uploader.texture
        self._picture = Picture(texture, texture, frame.pts, frame.captured_at)
        self._set_budget(frame.captured_at - before)

    def _set_budget(self, interval: float) -> None:
        # Half of the time between two pictures is the network's; the rest is for the chain, the present pass and jitter. A pause (over
        # half a second) says nothing about the rate.
        if self._wait or not 0.0 < interval < 0.5:
            return
        share = max(1.0, interval * 1e3 * 0.5)
        budget = self.network_budget_ms
        self.network_budget_ms = share if budget is None else budget + 0.1 * (share - budget)

    def _submit(self, is_new: bool, target: wgpu.GPUTexture | None, slot: Slot) -> _Recorded:
        self._timer.begin_frame()
        encoder = self.gpu.device.create_command_encoder()
        analysis: AnalysisFrame | None = None
        turns: Mapping[str, Turn] = {}
        shows_new = False
        if self._picture is not None:
            encoded = self._encode_picture(encoder, self._picture, is_new)
            if encoded is not None:
                encoder, turns, shows_new = encoded.encoder, encoded.turns, encoded.shown.is_new
            analysis = self._encode_analysis(encoder, shows_new, slot)
        if target is not None:
            self._present(encoder, target)
        self._timer.resolve(encoder, slot.buffer)
        self.gpu.queue.submit([encoder.finish()])
        return _Recorded(analysis, turns, shows_new)

    def _submit_without_culprit(
        self, error: wgpu.GPUError, is_new: bool, target: wgpu.GPUTexture | None, slot: Slot
    ) -> _Recorded:
        # The frame was refused as a whole: find the stage that is to blame, or else the network, and go on without it.
        self._shown = None
        if self._picture is not None and self.chain.isolate(self._picture.texture):
            return self._submit(is_new, target, slot)
        if self.analyses.current is None:
            raise error
        with self.analyses.emptied():
            recorded = self._submit(is_new, target, slot)
        self.analyses.drop(
            sentence(
                "The network was switched off, because the GPU refused it: {reason}; choose another network or backend.",
                reason=gpu_reason(error),
            ),
            self._ring.submitted_frames,
        )
        return recorded

    def _encode_picture(
        self, encoder: wgpu.GPUCommandEncoder, picture: Picture, is_new: bool
    ) -> EncodedChain | None:
        """Record what makes the picture that is shown; None where that stands."""
        timer = self._timer
        if is_new:
            compute_pass = encoder.begin_compute_pass(**timer.begin("color"))
            self._uploader.encode(compute_pass)
            compute_pass.end()
            timer.end()
        # A repaint (overlay, zoom) without a new picture or an edit needs no second run of the chain, and temporal
        # filters must not see one.
        if not (is_new or self._shown is None or self.chain.is_dirty):
            return None
        self.chain.network_budget_ms = self.network_budget_ms
        encoded = self.chain.encode(encoder, picture, timer, is_new=is_new)
        self._shown = encoded.shown
        return encoded

    def _encode_analysis(
        self, encoder: wgpu.GPUCommandEncoder, is_new: bool, slot: Slot
    ) -> AnalysisFrame | None:
        assert self._shown is not None
        picture = self._shown.picture
        return self.analyses.encode(
            encoder,
            picture.texture if self.analyses.on_result else picture.original,
            picture.pts,
            self._timer,
            slot.buffer,
            TIMESTAMP_BYTES,
            is_new=is_new,
            budget_ms=self.network_budget_ms,
        )

    def _present(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUTexture) -> None:
        fmt = str(target.format)
        if self._presenter is None or self._presenter.target_format != fmt:
            if self._presenter is not None:
                self._presenter.close()
            self._presenter = Presenter(self.gpu, fmt)
        if self._overlay is not None:
            self._presenter.set_overlay(self._overlay[0])
            self._overlay = None
        span = self._timer.begin("present")
        if self._shown is not None:
            shown = self._shown.picture
            size = (shown.original.width, shown.original.height)
            self._presenter.encode(
                encoder, target, shown.texture, shown.original, size, self.view, self._masks, **span
            )
        else:
            self._presenter.encode_empty(encoder, target, self.view, **span)
        self._timer.end()

    # -- what comes back -----------------------------------------------------------------------------------------------

    def poll(self) -> bool:
        """Take in what has come back; True if anything has. Never blocks."""
        arrivals = self._ring.arrivals()
        for arrival in arrivals:
            self._take_in(arrival)
        self.analyses.poll(self._ring.submitted_frames, self._ring.finished_frames)
        return bool(arrivals)

    def _take_in(self, arrival: Arrival) -> None:
        note: _Note = arrival.note
        recorded = note.recorded
        if recorded.is_new:
            self.statistics.finished(arrival.finished_at, note.captured_at, follows=note.follows)
        gpu = (
            self._timer.decode(note.names, memoryview(arrival.data))
            if arrival.data
            else [None] * len(note.names)
        )
        for name, gpu_ms, cpu_ms in zip(note.names, gpu, note.cpu_ms, strict=True):
            self.statistics.timed(name, gpu_ms, cpu_ms)
            if gpu_ms is None:
                continue
            if recorded.analysis is not None and name == recorded.analysis.turn.span:
                self.analyses.measured(recorded.analysis, gpu_ms)
            if name in recorded.turns:
                recorded.turns[name].measured(gpu_ms)
        if recorded.analysis is not None:
            result = arrival.data[TIMESTAMP_BYTES : TIMESTAMP_BYTES + recorded.analysis.result_bytes]
            self.analyses.take_in(recorded.analysis, result)

    def drain(self, timeout: float = WAIT_SECONDS) -> bool:
        """Wait for everything in flight and take it in; False if that takes longer than `timeout` seconds."""
        done = self._ring.drain(timeout)
        self.poll()
        return done

    def await_analysis(self, timeout: float = WAIT_SECONDS) -> None:
        """Wait for a network that computes beside the pictures and still has one (batch work: the last picture counts too)."""
        end = time.perf_counter() + timeout
        while (
            (analysis := self.analyses.current) is not None and analysis.pending and time.perf_counter() < end
        ):
            self.poll()
            time.sleep(0.0005)

    @property
    def stats(self) -> PipelineStats:
        """What was measured lately."""
        # By what is in use, not by what the last frame ran: a network sits pictures out, a repaint uploads nothing.
        network = ("network",) if self.analyses.current is not None else ()
        names = ("upload", "color", *self.chain.spans, *network, "present")
        return self.statistics.summary(names, self._uploader.bytes_uploaded)

    @property
    def latest(self) -> Result | None:
        """The newest result of the network that looks at the pictures (a `Result` of tasks/); None to forget it."""
        return self.analyses.latest

    @latest.setter
    def latest(self, result: Result | None) -> None:
        self.analyses.latest = result

    @property
    def latency(self) -> Series:
        """Milliseconds from capture to the end of the last frames, for graphs."""
        return self.statistics.latency

    @property
    def frame_time(self) -> Series:
        """Milliseconds from picture to picture of the last frames, for graphs."""
        return self.statistics.frame_time

    @property
    def stage_statuses(self) -> tuple[StageStatus, ...]:
        """How each stage of the chain is doing."""
        return self.chain.statuses

    # -- exports -------------------------------------------------------------------------------------------------------

    def export(self, over: LaidOver | None = None) -> PendingPicture | None:
        """Begin to read the chain's current result, full resolution, unmirrored; None before the first frame.

        Args:
            over: what lies over it in the file; None for nothing.

        Raises:
            GpuError: the GPU refuses it, for want of memory; DeviceLostError: it is gone.
        """
        if self._shown is None:
            return None
        try:
            if self._exporter is None:
                self._exporter = Exporter(self.gpu)
            return self._exporter.begin(self._shown.picture.texture, over or LaidOver())
        except wgpu.GPUError as error:
            raise self._explained(error) from error

    # -- the device ----------------------------------------------------------------------------------------------------

    def check_device(self) -> None:
        """Raise DeviceLostError if the device is known to be gone."""
        if self._watch.is_lost() or self._ring.failed is not None:
            raise self._watch.error()

    def _explained(self, error: wgpu.GPUError) -> GpuError:
        if self._watch.is_loss(error):
            return self._watch.error()
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

    def close(self) -> None:
        """Release everything but the `Gpu`."""
        if self._watch.is_lost():
            self._ring.failed = self._ring.failed or "device lost"
        self._ring.drain(2.0)
        self._shown = None
        self._watch.close()
        self._ring.close()
        self.analyses.close()
        self.chain.close()
        for part in (self._presenter, self._exporter, self._timer, self._uploader):
            if part is not None:
                part.close()
