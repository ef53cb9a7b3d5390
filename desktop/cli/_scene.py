"""Options of the commands that make something of a network's results over time: who is who."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import Any

from desktop.compute.tracking.scene import SceneSpec
from desktop.compute.tracking.track import TrackSpec, with_track_value
from desktop.errors import UsageError


def add_scene_options(parser: argparse.ArgumentParser) -> None:
    """Add --track and --track-settings."""
    names = ", ".join(
        f"{field.name} ({field.default})" for field in fields(TrackSpec) if field.name != "trail"
    )
    parser.add_argument(
        "--track", action="store_true", help="follow things from picture to picture and give each an identity"
    )
    parser.add_argument(
        "--track-settings",
        metavar="NAME=VALUE,...",
        type=_track,
        help=f"how --track does that, see docs/tracking.md; names and usual values: {names}",
    )


def scene_spec(options: argparse.Namespace) -> SceneSpec:
    """Return what the options ask for; settings of --track ask for it too."""
    settings: TrackSpec | None = options.track_settings
    return SceneSpec(track=settings or (TrackSpec() if options.track else None))


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
    """Return a value of NAME=VALUE: a number, true or false, else the text."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)
