"""Interface of the strategies to run a network: a frame's order, and the work done for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.running.one.picture_network import BoundPicture
from desktop.pipeline.running.one.slices import Slice
from desktop.pipeline.running.worker import CapturedInput
from desktop.vision.tasks.task import FrameResult, Size

if TYPE_CHECKING:
    import wgpu


class Recorded(Protocol):
    """A network, or two, with preprocessing and heads, which is recorded into frames step by step."""

    @property
    def steps(self) -> int:
        """Steps of one inference; if `SessionCapabilities.adjust` changes them, slices start over."""


class Bound(Protocol):
    """A frame bound as the input of a recorded network."""

    @property
    def size(self) -> Size:
        """(width, height) of the frame."""

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record a whole inference."""

    def encode_steps(self, compute_pass: wgpu.GPUComputePassEncoder, start: int, stop: int) -> None:
        """Record the steps from `start` to `stop`."""


@dataclass(frozen=True)
class Order:
    """A frame's order to a network.

    Attributes:
        note: passed with the image, and returned with its result.
        generation: a result of an earlier one is void.
        take_up: the image should be processed.
        draw: records the drawing of a thread's result into the frame's pass; None without one.
    """

    span: str
    note: Any = None
    generation: int = 0
    take_up: bool = True
    budget_ms: float | None = None
    draw: Callable[[wgpu.GPUComputePassEncoder], None] | None = None


@dataclass(frozen=True)
class NetworkTurn:
    """Work of one frame for a network; the owner calls `submitted` and, once timed, `measured`.

    Attributes:
        began: an inference began with this frame's image.
        finished: after this frame's commands the head has a new output.
        part: the slice, if it is not a complete inference.
        captured: the input for a thread.
        sent: further work after the frame's submission.
    """

    span: str
    began: bool
    finished: bool
    note: Any
    size: Size
    generation: int = 0
    part: Slice | None = None
    captured: CapturedInput | None = None
    sent: Callable[[], None] | None = None
    timed: Callable[[NetworkTurn, float], None] | None = None
    read_back: int = 0

    def submitted(self) -> int:
        """Record the submission, handing over a thread's input; return the bytes read back for it."""
        if self.sent is not None:
            self.sent()
        if self.captured is None:
            return self.read_back
        return self.captured.submitted((self.note, self.size, self.generation))

    def measured(self, gpu_ms: float) -> None:
        """Record the GPU time of the frame's span."""
        if self.timed is not None:
            self.timed(self, gpu_ms)


class Strategy(Protocol):
    """One way to run a network, frame by frame. For the thread that renders."""

    @property
    def is_asynchronous(self) -> bool:
        """True while results may belong to other frames than the current one."""

    @property
    def rests(self) -> bool:
        """True while it leaves the cores to the frame, after a result."""

    @property
    def inference_ms(self) -> float | None:
        """Time of the last whole inference; None where nothing can tell it."""

    def encode(
        self, commands: FrameCommands, picture: BoundPicture, timer: FrameTimer, order: Order
    ) -> NetworkTurn:
        """Record a frame's work for the network; raise ModelError if inference failed."""

    def poll(self) -> tuple[FrameResult, int] | None:
        """Return a thread's newest result and generation, once; raise LightloomError if it has stopped."""

    def restart(self) -> None:
        """Begin the next slice with a new frame."""

    def close(self) -> None:
        """Stop what it started."""
