"""Curves of the audio of video files."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from media_rig import write_tones
from sound_rig import write_flashes
from waiting import until

from desktop.base.errors import SoundError, StoppedError
from desktop.media.audio.samples import RATE
from desktop.media.audio.spectrum import STORED_RATE
from desktop.media.audio.track_curves import TrackCurves
from desktop.media.sources.video import VideoSource


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.mkv"
    write_flashes(path, seconds=3.5)
    return path


def test_curves_of_a_file_are_on_its_video_time(clip):
    source = VideoSource(clip)
    curves = source.capabilities.curves.wait()
    found = [np.abs(curves.onsets - beep).min() for beep in (0.4, 1.4, 2.4)]
    assert max(found) < 0.02 and 3.3 < curves.seconds < 3.8
    assert source.capabilities.curves.current is curves, "computed once"
    source.close()


def test_a_playing_source_computes_them_on_a_thread_and_tells(clip):
    source = VideoSource(clip)
    told = threading.Event()
    source.curves.on_change = told.set
    source.start()
    until(lambda: source.state == "playing")
    assert source.curves.current is None and source.curves.failure is None
    assert told.wait(20)
    assert source.curves.current is not None
    source.close()


def test_another_track_has_other_curves(tmp_path):
    path = tmp_path / "two.mkv"
    write_tones(path, {"eng": (200.0, False), "ger": (4000.0, True)})
    source = VideoSource(path)
    usual = source.curves.wait()
    source.curves.track = 0
    other = source.curves.wait()
    middle = len(usual.level) // 2
    assert usual.bands["treble"][middle] > usual.bands["bass"][middle]
    assert other.bands["bass"][middle] > other.bands["treble"][middle]
    source.close()


def test_a_file_without_audio_says_so(tmp_path):
    path = tmp_path / "silent.mkv"
    write_flashes(path, seconds=0.5, tracks=0)
    source = VideoSource(path)
    assert source.curves.failure is None, "not known before it is open"
    with pytest.raises(SoundError, match=r"silent\.mkv has no audio"):
        source.curves.wait()
    assert "has no audio" in str(source.curves.failure) and source.curves.current is None
    source.close()


class EndlessReader:
    """A track that never ends."""

    ends = None

    def __init__(self) -> None:
        self.reads, self.is_closed = 0, False

    def read(self, frames: int) -> np.ndarray:
        self.reads += 1
        return np.zeros((frames, 2), np.float32)

    def close(self) -> None:
        self.is_closed = True


def test_closing_cancels_the_reading():
    reader = EndlessReader()
    curves = TrackCurves(lambda track: reader)
    assert curves.get(0) is None
    until(lambda: reader.reads > 1)
    curves.close()
    assert reader.is_closed and curves.get(0) is None
    reads = reader.reads
    with pytest.raises(SoundError, match="closed"):
        curves.wait(0, lambda: None)
    assert reader.reads == reads


def test_a_track_without_end_is_read_to_a_bound():
    curves = TrackCurves(lambda track: EndlessReader(), most_seconds=3)
    assert curves.wait(0, lambda: None).seconds == pytest.approx(3.0, abs=2048 / RATE)


def test_a_wait_is_ended_by_its_check():
    curves = TrackCurves(lambda track: EndlessReader())

    def stop() -> None:
        raise StoppedError("stopped")

    with pytest.raises(StoppedError):
        curves.wait(0, stop)
    curves.close()


def test_whatever_a_file_raises_becomes_a_sentence():
    def broken(track: int) -> EndlessReader:
        raise ValueError("no such bits")

    curves = TrackCurves(broken)
    with pytest.raises(SoundError, match="no such bits"):
        curves.wait(0, lambda: None)
    assert "no such bits" in str(curves.failure(0)) and curves.get(0) is None


def test_samples_are_stored_once_something_needs_them(clip):
    source = VideoSource(clip)
    curves = source.capabilities.curves
    without = curves.wait()
    assert without.samples is None
    curves.stores_samples = True
    found = curves.wait()
    assert found.samples is not None and len(found.samples) == pytest.approx(3.5 * STORED_RATE, rel=0.02)
    assert np.array_equal(found.level, without.level)
    # The first beep is in the samples where it is in the video.
    loud = np.flatnonzero(np.abs(found.samples) > 3000)[0] / STORED_RATE
    assert loud == pytest.approx(0.4, abs=0.005)
    curves.stores_samples = False
    assert curves.current is found, "what is there is not computed again"
    source.close()
