"""Execution of a chain of stages; new filters are compiled on a thread, so that frames never wait."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import wgpu

from desktop.base.errors import LightloomError, ShaderMessage
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.automation.source import Moment
from desktop.pipeline.chain.automating import automated, needs_of
from desktop.pipeline.chain.building import Running, StageBuilder
from desktop.pipeline.chain.filter_inputs import InputStatus, input_values
from desktop.pipeline.chain.mixing import (
    MaskStatus,
    MaskTextures,
    MixingFrame,
    PreparedMixing,
    SceneAt,
    StageMixing,
)
from desktop.pipeline.chain.segment import EncodedChain, FrameWalk, Segment, Tap
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.inputs import INPUT_NEEDS
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.stage import FilterStage, StageIO
from desktop.pipeline.masks.sources import MaskScene
from desktop.pipeline.running.inputs.picture import Picture

if TYPE_CHECKING:
    from desktop.pipeline.chain.network_feed import FeedReport, NetworkFeed
    from desktop.pipeline.filters.verifier import FilterVerifier
    from desktop.vision.models.open_models import OpenModels

StageState = Literal["off", "compiling", "running", "failed"]


@dataclass(frozen=True)
class StageStatus:
    """State of a stage: 'failed' comes with the sentence to show; `network`, `mask` and `inputs` are set if it has
    one.

    `problems` are those of the newest version of its filter, which has failed; `is_making`: another one is compiled.
    """

    id: int
    name: str
    state: StageState
    message: str = ""
    network: FeedReport | None = None
    mask: MaskStatus | None = None
    inputs: InputStatus | None = None
    problems: tuple[ShaderMessage, ...] = ()
    is_making: bool = False

    @property
    def failure(self) -> str:
        """Why the stage or its mask failed; '' if neither did."""
        if self.state == "failed":
            return self.message
        return self.mask.message if self.mask is not None and self.mask.state == "failed" else ""


@dataclass(frozen=True)
class _Sources:
    """Functions that return the objects and the values of a frame, by its presentation time in seconds."""

    scene_at: SceneAt
    moment_at: Callable[[float], Moment]


class ChainRunner:
    """Runs a `ChainSpec`. For the rendering thread; compiles stages and reads tables on another.

    Attributes:
        network_budget_ms: GPU time that a stage's network may use per frame; None for complete inferences.
        needs_results: a mask of a stage that is on refers to results of the analysis network.
        needs: what automations and inputs of stages that are on need; see `AutomationSource.needs`, `INPUT_NEEDS`.
        automated: values that automations gave in the last frame, by the ids of stages and names of numbers.
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
        self._gpu = gpu
        self._library = library
        self._builder = StageBuilder(gpu, wait=wait, verifier=verifier, models=models)
        self.network_budget_ms: float | None = None
        self._stages: list[Running] = []
        self._mixings: dict[int, StageMixing] = {}  # by the id of the stage
        self._mask_textures = MaskTextures(gpu)
        self._kept: dict[int, wgpu.GPUTexture] = {}  # results that masks read, by the id of the stage
        self._of_masks: tuple[Running, ...] = ()
        self._all: tuple[Running, ...] = ()
        self._automated_stages: tuple[Running, ...] = ()
        self._stages_read: frozenset[int] = frozenset()
        self.needs_results = False
        self.needs: frozenset[str] = frozenset()
        self._fed: dict[int, tuple[Segment | None, int]] = {}  # the frames that networks of masks saw last
        self._first = Segment(gpu)
        self._held: dict[int, Segment] = {}  # by the id of the stage that they begin with
        self._reset = True
        self._dirty = True
        self.automated: Mapping[int, Mapping[str, float]] = {}

    @property
    def wake(self) -> Callable[[], None] | None:
        """Called from another thread when a stage's network has a result; must only wake this one."""
        return self._builder.wake

    @wake.setter
    def wake(self, callback: Callable[[], None] | None) -> None:
        self._builder.wake = callback

    # -- the chain -------------------------------------------------------------------------------------------

    def set_spec(self, spec: ChainSpec) -> None:
        """Take over a chain; returns at once."""
        self._dirty = True
        known = {running.spec.id: running for running in self._stages}
        stages: list[Running] = []
        for stage_spec in spec.stages:
            running = known.pop(stage_spec.id, None)
            if running is not None and running.spec.filter != stage_spec.filter:
                self._builder.release(running)
                running = None
            if running is None:
                running = Running(stage_spec)
            else:
                self._builder.update(running, stage_spec)
            stages.append(running)
        for gone in known.values():
            self._builder.release(gone)
        self._stages = stages
        self._find_filters()
        self._set_mixings(spec)

    def _note_uses(self) -> None:
        """Note once what each frame asks."""
        on = [running for running in self._stages if running.spec.enabled]
        mixed = [self._mixings[r.spec.id] for r in on if r.spec.id in self._mixings]
        self._of_masks = tuple(running for mixing in mixed for running in mixing.runnings)
        self._all = (*self._stages, *self._of_masks)
        self.needs_results = any(mixing.needs_results for mixing in mixed)
        self._stages_read = frozenset[int]().union(*(mixing.stages_read for mixing in mixed))
        self._automated_stages = tuple(running for running in on if running.spec.automation)
        inputs = {name for running in on for name in _inputs_of(running)}
        self.needs = frozenset[str]().union(
            *(needs_of(r.spec) for r in self._automated_stages),
            *(INPUT_NEEDS.get(name, ()) for name in inputs),
        )

    def _automate(
        self, moment_at: Callable[[float], Moment], pts: float
    ) -> Mapping[int, Mapping[str, float]]:
        """Give stages their values of a time; return those that automations changed, by stage and name."""
        moment = moment_at(pts)
        given: dict[int, Mapping[str, float]] = {}
        for running in self._automated_stages:
            found = automated(running.spec, moment, self._library)
            given[running.spec.id] = found.values
            self._builder.use_values(running, found.stage.values)
            mixing = self._mixings.get(running.spec.id)
            if mixing is not None:
                mixing.set_spec(found.stage)
        return given

    def _set_mixings(self, spec: ChainSpec) -> None:
        mixed = {stage.id: stage for stage in spec.stages if stage.is_mixed}
        for gone in self._mixings.keys() - mixed.keys():
            self._mixings.pop(gone).close()
        for stage_id, stage in mixed.items():
            if stage_id not in self._mixings:
                self._mixings[stage_id] = StageMixing(self._builder, self._library, self._mask_textures)
            self._mixings[stage_id].set_spec(stage)
        self._builder.retain_networks(r for mixing in self._mixings.values() for r in mixing.runnings)
        self._note_uses()

    def filters_changed(self) -> None:
        """Compile what the library has anew; a stage keeps its running version until the new one is ready."""
        self._find_filters()
        for running in self._stages:
            if running.spec.id in self._mixings:
                self._mixings[running.spec.id].set_spec(running.spec)
        self._note_uses()

    def _find_filters(self) -> None:
        for running in self._stages:
            self._builder.find(running, self._library.get)

    def stop_trials(self) -> None:
        """End running trials of untrusted filters; their stages fail. For any thread."""
        for running in tuple(self._stages):
            running.stop.set()

    @property
    def is_dirty(self) -> bool:
        """True if the next `encode` may change the same source's frame: an edit, or a filter now compiled."""
        return self._was_edited or any(
            r.is_active and r.feed is not None and r.feed.is_dirty for r in self._all
        )

    @property
    def _was_edited(self) -> bool:
        return self._dirty or any(running.is_made for running in self._all)

    def invalidate(self) -> None:
        """Note that the input has changed without a new frame, so that the next `encode` runs again."""
        self._dirty = True

    def reset(self) -> None:
        """Make the past void: a seek, another source. Persistent textures begin as zeros again."""
        self._reset = True

    @property
    def mask_networks(self) -> tuple[FeedReport, ...]:
        """Networks of the masks of stages that are on, each once, in order; without those that are still loaded."""
        reports = (feed.report for feed in self._mask_feeds())
        return tuple(report for report in reports if report is not None)

    def _mask_feeds(self) -> tuple[NetworkFeed, ...]:
        active = [part.feed for part in self._of_masks if part.is_active and part.feed is not None]
        return tuple({id(feed): feed for feed in active}.values())

    @property
    def statuses(self) -> tuple[StageStatus, ...]:
        """Status of each stage, in order."""
        return tuple(self._status(running) for running in self._stages)

    def _status(self, running: Running) -> StageStatus:
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
        mixing = self._mixings.get(running.spec.id)
        has_failed = mixing is not None and mixing.status.state == "failed"
        mask = mixing.status if mixing and (running.spec.mask is not None or has_failed) else None
        inputs = running.inputs if state == "running" and _inputs_of(running) else None
        return StageStatus(
            running.spec.id,
            name,
            state,
            running.message or away,
            report,
            mask,
            inputs,
            running.problems,
            running.making is not None,
        )

    @property
    def is_compiling(self) -> bool:
        """True while a filter of the chain is being compiled, or its network built."""
        return any(
            running.making is not None
            or (running.is_active and running.feed is not None and running.feed.is_loading)
            for running in self._all
        )

    @property
    def wants_frames(self) -> bool:
        """True while it is compiling, dirty or has news; one property, as each wake reads it per tile."""
        return self._dirty or any(running.gets_on for running in self._all)

    @property
    def has_news(self) -> bool:
        """True while a new network or result has not been used by a frame."""
        return any(
            running.is_active and running.feed is not None and running.feed.has_news for running in self._all
        )

    # -- each frame ------------------------------------------------------------------------------------------

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        picture: Picture,
        timer: FrameTimer,
        *,
        is_new: bool = True,
        taps: tuple[Tap, ...] = (),
        scene_at: SceneAt = MaskScene,
        moment_at: Callable[[float], Moment] = Moment,
    ) -> EncodedChain:
        """Record all stages, each in its own compute pass; `picture` is the newest frame (rgba16float).

        Where batch work waits for a network on the CPU, `encoder` is submitted and another one returned. The
        timer gets spans 'filter:<stage id>' and 'network:<stage id>'. `is_new` is False for a repaint. `taps`
        are not called while the segment of its stage keeps its result. `scene_at` and `moment_at` tell, by the
        frame's time in seconds, what masks and automations refer to.
        """
        edited = self._was_edited
        for running in self._all:
            self._builder.collect(running)
        self._dirty = False
        self.automated = self._automate(moment_at, picture.pts) if self._automated_stages else {}
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
        read, sources = self._stages_read, _Sources(scene_at, moment_at)
        if self._mixings:
            self._mask_textures.begin_frame()
            self._feed_masks(walk, budget)
        for running in self._stages:
            if running.spec.enabled:
                self._encode_stage(walk, running, budget, sources)
            if running.spec.id in read and walk.runs:
                self._copy_result(walk, running.spec.id)
            for tap in taps if walk.runs else ():
                if tap.stage == running.spec.id:
                    tap.record(walk.commands.encoder, walk.current)
        self._retain_segments(walk.segments)
        if self._kept:
            for unread in self._kept.keys() - read:
                self._kept.pop(unread).destroy()
        self._reset = False
        return walk.end()

    def _copy_result(self, walk: FrameWalk, stage: int) -> None:
        """Record a copy of a stage's result, for masks of later stages."""
        size = (walk.current.width, walk.current.height)
        kept = self._kept.get(stage)
        if kept is None or (kept.width, kept.height) != size:
            if kept is not None:
                kept.destroy()
            kept = self._kept[stage] = self._mask_textures.make(size, "result that a mask reads")
        walk.commands.encoder.copy_texture_to_texture(
            {"texture": walk.current}, {"texture": kept}, (*size, 1)
        )

    def _feed_masks(self, walk: FrameWalk, budget: float | None) -> None:
        """Let the networks of masks have their turns on the frame before the chain, each once."""
        feeds: dict[int, list[Running]] = {}
        for running in self._stages:
            mixing = self._mixings.get(running.spec.id) if running.spec.enabled else None
            for part in mixing.networks if mixing is not None else ():
                if part.is_active:
                    feeds.setdefault(id(part.feed), []).append(part)
        before, self._fed = self._fed, {}
        for number, (key, parts) in enumerate(feeds.items()):
            feed = parts[0].feed
            assert feed is not None
            reset = _has_no_past(before.get(key, (None, -1)), self._first, walk.first)
            self._fed[key] = (self._first, walk.first.index)
            try:
                turn = walk.feed(feed, f"network:mask {number + 1}", reset=reset, budget_ms=budget)
            except (LightloomError, wgpu.GPUError) as error:
                for part in parts:
                    self._builder.switch_off(part, error)
                continue
            if feed.texture is not None and (feed.held is not None or walk.is_cut):
                # Stages have positive ids.
                segment = self._held.get(-number - 1) or Segment(self._gpu)
                walk.cut(-number - 1, segment, feed.held, turn)

    def _encode_stage(
        self, walk: FrameWalk, running: Running, budget: float | None, sources: _Sources
    ) -> None:
        mixing, stage = self._mixings.get(running.spec.id), running.stage
        if stage is None or not running.is_active:
            self._leave_out(walk, mixing)
            return
        try:
            if running.feed is not None and not self._feed(walk, running, running.feed, budget):
                self._leave_out(walk, mixing)  # nothing to show yet
                return
            if not walk.runs:
                walk.current = walk.segment.result
                return
            base, io, info = walk.current, *self._io_of(walk, running)
            mixed: PreparedMixing | None = None
            if mixing is not None:
                frame = self._mixing_frame(walk, running, mixing, io, sources.scene_at)
                mixed = mixing.prepare(walk.commands.encoder, frame)
                io = replace(io, given=mixed.mask)
            self._prepare(walk, running, stage, io, info, sources)
        except (LightloomError, wgpu.GPUError) as error:
            self._builder.switch_off(running, error)
            self._leave_out(walk, mixing)
            return
        compute_pass = walk.commands.encoder.begin_compute_pass(
            **walk.timer.begin(f"filter:{running.spec.id}")
        )
        for step in (*mixed.before, stage, *mixed.after) if mixed is not None else (stage,):
            step.encode(compute_pass)
        compute_pass.end()
        walk.timer.end()
        if mixed is None:
            walk.current = io.output
        elif mixed.outcome == "mixed":
            walk.current = frame.output
        elif mixed.outcome == "black":
            walk.current = self._mask_textures.black(walk.commands.encoder, (base.width, base.height))

    def _leave_out(self, walk: FrameWalk, mixing: StageMixing | None) -> None:
        """Go on without a stage: with the frame as it is, or a black one if something must be hidden."""
        if mixing is not None and mixing.hides and walk.runs:
            size = (walk.current.width, walk.current.height)
            walk.current = self._mask_textures.black(walk.commands.encoder, size)

    def _mixing_frame(
        self, walk: FrameWalk, running: Running, mixing: StageMixing, io: StageIO, scene_at: SceneAt
    ) -> MixingFrame:
        size = (io.output.width, io.output.height)
        info = FrameInfo(size, walk.info.time, walk.info.delta, walk.info.index, walk.info.reset)
        has_past = not _has_no_past(mixing.last, walk.segment, walk.info)
        mixing.last = (walk.segment, walk.info.index)
        earlier = itertools.takewhile(lambda other: other is not running, self._stages)
        kept = {s.spec.id: self._kept[s.spec.id] for s in earlier if s.spec.id in self._kept}
        return MixingFrame(
            info,
            io.input,
            io.output,
            walk.original,
            walk.segment.other(size, io.input, io.output),
            scene_at(walk.pts),
            kept,
            has_past,
            walk.is_new,
        )

    def _feed(self, walk: FrameWalk, running: Running, feed: NetworkFeed, budget: float | None) -> bool:
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
        found = [f"network:mask {number + 1}" for number in range(len(self._mask_feeds()))]
        for running in self._stages:
            if running.is_active:
                found += [f"network:{running.spec.id}"] if running.feed is not None else []
                found.append(f"filter:{running.spec.id}")
        return tuple(found)

    def isolate(self, source: wgpu.GPUTexture) -> bool:
        """Record every running stage alone and disable those that the GPU rejects; True if there were any.
        wgpu does not reliably identify the faulty pass of a whole frame. Nothing is submitted. Filters of masks,
        which are all built in, are not tried.
        """
        for mixing in self._mixings.values():
            mixing.void()
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
                    StageIO(source, source, self._first.other(size, source)), size, reset=False
                )
                compute_pass = encoder.begin_compute_pass()
                running.stage.encode(compute_pass)
                compute_pass.end()
                encoder.finish()
            except (LightloomError, wgpu.GPUError) as error:
                self._builder.switch_off(running, error)
                found = True
        return found

    @staticmethod
    def _io_of(walk: FrameWalk, running: Running) -> tuple[StageIO, FrameInfo]:
        factor = running.feed.enlargement if running.feed is not None else 1
        size = (walk.current.width * factor, walk.current.height * factor)
        io = StageIO(walk.current, walk.original, walk.segment.other(size, walk.current))
        of_walk = walk.info
        reset = running.note_network() or _has_no_past(running.last, walk.segment, walk.info)
        # Not `replace`, which takes three times as long: this is for each frame.
        info = FrameInfo(size, of_walk.time, of_walk.delta, of_walk.index, reset)
        running.last = (walk.segment, info.index)
        return io, info

    @staticmethod
    def _prepare(
        walk: FrameWalk,
        running: Running,
        stage: FilterStage,
        io: StageIO,
        info: FrameInfo,
        sources: _Sources,
    ) -> None:
        stage.prepare(io, info.size, info.reset)
        stage.update(info)
        inputs = stage.program.spec.inputs
        if inputs:
            audio = sources.moment_at(walk.pts).audio
            values, running.inputs = input_values(inputs, audio, sources.scene_at(walk.pts))
            stage.set_inputs(values)
        stage.clear(walk.commands.encoder)

    def close(self) -> None:
        """Release everything."""
        for mixing in self._mixings.values():
            mixing.close()
        self._mixings.clear()
        for running in self._stages:
            self._builder.release(running)
        self._builder.close()
        for segment in (self._first, *self._held.values()):
            segment.close()
        for texture in self._kept.values():
            texture.destroy()
        self._mask_textures.close()


def _inputs_of(running: Running) -> tuple[str, ...]:
    return running.requested.inputs if running.requested is not None else ()


def _has_no_past(last: tuple[Segment | None, int], segment: Segment, info: FrameInfo) -> bool:
    # A stage that was off in the frame before has no past to go on from, only an old one.
    return info.reset or last != (segment, info.index - 1)
