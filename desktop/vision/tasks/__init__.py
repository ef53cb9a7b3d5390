"""Tasks, one file or folder each: modules that define TASK are discovered and matched with networks."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from desktop.base.plugins import provided
from desktop.vision.task_ids import TASK_IDS

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.base.errors import ModelUnsupportedError
    from desktop.vision.models.facts import ModelFacts
    from desktop.vision.models.findings import Evidence, Match
    from desktop.vision.models.model_file import ModelFile
    from desktop.vision.tasks.task import ResultTask, Setting, Task

_LISTED: Final = 12


@dataclass(frozen=True)
class Recognition:
    """A network's task, with its evidence and reason."""

    task: Task
    match: Match

    @property
    def evidence(self) -> Evidence:
        """Strength of the evidence."""
        return self.match.evidence


@cache
def all_tasks() -> tuple[Task, ...]:
    """Return the tasks, those of plug-ins too, in the order of their `order`. Imports them."""
    found: list[Task] = [importlib.import_module(f"{__name__}.{name}").TASK for name in TASK_IDS]
    found += provided("tasks")
    return tuple(sorted(found, key=lambda task: (task.order, task.id)))


def result_tasks() -> tuple[ResultTask, ...]:
    """Return the analysis tasks."""
    from desktop.vision.tasks.task import ResultTask

    return tuple(task for task in all_tasks() if isinstance(task, ResultTask))


def is_analysis_task(name: str) -> bool:
    """Return True for the id of an analysis task."""
    return any(task.id == name for task in result_tasks())


def task_named(name: str) -> Task | None:
    """Return a task by its id."""
    return next((task for task in all_tasks() if task.id == name), None)


def the_task(name: str) -> Task:
    """Return a task by its id; raise KeyError if unknown."""
    found = task_named(name)
    if found is None:
        raise KeyError(name)
    return found


def known_sidecar_keys() -> frozenset[str]:
    """Return the keys of a network's sidecar that some task reads."""
    from desktop.vision.models.sidecar import SIDECAR_KEYS

    of_tasks = (
        {*task.sidecar_keys, *(s.name for s in task.settings if s.in_sidecar)} for task in all_tasks()
    )
    return frozenset(SIDECAR_KEYS).union(*of_tasks)


def decoders_of(task: Task) -> tuple[tuple[str, str], ...]:
    """Return id and title of the decoders that a task has; none where its networks need none."""
    from desktop.vision.tasks.task import Word

    found = next((s for s in task.settings if s.name == "decoder" and isinstance(s, Word)), None)
    return () if found is None else tuple(found.known())


def tasks_with_decoder(name: str) -> tuple[Task, ...]:
    """Return the tasks that have a decoder of this name; raise UsageError if there are none."""
    from desktop.base.errors import UsageError
    from desktop.base.wording import sentence

    found = tuple(task for task in all_tasks() if name in dict(decoders_of(task)))
    if not found:
        names = sorted({decoder for task in all_tasks() for decoder, _ in decoders_of(task)})
        raise UsageError(
            sentence(
                "There is no decoder '{wanted}'; choose one of {names}.", wanted=name, names=", ".join(names)
            )
        )
    return found


def settings_named(name: str) -> Iterator[Setting]:
    """Yield the settings of a name, of all tasks that have one."""
    return (setting for task in all_tasks() for setting in task.settings if setting.name == name)


def stated_task(model: Path | ModelFile) -> Task | None:
    """Return the task stated by a network's sidecar (`task = "..."`) or server; None if unknown."""
    from pathlib import Path

    from desktop.vision.models.settings import read_settings

    said = (read_settings(model) if isinstance(model, Path) else model.settings).get("task")
    return task_named(said) if isinstance(said, str) else None


def recognize(file: ModelFile) -> Recognition | None:
    """Return a network's task, stated in its sidecar or inferred from its file; None if undetermined.

    Raises AmbiguousNetworkError for several with equal evidence, ModelInvalidError if unreadable.
    """
    from desktop.base.errors import AmbiguousNetworkError, Choice
    from desktop.base.wording import sentence
    from desktop.vision.models.findings import Evidence, Match

    stated = stated_task(file)
    if stated is not None:
        return Recognition(stated, Match(Evidence.STATED, sentence("the file beside the network says so")))
    found = candidates(file.facts)
    if len(found) > 1:
        choices = tuple(Choice(each.task.id, "", each.task.title) for each in found)
        raise AmbiguousNetworkError(file.name, choices)
    return found[0] if found else None


def unrecognized(file: ModelFile) -> ModelUnsupportedError:
    """Return the error for a network whose task is neither stated nor inferred."""
    from desktop.base.errors import ModelUnsupportedError
    from desktop.base.wording import sentence

    facts = file.facts
    if _interpolates(facts):
        return ModelUnsupportedError(
            sentence(
                "{name} takes two images and a number, as frame interpolation does; choose it for frame "
                "interpolation (--interpolate {name}).",
                name=file.name,
            ),
            ("frames between two others",),
        )
    given = [(facts.input_name, facts.input_shape), *((each.name, each.shape) for each in facts.others)]
    inputs, outputs = (
        ", ".join(f"'{name}' {[size or 'any' for size in shape]}" for name, shape in each[:_LISTED])
        for each in (given, [(info.name, info.shape) for info in facts.outputs])
    )
    return ModelUnsupportedError(
        sentence(
            "{name} is not recognized: its inputs are {inputs}, its outputs {outputs}. Choose its task "
            "(--task NAME), for a detector its decoder (--decoder NAME), or another export of it.",
            name=file.name,
            inputs=inputs,
            outputs=outputs,
        ),
        (f"outputs {outputs}",),
    )


def _interpolates(facts: ModelFacts) -> bool:
    """True for two images and one number in, and one image out."""
    from desktop.vision.tasks.common.maps import output_channels

    if len(facts.others) != 2 or output_channels(facts) != 3:
        return False
    other, number = facts.others
    return other.shape == facts.input_shape and all(size in (0, 1) for size in number.shape)


def recognize_facts(facts: ModelFacts) -> Recognition | None:
    """Return the task inferred from a file; None without evidence, or if several are equally likely."""
    found = candidates(facts)
    return found[0] if len(found) == 1 else None


def candidates(facts: ModelFacts) -> tuple[Recognition, ...]:
    """Return the tasks with the strongest evidence in a file, usually one; metadata have precedence."""
    from desktop.base.wording import sentence
    from desktop.vision.models.findings import Evidence, Match
    from desktop.vision.tasks.common.maps import input_channels

    said = facts.metadata.get("task", "")
    for task in all_tasks():
        if said in task.declared_as:
            return (
                Recognition(task, Match(Evidence.DECLARED, sentence("its metadata say '{task}'", task=said))),
            )
    if not input_channels(facts):
        return ()
    suited = [
        task for task in all_tasks() if task.inputs == facts.inputs - len(task.fixed_inputs(facts, (1, 1)))
    ]
    asked = [(task, task.recognize(facts)) for task in suited]
    found = [Recognition(task, match) for task, match in asked if match is not None]
    best = min((each.match.evidence.value for each in found), default=0)
    return tuple(each for each in found if each.match.evidence.value == best)
