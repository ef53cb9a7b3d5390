"""Filters of a chain on their way to the GPU: compiled on threads, replaced when they change, released."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import wgpu

from desktop.base.errors import FilterError, LightloomError, ShaderMessage, shader_messages
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import gpu_reason
from desktop.pipeline.chain.segment import Segment
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.description import NETWORK_SETTINGS, Filter, NetworkUse
from desktop.pipeline.filters.param import ParamValue, Values
from desktop.pipeline.filters.program import FilterProgram
from desktop.pipeline.filters.stage import FilterStage, compile_filter

if TYPE_CHECKING:
    from desktop.pipeline.chain.filter_inputs import InputStatus
    from desktop.pipeline.chain.network_feed import NetworkFeed
    from desktop.pipeline.filters.verifier import FilterVerifier
    from desktop.vision.models.open_models import OpenModels

log = logging.getLogger(__name__)

Find = Callable[[str], Filter]
"""Name -> filter; raises FilterError."""


@dataclass
class Running:
    """A filter in use: what is wanted of it, what runs, and what is being made.

    `shares_network`: all filters with the same network, set up in the same way, have one feed.
    """

    spec: StageSpec
    shares_network: bool = False
    requested: Filter | None = None
    making: Future[FilterStage] | None = None
    stop: threading.Event = field(
        default_factory=threading.Event
    )  # what is being made is not needed any more
    stage: FilterStage | None = None
    feed: NetworkFeed | None = None
    message: str = ""
    failed: bool = False
    problems: tuple[ShaderMessage, ...] = ()  # of the newest version that was built
    last: tuple[Segment | None, int] = (None, -1)  # where and in which frame it ran last
    fed: tuple[Segment | None, int] = (None, -1)  # the frame that its network saw last
    inputs: InputStatus | None = None  # in the last frame, if the filter reads any
    network: tuple[NetworkFeed | None, int] = (
        None,
        0,
    )  # the feed that it read last, and which of its networks

    @property
    def is_active(self) -> bool:
        """True if it takes part in a frame."""
        return self.stage is not None and not self.failed and self.spec.enabled

    def note_network(self) -> bool:
        """Note which network it reads; return whether that is another one than at the last call."""
        before, feed = self.network, self.feed
        self.network = (feed, feed.network_number if feed is not None else 0)
        return before != self.network

    @property
    def is_made(self) -> bool:
        """True if a build has finished that no frame has used yet."""
        return self.making is not None and self.making.done()

    @property
    def gets_on(self) -> bool:
        """True while repeating a frame would make progress: a build, or a network's result."""
        if self.making is not None:
            return True
        feed = self.feed
        return feed is not None and self.is_active and (feed.is_loading or feed.has_news or feed.is_dirty)


