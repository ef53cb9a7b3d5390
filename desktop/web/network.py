"""A network's plans: for GPUs with 16-bit floats, for others, and for software adapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.target import arithmetic_of, is_half
from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.lowering.plan import Operand, Plan
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.refusals import reason_of
from desktop.compute.nn.session import Precision, TensorInfo
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.trimming import opened_real
from desktop.web.pieces import Pieces
from desktop.web.texts import Shaders

_F16: Final = "shader-f16"
_LARGEST_BINDING: Final = 1 << 30
"""Bytes of the largest binding. WebGPU guarantees only 128 MiB, so the page requests what a plan needs."""


def _target(*, half: bool = False, software: bool = False) -> Target:
    # `workgroups` are the engine's defaults for unknown and software adapters. WebGPU guarantees the rest.
    return Target(
        dtype="float16" if half else "float32",
        f16=half,
        workgroups=1 if software else 64,
        max_binding=_LARGEST_BINDING,
        max_groups=65535,
        max_storages=8,
    )


@dataclass(frozen=True)
class Form:
    """A network compiled for one kind of adapter, with the WebGPU `features` that it must have.

    `software`: for software adapters. SwiftShader, Chromium's fallback, takes five times as long to compile
    the kernels for GPUs (classifier.onnx: 33 s of CPU time instead of 7).
    """

    graph: Graph
    plan: Plan
    features: tuple[str, ...] = ()
    software: bool = False

    def infos(self, names: Sequence[str]) -> tuple[TensorInfo, ...]:
        """Return the shapes and element types of inputs or outputs, by name."""
        values = self.graph.values
        return tuple(TensorInfo(name, values[name].shape, values[name].dtype) for name in names)

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """The network's inputs."""
        return self.infos(self.graph.inputs)

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """The network's outputs."""
        return self.infos(self.graph.outputs)

    def operand(self, name: str) -> Operand:
        """Return where an input or output lies: row-major, in a storage of its own."""
        return self.plan.operands[name]


def compile_forms(
    file: ModelFile,
    precision: Precision = "auto",
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
) -> tuple[Form, ...]:
    """Compile a network: a 16-bit form, if any, the 32-bit one for GPUs, and last that for software adapters.

    Args:
        precision: 'fp16' adds a 16-bit form of any network without 8-bit integers, 'auto' only if its inputs
            have 16 bits, 'fp32' never.
        input_shapes: shapes for inputs with free dimensions, by name.
        input_values: arrays for inputs that become constants, by name.

    Raises:
        ModelInvalidError: the file is not a readable model.
        ModelUnsupportedError: the engine does not support it.
    """
    try:
        with opened_real(file) as real:
            graph = build_graph(real, input_shapes=input_shapes, input_values=input_values, real_outputs=True)
        forms = []
        if precision == "fp16" or (precision == "auto" and is_half(graph)):
            target, arithmetic = arithmetic_of(_target(half=True), graph)
            if arithmetic == "fp16":
                forms.append(Form(graph, make_plan(graph, target), (_F16,)))
        forms.append(Form(graph, make_plan(graph, _target())))
        forms.append(Form(graph, make_plan(graph, _target(software=True)), software=True))
    except ModelUnsupportedError as error:
        raise ModelUnsupportedError(
            sentence(
                "{name} cannot be exported, because a browser has no CPU backend for what the engine does "
                "not take: {reason}; "
                "choose another network.",
                name=file.name,
                reason=reason_of(error),
            ),
            error.refusals,
        ) from error
    return tuple(forms)


@dataclass(frozen=True)
class WrittenForm:
    """A form in a site's plan: its table, and for each storage of the `Plan` its buffer's index there."""

    table: dict[str, Any]
    buffer_of: Mapping[int, int]


def write_form(form: Form, shaders: Shaders, pieces: Pieces) -> WrittenForm:
    """Add a form's constants to the network's shared ones, and return its table (see docs/web.md)."""
    plan = form.plan
    buffers: list[dict[str, int]] = [{"bytes": size} for size in plan.slots]
    number = dict(plan.slot_of)
    used = {storage for d in plan.dispatches for storage in d.touches}
    used |= {form.operand(name).storage for name in (*form.graph.inputs, *form.graph.outputs)}
    for storage in plan.storages:
        if storage.index in number or storage.index not in used:
            continue
        number[storage.index] = len(buffers)
        entry = {"bytes": storage.size}
        if storage.data is not None and storage.data.size:
            entry |= {"at": pieces.add(storage.data.array()), "filled": storage.data.size}
        buffers.append(entry)
    dispatches = [
        {
            "shader": shaders.add(f"nn/{d.kernel}.wgsl", d.code),
            "buffers": [number[storage] for storage in d.touches],
            "groups": d.workgroups,
        }
        for d in plan.dispatches
    ]
    table = {
        "features": form.features,
        "software": form.software,
        "largest": max(each["bytes"] for each in buffers),
        "buffers": buffers,
        "dispatches": dispatches,
        "inputs": [_port(form, info, number) for info in form.inputs],
        "outputs": [_port(form, info, number) for info in form.outputs],
    }
    return WrittenForm(table, number)


def _port(form: Form, info: TensorInfo, number: Mapping[int, int]) -> dict[str, Any]:
    operand = form.operand(info.name)
    return {
        "name": info.name,
        "shape": info.shape,
        "type": operand.dtype,
        "buffer": number[operand.storage],
    }


def only_picture(form: Form, name: str) -> TensorInfo:
    """Return what the only input of a network is; raise ModelUnsupportedError if it has several."""
    if len(form.inputs) != 1:
        raise ModelUnsupportedError(
            sentence(
                "{name} has the inputs {names}, where an image is the only one; choose another network.",
                name=name,
                names=", ".join(info.name for info in form.inputs),
            )
        )
    return form.inputs[0]
