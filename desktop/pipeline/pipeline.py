"""GPU work of a frame: upload, color, redaction, chain, network, present; one encoder and submit, or two where
an idle GPU begins while the network is recorded.

Redaction precedes the chain, so that filters and outputs get the redacted frame, and only the network the
original. After the chain, a mirrored or swirled face is not where it was detected. In batch work that takes
two submits, since the frame waits for its own result. Only a slot of at most 4 KiB is read back.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np
import wgpu

from desktop.base.errors import DeviceLostError, GpuError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.device_watch import DeviceWatch
from desktop.compute.gpu.readback import WAIT_SECONDS, Arrival, ReadbackRing
from desktop.compute.gpu.recording import Ticket
from desktop.compute.gpu.timing import MAX_SPANS, TIMESTAMP_BYTES, FrameTimer
from desktop.compute.gpu.webgpu import gpu_reason
from desktop.media.frame import Frame
from desktop.pipeline.automation.controls import ControlValues
from desktop.pipeline.automation.source import Moment
from desktop.pipeline.chain.runner import ChainRunner
from desktop.pipeline.chain.segment import EncodedChain, Shown, Tap
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.compositor import Compositor
from desktop.pipeline.layers.kind import LayerMoment, LayerTools
from desktop.pipeline.layers.spec import Layers
from desktop.pipeline.layers.texts import PaintText, TextMoment
from desktop.pipeline.masks.sources import MaskScene
from desktop.pipeline.network_share import NetworkShare
from desktop.pipeline.picture.color_mode import ColorMode
from desktop.pipeline.picture.present import Exporter, LaidOver, PendingPicture, Presenter, View
from desktop.pipeline.picture.redaction import RedactionRenderer
from desktop.pipeline.picture.upload import WORKING_FORMAT, Uploader
from desktop.pipeline.previews.renderer import PreviewFrame, PreviewRenderer
from desktop.pipeline.running.analysis import Analysis, AnalysisFrame, AnalysisSlot
from desktop.pipeline.running.inputs.picture import Picture
from desktop.pipeline.scopes.values import MagnifiedPixels, PickedColor, ScopesSpec, ScopeValues
from desktop.pipeline.scopes.watch import ScopeWatch
from desktop.pipeline.statistics import PipelineStats, Statistics
from desktop.vision.tasks.shapes import Mask
from desktop.vision.tracking.anonymize import AnonymizeSpec, hides_others
from desktop.vision.tracking.hidden_area import HiddenArea
from desktop.vision.tracking.scene import Scene, TrackedResult

if TYPE_CHECKING:
    from desktop.compute.gpu.readback import Slot
    from desktop.media.audio.curves import AudioCurves
    from desktop.pipeline.filters.verifier import FilterVerifier
    from desktop.pipeline.running.network_spec import NetworkSpec
    from desktop.pipeline.running.one.strategy import NetworkTurn
    from desktop.vision.models.open_models import OpenModels
    from desktop.vision.tasks.task import Result
    from desktop.vision.tracking.counts import Counts


@dataclass(frozen=True)
class SourceFacts:
    """Name and frame rate of a source (0.0 if it has none), for the variables of texts."""

    name: str = ""
    rate: float = 0.0


RecordMore = Callable[["wgpu.GPUCommandEncoder"], None]
"""Records into the commands of a frame."""

# Seconds from frame to frame of a source that plays; slides, and a frame alone, stay longer.
_PLAYING: Final = 0.5
# How long a frame is shown before it counts as still.
_REST_S: Final = 0.25


@dataclass(frozen=True)
class _Recorded:
    """A frame's work for networks (the analysis, and stages by span name); whether the frame is new."""

    analysis: AnalysisFrame | None
    turns: Mapping[str, NetworkTurn]
    is_new: bool
    ticket: Ticket

    def submitted(self) -> int:
        """The frame was submitted. Return the bytes that it reads back for networks."""
        count = sum(turn.submitted() for turn in self.turns.values())
        if self.analysis is not None:
            count += self.analysis.turn.submitted() + self.analysis.result_bytes
        return count


@dataclass(frozen=True)
class _Work:
    """Work of a frame: `is_new` if not yet shown, `looked` if a separate submit has already analyzed it."""

    is_new: bool
    looked: bool
    target: wgpu.GPUTexture | None
    slot: Slot
    after: RecordMore | None = None


@dataclass(frozen=True)
class _Note:
    """Data of a frame in flight, used when it has finished."""

    captured_at: float
    names: tuple[str, ...]
    cpu_ms: tuple[float, ...]
    recorded: _Recorded
    follows: bool


def _may_poll(gpu: Gpu) -> bool:
    """Return True if this thread may poll for results without a pause.

    A software adapter needs the cores to compute them, and a window's thread needs the interpreter's lock.
    """
    return not gpu.adapter.is_software and threading.current_thread() is threading.main_thread()


