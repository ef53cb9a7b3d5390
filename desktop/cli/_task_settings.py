"""Settings of a network's task as options, for commands that take networks of any task."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from desktop.base.errors import UsageError
from desktop.cli._task_command import add_setting
from desktop.pipeline.engine import Engine
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.vision.tasks import result_tasks, the_task
from desktop.vision.tasks.task import Setting


def _settings() -> dict[str, Setting]:
    """Return the settings of all analysis tasks: a name means the same in each."""
    return {s.name: s for task in result_tasks() for s in task.settings if s.option}


def add_task_settings(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting: --score, --iou, --top, ..."""
    settings = _settings()
    for setting in settings.values():
        add_setting(parser, setting)
    parser.set_defaults(task_settings=tuple(settings))


def given_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the options state."""
    # Without such an option on the command line none was added: that imports all tasks, 0.3 s.
    given = {name: getattr(options, name) for name in getattr(options, "task_settings", ())}
    return {name: value for name, value in given.items() if value is not None}


def with_task_settings(options: argparse.Namespace, spec: NetworkSpec | None) -> NetworkSpec | None:
    """Return a network with the options' settings over a preset's; raise UsageError without a network."""
    given = given_settings(options)
    if spec is None and given:
        raise UsageError(f"--{next(iter(given))} is for a network; say with --model or --look which one.")
    return spec if spec is None else replace(spec, settings={**spec.settings, **given})


def check_task_settings(options: argparse.Namespace, engine: Engine) -> None:
    """Raise UsageError for a setting that the task of the network in use does not have."""
    features = engine.current.network_status.features
    if features is None:
        return
    task = the_task(features.task)
    own = {setting.name for setting in task.settings}
    decoder = ("decoder",) if options.decoder_name is not None else ()
    for name in (*given_settings(options), *decoder):
        if name not in own:
            raise UsageError(f"--{name} is no setting of {task.title}; leave it out.")
