"""The analysis network of a pipeline: its interface, and the slot that holds it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from desktop.base.errors import ModelAwayError, ModelError
from desktop.base.wording import joined
from desktop.compute.gpu.timing import FrameTimer
from desktop.vision.tracking.scene import Scene, TrackedResult

if TYPE_CHECKING:
    import wgpu

    from desktop.compute.gpu.device import Gpu
    from desktop.pipeline.running.inputs.input_view import InputWatch, ObservedInput, Viewable
    from desktop.pipeline.running.network_spec import NetworkSpec
    from desktop.vision.tasks.common.prompts import Prompts
    from desktop.vision.tasks.task import Features, Result, Size
    from desktop.vision.tracking.counts import Counts

log = logging.getLogger(__name__)


class Turn(Protocol):
    """Work of one frame for an `Analysis`: copy its result, be submitted, then report time and copy."""

    @property
    def span(self) -> str:
        """Name of its span in the frame's timer."""

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of a result that this frame completes; return its bytes, 0 for none."""

    def submitted(self) -> int:
        """Record that the frame was submitted. Return the bytes that it reads back beside the copy."""

    def measured(self, gpu_ms: float) -> None:
        """Record the GPU time of its span."""

    def result(self, data: bytes) -> Result | None:
        """Return the result in the bytes that `copy_result` copied; None if more of it must be computed."""


class Analysis(Protocol):
    """A network that analyzes frames and gives results (pipeline/running/one/live.py)."""

    budget_ms: float | None

    @property
    def features(self) -> Features:
        """Settings that it has."""

    @property
    def networks(self) -> tuple[Viewable, ...]:
        """The networks that read the frames: one, or two."""

    @property
    def description(self) -> str:
        """Backend, device, precision, and the reasons; for the user."""

    @property
    def pending(self) -> bool:
        """True while an inference in progress needs further calls of `encode`, even without a new frame."""

    @property
    def inference_ms(self) -> float | None:
        """Time of the last whole inference; None if unknown."""

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        texture: wgpu.GPUTexture,
        pts: float,
        timer: FrameTimer,
        *,
        is_new: bool,
    ) -> Turn | None:
        """Record the work, or a slice of it, on a working texture (rgba16float); return None without any."""

    def poll(self) -> Result | None:
        """Return, once, a result that did not come with a frame, or None.

        Raise ModelError, or ModelAwayError if the server did not respond and the request is repeated.
        """

    def adjust(self, spec: NetworkSpec) -> bool:
        """Apply another `NetworkSpec` without loading; return False if that is not possible."""

    def restart(self) -> None:
        """Forget the frames before: the next one is the first."""

    def close(self) -> None:
        """Release what it holds."""


@runtime_checkable
class Copying(Protocol):
    """A network that may be computed on another device than the frames'."""

    @property
    def copies_ms(self) -> float | None:
        """Time the last inference spent on copies between devices; None if it is not measured."""


@runtime_checkable
class Prompted(Analysis, Protocol):
    """Analysis that answers a user's prompts on the current frame (running/pairs/prompted_pair.py)."""

    @property
    def progress(self) -> float | None:
        """While the encoder runs, its progress, 0 to 1, or -1.0 if unknown; else None."""

    @property
    def waits(self) -> bool:
        """True while further frames would not help: the work is done on threads, and `poll` returns it."""

    def prompt(self, prompts: Prompts) -> None:
        """Apply prompts to the current frame only; without prompts, drop the previous ones."""


class PictureTime(float):
    """Presentation time of a frame in seconds, and the run of frames it belongs to, which a seek ends.

    It identifies a result's frame (`Result.note`), however late the result arrives.
    """

    __slots__ = ("run",)
    run: int

    def __new__(cls, pts: float, run: int) -> PictureTime:
        made = super().__new__(cls, pts)
        made.run = run
        return made

    def __reduce__(self) -> tuple[type[PictureTime], tuple[float, int]]:
        # Results are copied, `dataclasses.asdict` among others does, and pickled.
        return PictureTime, (float(self), self.run)


@dataclass(frozen=True)
class AnalysisFrame:
    """Part of a frame in flight for its analysis: its turn, and the bytes of its result in the slot."""

    analysis: Analysis
    turn: Turn
    result_bytes: int