class Pipeline:
    """Renders frames on one `Gpu`. For the rendering thread only.

    Attributes:
        audio: curves of the source's audio, for automations; None while there are none.
        hidden: the redacted areas of the frame shown; None without redaction.
        network_budget_ms: GPU time per frame for each network (`NetworkShare`); None: complete inferences.
        facts: of the source, for texts of layers.
        sharers: pipelines on the device; if several, each has one frame in flight and a share of the time.
        on_progress: called when a frame has finished, on another thread unless this one waits for each; must only
            wake the rendering thread.
    """

    def __init__(
        self,
        gpu: Gpu,
        library: FilterLibrary,
        *,
        wait: bool = False,
        in_flight: int = 2,
        verifier: FilterVerifier | None = None,
        models: OpenModels | None = None,
        scene: Scene | None = None,
        on_tracked_result: Callable[[TrackedResult], None] = lambda _: None,
        controls: ControlValues | None = None,
        dither: bool = True,
        adapts_budget: bool = True,
        paint_text: PaintText | None = None,
        continues_without_server: bool = False,
    ) -> None:
        """Make a pipeline; `wait` (batch work) compiles before the frame and waits for a free slot instead of
        skipping; with `continues_without_server` it goes on while the network's server is away. At most `in_flight`
        frames are unfinished; exports are rounded without `dither`; `adapts_budget` adapts `network_budget_ms`
        to the time between frames; without `paint_text`, layers have no texts.
        """
        self.gpu = gpu
        self._dithers = dither
        self._color_mode = ColorMode()
        self._wait = wait
        self._adapts_budget = adapts_budget and not wait
        self._uploader = Uploader(gpu)
        self.chain = ChainRunner(gpu, library, wait=wait, verifier=verifier, models=models)
        self.layers = Compositor(gpu, library, wait=wait, verifier=verifier, models=models)
        self.layers.tools = LayerTools(wait, self._notify_progress, paint_text)
        self.facts = SourceFacts()
        self._frame_index = 0
        self._timer = FrameTimer(gpu)
        self.statistics = Statistics(on_gpu=self._timer.on_gpu)
        scene = scene or Scene()
        self.analyses = AnalysisSlot(
            self.statistics.analyzed,
            self.statistics.clear_analysis,
            scene,
            on_tracked_result,
            needs_each=wait,
            continues_without_server=continues_without_server,
        )
        self.analyses.on_failure = self.statistics.network_failed
        self._scene = scene
        self._redaction = scene.redaction
        self.hidden: tuple[HiddenArea, ...] | None = None
        self._hidden_by: AnonymizeSpec | None = None  # of the frame that is shown
        self._renderer: RedactionRenderer | None = None  # created with the first redacted area
        self._redaction_version = scene.redaction.version  # as of the frame that is shown
        self.audio: AudioCurves | None = None
        self.controls = controls or ControlValues()
        self._results_seen = self._controls_seen = 0  # as of the frame that is shown
        self._audio_seen: AudioCurves | None = None
        self._watch = DeviceWatch(gpu)
        # A frame each whose turn has not ended; batch work waits for the GPU in any case, and takes none.
        self._turns: deque[None] = deque()
        self._ring = ReadbackRing(
            gpu,
            in_flight,
            is_lost=self._watch.is_lost,
            on_finished=self._end_turn,
            is_direct=wait and in_flight == 1 and _may_poll(gpu),
        )
        self._presenter: Presenter | None = None
        self._second: Presenter | None = None  # of `draw_shown`
        self._exporter: Exporter | None = None
        self._scopes: ScopeWatch | None = None  # made with the first request
        self.network_budget_ms: float | None = None
        self._share = NetworkShare()
        self.sharers = 1
        self._picture: Picture | None = None  # uploaded last
        # When, and how long after the one before, in seconds.
        self._uploaded_at, self._interval = 0.0, math.inf
        self._shown: Shown | None = None
        self._of_chain: Picture | None = None  # what is shown, without layers
        self._versions = 0  # of the frame before the chain: another one, or other areas hidden
        self._overlay: tuple[np.ndarray | None] | None = None
        self._masks: tuple[Mask, ...] = ()
        self.view = View()

    # -- settings --------------------------------------------------------------------------------------------

    @property
    def on_progress(self) -> Callable[[], None] | None:
        """See `Pipeline`."""
        return self._ring.on_arrival

    @on_progress.setter
    def on_progress(self, callback: Callable[[], None] | None) -> None:
        self._ring.on_arrival = callback
        self.chain.wake = callback
        if self._scopes is not None:
            self._scopes.set_listener(callback)

    def set_chain(self, spec: ChainSpec) -> None:
        """Apply a chain; see `ChainRunner.set_spec`."""
        self.chain.set_spec(spec)
        self.statistics.retain_stages({stage.id for stage in spec.stages})

    def set_layers(self, layers: Layers) -> None:
        """Apply layers; see `Compositor.set_layers`."""
        self.layers.set_layers(layers)
        self.statistics.retain_layers({layer.id for layer in layers.specs})

    def begin_fade(self, seconds: float) -> None:
        """Fade from the image shown to what the settings made from now on show."""
        leaving = self._leaving
        if leaving is not None and seconds > 0.0:
            self.layers.fade_from(leaving.texture, seconds)

    def _notify_progress(self) -> None:
        """Wake the rendering thread; on any thread."""
        if self.on_progress is not None:
            self.on_progress()

    def set_analysis(self, analysis: Analysis | None) -> None:
        """Use another network, or none; close the old one once the frames in flight have finished."""
        self.analyses.put(analysis, self._ring.submitted_frames)

    def exchange_analysis(self, spec: NetworkSpec) -> bool:
        """Use the network that was set aside; see `AnalysisSlot.exchange`."""
        return self.analyses.exchange(spec, self._ring.submitted_frames)

    def close_aside(self) -> bool:
        """Close the network that was set aside; return False if there is none."""
        return self.analyses.close_aside(self._ring.submitted_frames)

    def clear(self) -> None:
        """Show no frame until the next one arrives."""
        self._picture = self._shown = self._of_chain = None
        self.void_scopes()

    def set_overlay(self, image: np.ndarray | None) -> None:
        """Show an image above the frame; see `Presenter.set_overlay`."""
        self._overlay = (image,)

    def set_masks(self, masks: Sequence[Mask]) -> None:
        """Show masks in their classes' colors between result and overlay, the first uppermost."""
        self._masks = tuple(masks)

    # -- scopes ----------------------------------------------------------------------------------------------

    def watch_scopes(self, spec: ScopesSpec) -> None:
        """Compute scopes of the frames to come and of the one shown; an empty spec ends that."""
        if self._scopes is None:
            if spec == ScopesSpec():
                return
            self._scopes = ScopeWatch(self.gpu, self._watch.is_lost)
            self._scopes.set_listener(self.on_progress)
        before = self._scopes.spec
        self._scopes.use(spec)
        if spec.stage is not None and (before.stage, before.kinds) != (spec.stage, spec.kinds):
            # The textures within the chain are not kept.
            self.chain.invalidate()
        if spec.magnified_stage not in (None, before.magnified_stage):
            self.chain.invalidate()

    def void_scopes(self) -> None:
        """Drop the scopes' values, also those in flight."""
        if self._scopes is not None:
            self._scopes.void()

    @property
    def scopes(self) -> ScopeValues | None:
        """The newest requested scopes; None before the first."""
        return self._scopes.values if self._scopes is not None else None

    @property
    def picked(self) -> PickedColor | None:
        """The newest colors at the requested position; None before the first."""
        return self._scopes.picked if self._scopes is not None else None

    @property
    def magnified(self) -> MagnifiedPixels | None:
        """The newest magnified pixels; None before the first."""
        return self._scopes.magnified if self._scopes is not None else None

    @property
    def _lacks_scopes(self) -> bool:
        return self._scopes is not None and self._scopes.wants_frames and self._rests

    def _encode_scopes(self, encoder: wgpu.GPUCommandEncoder, *, changed: bool) -> None:
        leaving = self._leaving
        if self._scopes is not None and leaving is not None:
            self._scopes.encode(
                encoder, leaving.original, leaving.texture, self._timer, changed=changed, rests=self._rests
            )

    @property
    def _taps(self) -> tuple[Tap, ...]:
        scopes = self._scopes
        if scopes is None:
            return ()
        found: list[Tap] = []
        if scopes.spec.stage is not None:
            found.append(
                Tap(
                    scopes.spec.stage,
                    lambda encoder, texture: scopes.count_stage(encoder, texture, self._timer),
                )
            )
        if scopes.spec.magnified_stage is not None:
            found.append(Tap(scopes.spec.magnified_stage, scopes.store_stage))
        return tuple(found)

    # -- a frame ---------------------------------------------------------------------------------------------

    @property
    def picture_size(self) -> tuple[int, int]:
        """Size of the current frame, (0, 0) before the first."""
        picture = self._picture
        return (picture.texture.width, picture.texture.height) if picture is not None else (0, 0)

    @property
    def shown_size(self) -> tuple[int, int]:
        """Size of the frame that is shown, the chain's result, as it is exported; (0, 0) before the first."""
        if self._shown is None:
            return (0, 0)
        texture = self._shown.picture.texture
        return (texture.width, texture.height)

    @property
    def shown_pts(self) -> float:
        """Presentation time of the frame that is shown, in seconds; 0 before the first."""
        return self._shown.picture.pts if self._shown is not None else 0.0

    @property
    def has_picture(self) -> bool:
        """True once a frame was uploaded."""
        return self._picture is not None

    @property
    def wants_frames(self) -> bool:
        """True while a repaint makes progress (new filter, network slices); False before the first frame."""
        return self.has_picture and (
            self.chain.wants_frames
            or self.analyses.wants_frames
            or self._has_newer_areas
            or self._is_behind
            or self._lacks_scopes
            or self._has_newer_layers
        )

    @property
    def _rests(self) -> bool:
        """True if the frame shown is not about to be replaced: paused, ended, a still image."""
        interval = self._interval if self._interval < _PLAYING else 0.0
        return not self._wait and time.perf_counter() - self._uploaded_at > max(2.0 * interval, _REST_S)

    @property
    def _is_behind(self) -> bool:
        """True if the frame shown stays, and the network has not analyzed it."""
        return self._shown is not None and self._rests and self.analyses.lacks(self._shown.picture.pts)

    @property
    def _shows_result(self) -> bool:
        """True if the newest result may be drawn: in playback an earlier frame's, but never from before a
        seek (`AnalysisSlot.void`); on a still image only its own.
        """
        shown = self._shown
        return shown is None or not self._rests or self.analyses.is_of(shown.picture.pts)

    @property
    def result(self) -> Result | None:
        """The newest result, if it applies to the frame shown."""
        return self.analyses.latest if self._shows_result else None

    @property
    def tracked_result(self) -> TrackedResult | None:
        """The scene's output for the newest result, if that applies to the frame shown."""
        return self.analyses.tracked_result if self._shows_result else None

    @property
    def counts(self) -> tuple[Counts, ...]:
        """The last counts of the zones; a seek and a new round of a loop leave them."""
        return self.analyses.counts

    @property
    def is_busy(self) -> bool:
        """True while the GPU holds as many frames as it may, or a software adapter something else."""
        if self._ring.is_full or (self._takes_one and self._ring.in_flight > 0):
            return True
        return not self._wait and not self.gpu.turns.is_free()

    @property
    def _takes_one(self) -> bool:
        """True if a frame waits for the one before: it shares the device, or could only be submitted then."""
        return self.sharers > 1 or (self.gpu.turns.are_needed and not self._wait)

    @property
    def in_flight(self) -> int:
        """Frames submitted and not yet finished."""
        return self._ring.in_flight

    def render(
        self,
        frame: Frame | None,
        target: wgpu.GPUTexture | None = None,
        after: RecordMore | None = None,
    ) -> bool:
        """Upload a new frame (or reuse the last), run all, draw into `target`; False if the GPU was busy.

        `after` records what follows the drawing.

        Raises:
            DeviceLostError: the device is lost; make another pipeline.
            GpuError: the GPU rejects the frame, and neither a stage nor the network causes that.
            SourceUnsupportedError: the frame is larger than this GPU supports.
        """
        self.poll()
        self.check_device()
        if frame is None or not self._must_analyze_first:
            return self._in_slot(
                lambda slot: self._render(frame, target, slot, after=after), is_new=frame is not None
            )
        with self.analyses.telling_later():
            self._in_slot(lambda slot: self._analyze(frame, slot), is_new=True)
            self.drain()
            self.await_analysis()
            return self._in_slot(
                lambda slot: self._render(frame, target, slot, looked=True, after=after), is_new=True
            )

    @property
    def _must_analyze_first(self) -> bool:
        """True if a frame waits for the areas to redact, or for the objects of its masks."""
        needs_results = self._redaction.spec is not None or self._needs_results or self.layers.needs_results
        return self._wait and needs_results and self.analyses.current is not None

    def _in_slot(self, draw: Callable[[Slot], None], *, is_new: bool) -> bool:
        slot = self._take_slot()
        if slot is None:
            if self._wait:
                self.check_device()
                raise DeviceLostError(
                    sentence(
                        "The GPU has not answered for {wait_seconds:.0f} s; it or its driver has stopped.",
                        wait_seconds=WAIT_SECONDS,
                    )
                )
            if is_new:
                self.statistics.skipped()
            return False
        try:
            draw(slot)
        except BaseException as error:
            self._give_back(slot)
            self._shown = None  # it may be half drawn, or its texture destroyed
            if isinstance(error, wgpu.GPUError):
                raise self._explained(error) from error
            raise
        return True

    def _take_slot(self) -> Slot | None:
        turns = self.gpu.turns
        if not self._wait and turns.are_needed and self._ring.in_flight > 0:
            return None
        slot = self._ring.take(wait=self._wait)
        if slot is not None and not self._wait:
            if not turns.begin_frame():
                self._ring.give_back(slot)
                return None
            self._turns.append(None)
        return slot

    def _end_turn(self) -> None:
        """End a frame's turn, if it has taken one; on any thread."""
        if self._turns:
            self._turns.pop()
            self.gpu.turns.end_frame()

    def _give_back(self, slot: Slot) -> None:
        self._ring.give_back(slot)
        self._end_turn()

    def _analyze(self, frame: Frame, slot: Slot) -> None:
        """Have the network analyze a frame, without rendering it yet."""
        begun = time.perf_counter()
        self._upload(frame)
        self.statistics.uploaded((time.perf_counter() - begun) * 1e3)
        assert self._picture is not None
        self._timer.begin_frame()
        encoder = self.gpu.command_encoder()
        self._encode_color(encoder)
        analysis = self._encode_analysis(encoder, self._picture, slot, is_new=True)
        self._timer.resolve(encoder, slot.buffer)
        ticket = self.gpu.submit(encoder.finish())
        recorded = _Recorded(analysis, {}, is_new=False, ticket=ticket)
        note = _Note(
            self._picture.captured_at,
            tuple(self._timer.names),
            tuple(self._timer.cpu_ms),
            recorded,
            follows=False,
        )
        read_back = recorded.submitted()
        stamps = min(len(self._timer.names), MAX_SPANS) * 16 * self._timer.on_gpu
        self.statistics.read_back(stamps + read_back)
        used = (
            TIMESTAMP_BYTES + analysis.result_bytes
            if analysis is not None and analysis.result_bytes
            else stamps
        )
        self._ring.submitted(slot, note, used, ticket)

    def _render(
        self,
        frame: Frame | None,
        target: wgpu.GPUTexture | None,
        slot: Slot,
        *,
        looked: bool = False,
        after: RecordMore | None = None,
    ) -> None:
        begun = time.perf_counter()
        if frame is not None and not looked:
            self._upload(frame)
            self.statistics.uploaded((time.perf_counter() - begun) * 1e3)
        work = _Work(frame is not None, looked, target, slot, after)
        try:
            recorded = self._submit(work)
        except wgpu.GPUError as error:
            if self._watch.is_loss(error):
                raise
            recorded = self._submit_without_culprit(error, work)
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
        used = TIMESTAMP_BYTES + result if result else stamps
        self._ring.submitted(slot, note, used, recorded.ticket)

    @property
    def deinterlaces(self) -> bool:
        """Whether interlaced frames are deinterlaced; the current one is not converted again."""
        return self._uploader.deinterlaces

    @deinterlaces.setter
    def deinterlaces(self, wanted: bool) -> None:
        self._uploader.deinterlaces = wanted

    @property
    def color_mode(self) -> ColorMode:
        """How frames to come are converted, and in what form they are exported."""
        return self._color_mode

    @color_mode.setter
    def color_mode(self, mode: ColorMode) -> None:
        self._color_mode = mode
        self._uploader.keeps_hdr = mode.keeps_hdr

    def _upload(self, frame: Frame) -> None:
        self._uploader.upload(frame)
        if not frame.follows:
            self.chain.reset()  # what is kept of one image of a slide show is not for the next
        self._scene.watch(frame)
        self._versions += 1
        self._frame_index = frame.index
        before = self._picture.captured_at if self._picture is not None else 0.0
        texture = self._uploader.texture
        self._picture = Picture(texture, texture, frame.pts, frame.captured_at)
        self._interval = frame.captured_at - before if before else math.inf
        self._uploaded_at = time.perf_counter()
        self._set_budget(self._interval)

    def _set_budget(self, interval: float) -> None:
        # A pause (over half a second) does not measure the rate.
        if not self._adapts_budget or not 0.0 < interval < _PLAYING:
            return
        share = self._share.of(interval * 1e3 / self.sharers)
        budget = self.network_budget_ms
        self.network_budget_ms = share if budget is None else budget + 0.1 * (share - budget)

    def _submit(self, work: _Work) -> _Recorded:
        self._timer.begin_frame()
        encoder = self.gpu.command_encoder()
        analysis: AnalysisFrame | None = None
        turns: Mapping[str, NetworkTurn] = {}
        shows_new = False
        if self._picture is not None:
            encoded = self._encode_picture(encoder, self._picture, work)
            if encoded is not None:
                encoder, turns, shows_new = encoded.encoder, encoded.turns, encoded.shown.is_new
            self._encode_scopes(encoder, changed=encoded is not None)
            if encoded is not None and not work.looked and self._submits_early:
                self.gpu.submit(encoder.finish())
                encoder = self.gpu.command_encoder()
            if not work.looked:
                analysis = self._encode_shown_analysis(encoder, work, shows_new)
        if work.target is not None:
            self._present(encoder, work.target)
        if work.after is not None:
            work.after(encoder)
        self._timer.resolve(encoder, work.slot.buffer)
        ticket = self.gpu.submit(encoder.finish())
        self.analyses.submitted()
        if self._scopes is not None:
            self._scopes.submitted(self._ring.submitted_frames + 1)
        return _Recorded(analysis, turns, shows_new, ticket)

    @property
    def _submits_early(self) -> bool:
        """True if what precedes the network is submitted before the network is recorded: an idle GPU would wait for it.

        H200, MobileNetV2 behind three filters, one frame at a time, from the frame to its result: 0.2 to 0.6 ms less.
        """
        is_idle = self._ring.in_flight == 0 and self.sharers == 1
        # With a software adapter a submission waits until the one before is executed.
        return is_idle and self.analyses.current is not None and not self.gpu.adapter.is_software

    def _submit_without_culprit(self, error: wgpu.GPUError, work: _Work) -> _Recorded:
        # The frame was rejected as a whole: find and disable the stage or else the network that caused it.
        self._shown = None
        if self._picture is not None and self.chain.isolate(self._picture.texture):
            return self._submit(work)
        if self.analyses.current is None:
            raise error
        with self.analyses.emptied():
            recorded = self._submit(work)
        self._drop_analysis(error)
        return recorded

    def _drop_analysis(self, error: wgpu.GPUError) -> None:
        self.analyses.drop(
            sentence(
                "The network was switched off, because the GPU refused it: {reason}; choose another "
                "network or backend.",
                reason=gpu_reason(error),
            ),
            self._ring.submitted_frames,
        )

    def _encode_color(self, encoder: wgpu.GPUCommandEncoder) -> None:
        self._uploader.encode(encoder, **self._timer.begin("color"))
        self._timer.end()

    def _encode_picture(
        self, encoder: wgpu.GPUCommandEncoder, picture: Picture, work: _Work
    ) -> EncodedChain | None:
        """Record the rendering of the frame to show; None if it is unchanged."""
        if work.is_new and not work.looked:
            self._encode_color(encoder)
        # A frame that stays is redacted again for its result or a setting; while playing, the next one is.
        if not work.is_new and self._has_newer_areas and self._is_settled:
            self.chain.invalidate()
        # A repaint without a new frame or an edit must not run the chain: temporal filters would see it.
        if not (work.is_new or self._shown is None or self.chain.is_dirty):
            return self._encode_layers_again(encoder)
        self.chain.network_budget_ms = self.network_budget_ms
        hidden = self._with_places_hidden(encoder, picture)
        self._results_seen = self.analyses.arrivals
        self._controls_seen, self._audio_seen = self.controls.version, self.audio
        encoded = self.chain.encode(
            encoder,
            hidden,
            self._timer,
            is_new=work.is_new,
            taps=self._taps,
            scene_at=self._mask_scene,
            moment_at=self._moment,
        )
        return self._with_layers(encoded)

    def _encode_layers_again(self, encoder: wgpu.GPUCommandEncoder) -> EncodedChain | None:
        """Record the layers over the last result of the chain; None if the image would be the same."""
        if self._of_chain is None or not self._has_newer_layers:
            return None
        return self._with_layers(EncodedChain(Shown(self._of_chain, False), encoder, {}))

    @property
    def _has_newer_layers(self) -> bool:
        picture = self._of_chain
        if picture is None or self.layers.is_idle:
            return False
        return self.layers.is_compiling or self.layers.is_dirty(self._layer_moment(picture))

    def _with_layers(self, encoded: EncodedChain) -> EncodedChain:
        """Record the layers over a result of the chain; return what is shown then."""
        picture = self._of_chain = encoded.shown.picture
        if self.layers.is_idle:
            self._shown = encoded.shown
            return encoded
        composed = self.layers.encode(
            encoded.encoder,
            picture.texture,
            self._layer_moment(picture),
            self._timer,
            is_new=encoded.shown.is_new,
        )
        self._shown = Shown(picture.as_in(composed.texture), encoded.shown.is_new)
        return EncodedChain(self._shown, composed.encoder, {**encoded.turns, **composed.turns})

    def _layer_moment(self, picture: Picture) -> LayerMoment:
        """Return what layers of a frame refer to."""
        size = (picture.texture.width, picture.texture.height)
        texts = TextMoment(
            picture.pts,
            self.facts.rate,
            self._frame_index,
            self.facts.name,
            self.analyses.tracked_result,
            self.analyses.counts,
            datetime.now(),
        )
        return LayerMoment(picture.pts, size, texts)

    @property
    def _has_newer_areas(self) -> bool:
        """True if other areas are to be hidden, or masks refer to newer results, than in the frame shown."""
        if self._redaction.version != self._redaction_version:
            return True
        if self._results_seen != self.analyses.arrivals and self._needs_results:
            return True
        has_newer_controls = self._controls_seen != self.controls.version
        has_newer_audio = self._audio_seen is not self.audio
        if not (has_newer_controls or has_newer_audio):
            return False
        needs = self.chain.needs
        return (has_newer_controls and "controls" in needs) or (has_newer_audio and "audio" in needs)

    @property
    def _needs_results(self) -> bool:
        return self.chain.needs_results or "results" in self.chain.needs

    def _moment(self, pts: float) -> Moment:
        """Return what automations of a frame can know."""
        return Moment(
            pts, self.audio, self.analyses.tracked_result, self._scene.last_events, self.controls.all()
        )

    def _mask_scene(self, pts: float) -> MaskScene:
        """Return what masks of a frame refer to."""
        return MaskScene(
            pts, self.analyses.tracked_result, self._scene.places, self._scene.spec.zones, self._wait
        )

    @property
    def _is_settled(self) -> bool:
        """True where the next frame is not to be expected in a moment."""
        is_still = self._wait or not self._interval < _PLAYING
        return is_still or time.perf_counter() - self._uploaded_at > 2.0 * self._interval

    def _with_places_hidden(self, encoder: wgpu.GPUCommandEncoder, picture: Picture) -> Picture:
        """Record the redaction; return the frame for everything but the network."""
        redaction = self._redaction
        self._versions += redaction.version != self._redaction_version
        self._redaction_version, self._hidden_by = redaction.version, redaction.spec
        if redaction.spec is None:
            self.hidden = None
            return picture
        if self._renderer is None:
            self._renderer = RedactionRenderer(self.gpu, WORKING_FORMAT)
        self.hidden = redaction.areas(picture.pts, exact=self._wait)
        texture = self._renderer.encode(
            encoder, picture.texture, self.hidden, redaction.spec.kind, redaction.spec.blocks
        )
        return Picture(texture, texture, picture.pts, picture.captured_at)

    def _encode_shown_analysis(
        self, encoder: wgpu.GPUCommandEncoder, work: _Work, shows_new: bool
    ) -> AnalysisFrame | None:
        assert self._shown is not None and self._picture is not None
        if not work.is_new and self._is_behind:
            self.analyses.catch_up(self._shown.picture.pts)
        # The network needs the original: the frame shown lacks what is redacted.
        if self._redaction.spec is not None:
            return self._encode_analysis(encoder, self._picture, work.slot, is_new=work.is_new)
        # Not what layers show: positions are those in the main image.
        picture = self._of_chain or self._shown.picture
        looked_at = picture if self.analyses.on_result else picture.as_in(picture.original)
        return self._encode_analysis(encoder, looked_at, work.slot, is_new=shows_new)

    def _encode_analysis(
        self, encoder: wgpu.GPUCommandEncoder, picture: Picture, slot: Slot, *, is_new: bool
    ) -> AnalysisFrame | None:
        return self.analyses.encode(
            encoder,
            picture.texture,
            picture.pts,
            self._timer,
            slot.buffer,
            TIMESTAMP_BYTES,
            gpu=self.gpu,
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
            size = (shown.texture.width, shown.texture.height)
            self._presenter.encode(
                encoder, target, shown.texture, shown.original, size, self.view, self._masks, **span
            )
        else:
            self._presenter.encode_empty(encoder, target, self.view, **span)
        self._timer.end()

    # -- readback --------------------------------------------------------------------------------------------

    def poll(self) -> bool:
        """Collect finished frames; return True if there were any. Never blocks."""
        arrivals = self._ring.arrivals()
        for arrival in arrivals:
            self._take_in(arrival)
        if self._scopes is not None:
            self._scopes.poll(self._ring.finished_frames)
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
        networks = set(recorded.turns)
        if recorded.analysis is not None:
            networks.add(recorded.analysis.turn.span)
        timed = {name: gpu_ms for name, gpu_ms in zip(note.names, gpu, strict=True) if gpu_ms is not None}
        if recorded.is_new and timed:
            self._share.took(
                sum(timed[name] for name in timed.keys() - networks), len(networks & timed.keys())
            )
            self.statistics.ran(sum(timed.values()))
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

    def await_slot(self, timeout: float = WAIT_SECONDS) -> None:
        """Wait until another frame can be rendered; `render` reports what kept it."""
        slot = self._ring.take(wait=True, timeout=timeout)
        if slot is not None:
            self._ring.give_back(slot)

    def drain(self, timeout: float = WAIT_SECONDS) -> bool:
        """Wait for everything in flight and take it in; False if that takes longer than `timeout` seconds."""
        done = self._ring.drain(timeout)
        self.poll()
        return done

    def await_analysis(self, timeout: float = WAIT_SECONDS) -> None:
        """Wait for a network beside the frames that still computes one (batch work counts the last frame)."""
        end = time.perf_counter() + timeout
        while self.analyses.is_awaited and time.perf_counter() < end:
            self.poll()
            time.sleep(0.0005)

    @property
    def stats(self) -> PipelineStats:
        """Recent measurements."""
        # Of the stages in use, not of the last frame's: a network skips frames, a repaint uploads none.
        network = ("network",) if self.analyses.current is not None else ()
        names = ("upload", "color", *self.chain.spans, *self.layers.spans, *network, "present")
        found = self.statistics.summary(names, self._uploader.bytes_uploaded)
        return replace(found, network_copies_ms=self.analyses.copies_ms)

    # -- a second target -------------------------------------------------------------------------------------

    def draw_shown(
        self, target: wgpu.GPUTexture, view: View, over: LaidOver, *, is_shown: bool = True
    ) -> None:
        """Draw the chain's current result into another target, in a separate submit without recomputing.

        Only the background is drawn if not `is_shown` or nothing may be exported (see `export`). `view` has
        no split; an image of `over` has the target's size. Raise GpuError or DeviceLostError.
        """
        self.check_device()
        try:
            if self._second is None or self._second.target_format != str(target.format):
                if self._second is not None:
                    self._second.close()
                self._second = Presenter(self.gpu, str(target.format))
            self._second.set_overlay(over.image)
            encoder = self.gpu.command_encoder()
            shown = self._leaving if is_shown else None
            if shown is None:
                self._second.set_overlay(None)
                self._second.encode_empty(encoder, target, view)
            else:
                size = (shown.texture.width, shown.texture.height)
                self._second.encode(encoder, target, shown.texture, shown.original, size, view, over.masks)
            self.gpu.queue.submit([encoder.finish()])
        except wgpu.GPUError as error:
            raise self._explained(error) from error

    @property
    def _leaving(self) -> Picture | None:
        """The frame shown, if it may be exported: not one that was rendered before redaction was enabled."""
        if self._shown is None or hides_others(self._hidden_by, self._redaction.spec):
            return None
        return self._shown.picture

    def render_previews(self, previews: PreviewRenderer) -> None:
        """Render requested previews of the frame shown, before the chain and after redaction.

        Nothing is rendered without a frame that may be exported (see `export`).

        Raises:
            DeviceLostError: the device is lost.
        """
        leaving = self._leaving
        if leaving is None:
            return
        self.check_device()
        is_still = self._rests or self._interval == math.inf
        identity = (id(self), self._versions, leaving.pts)
        interval_ms = None if is_still else self._interval * 1e3
        try:
            previews.render(PreviewFrame(leaving.original, identity, leaving.pts, interval_ms))
        except wgpu.GPUError as error:
            raise self._explained(error) from error

    # -- exports ---------------------------------------------------------------------------------------------

    def export(self, over: LaidOver | None = None) -> PendingPicture | None:
        """Begin to read back the chain's current result with the overlay `over`, unmirrored, in full size.

        Return None before the first frame, and before the first after redaction was enabled. Raise GpuError
        for lack of memory, or DeviceLostError.
        """
        leaving = self._leaving
        if leaving is None:
            return None
        try:
            if self._exporter is not None and self._exporter.mode != self._color_mode:
                self._exporter.close()
                self._exporter = None
            if self._exporter is None:
                self._exporter = Exporter(self.gpu, dither=self._dithers, mode=self._color_mode)
            return self._exporter.begin(leaving.texture, over or LaidOver())
        except wgpu.GPUError as error:
            raise self._explained(error) from error

    # -- the device ------------------------------------------------------------------------------------------

    def check_device(self) -> None:
        """Raise DeviceLostError if the device is known to be lost."""
        if self._watch.is_lost() or self._ring.failed is not None:
            raise self._watch.error()

    def _explained(self, error: wgpu.GPUError) -> GpuError:
        if self._watch.is_loss(error):
            return self._watch.error()
        width, height = self.picture_size
        if isinstance(error, wgpu.GPUOutOfMemoryError):
            return GpuError(
                sentence(
                    "The GPU has not enough memory for a frame of {width} x {height} pixels; choose a "
                    "smaller one.",
                    width=width,
                    height=height,
                )
            )
        return GpuError(sentence("The GPU refused to draw the frame: {reason}.", reason=gpu_reason(error)))

    def close(self) -> None:
        """Release everything but the `Gpu`."""
        is_lost = self._watch.is_lost()
        if is_lost:
            self._ring.failed = self._ring.failed or "device lost"
        self._ring.drain(2.0)
        self._shown = self._of_chain = None
        self._watch.close()
        self._ring.close()
        self.analyses.close()
        self.chain.close()
        self.layers.close()
        if self._scopes is not None:
            self._scopes.close(is_lost=is_lost)
        for part in (
            self._presenter,
            self._second,
            self._exporter,
            self._renderer,
            self._timer,
            self._uploader,
        ):
            if part is not None:
                part.close()
