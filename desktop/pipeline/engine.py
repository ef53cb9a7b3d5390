"""Engine shared by the window and the command line: a device and its source pipelines, one per source."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import wgpu

from desktop.base.errors import DeviceLostError, GpuError, LightloomError, ModelError
from desktop.base.memory import DelayedMemoryTrim
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import Frame
from desktop.pipeline.automation.controls import ControlValues
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.texts import PaintText
from desktop.pipeline.network_previews import NetworkPreviews
from desktop.pipeline.picture.color_mode import ColorMode
from desktop.pipeline.picture.present import LaidOver, View
from desktop.pipeline.picture.staging import FrameStaging
from desktop.pipeline.pipeline import Pipeline, RecordMore
from desktop.pipeline.prefetch import prefetch
from desktop.pipeline.previews.renderer import PreviewRenderer
from desktop.pipeline.running.analysis import Analysis
from desktop.pipeline.running.job import Job
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.scopes.values import ScopesSpec
from desktop.pipeline.source_pipeline import SourcePipeline
from desktop.vision.models.open_models import OpenModels
from desktop.vision.tracking.scene import Scene, TrackedResult

if TYPE_CHECKING:
    from desktop.pipeline.filters.verifier import FilterVerifier
    from desktop.vision.tasks.task import Result

log = logging.getLogger(__name__)

LoadNetwork = Callable[[Gpu, NetworkSpec], Analysis]

_MAX_LOSSES: Final = 3
_STAGED: Final = 5
"""Frames in staging memory: two in flight, one being recorded and two ahead of it."""
_STAGED_WAIT_S: Final = 0.2
_DECODED: Final = 3
"""Decoded frames that wait to be staged."""
_LOSS_SECONDS: Final = 30.0


_Owner: TypeAlias = "Pipeline | PreviewRenderer | NetworkPreviews | FrameStaging"
"""Owner of GPU objects."""


class Engine:
    """Owns a `Gpu` and its source pipelines, and survives device loss. For the rendering thread.

    Attributes:
        gpu: the device in use; another object after a loss.
        models: networks opened for inspection that are still to be loaded.
        controls: values of controllers, for all source pipelines.
        on_rebuild: called on the rendering thread before the next frame (a canvas must be reconfigured).
        on_previews: called on another thread when previews have finished; must only wake the render thread.
        on_tracked_result: called in order with every `TrackedResult` on the rendering thread; must be quick.
    """

    def __init__(
        self,
        open_gpu: Callable[[], Gpu],
        library: FilterLibrary,
        load_network: LoadNetwork,
        *,
        wait: bool = False,
        in_flight: int = 2,
        verifier: FilterVerifier | None = None,
        models: OpenModels | None = None,
        paint_text: PaintText | None = None,
        continues_without_server: bool = False,
    ) -> None:
        """Open a device; without a `verifier`, untrusted filters are used without a trial, and without
        `paint_text`, layers have no texts. `continues_without_server`: with `wait`, frames go on without results while
        the server of the network is away.
        """
        self._continues_without_server = continues_without_server
        self._paint_text = paint_text
        self._open_gpu = open_gpu
        self._verifier = verifier
        self.models = models or OpenModels()
        self.controls = ControlValues()
        self.library = library
        self._load_network = load_network
        self._wait = wait
        self._in_flight = in_flight
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="network")
        self._memory_trim = DelayedMemoryTrim()
        self._losses: list[float] = []
        self._on_progress: Callable[[], None] | None = None
        self._watches_input = self._counts = False
        self._scopes = ScopesSpec()
        self.rebuilds = self.losses = 0
        self.on_rebuild: Callable[[], None] | None = None
        self.on_previews: Callable[[], None] | None = None
        # Made when the first are requested.
        self._previews: PreviewRenderer | None = None
        self._network_previews: NetworkPreviews | None = None
        self.on_tracked_result: list[Callable[[TrackedResult], None]] = []
        self.gpu = open_gpu()
        self._staging = FrameStaging(self.gpu, _STAGED)
        self.current = self._make_source_pipeline()
        self.current.on_tracked_result = self._notify_listeners
        self._source_pipelines = [self.current]

    def _make_pipeline(self, scene: Scene, on_tracked_result: Callable[[TrackedResult], None]) -> Pipeline:
        return Pipeline(
            self.gpu,
            self.library,
            wait=self._wait,
            in_flight=self._in_flight,
            verifier=self._verifier,
            models=self.models,
            scene=scene,
            on_tracked_result=on_tracked_result,
            controls=self.controls,
            paint_text=self._paint_text,
            continues_without_server=self._continues_without_server,
        )

    def _make_source_pipeline(self) -> SourcePipeline:
        return SourcePipeline(
            self._make_pipeline, self._start_loading, wait=self._wait, on_release=self._memory_trim.request
        )

    def _start_loading(self, network: NetworkSpec) -> Job[Analysis]:
        return Job(self._loader, partial(self._load_network, self.gpu, network))

    def _notify_listeners(self, tracked_result: TrackedResult) -> None:
        for listener in tuple(self.on_tracked_result):
            listener(tracked_result)

    # -- the source pipelines --------------------------------------------------------------------------------

    @property
    def pipeline(self) -> Pipeline:
        """The current source pipeline's `Pipeline`."""
        return self.current.pipeline

    @property
    def source_pipelines(self) -> tuple[SourcePipeline, ...]:
        """All source pipelines, in order of creation."""
        return tuple(self._source_pipelines)

    def count(self) -> None:
        """Update the totals of all source pipelines (`SourcePipeline.totals`), for another thread."""
        self._counts = True
        for source_pipeline in self._source_pipelines:
            source_pipeline.count()

    def add_source_pipeline(self) -> SourcePipeline:
        """Add a source pipeline with the setup of the current one."""
        source_pipeline = self._make_source_pipeline()
        if self._counts:
            source_pipeline.count()
        source_pipeline.deinterlaces = self.deinterlaces
        source_pipeline.pipeline.on_progress = self._on_progress
        source_pipeline.view = View(background=self.current.view.background)
        source_pipeline.set_setup(self.current.setup)
        self._source_pipelines.append(source_pipeline)
        self._share_device()
        return source_pipeline

    def _share_device(self) -> None:
        for source_pipeline in self._source_pipelines:
            source_pipeline.pipeline.sharers = len(self._source_pipelines)

    def use_source_pipeline(self, source_pipeline: SourcePipeline) -> None:
        """Make a source pipeline the current one: only its results go to `on_tracked_result`."""
        self.current.on_tracked_result = lambda _: None
        self.current.watch_input(False)
        self.current.try_chain(None)
        self.current.watch_scopes(ScopesSpec())
        self.current = source_pipeline
        source_pipeline.on_tracked_result = self._notify_listeners
        source_pipeline.watch_input(self._watches_input)
        source_pipeline.watch_scopes(self._scopes)

    def remove_source_pipeline(self, source_pipeline: SourcePipeline) -> None:
        """Release a source pipeline that is not the current one."""
        assert source_pipeline is not self.current
        self._source_pipelines.remove(source_pipeline)
        self._share_device()
        source_pipeline.close()

    # -- all of them -----------------------------------------------------------------------------------------

    def poll(self) -> None:
        """Install a loaded network, for times when no source is open and `render` is not called."""
        self.models.expire()
        self._memory_trim.poll()
        for source_pipeline in self._source_pipelines:
            source_pipeline.collect_network()

    @property
    def on_progress(self) -> Callable[[], None] | None:
        """See `Pipeline`."""
        return self._on_progress

    @on_progress.setter
    def on_progress(self, callback: Callable[[], None] | None) -> None:
        self._on_progress = callback
        for source_pipeline in self._source_pipelines:
            source_pipeline.pipeline.on_progress = callback

    @property
    def deinterlaces(self) -> bool:
        """Whether interlaced frames are deinterlaced; affects the frame shown at the next `render`."""
        return self.current.deinterlaces

    @deinterlaces.setter
    def deinterlaces(self, wanted: bool) -> None:
        for source_pipeline in self._source_pipelines:
            source_pipeline.deinterlaces = wanted

    @property
    def color_mode(self) -> ColorMode:
        """How the current source's frames are converted and exported; set it before the first frame."""
        return self.pipeline.color_mode

    @color_mode.setter
    def color_mode(self, mode: ColorMode) -> None:
        self.pipeline.color_mode = mode

    # -- frames ----------------------------------------------------------------------------------------------

    def render(
        self,
        frame: Frame | None,
        target: wgpu.GPUTexture | None = None,
        source_pipeline: SourcePipeline | None = None,
        after: RecordMore | None = None,
    ) -> bool:
        """Render on the current or another source pipeline; raise GpuError if no device can be created.

        `after` records what follows the drawing. A lost device is replaced and the frame rendered again,
        without `target`, which is the old device's.
        """
        self.poll()
        try:
            return (source_pipeline or self.current).render(frame, target, after)
        except DeviceLostError as error:
            self._rebuild_after(error)
            return True

    def recover(self) -> None:
        """Replace a lost device; raise GpuError if none can be created. Must be called before a canvas's
        texture is requested: on a lost device wgpu-native aborts the process there.
        """
        try:
            # Each source pipeline has its own readback, which may detect the loss first.
            for source_pipeline in self._source_pipelines:
                source_pipeline.pipeline.check_device()
        except DeviceLostError as error:
            self._rebuild_after(error)

    def _rebuild_after(self, loss: DeviceLostError) -> None:
        log.warning("%s Rebuilding.", loss)
        self.losses += 1
        # A driver being reset may refuse a device for a moment; if each new device is lost, retries must end.
        now = time.perf_counter()
        self._losses = [at for at in self._losses if now - at < _LOSS_SECONDS]
        if len(self._losses) >= _MAX_LOSSES:
            raise GpuError(
                sentence(
                    "The GPU was lost {max_losses} times within {loss_seconds:.0f} s; switch off the "
                    "filter or "
                    "network that overloads it, or update its driver, and start Lightloom again.",
                    max_losses=_MAX_LOSSES,
                    loss_seconds=_LOSS_SECONDS,
                )
            ) from loss
        self._losses.append(now)
        self.rebuild()

    def analyze_frame(self, frame: Frame, timeout: float = 120.0) -> Result:
        """Render a frame and wait for its result (needs `wait`); raise ModelError on failure or timeout."""
        self.pipeline.analyses.clear_results()
        self.render(frame)
        self.await_result(timeout)
        result = self.pipeline.analyses.latest
        if result is None:
            raise _timeout_error(timeout)
        return result

    def await_result(self, timeout: float = 120.0) -> None:
        """Wait for the network's results for all frames rendered so far (batch work).

        Raise ModelError if inference failed or took longer than `timeout` seconds, or DeviceLostError.
        """
        self.pipeline.drain(timeout)
        self.pipeline.await_analysis(timeout)
        self.pipeline.check_device()
        analyses = self.pipeline.analyses
        if analyses.error is not None:
            raise ModelError(analyses.error)
        if analyses.is_awaited:
            raise _timeout_error(timeout)

    def rebuild(self, open_gpu: Callable[[], Gpu] | None = None) -> None:
        """Recreate all GPU objects, on the adapter of `open_gpu` if given; raise GpuError if that fails."""
        if open_gpu is not None:
            self._open_gpu = open_gpu
        gpu = self._open_gpu()
        old_gpu, self.gpu = self.gpu, gpu
        old_pipelines = [source_pipeline.rebuild() for source_pipeline in self._source_pipelines]
        made = (self._previews, self._network_previews, self._staging)
        self._previews = self._network_previews = None
        self._staging = FrameStaging(gpu, _STAGED)
        others = tuple(each for each in made if each is not None)
        self.rebuilds += 1
        # Before the old device is released: a canvas may still have to return a texture of it.
        if self.on_rebuild is not None:
            self.on_rebuild()
        self._discard((*others, *old_pipelines), old_gpu)
        for source_pipeline in self._source_pipelines:
            source_pipeline.render_again()

    @staticmethod
    def _discard(owners: Sequence[_Owner], gpu: Gpu) -> None:
        for part in (*owners, gpu):
            # Objects of a lost device may even fail to be released.
            try:
                part.close()
            except (wgpu.GPUError, RuntimeError, LightloomError) as error:
                log.info("while releasing a lost device: %s", error)

    def stop(self) -> None:
        """Cancel all waits with a `StoppedError`; safe in signal handlers. Only `close` may follow."""
        self.gpu.stopping.set()
        for source_pipeline in self._source_pipelines:
            source_pipeline.pipeline.chain.stop_trials()

    # -- previews --------------------------------------------------------------------------------------------

    @property
    def previews(self) -> PreviewRenderer:
        """The renderer of previews; another object, without requests, after a rebuild."""
        if self._previews is None:
            self._previews = PreviewRenderer(self.gpu, self.library, verifier=self._verifier)
            self._previews.on_arrival = self._notify_of_previews
        return self._previews

    @property
    def network_previews(self) -> NetworkPreviews:
        """What computes previews of networks; another object, without requests, after a rebuild."""
        if self._network_previews is None:
            self._network_previews = NetworkPreviews(
                self.gpu,
                self.library,
                self._load_network,
                verifier=self._verifier,
                on_release=self._memory_trim.request,
            )
            self._network_previews.on_arrival = self._notify_of_previews
        return self._network_previews

    def _notify_of_previews(self) -> None:
        if self.on_previews is not None:
            self.on_previews()

    def render_previews(self) -> None:
        """Render requested previews of the frame shown; see `PreviewRenderer.render`. Never waits.

        A lost device is replaced.

        Raises:
            GpuError: no device can be created any more.
        """
        try:
            self.pipeline.render_previews(self.previews)
            networks = self._network_previews
            # First all of what is quick, which would have to wait for turns at a software adapter.
            if (
                networks is not None
                and self.previews.are_rendered
                and (frames := networks.frames) is not None
            ):
                self.pipeline.render_previews(frames)
        except DeviceLostError as error:
            self._rebuild_after(error)

    # -- display ---------------------------------------------------------------------------------------------

    def watch_input(self, on: bool) -> None:
        """Enable reading back the network's input tensor, for display while nothing is redacted."""
        self._watches_input = on
        self.current.watch_input(on)

    def watch_scopes(self, spec: ScopesSpec) -> None:
        """Compute scopes of the current source pipeline's frames; with an empty spec nothing is computed."""
        self._scopes = spec
        self.current.watch_scopes(spec)

    def draw_shown(
        self, target: wgpu.GPUTexture, view: View, over: LaidOver | None = None, *, is_shown: bool = True
    ) -> None:
        """Draw the frame shown into another target, see `Pipeline.draw_shown`; nothing after a device loss.

        Raise GpuError if the GPU rejects it, or the lost device cannot be replaced.
        """
        try:
            self.pipeline.draw_shown(target, view, over or LaidOver(), is_shown=is_shown)
        except DeviceLostError as error:
            self._rebuild_after(error)

    def filters_changed(self) -> None:
        """Reload the filters: the library has added, removed or changed some."""
        for source_pipeline in self._source_pipelines:
            source_pipeline.pipeline.chain.filters_changed()

    def staged(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """Yield frames, read ahead by a thread, with their planes in memory that the GPU reads.

        The thread that iterates copies them. One thread that decoded and copied would wait for the interpreter's
        lock after each, and fall behind the one that renders. On a software adapter they stay as they are.
        """
        if self.gpu.adapter.is_software and not self.gpu.stages_uploads:
            yield from frames
            return
        with contextlib.closing(prefetch(frames, _DECODED)) as decoded:
            for frame in decoded:
                yield self._staging.stage(frame, _STAGED_WAIT_S)

    def close(self) -> None:
        """Release everything."""
        for source_pipeline in self._source_pipelines:
            source_pipeline.abandon_loading()
        self._loader.shutdown(wait=True, cancel_futures=True)
        for source_pipeline in self._source_pipelines:
            source_pipeline.close()
        for each in (self._network_previews, self._previews):
            if each is not None:
                each.close()
        self._staging.close()
        self.gpu.close()


def _timeout_error(timeout: float) -> ModelError:
    return ModelError(
        sentence("The network gave no answer within {timeout:.0f} s; choose a smaller one.", timeout=timeout)
    )
