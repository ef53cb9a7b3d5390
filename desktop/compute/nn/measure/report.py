"""Report the contents and cost of a model file, without a GPU: for `lightloom model check`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import onnx

from desktop.base.errors import ModelError, ModelUnsupportedError, SizesNeededError
from desktop.base.notices import report_while_running
from desktop.base.wording import sentence
from desktop.compute.nn.compile.dividing import divide, let_go
from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.flops import NodeCost, node_costs
from desktop.compute.nn.compile.target import arithmetic_of, is_half
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.frontends.onnx import declared_sizes, read_model
from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.lowering.plan import Plan
from desktop.compute.nn.lowering.target import Target

DEFAULT_LIMITS: Final = {
    precision: Target(
        dtype=dtype,
        f16=precision == "fp16",
        workgroups=128,
        max_binding=1 << 27,
        max_groups=65535,
        max_storages=8,
    )
    for precision, dtype in (("fp32", "float32"), ("fp16", "float16"))
}
"""Targets without an adapter, with WebGPU's default limits (https://www.w3.org/TR/webgpu/#limits)."""


@dataclass(frozen=True)
class Declared:
    """An input or output as the file declares it; a free dimension is its name, or '?'."""

    name: str
    dtype: str
    shape: tuple[int | str, ...]


@dataclass(frozen=True)
class Memory:
    """Bytes of GPU memory.

    Attributes:
        weights: constants, as packed for the kernels.
        activations: buffers of inputs, outputs and inner tensors, shared by lifetime.
        peak_live: lower bound of `activations`: the most that is needed at the same time.
    """

    weights: int
    activations: int
    peak_live: int


@dataclass(frozen=True)
class PrecisionReport:
    """Cost of a precision, or why the network cannot run in it; `arithmetic` is 'int8' if quantized."""

    precision: str
    arithmetic: str = ""
    dispatches: int = 0
    memory: Memory | None = None
    refused: str = ""


@dataclass(frozen=True)
class ModelReport:
    """The contents and cost of a model file.

    Attributes:
        operators: number of nodes of each type, including those in If, Loop and Scan.
        parameters: elements of the file's constants without int64 and bool ones (shapes, indices).
        precision: the choice of 'auto' on a GPU.
        flops: of one run; None if shapes are not known.
        chosen: the sizes used, of each input with free dimensions.
        open: declared shapes of inputs whose sizes must be chosen first; nothing was computed.
        division: the part that runs on wgpu, if not all, to which the figures then refer.
        unsupported: everything that the wgpu engine does not support.
        refused: why 'auto' cannot run the network; '' if it can.
    """

    model: str
    producer: str
    opsets: Mapping[str, int]
    inputs: tuple[Declared, ...]
    outputs: tuple[Declared, ...]
    operators: Mapping[str, int]
    parameters: int
    file_bytes: int
    precision: str = ""
    flops: int | None = None
    nodes: tuple[NodeCost, ...] = ()
    precisions: tuple[PrecisionReport, ...] = ()
    chosen: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    open: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    division: str = ""
    unsupported: tuple[str, ...] = ()
    refused: str = ""


# -- memory --------------------------------------------------------------------------------------------------


def memory_of(plan: Plan) -> Memory:
    """Return the GPU memory of a plan."""
    used = {storage for dispatch in plan.dispatches for storage in dispatch.touches}
    pinned = [
        s for s in plan.storages if s.index not in plan.slot_of and not s.is_constant and s.index in used
    ]
    weights = sum(s.size for s in plan.storages if s.is_constant)
    fixed = sum(s.size for s in pinned)
    return Memory(weights, sum(plan.slots) + fixed, fixed + _peak_live(plan))


def _peak_live(plan: Plan) -> int:
    last = {storage: at for at, d in enumerate(plan.dispatches) for storage in d.touches}
    live: set[int] = set()
    peak = now = 0
    for at, dispatch in enumerate(plan.dispatches):
        for storage in {*dispatch.writes} & plan.slot_of.keys() - live:
            live.add(storage)
            now += plan.storages[storage].size
        peak = max(peak, now)
        for storage in {*dispatch.touches} & live:
            if last[storage] == at:
                live.remove(storage)
                now -= plan.storages[storage].size
    return peak


# -- the file ------------------------------------------------------------------------------------------------


def _declared(info: Any) -> Declared:
    optional = info.type.HasField("optional_type")
    tensor = (info.type.optional_type.elem_type if optional else info.type).tensor_type
    return Declared(info.name, _type_name(tensor.elem_type), declared_sizes(tensor.shape.dim))


def _type_name(code: int) -> str:
    try:
        return str(onnx.TensorProto.DataType.Name(code)).lower()
    except ValueError:
        return f"type {code}"


