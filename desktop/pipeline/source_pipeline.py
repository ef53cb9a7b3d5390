"""Source pipeline: a source's setup, the pipeline that runs it, the network being loaded, and tracking state.

The user's choices are plain data (`Setup`, `View`), from which all GPU objects can be recreated.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import wgpu

from desktop.base.errors import LightloomError, ModelError
from desktop.base.wording import sentence
from desktop.compute.gpu.webgpu import gpu_reason
from desktop.media.frame import Frame
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.picture.present import LaidOver, PendingPicture, View
from desktop.pipeline.pipeline import Pipeline, RecordMore, SourceFacts
from desktop.pipeline.running.analysis import Analysis
from desktop.pipeline.running.job import Job
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.scopes.values import MagnifiedPixels, PickedColor, ScopesSpec, ScopeValues
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.snapshot import FrameSnapshot, NetworkStatus
from desktop.pipeline.totals import Totals
from desktop.vision.tasks.shapes import Mask
from desktop.vision.tracking.anonymize import AnonymizeSpec, hides_others
from desktop.vision.tracking.scene import Scene, TrackedResult

if TYPE_CHECKING:
    import numpy as np

    from desktop.media.sources.base import PlayedCurves
    from desktop.pipeline.running.inputs.input_view import ObservedInput
    from desktop.vision.tasks.common.prompts import Prompts
    from desktop.vision.tasks.task import Result
    from desktop.vision.tracking.counts import Counts

log = logging.getLogger(__name__)

MakePipeline = Callable[[Scene, Callable[[TrackedResult], None]], Pipeline]
StartLoading = Callable[[NetworkSpec], "Job[Analysis]"]


class SourcePipeline:
    """Holds a setup and applies it to its pipeline. For the rendering thread.

    Attributes:
        scene: state of tracking and zones, which survives device loss.
        on_tracked_result: called with every `TrackedResult`, in order; must be quick.
        curves: those of the source's audio, used once an automation needs them; None without.
    """

    def __init__(
        self,
        make_pipeline: MakePipeline,
        start_loading: StartLoading,
        *,
        wait: bool = False,
        on_tracked_result: Callable[[TrackedResult], None] = lambda _: None,
        on_release: Callable[[], None] = lambda: None,
    ) -> None:
        """Make a source pipeline without a setup.

        Args:
            make_pipeline: makes a pipeline on the device in use, for a scene and a listener.
            start_loading: starts to load a network on a thread.
            wait: batch work: `set_setup` returns when the network is loaded.
            on_release: called when memory was released: by a network that was closed, or by loading one.
        """
        self._make_pipeline, self._load, self._wait = make_pipeline, start_loading, wait
        self._loading: Job[Analysis] | None = None
        self._loading_status = NetworkStatus()
        self._setup = Setup()
        self._tried: ChainSpec | None = None
        self._shows_tried = False
        self._frame: Frame | None = None
        self._is_portrait = self._loaded_portrait = False
        # The last load was for frames of another orientation.
        self._is_turning = False
        # Batch work: the networks for both orientations of frames stay loaded, unless there is no memory for both.
        self._keeps_both = wait
        # It is to be uploaded again.
        self._is_stale = False
        self._watches_input = False
        self._scopes = ScopesSpec()
        self.on_tracked_result = on_tracked_result
        self._on_release = on_release
        self.scene = Scene()
        self.totals: Totals | None = None
        self.curves: PlayedCurves | None = None
        self._pipeline = make_pipeline(self.scene, self._publish)

    @property
    def pipeline(self) -> Pipeline:
        """On the engine's device; another object after a loss."""
        return self._pipeline

    @property
    def facts(self) -> SourceFacts:
        """Name and frame rate of the source, for the variables of texts."""
        return self.pipeline.facts

    @facts.setter
    def facts(self, facts: SourceFacts) -> None:
        self.pipeline.facts = facts

    def _publish(self, tracked_result: TrackedResult) -> None:
        if self.totals is not None:
            self.totals.saw(tracked_result)
        self.on_tracked_result(tracked_result)

    def count(self) -> None:
        """Start counting; the counters survive device loss."""
        self.totals = self.totals or Totals()
        self.pipeline.statistics.totals = self.totals

    # -- the setup -------------------------------------------------------------------------------------------

    @property
    def setup(self) -> Setup:
        """The requested setup."""
        return self._setup

    def set_setup(self, setup: Setup) -> None:
        """Apply a setup when it is ready; with `wait`, return only then, or raise LightloomError."""
        before, self._setup = self._setup, setup
        tried, self._tried = self._tried, None
        if before.chain != setup.chain or tried is not None:
            self.pipeline.set_chain(setup.chain)
        if before.layers != setup.layers:
            self.pipeline.set_layers(setup.layers)
        if before.scene != setup.scene:
            self.scene.use(setup.scene)
            self.pipeline.analyses.refresh()
        if before.anonymize != setup.anonymize:
            self._hide(before.anonymize, setup.anonymize)
        if before.analysis != setup.analysis:
            if setup.anonymize is not None:
                self._void_past()
            if not self._adjusted():
                self._start_loading()

    def fade_to(self, setup: Setup, seconds: float) -> None:
        """Apply a setup as `set_setup` does, and fade to it from the image shown; 0 seconds end a fade.

        Nothing is faded from an image in which the new setup would hide something. The same setup again leaves
        a fade as it is.
        """
        if setup != self._setup:
            if seconds > 0.0 and not _hides_more(self._setup, setup):
                self.pipeline.begin_fade(seconds)
            else:
                self.pipeline.layers.end_fade()
        self.set_setup(setup)

    def try_chain(self, chain: ChainSpec | None) -> None:
        """Show another chain than the setup's until None, or until the next `set_setup`.

        The setup stays as it is, and `export` has its chain.
        """
        if chain == self._tried:
            return
        self._tried = chain
        self.pipeline.set_chain(self._setup.chain if chain is None else chain)

    @property
    def is_trying(self) -> bool:
        """True while another chain than the setup's is shown, see `try_chain`."""
        return self._tried is not None

    def _hide(self, before: AnonymizeSpec | None, spec: AnonymizeSpec | None) -> None:
        self.scene.redaction.use(spec)
        self.pipeline.analyses.refresh()
        self._update_input_watch()
        if hides_others(before, spec):
            self._void_past()

    def _void_past(self) -> None:
        """Discard what filters and scopes keep of frames in which less is hidden."""
        self.pipeline.chain.reset()
        self.pipeline.void_scopes()

    def watch_scopes(self, spec: ScopesSpec) -> None:
        """See `Engine.watch_scopes`."""
        if spec != self._scopes:
            self._scopes = spec
            self.pipeline.watch_scopes(spec)

    @property
    def scopes(self) -> ScopeValues | None:
        """The newest values of the scopes; None before the first."""
        return self.pipeline.scopes

    @property
    def picked(self) -> PickedColor | None:
        """The newest colors at the watched position; None before the first."""
        return self.pipeline.picked

    @property
    def magnified(self) -> MagnifiedPixels | None:
        """The newest pixels of the magnifier; None before the first."""
        return self.pipeline.magnified

    def watch_input(self, on: bool) -> None:
        """See `Engine.watch_input`."""
        self._watches_input = on
        self._update_input_watch()

    def _update_input_watch(self) -> None:
        # The network's input is the unredacted frame, which must not be shown while redaction is on.
        self.pipeline.analyses.watch_input(self._watches_input and self._setup.anonymize is None)

    @property
    def _network(self) -> NetworkSpec | None:
        """The setup's network for frames of the orientation of the last one."""
        network = self._setup.analysis
        return replace(network, is_portrait=self._is_portrait) if network is not None else None

    def _adjusted(self) -> bool:
        # A threshold is being dragged: that must not reload the network for every step.
        network, analysis = self._network, self.pipeline.analyses.current
        if network is None or analysis is None or self._loading is not None or not analysis.adjust(network):
            return False
        self._loaded_portrait = network.is_portrait
        self.pipeline.analyses.on_result = network.on_result
        self.pipeline.analyses.refresh()
        return True

    def _turn(self, frame: Frame) -> None:
        """Load a network whose input turns with the frames again, if the last one loaded is not for `frame`."""
        width, height = frame.display_size
        self._is_portrait = height > width
        # One that failed for the other orientation alone is tried again.
        has_one = self.pipeline.analyses.current is not None or (
            self._is_turning and self._loading_status.state == "failed"
        )
        if self._is_portrait == self._loaded_portrait or self._loading is not None or not has_one:
            return
        if self._wait:
            # Results of earlier frames are used, too.
            self.pipeline.drain()
            self.pipeline.await_analysis()
        if self._adjusted():
            return
        if self._setup.anonymize is not None:
            self._void_past()
        if not self._keeps_both:
            self._start_loading(turning=True)
        elif not self._exchanged():
            self._load_other()

    def _exchanged(self) -> bool:
        """Use the network for the other orientation again; return False if it is not loaded."""
        network = self._network
        if network is None or not self.pipeline.exchange_analysis(network):
            return False
        analysis = self.pipeline.analyses.current
        assert analysis is not None
        self._loaded_portrait, self._is_turning = network.is_portrait, True
        self.pipeline.analyses.on_result = network.on_result
        self._loading_status = NetworkStatus("running", analysis.description, analysis.features)
        return True

    def _load_other(self) -> None:
        """Load the network for the other orientation while the one in use is set aside; raise LightloomError."""
        try:
            self._start_loading(turning=True)
        except LightloomError:
            # The memory may suffice for one of them.
            if not self.pipeline.close_aside():
                raise
            self._keeps_both = False
            self._start_loading(turning=True)

    def _start_loading(self, *, turning: bool = False) -> None:
        network = self._network
        self._is_turning = turning
        self.abandon_loading()
        had_one = self.pipeline.analyses.current is not None
        if not (turning and self._keeps_both):
            self.pipeline.set_analysis(None)
        if turning and self._wait and not self._keeps_both:
            # The old one is closed before its memory is needed; no frame is in flight.
            self.pipeline.poll()
        if had_one:
            self._on_release()
        if network is None:
            self._loading_status = NetworkStatus()
            return
        self.pipeline.analyses.on_result = network.on_result
        self._loading_status = NetworkStatus("loading", sentence("Loading {model}", model=network.model))
        self._loading, self._loaded_portrait = self._load(network), network.is_portrait
        if self._wait:
            self.collect_network()

    def abandon_loading(self) -> None:
        """Stop waiting for a network; one that is being loaded is closed once it is loaded."""
        if self._loading is not None:
            self._loading.abandon()
            self._on_release()
        self._loading = None

    def _adopt(self, analysis: Analysis) -> None:
        self.pipeline.set_analysis(analysis)
        self._loading_status = NetworkStatus("running", analysis.description, analysis.features)
        self._on_release()

    def collect_network(self) -> None:
        """Install a loaded network; with `wait`, raise LightloomError if it cannot be used."""
        if self._loading is None or not (self._wait or self._loading.is_done):
            return
        job, self._loading = self._loading, None
        try:
            self._adopt(job.result())
        except LightloomError as error:
            self._fail(str(error))
            if self._wait:
                raise
        except Exception as error:
            # A model is an untrusted file: whatever it raises, playback continues.
            log.exception("loading a network")
            self._fail(
                sentence(
                    "The network cannot be loaded ({reason}); try another one.", reason=gpu_reason(error)
                )
            )
            if self._wait:
                raise ModelError(self._loading_status.text) from error

    def _fail(self, text: str) -> None:
        self._loading_status = NetworkStatus("failed", text)
        self._on_release()
        self.pipeline.statistics.network_failed()

    @property
    def network_status(self) -> NetworkStatus:
        """The state of the analysis network: the result of loading it, or why it does not run any more."""
        status, error = self._loading_status, self.pipeline.analyses.error
        if status.state != "running":
            return status
        if error is not None:
            return NetworkStatus("failed", error)
        away = self.pipeline.analyses.away
        return NetworkStatus("away", away, status.features) if away else status

    # -- frames ----------------------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame | None:
        """The frame rendered last."""
        return self._frame

    @property
    def wants_frames(self) -> bool:
        """True while a repaint without a new frame would get on with something."""
        is_loading = self._loading is not None and self.pipeline.has_picture
        return is_loading or self._is_stale or self.pipeline.wants_frames

    def is_busy(self) -> bool:
        """Collect finished frames; return True while the maximum number of frames is in flight."""
        self._follow_audio()
        self.pipeline.poll()
        return self.pipeline.is_busy

    def _follow_audio(self) -> None:
        # Nothing is computed until an automation or a filter needs it.
        needs_audio = self.curves is not None and "audio" in self.pipeline.chain.needs
        if self.curves is not None and "spectrum" in self.pipeline.chain.needs:
            self.curves.stores_samples = True
        self.pipeline.audio = self.curves.current if self.curves is not None and needs_audio else None

    @property
    def deinterlaces(self) -> bool:
        """Interlaced frames are made whole; the one that is shown, with the next `render`."""
        return self.pipeline.deinterlaces

    @deinterlaces.setter
    def deinterlaces(self, wanted: bool) -> None:
        if wanted == self.pipeline.deinterlaces:
            return
        self.pipeline.deinterlaces = wanted
        self._is_stale = self._frame is not None and self._frame.fields is not None

    def render(
        self,
        frame: Frame | None,
        target: wgpu.GPUTexture | None = None,
        after: RecordMore | None = None,
    ) -> bool:
        """Render; see `Pipeline.render`. Called by `Engine.render`, which handles device loss."""
        self._frame = frame or self._frame
        if self._frame is not None:
            self._turn(self._frame)
        self._follow_audio()
        rendered = self.pipeline.render(self._frame if self._is_stale else frame, target, after)
        self._is_stale = self._is_stale and not rendered
        if rendered:
            self._shows_tried = self._tried is not None
        return rendered

    def clear(self) -> None:
        """Show no frame until the next one arrives: the source is closed."""
        self._frame, self._is_stale = None, False
        self.pipeline.clear()
        self.clear_source_state()

    def rebuild(self) -> Pipeline:
        """Make another pipeline from the setup; return the old one, which is to be closed."""
        old = self.pipeline
        self._pipeline = self._make_pipeline(self.scene, self._publish)
        self._tried, self._shows_tried = None, False
        self.pipeline.view = old.view
        self.pipeline.deinterlaces = old.deinterlaces
        self.pipeline.color_mode = old.color_mode
        self.pipeline.sharers = old.sharers
        self.pipeline.on_progress = old.on_progress
        self.pipeline.statistics.totals = self.totals
        self.pipeline.set_chain(self._setup.chain)
        self.pipeline.facts = old.facts
        self.pipeline.set_layers(self._setup.layers)
        self._update_input_watch()
        self.pipeline.watch_scopes(self._scopes)
        self._start_loading()
        return old

    def render_again(self) -> None:
        """Render the last frame on a recreated pipeline."""
        self._follow_audio()
        if self._frame is not None:
            # On a software adapter another source pipeline's frame may be under way.
            self._is_stale = not self.pipeline.render(self._frame)

    # -- display ---------------------------------------------------------------------------------------------
    # A device loss replaces the pipeline: read what is shown here, not from a pipeline that was kept.

    def snapshot(self) -> FrameSnapshot:
        """Return what to display now."""
        pipeline = self.pipeline
        return FrameSnapshot(
            picture_size=pipeline.shown_size,
            stats=pipeline.stats,
            latency=tuple(pipeline.statistics.latency.values),
            frame_time=tuple(pipeline.statistics.frame_time.values),
            stages=pipeline.chain.statuses,
            network=self.network_status,
            result=pipeline.result,
            tracked_result=pipeline.tracked_result,
            hidden=pipeline.hidden,
            calls=pipeline.analyses.calls,
            counts=pipeline.counts,
            automated=self.automated,
            layers=pipeline.layers.statuses,
        )

    @property
    def picture_size(self) -> tuple[int, int]:
        """See `FrameSnapshot`; like the next four, without the cost of a whole snapshot."""
        return self.pipeline.shown_size

    @property
    def result(self) -> Result | None:
        """See `FrameSnapshot`."""
        return self.pipeline.result

    @property
    def tracked_result(self) -> TrackedResult | None:
        """See `FrameSnapshot`."""
        return self.pipeline.tracked_result

    @property
    def counts(self) -> tuple[Counts, ...]:
        """See `FrameSnapshot`."""
        return self.pipeline.counts

    @property
    def automated(self) -> Mapping[int, Mapping[str, float]]:
        """See `FrameSnapshot`; empty while another chain is tried, whose stages are not the setup's."""
        return {} if self.is_trying else self.pipeline.chain.automated

    @property
    def shown_pts(self) -> float:
        """See `Pipeline.shown_pts`."""
        return self.pipeline.shown_pts

    @property
    def view(self) -> View:
        """The placement of the frame on the target."""
        return self.pipeline.view

    @view.setter
    def view(self, view: View) -> None:
        self.pipeline.view = view

    def set_overlay(self, image: np.ndarray | None) -> None:
        """Show an image above the frame; see `Presenter.set_overlay`."""
        self.pipeline.set_overlay(image)

    def set_masks(self, masks: Sequence[Mask]) -> None:
        """Show masks over the frame; see `Pipeline.set_masks`."""
        self.pipeline.set_masks(masks)

    def export(self, over: LaidOver | None = None) -> PendingPicture | None:
        """Begin to read back the frame shown, with the setup's chain; see `Pipeline.export`."""
        if self._tried is not None or self._shows_tried:
            self.try_chain(None)
            if not self.render(None):
                # Only here: the frame on its way has the other chain.
                self.pipeline.drain()
                self.render(None)
        return self.pipeline.export(over)

    def recent_inputs(self) -> tuple[ObservedInput, ...]:
        """Return recent inputs of the networks; empty unless `watch_input`, or during redaction."""
        return self.pipeline.analyses.recent_inputs()

    # -- prompts ---------------------------------------------------------------------------------------------

    @property
    def takes_prompts(self) -> bool:
        """True while the network accepts prompts for the frame shown."""
        return self.pipeline.analyses.prompted is not None

    def prompt(self, prompts: Prompts) -> None:
        """Prompt the network with points and a box on the frame shown; ignored if it accepts none.

        Raise ModelUnsupportedError if it does not accept such prompts; the previous ones stay.
        """
        prompted = self.pipeline.analyses.prompted
        if prompted is not None:
            prompted.prompt(prompts)

    @property
    def prompt_progress(self) -> float | None:
        """See `Prompted.progress`."""
        prompted = self.pipeline.analyses.prompted
        return prompted.progress if prompted is not None else None

    @property
    def only_waits(self) -> bool:
        """True while rendering would not help: threads work on a prompt, or a server must not be called."""
        chain, analyses = self.pipeline.chain, self.pipeline.analyses
        if chain.is_dirty:
            return False
        prompted = analyses.prompted
        answers = prompted is not None and prompted.waits and prompted.pending
        return answers or (analyses.is_paused and not (chain.is_compiling or chain.has_news))

    # -- state -----------------------------------------------------------------------------------------------

    def clear_source_state(self) -> None:
        """Clear the state of filters and the last result, before another source."""
        self.pipeline.chain.reset()
        self.pipeline.layers.reset()
        self.pipeline.analyses.clear_results()
        self.cut()
        self.skip_interval()

    def cut(self) -> None:
        """End all tracks and discard pending results, before a seek or a cut."""
        self.pipeline.analyses.void()
        self.scene.cut()

    def reset_counts(self) -> None:
        """Reset the counts of zones, and the heat map."""
        self.scene.reset_counts()
        self.pipeline.analyses.counts = ()
        self.pipeline.analyses.refresh()

    def skip_interval(self) -> None:
        """Ignore the next frame interval; see `Statistics.skip_interval`."""
        self.pipeline.statistics.skip_interval()

    def reset_stats(self) -> None:
        """Reset all counters and series."""
        self.pipeline.statistics.reset()

    def close(self) -> None:
        """Release everything but the device."""
        self.abandon_loading()
        self.pipeline.close()


def _hides_more(before: Setup, setup: Setup) -> bool:
    """Return True if a setup may hide something that an image of the one before shows."""
    chains = (setup.chain, *(layer.chain for layer in setup.layers.in_use))
    masks = (stage.mask for chain in chains for stage in chain.stages if stage.enabled)
    finds_others = setup.anonymize is not None and before.analysis != setup.analysis
    return (
        finds_others
        or hides_others(before.anonymize, setup.anonymize)
        or any(mask is not None and mask.hides for mask in masks)
    )
