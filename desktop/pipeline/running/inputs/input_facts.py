"""Facts about a network's input, assumptions, and the user's statements, as shown in the window's form."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import (
    AmbiguousNetworkError,
    Choice,
    LightloomError,
    ModelUnsupportedError,
    UsageError,
)
from desktop.base.wording import counted, sentence
from desktop.compute.gpu.device import Gpu
from desktop.vision.backends.loader import load_session
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Finding
from desktop.vision.models.labels import choose_labels, read_labels, sidecar_labels
from desktop.vision.models.model_file import Model, ModelFile
from desktop.vision.models.preprocess import Preprocess, choose_preprocess
from desktop.vision.models.settings import (
    labels_path,
    read_settings,
    write_labels,
    write_settings,
)
from desktop.vision.models.sidecar import is_builtin
from desktop.vision.models.trimming import opened_with_batch
from desktop.vision.task_ids import TASK_IDS
from desktop.vision.tasks import recognize, unrecognized
from desktop.vision.tasks.task import ResultTask, Task

# Fields that a form may set, and that a sidecar's [preprocess] then states.
_FIELDS: Final = ("colors", "scale", "mean", "std")
UNKNOWN: Final = "unknown"
"""Task of a network whose use is not known."""


@dataclass(frozen=True)
class InputFacts:
    """Known facts about a network's input.

    Attributes:
        model: its name in a setup.
        tensor: name, type and shape as text; 'any' for a free dimension.
        task: task id, stated by the user or derived from the outputs; otherwise `UNKNOWN`.
        free: width and height are free.
        classes: number of classes; 0 if the outputs do not show it.
        labels: origin of the class names, as text; '' without classes.
        unclear: those of 'task', 'decoder', 'range' and 'size' that were assumed.
        choices: tasks, or decoders of the task, if several fit; otherwise empty.
    """

    path: Path
    name: str
    tensor: str
    task: str
    plan: Preprocess
    free: bool
    classes: int
    labels: str
    unclear: frozenset[str]
    findings: tuple[Finding, ...]
    model: str = ""
    choices: tuple[Choice, ...] = ()


def read_input_facts(model: Model) -> InputFacts:
    """Read a network's file (path, or open) and sidecar files. Imports onnx; not for the drawing thread.

    Raise ModelError if it is unreadable or takes no frame, UsageError if a sidecar file does not fit.
    """
    with ModelFile.opened(model) as file:
        path, facts, named = file.path, file.facts, file.named
        task, choices = _task(file)
        plan, findings = _plan(file, task)
        said = file.settings
    free = 0 in facts.input_shape[1:]
    unclear = {"task"} if task is None else {"decoder"} if choices else set()
    if (task is None or task.has_input_settings) and not said.get("preprocess"):
        if any(finding.assumes("scale") for finding in findings):
            unclear.add("range")
        if free:
            unclear.add("size")
    shape = " × ".join(str(size or "any") for size in facts.input_shape)
    return InputFacts(
        path=path,
        name=facts.input_name,
        tensor=f"{facts.input_name}: {facts.input_dtype} {shape}, {plan.layout}",
        task=task.id if task is not None else UNKNOWN,
        plan=plan,
        free=free and (task is None or isinstance(task, ResultTask)),
        classes=facts.classes,
        labels=_labels(path, facts) if task is None or task.names_classes else "",
        unclear=frozenset(unclear),
        findings=findings,
        model=named,
        choices=choices,
    )


def _task(file: ModelFile) -> tuple[Task | None, tuple[Choice, ...]]:
    """Return a network's task, and tasks or decoders to choose from.

    Raise ModelUnsupportedError for several inputs of no known kind.
    """
    try:
        found = recognize(file)
        task = found.task if found is not None else None
        if isinstance(task, ResultTask):
            with contextlib.suppress(ModelUnsupportedError):  # the stated task does not fit
                return task, task.choices(file, task.settled(file, {}))
    except AmbiguousNetworkError as error:
        return None, error.choices
    if task is None and file.facts.inputs > 1:
        raise unrecognized(file)
    return task, ()


def _labels(path: Path, facts: ModelFacts) -> str:
    if facts.classes > 1:
        return choose_labels(
            facts.classes, model=path, input_name=facts.input_name, metadata=facts.metadata
        ).origin
    beside = sidecar_labels(path)
    return beside.name if beside is not None else "as the file or its kind has them"


def unclear_input(model: Model) -> InputFacts | None:
    """Return a network's input if the user must state something, else None; unreadable files fail on load."""
    if is_builtin(model.path if isinstance(model, ModelFile) else Path(model)):
        return None
    try:
        found = read_input_facts(model)
    except LightloomError:
        return None
    return found if found.unclear else None


def runs(found: InputFacts, gpu: Gpu, model: ModelFile | None = None) -> bool:
    """Return True if a network runs on this machine, whatever its use; loads it to find out."""
    try:
        with opened_with_batch(model or found.model) as file:
            shapes = {found.name: found.plan.shape} if file.facts.leaves_sizes_open else None
            load_session(file, gpu=gpu, input_shapes=shapes).session.close()
    except LightloomError:
        return False
    return True


def _plan(file: ModelFile, task: Task | None) -> tuple[Preprocess, tuple[Finding, ...]]:
    if task is not None:
        with contextlib.suppress(ModelUnsupportedError):  # the stated task does not fit
            return task.prepare(file, task.settled(file, {}), {})
    return choose_preprocess(file.path, file.facts, served=file.served)


def save_input(
    found: InputFacts, values: Mapping[str, Any], task: str, labels: Path | None, decoder: str = ""
) -> None:
    """Save the user's statements next to a network.

    Args:
        values: fields of `Preprocess`: colors, scale, mean, std, and width and height where they are free.
        labels: a file with one name per line, to be copied; None to leave them.
        decoder: id of the chosen decoder; '' to leave it.

    Raises:
        UsageError: a value is invalid for its field, or the file has the wrong number of names.
        ModelInvalidError: the file of labels cannot be read.
        LibraryError: the folder cannot be written.
    """
    allowed = (*_FIELDS, "width", "height") if found.free else _FIELDS
    plan, _ = found.plan.updated({name: value for name, value in values.items() if name in allowed})
    if labels is not None and labels != labels_path(found.path):
        names = read_labels(labels).reading(found.classes).names
        if found.classes and len(names) not in (found.classes, found.classes - 1):
            raise UsageError(
                sentence(
                    "{labels_name} has {names} and the network tells {classes} classes apart; choose "
                    "another file.",
                    labels_name=labels.name,
                    names=counted(len(names), "name"),
                    classes=found.classes,
                )
            )
        write_labels(found.path, names)
    stated = plan.to_dict()
    kept = read_settings(found.path).get("preprocess", {})
    table = {**(kept if isinstance(kept, dict) else {}), **{name: stated[name] for name in allowed}}
    said = {"task": task} if task in TASK_IDS else {}
    if decoder:
        said["decoder"] = decoder
    write_settings(found.path, {**said, "preprocess": table})
