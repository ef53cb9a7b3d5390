"""Which stage a network becomes: the filter that its task names."""

from __future__ import annotations

from pathlib import Path

from desktop.compute.models.builtin import builtin_models
from desktop.compute.models.model_file import ModelFile
from desktop.compute.tasks import recognize, the_task
from desktop.errors import ModelError


def stage_for_model(model: Path | ModelFile) -> tuple[str, dict[str, str]] | None:
    """Return (filter, values) of the stage that a network becomes; None for one that looks at the picture, or that cannot be read.

    Reads the file, and imports onnx to do so; not for the thread that draws.
    """
    path = model.path if isinstance(model, ModelFile) else model
    for builtin in builtin_models().values():
        if builtin.path == path:
            stage = the_task(builtin.task).usual_stage
            return (stage, {"model": builtin.name}) if stage else None
    try:
        with ModelFile.opened(model) as file:
            found = recognize(file)
            stage = found.task.stage(file) if found is not None else ""
    except ModelError:
        return None  # whoever loads it says what is wrong with it
    named = model.named if isinstance(model, ModelFile) else str(path)
    return (stage, {"model": named}) if stage else None
