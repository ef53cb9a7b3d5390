"""The sound of recordings: what was heard lies at its time beside the pictures, through pauses and late
blocks.
"""

from __future__ import annotations

import threading

import av
import numpy as np
import pytest
from sound_rig import beginnings, decoded, tone
from waiting import LIMIT_S, until

from desktop.base.errors import SoundDeviceError
from desktop.base.wording import sentence
from desktop.media.audio.microphone import microphone_listening
from desktop.media.audio.samples import FADE, RATE
from desktop.media.live_track import LiveTrack
from desktop.outputs.recording import Recorder


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".mkv"])
def test_what_was_heard_lies_beside_the_picture(tmp_path, suffix):
    path, rng = tmp_path / f"heard{suffix}", np.random.default_rng(2)
    recorder = Recorder(path, (64, 48), 25.0, wait=True, live_sound=True)
    assert recorder.has_audio
    sound = tone(RATE, 8.0, [1.0, 2.0, 5.0, 6.0])
    for index in range(200):
        at = index / 25
        begin = index * RATE // 25
        # A device that begins before the first picture, is late by some ms, and stands still from 3 to 4 s.
        if not 3.0 <= at < 4.0:
            block = np.repeat(sound[begin : begin + RATE // 25, None], 2, 1)
            recorder.add_sound(block, at + min(0.02, rng.exponential(0.003)))
        recorder.add(np.full((48, 64, 4), index, np.uint8), at)
    recorder.close()
    heard = decoded(path)
    begins = beginnings(np.abs(heard) > 0.1, RATE // 25) / RATE
    assert begins == pytest.approx([1.0, 2.0, 5.0, 6.0], abs=0.025)
    assert np.abs(heard[round(3.05 * RATE) : round(3.95 * RATE)]).max() < 0.01


def test_sound_ends_with_the_last_picture(tmp_path):
    path = tmp_path / "long.mp4"
    recorder = Recorder(path, (64, 48), 25.0, wait=True, live_sound=True)
    recorder.add_sound(np.zeros((5 * RATE, 2), np.float32), 0.0)
    for index in range(25):
        recorder.add(np.zeros((48, 64, 4), np.uint8), index / 25)
    recorder.close()
    with av.open(str(path)) as container:
        durations = {s.type: float(s.duration * s.time_base) for s in container.streams}
    assert durations["audio"] == pytest.approx(1.0, abs=0.03)


def test_a_recording_of_silence_has_a_whole_track(tmp_path):
    path = tmp_path / "none.mkv"
    recorder = Recorder(path, (64, 48), 25.0, wait=True, live_sound=True)
    for index in range(50):
        recorder.add(np.zeros((48, 64, 4), np.uint8), index / 25)
    recorder.close()
    assert np.abs(decoded(path)).max() == 0.0
    with av.open(str(path)) as container:
        assert sum(frame.samples for frame in container.decode(audio=0)) >= 2 * RATE - 1024


def test_without_live_sound_there_is_no_track(tmp_path):
    path = tmp_path / "mute.mp4"
    recorder = Recorder(path, (64, 48), 25.0, wait=True)
    recorder.add_sound(np.zeros((480, 2), np.float32), 0.0)
    recorder.add(np.zeros((48, 64, 4), np.uint8), 0.0)
    recorder.close()
    with av.open(str(path)) as container:
        assert not container.streams.audio


def test_a_microphone_is_open_while_somebody_listens():
    opened, got = [], []

    class Fake:
        def __init__(self, listener, lost):
            self.lost, self.closed = lost, threading.Event()
            opened.append(self)
            listener(1.0, np.full((480, 2), 0.25, np.float32))

        def close(self):
            self.closed.set()
            self.lost()

    said: list[str] = []
    end = microphone_listening(said.append, Fake)(lambda at, block: got.append((at, len(block))))
    until(lambda: got)
    assert not opened[0].closed.is_set()
    end()
    assert opened[0].closed.wait(LIMIT_S)
    assert got == [(1.0, 480)]
    microphone_listening(said.append, Fake)(lambda at, block: None)
    until(lambda: len(opened) == 2)
    assert said == []
    opened[1].lost()
    until(lambda: said)
    assert "was disconnected" in said[0]


def test_without_a_microphone_the_recording_says_so():
    def opens(listener, lost):
        raise SoundDeviceError(sentence("No microphone."))

    said: list[str] = []
    microphone_listening(said.append, opens)(lambda at, block: None)
    until(lambda: said)
    assert said == ["No microphone."]


class Kept:
    """An output that keeps what its track is given."""

    format = type("Format", (), {"name": "nut"})

    def __init__(self):
        self.blocks = []

    def add_stream(self, codec, rate):
        return self

    def encode(self, frame):
        if frame is not None:
            self.blocks.append((frame.pts, frame.to_ndarray().reshape(-1, 2)))
        return []


@pytest.mark.parametrize("rate", [30, 12])
def test_no_sample_is_lost_where_a_picture_stands_in_the_middle_of_a_block(rate):
    given = np.random.default_rng(1).uniform(-1, 1, (48_000, 2)).astype(np.float32)
    output = Kept()
    track = LiveTrack(output)
    block = 1000
    for begin in range(0, len(given), block):
        track.add(begin / 48_000, given[begin : begin + block])
        track.write_until(begin * rate // 48_000 / rate)
    track.finish(1.0)
    assert [pts for pts, _ in output.blocks] == list(
        np.cumsum([0, *(len(samples) for _, samples in output.blocks)][:-1])
    )
    np.testing.assert_array_equal(np.concatenate([samples for _, samples in output.blocks]), given)


def written(blocks: list[tuple[float, np.ndarray]], seconds: float, rate: int = 30) -> np.ndarray:
    """What a track makes of blocks that come in this order, the pictures between them: float32 [samples, 2]."""
    output = Kept()
    track = LiveTrack(output)
    for at, samples in blocks:
        track.add(at, samples)
        track.write_until(int(at * rate) / rate)
    track.finish(seconds)
    return np.concatenate([samples for _, samples in output.blocks])


@pytest.mark.parametrize("late", [0.045, 0.1, 0.3])
@pytest.mark.parametrize("stalled", [0, 70])
def test_nothing_is_lost_where_only_the_thread_was_late(late, stalled):
    given = np.random.default_rng(1).uniform(-1, 1, (2 * RATE, 2)).astype(np.float32)
    block = RATE // 100
    blocks, free = [], 0.0
    for index in range(200):
        # The thread stands still for a while; what the device kept for it then comes at once.
        free = max(free, index / 100 + (late if index == stalled else 0.0))
        blocks.append((free, given[index * block : (index + 1) * block]))
    np.testing.assert_array_equal(written(blocks, 2.0), given)


def test_a_device_that_stood_still_leaves_silence_of_that_length():
    given = np.random.default_rng(1).uniform(-1, 1, (2 * RATE, 2)).astype(np.float32)
    block, hole = RATE // 100, RATE // 5
    blocks = [
        (index / 100 + (0.2 if index >= 70 else 0.0), given[index * block : (index + 1) * block])
        for index in range(180)
    ]
    out, begins = written(blocks, 2.0), 70 * block
    np.testing.assert_array_equal(out[:begins], given[:begins])
    assert not out[begins : begins + hole].any()
    # It fades in, so that it does not click.
    after = begins + FADE
    np.testing.assert_array_equal(out[after + hole : 2 * RATE], given[after : 2 * RATE - hole])


def test_the_sound_begins_with_the_first_picture_to_the_sample():
    given = np.random.default_rng(1).uniform(-1, 1, (RATE, 2)).astype(np.float32)
    early = 1500  # of the first block, less than is otherwise let pass
    blocks = [((begin - early) / RATE, given[begin : begin + 2000]) for begin in range(0, RATE, 2000)]
    np.testing.assert_array_equal(written(blocks, 0.9), given[early : early + round(0.9 * RATE)])
