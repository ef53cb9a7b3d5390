"""Trails: the positions of each identity in the last seconds."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from desktop.vision.tasks.shapes import Position

# Points of a trail: more could not be distinguished on the frame.
_POINTS: Final = 20


@dataclass(slots=True)
class _Way:
    """Positions of one identity, oldest first, and their times."""

    points: list[Position]
    times: list[float]


class Trails:
    """Positions of identities over time, in fractions of the frame."""

    def __init__(self) -> None:
        self._trails: dict[int, _Way] = {}

    def clear(self) -> None:
        """Remove all."""
        self._trails = {}

    def add(self, identity: int, at: Position, pts: float, seconds: float) -> None:
        """Add an identity's position; positions closer in time than a trail can show replace each other."""
        way = self._trails.get(identity)
        if way is None:
            self._trails[identity] = _Way([at], [pts])
            return
        # The last point is the current position; it stays once it is far enough in time from the one before.
        times, between = way.times, seconds / (_POINTS - 1)
        if times[-1] == pts or (len(times) > 1 and times[-1] - times[-2] < between):
            way.points[-1], way.times[-1] = at, pts
        else:
            way.points.append(at)
            way.times.append(pts)

    def recent(self, pts: float, seconds: float) -> dict[int, tuple[Position, ...]]:
        """Return the trails of the last seconds as of a time, and drop older positions."""
        oldest = pts - seconds
        for identity in [identity for identity, way in self._trails.items() if way.times[0] < oldest]:
            way = self._trails[identity]
            old = bisect_left(way.times, oldest)
            del way.points[:old], way.times[:old]
            if not way.times:
                del self._trails[identity]
        return {i: tuple(way.points) for i, way in self._trails.items() if len(way.points) > 1}
