"""Settings and results of tracking, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.vision.tasks.shapes import Box, Line, Shape


@dataclass(frozen=True)
class TrackSpec:
    """Settings of the tracker (docs/tracking.md).

    Attributes:
        score: least score of a detection that starts a track, 0 to 1. Lower ones can still continue a track.
        overlap: the least overlap (IoU) of the predicted and the detected box, 0 to 1.
        hits: number of consecutive detections before an object gets its identity.
        remember: seconds for which an undetected object may still return.
        by_class: only detections of one class can be the same object.
        trail: seconds of the trail; 0 shows none.
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
"""Range of each number in a `TrackSpec`; `by_class` is true or false."""


def with_track_value(spec: TrackSpec, name: str, value: Any) -> TrackSpec:
    """Return a spec with another value, of a preset or the command line.

    Raises:
        UsageError: no setting of this name, or an invalid value.
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
    """Number of detections in all results so far, and of those (`unassigned`) in no track with identity."""

    detections: int = 0
    unassigned: int = 0


@dataclass(frozen=True)
class FollowedShapes:
    """Tracked shapes of one result; see `TrackedResult`."""

    shapes: tuple[Shape, ...]
    trails: tuple[Line, ...] = ()
    expected: tuple[Box, ...] = ()
    tally: TrackTally = TrackTally()
