"""The network of one stage: which is wanted, which is in use, what it has given.

A network is built for its file, its settings and the size of its input, on a thread of its own; while another is being built the old one
goes on, and those used lately are kept. Three ways lead from a picture to its result:

    wgpu              inside the frame: the result is that of this very picture; on a GPU that takes longer than the pictures leave it, in
                      slices over several frames: the stage shows the newest result, and the pictures keep their rate
    onnxruntime       on a thread, on the newest picture: the stage shows the newest result, the picture never waits
    onnxruntime, in   the frame waits for its own result (`wait`): what is written to a file is exact
    batch work
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import wgpu

from desktop.compute.filters.description import Filter, NetworkUse
from desktop.compute.filters.param import Values
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer, ResultRate, Series
from desktop.compute.models.open_models import OpenModels
from desktop.compute.running.dense_network import DenseNetwork, explained
from desktop.compute.running.description import Description
from desktop.compute.running.picture_network import Slice
from desktop.compute.tasks.common.dense import DenseRequest, working_size
from desktop.errors import LightloomError
from desktop.wording import Text

_KEPT: Final = 2
# Pictures that are further apart than this do not play.
_PLAYING_SECONDS: Final = 0.1


@dataclass(frozen=True)
class NetworkKey:
    """What a network is built from; another key is another network. `stamp` changes with the file."""

    model: str
    stamp: tuple[int, int]
    backend: str
    request: DenseRequest
    size: tuple[int, int]


@dataclass(frozen=True)
class FeedReport:
    """How a stage's network is doing.

    Attributes:
        name: the network's file.
        description: backend, device, precision and why; the input; what was inferred or assumed.
        beside: True where it runs beside the pictures, on a thread or in slices, so that the stage shows the newest result.
        fps: results a second.
        latency_ms, inference_ms: of a network beside the pictures: from the picture to its result, and the network's part of it.
    """

    name: str
    description: Description
    beside: bool
    fps: float
    latency_ms: float | None = None
    inference_ms: float | None = None

    @property
    def text(self) -> Text:
        """The description in lines."""
        return self.description.text


@dataclass(frozen=True)
class StageJob:
    """A slice of a network that a frame recorded; `measured` is to be told what it took on the GPU."""

    network: DenseNetwork
    part: Slice

    def measured(self, gpu_ms: float) -> None:
        """Take in the time of the slice's span."""
        self.network.measured(self.part, gpu_ms)


@dataclass(frozen=True)
class _Built:
    key: NetworkKey
    network: DenseNetwork


class _SeenPicture:
    """Copies of the picture that a network works on and of the one that its newest result is of; made when a network first lags.

    A copy, because the stage's own input is overwritten by the next picture. Swapping the two would spare the second copy, but cost
    bind groups in the frame.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._copies: tuple[Any, ...] = ()
        self._is_finished = False

    @property
    def is_kept(self) -> bool:
        """True once there are copies."""
        return bool(self._copies)

    @property
    def texture(self) -> Any:
        """The picture of the newest result; None while that is the stage's input, or there is none."""
        return self._copies[1] if self._is_finished else None

    def begin(self, encoder: Any, source: Any) -> None:
        """Record that the network takes up `source`."""
        if not self._copies or self._copies[0].size != source.size or self._copies[0].format != source.format:
            self.close()
            usage = (
                wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_SRC | wgpu.TextureUsage.COPY_DST
            )
            self._copies = tuple(
                self._gpu.device.create_texture(
                    label=f"seen picture {i}", size=source.size, format=source.format, usage=usage
                )
                for i in range(2)
            )
        _copy(encoder, source, self._copies[0])

    def finish(self, encoder: Any) -> None:
        """Record that the result of what was begun last is there."""
        if self._copies:
            _copy(encoder, *self._copies)
            self._is_finished = True

    def close(self) -> None:
        """Release the copies."""
        for texture in self._copies:
            texture.destroy()
        self._copies, self._is_finished = (), False


def _copy(encoder: Any, source: Any, target: Any) -> None:
    encoder.copy_texture_to_texture({"texture": source}, {"texture": target}, source.size)


