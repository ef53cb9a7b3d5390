"""Curves of an audio input, from what was heard so far."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from sound_rig import clicks, tone
from waiting import LIMIT_S, until

from desktop.base.errors import SoundDeviceError
from desktop.base.wording import sentence
from desktop.media.audio.live_curves import LiveCurves
from desktop.media.audio.microphone import open_input
from desktop.media.audio.samples import RATE
from desktop.media.audio.spectrum import BINS, HIGHEST
from desktop.pipeline.automation.source import Moment, automation_source

BLOCK = RATE // 50
"""Samples of a block, as miniaudio gives them."""


class Inputs:
    """Inputs that are fed by hand, in place of the system's."""

    def __init__(self):
        self.names, self.now, self.closed = [], 100.0, threading.Event()

    def open(self, name, listener, lost):
        self.listener, self.lost = listener, lost
        self.names.append(name)
        return self

    def close(self):
        self.closed.set()

    def clock(self):
        return self.now

    def hear(self, samples):
        """Give samples, and go on by their time."""
        self.now += len(samples) / RATE
        self.listener(self.now, samples)


@pytest.fixture
def inputs():
    return Inputs()


@pytest.fixture
def live(inputs):
    curves = LiveCurves(inputs.open, inputs.clock)
    curves.listen("desk")
    until(lambda: inputs.names)
    yield curves
    curves.stop()


def blocks(samples):
    return (samples[begin : begin + BLOCK] for begin in range(0, len(samples), BLOCK))


def strength(curves, **values):
    source = automation_source("audio")
    # The time of the frame is that of another clock.
    return source.at(source.check(values), Moment(pts=7654.3, audio=curves))


def test_clicks_are_onsets_within_30_ms_of_when_they_are_heard(inputs, live):
    # Beside the grid of blocks and hops.
    times = np.arange(0.7, 9.5, 0.377)
    begun, found = inputs.now, []
    for block in blocks(clicks(times, 10.0)):
        before = strength(live.current, follow="onset", release=0.05) or 0.0
        inputs.hear(block)
        if strength(live.current, follow="onset", release=0.05) > max(0.5, before):
            found.append(inputs.now - begun)
    assert len(found) == len(times)
    delays = np.array(found) - times
    assert delays.min() >= 0.0 and delays.max() <= 0.03


def test_beats_are_expected_from_those_before(inputs, live):
    times = np.arange(0.5, 12.0, 0.5)
    begun, found = inputs.now, []
    for block in blocks(clicks(times, 12.0)):
        inputs.hear(block)
        since = live.current.since(live.current.beats, live.current.now)
        if since is not None and since < BLOCK / RATE:
            found.append(inputs.now - begun - since)
    assert live.current.tempo == pytest.approx(120, abs=2)
    distances = [np.abs(times - beat).min() for beat in found]
    assert len(found) >= 14 and max(distances) < 0.06
    assert strength(live.current, follow="beat", release=0.5) > 0.3


def test_levels_bands_and_spectrum_are_those_of_now(inputs, live):
    live.stores_samples = True
    for block in blocks(np.repeat(tone(RATE, 1.0, [0.5], 1000.0)[:, None], 2, 1)[: round(0.6 * RATE)]):
        inputs.hear(block)
    found = live.current
    assert live.current is found, "made once for what was heard"
    assert strength(found, follow="mid", release=0.0) > 0.8 > strength(found, follow="bass", release=0.0)
    spectrum, waveform = found.spectrum(7654.3)
    assert spectrum.argmax() * HIGHEST / BINS == pytest.approx(1000, abs=30)
    assert np.abs(waveform).max() == pytest.approx(0.5, abs=0.05)
    live.stores_samples = False
    assert live.current.spectrum(0.0) is None


def test_more_than_a_minute_is_left_out(inputs, live):
    loud = np.full((RATE // 2, 2), 0.5, np.float32)
    inputs.hear(loud)
    for _ in range(130):
        inputs.hear(np.zeros_like(loud))
    assert live.current.seconds == pytest.approx(60) and live.current.level.max() == 0


def test_samples_that_are_no_numbers_are_silence(inputs, live):
    inputs.hear(np.full((BLOCK, 2), np.nan, np.float32))
    inputs.hear(np.full((BLOCK, 2), np.inf, np.float32))
    assert live.current.level.max() == 0


def test_an_input_is_open_while_it_is_listened_to_and_rests_when_it_stops(inputs, live):
    told = []
    live.on_change = lambda: told.append(True)
    assert live.current is None and live.failure is None and inputs.names == ["desk"]
    inputs.hear(np.zeros((BLOCK, 2), np.float32))
    assert live.current is not None and told
    inputs.now += 1.0
    assert live.current is None, "it gives nothing"
    live.listen("desk")
    assert not inputs.closed.is_set() and inputs.names == ["desk"]
    live.stop()
    assert inputs.closed.wait(LIMIT_S) and live.name is None
    inputs.hear(np.zeros((BLOCK, 2), np.float32))
    assert live.current is None


def test_a_lost_input_is_said(inputs, live):
    inputs.hear(np.zeros((BLOCK, 2), np.float32))
    inputs.lost()
    until(lambda: live.failure)
    assert "was disconnected" in str(live.failure) and live.current is None
    live.stop()
    assert live.failure is None


def test_an_input_that_cannot_be_opened_is_said():
    def opens(name, listener, lost):
        raise SoundDeviceError(sentence("No input."))

    live, told = LiveCurves(opens), threading.Event()
    live.on_change = told.set
    live.listen("")
    assert told.wait(LIMIT_S) and str(live.failure) == "No input." and live.current is None
    live.stop()


def test_an_input_that_is_not_there_is_refused():
    with pytest.raises(SoundDeviceError, match="The audio input no such input cannot be used"):
        open_input("no such input", lambda at, samples: None, lambda: None)
