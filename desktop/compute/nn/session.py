"""The one interface to a network: every `Session` takes host arrays and has further `capabilities`.

`vision/backends/` makes sessions, one file each; `load_session` in `vision/backends/loader.py` chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

import numpy as np

if TYPE_CHECKING:
    import wgpu  # the command line imports this for its names alone

Precision = Literal["auto", "fp32", "fp16"]


_USUAL_SIDE: Final = 224
"""The height and width that image networks are most often trained at."""


def usual_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return sizes with defaults for open ones (0 or less): batch 1, height and width 224, else 1."""
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
        buffer: the `wgpu.GPUBuffer` (STORAGE | COPY_SRC | COPY_DST), owned by the session.
        shape: as in the ONNX graph.
        dtype: element type in the buffer ('float32', 'float16', 'int32', ...).
        layout: 'NCHW' (row-major, as in ONNX) or 'NHWC'.
        padded_channels: channels as stored, at least shape[1]; the rest are zero.
        offset: first byte in the buffer.
    """

    buffer: wgpu.GPUBuffer
    shape: tuple[int, ...]
    dtype: str
    layout: str = "NCHW"
    padded_channels: int = 0
    offset: int = 0


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
        """Name of the backend (`vision/backends/`)."""

    @property
    def device(self) -> str:
        """The adapter or execution provider that computes."""

    @property
    def precision(self) -> str:
        """'fp32', 'fp16' or 'int8': what the arithmetic is done in."""

    @property
    def capabilities(self) -> SessionCapabilities:
        """Features besides `run`."""

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for host arrays.

        Raises ModelError for a missing or unknown input, or a wrong shape or type.
        """

    def close(self) -> None:
        """Release what it holds; its tensors become invalid."""


class GpuSession(Session, Protocol):
    """A session that computes with wgpu and can be recorded into a caller's compute pass."""

    @property
    def dispatch_count(self) -> int:
        """Number of dispatches of a run; only `SessionCapabilities.adjust` may change it."""

    def tensor(self, name: str) -> Tensor:
        """Return an input or output on the GPU; raise ModelError if it is missing or the session closed."""

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """Record the dispatches from `start` to `stop` (by default all) into an open compute pass."""


@dataclass(frozen=True)
class RunTimes:
    """Times of one run in ms: `upload` to the device, `compute`, `readback` of outputs to the host."""

    upload: float
    compute: float
    readback: float

    @property
    def copies(self) -> float:
        """Time of the copies between host and device."""
        return self.upload + self.readback


@dataclass(frozen=True)
class SimilarityTest:
    """First dispatches of a recorded session, which test if a frame is like that of its last result.

    `dispatches` is their number; at byte `offset` of `buffer` (COPY_SRC) is a 32-bit word, 1 if alike.
    """

    dispatches: int
    buffer: wgpu.GPUBuffer
    offset: int


@dataclass(frozen=True)
class Calls:
    """State of the calls of a network that is computed elsewhere.

    Attributes:
        away: why there is no result, in a sentence; '' while calls succeed.
        whole_ms: mean round-trip time of the last calls; None before the first.
        server_ms: part of it that the server reports for queue and work; None if it does not.
        detail: what the time consists of, in words, if known.
    """

    away: str = ""
    whole_ms: float | None = None
    server_ms: float | None = None
    detail: str = ""


class RemoteCalls(Protocol):
    """Calls to the server that computes a network; `run` waits `patience_s` seconds if it is unreachable.

    With 0, as for live video, it fails at once.
    """

    patience_s: float

    @property
    def calls(self) -> Calls:
        """Statistics of the calls. On any thread."""

    @property
    def pause_s(self) -> float:
        """Seconds for which calls are pointless; 0 while they are not. On any thread."""

    def abort(self) -> None:
        """End a `run` that is under way, and later ones. On any thread."""


@dataclass(frozen=True, kw_only=True)
class SessionCapabilities:
    """Features of a session besides `Session.run`; None or '' for those that it lacks.

    Made at each access and immutable, to be kept where frames read it.

    Attributes:
        recorder: records the network into a caller's compute pass; None if it takes host arrays only.
        remote: the calls to the server that computes.
        similarity: tests whether a frame is like that of the last result.
        reset_state: for results that depend on previous frames: the next frame does not follow them.
        adjust: applies settings by name (unknown ones ignored) from the next frame on. On the render thread.
        follow: applies settings that take effect over time; returns True if this frame must be computed
            again. With `wait` it applies all, for batches. On the render thread. Raises LightloomError if it
            cannot apply them.
        run_times: times of the newest run with host arrays; None before it or if copies are not separable.
        division: where the network is divided between two sessions, and why, in a sentence.
    """

    recorder: GpuSession | None = None
    remote: RemoteCalls | None = None
    similarity: SimilarityTest | None = None
    reset_state: Callable[[], None] | None = None
    adjust: Callable[[Mapping[str, object]], None] | None = None
    follow: Follow | None = None
    run_times: Callable[[], RunTimes | None] | None = None
    division: str = ""


class Follow(Protocol):
    """See `SessionCapabilities.follow`."""

    def __call__(self, *, wait: bool = False) -> bool:
        """Apply what has become ready; return whether the result of the same frame will change."""
