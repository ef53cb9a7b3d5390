"""All that a site is made of, compiled before anything is written, and the plan that the page reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from desktop.base.errors import ExportError
from desktop.base.wording import sentence
from desktop.compute.nn.session import Precision
from desktop.pipeline.filters.description import NETWORK_SETTINGS, NetworkUse
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import Values
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.task import Size
from desktop.web.classifier import ClassifierExport, gather_classifier, write_classifier
from desktop.web.dense import WebDense, gather_dense
from desktop.web.mixing import MASK_TEXTURES, gather_mixing
from desktop.web.pieces import Write
from desktop.web.stages import SharedNetworks, WebStage, write_stage
from desktop.web.texts import Shaders

PLAN_VERSION: Final = 2
"""Of the plan's keys: the page refuses another one."""


@dataclass(frozen=True)
class Contents:
    """A setup to be written: the chain's stages, the network beside the image, the page's title."""

    title: str
    stages: tuple[WebStage, ...]
    classifier: ClassifierExport | None


def gather(
    setup: Setup, library: FilterLibrary, *, title: str, picture: Size, precision: Precision = "auto"
) -> Contents:
    """Compile a setup for browsers.

    Args:
        setup: the chain and the network beside the image.
        library: where the chain's filters are looked up.
        title: of the page.
        picture: (width, height) for stage networks of free size.
        precision: see `compile_forms`.

    Raises:
        ExportError: the page does not support something in it.
        LightloomError: one of its filters, tables or networks cannot be used.
    """
    _check(setup)
    compile_network = partial(gather_dense, picture=picture, precision=precision)
    of_masks: dict[object, WebDense] = {}

    def find_network(use: NetworkUse, values: Values) -> WebDense:
        key = (use.output, *((name, values.get(getattr(use, name))) for name in NETWORK_SETTINGS))
        if key not in of_masks:
            of_masks[key] = compile_network(use, values)
        return of_masks[key]

    stages: list[WebStage] = []
    earlier: dict[int, int] = {}
    for spec in setup.chain.stages:
        item = library.get(spec.filter)
        if item.inputs:
            raise ExportError(
                sentence(
                    "{title} reads {inputs}, and the page cannot do that; take it out of the look first.",
                    title=item.title,
                    inputs=", ".join(item.inputs),
                )
            )
        values = item.check(spec.values)
        mixing = gather_mixing(spec, library, earlier, find_network)
        network = compile_network(item.network, values) if item.network is not None else None
        earlier[spec.id] = len(stages)
        stages.append(WebStage(spec, item, values, network, mixing))
    read = {name for stage in stages for step in stage.mixing for name in step.io.values()}
    stages = [replace(stage, is_read=f"stage {index}" in read) for index, stage in enumerate(stages)]
    classifier = gather_classifier(setup.analysis, precision) if setup.analysis is not None else None
    return Contents(title, tuple(stages), classifier)


def _check(setup: Setup) -> None:
    # Refused and not left out: who hides faces must not publish a page that shows them.
    if setup.anonymize is not None:
        raise ExportError(
            sentence(
                "The look hides what a network finds, and the page cannot do that; take [anonymize] out "
                "of it first."
            )
        )
    if any(
        each.enabled for stage in setup.chain.stages if stage.enabled for each in stage.automation.values()
    ):
        raise ExportError(
            sentence("The look has automations, and the page cannot do that; remove them from it first.")
        )
    if setup.layers.in_use or setup.layers.moves_main:
        raise ExportError(
            sentence("The look has layers, and the page cannot do that; remove them from it first.")
        )
    scene = setup.scene
    if scene.zones or scene.events or scene.track is not None or scene.heat_map:
        raise ExportError(
            sentence(
                "The look follows or counts what a network finds, and the page cannot do that; take "
                "[scene] out of it first."
            )
        )
    if not setup.chain.stages and setup.analysis is None:
        raise ExportError(
            sentence("There is neither a filter nor a network in it, so there is nothing to export.")
        )


def plan_of(contents: Contents, write: Write) -> dict[str, Any]:
    """Write all pieces and return the plan that the page reads (docs/web.md has its keys).

    Raises LightloomError if a filter's file, a table or an image is unreadable, OSError if a piece cannot be
    written.
    """
    shaders = Shaders()
    networks = SharedNetworks(shaders, write)
    stages = [write_stage(stage, networks) for stage in contents.stages]
    has_mask = any(len(stage.mixing) > 1 for stage in contents.stages)
    classifier = (
        write_classifier(contents.classifier, shaders, write) if contents.classifier is not None else None
    )
    return {
        "lightloom": PLAN_VERSION,
        "title": contents.title,
        "shaders": shaders.table,
        "stages": stages,
        "networks": networks.tables,
        # What a stage is given, its result and the mixture; and the results that are read later.
        "textures": 3 + sum(stage.is_read for stage in contents.stages),
        "masks": MASK_TEXTURES if has_mask else 0,
        "look": classifier,
    }
