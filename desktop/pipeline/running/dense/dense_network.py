"""Network whose output covers the image: its input is a resized texture, its output another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np

from desktop.base.errors import LightloomError, ModelInvalidError, ModelUnsupportedError, UsageError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Precision
from desktop.media.sources.file_kinds import is_pipeline
from desktop.pipeline.running.dense.enlarging import load_enlarging
from desktop.pipeline.running.dense.picture_pair import paired
from desktop.pipeline.running.one.dense_head import DenseHead
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.pipeline.running.one.recurrent import recurrent, shapes_of_states
from desktop.pipeline.running.one.size_advice import size_advised
from desktop.pipeline.running.repaint.denoising_session import denoising
from desktop.pipeline.running.repaint.latent_network import load_latents
from desktop.vision.backends.loader import LoadedSession, load_session
from desktop.vision.models.findings import sentence_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.open_models import OpenModels
from desktop.vision.tasks.common.dense import (
    DensePlan,
    DenseRequest,
    axes_of,
    choose_output,
    layout_of,
    plan_dense,
    settle,
    stage_task,
)
from desktop.vision.tasks.task import Size


def load_dense(
    gpu: Gpu,
    model: str,
    picture: Size,
    request: DenseRequest,
    *,
    backend: str = "auto",
    precision: Precision = "auto",
    device: str = "auto",
    threads: int | None = None,
    models: OpenModels | None = None,
    values: Mapping[str, object] | None = None,
) -> PictureNetwork:
    """Load a network for images of size `picture` (width, height); its head is a `DenseHead`.

    Args:
        model: name of a built-in network, path of an ONNX file or, for 'repainted', of a pipeline's folder.
        backend, precision, device: see `load_session`; a pipeline's folder uses only the backend.
        values: initial settings that a network accepts while running (`SessionCapabilities.adjust`).

    Raises:
        ModelError: the network does not exist or cannot be read, no backend runs it, or its output misfits.
        UsageError: no network is named, or a setting in its sidecar does not fit.
    """
    if request.output == "repainted" and not model:
        raise UsageError(
            sentence(
                "Diffusion has no network; choose the folder of a Stable Diffusion pipeline, such as SD-Turbo or an "
                "LCM, or the .onnx file of a denoiser (docs/live-diffusion.md)."
            )
        )
    if request.output == "repainted" and is_pipeline(model):
        return load_latents(gpu, model, picture, request, values or {}, backend=backend)
    file = ModelFile.find(model, models)
    if request.output == "enlarged":
        return load_enlarging(
            gpu,
            file,
            picture,
            request,
            backend=backend,
            precision=precision,
            device=device,
            threads=threads,
        )
    plan = plan_dense(file, picture, file.statement, request)
    task = stage_task(request.output)
    others = plan.facts.others[: task.inputs - 1]
    alike = (other.name for other in others if other.shape == plan.facts.input_shape)
    shapes: dict[str, Sequence[int]] = dict.fromkeys((plan.facts.input_name, *alike), plan.input.shape)
    values_of_inputs = task.fixed_inputs(plan.facts, (plan.input.width, plan.input.height))
    shapes |= shapes_of_states(file, shapes, values_of_inputs)
    is_free = 0 in plan.facts.input_shape[1:] and not plan.has_stated_size
    with size_advised(file, (plan.input.width, plan.input.height) if is_free else None):
        loaded = load_session(
            file,
            gpu=gpu,
            backend=backend,
            precision=precision,
            device=device,
            threads=threads,
            input_shapes=shapes,
            input_values=values_of_inputs,
            real_outputs=True,
        )
    return _assemble(gpu, file.name, loaded, plan)


def _assemble(gpu: Gpu, name: str, loaded: LoadedSession, plan: DensePlan) -> PictureNetwork:
    """Assemble a loaded network with preprocessing and head; close it and raise ModelError if that fails."""
    with ExitStack() as opened:
        # Closes the session in `loaded` at that time: a wrapper closes the inner one too.
        opened.callback(lambda: loaded.session.close())
        task = stage_task(plan.request.output)
        if plan.facts.states:
            loaded = replace(loaded, session=recurrent(gpu, loaded.session, plan.facts.states))
        if task.denoises:
            loaded = replace(loaded, session=denoising(gpu, loaded.session, name))
        elif task.inputs == 2:
            loaded = replace(loaded, session=paired(gpu, loaded.session, name))
        session = loaded.session
        if len(session.inputs) != 1:
            raise ModelUnsupportedError(
                sentence(
                    "{name} has the inputs {names}, where an image is the only one; choose another network.",
                    name=name,
                    names=", ".join(i.name for i in session.inputs),
                )
            )
        output = choose_output(plan, session.outputs, name)

        def run(array: np.ndarray) -> np.ndarray:
            return session.run({plan.facts.input_name: array})[output.name]

        plan, layout = settle(plan, layout_of(plan, output, name), run, name)
        if session.capabilities.reset_state is not None:
            session.capabilities.reset_state()  # trial frames
        head = DenseHead(gpu, loaded, output, layout, plan.request.output)
        opened.callback(head.close)
        given = plan.input
        notes = [*(sentence_of(finding) for finding in plan.findings), *task.reading_notes(plan, layout)]
        alike = sum(axes_of(info.shape, given) is not None for info in session.outputs)
        if alike > 1 and not plan.output_name:
            notes.append(
                sentence(
                    "Of {count} outputs that cover the image, '{output}' is taken.",
                    count=alike,
                    output=output.name,
                )
            )
        if given.inner != (given.width, given.height):
            filled = f"{given.inner[0]}x{given.inner[1]}"
            notes.insert(
                0,
                sentence("The frame fills {filled} of it; its edge is repeated around it.", filled=filled),
            )
        network = PictureNetwork(gpu, loaded, given, plan.facts, head, tuple(notes), name)
        opened.pop_all()
        return network


def explained(error: Exception, model: str) -> LightloomError:
    """Convert an error of loading for the user: a model is untrusted, and may cause any exception."""
    if isinstance(error, LightloomError):
        return error
    text = str(error).strip().splitlines()
    return ModelInvalidError(
        sentence(
            "The network {name} cannot be loaded ({reason}); choose another one.",
            name=Path(model).name,
            reason=(text[0] if text else type(error).__name__).rstrip("."),
        )
    )
