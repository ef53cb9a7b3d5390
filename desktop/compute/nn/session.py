"""The one interface to a network, whatever computes it: every `Session` takes host arrays, a `GpuSession` can be recorded into a frame.

`backends/` has what makes sessions, one file each; `load_session` in `vision/backends/loader.py` chooses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    import wgpu  # the command line imports this for its names alone

Precision = Literal["auto", "fp32", "fp16"]


_USUAL_SIDE: Final = 224
"""The height and width that image networks are most often trained at."""


def usual_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return an input's sizes where nobody chose those that it leaves open (0 or less): a batch of 1, a height or width of 224, else 1."""
    return tuple(
        size if size > 0 else (_USUAL_SIDE if len(sizes) == 4 and axis else 1)
        for axis, size in enumerate(sizes)
    )


@dataclass(frozen=True)
class TensorInfo:
    """Name, shape and element type of an input or output; `dtype` is NumPy's name."""

    name: str
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class Tensor:
    """A tensor of a wgpu session, on the GPU.

    Attributes:
        buffer: the `wgpu.GPUBuffer` (STORAGE | COPY_SRC | COPY_DST). It belongs to the session and is destroyed with it.
        shape: as in the ONNX graph.
        dtype: element type in the buffer ('float32', 'float16', 'int32', ...).
        layout: 'NCHW' (row-major, as in ONNX) or 'NHWC' (NHWC), channels padded to `padded_channels`.
        padded_channels: channels as stored, at least shape[1]; the rest are zero.
        offset: first byte in the buffer.
    """

    buffer: wgpu.GPUBuffer
    shape: tuple[int, ...]
    dtype: str
    layout: str = "NCHW"
    padded_channels: int = 0
    offset: int = 0


@runtime_checkable
class Session(Protocol):
    """A network that is ready to run. One thread at a time."""

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """The network's inputs, with every dimension known."""

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """The network's outputs."""

    @property
    def backend(self) -> str:
        """Name of the backend (`backends/`)."""

    @property
    def device(self) -> str:
        """The adapter or execution provider that computes."""

    @property
    def precision(self) -> str:
        """'fp32', 'fp16' or 'int8': what the arithmetic is done in."""

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for host arrays of the inputs' shapes and types.

        Raises:
            ModelError: a missing or unknown input, or a wrong shape or type.
        """

    def close(self) -> None:
        """Release what it holds; its tensors become invalid."""


@runtime_checkable
class GpuSession(Session, Protocol):
    """A session that computes with wgpu and can be recorded into a caller's compute pass."""

    @property
    def dispatch_count(self) -> int:
        """How many dispatches one run records; `Adjustable.adjust` alone may change it."""

    def tensor(self, name: str) -> Tensor:
        """Return an input or output, on the GPU.

        Raises:
            ModelError: the network has no input or output of that name, or the session is closed.
        """

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """Record the dispatches from `start` to `stop` (by default all) into an open compute pass."""


@dataclass(frozen=True)
class RunTimes:
    """Where the time of one run went, in milliseconds.

    Attributes:
        upload: host arrays to the device.
        compute: the network.
        readback: outputs to host arrays.
    """

    upload: float
    compute: float
    readback: float

    @property
    def copies(self) -> float:
        """What the device costs beside the network."""
        return self.upload + self.readback


@runtime_checkable
class Timed(Protocol):
    """A session that takes host arrays, computes elsewhere, and knows what the way there and back costs."""

    @property
    def run_times(self) -> RunTimes | None:
        """Of the newest run; None before the first, and where this device's copies cannot be told from its computing."""


@runtime_checkable
class Divided(Protocol):
    """A session that computes a network in two places, one after the other."""

    @property
    def division(self) -> str:
        """Where the network is divided, and why, in a sentence."""


@runtime_checkable
class Remembering(Protocol):
    """A session whose result hangs on the pictures before."""

    def forget_past(self) -> None:
        """What comes does not follow what was."""


@runtime_checkable
class Adjustable(Protocol):
    """A session that takes settings while it runs."""

    def adjust(self, values: Mapping[str, object]) -> None:
        """Take over settings by their names; unknown ones are left out. On the thread that renders; the next picture has them."""


@runtime_checkable
class Changing(Protocol):
    """A session that takes up settings over time: a result of the same picture may be another one a moment later."""

    def follow(self, *, wait: bool = False) -> bool:
        """Take up what has come; tell whether the same picture is to be looked at again. On the thread that renders.

        Args:
            wait: until all that was set is taken up, for batch work.

        Raises:
            LightloomError: what was set cannot be taken up.
        """


@runtime_checkable
class Watching(Protocol):
    """A recorded session that finds out with its first dispatches whether a picture is like the one of its last result."""

    @property
    def watched_dispatches(self) -> int:
        """How many they are."""

    @property
    def verdict(self) -> tuple[wgpu.GPUBuffer, int]:
        """The buffer (COPY_SRC) and the first byte of a 32-bit word in it: 1 where it is, else 0."""


@dataclass(frozen=True)
class Calls:
    """How the calls of a network go that is computed elsewhere.

    Attributes:
        away: why there is no result, in a sentence; '' while calls are answered.
        whole_ms: mean time of the last calls, as seen from here; None before the first.
        server_ms: of that what the server says that it spent, in its queue and at work; None where it does not tell.
        detail: what the time consists of, as far as anything tells, in words.
    """

    away: str = ""
    whole_ms: float | None = None
    server_ms: float | None = None
    detail: str = ""


@runtime_checkable
class Elsewhere(Protocol):
    """A session that has another machine, or another program, compute.

    Attributes:
        patience_s: seconds for which `run` waits for one that cannot be reached before it gives up; 0 for a picture that goes on without.
    """

    patience_s: float

    @property
    def calls(self) -> Calls:
        """How its calls go. On any thread."""

    @property
    def pause_s(self) -> float:
        """Seconds for which it is not worth asking; 0 where it is. On any thread."""

    def abort(self) -> None:
        """End a `run` that is under way, and later ones. On any thread."""


def recordable(session: Session) -> GpuSession | None:
    """Return a session as one that can be recorded into a frame; None for one that takes host arrays alone."""
    return session if isinstance(session, GpuSession) else None
