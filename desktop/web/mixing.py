"""Mixing of a stage's result with what the stage was given: the steps that make its mask, and the composite.

Each step is a filter, as in `StageMixing`. It reads and writes textures by name: 'frame' (before the chain),
'base' and 'effect' (what the stage was given, and its result), 'result' (the mixture), 'mask N', and 'stage N'
(the result of an earlier stage of the chain, by its index).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from desktop.base.errors import ExportError
from desktop.base.wording import sentence
from desktop.compute.gpu.shader import read_shader
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.description import Filter, NetworkUse
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import Values
from desktop.pipeline.masks.shapes import Outline, Stroke
from desktop.pipeline.masks.sources import SHAPE_SOURCES, MaskScene
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.web.dense import WebDense
from desktop.web.texts import Shaders

MASK_TEXTURES: Final = 3
"""Textures that the masks of all stages share."""

_DRAWN: Final = ("outline", "brush")

Drawn = Outline | Stroke
FindNetwork = Callable[[NetworkUse, Values], WebDense]


@dataclass(frozen=True)
class WebStep:
    """A step of a mixing.

    Attributes:
        io: names of the textures by their roles: 'input', 'original', 'output', and 'given' if it has one.
        drawn: the shapes whose coverage it is given; None for other steps.
    """

    filter: Filter
    values: Values
    io: Mapping[str, str]
    drawn: tuple[Drawn, ...] | None = None
    network: WebDense | None = None


def gather_mixing(
    spec: StageSpec, library: FilterLibrary, earlier: Mapping[int, int], find_network: FindNetwork
) -> tuple[WebStep, ...]:
    """Return the steps that mix a stage's result in; the last one is the composite, with the page's opacity.

    Args:
        earlier: indices of the stages before it, by id.
        find_network: compiles the network of a part.

    Raises:
        ExportError: the mask refers to what a page does not have.
        LightloomError: one of its kinds or networks cannot be used.
    """
    mask, title = spec.mask or MaskSpec(), library.get(spec.filter).title
    steps: list[WebStep] = []
    made = ""
    for index, part in enumerate(mask.parts):
        covered = _free(made)
        steps.append(_coverage(part, covered, title, library, earlier, find_network))
        before, made = made, covered
        if index or part.inverted or part.join != "add":
            made = _free(covered, before)
            joining: Values = {"join": part.join, "inverted": part.inverted, "first": index == 0}
            given = {"given": before} if before else {}
            steps.append(_step(library, "join", joining, input=covered, output=made, **given))
    edge = {"grow": mask.grow != 0.0, "refine": mask.refine, "feather": mask.feather > 0.0}
    for name in edge if made else ():
        if edge[name]:
            amount: Values = {} if name == "refine" else {name: getattr(mask, name)}
            before, made = made, _free(made)
            steps.append(_step(library, name, amount, input=before, output=made))
    mixing = {"opacity": spec.opacity, "blend": spec.blend, "masked": bool(made), "inverted": mask.inverted}
    roles = {"input": "base", "original": "effect", "output": "result", **({"given": made} if made else {})}
    return (*steps, _step(library, "composite", mixing, **roles))


def _free(*busy: str) -> str:
    return next(name for n in range(MASK_TEXTURES) if (name := f"mask {n}") not in busy)


def _step(library: FilterLibrary, name: str, values: Mapping[str, Any], **io: str) -> WebStep:
    item = library.mask_steps[name]
    return WebStep(item, item.check(values), {"original": "frame", **io})


def _coverage(
    part: MaskPart,
    output: str,
    title: str,
    library: FilterLibrary,
    earlier: Mapping[int, int],
    find_network: FindNetwork,
) -> WebStep:
    item = library.mask(part.kind)
    values = item.check(part.values)
    io = {"input": "base", "original": "frame", "output": output}
    source = item.given.source if item.given is not None else ""
    if part.attachment is not None or source not in ("", "stage", *_DRAWN):
        raise ExportError(
            sentence(
                "The mask of {title} refers to objects that a network finds or to zones, and the page has "
                "neither; give {title} another mask or take it out of the look first.",
                title=title,
            )
        )
    if source == "stage":
        index = earlier.get(part.stage) if part.stage is not None else None
        if index is None:
            raise ExportError(
                sentence(
                    "The mask of {title} is the result of an effect that does not stand before {title}; "
                    "choose another one.",
                    title=title,
                )
            )
        io["given"] = f"stage {index}"
    drawn = _shapes(source, values) if source in _DRAWN else None
    network = find_network(item.network, values) if item.network is not None else None
    return WebStep(item, values, io, drawn, network)


def _shapes(source: str, values: Values) -> tuple[Drawn, ...]:
    shapes = SHAPE_SOURCES[source](values, MaskScene(), "nothing") or ()
    return tuple(shape for shape in shapes if isinstance(shape, Outline | Stroke))


def shapes_table(drawn: tuple[Drawn, ...], shaders: Shaders) -> dict[str, Any]:
    """Return the shapes as the page draws them: points in fractions, `width` in heights, 0 for outlines."""
    return {
        "shader": shaders.add("present/shapes.wgsl", read_shader("present", "shapes.wgsl")),
        "shapes": [
            {"width": shape.width if isinstance(shape, Stroke) else 0.0, "points": shape.points}
            for shape in drawn
        ],
    }
