"""What is known of a network's input, what was only assumed, and what the user said of it: the facts behind the form in the window."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.compute.backends.loader import load_session
from desktop.compute.gpu.device import Gpu
from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Finding
from desktop.compute.models.labels import choose_labels, read_labels, sidecar_labels
from desktop.compute.models.model_file import Model, ModelFile
from desktop.compute.models.preprocess import Preprocess, choose_preprocess
from desktop.compute.models.settings import (
    labels_path,
    read_settings,
    write_labels,
    write_settings,
)
from desktop.compute.models.sidecar import is_builtin
from desktop.compute.models.trimming import opened_with_batch
from desktop.compute.task_ids import TASK_IDS
from desktop.compute.tasks import recognize, unrecognized
from desktop.compute.tasks.task import ResultTask, Task
from desktop.errors import AmbiguousNetworkError, Choice, LightloomError, ModelUnsupportedError, UsageError
from desktop.wording import counted, sentence

# What a form may set, and a sidecar's [preprocess] then states.
_FIELDS: Final = ("colors", "scale", "mean", "std")
UNKNOWN: Final = "unknown"
"""What a network is for of which nothing tells."""


@dataclass(frozen=True)
class InputFacts:
    """A network's input as far as it is known.

    Attributes:
        path: its file, beside which what is known of it stands.
        model: how a setup names it.
        name: the input's.
        tensor: name, type and shape, in words; 'any' for a free dimension.
        task: id of what it is for, as the user said or as its outputs show; `UNKNOWN` for neither.
        plan: how pictures are prepared now.
        free: width and height are free.
        classes: how many it tells apart; 0 where its outputs don't tell.
        labels: where their names are from, in words; '' for a network that names nothing.
        unclear: 'task', 'decoder', 'range' and 'size', those that nothing states and that were assumed.
        choices: where its file shows several tasks, or several decoders of its task, which they are; none where it shows one.
        findings: what was taken as evidence or assumed.
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


def look_at_input(model: Model) -> InputFacts:
    """Read a network's file (by its path, or open) and what stands beside it. Imports onnx; not for the thread that draws.

    Raises:
        ModelError: it cannot be read, or does not take a picture.
        UsageError: what stands beside it does not fit it.
    """
    with ModelFile.opened(model) as file:
        path, facts, named = file.path, file.facts, file.named
        task, choices = _task(file)
        plan, findings = _plan(file, task)
    said = read_settings(path)
    free = 0 in facts.input_shape[1:]
    unclear = {"task"} if task is None else {"decoder"} if choices else set()
    if (task is None or task.asks_for_input) and not said.get("preprocess"):
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
    """What a network is for, and what is to be chosen between: tasks, or decoders of the task.

    Raises:
        ModelUnsupportedError: it has several inputs, and is of no kind that is known.
    """
    try:
        found = recognize(file)
        task = found.task if found is not None else None
        if isinstance(task, ResultTask):
            with contextlib.suppress(ModelUnsupportedError):  # it was said to be what it is not
                return task, task.choices(file, task.settled(file, {}))
    except AmbiguousNetworkError as error:
        return None, error.choices
    if task is None and file.facts.inputs > 1:
        raise unrecognized(file)
    return task, ()


def _labels(path: Path, facts: ModelFacts) -> str:
    if facts.classes > 1:
        return choose_labels(facts.classes, model=path, metadata=facts.metadata).origin
    beside = sidecar_labels(path)
    return beside.name if beside is not None else "as the file or its kind has them"


def unclear_input(model: Model) -> InputFacts | None:
    """Return a network's input if something about it has to be asked, else None; a file that cannot be read says so when it is loaded.

    Of a network in the box everything is stated.
    """
    if is_builtin(model.path if isinstance(model, ModelFile) else Path(model)):
        return None
    try:
        found = look_at_input(model)
    except LightloomError:
        return None
    return found if found.unclear else None


def runs(found: InputFacts, gpu: Gpu, model: ModelFile | None = None) -> bool:
    """Return whether a network can be computed on this machine at all, whatever it is for; loads it to see."""
    try:
        with opened_with_batch(model or found.model) as file:
            shapes = {found.name: found.plan.shape} if file.facts.leaves_sizes_open else None
            load_session(file, gpu=gpu, input_shapes=shapes).session.close()
    except LightloomError:
        return False
    return True


def _plan(file: ModelFile, task: Task | None) -> tuple[Preprocess, tuple[Finding, ...]]:
    if task is not None:
        with contextlib.suppress(ModelUnsupportedError):  # it was said to be what it is not
            return task.prepare(file, task.settled(file, {}), {})
    return choose_preprocess(file.path, file.facts)


def save_input(
    found: InputFacts, values: Mapping[str, Any], task: str, labels: Path | None, decoder: str = ""
) -> None:
    """Keep what the user said of a network beside it.

    Args:
        found: what was known.
        values: fields of `Preprocess`: colors, scale, mean, std, and width and height where they are free.
        task: one of `TASK_IDS`.
        labels: a file with a name a line, to be copied; None to leave them.
        decoder: id of the decoder that was chosen; '' to leave what stands there.

    Raises:
        UsageError: a value that its field does not take, or a file with another number of names.
        ModelInvalidError: the file of labels cannot be read.
        LibraryError: the folder cannot be written.
    """
    allowed = (*_FIELDS, "width", "height") if found.free else _FIELDS
    plan, _ = found.plan.updated({name: value for name, value in values.items() if name in allowed})
    if labels is not None and labels != labels_path(found.path):
        names = read_labels(labels).names
        if found.classes and len(names) not in (found.classes, found.classes - 1):
            raise UsageError(
                sentence(
                    "{labels_name} has {names} and the network tells {classes} classes apart; choose another file.",
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
