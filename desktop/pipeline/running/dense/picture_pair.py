"""Network of two images as a session of one: the other is the previous image."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.resources import task_shader
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command, make_recorder
from desktop.compute.nn.session import GpuSession, Session, SessionCapabilities, Tensor, TensorInfo
from desktop.pipeline.running.session_around import SessionAround

_LABEL: Final = "nn_tasks/picture_pair.wgsl"
_BYTES: Final = {"float32": 4, "float16": 2, "int32": 4, "uint8": 1, "int8": 1}
_BINDINGS: Final = Bindings(
    (
        Binding.uniform("pair"),
        Binding.read_only("present"),
        Binding.storage("before"),
        Binding.storage("state"),
    )
)


class _Pair(SessionAround, ABC):
    """Common part of both sessions: the first input is the previous image, the second the present one."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._before, self._present = session.inputs

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`: the present image, under the first input's name, which identifies it in the file."""
        return (self._before,)

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`."""
        return self._session.outputs

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`: each run is one of the inner session."""
        run_times = self._session.capabilities.run_times
        return replace(super().capabilities, reset_state=self.reset_state, run_times=run_times)

    @abstractmethod
    def reset_state(self) -> None:
        """See `SessionCapabilities`."""


class HostPair(_Pair):
    """Pair on a session for host arrays. Implements `Session`."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._last: np.ndarray | None = None
        self._generation = 0

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for an image and its predecessor (at first itself); see `Session`."""
        generation, picture = self._generation, feeds[self._before.name]
        last = picture if self._last is None else self._last
        outputs = self._session.run({self._before.name: last, self._present.name: picture})
        # The rendering thread may have invalidated the past meanwhile.
        if generation == self._generation:
            self._last = picture
        return outputs

    def reset_state(self) -> None:
        """See `SessionCapabilities`."""
        self._generation += 1
        self._last = None


class GpuPair(_Pair):
    """Pair on a recorded session. Implements `GpuSession`; dispatches copy the previous image on the GPU."""

    def __init__(self, gpu: Gpu, session: GpuSession) -> None:
        """Make the copying passes; raise ModelUnsupportedError if the inputs' memory layouts differ."""
        super().__init__(session)
        self._gpu, self._inner = gpu, session
        before, present = (session.tensor(info.name) for info in session.inputs)
        if (before.shape, before.dtype, before.layout) != (present.shape, present.dtype, present.layout):
            raise _unlike(self._before, self._present)
        words = -(-math.prod(present.shape) * _BYTES[present.dtype] // 4)
        usage = wgpu.BufferUsage
        self._state = gpu.buffer(4, usage.STORAGE | usage.COPY_DST, "pair state")
        self._uniform = gpu.buffer(16, usage.UNIFORM | usage.COPY_DST, "pair")
        at = [words, present.offset // 4, before.offset // 4, 0]
        gpu.queue.write_buffer(self._uniform, 0, np.array(at, np.uint32))
        self._copies = make_recorder(
            [self._command(entry, words, before, present) for entry in ("begin", "keep")]
        )
        self.reset_state()

    def _command(self, entry: str, words: int, before: Tensor, present: Tensor) -> Command:
        pipeline = self._gpu.compute_pipeline(
            task_shader("picture_pair.wgsl"),
            entry,
            label=_LABEL,
            layouts=[_BINDINGS.layout(self._gpu)],
        )
        group = _BINDINGS.group(
            self._gpu, pair=self._uniform, present=present.buffer, before=before.buffer, state=self._state
        )
        across = min(-(-words // 64), 32768)
        return pipeline, (group,), (across, -(-words // 64 // across), 1)

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`."""
        return replace(super().capabilities, recorder=self)

    @property
    def dispatch_count(self) -> int:
        """See `GpuSession`."""
        return self._inner.dispatch_count + 2

    def tensor(self, name: str) -> Tensor:
        """See `GpuSession`: of the first input's name that of the present image."""
        return self._inner.tensor(self._present.name if name == self._before.name else name)

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """See `GpuSession`."""
        last = self.dispatch_count - 1
        stop = last + 1 if stop is None else stop
        if start == 0:
            self._copies(compute_pass, 0, 1)
        if min(stop, last) > max(start, 1):
            self._inner.encode(compute_pass, max(start, 1) - 1, min(stop, last) - 1)
        if stop > last:
            self._copies(compute_pass, 1, 2)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for an image that is its own predecessor, for trials; see `Session`."""
        picture = feeds[self._before.name]
        return self._inner.run({self._before.name: picture, self._present.name: picture})

    def reset_state(self) -> None:
        """See `SessionCapabilities`."""
        self._gpu.queue.write_buffer(self._state, 0, b"\0\0\0\0")


def paired(gpu: Gpu, session: Session, name: str) -> Session:
    """Wrap a session for two images as one for a single image; closing it closes the inner one.

    Raise ModelUnsupportedError if the network does not have two equal inputs.
    """
    if len(session.inputs) != 2:
        raise ModelUnsupportedError(
            sentence(
                "{name} has the inputs {names}, where two images are the only ones; choose another network.",
                name=name,
                names=", ".join(i.name for i in session.inputs),
            )
        )
    before, present = session.inputs
    if (before.shape, before.dtype) != (present.shape, present.dtype):
        raise _unlike(before, present)
    recorded = session.capabilities.recorder
    return HostPair(session) if recorded is None else GpuPair(gpu, recorded)


def _unlike(before: TensorInfo, present: TensorInfo) -> ModelUnsupportedError:
    return ModelUnsupportedError(
        sentence(
            "The inputs '{first}' {shape} and '{second}' {other} are not two images of one shape; choose "
            "another network.",
            first=before.name,
            shape=list(before.shape),
            second=present.name,
            other=list(present.shape),
        )
    )
