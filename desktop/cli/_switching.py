"""`--switch` and `--fade` of `lightloom process`: other looks from a time on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.cli._anonymize import check_anonymize
from desktop.media.frame import Frame
from desktop.outputs.span import EPSILON, time_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.bundle import open_preset
from desktop.pipeline.setup.fading import LONGEST_FADE_S
from desktop.pipeline.setup.known import require_preset
from desktop.pipeline.setup.setup import Setup

_MOST: Final = 64


@dataclass(frozen=True)
class Switch:
    """A setup that is used from a time on, in seconds of the source."""

    seconds: float
    setup: Setup


def _fade(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= LONGEST_FADE_S:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to {LONGEST_FADE_S:g}")
    return seconds


def add_switch_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--switch",
        metavar="TIME=LOOK",
        action="append",
        default=[],
        help="use another look, with its layers and network, from a time of the input on, any number of times, as "
        "in 12.5=neon_lines",
    )
    parser.add_argument(
        "--fade",
        metavar="SECONDS",
        type=_fade,
        default=0.0,
        help="fade at each --switch, from the last image before it; at most 60 (default: 0, cut)",
    )


def typed_switches(options: argparse.Namespace, library: FilterLibrary) -> tuple[Switch, ...]:
    """Return the looks of the options by time; raise UsageError for a wrong one, PresetError if unreadable."""
    if options.fade and not options.switch:
        raise UsageError("--fade is between looks; say with --switch which.")
    if len(options.switch) > _MOST:
        raise UsageError(f"There are {len(options.switch)} looks to switch to; give at most {_MOST}.")
    return tuple(sorted((_switch(text, library) for text in options.switch), key=lambda each: each.seconds))


def _switch(text: str, library: FilterLibrary) -> Switch:
    time, equals, look = text.partition("=")
    if not equals or not look.strip():
        raise UsageError(f"'{text}' is not of the form TIME=LOOK; write it like 12.5=neon_lines.")
    loaded = open_preset(require_preset(look.strip()), library)
    for shader in loaded.shaders:
        library.add(shader)
    for warning in loaded.warnings:
        console.fail(warning)
    return Switch(time_of(time), loaded.setup)


def switched(
    engine: Engine, frames: Iterator[Frame], switches: Sequence[Switch], fade: float
) -> Iterator[Frame]:
    """Yield frames, and apply each switch before the first frame at its time or later.

    Raise LightloomError if a network of a look cannot be loaded.
    """
    left = list(switches)
    first = True
    for frame in frames:
        due = [switch for switch in left if switch.seconds <= frame.pts + EPSILON]
        if due:
            left = left[len(due) :]
            # There is nothing to fade from before the first frame.
            engine.current.fade_to(due[-1].setup, 0.0 if first else fade)
            check_anonymize(engine)
        first = False
        yield frame
    if left:
        times = ", ".join(f"{switch.seconds:g}" for switch in left)
        console.fail(f"The frames end before --switch at {times} s, which had no effect.")
