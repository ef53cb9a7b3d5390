"""Frame interpolation of live sources: when frames are shown, what is made between which, by a clock that the
test turns.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from waiting import until

from desktop.media.frame import RGBA, Frame, Plane
from desktop.media.sources._between import InterpolatedSlot

INTERVAL = 0.1


def frame(level, pts, at=None):
    pixels = np.full((2, 2, 4), level, np.uint8)
    return Frame(
        (Plane(pixels, 8, 2, 2),), RGBA, 2, 2, pts=pts, captured_at=1000.0 + (pts if at is None else at)
    )


def level(shown):
    return None if shown is None else float(np.asarray(shown.planes[0].data).mean())


class Blend:
    """Makes the middle of two at once; live frames are shown half an interval later for it."""

    lead = 0.0

    def __init__(self):
        self.asked = []
        self.is_closed = False

    def between(self, first, second, seconds):
        self.asked.append((level(first), level(second), round(seconds, 3)))
        middle = (level(first) + level(second)) / 2
        return (replace(frame(middle, 0.0), pts=(first.pts + second.pts) / 2),)

    def delay(self, seconds):
        return seconds / 2

    def close(self, *, wait=False):
        self.is_closed = True


@pytest.fixture
def blend():
    return Blend()


@pytest.fixture
def slot(blend):
    slot = InterpolatedSlot()
    slot.interpolate_by(blend)
    with closing(slot):
        yield slot


def shown(slot, *times):
    return [level(slot.take_at(1000.0 + at)) for at in times]


def test_without_an_interpolation_the_newest_is_shown_at_once():
    slot = InterpolatedSlot()
    slot.put(frame(10, 0.0))
    slot.put(frame(20, 0.1))
    assert shown(slot, 0.1, 0.1) == [20, None]
    assert (slot.stats.decoded, slot.stats.taken, slot.stats.dropped) == (2, 1, 1)


def test_frames_and_those_between_are_shown_half_an_interval_later(slot, blend):
    for n in range(4):
        slot.put(frame(10 + 20 * n, INTERVAL * n))
        # The first one has none before it, and is shown as it comes.
        until(lambda n=n: len(blend.asked) == n)
    assert blend.asked == [(10, 30, 0.1), (30, 50, 0.1), (50, 70, 0.1)]
    assert slot.delay == pytest.approx(INTERVAL / 2)
    # What was made last may be on its way into the slot; all before it is there.
    assert shown(slot, 0.0, 0.076, 0.14, 0.151, 0.19, 0.201, 0.251) == [10, 20, None, 30, None, 40, 50]
    assert slot.stats.taken == 3


def test_one_that_takes_its_time_sees_the_newest_that_is_due(slot, blend):
    for n in range(4):
        slot.put(frame(10 + 20 * n, INTERVAL * n))
        until(lambda n=n: len(blend.asked) == n)
    assert shown(slot, 0.26, 0.26) == [50, None]
    assert slot.stats.dropped == 2


def test_nothing_is_made_across_a_cut_of_the_source_or_times_that_go_back(slot, blend):
    slot.put(frame(10, 0.0))
    slot.put(frame(30, 0.1))
    until(lambda: len(blend.asked) == 1)
    slot.cut()
    assert shown(slot, 0.1) == [30]
    slot.put(frame(90, 0.2))
    slot.put(frame(110, 0.3))
    until(lambda: len(blend.asked) == 2)
    slot.put(frame(150, 0.0, at=0.4))
    slot.put(frame(170, 0.1, at=0.5))
    until(lambda: len(blend.asked) == 3)
    assert [pair[:2] for pair in blend.asked] == [(10, 30), (90, 110), (150, 170)]


def test_frames_without_stamps_are_as_far_apart_as_they_came(slot, blend):
    for n in range(3):
        slot.put(frame(10 + 20 * n, 0.0, at=0.2 * n))
        until(lambda n=n: len(blend.asked) == n)
    assert [pair[2] for pair in blend.asked] == [0.2, 0.2]


def test_another_interpolation_closes_the_one_before_and_none_shows_frames_at_once(slot, blend):
    other = Blend()
    slot.interpolate_by(other)
    assert blend.is_closed
    slot.put(frame(10, 0.0))
    slot.put(frame(30, 0.1))
    until(lambda: other.asked)
    slot.interpolate_by(None)
    assert other.is_closed
    assert shown(slot, 0.0) == [30]
    slot.put(frame(50, 0.2))
    assert shown(slot, 0.0) == [50]