class StageBuilder:
    """Makes, replaces and releases the stages of `Running` filters.

    For the rendering thread; compiles, and reads tables, on others.

    Attributes:
        wake: called from another thread when a network has a result; must only wake this one.
    """

    def __init__(
        self,
        gpu: Gpu,
        *,
        wait: bool,
        verifier: FilterVerifier | None = None,
        models: OpenModels | None = None,
    ) -> None:
        """Make a builder; see `ChainRunner`."""
        self._gpu, self.waits, self._verifier, self._models = gpu, wait, verifier, models
        self._compiler = ThreadPoolExecutor(1, thread_name_prefix="compile")
        # A thread of its own: the trial of an untrusted filter may take a minute, and built-in ones must not wait.
        self._untrusted_compiler = ThreadPoolExecutor(1, thread_name_prefix="compile untrusted")
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="stage network")
        self.wake: Callable[[], None] | None = None
        self._programs: dict[str, tuple[Filter, FilterProgram]] = {}
        self._shared: dict[object, NetworkFeed] = {}

    # -- what is wanted --------------------------------------------------------------------------------------

    def update(self, running: Running, spec: StageSpec) -> None:
        """Apply another spec with the same filter."""
        before, running.spec = running.spec, spec
        if before.automation and running.stage is not None:
            self.use_values(running, spec.values)
        if before.values == spec.values and (before.enabled or not spec.enabled):
            return
        # Another value, and switching it on, are the user's ways to say: try again.
        running.failed = False
        if running.stage is not None:
            self._set_values(running, running.stage)
        elif running.making is None and running.requested is not None:
            self._make(running, running.requested)

    def find(self, running: Running, find: Find) -> None:
        """Compile what is found under the filter's name, unless that is what runs already.

        A stage keeps its running version until the new one is ready.
        """
        try:
            requested = find(running.spec.filter)
        except FilterError as error:
            if running.stage is None:
                self.fail(running, str(error))
            return
        if running.requested is not requested:
            running.requested = requested
            running.failed = False
            self._make(running, requested)

    def use_values(self, running: Running, values: Values) -> None:
        """Use values other than the spec's until the next call; they must not set a network up."""
        if running.stage is not None:
            try:
                running.stage.set_values(_fitting(running.stage.program.spec, values))
            except LightloomError as error:
                self.fail(running, str(error))

    def _set_values(self, running: Running, stage: FilterStage) -> None:
        spec = stage.program.spec
        try:
            values = _fitting(spec, running.spec.values)
            if stage.needs_files(values):
                self._make(running, spec)
                return
            stage.set_values(values)
            if spec.network is not None and running.shares_network:
                running.feed = self._shared_feed(spec.network, values)
            if running.feed is not None:
                running.feed.set_values(spec, values)
        except LightloomError as error:
            self.fail(running, str(error))
            return
        if running.requested is spec:
            running.message = ""

    # -- building --------------------------------------------------------------------------------------------

    def _make(self, running: Running, requested: Filter) -> None:
        self._abandon(running)
        running.stop = threading.Event()
        compiler = self._compiler if requested.builtin else self._untrusted_compiler
        running.making = compiler.submit(self._build, requested, dict(running.spec.values), running.stop)

    @staticmethod
    def _abandon(running: Running) -> None:
        running.stop.set()
        _discard(running.making)
        running.making = None

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
        cached = self._programs.get(requested.path)
        return cached is not None and cached[0] is requested

    def _program(self, requested: Filter) -> FilterProgram:
        cached = self._programs.get(requested.path)
        if cached is not None and cached[0] is requested:
            return cached[1]
        program = compile_filter(self._gpu, requested, time.perf_counter)
        self._programs[requested.path] = (requested, program)
        return program

    def collect(self, running: Running) -> None:
        """Use what has been built; batch work waits for it."""
        while running.making is not None and (self.waits or running.making.done()):
            future, running.making = running.making, None
            try:
                stage = future.result()
            except LightloomError as error:
                running.message, running.problems = str(error), shader_messages(error)
                # The last valid version of a user's filter continues; the message states that it is old.
                running.failed = running.failed or running.stage is None
                continue
            if running.stage is not None:
                running.stage.close()
            running.stage, running.message, running.last = stage, "", (None, -1)
            running.problems = ()
            self._fit_feed(running, stage)
            # The values may have changed meanwhile.
            self._set_values(running, stage)

    def _fit_feed(self, running: Running, stage: FilterStage) -> None:
        use = stage.program.spec.network
        if use is None:
            if running.feed is not None and not running.shares_network:
                running.feed.close()
            running.feed = None
        elif running.feed is None and not running.shares_network:
            running.feed = self._new_feed(use)

    def _new_feed(self, use: NetworkUse) -> NetworkFeed:
        # Only here: what builds networks takes longer to import than all that a frame without one needs.
        from desktop.pipeline.chain.network_feed import NetworkFeed

        return NetworkFeed(
            self._gpu, use, self._loader, wait=self.waits, wake=self._wake, models=self._models
        )

    def _shared_feed(self, use: NetworkUse, values: Values) -> NetworkFeed:
        key = (use.output, *((name, values.get(getattr(use, name))) for name in NETWORK_SETTINGS))
        if key not in self._shared:
            self._shared[key] = self._new_feed(use)
        return self._shared[key]

    def retain_networks(self, users: Iterable[Running]) -> None:
        """Close the shared networks that none of the filters uses."""
        used = {id(running.feed) for running in users}
        for key, feed in list(self._shared.items()):
            if id(feed) not in used:
                self._shared.pop(key).close()

    def _wake(self) -> None:
        if self.wake is not None:
            self.wake()

    # -- failures --------------------------------------------------------------------------------------------

    def switch_off(self, running: Running, error: Exception) -> None:
        """Mark a filter as failed because it raised an error while a frame was encoded."""
        name = running.requested.title if running.requested is not None else running.spec.filter
        self.fail(
            running,
            sentence("{name} was switched off: {reason}.", name=name, reason=gpu_reason(error))
            if isinstance(error, wgpu.GPUError)
            # A sentence of ours, with its full stop.
            else sentence("{name} was switched off: {error}", name=name, error=error),
        )

    @staticmethod
    def fail(running: Running, message: str) -> None:
        """Have a filter fail, with the sentence that is shown."""
        log.warning("stage %s: %s", running.spec.filter, message)
        running.message = message
        running.failed = True
        if running.stage is not None and running.feed is not None:
            running.stage.set_network(None, 0)  # the network's texture may be on its way out

    # -- release ---------------------------------------------------------------------------------------------

    def release(self, running: Running) -> None:
        """Release a filter that is not in use any more."""
        self._abandon(running)
        if running.feed is not None and not running.shares_network:
            running.feed.close()
        if running.stage is not None:
            running.stage.close()
        running.stage, running.feed = None, None

    def close(self) -> None:
        """Close the shared networks and end the threads, after everything was released."""
        self.retain_networks(())
        for compiler in (self._compiler, self._untrusted_compiler):
            compiler.shutdown(wait=True, cancel_futures=True)
        # Not canceled: networks that are to be closed wait there too.
        self._loader.shutdown(wait=True)


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
