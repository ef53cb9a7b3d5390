"""The option `--camera-control`, shared by commands that read a camera."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.base.errors import UsageError
from desktop.media.sources.base import Source

_WORDS: Final = {"on": 1, "off": 0}


def add_camera_option(parser: argparse.ArgumentParser) -> None:
    """Add --camera-control."""
    parser.add_argument(
        "--camera-control",
        metavar="NAME=VALUE",
        type=_control,
        action="append",
        default=[],
        help="set a control of the camera (Linux): auto_exposure=1, exposure_time=300, auto_focus=off; may be given several times",
    )


def set_camera(options: argparse.Namespace, source: Source) -> None:
    """Have the source apply the requested controls on opening. Raises UsageError if it is no camera."""
    if not options.camera_control:
        return
    controls = source.capabilities.controls
    if controls is None:
        raise UsageError("--camera-control is for cameras: give 'camera:' as the input.")
    controls.demand_controls(dict(options.camera_control))


def _control(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    try:
        return name, _WORDS[value] if value in _WORDS else int(value)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text[:80]}' is not the name of a control, '=' and a whole number, on or off"
        ) from None