class AnalysisSlot:
    """Slot for the analysis network, on the rendering thread; `on_result` reads the chain's result instead.

    `arrivals` counts results. A network that fails while running is removed: `error` has the reason, `on_failure` is called.
    """

    def __init__(
        self,
        on_arrival: Callable[[float | None], None],
        on_change: Callable[[], None],
        scene: Scene,
        on_tracked_result: Callable[[TrackedResult], None],
        *,
        needs_each: bool = False,
        continues_without_server: bool = False,
    ) -> None:
        """Make an empty slot; `on_arrival` is called with the inference time of each result.

        `needs_each` (batch work) skips no frame: it waits for a server that is away, and fails in the end.
        With `continues_without_server` as well, frames go on without results until the server responds again.
        """
        self._needs_each, self._continues_without_server = needs_each, continues_without_server
        self._on_arrival, self._on_change = on_arrival, on_change
        self._scene, self._on_tracked_result = scene, on_tracked_result
        self.current: Analysis | None = None
        self._requested: Analysis | None = None
        self._prompted: Prompted | None = None
        self.on_result = False
        self.latest: Result | None = None
        self.tracked_result: TrackedResult | None = None
        self.counts: tuple[Counts, ...] = ()
        self.arrivals = 0
        self.error: str | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self._size: Size = (0, 0)
        self._run = 0
        self._caught_up: PictureTime | None = None
        self._is_due = False
        self._is_watched = False
        self._watch: InputWatch | None = None
        self._aside: Analysis | None = None
        self._retired: list[tuple[int, Analysis]] = []
        self._closer: ThreadPoolExecutor | None = None
        self._untold: list[TrackedResult] | None = None

    def put(self, analysis: Analysis | None, frame: int) -> None:
        """Use another network, or none; close the old one once `frame`, the last to use it, has finished.

        Without another one, the network that was set aside is closed too.
        """
        if self.current is not None:
            self._retired.append((frame, self.current))
        if analysis is None:
            self.close_aside(frame)
        self._use(analysis)

    def exchange(self, spec: NetworkSpec, frame: int) -> bool:
        """Set the network aside, and use the one that was, if that fits `spec`: no frame is in flight.

        Return False, without a network in use, if there is none or it does not fit and is closed.
        """
        before, other = self.current, self._aside
        if other is not None and not other.adjust(spec):
            self.close_aside(frame)
            other = None
        if before is not None and before.pending:  # it does not come to an end
            self._retired.append((frame, before))
            before = None
        if other is not None:
            other.restart()
        self._use(other)
        self._aside = before
        return other is not None

    def close_aside(self, frame: int) -> bool:
        """Close the network that was set aside, as `put` does; return False if there is none."""
        other, self._aside = self._aside, None
        if other is not None:
            self._retired.append((frame, other))
        return other is not None

    def _use(self, analysis: Analysis | None) -> None:
        self._close_watch()
        self.current = analysis
        if self._needs_each and not self._continues_without_server and analysis is not None:
            for network in analysis.networks:
                network.caller.be_patient()
        self._is_due = True
        self.error = None if analysis is not None else self.error
        self.clear_results()
        self._scene.cut()
        self._on_change()

    def drop(self, reason: str, frame: int) -> None:
        """Remove the network because it failed."""
        log.warning("%s", reason)
        self.error = reason
        self.put(None, frame)
        self.on_failure()

    def clear_results(self) -> None:
        """Drop all results so far, and the counts of zones."""
        self.latest = self.tracked_result = None
        self.counts = ()

    def void(self) -> None:
        """Begin another run of frames and drop earlier results; in batch work each is awaited and used."""
        if self._needs_each:
            return
        self._run += 1
        # The counts go on, as the scene's do.
        self.latest = self.tracked_result = None

    def is_of(self, pts: float) -> bool:
        """Return True if the newest result is of the frame with a time."""
        note = getattr(self.latest, "note", None)
        return note == pts if isinstance(note, PictureTime) else self.latest is not None

    def lacks(self, pts: float) -> bool:
        """Return True if a still image was not analyzed because the network was busy; once per frame, so that
        a network without a result for it does not run forever.
        """
        if self.current is None or self.current.pending or self.is_paused or self.prompted is not None:
            return False
        asked = self._caught_up
        return not self.is_of(pts) and not (asked is not None and asked == pts and asked.run == self._run)

    def catch_up(self, pts: float) -> None:
        """Analyze the frame with a time if it was skipped."""
        self._caught_up = PictureTime(pts, self._run)
        self.refresh()

    def refresh(self) -> None:
        """Analyze the current frame again, though it is not new."""
        self._is_due = True

    def watch_input(self, on: bool) -> None:
        """Start or stop reading back the network's input."""
        self._is_watched = on
        if not on:
            self._close_watch()
        elif self._watch is None:
            self.refresh()

    def _close_watch(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def recent_inputs(self) -> tuple[ObservedInput, ...]:
        """Return the network's recent inputs; none unless they are watched."""
        if self._watch is None:
            return ()
        self._watch.poll()
        return self._watch.seen

    @property
    def prompted(self) -> Prompted | None:
        """The network, if it answers prompts on the frame; else None."""
        if self.current is not self._requested:
            # Checked once per network: it takes 0.04 ms (Python 3.11), and this runs some 100 times a second.
            self._requested = self.current
            self._prompted = self.current if isinstance(self.current, Prompted) else None
        return self._prompted

    @property
    def away(self) -> str:
        """Reason why a network on a server gives no results now, in a sentence; '' otherwise."""
        networks = self.current.networks if self.current is not None else ()
        return next((network.caller.away for network in networks if network.caller.away), "")

    @property
    def is_awaited(self) -> bool:
        """True while batch work waits for a result: not if it goes on without a server that is away."""
        if self.current is None or not self.current.pending:
            return False
        return not (self._continues_without_server and self.away)

    @property
    def is_paused(self) -> bool:
        """True while a server is away and should not be called."""
        networks = self.current.networks if self.current is not None else ()
        return any(network.caller.is_paused for network in networks)

    @property
    def calls(self) -> str:
        """Statistics of calls to servers, in words; '' if there are none."""
        networks = self.current.networks if self.current is not None else ()
        said = [calls.detail for network in networks if (calls := network.caller.calls) is not None]
        return joined("\n", [detail for detail in said if detail])

    @property
    def wants_frames(self) -> bool:
        """True while a repaint would advance an inference, or bring its input."""
        return self._goes_on or (self._watch is not None and self._watch.wants_frames)

    @property
    def _goes_on(self) -> bool:
        return self.current is not None and (self.current.pending or self._is_due)

    @contextmanager
    def emptied(self) -> Iterator[None]:
        """Remove the network for the duration of the context."""
        kept, self.current = self.current, None
        try:
            yield
        finally:
            self.current = kept

    @contextmanager
    def telling_later(self) -> Iterator[None]:
        """Report tracked results at the context's end, when the frame is drawn: receivers may export it."""
        self._untold = []
        try:
            yield
        finally:
            told, self._untold = self._untold, None
            for tracked_result in told:
                self._on_tracked_result(tracked_result)

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        texture: wgpu.GPUTexture,
        pts: float,
        timer: FrameTimer,
        target: wgpu.GPUBuffer,
        offset: int,
        *,
        gpu: Gpu,
        is_new: bool,
        budget_ms: float | None,
    ) -> AnalysisFrame | None:
        """Record a frame's work and a result's copy to `target` at `offset`; return None without any."""
        analysis = self.current
        if analysis is None or not (is_new or self._goes_on):
            if self._watch is not None:
                self._watch.encode(encoder)
            return None
        if self._is_watched and self._watch is None:
            from desktop.pipeline.running.inputs.input_view import InputWatch

            self._watch = InputWatch(gpu, analysis.networks)
        analysis.budget_ms = budget_ms
        self._size = (texture.width, texture.height)
        turn = analysis.encode(encoder, texture, PictureTime(pts, self._run), timer, is_new=is_new)
        self._is_due = False
        if self._watch is not None:
            self._watch.encode(encoder)
        if turn is None:
            return None
        return AnalysisFrame(analysis, turn, turn.copy_result(encoder, target, offset))

    def submitted(self) -> None:
        """Record that the frame was submitted."""
        if self._watch is not None:
            self._watch.submitted()

    def measured(self, frame: AnalysisFrame, gpu_ms: float) -> None:
        """Record the GPU time of a frame's turn."""
        if frame.analysis is self.current:
            frame.turn.measured(gpu_ms)

    def take_in(self, frame: AnalysisFrame, data: bytes) -> None:
        """Accept the result that a frame read back."""
        if frame.result_bytes and frame.analysis is self.current:
            result = frame.turn.result(data)
            if result is not None:
                self._take(frame.analysis, result)

    def poll(self, submitted: int, finished: int) -> None:
        """Accept a result that did not come with a frame; close replaced networks that are unused."""
        if self.current is not None:
            try:
                result = self.current.poll()
                if result is not None:
                    self._take(self.current, result)
            except ModelAwayError as error:
                if self._needs_each and not self._continues_without_server:
                    self.drop(str(error), submitted)
                else:
                    # The frame moves on, so old positions are wrong. Hiding has rules of its own.
                    self.clear_results()
            except ModelError as error:
                self.drop(str(error), submitted)
        while self._retired and self._retired[0][0] <= finished:
            self._release(self._retired.pop(0)[1])

    def _release(self, analysis: Analysis) -> None:
        """Close a network; live, on a thread, as an inference under way is waited for."""
        if self._needs_each:
            analysis.close()
            return
        if self._closer is None:
            self._closer = ThreadPoolExecutor(1, thread_name_prefix="close network")
        self._closer.submit(_close, analysis)

    @property
    def copies_ms(self) -> float | None:
        """Time of the last inference spent on copies between devices; None if no session measures it."""
        networks = self.current.networks if self.current is not None else ()
        times = [each.copies_ms for each in networks if isinstance(each, Copying)]
        known = [ms for ms in times if ms is not None]
        return sum(known) if known else None

    def _take(self, analysis: Analysis, result: Result) -> None:
        if isinstance(result.note, PictureTime) and result.note.run != self._run:
            return  # of a source, or a position in it, that is not shown any more
        self.latest = result
        self.arrivals += 1
        self.tracked_result = self._scene.see(result, result.note, self._size)
        self.counts = self.tracked_result.counts
        self._on_arrival(analysis.inference_ms)
        if self._untold is None:
            self._on_tracked_result(self.tracked_result)
        else:
            self._untold.append(self.tracked_result)

    def close(self) -> None:
        """Close every network."""
        self._close_watch()
        if self._closer is not None:
            self._closer.shutdown(wait=True)
        for _, analysis in self._retired:
            analysis.close()
        for each in (self.current, self._aside):
            if each is not None:
                each.close()


def _close(analysis: Analysis) -> None:
    try:
        analysis.close()
    except Exception:
        # No caller waits for it; objects of a lost device may fail to be released.
        log.exception("closing a network")
