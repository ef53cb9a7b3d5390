"""A network on wgpu: pipelines, bind groups and buffers made once; a frame only records dispatches."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.wgpu_native.recorder import Command, make_recorder
from desktop.compute.nn.compile.cache import Prepared, SessionCache
from desktop.compute.nn.compile.flops import node_costs
from desktop.compute.nn.compile.shapes import DAMAGE, infer_shapes
from desktop.compute.nn.compile.weighing import check_plan
from desktop.compute.nn.frontends.onnx import import_onnx
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.kernels.bind import shape_inputs
from desktop.compute.nn.kernels.matrix import WholeNumbers
from desktop.compute.nn.lowering.lowering import PLANAR, Lowering, Target
from desktop.compute.nn.lowering.operator import refuse_unless
from desktop.compute.nn.lowering.plan import Dispatch, Plan
from desktop.compute.nn.lowering.rounds import MOST
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.measure.profile import Profile, profile_plan
from desktop.compute.nn.ops import IMPORTABLE, OPERATORS
from desktop.compute.nn.passes import optimize
from desktop.compute.nn.passes.placement import place_concats
from desktop.compute.nn.passes.qlinear import expand_qlinear
from desktop.compute.nn.runtime.transfer import HostTransfer, Port
from desktop.compute.nn.session import Precision, Tensor, TensorInfo
from desktop.errors import GpuError, ModelError, ModelInvalidError, ModelUnsupportedError
from desktop.wording import sentence

# WebGPU tells nothing of a GPU's multiprocessors. 128 suits the large ones, where too few workgroups cost most.
_WORKGROUPS: Final = {"discrete": 128, "integrated": 24, "unknown": 64, "software": 1}
_USAGE: Final = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST


def _cuts(dispatches: int, is_software: bool) -> tuple[int, ...]:
    """Where `run` divides its dispatches into submissions: the GPU begins with the first half while the second is recorded.

    H100, MobileNetV2, host to host: 0.71 ms in one part, 0.69 with a fifth first, 0.65 with a third, 0.60 with half, 0.66 in three.
    """
    if is_software or dispatches < 16:
        return (0, dispatches)
    return (0, dispatches // 2, dispatches)


def build_graph(
    path: Path,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
    keep: Sequence[str] = (),
) -> Graph:
    """Read a model and fuse it.

    Raises:
        ModelInvalidError, ModelUnsupportedError: see `import_onnx`.
    """
    imported = import_onnx(path, IMPORTABLE, input_shapes=input_shapes, input_values=input_values, keep=keep)
    missing = shape_inputs(imported, OPERATORS)
    if missing:
        raise ModelUnsupportedError(
            sentence(
                "{name} cannot run on wgpu: its inputs {inputs} decide shapes, so they need a value when it is "
                "loaded.",
                name=path.name,
                inputs=list(missing),
            ),
            tuple(f"the input '{name}' decides shapes" for name in missing),
        )
    try:
        return optimize(infer_shapes(expand_qlinear(imported), OPERATORS))
    except DAMAGE as error:
        raise ModelInvalidError(
            sentence("{name} is not a valid model ({error}); export it again.", name=path.name, error=error)
        ) from error


def is_half(graph: Graph) -> bool:
    """True for a network whose inputs are 16-bit floats."""
    return any(graph.values[name].dtype == "float16" for name in graph.inputs)


def arithmetic_of(target: Target, graph: Graph) -> tuple[Target, str]:
    """What is stored, and the session's `precision`.

    An 8-bit network is computed in exact integers, and what lies between them in float32 whatever is asked for: in float16
    the logits of shufflenet-v2-12-int8 were 6% off.
    """
    if any(node.detail(WholeNumbers) for node in graph.nodes):
        return replace(target, dtype="float32"), "int8"
    return target, "fp16" if target.dtype == "float16" else "fp32"


def target_of(gpu: Gpu, precision: Precision, *, half: bool = False) -> Target:
    """What to build for; `half`: the model itself is in 16-bit floats.

    Raises:
        ModelUnsupportedError: fp16 was asked for and the adapter has none.
    """
    f16 = gpu.has("shader-f16")
    if precision == "fp16" and not f16:
        raise ModelUnsupportedError(
            sentence("{adapter} has no 16-bit floats in shaders; choose fp32 or auto.", adapter=gpu.adapter)
        )
    half = precision == "fp16" or (precision == "auto" and half and f16 and not gpu.adapter.is_software)
    limits = gpu.limits
    return Target(
        dtype="float16" if half else "float32",
        f16=f16,
        workgroups=_WORKGROUPS[gpu.adapter.kind],
        max_binding=min(limits["max-storage-buffer-binding-size"], limits["max-buffer-size"]),
        max_groups=limits["max-compute-workgroups-per-dimension"],
        max_storages=limits["max-storage-buffers-per-shader-stage"],
        rounds=MOST if gpu.adapter.is_software else 0,
    )


def make_plan(graph: Graph, target: Target, tuning: Tuning | None = None) -> Plan:
    """The plan of a fused graph.

    Raises:
        ModelUnsupportedError: a node whose attributes or sizes the engine or adapter does not take; all such are listed.
    """
    return lower_graph(graph, target, tuning).finish()


def lower_graph(graph: Graph, target: Target, tuning: Tuning | None = None) -> Lowering:
    """Lower a fused graph, all but packing its weights.

    Raises:
        ModelUnsupportedError: see `make_plan`.
    """
    lowering = Lowering(graph, target, place_concats(graph), tuning)
    for name in graph.inputs:
        lowering.add_input(name)
    reasons: list[str] = []
    for node in graph.nodes:
        try:
            _lower(lowering, node)
        except ModelUnsupportedError as error:
            reasons += error.reasons or (f"{node}: {str(error).partition('; use')[0].rstrip('.')}",)
            for name in filter(None, node.outputs):
                lowering.result(name)  # the nodes after it can then be judged too
        except DAMAGE as error:
            raise ModelInvalidError(
                sentence("{node} is not valid ({error}); export the model again.", node=node, error=error)
            ) from error
    if reasons:
        raise ModelUnsupportedError(
            sentence(
                "The model cannot run on wgpu: {reasons}; use the onnxruntime backend.",
                reasons="; ".join(reasons),
            ),
            tuple(reasons),
        )
    for name in graph.outputs:
        if name in graph.constants:
            lowering.add_constant_output(name)
    return lowering


def _lower(lowering: Lowering, node: Node) -> None:
    lower = OPERATORS[node.op].lower
    refuse_unless(lower is not None, node, "only supported where it can be folded away")
    assert lower is not None
    graph = lowering.graph
    for name in (*node.reads, *filter(None, node.outputs)):
        if name not in graph.constants:
            refuse_unless(graph.values[name].dtype in HELD, node, f"{graph.values[name].dtype} tensors")
    lower(lowering, node)


@dataclass(frozen=True, repr=False)
class _OwnedTensor(Tensor):
    """A `Tensor` whose `buffer` raises once its session is closed."""

    session: weakref.ref[WgpuSession] = field(kw_only=True, compare=False)

    def __getattribute__(self, name: str) -> Any:
        if name == "buffer":
            session = object.__getattribute__(self, "session")()
            if session is None or session.is_closed:
                raise ModelError(sentence("The network was closed and its tensors are gone; load it again."))
        return object.__getattribute__(self, name)

    def __repr__(self) -> str:
        return f"Tensor(shape={self.shape}, dtype={self.dtype}, layout={self.layout})"


class WgpuSession:
    """A network that runs on one `Gpu`. Implements `desktop.compute.nn.session.Session`; one thread at a time.

    In a frame, let the caller's kernel write `tensor(input).buffer`, call `encode(compute_pass)` on an open compute pass and bind
    `tensor(output).buffer`: nothing is created, copied or submitted here.
    """

    def __init__(
        self, gpu: Gpu, graph: Graph, plan: Plan, precision: str, flops: Mapping[str, int] | None = None
    ) -> None:
        """Use `load`."""
        self._gpu = gpu
        self._graph = graph
        self._plan = plan
        self._precision = precision
        self._flops = flops or {}
        self._buffers: dict[int, Any] = {}
        self._closed = False
        self._transfer: HostTransfer | None = None
        self._cuts = _cuts(len(plan.dispatches), gpu.adapter.is_software)
        try:
            self._make_buffers()
            self._compile()
            self._commands = tuple(self.command(dispatch) for dispatch in plan.dispatches)
            self._record = make_recorder(self._commands)
        except Exception:
            self.close()
            raise

    @classmethod
    def load(
        cls,
        gpu: Gpu,
        path: str | Path,
        *,
        precision: Precision = "auto",
        input_shapes: Mapping[str, Sequence[int]] | None = None,
        input_values: Mapping[str, np.ndarray] | None = None,
        keep: Sequence[str] = (),
        cache: SessionCache | None = None,
        tuning: Tuning | None = None,
    ) -> WgpuSession:
        """Read an ONNX model and make everything that it needs to run.

        Args:
            precision: storage of weights and inner tensors; sums are always float32. 'auto' is the model's own: fp16 for a
                float16 model where the adapter has `shader-f16` and is no software one, else fp32. (fp16 for every model was
                tried: MobileNetV2 in float32 then agreed with onnxruntime in the top 5 of 98.7% of 150 photographs instead
                of 100%, for 0.23 ms instead of 0.24 on an H100.)
            input_shapes: sizes for inputs with free dimensions.
            input_values: arrays for inputs that are fixed now, and are inputs no more: those that decide shapes (see
                `shape_inputs`) must be.
            keep: names of inner tensors to keep readable through `tensor`; they are not fused away and share no memory.
            cache: where to look for the network prepared, and to keep it.
            tuning: kernels that were found by measuring on this adapter (`load_tuning`); without it the rules choose them.

        Raises:
            ModelInvalidError: not a readable model.
            ModelUnsupportedError: something in it that the engine or the adapter does not take, all listed.
            GpuError: the driver has no memory for it.
        """
        path = Path(path)
        targets = [target_of(gpu, precision, half=half) for half in (False, True)]

        def prepare() -> Prepared:
            graph = build_graph(path, input_shapes=input_shapes, input_values=input_values, keep=keep)
            target, precision = arithmetic_of(targets[is_half(graph)], graph)
            flops = {cost.name: cost.flops for cost in node_costs(graph)}
            return Prepared(graph, make_plan(graph, target, tuning), precision, flops)

        if cache is None:
            prepared = prepare()
        else:
            key = cache.key(
                path,
                targets,
                input_shapes=input_shapes,
                input_values=input_values,
                keep=keep,
                tuning="" if tuning is None else tuning.digest,
            )
            prepared = cache.get_or_make(key, prepare)
        if gpu.adapter.is_software:
            check_plan(path, prepared.plan.memory)  # a GPU's driver says itself what it has no memory for
        return cls(gpu, prepared.graph, prepared.plan, prepared.precision, prepared.flops)

    # -- building --------------------------------------------------------------------------------------------------

    def _buffer(self, size: int, label: str) -> Any:
        if size > self._gpu.limits["max-buffer-size"]:
            raise ModelUnsupportedError(
                sentence(
                    "The model needs a buffer of {size} bytes, more than {adapter} allows.",
                    size=size,
                    adapter=self._gpu.adapter,
                )
            )
        try:
            buffer = self._gpu.buffer(size, _USAGE, label)
        except (wgpu.GPUError, RuntimeError) as error:
            raise GpuError(
                sentence(
                    "{adapter} has no memory for the model ({error}); close other programs.",
                    adapter=self._gpu.adapter,
                    error=error,
                )
            ) from error
        return buffer

    def _make_buffers(self) -> None:
        plan = self._plan
        slots = [self._buffer(size, f"nn activations {index}") for index, size in enumerate(plan.slots)]
        used = {storage for d in plan.dispatches for storage in (*d.reads, d.write)}
        used |= {plan.operands[name].storage for name in (*self._graph.inputs, *self._graph.outputs)}
        for storage in plan.storages:
            if storage.index in plan.slot_of:
                self._buffers[storage.index] = slots[plan.slot_of[storage.index]]
            elif storage.index in used:
                buffer = self._buffer(storage.size, "nn weights" if storage.data is not None else "nn tensor")
                self._buffers[storage.index] = buffer
                if storage.data is not None and storage.data.nbytes:
                    self._gpu.queue.write_buffer(buffer, 0, storage.data)

    def _layout(self, reads: int) -> Any:
        """The layout of `reads` read-only buffers and one that is written."""
        kinds = ["read-only-storage"] * reads + ["storage"]
        return self._gpu.bind_group_layout(
            [
                {"binding": i, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": kind}}
                for i, kind in enumerate(kinds)
            ]
        )

    def _compile(self) -> None:
        """Compile the distinct shaders on several threads; `command` then finds them in the cache."""
        distinct = {d.code: d for d in self._plan.dispatches}.values()
        with ThreadPoolExecutor(max_workers=min(16, os.cpu_count() or 1)) as pool:
            list(pool.map(self.pipeline, distinct))

    def pipeline(self, dispatch: Dispatch) -> Any:
        """Compile a dispatch's shader, or find it compiled; on any thread."""
        layout = self._layout(len(dispatch.reads))
        return self._gpu.compute_pipeline(
            dispatch.code, "main", label=f"{dispatch.kernel}.wgsl", layouts=[layout]
        )

    def command(self, dispatch: Dispatch) -> Command:
        """A dispatch over this session's memory, ready to be recorded: one of its plan or one that reads and writes the same storages."""
        layout = self._layout(len(dispatch.reads))
        entries = [
            {"binding": i, "resource": {"buffer": self._buffers[storage]}}
            for i, storage in enumerate((*dispatch.reads, dispatch.write))
        ]
        return (
            self.pipeline(dispatch),
            (self._gpu.device.create_bind_group(layout=layout, entries=entries),),
            dispatch.workgroups,
        )

    # -- the protocol ----------------------------------------------------------------------------------------------

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
        return str(self._gpu.adapter)

    @property
    def precision(self) -> str:
        """'fp32' or 'fp16': how weights and inner tensors are stored, sums are float32; 'int8': exact integers."""
        return self._precision

    @property
    def dispatch_count(self) -> int:
        """Dispatches of one inference: the largest `stop` of `encode`."""
        return len(self._commands)

    @property
    def plan(self) -> Plan:
        """What runs, for profiles and `model check`."""
        return self._plan

    def memory(self, storage: int) -> Any:
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

    def encode(self, compute_pass: Any, start: int = 0, stop: int | None = None) -> None:
        """Record dispatches `start` to `stop` (default: all) into an open compute pass.

        A slow GPU can spread an inference over several frames, in order; the inputs must stay as they are until the last part.
        """
        self._check_open()
        self._record(compute_pass, start, stop)

    def tensor(self, name: str) -> Tensor:
        """The GPU memory of an input, an output or a tensor named in `load(keep=...)`.

        'NHWC' tensors are channels last, padded with zeros to `padded_channels`.

        Raises:
            ModelError: the session is closed, or the network has no such tensor in memory of its own.
        """
        self._check_open()
        operand = self._plan.operands.get(name)
        if operand is None or operand.storage not in self._buffers or operand.storage in self._plan.slot_of:
            known = name in self._graph.values
            if known:
                raise ModelError(
                    sentence(
                        "The tensor '{name}' is fused away or shares its memory with later ones; load the network with "
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
        planar = operand.layout == PLANAR
        layout, channels = ("NCHW", operand.channels) if planar else ("NHWC", operand.stride * 4)
        return _OwnedTensor(buffer, operand.shape, operand.dtype, layout, channels, session=weakref.ref(self))

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs for host arrays; blocks until they are read back.

        Raises:
            ModelError: a missing or unknown input, a wrong shape or type, or a closed session.
        """
        self._check_open()
        if self._transfer is None:
            self._transfer = self._make_transfer()
        self._transfer.upload(feeds)
        for start, stop in pairwise(self._cuts):
            encoder = self._gpu.device.create_command_encoder()
            compute_pass = encoder.begin_compute_pass()
            self.encode(compute_pass, start, stop)
            compute_pass.end()
            if stop == self._cuts[-1]:
                self._transfer.record(encoder)
            self._gpu.queue.submit([encoder.finish()])
        return self._transfer.download()

    def profile(self, runs: int = 5) -> Profile:
        """Time each node over `runs` runs, on the inputs that were given last.

        Raises:
            ModelError: the session is closed.
        """
        self._check_open()
        return profile_plan(self._gpu, self._plan, self.encode, self._flops, runs)

    def _make_transfer(self) -> HostTransfer:
        def ports(infos: Sequence[TensorInfo]) -> list[Port]:
            operands = [self._plan.operands[info.name] for info in infos]
            return [
                Port(info, operand.dtype, self._buffers[operand.storage])
                for info, operand in zip(infos, operands, strict=True)
            ]

        return HostTransfer(self._gpu, ports(self.inputs), ports(self.outputs))

    def close(self) -> None:
        """Let go of all GPU memory; every `Tensor` of this session says so from now on.

        The buffers are dropped, not destroyed: memory is freed at once unless a bind group of the caller still holds a buffer.
        wgpu-native aborts the process when something destroyed is submitted, and a frame may be on its way.
        """
        self._closed = True
        self._transfer = None
        self._commands = ()
        self._record = make_recorder(())
        self._buffers.clear()
