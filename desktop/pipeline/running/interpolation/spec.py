"""Settings of frame interpolation, as presets store them. Light to import: the window needs them at start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.wording import sentence

SCREEN: Final = "screen"
RATES: Final = ("2x", "3x", "4x", SCREEN)
"""Output frames per source frame, or the screen's refresh rate."""

MOST_SLOW_MOTION: Final = 16
"""Largest factor by which an export is slowed down."""


@dataclass(frozen=True)
class InterpolationSpec:
    """Network file and rate (one of `RATES`) of frame interpolation, and 'auto' or a backend's name."""

    model: str
    rate: str = RATES[0]
    backend: str = "auto"

    def between(self, seconds: float, screen_rate: float) -> int:
        """Return the number of frames to insert between two source frames that are `seconds` apart."""
        if self.rate != SCREEN:
            return int(self.rate[:-1]) - 1
        return max(0, min(7, int(seconds * screen_rate + 0.05) - 1))


def with_interpolation_value(spec: InterpolationSpec, name: str, value: Any) -> InterpolationSpec:
    """Return a spec with another value; raise UsageError if the name is unknown or the value invalid."""
    if name == "rate" and value not in RATES:
        raise UsageError(
            sentence(
                "The rate of frame interpolation can't be {value}; choose one of {rates}.",
                value=repr(str(value)[:40]),
                rates=", ".join(RATES),
            )
        )
    if name not in ("model", "rate", "backend") or not isinstance(value, str):
        raise UsageError(sentence("Frame interpolation has no value '{name}'.", name=name))
    return replace(spec, **{name: value})
