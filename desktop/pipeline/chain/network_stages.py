"""Choose the filter for a network in the chain: the one that its task names."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from desktop.base.errors import AmbiguousNetworkError, ModelError
from desktop.media.sources.file_kinds import is_pipeline
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import all_tasks, recognize, the_task
from desktop.vision.tasks.common.dense import StageTask


def stage_for_model(model: Path | ModelFile) -> tuple[str, dict[str, str]] | None:
    """Return (filter, values) of a network's stage; None for analysis networks and unreadable files. Reads
    the file with onnx; not for the drawing thread.
    """
    path = model.path if isinstance(model, ModelFile) else model
    if not isinstance(model, ModelFile) and is_pipeline(str(model)):
        denoising = next(task for task in all_tasks() if isinstance(task, StageTask) and task.denoises)
        return denoising.usual_stage, {"model": str(model)}
    for builtin in builtin_models().values():
        if builtin.path == path:
            stage = the_task(builtin.task).usual_stage
            return (stage, {"model": builtin.name}) if stage else None
    try:
        with ModelFile.opened(model) as file:
            found = recognize(file)
            stage = found.task.stage(file) if found is not None else ""
    except (ModelError, AmbiguousNetworkError):
        return None  # its loader reports the error
    named = model.named if isinstance(model, ModelFile) else str(path)
    return (stage, {"model": named}) if stage else None


def takes_folders(tasks: Collection[str]) -> bool:
    """Return True if a network of one of these tasks may be a folder: a diffusion pipeline."""
    return any(isinstance(task, StageTask) and task.denoises for task in all_tasks() if task.id in tasks)
