"""A network on wgpu: buffers and bind groups made once for its plan; a frame only records dispatches."""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import GpuError, ModelError, ModelUnsupportedError
from desktop.base.notices import notice
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import TRANSLATES_WHEN_SUBMITTED, Command, make_recorder
from desktop.compute.nn.compile.cache import PlanLostError, Prepared, SessionCache
from desktop.compute.nn.compile.driver import prepare
from desktop.compute.nn.compile.pipelines import bind_group_layout, compile_pipelines, pipeline_of
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.lowering.plan import NCHW, Constant, Dispatch, Plan
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.runtime.constants import upload
from desktop.compute.nn.runtime.range_watch import RangeWatch
from desktop.compute.nn.runtime.transfer import HostTransfer, Port
from desktop.compute.nn.session import Precision, SessionCapabilities, Tensor, TensorInfo

_SHORT_S: Final = 0.01
"""Longest run, in s, whose successor is recorded ahead; unused recordings are freed by running them."""
_FIRST_PART: Final = 16
"""Dispatches of a run's first submission, where submitting takes long: the GPU works on it meanwhile."""
_WATCHED_RUNS: Final = 3
"""Number of 16-bit runs scanned for overflow: each reads all that it wrote again, and a frame waits."""
_USAGE: Final = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST


def _one_part(dispatches: int) -> tuple[int, ...]:
    return (0, dispatches)


