"""Compile a network by steps that return frozen values; the last one is compile/pipelines.py:

import_onnx or import_tflite -> infer_shapes -> optimize -> place_concats -> lower_graph -> Plan
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np

from desktop.base.errors import ModelUnsupportedError, Refusal
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.cache import Prepared, SessionCache
from desktop.compute.nn.compile.flops import node_costs
from desktop.compute.nn.compile.memory_estimate import check_plan
from desktop.compute.nn.compile.shape_inputs import is_setting, shape_inputs
from desktop.compute.nn.compile.shapes import DAMAGE, damage_of, file_at_fault, infer_decided, infer_shapes
from desktop.compute.nn.compile.target import arithmetic_of, is_half, target_of
from desktop.compute.nn.frontends.formats import TFLITE
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.frontends.onnx import import_onnx
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.kernels.casting import is_converted
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import refuse_unless
from desktop.compute.nn.lowering.plan import Plan
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.ops import IMPORTABLE, OPERATORS
from desktop.compute.nn.passes import optimize
from desktop.compute.nn.passes.full_precision import full_precision
from desktop.compute.nn.passes.moved import join_moves
from desktop.compute.nn.passes.placement import place_concats, read_channels_last
from desktop.compute.nn.passes.qlinear import expand_qlinear
from desktop.compute.nn.passes.separate_names import separate_names
from desktop.compute.nn.refusals import at_node, cannot_run, decided_late, not_lowered
from desktop.compute.nn.session import Precision


class _Sizes(TypedDict):
    """Arguments of an importer that concern the inputs."""

    input_shapes: Mapping[str, Sequence[int]] | None
    input_values: Mapping[str, np.ndarray] | None
    keep: Sequence[str]


def prepare(
    gpu: Gpu,
    file: NetworkFile,
    *,
    precision: Precision = "auto",
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
    keep: Sequence[str] = (),
    cache: SessionCache | None = None,
    tuning: Tuning | None = None,
    real_outputs: bool = False,
) -> Prepared:
    """Compile a model for a device, without its pipelines; arguments and errors as in `WgpuSession.load`.

    The file is released, so that its bytes are not in memory beside the packed weights.
    """
    targets = [target_of(gpu, precision, half=half) for half in (False, True)]

    def make() -> Prepared:
        graph = build_graph(
            file, input_shapes=input_shapes, input_values=input_values, keep=keep, real_outputs=real_outputs
        )
        target, precision = arithmetic_of(targets[is_half(graph)], graph)
        flops = {cost.name: cost.flops for cost in node_costs(graph)}
        return Prepared(graph, make_plan(graph, target, tuning), precision, flops)

    if cache is None:
        prepared = make()
    else:
        key = cache.key(
            file,
            targets,
            input_shapes=input_shapes,
            input_values=input_values,
            keep=keep,
            tuning="" if tuning is None else tuning.digest,
            real_outputs=real_outputs,
        )
        prepared = cache.get_or_make(key, make)
    file.release()
    if gpu.adapter.is_software:
        check_plan(
            file.path, prepared.plan.memory
        )  # a GPU's driver reports by itself when its memory is too small
    return prepared


def build_graph(
    model: Model,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
    keep: Sequence[str] = (),
    real_outputs: bool = False,
) -> Graph:
    """Read a model and optimize it; see `import_tflite` for `real_outputs`, `import_onnx` for errors."""
    with NetworkFile.opened(model) as file:
        name = file.name
        sizes: _Sizes = {"input_shapes": input_shapes, "input_values": input_values, "keep": keep}
        if file.format == TFLITE:
            # Here, because the schema's accessors take a quarter of a second to import.
            from desktop.compute.nn.frontends.tflite import import_tflite

            imported = import_tflite(file, real_outputs=real_outputs, **sizes)
        else:
            imported = import_onnx(file, IMPORTABLE, **sizes)
    missing = shape_inputs(imported, OPERATORS)
    if missing and not any(is_setting(imported.values[each]) for each in missing):
        decided = infer_decided(expand_qlinear(separate_names(imported)), OPERATORS)
        if decided.deciders:
            raise decided_late(name, decided.deciders[0])
    if missing:
        raise ModelUnsupportedError(
            sentence(
                "{name} cannot run on wgpu: its inputs {inputs} decide shapes, so they need a value when "
                "it is "
                "loaded; choose another backend.",
                name=name,
                inputs=list(missing),
            ),
            [Refusal(sentence("the input '{input}' decides shapes", input=each)) for each in missing],
        )
    try:
        return optimize(infer_shapes(expand_qlinear(separate_names(imported)), OPERATORS))
    except DAMAGE as error:
        raise cannot_run(name, [Refusal(damage_of(error))]) from error


def make_plan(graph: Graph, target: Target, tuning: Tuning | None = None) -> Plan:
    """Make the plan of an optimized graph; raise ModelUnsupportedError for all unsupported nodes at once."""
    return lower_graph(graph, target, tuning).finish()


def lower_graph(graph: Graph, target: Target, tuning: Tuning | None = None) -> Lowering:
    """Lower an optimized graph without packing its weights; errors as in `make_plan`."""
    exact = full_precision(graph) if target.dtype == "float16" else frozenset()
    placements = {
        name: (whole, channel)
        for name, (whole, channel) in place_concats(graph).items()
        if (name in exact) == (whole in exact)
    }
    lowering = Lowering(graph, target, placements, read_channels_last(graph), tuning, exact)
    for name in graph.inputs:
        lowering.values.add_input(name)
    refusals: list[Refusal] = []
    for node in join_moves(graph, placements, target.max_storages).nodes:
        try:
            with file_at_fault(node):
                _lower(lowering, node)
        except ModelUnsupportedError as error:
            refusals += at_node(error, node)
            for name in filter(None, node.outputs):
                lowering.values.result(name)  # so that the nodes after it are judged too
    if refusals:
        raise not_lowered(refusals)
    for name in graph.outputs:
        if name in graph.constants:
            lowering.values.add_constant_output(name)
    return lowering


def _lower(lowering: Lowering, node: Node) -> None:
    lower = OPERATORS[node.op].lower
    refuse_unless(lower is not None, node, "only supported where it can be folded away")
    assert lower is not None
    graph = lowering.graph
    for name in (*node.reads, *filter(None, node.outputs)):
        if name not in graph.constants and not is_converted(node, graph, name):
            refuse_unless(graph.values[name].dtype in HELD, node, f"{graph.values[name].dtype} tensors")
    lower(lowering, node)
