"""Schedulers (samplers), one file each: a file here that defines SCHEDULER is discovered automatically."""

from __future__ import annotations

import functools

from desktop.base.discovery import modules_of
from desktop.vision.diffusion.trajectory import Scheduler


@functools.cache
def schedulers() -> tuple[Scheduler, ...]:
    """Return every scheduler, by name."""
    return tuple(sorted((module.SCHEDULER for module in modules_of(__name__)), key=lambda each: each.name))


def scheduler_names() -> tuple[str, ...]:
    """Return the schedulers' names, the choices of a user."""
    return tuple(each.name for each in schedulers())


def scheduler_named(name: str) -> Scheduler | None:
    """Return the scheduler of a name; None if unknown."""
    return next((each for each in schedulers() if each.name == name), None)


def scheduler_of_class(name: str) -> Scheduler | None:
    """Return the scheduler with a class name of diffusers; None if there is none."""
    return next((each for each in schedulers() if name in each.classes), None)