def _two_parts(dispatches: int) -> tuple[int, ...]:
    """Return where a run that was not recorded ahead is divided: the GPU starts while the rest is recorded.

    H100, MobileNetV2, host to host: 0.71 ms in one part, 0.60 in halves, 0.65 with a third first.
    """
    return (0, dispatches // 2, dispatches) if dispatches >= 16 else (0, dispatches)


def growing_parts(dispatches: int) -> tuple[int, ...]:
    """Return where a run is divided if commands are translated when they are submitted: each part has twice
    as many dispatches as the one before. The GPU takes 4 us and more for a dispatch of the networks measured, the
    library 1.4 to 2.8.

    H200, FastViT-T8, host to host: 0.85 ms in one part, 0.70 in two or more.
    """
    ends, size = [0], _FIRST_PART
    while ends[-1] + size * 3 // 2 < dispatches:
        ends.append(ends[-1] + size)
        size *= 2
    return (*ends, dispatches)


class _Watched:
    """Dispatches, each followed by a scan of its results; `runs` of them were recorded to the end."""

    def __init__(self, watch: RangeWatch, commands: Sequence[Command], places: Sequence[int]) -> None:
        self.watch, self.runs = watch, 0
        self._places = places
        self._record = make_recorder(commands)

    def record(self, compute_pass: wgpu.GPUComputePassEncoder, start: int, stop: int) -> None:
        """Record dispatches `start` to `stop`."""
        self._record(compute_pass, self._places[start], self._places[stop])
        self.runs += stop == len(self._places) - 1


@dataclass(frozen=True, repr=False)
class _OwnedTensor(Tensor):
    """A `Tensor` whose `buffer` raises once its session is closed."""

    session: weakref.ref[WgpuSession] = field(kw_only=True, compare=False)

    def __getattribute__(self, name: str) -> object:
        if name == "buffer":
            session = object.__getattribute__(self, "session")()
            if session is None or session.is_closed:
                raise ModelError(sentence("The network was closed and its tensors are gone; load it again."))
        return object.__getattribute__(self, name)

    def __repr__(self) -> str:
        return f"Tensor(shape={self.shape}, dtype={self.dtype}, layout={self.layout})"


class WgpuSession:
    """A network that runs on one `Gpu`, an implementation of `desktop.compute.nn.session.Session`.

    For one thread at a time. In a frame, a caller's kernel writes `tensor(input).buffer`,
    `encode(compute_pass)` records into an open pass, and `tensor(output).buffer` is bound: nothing is copied.

    Attributes:
        flops: FLOPs of the nodes that have any, by name.
        precision: storage of weights and tensors: 'fp32', 'fp16' (sums: float32) or 'int8' (exact integers).
    """

    def __init__(self, gpu: Gpu, prepared: Prepared, name: str = "") -> None:
        """Use `load`. `name` is for messages; raises PlanLostError as `SessionCache.get` does."""
        self.gpu, self._name = gpu, name
        # Without the file's data: they are as large as the weights.
        self._graph = replace(prepared.graph, nodes=(), constants={}, folded={})
        self.plan = plan = prepared.plan.uploaded()
        self.precision = prepared.precision
        self.flops = prepared.flops
        self._buffers: dict[int, wgpu.GPUBuffer] = {}
        self._closed = False
        self._watched: _Watched | None = None
        self._transfer: HostTransfer | None = None
        count = len(plan.dispatches)
        # Of runs that are recorded when they begin, and of those recorded ahead.
        if gpu.adapter.is_software:
            self._parts = self._parts_ahead = _one_part(count)
        elif TRANSLATES_WHEN_SUBMITTED:
            self._parts = self._parts_ahead = growing_parts(count)
        else:
            self._parts, self._parts_ahead = _two_parts(count), _one_part(count)
        self._is_short = False  # the previous run
        self._recorded: tuple[wgpu.GPUCommandBuffer, ...] = ()  # the next run's
        try:
            upload(gpu, self._make_buffers(prepared.plan))
            compiled = compile_pipelines(gpu, plan)
            self._commands = tuple(self.command(dispatch) for dispatch in plan.dispatches)
            del compiled  # each is in its command now
            self._record = make_recorder(self._commands)
            if self.precision == "fp16":
                watch = RangeWatch(gpu, plan, self._graph.inputs, self._buffers.__getitem__)
                self._watched = _Watched(watch, *watch.around(self._commands))
        except Exception:
            self.close()
            raise

    @classmethod
    def load(
        cls,
        gpu: Gpu,
        model: Model,
        *,
        precision: Precision = "auto",
        input_shapes: Mapping[str, Sequence[int]] | None = None,
        input_values: Mapping[str, np.ndarray] | None = None,
        keep: Sequence[str] = (),
        cache: SessionCache | None = None,
        tuning: Tuning | None = None,
        real_outputs: bool = False,
    ) -> WgpuSession:
        """Read a model and make everything that it needs to run.

        Args:
            model: a path, or an open file; its bytes are released before the weights are uploaded.
            precision: storage of weights and inner tensors; sums are float32. 'auto' is fp16 for a float16
                model on a GPU with `shader-f16`, else fp32 (fp16 agreed with onnxruntime in the top 5 of
                98.7%, not 100%, on MobileNetV2).
            input_shapes: sizes for inputs with free dimensions.
            input_values: arrays for inputs that become constants, required if they decide shapes.
            keep: names of inner tensors to read through `tensor`; they are not fused and share no memory.
            cache: cache of prepared networks to read and write.
            tuning: kernels chosen by measuring on this adapter (`load_tuning`); None for the rules'.
            real_outputs: give quantized TensorFlow Lite outputs as the real numbers that they stand for.

        Raises:
            ModelInvalidError: not a readable model.
            ModelUnsupportedError: lists everything that the engine or the adapter does not support.
            GpuError: out of memory.
        """
        with NetworkFile.opened(model) as file:
            make = partial(
                prepare,
                gpu,
                file,
                precision=precision,
                input_shapes=input_shapes,
                input_values=input_values,
                keep=keep,
                tuning=tuning,
                real_outputs=real_outputs,
            )
            try:
                return cls(gpu, make(cache=cache), file.name)
            except PlanLostError:  # the cache has logged it
                pass
            return cls(gpu, make(), file.name)

    # -- building --------------------------------------------------------------------------------------------

    def _buffer(self, size: int, label: str) -> wgpu.GPUBuffer:
        if size > self.gpu.limits["max-buffer-size"]:
            raise ModelUnsupportedError(
                sentence(
                    "The model needs a buffer of {size} bytes, more than {adapter} allows; choose a "
                    "smaller one or another backend.",
                    size=size,
                    adapter=self.gpu.adapter,
                ),
                (
                    sentence(
                        "a buffer of {size} bytes, more than {adapter} allows",
                        size=size,
                        adapter=self.gpu.adapter,
                    ),
                ),
            )
        try:
            buffer = self.gpu.buffer(size, _USAGE, label)
        except (wgpu.GPUError, RuntimeError) as error:
            raise GpuError(
                sentence(
                    "{adapter} has no memory for the model ({error}); close other programs.",
                    adapter=self.gpu.adapter,
                    error=error,
                )
            ) from error
        return buffer

    def _make_buffers(self, plan: Plan) -> list[tuple[wgpu.GPUBuffer, Constant]]:
        """Allocate the memory of the plan; return the data to upload."""
        found = []
        slots = [self._buffer(size, f"nn activations {index}") for index, size in enumerate(plan.slots)]
        used = {storage for d in plan.dispatches for storage in d.touches}
        used |= {plan.operands[name].storage for name in (*self._graph.inputs, *self._graph.outputs)}
        for storage in plan.storages:
            if storage.index in plan.slot_of:
                self._buffers[storage.index] = slots[plan.slot_of[storage.index]]
            elif storage.index in used:
                buffer = self._buffer(storage.size, "nn weights" if storage.is_constant else "nn tensor")
                self._buffers[storage.index] = buffer
                if storage.data is not None:
                    found.append((buffer, storage.data))
        return found

    def command(self, dispatch: Dispatch) -> Command:
        """Return a dispatch, of the plan or on its storages, bound to this session's memory for recording."""
        entries = [
            {"binding": i, "resource": {"buffer": self._buffers[storage]}}
            for i, storage in enumerate(dispatch.touches)
        ]
        layout = bind_group_layout(self.gpu, dispatch)
        group = self.gpu.device.create_bind_group(layout=layout, entries=entries)
        return pipeline_of(self.gpu, dispatch), (group,), dispatch.workgroups

    # -- the protocol ----------------------------------------------------------------------------------------

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """The network's inputs, with every dimension known."""
        return tuple(self._info(name) for name in self._graph.inputs)

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """The network's outputs."""
        return tuple(self._info(name) for name in self._graph.outputs)

    @property
    def backend(self) -> str:
        """'wgpu'."""
        return "wgpu"

    @property
    def device(self) -> str:
        """The adapter."""
        return str(self.gpu.adapter)

    @property
    def capabilities(self) -> SessionCapabilities:
        """It can be recorded."""
        return SessionCapabilities(recorder=self)

    @property
    def dispatch_count(self) -> int:
        """Dispatches of one inference: the largest `stop` of `encode`."""
        return len(self._commands)

    def memory(self, storage: int) -> wgpu.GPUBuffer:
        """The buffer of a storage of the plan; activations share theirs with others. For measuring."""
        return self._buffers[storage]

    def _info(self, name: str) -> TensorInfo:
        value = self._graph.values[name]
        return TensorInfo(name, value.shape, value.dtype)

    @property
    def is_closed(self) -> bool:
        """True after `close`."""
        return self._closed

    def _check_open(self) -> None:
        if self._closed:
            raise ModelError(sentence("The network was closed and its tensors are gone; load it again."))

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """Record dispatches `start` to `stop` (default: all) into an open compute pass.

        Several frames may share an inference, in order, if the inputs stay until the last part.
        """
        self._check_open()
        if self._watched is not None and start == 0:
            self._check_range()
        if self._watched is None:
            self._record(compute_pass, start, stop)
        else:
            self._watched.record(compute_pass, start, len(self._commands) if stop is None else stop)

    def _check_range(self, *, is_last: bool = False) -> None:
        """Log once if one of the first runs leaves float16's range; later runs are not scanned."""
        watched = self._watched
        if watched is None or not watched.runs:
            return
        dispatch = watched.watch.first_overflow()
        if dispatch is not None:
            notice(
                sentence(
                    "{name}: values of '{node}' are beyond 65504, where 16-bit floats end, so that its "
                    "results may be wrong; choose "
                    "the precision fp32 or another backend.",
                    name=self._name or "network",
                    node=dispatch.node,
                )
            )
        if dispatch is not None or is_last or watched.runs >= _WATCHED_RUNS:
            self._watched = None

    def tensor(self, name: str) -> Tensor:
        """GPU memory of an input, an output or a tensor of `load(keep=...)`; NHWC is padded with zeros.

        Raises ModelError if the session is closed or the tensor has no memory of its own.
        """
        self._check_open()
        operand = self.plan.operands.get(name)
        if operand is None or operand.storage not in self._buffers or operand.storage in self.plan.slot_of:
            known = name in self._graph.values
            if known:
                raise ModelError(
                    sentence(
                        "The tensor '{name}' is fused away or shares its memory with later ones; load the "
                        "network with "
                        "keep=['{name}'].",
                        name=name,
                    )
                )
            raise ModelError(
                sentence(
                    "The tensor '{name}' does not exist in this network; look its name up in the model.",
                    name=name,
                )
            )
        buffer = self._buffers[operand.storage]
        is_nchw = operand.layout == NCHW
        layout, channels = ("NCHW", operand.channels) if is_nchw else ("NHWC", operand.stride * 4)
        return _OwnedTensor(buffer, operand.shape, operand.dtype, layout, channels, session=weakref.ref(self))

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for host arrays; blocks until they are read back.

        While the GPU works, the next run's commands are recorded (each buffer serves once), unless runs are
        long. Raises ModelError for missing or unknown inputs, a wrong shape or type, or a closed session.
        """
        self._check_open()
        if self._transfer is None:
            self._transfer = self._make_transfer()
        begin, transfer = time.perf_counter(), self._transfer
        transfer.upload(feeds)
        commands, self._recorded = self._recorded, ()
        if commands:
            for each in commands:
                self.gpu.queue.submit([each])
        else:
            for start, stop in pairwise(self._parts):
                self.gpu.queue.submit([self._record_run(transfer, start, stop)])
        # Submitting to a device lost since recording aborts the process (wgpu-native); uploads raise first.
        if self._is_short and transfer.uploads:
            self._recorded = tuple(self._record_run(transfer, *part) for part in pairwise(self._parts_ahead))
        try:
            found = transfer.download()
        except BaseException:
            # Ctrl+C here may leave the buffer mapped; the next run's copy into it would abort the process.
            self._transfer, self._recorded = None, ()
            raise
        self._is_short = time.perf_counter() - begin < _SHORT_S
        self._check_range()
        return found

    def _record_run(self, transfer: HostTransfer, start: int, stop: int) -> wgpu.GPUCommandBuffer:
        """Record dispatches `start` to `stop` of a run, and after the last one the copies of the outputs."""
        encoder = self.gpu.command_encoder()
        if start == 0:
            transfer.record_inputs(encoder)
        compute_pass = encoder.begin_compute_pass()
        self.encode(compute_pass, start, stop)
        compute_pass.end()
        if stop == len(self._commands):
            transfer.record(encoder)
        return encoder.finish()

    def _make_transfer(self) -> HostTransfer:
        def ports(infos: Sequence[TensorInfo]) -> list[Port]:
            operands = [self.plan.operands[info.name] for info in infos]
            return [
                Port(info, operand.dtype, self._buffers[operand.storage])
                for info, operand in zip(infos, operands, strict=True)
            ]

        return HostTransfer(self.gpu, ports(self.inputs), ports(self.outputs))

    def close(self) -> None:
        """Release all GPU memory; every `Tensor` of this session raises from now on.

        Buffers are dropped, not destroyed: wgpu-native aborts when a destroyed one is submitted, and a frame
        may be in flight. A caller's bind group keeps its buffer alive.
        """
        if not self._closed:
            with suppress(Exception):  # a lost device reports nothing more
                self._check_range(is_last=True)
        self._closed, self._watched = True, None
        self._transfer = None
        commands, self._recorded = self._recorded, ()
        for each in commands:
            self.gpu.discard(each)
        self._commands = ()
        self._record = make_recorder(())
        self._buffers.clear()
