"""A stage's network, which turns an image into a texture, in the page as in the frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import Precision
from desktop.pipeline.chain.network_request import dense_request
from desktop.pipeline.filters.description import NetworkUse
from desktop.pipeline.filters.param import Values
from desktop.vision.backends.loader import load_session
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.dense import (
    DensePlan,
    Output,
    OutputLayout,
    Run,
    choose_output,
    layout_of,
    plan_dense,
    settle,
    stage_task,
)
from desktop.vision.tasks.common.unpack import ELEMENTS, FORMATS, UNPACK, pack_plan
from desktop.vision.tasks.task import Size
from desktop.web.network import Form, compile_forms, only_picture, write_form
from desktop.web.pieces import Pieces, Write
from desktop.web.preprocess import preprocess_table
from desktop.web.texts import Shaders, in_text


@dataclass(frozen=True)
class WebDense:
    """A stage's network, ready to be written: what is computed, how images go in, how the output is read."""

    name: str
    forms: tuple[Form, ...]
    preprocess: Preprocess
    output: str
    layout: OutputLayout


def gather_dense(use: NetworkUse, values: Values, picture: Size, precision: Precision) -> WebDense:
    """Compile the network of a stage.

    `picture` is the (width, height) that images are stretched to and back for a network of free size.

    Raises:
        ModelError: it cannot be read, a browser cannot compute it, or its output is unsuitable.
        UsageError: no network is named, or a setting of its sidecar is invalid.
    """
    request = dense_request(use, values)
    file = ModelFile.find(str(values[use.model]))
    if request.output == "enlarged" or stage_task(request.output).inputs != 1:
        raise ModelUnsupportedError(
            sentence(
                "The page has no network that enlarges the image, compares it with the one before or "
                "removes noise from it in steps ({name}); take its filter out of the look.",
                name=file.name,
            )
        )
    plan = plan_dense(file, picture, file.statement, request)
    shapes = {plan.facts.input_name: plan.input.shape}
    forms = compile_forms(file, precision, input_shapes=shapes)
    only_picture(forms[0], file.name)
    output = choose_output(plan, forms[0].outputs, file.name)
    plan, layout = settle(
        plan, layout_of(plan, output, file.name), _runner(file, plan, output.name), file.name
    )
    file.release()
    dtype = forms[0].operand(output.name).dtype
    if dtype not in ELEMENTS:
        raise ModelUnsupportedError(
            sentence(
                "The network's output has elements of type {dtype}, which are no pixels; choose another "
                "network.",
                dtype=dtype,
            )
        )
    return WebDense(file.path.stem, forms, plan.input, output.name, layout)


def _runner(file: ModelFile, plan: DensePlan, output: str) -> Run:
    """Return a function that computes the output on the CPU; the session is loaded at its first call."""

    def run(array: np.ndarray) -> np.ndarray:
        name = plan.facts.input_name
        loaded = load_session(
            file.path, gpu=None, backend="onnxruntime", input_shapes={name: plan.input.shape}
        )
        try:
            return loaded.session.run({name: array})[output]
        finally:
            loaded.session.close()

    return run


def write_dense(dense: WebDense, kind: Output, shaders: Shaders, write: Write) -> dict[str, Any]:
    """Write the weights and return the table."""
    fmt = FORMATS[kind]
    unpack = shaders.add_file(*UNPACK, changes={"TARGET_FORMAT": fmt})
    forms, pieces = [], Pieces(write)
    for form in dense.forms:
        made = write_form(form, shaders, pieces)
        given, operand = form.operand(form.graph.inputs[0]), form.operand(dense.output)
        forms.append(
            {
                **made.table,
                "preprocess": preprocess_table(
                    dense.preprocess, given, made.buffer_of[given.storage], shaders
                ),
                "unpack": {
                    "shader": unpack,
                    "constants": {"element_type": ELEMENTS[operand.dtype]},
                    "plan": in_text(pack_plan(dense.layout, kind)),
                    "tensor": made.buffer_of[operand.storage],
                    "format": fmt,
                    "width": dense.layout.size[0],
                    "height": dense.layout.size[1],
                    "channels": dense.layout.channels,
                },
            }
        )
    return {"name": dense.name, "weights": pieces.table(), "forms": forms}
