"""Edits of key frames, the thinning of recorded ones, and where they are in a plot. Without Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desktop.pipeline.automation.key_frames import MOST_KEY_FRAMES, KeyFrame, value_at

TOLERANCE: Final = 0.005
"""Deviation of thinned key frames from recorded values, as a share of the parameter's range."""

# Times are stored to the millisecond; of two at one time only one is kept.
_LEAST_GAP: Final = 0.001

Samples = Sequence[tuple[float, float]]
"""Times in seconds, in order, with values."""


@dataclass(frozen=True)
class Plot:
    """A plot of values over time: its rectangle in pixels, `seconds` from `begin` on to the right, values upward."""

    left: float
    top: float
    width: float
    height: float
    seconds: float
    low: float
    high: float
    begin: float = 0.0

    def point(self, time: float, value: float) -> tuple[float, float]:
        """Return where a value at a time is, in pixels."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.left + (time - self.begin) / self.seconds * self.width, self.top + (
            1.0 - share
        ) * self.height

    def time_at(self, x: float) -> float:
        """Return the time at a horizontal position, within the plot."""
        return self.begin + min(1.0, max(0.0, (x - self.left) / max(1.0, self.width))) * self.seconds

    @property
    def end(self) -> float:
        """Time at the right edge."""
        return self.begin + self.seconds

    def value_at(self, y: float) -> float:
        """Return the value at a height, within the plot."""
        share = 1.0 - min(1.0, max(0.0, (y - self.top) / max(1.0, self.height)))
        return self.low + share * (self.high - self.low)

    def hit(self, frames: Sequence[KeyFrame], x: float, y: float, radius: float) -> int | None:
        """Return the key frame nearest to a position, at most `radius` pixels away; None without one."""
        nearest, found = radius, None
        for index, frame in enumerate(frames):
            here = self.point(frame.time, frame.value)
            distance = math.hypot(here[0] - x, here[1] - y)
            if distance <= nearest:
                nearest, found = distance, index
        return found


def zoomed(
    view: tuple[float, float], factor: float, time: float, length: float, least: float
) -> tuple[float, float]:
    """Return (begin, seconds) of a view enlarged by a factor about a time, within 0 to `length`; at most `least`
    seconds are shown in the end.
    """
    begin, seconds = view
    wanted = min(length, max(min(least, length), seconds / factor))
    share = (time - begin) / seconds if seconds > 0 else 0.0
    return scrolled(time - share * wanted, wanted, length)


def scrolled(begin: float, seconds: float, length: float) -> tuple[float, float]:
    """Return (begin, seconds) of a view that begins elsewhere, within 0 to `length`."""
    return max(0.0, min(begin, length - seconds)), seconds


def added(frames: Sequence[KeyFrame], frame: KeyFrame) -> tuple[tuple[KeyFrame, ...], int]:
    """Return key frames with another one, which replaces one at the same time, and its index."""
    others = [each for each in frames if abs(each.time - frame.time) >= _LEAST_GAP]
    index = sum(each.time < frame.time for each in others)
    return (*others[:index], frame, *others[index:]), index


def added_at(
    frames: Sequence[KeyFrame], times: Iterable[float], value: float
) -> tuple[tuple[KeyFrame, ...], int]:
    """Return key frames with further ones at times where there are none, with the values there, and the number of times
    left out: there are at most `MOST_KEY_FRAMES`.

    `value` is theirs without a curve.
    """
    taken = {round(each.time / _LEAST_GAP) for each in frames}
    new = {round(time / _LEAST_GAP): round(time, 3) for time in times}
    values = {time: value_at(frames, time) for place, time in new.items() if place not in taken}
    made = [KeyFrame(time, value if there is None else there) for time, there in values.items()]
    kept = made[: max(0, MOST_KEY_FRAMES - len(frames))]
    return tuple(sorted((*frames, *kept), key=lambda frame: frame.time)), len(made) - len(kept)


def set_at(frames: Sequence[KeyFrame], time: float, value: float) -> tuple[KeyFrame, ...]:
    """Return key frames with a value at a time; one that is there keeps its ease."""
    there = next((each for each in frames if abs(each.time - time) < _LEAST_GAP), None)
    return added(frames, KeyFrame(time, value) if there is None else replace(there, value=value))[0]


def moved(frames: Sequence[KeyFrame], index: int, time: float, value: float) -> tuple[KeyFrame, ...]:
    """Return key frames, one of them elsewhere; it stays between those before and after it."""
    earliest = frames[index - 1].time + _LEAST_GAP if index else 0.0
    latest = frames[index + 1].time - _LEAST_GAP if index + 1 < len(frames) else math.inf
    there = replace(frames[index], time=max(earliest, min(time, latest)), value=value)
    return (*frames[:index], there, *frames[index + 1 :])


def removed(frames: Sequence[KeyFrame], index: int) -> tuple[KeyFrame, ...]:
    """Return key frames without one of them."""
    return (*frames[:index], *frames[index + 1 :])


def thinned(samples: Samples, tolerance: float) -> list[tuple[float, float]]:
    """Return as few of the samples as are needed (Ramer-Douglas-Peucker).

    A straight line between two that are kept differs from those between them by at most `tolerance`.
    """
    if len(samples) < 3:
        return list(samples)
    kept = {0, len(samples) - 1}
    parts = [(0, len(samples) - 1)]
    while parts:
        first, last = parts.pop()
        (begin, low), (end, high) = samples[first], samples[last]
        slope = (high - low) / ((end - begin) or 1.0)
        farthest, found = tolerance, None
        for index in range(first + 1, last):
            time, value = samples[index]
            distance = abs(value - low - slope * (time - begin))
            if distance > farthest:
                farthest, found = distance, index
        if found is not None:
            kept.add(found)
            parts += [(first, found), (found, last)]
    return [samples[index] for index in sorted(kept)]


def recorded(frames: Sequence[KeyFrame], samples: Samples, tolerance: float) -> tuple[KeyFrame, ...]:
    """Return key frames with those of a recorded movement, which replace all in its time.

    What was there before the movement stays as it was until the movement begins.
    """
    if not samples:
        return tuple(frames)
    ordered = _ordered(samples)
    begin, end = ordered[0][0], ordered[-1][0]
    before = [each for each in frames if each.time < begin - _LEAST_GAP]
    after = [each for each in frames if each.time > end + _LEAST_GAP]
    lead: list[KeyFrame] = []
    underlying = value_at(frames, begin) if before else None
    has_room = bool(before) and before[-1].time < begin - 2 * _LEAST_GAP
    if underlying is not None and has_room and abs(underlying - ordered[0][1]) > tolerance:
        lead = [KeyFrame(begin - _LEAST_GAP, underlying)]
    new = [KeyFrame(time, value) for time, value in thinned(ordered, tolerance)]
    return (*before, *lead, *new, *after)


def recorded_within_limit(
    frames: Sequence[KeyFrame], samples: Samples, tolerance: float
) -> tuple[tuple[KeyFrame, ...], bool]:
    """Return `recorded` with at most `MOST_KEY_FRAMES`, and whether all is as close as `tolerance`.

    Where there would be more, the movement is followed less closely; without any space left it is not recorded.
    """
    made = recorded(frames, samples, tolerance)
    is_close = len(made) <= MOST_KEY_FRAMES
    values = [value for _, value in samples]
    while len(made) > MOST_KEY_FRAMES:
        if tolerance > max(values) - min(values):
            return tuple(frames), False
        tolerance *= 2
        made = recorded(frames, samples, tolerance)
    return made, is_close


def _ordered(samples: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return samples in order, the last of each millisecond."""
    return sorted({round(time, 3): value for time, value in samples}.items())
