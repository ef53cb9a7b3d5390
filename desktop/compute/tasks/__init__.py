"""Every task, one file or folder each: one here that defines TASK is found by itself. And which of them a network is for."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from desktop.compute.task_ids import TASK_IDS

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.compute.models.facts import ModelFacts
    from desktop.compute.models.findings import Evidence
    from desktop.compute.models.model_file import ModelFile
    from desktop.compute.tasks.task import ResultTask, Setting, Task


@dataclass(frozen=True)
class Recognition:
    """What a network is for, and how surely."""

    task: Task
    evidence: Evidence


@cache
def all_tasks() -> tuple[Task, ...]:
    """Return the tasks, in the order of their `order`. Imports them."""
    found: list[Task] = [importlib.import_module(f"{__name__}.{name}").TASK for name in TASK_IDS]
    return tuple(sorted(found, key=lambda task: (task.order, task.id)))


def result_tasks() -> tuple[ResultTask, ...]:
    """Return those that say something of the picture, beside it."""
    from desktop.compute.tasks.task import ResultTask

    return tuple(task for task in all_tasks() if isinstance(task, ResultTask))


def is_beside(name: str) -> bool:
    """Tell whether an id is that of a task beside the picture."""
    return any(task.id == name for task in result_tasks())


def task_named(name: str) -> Task | None:
    """Return a task by its id."""
    return next((task for task in all_tasks() if task.id == name), None)


def the_task(name: str) -> Task:
    """Return the task of an id that is one.

    Raises:
        KeyError: it is none.
    """
    found = task_named(name)
    if found is None:
        raise KeyError(name)
    return found


def settings_named(name: str) -> Iterator[Setting]:
    """Yield the settings of a name, of all tasks that have one."""
    return (setting for task in all_tasks() for setting in task.settings if setting.name == name)


def stated_task(path: Path) -> Task | None:
    """Return what a network's sidecar says that it is for (`task = "..."`), None where it says nothing that is known."""
    from desktop.compute.models.settings import read_settings

    said = read_settings(path).get("task")
    return task_named(said) if isinstance(said, str) else None


def recognize(file: ModelFile) -> Recognition | None:
    """Return what a network is for: what stands beside it, else what its file shows; None where neither tells.

    Raises:
        ModelInvalidError: not a readable network.
    """
    from desktop.compute.models.findings import Evidence

    stated = stated_task(file.path)
    return Recognition(stated, Evidence.STATED) if stated is not None else recognize_facts(file.facts)


def recognize_facts(facts: ModelFacts) -> Recognition | None:
    """Return what a file shows that its network is for; None where nothing tells.

    What the metadata declare goes first. Then all tasks are asked; the best evidence counts, and of equal evidence the least `order`.
    """
    from desktop.compute.models.findings import Evidence
    from desktop.compute.tasks.common.maps import input_channels

    said = facts.metadata.get("task", "")
    for task in all_tasks():
        if said in task.declared_as:
            return Recognition(task, Evidence.DECLARED)
    if not input_channels(facts):
        return None
    suited = [
        task for task in all_tasks() if task.inputs == facts.inputs - len(task.fixed_inputs(facts, (1, 1)))
    ]
    asked = [(task, task.recognize(facts)) for task in suited]
    found = [Recognition(task, evidence) for task, evidence in asked if evidence is not None]
    return min(found, key=lambda each: each.evidence.value, default=None)
