"""The share of the GPU's time that previews use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

MOST_PER_FRAME: Final = 8

# Of a frame's time. On a GPU recording takes most of it, by the thread that draws the frames; a software
# adapter draws previews and frames on the same processor, where less would take seconds for a page of them.
_SHARE: Final = 0.03
_SOFTWARE_SHARE: Final = 0.08
# Of a frame's time for previews that were never made: a page is to fill soon.
_FIRST_SHARE: Final = 0.2
# Of all time while the frame stays: nothing else is drawn then.
_STILL_SHARE: Final = 0.5
_TURN: Final = 0.2
# How much a preview's cost may rise from one measurement to the next.
_RISE: Final = 1.25


class PreviewCost:
    """Limits previews to a share of the time between frames, by what the last ones took.

    A frame has as many previews as fit in its share, at most `MOST_PER_FRAME`. If one takes longer than the
    share, the following frames have none until the time is paid for.

    On a software adapter what a preview took includes what it waited for: frames that are drawn at the same
    time. So the least time of each key counts there, which rises slowly.
    """

    def __init__(self, *, is_software: bool) -> None:
        self._share = _SOFTWARE_SHARE if is_software else _SHARE
        self._is_software = is_software
        self._preview_ms = 8.0 if is_software else 0.3
        # What the last previews took, from when on, and whether they were the first of their keys.
        self._begun, self._cost_ms, self._were_first = 0.0, 0.0, False
        self._least: dict[str, float] = {}

    @property
    def preview_ms(self) -> float:
        """Smoothed time of a preview in milliseconds."""
        return self._preview_ms

    def allows(self, now: float, *, is_still: bool) -> bool:
        """Return whether previews may be rendered at a time, in seconds."""
        return now >= self._begun + self._cost_ms / 1e3 / self._share_of(is_still=is_still)

    def _share_of(self, *, is_still: bool) -> float:
        if is_still:
            return _STILL_SHARE
        return max(self._share, _FIRST_SHARE) if self._were_first else self._share

    def count(self, interval_ms: float | None) -> int:
        """Return how many previews the next frame may have, after `interval_ms`; None if the frame stays."""
        allowed = _STILL_SHARE * 33.0 if interval_ms is None else self._share * interval_ms
        return max(1, min(MOST_PER_FRAME, int(allowed / max(self._preview_ms, 1e-3))))

    def begin(self, count: int, begun: float) -> None:
        """Charge an estimate for `count` previews begun at a time in seconds, until `took` knows."""
        self._begun, self._cost_ms = begun, count * self._preview_ms

    def took(self, keys: Sequence[str], begun: float, spent_ms: float) -> None:
        """Add the measured time of the previews `keys`, which were begun at a time in seconds."""
        each_ms = spent_ms / len(keys)
        self._were_first = not all(key in self._least for key in keys)
        for key in keys:
            self._least[key] = min(each_ms, self._least.get(key, each_ms) * _RISE)
        self._begun = begun
        self._cost_ms = sum(self._least[key] for key in keys) if self._is_software else spent_ms
        self._preview_ms += _TURN * (self._cost_ms / len(keys) - self._preview_ms)

    def add(self, spent_ms: float) -> None:
        """Add time that the last previews took later: their copies for the window."""
        self._cost_ms += spent_ms

    def retain(self, keys: Iterable[str]) -> None:
        """Forget the costs of all other keys."""
        self._least = {key: self._least[key] for key in keys if key in self._least}
