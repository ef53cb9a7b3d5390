"""Recorded key frames are thinned to what is needed, and points of a plot are found."""

from __future__ import annotations

import math

import pytest

from desktop.pipeline.automation.key_frames import (
    MOST_KEY_FRAMES,
    KeyFrame,
    key_frames_of,
    key_frames_text,
    value_at,
)
from desktop.ui.features.automation.addresses import settings_of
from desktop.ui.features.automation.curves import (
    Plot,
    added,
    moved,
    recorded,
    recorded_within_limit,
    removed,
    scrolled,
    set_at,
    thinned,
    zoomed,
)

RAMP = [(n / 30, 2.0 * n / 30) for n in range(91)]


def test_a_straight_movement_needs_two_key_frames():
    assert thinned(RAMP, 0.01) == [RAMP[0], RAMP[-1]]
    assert thinned(RAMP[:2], 0.01) == RAMP[:2] and thinned([], 0.01) == []


def test_thinned_samples_are_within_the_tolerance():
    wave = [(n / 30, 50 + 40 * math.sin(n / 20)) for n in range(600)]
    kept = thinned(wave, 0.5)
    assert set(kept) <= set(wave) and 10 < len(kept) < 120
    frames = [KeyFrame(*each) for each in kept]
    assert max(abs(value_at(frames, time) - value) for time, value in wave) <= 0.5


def test_a_jump_is_kept():
    steps = [(n / 10, float(n >= 10)) for n in range(20)]
    assert thinned(steps, 0.005) == [steps[0], steps[9], steps[10], steps[-1]]


def test_a_recorded_movement_replaces_what_was_in_its_time():
    frames = (KeyFrame(0.0, 5.0), KeyFrame(1.5, 9.0, "hold"), KeyFrame(6.0, 1.0))
    found = recorded(frames, [(time + 1.0, value) for time, value in RAMP], 0.01)
    assert [each.time for each in found] == pytest.approx([0.0, 0.999, 1.0, 4.0, 6.0])
    # Until the movement begins it is as it was.
    assert value_at(found, 0.9) == pytest.approx(value_at(frames, 0.9), abs=0.01)
    assert value_at(found, 1.0) == 0.0 and value_at(found, 2.5) == pytest.approx(3.0)


def test_a_short_touch_is_one_key_frame():
    assert recorded((), [(1.0, 3.0), (1.0001, 4.0)], 0.1) == (KeyFrame(1.0, 4.0),)
    assert recorded((KeyFrame(0.0, 1.0),), [], 0.1) == (KeyFrame(0.0, 1.0),)


def test_a_long_recording_has_no_more_key_frames_than_are_read():
    """Five minutes of a movement that goes to and fro at each frame."""
    shaking = [(n / 30, 50 + 0.004 * n + (-1) ** n * (1 + n % 7)) for n in range(9000)]
    assert len(recorded((), shaking, 0.5)) > MOST_KEY_FRAMES
    found, is_close = recorded_within_limit((KeyFrame(400.0, 1.0),), shaking, 0.5)
    assert len(found) <= MOST_KEY_FRAMES and not is_close and found[-1] == KeyFrame(400.0, 1.0)
    assert len(key_frames_of(key_frames_text(found))) == len(found)
    worst = max(abs(value_at(found, time) - value) for time, value in shaking)
    assert worst < 20, "it is still the movement"
    assert recorded_within_limit((), RAMP, 0.01) == (recorded((), RAMP, 0.01), True)


def test_a_movement_without_space_for_it_is_not_recorded():
    full = tuple(KeyFrame(10.0 + n, 0.0) for n in range(MOST_KEY_FRAMES))
    assert recorded_within_limit(full, RAMP, 0.01) == (full, False)


def test_a_point_stays_between_its_neighbors():
    frames = (KeyFrame(0.0, 1.0), KeyFrame(1.0, 2.0, "ease"), KeyFrame(2.0, 3.0))
    assert moved(frames, 1, 9.0, 7.0)[1] == KeyFrame(1.999, 7.0, "ease")
    assert moved(frames, 1, -9.0, 7.0)[1].time == 0.001
    assert moved(frames, 2, 9.0, 0.0)[2] == KeyFrame(9.0, 0.0)
    assert removed(frames, 1) == (frames[0], frames[2])
    assert added(frames, KeyFrame(1.5, 0.0)) == ((*frames[:2], KeyFrame(1.5, 0.0), frames[2]), 2)
    assert added(frames, KeyFrame(1.0, 0.0)) == ((frames[0], KeyFrame(1.0, 0.0), frames[2]), 1)
    assert set_at(frames, 1.0, 8.0)[1] == KeyFrame(1.0, 8.0, "ease")


def test_the_nearest_point_within_reach_is_hit():
    plot = Plot(8, 8, 200, 100, 10.0, -1.0, 1.0)
    frames = (KeyFrame(2.0, 0.0), KeyFrame(2.2, 0.0), KeyFrame(9.0, 1.0))
    assert plot.point(2.0, 0.0) == (48, 58) and plot.point(10.0, 1.0) == (208, 8)
    assert plot.hit(frames, 49, 58, 9) == 0
    assert plot.hit(frames, 51, 60, 9) == 1
    assert plot.hit(frames, 190, 10, 9) == 2
    assert plot.hit(frames, 100, 58, 9) is None
    assert plot.time_at(48) == pytest.approx(2.0) and plot.value_at(58) == pytest.approx(0.0)
    assert plot.time_at(-50) == 0.0 and plot.value_at(500) == -1.0


def test_settings_of_the_addresses_of_controllers():
    assert settings_of("midi", "midi/3/control/7") == {"kind": "control", "channel": 3, "number": 7}
    assert settings_of("osc", "osc/fader/1") == {"path": "/fader/1"}
    assert settings_of("midi", "osc/fader") is None and settings_of("lfo", "midi/1/control/7") is None
    assert settings_of("midi", "midi/1") is None


def test_a_view_is_zoomed_about_a_time_and_stays_within_all():
    assert zoomed((0.0, 100.0), 2.0, 50.0, 100.0, 0.5) == (25.0, 50.0)
    assert zoomed((25.0, 50.0), 2.0, 30.0, 100.0, 0.5) == (27.5, 25.0)
    assert zoomed((0.0, 1.0), 10.0, 0.0, 100.0, 0.5) == (0.0, 0.5)
    assert zoomed((90.0, 10.0), 0.1, 95.0, 100.0, 0.5) == (0.0, 100.0)
    assert zoomed((0.0, 0.1), 2.0, 0.0, 0.1, 0.5) == (0.0, 0.1), "a video shorter than the least"
    assert scrolled(-5.0, 10.0, 100.0) == (0.0, 10.0) and scrolled(95.0, 10.0, 100.0) == (90.0, 10.0)
