"""Which stage a network becomes: a picture that comes out is a Style, a mask a Background, a depth map a Depth."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from desktop.compute.library.settings import stated_task
from desktop.compute.tasks.builtin import builtin_models
from desktop.compute.tasks.facts import read_facts
from desktop.compute.tasks.kinds import task_of
from desktop.errors import ModelError

STAGE_OF: Final = {"image": "style", "mask": "background", "depth": "depth"}
"""Task of a network (tasks/kinds.py) -> the filter that uses it."""


def stage_for_model(path: Path) -> tuple[str, dict[str, str]] | None:
    """Return (filter, values) of the stage that a network becomes; None for one that looks at the picture, or that cannot be read.

    Reads the file, and imports onnx to do so; not for the thread that draws.
    """
    for model in builtin_models().values():
        if model.path == path:
            stage = STAGE_OF.get(model.task)
            return (stage, {"model": model.name}) if stage is not None else None
    try:
        stage = STAGE_OF.get(stated_task(path) or task_of(read_facts(path)))
    except ModelError:
        return None  # whoever loads it says what is wrong with it
    return (stage, {"model": str(path)}) if stage is not None else None
