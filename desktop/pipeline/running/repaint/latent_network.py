"""Diffusion pipeline's folder as a network of the chain: from an image to the repainted one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Session
from desktop.pipeline.running.one.dense_head import DenseHead
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.vision.backends.loader import LoadedSession
from desktop.vision.models.facts import ModelFacts
from desktop.vision.tasks.common.dense import DenseRequest, OutputLayout, WorkingInput, working_size
from desktop.vision.tasks.task import Size

if TYPE_CHECKING:
    from desktop.vision.diffusion.folder import Folder
    from desktop.vision.diffusion.part import Part
    from desktop.vision.diffusion.plan import Plan

_USUAL_SIDE: Final = 512


def load_latents(
    gpu: Gpu,
    model: str,
    picture: Size,
    request: DenseRequest,
    values: Mapping[str, object],
    *,
    backend: str = "auto",
) -> PictureNetwork:
    """Load a folder for images of size `picture` (width, height); its head is a `DenseHead`.

    Args:
        request: the working size, and whether a negative prompt is used.
        values: the stage's initial prompts, steps and so on (`LiveSettings`).

    Raises:
        ModelError: a part is missing or damaged, does not fit the others, or no backend supports it.
        UsageError: the number of steps is not possible.
        LightloomError: the package `tokenizers` is missing.
    """
    # imported here: it imports onnx, and most stages have no such folder
    from desktop.pipeline.running.repaint.latents import HostLatents, open_parts
    from desktop.pipeline.running.repaint.latents_gpu import GpuLatents
    from desktop.vision.diffusion.folder import read_folder
    from desktop.vision.diffusion.live import LiveFolder, LiveSettings
    from desktop.vision.diffusion.memory import check_memory_together
    from desktop.vision.diffusion.prompts import PromptReader
    from desktop.vision.diffusion.running import Context

    folder = read_folder(Path(model))
    given = _input(folder, picture, request)
    live = LiveFolder(folder, (given.width, given.height), request.guidance)
    plan = live.plan(LiveSettings().updated(values))
    reasons: dict[str, str] = {}

    def used(part: Part, session: Session, reason: str) -> None:
        reasons[part.kind] = reason

    context = Context(gpu=gpu, backend=backend, used=used)
    check_memory_together(folder, plan, context)
    reader = PromptReader(folder, context)
    try:
        reader.request(plan.prompts)
        states = reader.take(wait=True)
        assert states is not None
        parts = open_parts(live, plan, context, states)
    except BaseException:
        reader.close()
        raise
    networks = (parts.encoder, parts.denoiser.session, parts.decoder)
    try:
        session: HostLatents | GpuLatents
        if all(each.capabilities.recorder is not None for each in networks):
            session = GpuLatents(gpu, live, parts, reader, plan)
        else:
            session = HostLatents(live, parts, reader, plan)
    except BaseException:
        parts.close()
        reader.close()
        raise
    try:
        session.adjust(values)
        session.follow(wait=True)
        loaded = LoadedSession(session, reasons["unet"])
        head = DenseHead(gpu, loaded, session.outputs[0], _layout(given), request.output)
        network = PictureNetwork(
            gpu, loaded, given, _facts(session), head, _notes(folder, plan, given), folder.name
        )
        network.is_heavy = True
        return network
    except BaseException:
        session.close()
        raise


def _input(folder: Folder, picture: Size, request: DenseRequest) -> WorkingInput:
    from desktop.vision.diffusion.live import unit_of
    from desktop.vision.diffusion.plan import fixed_size

    inner, padded = working_size(picture, request.size or _USUAL_SIDE, unit_of(folder))
    fixed = fixed_size(folder)
    if fixed is not None:
        # The whole image fills a folder of fixed size, at any aspect ratio: the result is stretched back.
        inner = padded = fixed
    return WorkingInput(width=padded[0], height=padded[1], scale="-1..1", resize="stretch", inner=inner)


def _layout(given: WorkingInput) -> OutputLayout:
    width, height = given.inner
    strides = (1, given.width, given.width * given.height)
    return OutputLayout(width=width, height=height, strides=strides, channels=3, gain=0.5, bias=0.5)


def _facts(session: Session) -> ModelFacts:
    (given,) = session.inputs
    return ModelFacts(given.name, given.shape, given.dtype, session.outputs[0].name, outputs=session.outputs)


def _notes(folder: Folder, plan: Plan, given: WorkingInput) -> tuple[str, ...]:
    notes: list[str] = [
        sentence(
            "{folder}: {scheduler}; images are decoded by {decoder}.",
            folder=folder.name,
            scheduler=plan.scheduler.title,
            decoder=plan.decoder.part,
        )
    ]
    if given.inner != (given.width, given.height):
        filled = f"{given.inner[0]}x{given.inner[1]}"
        notes.insert(
            0,
            sentence("The frame fills {filled} of it; its edge is repeated around it.", filled=filled),
        )
    return tuple(notes)
