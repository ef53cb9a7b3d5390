"""Which stage a network becomes: Style (a picture), Background (a mask of people), Segmentation (other classes), Depth (a map)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from desktop.compute.models.builtin import builtin_models
from desktop.compute.models.model_file import ModelFile
from desktop.compute.models.settings import stated_task
from desktop.compute.tasks.dense import PERSON
from desktop.compute.tasks.kinds import output_channels, task_of
from desktop.errors import ModelError

STAGE_OF: Final = {"image": "style", "mask": "background", "depth": "depth"}
"""Task of a network (tasks/kinds.py) -> the filter that uses it."""


_CLASSES: Final = "segmentation"


def _shows_people(file: ModelFile) -> bool:
    """Tell whether one of a mask's classes is known to be people; of roads or organs a blurred background would show nothing.

    One that gives the classes' numbers does not say how many there are: it is believed to have them (Pascal VOC, as DeepLab).
    """
    if stated_task(file.path) == "mask" or file.statement.channel is not None:
        return True
    channels = output_channels(file.facts)
    return channels == 0 or channels in PERSON


def stage_for_model(model: Path | ModelFile) -> tuple[str, dict[str, str]] | None:
    """Return (filter, values) of the stage that a network becomes; None for one that looks at the picture, or that cannot be read.

    Reads the file, and imports onnx to do so; not for the thread that draws.
    """
    path = model.path if isinstance(model, ModelFile) else model
    for builtin in builtin_models().values():
        if builtin.path == path:
            stage = STAGE_OF.get(builtin.task)
            return (stage, {"model": builtin.name}) if stage is not None else None
    try:
        with ModelFile.opened(model) as file:
            task = stated_task(path) or task_of(file.facts)
            stage = STAGE_OF.get(task)
            if task == "mask" and not _shows_people(file):
                stage = _CLASSES
    except ModelError:
        return None  # whoever loads it says what is wrong with it
    return (stage, {"model": str(path)}) if stage is not None else None
