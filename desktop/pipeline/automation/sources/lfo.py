"""A low-frequency oscillator."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from desktop.base.fields import Number, Selection
from desktop.base.wording import sentence
from desktop.pipeline.automation.source import AutomationSource, Moment


def _random(step: int) -> float:
    """Return a number in 0..1 for a whole number, the same on every machine (SplitMix64)."""
    z = (step + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    z = (z ^ z >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return (z ^ z >> 31) / 2**64


def _at(values: Mapping[str, Any], moment: Moment) -> float:
    periods = moment.pts / values["period"] + values["phase"] / 360.0
    share = periods - math.floor(periods)
    match values["shape"]:
        case "triangle":
            return 1.0 - abs(2.0 * share - 1.0)
        case "square":
            return float(share < 0.5)
        case "sawtooth":
            return share
        case "random":
            return _random(math.floor(periods))
        case _:
            return 0.5 - 0.5 * math.cos(2.0 * math.pi * share)


SOURCE: Final = AutomationSource(
    id="lfo",
    title=sentence("Oscillator"),
    help=sentence("Goes to and fro by itself."),
    order=20,
    fields=(
        Selection(
            "shape",
            "sine",
            titles={
                "sine": sentence("sine"),
                "triangle": sentence("triangle"),
                "square": sentence("square"),
                "sawtooth": sentence("sawtooth"),
                "random": sentence("random steps"),
            },
            label=sentence("Shape"),
            help=sentence("How it goes from the least value to the greatest and back."),
        ),
        Number(
            "period",
            2.0,
            0.02,
            600.0,
            step=0.1,
            unit="s",
            label=sentence("Period"),
            help=sentence("Time of one round."),
        ),
        Number(
            "phase",
            0.0,
            0.0,
            360.0,
            step=5.0,
            unit="°",
            label=sentence("Phase"),
            help=sentence("Where in its round it begins; 180 is half a round."),
        ),
    ),
    at=_at,
)
