"""Analysis network: a stage that has a result and no frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from desktop.base.errors import ModelAwayError
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.running.inputs.picture import Picture
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.loading import load_spec
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.pipeline.running.one.runner import InferenceRunner
from desktop.pipeline.running.one.strategy import NetworkTurn
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import the_task
from desktop.vision.tasks.task import Features, Result

if TYPE_CHECKING:
    import wgpu


@dataclass(frozen=True)
class LiveTurn:
    """Work that one frame did for an analysis; see `Turn` in analysis.py."""

    _live: LiveNetwork
    _turn: NetworkTurn

    @property
    def span(self) -> str:
        """Name of its span in the frame's timer."""
        return self._turn.span

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of a result that this frame completes; return its bytes, 0 if there is none."""
        if not self._turn.finished:
            return 0
        return self._live.network.reader.copy_result(encoder, target, offset)

    def submitted(self) -> int:
        """Record the submission: a thread may read its input. Return the bytes that are read back for it."""
        return self._turn.submitted()

    def measured(self, gpu_ms: float) -> None:
        """Record the GPU time of its span."""
        self._turn.measured(gpu_ms)

    def result(self, data: bytes) -> Result:
        """Return the result in the bytes that `copy_result` copied."""
        found = cast(Result, self._live.network.reader.decode(data, self._turn.size))
        return replace(found, note=self._turn.note, inference_ms=self._live.inference_ms or 0.0)


class LiveNetwork:
    """Implements the pipeline's `Analysis`; `budget_ms` is GPU time per frame, None for whole inferences."""

    def __init__(self, gpu: Gpu, network: PictureNetwork, spec: NetworkSpec) -> None:
        self.network = network
        self.budget_ms: float | None = None
        self._gpu = gpu
        self._runner = InferenceRunner(gpu, network)
        self._spec = spec
        self._task = the_task(network.head.features.task)
        self._pictures = 0
        self._turn: NetworkTurn | None = None
        self._running = False
        self._resting = False

    @classmethod
    def load(cls, gpu: Gpu, spec: NetworkSpec, model: ModelFile | None = None) -> LiveNetwork:
        """Load the network of a `NetworkSpec`, for its task or the one the file fits; on any thread.

        Raise ModelUnsupportedError if it is for the chain or unusable here; errors as `load_network`.
        """
        return cls(gpu, load_spec(gpu, spec, model), spec)

    def adjust(self, spec: NetworkSpec) -> bool:
        """Apply changes possible while running, or return False; raise UsageError if a value is invalid."""
        names = ["every", "on_result", "settings", *([] if self.network.turns else ["is_portrait"])]
        kept = {name: getattr(self._spec, name) for name in names}
        if replace(spec, **kept) != self._spec or self._task.needs_loading(
            self._spec.settings, spec.settings
        ):
            return False
        self.network.head.adjust(spec.settings)
        self._spec = spec
        return True

    @property
    def features(self) -> Features:
        """Settings that it has."""
        return self.network.head.features

    @property
    def description(self) -> str:
        """Backend, device, precision and why; preprocessing; what was assumed."""
        return self.network.describe()

    @property
    def inference_ms(self) -> float | None:
        """Time of the last whole inference: on the GPU, or in a thread; None if unknown."""
        return self._runner.strategy.inference_ms

    @property
    def networks(self) -> tuple[PictureNetwork]:
        """The network that reads the frames."""
        return (self.network,)

    @property
    def pending(self) -> bool:
        """True while slices of an inference remain, a thread is busy, or a frame waits for a rest to end."""
        return self._running or self._resting

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        texture: wgpu.GPUTexture,
        pts: float,
        timer: FrameTimer,
        *,
        is_new: bool,
    ) -> LiveTurn | None:
        """Record an inference, a slice of one, or nothing where this frame's turn has not come."""
        if not self._running:
            self._pictures += is_new
            if is_new and (self._pictures - 1) % max(1, self._spec.every):
                return None
            # Batch work has no frame to spare the cores for.
            rests = self.budget_ms is not None and self._runner.strategy.rests
            self._resting = rests or self.network.caller.is_paused
            if self._resting:
                return None
            if not is_new:
                # This frame's own result was requested: that of a similar one is not enough.
                self._runner.skip_similarity_test()
        commands = FrameCommands(self._gpu, encoder)
        picture = Picture(texture, texture, pts)
        turn = self._runner.encode(commands, picture, timer, "network", budget_ms=self.budget_ms)
        self._running = not turn.finished
        return LiveTurn(self, turn)

    def poll(self) -> Result | None:
        """Return, once, the newest result from a thread.

        Raise ModelError, or ModelAwayError if the server did not respond and the request is repeated.
        """
        try:
            found = cast("Result | None", self._runner.poll())
        except ModelAwayError:
            # With the next frame, or with this one again.
            self._running, self._resting, self._runner.is_due = False, True, True
            raise
        self._running &= found is None
        return found

    def restart(self) -> None:
        """See `Analysis`."""
        self._pictures, self._running, self._resting = 0, False, False
        self._runner.void()

    def close(self) -> None:
        """Release the network."""
        self._runner.close()