class NetworkFeed:
    """Feeds one stage with its network's output. For the rendering thread.

    Attributes:
        texture: the newest output, which covers the picture; None while there is none.
        channels: of the output.
        job: the slice that the frame recorded last did of the network; None where it did none, or a whole inference.
    """

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
        """Make a feed without a network.

        Args:
            gpu: the device.
            use: the filter's declaration.
            loader: builds networks.
            wait: batch work.
            wake: called from another thread when there is something new.
            models: may have a network open already.
        """
        self._models = models
        self._gpu, self._use, self._loader = gpu, use, loader
        self._wait, self._wake = wait, wake
        self._values: Values = {}
        self._current: _Built | None = None
        self._building: tuple[NetworkKey, Future[DenseNetwork]] | None = None
        self._kept: list[_Built] = []
        self._has_result = False
        self._has_news = False  # set from other threads: something has come that no frame has taken up yet
        self._is_sliced = False
        self._is_due = True  # there is a picture that the network has not looked at
        self._generation = 0
        self.job: StageJob | None = None
        self._seen = _SeenPicture(gpu)
        self._wanted: NetworkKey | None = None
        self._looked: tuple[Values, tuple[int, int]] | None = None
        self._encoded_at = 0.0
        self._results = ResultRate()
        self._latency, self._inference = Series(30), Series(30)

    # -- what is wanted ------------------------------------------------------------------------------------------------

    def set_values(self, spec: Filter, values: Values) -> None:
        """Take over the stage's checked values; another network is begun with the next frame."""
        assert spec.network is not None
        self._use, self._values = spec.network, values

    def _request(self) -> DenseRequest:
        use, values = self._use, self._values

        def chosen(name: str) -> str:
            value = str(values[name]) if name else ""
            return "" if value == "auto" else value

        channel = int(cast(int, values[use.channel])) if use.channel else -1
        return DenseRequest(
            output=use.output,
            size=int(cast(int, values[use.size])) if use.size else None,
            scale=chosen(use.scale),
            colors=chosen(use.colors),
            output_scale=chosen(use.output_scale),
            channel=channel if channel >= 0 else None,
        )

    def _key(self, picture: tuple[int, int]) -> NetworkKey:
        request = self._request()
        model = str(self._values[self._use.model])
        backend = str(self._values[self._use.backend]) if self._use.backend else "auto"
        size, _ = working_size(picture, request.size or max(picture), 1)
        return NetworkKey(model, _stamp(model), backend, request, size)

    # -- building ------------------------------------------------------------------------------------------------------

    def _advance(self, picture: tuple[int, int]) -> None:
        """Bring the network in use to what is wanted, as far as it can be had.

        Raises:
            LightloomError: it cannot be built.
        """
        key = self._wanted_key(picture)
        if self._current is not None and self._current.key == key:
            self._abandon()
            return
        kept = next((built for built in self._kept if built.key == key), None)
        if kept is not None:
            self._abandon()
            self._kept.remove(kept)
            self._use_network(kept)
            return
        if self._building is None or self._building[0] != key:
            self._abandon()
            future = self._loader.submit(self._load, key)
            future.add_done_callback(lambda _: self._tell())
            self._building = (key, future)
        if self._wait or self._building[1].done():
            future, self._building = self._building[1], None
            self._use_network(_Built(key, future.result()))

    def _wanted_key(self, picture: tuple[int, int]) -> NetworkKey:
        # The file's time is looked at when values or sizes change, not with each frame.
        looked = (self._values, picture)
        if self._wanted is None or self._looked is None or self._looked != looked:
            self._wanted, self._looked = self._key(picture), looked
        return self._wanted

    def _load(self, key: NetworkKey) -> DenseNetwork:
        try:
            network = DenseNetwork.load(
                self._gpu, key.model, key.size, key.request, backend=key.backend, models=self._models
            )
        except Exception as error:
            raise explained(error, key.model) from error
        if not network.on_gpu and not self._wait:
            network.start(self._tell)
        return network

    def _tell(self) -> None:
        self._has_news = True
        self._wake()

    def _use_network(self, built: _Built) -> None:
        if self._current is not None:
            self._kept.append(self._current)
        while len(self._kept) > _KEPT:
            self._retire(self._kept.pop(0))
        self._current = built
        self._is_due = True
        self._seen.close()
        self._forget_results()

    def _abandon(self) -> None:
        if self._building is not None and not self._building[1].cancel():
            self._building[1].add_done_callback(_close_network)
        self._building = None

    def _retire(self, built: _Built) -> None:
        # On the loading thread: closing waits for an inference that is under way.
        self._loader.submit(built.network.close)

    def _forget_results(self) -> None:
        self._has_result = False
        self._generation += 1
        self._latency.clear()
        self._inference.clear()
        self._results.clear()

    # -- a frame -------------------------------------------------------------------------------------------------------

    @property
    def texture(self) -> Any:
        """The newest output; None while there is none."""
        return self._current.network.texture if self._current is not None and self._has_result else None

    @property
    def seen(self) -> Any:
        """The picture that the newest output is of; None while that is the stage's input."""
        return self._seen.texture

    @property
    def channels(self) -> int:
        """Channels of the network's output, 0 while there is none."""
        return self._current.network.layout.channels if self._current is not None else 0

    @property
    def has_news(self) -> bool:
        """True while something has come that no frame has taken up: a network that is ready, or a result."""
        return self._has_news

    @property
    def is_dirty(self) -> bool:
        """True if a repaint of the same picture should take up what has come; while pictures play, the next one does."""
        return self._has_news and time.perf_counter() - self._encoded_at > _PLAYING_SECONDS

    @property
    def is_loading(self) -> bool:
        """True while a network is being built."""
        return self._building is not None

    def encode(
        self,
        commands: FrameCommands,
        source: Any,
        timer: FrameTimer,
        span: str,
        *,
        reset: bool,
        look: bool,
        budget_ms: float | None,
    ) -> bool:
        """Record what this frame does for the network, and return whether it has another result now.

        In batch work on the CPU the frame waits for it.

        Args:
            commands: the frame's.
            source: the texture that the stage reads.
            timer: gets a span called `span`, where something is recorded.
            reset: the past is void, and with it a result that is under way.
            look: the picture is another one than in the frame before. A network beside the pictures does not look at one again.
            budget_ms: GPU time that the network may take of this frame; None for a whole inference.

        Raises:
            LightloomError: the network cannot be built, or failed.
        """
        self._has_news, self._encoded_at, self.job = False, time.perf_counter(), None
        self._is_due |= look
        if not self._values:
            return False
        self._advance((source.width, source.height))
        if self._current is None:
            return False
        try:
            if reset:
                self._void(self._current.network)
            return self._encode(commands, self._current.network, source, timer, span, budget_ms)
        except LightloomError:
            # The next attempt, after another value or a switch off and on, begins with a new one.
            self._retire(self._current)
            self._current, self._has_result = None, False
            raise

    def _encode(
        self,
        commands: FrameCommands,
        network: DenseNetwork,
        source: Any,
        timer: FrameTimer,
        span: str,
        budget_ms: float | None,
    ) -> bool:
        network.bind(source)
        if network.on_gpu:
            compute_pass = commands.encoder.begin_compute_pass(**timer.begin(span))
            part = network.encode(compute_pass, budget_ms)
            compute_pass.end()
            timer.end()
            self.job = StageJob(network, part) if part is not None else None
            self._is_sliced = part is not None and (part.start > 0 or not part.finished)
            self._keep_seen(commands.encoder, source, part)
            if part is not None and not part.finished:
                self._has_news = True  # the rest of it
                return False
        elif self._wait:
            # The span's time on the CPU is that of the inference, which the frame waits for.
            stamps = timer.begin(span)
            try:
                network.run_now(commands, **stamps)
            finally:
                timer.end()
        else:
            return self._encode_beside(commands.encoder, network, source, timer, span)
        self._has_result = True
        self._results.tick(time.perf_counter())
        return True

    def _keep_seen(self, encoder: Any, source: Any, part: Slice | None) -> None:
        # A network that always finishes within its frame needs no copy: what it saw is what the stage reads.
        if not self._use.seen or not (self._is_sliced or self._seen.is_kept):
            return
        if part is None or part.start == 0:
            self._seen.begin(encoder, source)
        if part is None or part.finished:
            self._seen.finish(encoder)

    def _void(self, network: DenseNetwork) -> None:
        # A result of the past must not be shown as one of the present. Within the frame it is replaced at once.
        self._generation += 1
        network.restart()
        if not network.on_gpu or self._is_sliced:
            self._has_result = False

    def _encode_beside(
        self, encoder: Any, network: DenseNetwork, network_input: Any, timer: FrameTimer, span: str
    ) -> bool:
        result = network.poll()
        fresh = result is not None and result.note == self._generation
        if result is not None and fresh:
            self._latency.add(result.latency_ms)
            self._inference.add(result.inference_ms)
            self._results.tick(time.perf_counter())
        # A pass with nothing in it too: the span stays in its place among the frame's times.
        compute_pass = encoder.begin_compute_pass(**timer.begin(span))
        if fresh:
            network.encode_output(compute_pass)
            self._has_result = True
        taken_up = self._is_due and network.prepare(compute_pass)
        if taken_up:
            self._is_due = False
        compute_pass.end()
        timer.end()
        network.capture(encoder)
        if self._use.seen and fresh:
            self._seen.finish(encoder)
        if self._use.seen and taken_up:
            self._seen.begin(encoder, network_input)
        return fresh

    def submitted(self) -> int:
        """The frame was submitted: the network's thread may have its input. Return the bytes that it reads back for it."""
        return self._current.network.submitted(self._generation) if self._current is not None else 0

    @property
    def report(self) -> FeedReport | None:
        """How the network is doing; None while there is none."""
        if self._current is None:
            return None
        network = self._current.network
        beside = not self._wait and (not network.on_gpu or self._is_sliced)
        return FeedReport(
            name=network.name,
            description=network.description,
            beside=beside,
            fps=self._results.rate(time.perf_counter()),
            latency_ms=self._latency.mean if beside and self._latency.values else None,
            inference_ms=self._inference.mean if beside and self._inference.values else None,
        )

    def close(self) -> None:
        """Release all networks; on the loading thread, because one may be at work."""
        self._abandon()
        for built in (*self._kept, *([self._current] if self._current is not None else [])):
            self._retire(built)
        self._kept, self._current, self._has_result = [], None, False
        self._seen.close()


def _stamp(model: str) -> tuple[int, int]:
    try:
        stat = Path(model).stat()
    except (OSError, ValueError):  # a built-in's name, or no file: whoever loads it will say
        return (0, 0)
    return stat.st_mtime_ns, stat.st_size


def _close_network(future: Future[DenseNetwork]) -> None:
    if not future.cancelled() and future.exception() is None:
        future.result().close()
