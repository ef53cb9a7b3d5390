"""The one interface to a network, whatever computes it: every `Session` takes host arrays, and its
`capabilities` say what else it can do.

`backends/` has what makes sessions, one file each; `load_session` in `vision/backends/loader.py` chooses.
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
        buffer: the `wgpu.GPUBuffer` (STORAGE | COPY_SRC | COPY_DST). It belongs to the session and is
            destroyed with it.
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

    @property
    def capabilities(self) -> SessionCapabilities:
        """Features besides `run`."""

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for host arrays of the inputs' shapes and types.

        Raises:
            ModelError: a missing or unknown input, or a wrong shape or type.
        """

    def close(self) -> None:
        """Release what it holds; its tensors become invalid."""


class GpuSession(Session, Protocol):
    """A session that computes with wgpu and can be recorded into a caller's compute pass."""

    @property
    def dispatch_count(self) -> int:
        """Number of dispatches of a run; only `SessionCapabilities.adjust` may change it."""

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
        """Time of the copies between host and device."""
        return self.upload + self.readback


@dataclass(frozen=True)
class SimilarityTest:
    """Test of a recorded session whether a frame is like that of its last result. Its first dispatches
    test that.

    Attributes:
        dispatches: number of dispatches that the test takes.
        buffer: the buffer (COPY_SRC) with the result.
        offset: first byte of the result there: a 32-bit word, 1 if the frame is alike, else 0.
    """

    dispatches: int
    buffer: wgpu.GPUBuffer
    offset: int


@dataclass(frozen=True)
class Calls:
    """State of the calls of a network that is computed elsewhere.

    Attributes:
        away: why there is no result, in a sentence; '' while calls are answered.
        whole_ms: mean time of the last calls, as seen from here; None before the first.
        server_ms: of that what the server says that it spent, in its queue and at work; None where it does
            not tell.
        detail: what the time consists of, as far as anything tells, in words.
    """

    away: str = ""
    whole_ms: float | None = None
    server_ms: float | None = None
    detail: str = ""


class RemoteCalls(Protocol):
    """The calls of a session to the server that computes its network.

    Attributes:
        patience_s: seconds for which `run` waits for a server that cannot be reached; with 0, as for live
            video, it fails at once.
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

    A session makes this value at each access, and what is in it never changes: keep it where it is read with
    each frame. A session around another one names what it passes on.

    Attributes:
        recorder: records the network into a caller's compute pass. None for a session that takes host arrays
            alone.
        remote: the calls to the server that computes.
        similarity: tests whether a frame is like that of the last result.
        reset_state: resets the state, for a session whose results also depend on previous frames: the next
            frame does not follow them.
        adjust: applies settings by name while the session runs, unknown ones ignored, from the next frame on.
            On the render thread.
        follow: applies settings that become effective over time; returns whether the result of the same frame
            will change, so that it is to be computed again. With `wait` it returns when all are applied, for
            batch processing. On the render thread. Raises LightloomError for settings that cannot be applied.
        run_times: returns the times of the newest run of a session that copies host arrays to a device; None
            before the first run, and where the device's copies cannot be told from its computation.
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
