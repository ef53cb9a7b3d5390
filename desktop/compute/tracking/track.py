"""How things are followed, as plain values, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from desktop.compute.tasks.shapes import Box, Line, Shape
from desktop.errors import UsageError
from desktop.wording import sentence


@dataclass(frozen=True)
class TrackSpec:
    """How things are followed; docs/tracking.md tells what each does.

    Attributes:
        score: how sure a thing must be for an identity of its own to begin, 0 to 1. What is less sure still goes on with one that is there.
        overlap: the least overlap (IoU) of where a thing is expected and where it is found, 0 to 1.
        hits: in how many results, one after the other, a thing must be found before it gets its identity.
        remember: for how many seconds a thing that is not found is still expected to return.
        by_class: only things of one class can be the same thing.
        trail: of how many seconds the way is shown; 0 shows none.
    """

    score: float = 0.25
    overlap: float = 0.3
    hits: int = 2
    remember: float = 2.0
    by_class: bool = True
    trail: float = 2.0


TRACK_LIMITS: Final[Mapping[str, tuple[float, float]]] = {
    "score": (0.0, 1.0),
    "overlap": (0.05, 0.95),
    "hits": (1, 60),
    "remember": (0.0, 60.0),
    "trail": (0.0, 60.0),
}
"""The least and the greatest value of each number in a `TrackSpec`; `by_class` is true or false."""


def with_track_value(spec: TrackSpec, name: str, value: Any) -> TrackSpec:
    """Return a spec with another value, of a preset or the command line.

    Raises:
        UsageError: there is nothing of this name, or it does not take the value.
    """
    if name == "by_class":
        if not isinstance(value, bool):
            raise UsageError(
                sentence("'by_class' of tracking is {value}; give true or false.", value=str(value)[:40])
            )
        return replace(spec, by_class=value)
    if name not in TRACK_LIMITS:
        raise UsageError(
            sentence(
                "'{name}' is no setting of tracking; there are: {names}.",
                name=str(name)[:40],
                names=", ".join((*TRACK_LIMITS, "by_class")),
            )
        )
    low, high = TRACK_LIMITS[name]
    is_whole = isinstance(low, int)
    fits = isinstance(value, int) if is_whole else isinstance(value, int | float)
    if isinstance(value, bool) or not fits or not low <= value <= high:
        raise UsageError(
            sentence(
                "'{name}' of tracking is {value}; give {low} to {high}.",
                name=name,
                value=str(value)[:40],
                low=f"{low:g}",
                high=f"{high:g}",
            )
        )
    values = {**vars(spec), name: value if is_whole else float(value)}
    return TrackSpec(**values)


@dataclass(frozen=True)
class TrackTally:
    """Number of detections in all results so far, and of those (`unassigned`) that belong to no track with an identity."""

    detections: int = 0
    unassigned: int = 0


@dataclass(frozen=True)
class FollowedShapes:
    """What came of following one result's shapes; see `Sighting`."""

    shapes: tuple[Shape, ...]
    trails: tuple[Line, ...] = ()
    expected: tuple[Box, ...] = ()
    tally: TrackTally = TrackTally()
