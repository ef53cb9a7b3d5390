"""What the window and the command line both hold: the wanted setup, the pipeline that runs it, and its rebirth after a device loss.

Everything that a user chose lives here as plain data (`Setup`, `View`); everything on the GPU can be made from it again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import wgpu

from desktop.compute.filters.library import FilterLibrary
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.wgpu_native.messages import gpu_reason
from desktop.compute.mask_layer import DrawnMask
from desktop.compute.media.frame import Frame
from desktop.compute.models.open_models import OpenModels
from desktop.compute.pipeline import Pipeline
from desktop.compute.present import LaidOver, PendingPicture, View
from desktop.compute.presets.preset import Setup
from desktop.compute.running.analysis import Analysis
from desktop.compute.running.network_spec import NetworkSpec
from desktop.compute.snapshot import FrameSnapshot, NetworkStatus
from desktop.compute.tracking.scene import Scene, Sighting
from desktop.errors import DeviceLostError, GpuError, LightloomError, ModelError
from desktop.wording import sentence

if TYPE_CHECKING:
    import numpy as np

    from desktop.compute.filters.judge import FilterJudge
    from desktop.compute.tasks.task import Result

log = logging.getLogger(__name__)

LoadNetwork = Callable[[Gpu, NetworkSpec], Analysis]

_MAX_LOSSES: Final = 3
_LOSS_SECONDS: Final = 30.0


class Engine:
    """Owns a `Gpu` and a `Pipeline`, applies setups, survives device loss. For the rendering thread.

    Attributes:
        gpu: the device in use; another object after a loss.
        pipeline: likewise.
        models: networks that were opened to be looked at, on their way to be loaded.
        rebuilds: how often everything was made anew.
        on_rebuild: called after that, on the rendering thread, before the next frame (a canvas is configured again).
        on_sighting: each is called with every `Sighting`, in their order, on the rendering thread; must be quick.
    """

    def __init__(
        self,
        open_gpu: Callable[[], Gpu],
        library: FilterLibrary,
        load_network: LoadNetwork,
        *,
        wait: bool = False,
        in_flight: int = 2,
        judge: FilterJudge | None = None,
        models: OpenModels | None = None,
    ) -> None:
        """Open a device.

        Args:
            judge: tries the filters of strangers before they are used; None trusts them.
            models: where networks that are open already wait to be loaded; `load_network` looks there for its own.
        """
        self._open_gpu = open_gpu
        self._judge = judge
        self.models = models or OpenModels()
        self.library = library
        self._load_network = load_network
        self._wait = wait
        self._in_flight = in_flight
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="network")
        self._loading: Future[Analysis] | None = None
        self._setup = Setup()
        self._frame: Frame | None = None
        self._losses: list[float] = []
        self._on_progress: Callable[[], None] | None = None
        self._loading_status = NetworkStatus()
        self.rebuilds = 0
        self.on_rebuild: Callable[[], None] | None = None
        self.on_sighting: list[Callable[[Sighting], None]] = []
        # What is known of things over time outlives a device.
        self._scene = Scene()
        self.gpu = open_gpu()
        self.pipeline = self._make_pipeline(self.gpu)

    def _make_pipeline(self, gpu: Gpu) -> Pipeline:
        return Pipeline(
            gpu,
            self.library,
            wait=self._wait,
            in_flight=self._in_flight,
            judge=self._judge,
            models=self.models,
            scene=self._scene,
            on_sighting=self._tell,
        )

    def _tell(self, sighting: Sighting) -> None:
        for listener in tuple(self.on_sighting):
            listener(sighting)

    # -- the setup -----------------------------------------------------------------------------------------------------

    @property
    def setup(self) -> Setup:
        """What is wanted."""
        return self._setup

    def set_setup(self, setup: Setup) -> None:
        """Bring the pipeline to a setup; returns at once, filters and networks join when they are ready (with `wait`: before it returns).

        Raises:
            LightloomError: only with `wait`: the network cannot be used.
        """
        before, self._setup = self._setup, setup
        if before.chain != setup.chain:
            self.pipeline.set_chain(setup.chain)
        if before.scene != setup.scene:
            self._scene.use(setup.scene)
            self.pipeline.analyses.look_again()
        if before.network != setup.network and not self._adjusted():
            self._start_loading()

    def _adjusted(self) -> bool:
        # A threshold is dragged: that must not load the network anew for every step.
        network, analysis = self._setup.network, self.pipeline.analyses.current
        if network is None or analysis is None or self._loading is not None or not analysis.adjust(network):
            return False
        self.pipeline.analyses.on_result = network.on_result
        self.pipeline.analyses.look_again()
        return True

    def _start_loading(self) -> None:
        network = self._setup.network
        self._abandon_loading()
        self.pipeline.set_analysis(None)
        if network is None:
            self._loading_status = NetworkStatus()
            return
        self.pipeline.analyses.on_result = network.on_result
        self._loading_status = NetworkStatus("loading", sentence("Loading {model}", model=network.model))
        self._loading = self._loader.submit(self._load_network, self.gpu, network)
        if self._wait:
            self._collect_network()

    def _abandon_loading(self) -> None:
        if self._loading is not None and not self._loading.cancel():
            self._loading.add_done_callback(_close_result)
        self._loading = None

    def _adopt(self, analysis: Analysis) -> None:
        self.pipeline.set_analysis(analysis)
        self._loading_status = NetworkStatus("running", analysis.description, analysis.features)

    def _collect_network(self) -> None:
        if self._loading is None or not (self._wait or self._loading.done()):
            return
        future, self._loading = self._loading, None
        try:
            self._adopt(future.result())
        except LightloomError as error:
            self._loading_status = NetworkStatus("failed", str(error))
            if self._wait:
                raise
        except Exception as error:
            # A model is a stranger's file: whatever it sets off, the picture goes on.
            log.exception("loading a network")
            self._loading_status = NetworkStatus(
                "failed",
                sentence(
                    "The network cannot be loaded ({reason}); try another one.", reason=gpu_reason(error)
                ),
            )
            if self._wait:
                raise ModelError(self._loading_status.text) from error

    @property
    def network_status(self) -> NetworkStatus:
        """How the network beside the picture is doing: what came of loading it, and, where it runs no more, why."""
        status, error = self._loading_status, self.pipeline.analyses.error
        return NetworkStatus("failed", error) if status.state == "running" and error is not None else status

    def poll(self) -> None:
        """Take over a network that has been loaded; `render` does it too, but with nothing open nothing is rendered."""
        self.models.expire()
        self._collect_network()

    @property
    def wants_frames(self) -> bool:
        """True while a repaint without a new picture would get on with something."""
        return (self._loading is not None and self.pipeline.has_picture) or self.pipeline.wants_frames

    @property
    def on_progress(self) -> Callable[[], None] | None:
        """Called from another thread when a frame has come back; must only wake somebody."""
        return self._on_progress

    @on_progress.setter
    def on_progress(self, callback: Callable[[], None] | None) -> None:
        self._on_progress = callback
        self.pipeline.on_progress = callback

    # -- frames --------------------------------------------------------------------------------------------------------

    def render(self, frame: Frame | None, target: wgpu.GPUTexture | None = None) -> bool:
        """Render; see `Pipeline.render`. A lost device is replaced, and the frame drawn on the new one without `target`, which belonged
        to the old device.

        Raises:
            GpuError: no device can be made any more.
        """
        self.poll()
        if frame is not None:
            self._frame = frame
        try:
            return self.pipeline.render(frame, target)
        except DeviceLostError as error:
            self._rebuild_after(error)
            return True

    def recover(self) -> None:
        """Replace a device that is known to be lost. To be called before a canvas's texture is asked for: on a lost device wgpu-native
        aborts the process there.

        Raises:
            GpuError: no device can be made any more.
        """
        try:
            self.pipeline.check_device()
        except DeviceLostError as error:
            self._rebuild_after(error)

    def _rebuild_after(self, loss: DeviceLostError) -> None:
        log.warning("%s Rebuilding.", loss)
        # A driver that is being reset may refuse a device for a moment; one that loses every device would be asked for ever.
        now = time.perf_counter()
        self._losses = [at for at in self._losses if now - at < _LOSS_SECONDS]
        if len(self._losses) >= _MAX_LOSSES:
            raise GpuError(
                sentence(
                    "The GPU was lost {max_losses} times within {loss_seconds:.0f} s; switch off the filter or "
                    "network that overloads it, or update its driver, and start Lightloom again.",
                    max_losses=_MAX_LOSSES,
                    loss_seconds=_LOSS_SECONDS,
                )
            ) from loss
        self._losses.append(now)
        self.rebuild()

    def look_once(self, frame: Frame, timeout: float = 120.0) -> Result:
        """Render one picture and wait for what the network says of it (batch work; the engine was made with `wait`).

        Raises:
            ModelError: inference failed, or took longer than `timeout` seconds.
        """
        self.pipeline.analyses.forget()
        self.render(frame)
        self.await_result(timeout)
        if self.pipeline.latest is None:
            raise _no_answer(timeout)
        return self.pipeline.latest

    def await_result(self, timeout: float = 120.0) -> None:
        """Wait until the network has said what it has to say of the pictures rendered so far (batch work).

        Raises:
            ModelError: inference failed, or took longer than `timeout` seconds.
            DeviceLostError: the device is gone, and what was on it.
        """
        self.pipeline.drain(timeout)
        self.pipeline.await_analysis(timeout)
        self.pipeline.check_device()
        analyses = self.pipeline.analyses
        if analyses.error is not None:
            raise ModelError(analyses.error)
        if analyses.current is not None and analyses.current.pending:
            raise _no_answer(timeout)

    def rebuild(self, open_gpu: Callable[[], Gpu] | None = None) -> None:
        """Make everything on the GPU anew from the setup and the last frame, on the same adapter or on another that `open_gpu` opens.

        Raises:
            GpuError: no device can be made.
        """
        if open_gpu is not None:
            self._open_gpu = open_gpu
        old_pipeline, old_gpu = self.pipeline, self.gpu
        gpu = self._open_gpu()
        self.pipeline = self._make_pipeline(gpu)
        self.gpu = gpu
        self.pipeline.view = old_pipeline.view
        self.pipeline.on_progress = self._on_progress
        self.pipeline.set_chain(self._setup.chain)
        self._start_loading()
        self.rebuilds += 1
        # Before the old device goes: a canvas may still have to give back a texture of it.
        if self.on_rebuild is not None:
            self.on_rebuild()
        self._discard(old_pipeline, old_gpu)
        if self._frame is not None:
            self.pipeline.render(self._frame)

    @staticmethod
    def _discard(pipeline: Pipeline, gpu: Gpu) -> None:
        # Objects of a lost device may refuse even their own release.
        try:
            pipeline.close()
            gpu.close()
        except (wgpu.GPUError, RuntimeError, LightloomError) as error:
            log.info("while releasing a lost device: %s", error)

    def stop(self) -> None:
        """End all waiting, of `render` too, with a `StoppedError`; for signal handlers. Only `close` may follow."""
        self.gpu.stopping.set()
        self.pipeline.chain.stop_trials()

    # -- what is shown -------------------------------------------------------------------------------------------------

    def snapshot(self) -> FrameSnapshot:
        """Return what there is to be shown now."""
        pipeline = self.pipeline
        return FrameSnapshot(
            picture_size=pipeline.picture_size,
            stats=pipeline.stats,
            latency=tuple(pipeline.latency.values),
            frame_time=tuple(pipeline.frame_time.values),
            stages=pipeline.stage_statuses,
            network=self.network_status,
            result=pipeline.latest,
            sighting=pipeline.analyses.sighting,
        )

    @property
    def picture_size(self) -> tuple[int, int]:
        """See `FrameSnapshot`; by itself for what follows the pointer."""
        return self.pipeline.picture_size

    @property
    def shown_size(self) -> tuple[int, int]:
        """See `Pipeline.shown_size`."""
        return self.pipeline.shown_size

    @property
    def result(self) -> Result | None:
        """See `FrameSnapshot`; by itself for what is asked with each picture."""
        return self.pipeline.latest

    @property
    def sighting(self) -> Sighting | None:
        """See `FrameSnapshot`; by itself for what is asked with each picture."""
        return self.pipeline.analyses.sighting

    @property
    def view(self) -> View:
        """How the picture lies on the target."""
        return self.pipeline.view

    @view.setter
    def view(self, view: View) -> None:
        self.pipeline.view = view

    def set_overlay(self, image: np.ndarray | None) -> None:
        """Show an image above the picture; see `Presenter.set_overlay`."""
        self.pipeline.set_overlay(image)

    def set_masks(self, masks: Sequence[DrawnMask]) -> None:
        """Show masks over the picture; see `Pipeline.set_masks`."""
        self.pipeline.set_masks(masks)

    def is_busy(self) -> bool:
        """Take in what has come back; True while the GPU holds as many frames as it may."""
        self.pipeline.poll()
        return self.pipeline.is_busy

    def export(self, over: LaidOver | None = None) -> PendingPicture | None:
        """Begin to read the picture shown; see `Pipeline.export`."""
        return self.pipeline.export(over)

    # -- what the pipeline remembers -----------------------------------------------------------------------------------

    def forget_source(self) -> None:
        """Another source begins: neither what filters remember of the one before nor what a network said of it is shown on this one."""
        self.pipeline.chain.reset()
        self.pipeline.analyses.forget()
        self.cut()
        self.skip_interval()

    def cut(self) -> None:
        """The next picture lies elsewhere in the source: what was followed ends."""
        self._scene.cut()

    def reset_counts(self) -> None:
        """Begin what zones have counted, and the heat map, anew."""
        self._scene.reset_counts()
        self.pipeline.analyses.look_again()

    def skip_interval(self) -> None:
        """The next picture does not follow the one before; see `Statistics.skip_interval`."""
        self.pipeline.statistics.skip_interval()

    def reset_stats(self) -> None:
        """Begin all counters and series anew."""
        self.pipeline.statistics.reset()

    def filters_changed(self) -> None:
        """The library has other filters than before, or others of the same name."""
        self.pipeline.chain.filters_changed()

    @property
    def frame(self) -> Frame | None:
        """The picture rendered last."""
        return self._frame

    def close(self) -> None:
        """Release everything."""
        self._abandon_loading()
        self._loader.shutdown(wait=True, cancel_futures=True)
        self.pipeline.close()
        self.gpu.close()


def _close_result(future: Future[Analysis]) -> None:
    if not future.cancelled() and future.exception() is None:
        future.result().close()


def _no_answer(timeout: float) -> ModelError:
    return ModelError(
        sentence("The network gave no answer within {timeout:.0f} s; choose a smaller one.", timeout=timeout)
    )
