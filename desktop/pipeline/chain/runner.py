"""Execution of a chain of stages; new filters are compiled on a thread, so that frames never wait."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import wgpu

from desktop.base.errors import FilterError, LightloomError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.compute.gpu.webgpu import gpu_reason
from desktop.pipeline.chain.segment import EncodedChain, FrameWalk, Segment, Tap
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import ParamValue, Values
from desktop.pipeline.filters.program import FilterProgram
from desktop.pipeline.filters.stage import FilterStage, StageIO, compile_filter
from desktop.pipeline.running.inputs.picture import Picture

if TYPE_CHECKING:
    from desktop.pipeline.chain.network_feed import FeedReport, NetworkFeed
    from desktop.pipeline.filters.verifier import FilterVerifier
    from desktop.vision.models.open_models import OpenModels

log = logging.getLogger(__name__)

StageState = Literal["off", "compiling", "running", "failed"]


@dataclass(frozen=True)
class StageStatus:
    """State of a stage: 'failed' comes with the sentence to show; `network` is set if it has one."""

    id: int
    name: str
    state: StageState
    message: str = ""
    network: FeedReport | None = None


@dataclass
class _Running:
    """The runner's side of one stage."""

    spec: StageSpec
    requested: Filter | None = None
    making: Future[FilterStage] | None = None
    stop: threading.Event = field(
        default_factory=threading.Event
    )  # what is being made is not needed any more
    stage: FilterStage | None = None
    feed: NetworkFeed | None = None
    message: str = ""
    failed: bool = False
    last: tuple[Segment | None, int] = (None, -1)  # where and in which frame it ran last
    fed: tuple[Segment | None, int] = (None, -1)  # the frame that its network saw last

    @property
    def is_active(self) -> bool:
        """True if it takes part in a frame."""
        return self.stage is not None and not self.failed and self.spec.enabled

    @property
    def gets_on(self) -> bool:
        """True while repeating a frame would make progress: a build, or a network's result."""
        if self.making is not None:
            return True
        feed = self.feed
        return feed is not None and self.is_active and (feed.is_loading or feed.has_news or feed.is_dirty)


