"""Load, replace and run the network of one stage; the old one continues while a new one is built."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from desktop.base.errors import LightloomError
from desktop.base.wording import Text
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.compute.nn.session import Calls
from desktop.pipeline.chain.network_request import dense_request, live_values
from desktop.pipeline.filters.description import Filter, NetworkUse
from desktop.pipeline.filters.param import Values
from desktop.pipeline.running.dense.dense_network import explained, load_dense
from desktop.pipeline.running.description import NetworkDescription
from desktop.pipeline.running.inputs.picture import Picture
from desktop.pipeline.running.job import Job
from desktop.pipeline.running.one.runner import InferenceRunner
from desktop.pipeline.running.one.strategy import NetworkTurn
from desktop.vision.models.open_models import OpenModels
from desktop.vision.tasks.common.dense import DenseRequest, working_size

if TYPE_CHECKING:
    import wgpu

_MAX_NETWORKS: Final = 2
# Frames further apart than this are not playback.
_PLAYING_SECONDS: Final = 0.1


@dataclass(frozen=True)
class NetworkKey:
    """Key of a loaded network; `stamp` changes with the file."""

    model: str
    stamp: tuple[int, int]
    backend: str
    request: DenseRequest
    size: tuple[int, int]


@dataclass(frozen=True)
class FeedReport:
    """State of a stage's network.

    Attributes:
        description: backend, device, precision and the reason; the input; what was inferred or assumed.
        is_asynchronous: it runs on a thread or in slices, beside the frames.
        latency_ms, inference_ms: of an asynchronous network: from frame to result, and the network's share.
        inferences: milliseconds of its last inferences, oldest first; empty if they are unknown.
        in_step: the frame waits for its own result.
    """

    name: str
    description: NetworkDescription
    is_asynchronous: bool
    fps: float
    latency_ms: float | None = None
    inference_ms: float | None = None
    inferences: tuple[float, ...] = ()
    in_step: bool = False
    calls: Calls | None = None

    @property
    def text(self) -> Text:
        """The description in lines."""
        return self.description.text


@dataclass(frozen=True)
class _Built:
    key: NetworkKey
    runner: InferenceRunner


class NetworkFeed:
    """Feeds one stage with its network's output. For the rendering thread."""

    def __init__(
        self,
        gpu: Gpu,
        use: NetworkUse,
        loader: ThreadPoolExecutor,
        *,
        wait: bool,
        wake: Callable[[], None] = lambda: None,
        models: OpenModels | None = None,
    ) -> None:
        """Make a feed without a network; `wake` is called from another thread when there is something new."""
        self._models = models
        self._gpu, self._use, self._loader = gpu, use, loader
        self._wait, self._wake = wait, wake
        self._values: Values = {}
        self._current: _Built | None = None
        self.network_number = 0
        """Number of the network in use, counted from 1; 0 while there is none."""
        self._building: tuple[NetworkKey, Job[InferenceRunner]] | None = None
        self._held: list[_Built] = []
        self._has_news = False  # set from other threads: something arrived that no frame has used yet
        self._requested: NetworkKey | None = None
        self._looked: tuple[Values, tuple[int, int]] | None = None
        self._encoded_at = 0.0
        self._adjusted: tuple[InferenceRunner, dict[str, object]] | None = (
            None  # who has which of the stage's values
        )

    # -- what is wanted --------------------------------------------------------------------------------------

    def set_values(self, spec: Filter, values: Values) -> None:
        """Apply the stage's checked values; loading of another network starts with the next frame."""
        assert spec.network is not None
        self._use, self._values = spec.network, values

    def _key(self, picture: tuple[int, int]) -> NetworkKey:
        request = dense_request(self._use, self._values)
        model = str(self._values[self._use.model])
        backend = str(self._values[self._use.backend]) if self._use.backend else "auto"
        longer = max(picture) if self._use.enlarges else request.size or max(picture)
        size, _ = working_size(picture, longer, 1)
        return NetworkKey(model, _stamp(model), backend, request, size)

    # -- building --------------------------------------------------------------------------------------------

    def _advance(self, picture: tuple[int, int]) -> None:
        """Build or select the network for the requested values; raise LightloomError if that fails."""
        key = self._requested_key(picture)
        if self._current is not None and self._current.key == key:
            self._abandon()
            return
        kept = next((built for built in self._held if built.key == key), None)
        if kept is not None:
            self._abandon()
            self._held.remove(kept)
            self._use_network(kept)
            return
        if self._building is None or self._building[0] != key:
            self._abandon()
            self._building = (
                key,
                Job(
                    self._loader,
                    partial(self._load, key, live_values(self._use, self._values)),
                    self._mark_news,
                ),
            )
        if self._wait or self._building[1].is_done:
            job, self._building = self._building[1], None
            self._use_network(_Built(key, job.result()))

    def _requested_key(self, picture: tuple[int, int]) -> NetworkKey:
        # Read the file's time only when values or sizes change, not with each frame.
        looked = (self._values, picture)
        if self._requested is None or self._looked is None or self._looked != looked:
            self._requested, self._looked = self._key(picture), looked
        return self._requested

    def _load(self, key: NetworkKey, values: dict[str, object]) -> InferenceRunner:
        try:
            network = load_dense(
                self._gpu,
                key.model,
                key.size,
                key.request,
                backend=key.backend,
                models=self._models,
                values=values,
            )
        except Exception as error:
            raise explained(error, key.model) from error
        return InferenceRunner(self._gpu, network, wait=self._wait, on_result=self._mark_news)

    def _mark_news(self) -> None:
        self._has_news = True
        self._wake()

    def _use_network(self, built: _Built) -> None:
        if self._current is not None:
            self._current.runner.rest()
            if self._current.runner.network.is_heavy:
                self._retire(self._current)
            else:
                self._held.append(self._current)
        while len(self._held) > _MAX_NETWORKS:
            self._retire(self._held.pop(0))
        self._current = built
        self.network_number += 1

    def _abandon(self) -> None:
        if self._building is not None:
            self._building[1].abandon()
        self._building = None

    def _retire(self, built: _Built) -> None:
        # On the loading thread: closing waits for an inference that is under way.
        self._loader.submit(built.runner.close)

    def _adjust(self, runner: InferenceRunner) -> None:
        values = live_values(self._use, self._values)
        if values and (runner, values) != self._adjusted:
            runner.adjust(values)
            self._adjusted = (runner, values)

    # -- a frame ---------------------------------------------------------------------------------------------

    @property
    def _runner(self) -> InferenceRunner | None:
        return self._current.runner if self._current is not None else None

    @property
    def texture(self) -> wgpu.GPUTexture | None:
        """The newest output, which covers the frame; None while there is none."""
        return self._runner.texture if self._runner is not None else None

    @property
    def source(self) -> Picture | None:
        """The frame that the newest output is of; None while that is the one given."""
        return self._runner.source if self._runner is not None and self._needs_source else None

    @property
    def source_texture(self) -> wgpu.GPUTexture | None:
        """The image of `source`."""
        return self.source.texture if self.source is not None else None

    @property
    def _needs_source(self) -> bool:
        return bool(self._use.seen) or self.is_moved

    @property
    def held(self) -> Picture | None:
        """Frame that the stage is to process while it waits for its own result; None for the given one."""
        return self._runner.held if self._runner is not None else None

    @property
    def channels(self) -> int:
        """Channels of the network's output, 0 while there is none."""
        return self._runner.channels if self._runner is not None else 0

    @property
    def enlargement(self) -> int:
        """By how much the stage's frame is larger than what it reads."""
        return self._runner.enlargement if self._runner is not None and self._use.enlarges else 1

    @property
    def is_in_step(self) -> bool:
        """True where the frame is to wait for its own result."""
        return self._timing == NetworkUse.IN_STEP

    @property
    def is_moved(self) -> bool:
        """True where a late mask is to be moved to the frame."""
        return self._timing == NetworkUse.MOVED

    @property
    def _timing(self) -> object:
        return self._values.get(self._use.timing) if self._use.timing else None

    @property
    def has_news(self) -> bool:
        """True while something arrived that no frame has used: a loaded network, or a result."""
        return self._has_news

    @property
    def is_dirty(self) -> bool:
        """True if a repaint of the same frame should use new results; during playback the next frame does."""
        return self._has_news and time.perf_counter() - self._encoded_at > _PLAYING_SECONDS

    @property
    def is_loading(self) -> bool:
        """True while a network is being built."""
        return self._building is not None

    def encode(
        self,
        commands: FrameCommands,
        picture: Picture,
        timer: FrameTimer,
        span: str,
        *,
        reset: bool,
        look: bool,
        budget_ms: float | None,
    ) -> NetworkTurn | None:
        """Record a frame's work for the network, or return None. In batch work on the CPU the frame waits.

        Args:
            reset: earlier frames and results in flight are void.
            look: the image differs from that of the frame before.
            budget_ms: GPU time the network may use of this frame; None for a complete inference.

        Raises:
            LightloomError: the network cannot be built, or failed.
        """
        self._has_news, self._encoded_at = False, time.perf_counter()
        if not self._values:
            return None
        self._advance((picture.texture.width, picture.texture.height))
        if self._runner is None:
            return None
        try:
            self._adjust(self._runner)
            if reset:
                self._runner.void()
            turn = self._runner.encode(
                commands,
                picture,
                timer,
                span,
                look=look,
                budget_ms=budget_ms,
                keep_seen=self._needs_source,
                in_step=self.is_in_step,
            )
        except LightloomError:
            # The next attempt, after another value or a switch off and on, begins with a new one.
            self._retire(cast(_Built, self._current))
            self._current = None
            raise
        if turn.part is not None and (not turn.finished or self._runner.is_due):
            self._has_news = True  # the rest of it, or a frame that came while slices processed another
        if self._runner.is_changing:
            self._has_news = True  # the same frame is to be processed again
        return turn

    @property
    def report(self) -> FeedReport | None:
        """State of the network; None while there is none."""
        if self._current is None:
            return None
        runner = self._current.runner
        is_asynchronous = not self._wait and runner.is_asynchronous
        return FeedReport(
            name=runner.network.name,
            description=runner.network.description,
            is_asynchronous=is_asynchronous,
            fps=runner.results.rate(time.perf_counter()),
            latency_ms=runner.latency.mean if is_asynchronous and runner.latency.values else None,
            inference_ms=self._inference_ms(runner) if is_asynchronous else None,
            inferences=tuple(runner.inference.values) if is_asynchronous else (),
            in_step=is_asynchronous and self.is_in_step,
            calls=runner.network.caller.calls,
        )

    @staticmethod
    def _inference_ms(runner: InferenceRunner) -> float | None:
        # A thread's results tell it; of slices the GPU's times add up.
        return runner.inference.mean if runner.inference.values else runner.strategy.inference_ms

    def close(self) -> None:
        """Release all networks; on the loading thread, because one may be at work."""
        self._abandon()
        for built in (*self._held, *([self._current] if self._current is not None else [])):
            self._retire(built)
        self._held, self._current = [], None


def _stamp(model: str) -> tuple[int, int]:
    try:
        stat = Path(model).stat()
    except (OSError, ValueError):  # a built-in's name, or no file: its loader reports it
        return (0, 0)
    return stat.st_mtime_ns, stat.st_size
