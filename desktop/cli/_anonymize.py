"""Anonymization options of the commands that write frames."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from typing import Final

from desktop.base.errors import UsageError
from desktop.cli._scene import read_value
from desktop.pipeline.engine import Engine
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks import the_task
from desktop.vision.tasks.task import ResultTask
from desktop.vision.tracking.anonymize import HIDE_KINDS, AnonymizeSpec, with_anonymize_value

_ALL: Final = "all"


def add_anonymize_options(parser: argparse.ArgumentParser) -> None:
    """Add --anonymize and --anonymize-settings."""
    names = ", ".join(
        f"{field.name} ({field.default})" for field in fields(AnonymizeSpec) if field.name != "classes"
    )
    parser.add_argument(
        "--anonymize",
        metavar="CLASS,...",
        help=f"hide detected objects of these classes, '{_ALL}' for all; each frame waits for its own result",
    )
    parser.add_argument(
        "--anonymize-settings",
        metavar="NAME=VALUE,...",
        help=f"how --anonymize does that ({', '.join(HIDE_KINDS)}), see docs/anonymize.md; names and usual values: {names}",
    )


def with_anonymize(options: argparse.Namespace, setup: Setup) -> Setup:
    """Return a setup with the selected redaction, the network running on every frame.

    Raises UsageError for an unknown setting, or without a network that detects objects.
    """
    spec = setup.anonymize
    if options.anonymize is not None:
        names = [name.strip() for name in options.anonymize.split(",") if name.strip()]
        if not names:
            raise UsageError(f"--anonymize names no class; give some, or '{_ALL}'.")
        spec = with_anonymize_value(spec or AnonymizeSpec(), "classes", [] if names == [_ALL] else names)
    if options.anonymize_settings is not None:
        if spec is None:
            raise UsageError("--anonymize-settings says how something is hidden; say with --anonymize what.")
        for item in filter(None, (part.strip() for part in options.anonymize_settings.split(","))):
            name, _, value = item.partition("=")
            spec = with_anonymize_value(spec, name.strip(), read_value(value.strip()))
    if spec is None:
        return setup
    if setup.network is None:
        raise UsageError("What is to be hidden a network has to find; say with --model or --look which one.")
    return replace(setup, anonymize=spec, network=replace(setup.network, every=1))


def check_anonymize(engine: Engine) -> None:
    """Raise UsageError if the network in use lacks a class to redact, or its results have no positions."""
    spec, features = engine.current.setup.anonymize, engine.current.network_status.features
    if spec is None or features is None:
        return
    task = the_task(features.task)
    if not (isinstance(task, ResultTask) and task.places):
        raise UsageError(
            "The network classifies whole images and locates nothing, so nothing can be hidden; choose a "
            "detector."
        )
    if missing := spec.missing(features.labels):
        known = ", ".join(features.labels[:12]) + (", ..." if len(features.labels) > 12 else "")
        raise UsageError(f"The network knows no '{missing[0]}', which is to be hidden; it knows: {known}.")
