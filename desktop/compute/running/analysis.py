"""The network that looks at the pictures: what a pipeline knows of it, and the one place in it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from desktop.compute.gpu.timing import FrameTimer
from desktop.compute.tracking.scene import Scene, Sighting
from desktop.errors import ModelError

if TYPE_CHECKING:
    import wgpu

    from desktop.compute.running.network_spec import NetworkSpec
    from desktop.compute.tasks.task import Features, Result, Size

log = logging.getLogger(__name__)


class Turn(Protocol):
    """What one frame did for an `Analysis`: the frame copies its result, is submitted, then gives back its time and the copy."""

    @property
    def span(self) -> str:
        """Name of its span in the frame's timer."""

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of a result that this frame completes; return its bytes, 0 for none."""

    def submitted(self) -> int:
        """The frame was submitted. Return the bytes that it reads back beside the copy."""

    def measured(self, gpu_ms: float) -> None:
        """Take in what its span took on the GPU."""

    def result(self, data: bytes) -> Result | None:
        """Return the result in the bytes that `copy_result` copied; None where there is more to be computed of it."""


class Analysis(Protocol):
    """A network that looks at pictures and says something about them (running/live.py)."""

    budget_ms: float | None

    @property
    def features(self) -> Features:
        """What there is to be set on it."""

    @property
    def description(self) -> str:
        """Backend, device, precision, and why these; for the user."""

    @property
    def pending(self) -> bool:
        """True while an inference is under way that needs further calls of `encode`, even with no new picture."""

    @property
    def inference_ms(self) -> float | None:
        """Time of the last whole inference; None where nothing can tell it."""

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        texture: wgpu.GPUTexture,
        pts: float,
        timer: FrameTimer,
        *,
        is_new: bool,
    ) -> Turn | None:
        """Record its work, or a slice of it, on a working texture (rgba16float); None where it records nothing."""

    def poll(self) -> Result | None:
        """Return a result that came by another way than the frame, once; None where there is none."""

    def adjust(self, spec: NetworkSpec) -> bool:
        """Take over another `NetworkSpec` without loading; False where that is not possible."""

    def close(self) -> None:
        """Release what it holds."""


@dataclass(frozen=True)
class AnalysisFrame:
    """What a frame in flight holds for the analysis that it was recorded for: its turn, and the bytes of its result in the slot."""

    analysis: Analysis
    turn: Turn
    result_bytes: int


class AnalysisSlot:
    """The place of the network that looks at the pictures. For the rendering thread.

    Attributes:
        on_result: it looks at the chain's result instead of its source.
        latest: its newest result.
        sighting: what the scene made of that.
        error: why it was taken out, if it failed while running.
    """

    def __init__(
        self,
        on_arrival: Callable[[float | None], None],
        on_change: Callable[[], None],
        scene: Scene,
        on_sighting: Callable[[Sighting], None],
    ) -> None:
        """Make an empty place.

        Args:
            on_arrival: is told of each result, with the time of the inference.
            on_change: is told that there is another network, or none.
            scene: sees each result, in their order.
            on_sighting: gets what it sees.
        """
        self._on_arrival, self._on_change = on_arrival, on_change
        self._scene, self._on_sighting = scene, on_sighting
        self.current: Analysis | None = None
        self.on_result = False
        self.latest: Result | None = None
        self.sighting: Sighting | None = None
        self.error: str | None = None
        self._size: Size = (0, 0)
        self._is_due = False
        self._retired: list[tuple[int, Analysis]] = []

    def put(self, analysis: Analysis | None, frame: int) -> None:
        """Use another network, or none; the old one is closed once `frame`, the last that may use it, has finished."""
        if self.current is not None:
            self._retired.append((frame, self.current))
        self.current = analysis
        self._is_due = True
        self.error = None if analysis is not None else self.error
        self.forget()
        self._scene.cut()
        self._on_change()

    def drop(self, reason: str, frame: int) -> None:
        """Take the network out because it failed."""
        log.warning("%s", reason)
        self.error = reason
        self.put(None, frame)

    def forget(self) -> None:
        """Show nothing of what it has said so far."""
        self.latest = self.sighting = None

    def look_again(self) -> None:
        """Let it look at the picture once more, though it is no new one."""
        self._is_due = True

    @property
    def wants_frames(self) -> bool:
        """True while a repaint would get on with an inference."""
        return self.current is not None and (self.current.pending or self._is_due)

    @contextmanager
    def emptied(self) -> Iterator[None]:
        """Within it there is no network."""
        kept, self.current = self.current, None
        try:
            yield
        finally:
            self.current = kept

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        texture: wgpu.GPUTexture,
        pts: float,
        timer: FrameTimer,
        target: wgpu.GPUBuffer,
        offset: int,
        *,
        is_new: bool,
        budget_ms: float | None,
    ) -> AnalysisFrame | None:
        """Record what a frame does for the network, and the copy of a result to `target` at `offset`; None where it does nothing."""
        analysis = self.current
        if analysis is None or not (is_new or self.wants_frames):
            return None
        analysis.budget_ms = budget_ms
        self._size = (texture.width, texture.height)
        turn = analysis.encode(encoder, texture, pts, timer, is_new=is_new)
        self._is_due = False
        if turn is None:
            return None
        return AnalysisFrame(analysis, turn, turn.copy_result(encoder, target, offset))

    def measured(self, frame: AnalysisFrame, gpu_ms: float) -> None:
        """Take in what a frame's turn took on the GPU."""
        if frame.analysis is self.current:
            frame.turn.measured(gpu_ms)

    def take_in(self, frame: AnalysisFrame, data: bytes) -> None:
        """Take in the result that a frame brought back."""
        if frame.result_bytes and frame.analysis is self.current:
            result = frame.turn.result(data)
            if result is not None:
                self._take(frame.analysis, result)

    def poll(self, submitted: int, finished: int) -> None:
        """Take in a result that came by another way; close networks whose frames, of those submitted, have finished."""
        if self.current is not None:
            try:
                result = self.current.poll()
                if result is not None:
                    self._take(self.current, result)
            except ModelError as error:
                self.drop(str(error), submitted)
        while self._retired and self._retired[0][0] <= finished:
            self._retired.pop(0)[1].close()

    def _take(self, analysis: Analysis, result: Result) -> None:
        self.latest = result
        self.sighting = self._scene.see(result, result.note, self._size)
        self._on_arrival(analysis.inference_ms)
        self._on_sighting(self.sighting)

    def close(self) -> None:
        """Close every network."""
        for _, analysis in self._retired:
            analysis.close()
        if self.current is not None:
            self.current.close()
