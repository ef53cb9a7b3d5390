"""Uses of dropped images and tables as references: parameters of stages, and settings of the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base.wording import listed, sentence
from desktop.media.sources.file_kinds import kind_by_suffix
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.param import Param, ParamValue
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.networks.networks import Networks
from desktop.ui.kit.language import translated
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.builtin import title_of
from desktop.vision.tasks import task_named

if TYPE_CHECKING:
    # Imported, like the editors, with the first drop.
    from desktop.vision.tasks.task import Features, Files

_MOST: Final = 2
"""More uses would leave each too narrow a place."""


@dataclass(frozen=True)
class Reference:
    """A use of dropped files: a translated sentence for it, and the action."""

    text: str
    use: Callable[[], None]


def references_for(specs: Sequence[str], workspace: Workspace) -> tuple[Reference, ...]:
    """Return the uses of dropped paths, judged by their names alone: the network's, then the last stages'."""
    from desktop.ui.forms.image_endings import ENDINGS

    paths = [Path(spec) for spec in specs]
    if all(path.suffix.lower() in ENDINGS for path in paths):
        found = [*_of_network(specs, workspace), *_of_stages(specs, workspace, "image")]
    elif all(kind_by_suffix(path) == "lut" for path in paths):
        found = [*_of_stages(specs, workspace, "lut")]
    else:
        found = []
    return tuple(found[:_MOST])


def _of_stages(specs: Sequence[str], workspace: Workspace, kind: str) -> Iterator[Reference]:
    if len(specs) != 1:
        return
    edits = workspace.edits
    for stage in reversed(edits.chain.stages):
        item = edits.library.filters.get(stage.filter)
        for param in item.file_textures if item is not None else ():
            if param.type == kind and item is not None:
                text = sentence(
                    "Use as {parameter} of {filter}",
                    parameter=translated(param.label),
                    filter=translated(item.title),
                )
                yield Reference(
                    translated(text),
                    _stage_use(workspace, stage, param, item.defaults, specs[0]),
                )


def _stage_use(
    workspace: Workspace, stage: StageSpec, param: Param, defaults: Mapping[str, ParamValue], path: str
) -> Callable[[], None]:
    values = {**defaults, **stage.values}
    # Also what makes the parameter count, such as the mode 'image' of a background.
    needed = {name: wanted[0] for name, wanted in param.when if values[name] not in wanted}

    def use() -> None:
        edits = workspace.edits
        if any(other.id == stage.id for other in edits.chain.stages):
            edits.set_values(stage.id, {**needed, param.name: path})

    return use


def _of_network(specs: Sequence[str], workspace: Workspace) -> Iterator[Reference]:
    spec = workspace.edits.setup.analysis
    features = workspace.engine.current.network_status.features
    if spec is None or features is None:
        return
    if (setting := _images_of(features)) is not None:
        changed, first = _with_images(spec, setting, specs)
        yield Reference(_compared(spec), partial(_choose, workspace, changed, first, setting.most))
    second = spec.second
    setting = _images_of(features.second) if features.second is not None else None
    if second is not None and setting is not None:
        of_second, further = _with_images(second, setting, specs)
        both = replace(spec, second=of_second)
        yield Reference(_compared(second), partial(_choose, workspace, both, further, setting.most))


def _choose(workspace: Workspace, spec: NetworkSpec, left_out: Sequence[str], most: int) -> None:
    workspace.get(Networks).choose(spec)
    if left_out:
        names = listed([Path(path).name for path in left_out])
        text = sentence(
            "The network compares with {most} images at most; left out: {names}", most=most, names=names
        )
        workspace.messages.post("warning", text)


def _compared(spec: NetworkSpec) -> str:
    title = translated(title_of(Path(spec.model)))
    return translated(sentence("Compare with {network}", network=title))


def _images_of(features: Features) -> Files | None:
    """Return the setting of a network's task that takes reference images."""
    from desktop.vision.tasks.task import Files

    task = task_named(features.task)
    settings = task.settings if task is not None else ()
    return next((each for each in settings if isinstance(each, Files) and each.kind == "image"), None)


def _with_images(
    spec: NetworkSpec, setting: Files, paths: Sequence[str]
) -> tuple[NetworkSpec, Sequence[str]]:
    """Return a network that compares with these images too, and those beyond as many as there can be."""
    before = tuple(spec.settings.get(setting.name, ()))
    images = (*before, *(path for path in dict.fromkeys(paths) if path not in before))
    settings = {**spec.settings, setting.name: images[: setting.most]}
    return replace(spec, settings=settings), images[setting.most :]