class ChainRunner:
    """Runs a `ChainSpec`. For the rendering thread; compiles stages and reads tables on another.

    Attributes:
        network_budget_ms: GPU time that a stage's network may use per frame; None for complete inferences.
        wake: called from another thread when a stage's network has a result; must only wake this one.
    """

    def __init__(
        self,
        gpu: Gpu,
        library: FilterLibrary,
        *,
        wait: bool = False,
        verifier: FilterVerifier | None = None,
        models: OpenModels | None = None,
    ) -> None:
        """Make a runner; `wait` compiles a new filter before the next frame (batch work), not in the
        background. Without a `verifier`, untrusted filters are compiled without a trial.
        """
        self._models = models
        self._gpu = gpu
        self._library = library
        self._wait = wait
        self._verifier = verifier
        self._compiler = ThreadPoolExecutor(1, thread_name_prefix="compile")
        # Of their own thread: trying one may take a minute, and a built-in filter must not wait for it.
        self._stranger_compiler = ThreadPoolExecutor(1, thread_name_prefix="compile untrusted")
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="stage network")
        self.wake: Callable[[], None] | None = None
        self.network_budget_ms: float | None = None
        self._stages: list[_Running] = []
        self._first = Segment(gpu)
        self._held: dict[int, Segment] = {}  # by the id of the stage that they begin with
        self._reset = True
        self._programs: dict[str, tuple[Filter, FilterProgram]] = {}
        self._dirty = True

    # -- what is wanted --------------------------------------------------------------------------------------

    def set_spec(self, spec: ChainSpec) -> None:
        """Take over a chain; returns at once."""
        self._dirty = True
        known = {running.spec.id: running for running in self._stages}
        stages: list[_Running] = []
        for stage_spec in spec.stages:
            running = known.pop(stage_spec.id, None)
            if running is not None and running.spec.filter != stage_spec.filter:
                self._release(running)
                running = None
            if running is None:
                running = _Running(stage_spec)
            else:
                self._update(running, stage_spec)
            stages.append(running)
        for gone in known.values():
            self._release(gone)
        self._stages = stages
        self.filters_changed()

    def _update(self, running: _Running, spec: StageSpec) -> None:
        before, running.spec = running.spec, spec
        if before.values == spec.values and (before.enabled or not spec.enabled):
            return
        # Another value, and switching it on, are the user's ways to say: try again.
        running.failed = False
        if running.stage is not None:
            self._set_values(running, running.stage)
        elif running.making is None and running.requested is not None:
            self._make(running, running.requested)

    def _set_values(self, running: _Running, stage: FilterStage) -> None:
        spec = stage.program.spec
        try:
            values = _fitting(spec, running.spec.values)
            if stage.needs_files(values):
                self._make(running, spec)
                return
            stage.set_values(values)
            if running.feed is not None:
                running.feed.set_values(spec, values)
        except LightloomError as error:
            self._fail(running, str(error))
            return
        if running.requested is spec:
            running.message = ""

    def filters_changed(self) -> None:
        """Compile what the library has anew; a stage keeps its running version until the new one is ready."""
        for running in self._stages:
            try:
                requested = self._library.get(running.spec.filter)
            except FilterError as error:
                if running.stage is None:
                    self._fail(running, str(error))
                continue
            if running.requested is not requested:
                running.requested = requested
                running.failed = False
                self._make(running, requested)

    def _make(self, running: _Running, requested: Filter) -> None:
        self._abandon(running)
        running.stop = threading.Event()
        compiler = self._compiler if requested.builtin else self._stranger_compiler
        running.making = compiler.submit(self._build, requested, dict(running.spec.values), running.stop)

    @staticmethod
    def _abandon(running: _Running) -> None:
        running.stop.set()
        _discard(running.making)
        running.making = None

    def stop_trials(self) -> None:
        """End running trials of untrusted filters; their stages fail. For any thread."""
        for running in tuple(self._stages):
            running.stop.set()

    def _build(self, requested: Filter, values: Values, stop: threading.Event) -> FilterStage:
        # On a compiling thread: shaders take long to compile, tables long to read.
        try:
            if self._verifier is not None and not self._is_known(requested):
                self._verifier.check(self._gpu.adapter, requested, stop)
            return FilterStage(self._program(requested), _fitting(requested, values))
        except wgpu.GPUError as error:
            raise FilterError(
                sentence(
                    "{wanted_path}: the GPU refuses it: {reason}.",
                    wanted_path=requested.path,
                    reason=gpu_reason(error),
                )
            ) from error

    def _is_known(self, requested: Filter) -> bool:
        cached = self._programs.get(requested.id)
        return cached is not None and cached[0] is requested

    def _program(self, requested: Filter) -> FilterProgram:
        cached = self._programs.get(requested.id)
        if cached is not None and cached[0] is requested:
            return cached[1]
        program = compile_filter(self._gpu, requested, time.perf_counter)
        self._programs[requested.id] = (requested, program)
        return program

    @property
    def is_dirty(self) -> bool:
        """True if the next `encode` may change the same source's frame: an edit, or a filter now compiled."""
        return self._was_edited or any(
            r.is_active and r.feed is not None and r.feed.is_dirty for r in self._stages
        )

    @property
    def _was_edited(self) -> bool:
        return self._dirty or any(r.making is not None and r.making.done() for r in self._stages)

    def invalidate(self) -> None:
        """Note that the input has changed without a new frame, so that the next `encode` runs again."""
        self._dirty = True

    def reset(self) -> None:
        """Make the past void: a seek, another source. Persistent textures begin as zeros again."""
        self._reset = True

    @property
    def statuses(self) -> tuple[StageStatus, ...]:
        """Status of each stage, in order."""
        return tuple(self._status(running) for running in self._stages)

    def _status(self, running: _Running) -> StageStatus:
        name = running.requested.title if running.requested is not None else running.spec.filter
        state: StageState = "running"
        if running.failed:
            state = "failed"
        elif not running.spec.enabled:
            state = "off"
        elif running.stage is None or (running.feed is not None and running.feed.texture is None):
            state = "compiling"
        report = running.feed.report if running.feed is not None else None
        away = report.calls.away if report is not None and report.calls is not None else ""
        return StageStatus(running.spec.id, name, state, running.message or away, report)

    @property
    def is_compiling(self) -> bool:
        """True while a filter of the chain is being compiled, or its network built."""
        return any(
            running.making is not None
            or (running.is_active and running.feed is not None and running.feed.is_loading)
            for running in self._stages
        )

    @property
    def wants_frames(self) -> bool:
        """True while it is compiling, dirty or has news; one property, as each wake reads it per tile."""
        return self._dirty or any(running.gets_on for running in self._stages)

    @property
    def has_news(self) -> bool:
        """True while a new network or result has not been used by a frame."""
        return any(
            running.is_active and running.feed is not None and running.feed.has_news
            for running in self._stages
        )

    # -- each frame ------------------------------------------------------------------------------------------

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        picture: Picture,
        timer: FrameTimer,
        *,
        is_new: bool = True,
        tap: Tap | None = None,
    ) -> EncodedChain:
        """Record all stages, each in its own compute pass; `picture` is the newest frame (rgba16float).

        Where batch work waits for a network on the CPU, `encoder` is submitted and another one returned. The
        timer gets spans 'filter:<stage id>' and 'network:<stage id>'. `is_new` is False for a repaint. `tap`
        is not called while the segment of its stage keeps its result.
        """
        edited = self._was_edited
        self._collect()
        self._dirty = False
        walk = FrameWalk(
            FrameCommands(self._gpu, encoder),
            timer,
            picture,
            self._first,
            is_new=is_new,
            edited=edited,
            reset=self._reset,
        )
        # A repaint of the same frame is a good moment to finish what slices have begun.
        budget = self.network_budget_ms if is_new else None
        for running in self._stages:
            if running.stage is not None and running.is_active:
                self._encode_stage(walk, running, running.stage, budget)
            if tap is not None and tap.stage == running.spec.id and walk.runs:
                tap.record(walk.commands.encoder, walk.current)
        self._retain_segments(walk.segments)
        self._reset = False
        return walk.end()

    def _encode_stage(
        self, walk: FrameWalk, running: _Running, stage: FilterStage, budget: float | None
    ) -> None:
        try:
            if running.feed is not None and not self._feed(walk, running, running.feed, budget):
                return  # nothing to show yet: the frame goes on as it is
            if not walk.runs:
                walk.current = walk.segment.result
                return
            io = self._prepare(walk, running, stage)
        except (LightloomError, wgpu.GPUError) as error:
            self._switch_off(running, error)
            return
        compute_pass = walk.commands.encoder.begin_compute_pass(
            **walk.timer.begin(f"filter:{running.spec.id}")
        )
        stage.encode(compute_pass)
        compute_pass.end()
        walk.timer.end()
        walk.current = io.output

    def _feed(self, walk: FrameWalk, running: _Running, feed: NetworkFeed, budget: float | None) -> bool:
        """Let a stage's network have its turn; return whether it has something to show."""
        stage = running.spec.id
        reset, running.fed = (
            _has_no_past(running.fed, self._first, walk.first),
            (self._first, walk.first.index),
        )
        turn = walk.feed(feed, f"network:{stage}", reset=reset, budget_ms=budget)
        if feed.texture is None or running.stage is None:
            return False
        if feed.held is not None or walk.is_cut:
            # The next segment has its own pace; its network reads the result retained by the segment before.
            walk.cut(stage, self._held.get(stage) or Segment(self._gpu), feed.held, turn)
        if walk.runs:
            running.stage.set_network(feed.texture, feed.channels, feed.source_texture)
        return True

    def _retain_segments(self, used: dict[int, Segment]) -> None:
        for stage, segment in self._held.items():
            if stage not in used:
                segment.close()
        self._held = used

    @property
    def spans(self) -> tuple[str, ...]:
        """Names of the spans that `encode` makes for the stages that are on, in order."""
        found: list[str] = []
        for running in self._stages:
            if running.is_active:
                found += [f"network:{running.spec.id}"] if running.feed is not None else []
                found.append(f"filter:{running.spec.id}")
        return tuple(found)

    def isolate(self, source: wgpu.GPUTexture) -> bool:
        """Record every running stage alone and disable those that the GPU rejects; True if there were any.
        wgpu does not reliably identify the faulty pass of a whole frame. Nothing is submitted.
        """
        found = False
        for running in self._stages:
            if running.stage is None or not running.is_active:
                continue
            if running.feed is not None and running.feed.texture is None:
                continue
            encoder = self._gpu.device.create_command_encoder()
            try:
                size = (source.width, source.height)
                running.stage.prepare(
                    StageIO(source, source, self._first.other(source, size)), size, reset=False
                )
                compute_pass = encoder.begin_compute_pass()
                running.stage.encode(compute_pass)
                compute_pass.end()
                encoder.finish()
            except (LightloomError, wgpu.GPUError) as error:
                self._switch_off(running, error)
                found = True
        return found

    @staticmethod
    def _prepare(walk: FrameWalk, running: _Running, stage: FilterStage) -> StageIO:
        factor = running.feed.enlargement if running.feed is not None else 1
        size = (walk.current.width * factor, walk.current.height * factor)
        io = StageIO(walk.current, walk.original, walk.segment.other(walk.current, size))
        of_walk, reset = walk.info, _has_no_past(running.last, walk.segment, walk.info)
        # Not `replace`, which takes three times as long: this is for each frame.
        info = FrameInfo(size, of_walk.time, of_walk.delta, of_walk.index, reset)
        stage.prepare(io, info.size, info.reset)
        stage.update(info)
        stage.clear(walk.commands.encoder)
        running.last = (walk.segment, info.index)
        return io

    def _collect(self) -> None:
        for running in self._stages:
            while running.making is not None and (self._wait or running.making.done()):
                future, running.making = running.making, None
                try:
                    stage = future.result()
                except LightloomError as error:
                    running.message = str(error)
                    # The last valid version of a user's filter continues; the message states that it is old.
                    running.failed = running.failed or running.stage is None
                    continue
                if running.stage is not None:
                    running.stage.close()
                running.stage, running.message, running.last = stage, "", (None, -1)
                self._fit_feed(running, stage)
                # The values may have changed meanwhile.
                self._set_values(running, stage)

    def _fit_feed(self, running: _Running, stage: FilterStage) -> None:
        use = stage.program.spec.network
        if use is None:
            if running.feed is not None:
                running.feed.close()
            running.feed = None
        elif running.feed is None:
            # Only here: what builds networks takes longer to import than all that a frame without one needs.
            from desktop.pipeline.chain.network_feed import NetworkFeed

            running.feed = NetworkFeed(
                self._gpu, use, self._loader, wait=self._wait, wake=self._wake, models=self._models
            )

    def _wake(self) -> None:
        if self.wake is not None:
            self.wake()

    def _switch_off(self, running: _Running, error: Exception) -> None:
        name = self._status(running).name
        self._fail(
            running,
            sentence("{name} was switched off: {reason}.", name=name, reason=gpu_reason(error))
            if isinstance(error, wgpu.GPUError)
            # A sentence of ours, with its full stop.
            else sentence("{name} was switched off: {error}", name=name, error=error),
        )

    def _fail(self, running: _Running, message: str) -> None:
        log.warning("stage %s: %s", running.spec.filter, message)
        running.message = message
        running.failed = True
        if running.stage is not None and running.feed is not None:
            running.stage.set_network(None, 0)  # the network's texture may be on its way out

    def _release(self, running: _Running) -> None:
        self._abandon(running)
        if running.feed is not None:
            running.feed.close()
        if running.stage is not None:
            running.stage.close()
        running.stage, running.feed = None, None

    def close(self) -> None:
        """Release everything."""
        for running in self._stages:
            self._release(running)
        for compiler in (self._compiler, self._stranger_compiler):
            compiler.shutdown(wait=True, cancel_futures=True)
        # Not canceled: networks that are to be closed wait there too.
        self._loader.shutdown(wait=True)
        for segment in (self._first, *self._held.values()):
            segment.close()


def _has_no_past(last: tuple[Segment | None, int], segment: Segment, info: FrameInfo) -> bool:
    # A stage that was off in the frame before has no past to go on from, only an old one.
    return info.reset or last != (segment, info.index - 1)


def _discard(future: Future[FilterStage] | None) -> None:
    if future is not None and not future.cancel():
        future.add_done_callback(_close_stage)


def _close_stage(future: Future[FilterStage]) -> None:
    if future.exception() is None:
        future.result().close()


def _fitting(spec: Filter, values: Values) -> dict[str, ParamValue]:
    # Drop values of parameters that a newer version of a user's file has removed: it is being edited.
    names = {param.name for param in spec.params}
    return spec.check({name: value for name, value in values.items() if name in names})