def _graphs(graph: Any) -> Iterator[Any]:
    """Yield a graph and all subgraphs of its nodes."""
    waiting = [graph]
    while waiting:
        each = waiting.pop()
        yield each
        for node in each.node:
            for attribute in node.attribute:
                waiting += [attribute.g] if attribute.HasField("g") else []
                waiting += attribute.graphs


def _parameters(graphs: Sequence[Any]) -> int:
    indices = (onnx.TensorProto.INT64, onnx.TensorProto.BOOL)
    tensors = [tensor for graph in graphs for tensor in graph.initializer]
    tensors += [
        attribute.t
        for graph in graphs
        for node in graph.node
        if node.op_type == "Constant"
        for attribute in node.attribute
        if attribute.HasField("t")
    ]
    return sum(math.prod(max(int(n), 0) for n in t.dims) for t in tensors if t.data_type not in indices)


def examine(
    model: Model,
    targets: Mapping[str, Target | str] = DEFAULT_LIMITS,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
) -> ModelReport:
    """Examine a model: contents, cost and what prevents it from running; ModelInvalidError if unreadable.

    `targets`: by precision the target, or a sentence if the adapter lacks it. `input_shapes`: free sizes.
    """
    with NetworkFile.opened(model) as file:
        lasting = sentence(
            "{name} is still being examined; a large network may take minutes.", name=file.name
        )
        with report_while_running(lasting):
            return _examined(file, targets, input_shapes)


def _examined(
    file: NetworkFile,
    targets: Mapping[str, Target | str],
    input_shapes: Mapping[str, Sequence[int]] | None,
) -> ModelReport:
    model = read_model(file)
    graphs = list(_graphs(model.graph))
    constants = {tensor.name for tensor in model.graph.initializer}
    counts = Counter(
        f"{node.domain}.{node.op_type}" if node.domain not in ("", "ai.onnx") else node.op_type
        for graph in graphs
        for node in graph.node
    )
    facts: dict[str, Any] = {
        "model": str(file.path),
        "producer": f"{model.producer_name} {model.producer_version}".strip(),
        "opsets": {str(o.domain) or "ai.onnx": int(o.version) for o in model.opset_import},
        "inputs": tuple(_declared(info) for info in model.graph.input if info.name not in constants),
        "outputs": tuple(_declared(info) for info in model.graph.output),
        "operators": dict(counts.most_common()),
        "parameters": _parameters(graphs),
        "file_bytes": file.size,
    }
    division = ""
    try:
        graph, division = _graph(file, input_shapes)
    except SizesNeededError as error:
        return ModelReport(**facts, open=error.inputs, refused=str(error))
    except ModelError as error:
        return ModelReport(
            **facts,
            unsupported=error.reasons if isinstance(error, ModelUnsupportedError) else (),
            refused=str(error),
        )
    nodes = node_costs(graph)
    plans = tuple(_planned(graph, precision, target) for precision, target in targets.items())
    auto = "fp16" if is_half(graph) and isinstance(targets.get("fp16"), Target) else "fp32"
    refused, unsupported = next(
        ((report.refused, reasons) for report, reasons in plans if report.precision == auto), ("", ())
    )
    return ModelReport(
        **facts,
        precision=auto,
        flops=sum(node.flops for node in nodes),
        nodes=nodes,
        precisions=tuple(report for report, _ in plans),
        chosen={
            info.name: graph.values[info.name].shape
            for info in facts["inputs"]
            if info.name in graph.values and not all(isinstance(n, int) for n in info.shape)
        },
        division=division,
        unsupported=unsupported,
        refused=refused,
    )


def _graph(file: NetworkFile, input_shapes: Mapping[str, Sequence[int]] | None) -> tuple[Graph, str]:
    """Return the graph that the engine computes, of a divided network the first part's, and where it ends."""
    try:
        return build_graph(file, input_shapes=input_shapes), ""
    except ModelUnsupportedError as error:
        refused = error
    let_go(refused)
    division = divide(file, input_shapes=input_shapes)
    if division is None:
        raise refused
    return build_graph(division.head, input_shapes=input_shapes), division.text


def _planned(graph: Graph, precision: str, target: Target | str) -> tuple[PrecisionReport, tuple[str, ...]]:
    if isinstance(target, str):
        return PrecisionReport(precision, refused=target), ()
    try:
        target, arithmetic = arithmetic_of(target, graph)
        plan = make_plan(graph, target)
    except ModelUnsupportedError as error:
        return PrecisionReport(precision, refused=str(error)), error.reasons or (str(error),)
    except ModelError as error:
        return PrecisionReport(precision, refused=str(error)), ()
    return PrecisionReport(precision, arithmetic, len(plan.dispatches), memory_of(plan)), ()
