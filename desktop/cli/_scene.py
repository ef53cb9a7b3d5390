"""Tracking options of the commands that evaluate results over time."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import Any

from desktop.base.errors import UsageError
from desktop.pipeline.engine import Engine
from desktop.vision.tasks import the_task
from desktop.vision.tasks.task import ResultTask
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.track import TrackSpec, with_track_value


def add_scene_options(parser: argparse.ArgumentParser) -> None:
    """Add --track and --track-settings."""
    names = ", ".join(
        f"{field.name} ({field.default})" for field in fields(TrackSpec) if field.name != "trail"
    )
    parser.add_argument(
        "--track", action="store_true", help="track objects from frame to frame and give each an identity"
    )
    parser.add_argument(
        "--track-settings",
        metavar="NAME=VALUE,...",
        type=_track,
        help=f"how --track does that, see docs/tracking.md; names and usual values: {names}",
    )


def scene_spec(options: argparse.Namespace) -> SceneSpec:
    """Return the scene of the options; --track-settings implies --track."""
    settings: TrackSpec | None = options.track_settings
    return SceneSpec(track=settings or (TrackSpec() if options.track else None))


def check_scene(options: argparse.Namespace, engine: Engine) -> None:
    """Raise UsageError for options that track or count what the network in use does not detect."""
    features = engine.current.network_status.features
    if features is None or not (options.track or options.track_settings or options.zones is not None):
        return
    task = the_task(features.task)
    if not (isinstance(task, ResultTask) and task.finds):
        raise UsageError(
            "The network detects no objects, so nothing can be tracked or counted; leave out --track and "
            "--zones, or choose a detector."
        )


def _track(text: str) -> TrackSpec:
    spec = TrackSpec()
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = item.partition("=")
        try:
            spec = with_track_value(spec, name.strip(), read_value(value.strip()))
        except UsageError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
    return spec


def read_value(text: str) -> Any:
    """Parse the value of NAME=VALUE: a number, true or false, else text."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)
