"""Recurrent network as a session of one frame: states of one frame are inputs with the next."""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
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
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.recurrence import StatePair

_LABEL: Final = "nn_tasks/state.wgsl"
_BYTES: Final = {"float32": 4, "float16": 2, "int32": 4, "uint32": 4, "uint8": 1, "int8": 1}
_BINDINGS: Final = Bindings(
    (Binding.uniform("state"), Binding.read_only("given"), Binding.storage("taken")),
)


class _Recurrent(SessionAround, ABC):
    """Common part of both sessions: inputs and outputs without the states, which begin as zeros."""

    def __init__(self, session: Session, pairs: Sequence[StatePair]) -> None:
        super().__init__(session)
        self._next = {pair.input.name: pair.output.name for pair in pairs}
        self._states = tuple(info for info in session.inputs if info.name in self._next)

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`."""
        return tuple(info for info in self._session.inputs if info.name not in self._next)

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`."""
        given = set(self._next.values())
        return tuple(info for info in self._session.outputs if info.name not in given)

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`: each run is one of the inner session."""
        run_times = self._session.capabilities.run_times
        return replace(super().capabilities, reset_state=self.reset_state, run_times=run_times)

    @abstractmethod
    def reset_state(self) -> None:
        """See `SessionCapabilities`."""

    def _zeros(self) -> dict[str, np.ndarray]:
        return {info.name: np.zeros(info.shape, np.dtype(info.dtype)) for info in self._states}


class HostRecurrent(_Recurrent):
    """Recurrent network on a session for host arrays. Implements `Session`."""

    def __init__(self, session: Session, pairs: Sequence[StatePair]) -> None:
        super().__init__(session, pairs)
        self._state = self._zeros()
        self._generation = 0
        self._lock = threading.Lock()

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for a frame with the states of the previous frames; see `Session`."""
        with self._lock:
            generation, before = self._generation, self._state
        outputs = self._session.run({**feeds, **before})
        kept = {name: outputs.pop(given) for name, given in self._next.items()}
        # The rendering thread may have invalidated the past meanwhile.
        with self._lock:
            if generation == self._generation:
                self._state = kept
        return outputs

    def reset_state(self) -> None:
        """See `SessionCapabilities`."""
        with self._lock:
            self._generation += 1
            self._state = self._zeros()


class GpuRecurrent(_Recurrent):
    """Recurrent network on a recorded session. Implements `GpuSession`; dispatches copy its states."""

    def __init__(self, gpu: Gpu, session: GpuSession, pairs: Sequence[StatePair]) -> None:
        """Make the passes that copy states; raise ModelUnsupportedError if their memory layouts differ."""
        super().__init__(session, pairs)
        self._gpu, self._inner = gpu, session
        self._uniforms: list[wgpu.GPUBuffer] = []
        self._copies = make_recorder([self._copy(name) for name in self._next])
        self.reset_state()

    def _copy(self, name: str) -> Command:
        taken, given = self._inner.tensor(name), self._inner.tensor(self._next[name])
        if (taken.dtype, taken.layout) != (given.dtype, given.layout) or taken.dtype not in _BYTES:
            raise _unlike(name, self._next[name])
        usage = wgpu.BufferUsage
        uniform = self._gpu.buffer(16, usage.UNIFORM | usage.COPY_DST, "state")
        words = _words(taken)
        at = [words, given.offset // 4, taken.offset // 4, 0]
        self._gpu.queue.write_buffer(uniform, 0, np.array(at, np.uint32))
        self._uniforms.append(uniform)
        pipeline = self._gpu.compute_pipeline(
            task_shader("state.wgsl"),
            "keep",
            label=_LABEL,
            layouts=[_BINDINGS.layout(self._gpu)],
        )
        group = _BINDINGS.group(self._gpu, state=uniform, given=given.buffer, taken=taken.buffer)
        across = min(-(-words // 64), 32768)
        return pipeline, (group,), (across, -(-words // 64 // across), 1)

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`."""
        return replace(super().capabilities, recorder=self)

    @property
    def dispatch_count(self) -> int:
        """See `GpuSession`."""
        return self._inner.dispatch_count + len(self._next)

    def tensor(self, name: str) -> Tensor:
        """See `GpuSession`."""
        return self._inner.tensor(name)

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """See `GpuSession`."""
        own = self._inner.dispatch_count
        stop = self.dispatch_count if stop is None else stop
        if min(stop, own) > start:
            self._inner.encode(compute_pass, start, min(stop, own))
        if stop > own:
            self._copies(compute_pass, max(start, own) - own, stop - own)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for a frame without a past, for trials; see `Session`."""
        outputs = self._inner.run({**feeds, **self._zeros()})
        return {info.name: outputs[info.name] for info in self.outputs}

    def reset_state(self) -> None:
        """See `SessionCapabilities`."""
        for name in self._next:
            tensor = self._inner.tensor(name)
            self._gpu.queue.write_buffer(tensor.buffer, tensor.offset, bytes(4 * _words(tensor)))

    def close(self) -> None:
        """See `Session`. Buffers are dropped, not destroyed: a frame may use them (`WgpuSession.close`)."""
        self._copies = make_recorder([])
        self._uniforms.clear()
        super().close()


def _words(tensor: Tensor) -> int:
    return -(-math.prod(tensor.shape) * _BYTES[tensor.dtype] // 4)


def recurrent(gpu: Gpu, session: Session, pairs: Sequence[StatePair]) -> Session:
    """Wrap a session with states as one without; closing it closes the inner one.

    Raise ModelUnsupportedError if a state's shape or type differs from that of the next one.
    """
    taken = {info.name: info for info in session.inputs}
    given = {info.name: info for info in session.outputs}
    for pair in pairs:
        before, after = taken[pair.input.name], given[pair.output.name]
        if (before.shape, before.dtype) != (after.shape, after.dtype):
            raise _unlike(before.name, after.name)
    recorded = session.capabilities.recorder
    return HostRecurrent(session, pairs) if recorded is None else GpuRecurrent(gpu, recorded, pairs)


def shapes_of_states(
    file: ModelFile, shapes: Mapping[str, Sequence[int]], values: Mapping[str, np.ndarray]
) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a network's states, where its file leaves sizes free.

    Raise ModelUnsupportedError if they do not follow from the other inputs' `shapes` and `values`.
    """
    states = {pair.input.name: (pair.output.name, pair.input.shape) for pair in file.facts.states}
    if not any(0 in shape for _, shape in states.values()):
        return {}
    from desktop.compute.nn.compile.state_shapes import state_shapes  # the engine, and onnx

    return state_shapes(file, states, shapes, values)


def _unlike(before: str, after: str) -> ModelUnsupportedError:
    return ModelUnsupportedError(
        sentence(
            "The output '{after}', which becomes the input '{before}' of the next frame, has another "
            "shape or type; choose another network.",
            before=before,
            after=after,
        )
    )
