"""Settings and results of tracking, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from desktop.base.fields import Field, Flag, Integer, Number, with_value
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
        cuts: all tracks end at a scene cut.
    """

    score: float = 0.25
    overlap: float = 0.3
    hits: int = 2
    remember: float = 2.0
    by_class: bool = True
    trail: float = 2.0
    cuts: bool = False


_FIELDS: Final[tuple[Field, ...]] = (
    Number(
        "remember",
        TrackSpec.remember,
        max=60.0,
        step=0.5,
        unit="s",
        label=sentence("Remember"),
        help=sentence(
            "How long an object that is hidden or gone is still expected to return as the same one."
        ),
    ),
    Number(
        "trail",
        TrackSpec.trail,
        max=60.0,
        step=0.5,
        unit="s",
        label=sentence("Trail"),
        help=sentence("Of how many seconds the way is drawn; 0 draws none."),
    ),
    Number(
        "score",
        TrackSpec.score,
        step=0.01,
        label=sentence("Begin from score"),
        help=sentence("Minimum score for an object to get a number; one that has it may have a lower score."),
    ),
    Integer(
        "hits",
        TrackSpec.hits,
        1,
        60,
        label=sentence("Results in a row"),
        help=sentence("In how many consecutive results an object must be detected to get a number."),
    ),
    Number(
        "overlap",
        TrackSpec.overlap,
        0.05,
        0.95,
        0.05,
        label=sentence("Least overlap"),
        help=sentence(
            "How much a box must overlap the expected position of its object; lower for objects that move "
            "fast."
        ),
    ),
    Flag(
        "by_class",
        TrackSpec.by_class,
        label=sentence("Only within a class"),
        help=sentence(
            "An object keeps its class: a car is never taken for the truck that it was called before."
        ),
    ),
    Flag(
        "cuts",
        TrackSpec.cuts,
        label=sentence("End at scene cuts"),
        help=sentence(
            "Where another shot begins, objects get new numbers, also those at the same place; for edited "
            "videos."
        ),
    ),
)
TRACK_FIELDS: Final[Mapping[str, Field]] = {field.name: field for field in _FIELDS}
"""The fields of a `TrackSpec` by name, in the order of the window's rows."""


def with_track_value(spec: TrackSpec, name: str, value: Any) -> TrackSpec:
    """Return a spec with another value; raise UsageError for an unknown setting or an invalid value."""
    return with_value(spec, TRACK_FIELDS, name, value, of=sentence("tracking"))


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
