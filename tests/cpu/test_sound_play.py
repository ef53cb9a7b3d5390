"""Sound while a video plays: in step with the picture, at the same pitch, without clicks, and never at the
picture's cost.
"""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from pathlib import Path

import av
import numpy as np
import pytest
from sound_rig import Stage, beeps_of, beginnings, flashes_of, tone, write_flashes
from waiting import LIMIT_S, until

from desktop.base.discovery import module_names
from desktop.base.errors import SoundDeviceError, SoundError
from desktop.base.wording import sentence
from desktop.media.audio.clock import DeviceClock
from desktop.media.audio.convert import Converter
from desktop.media.audio.device import AudioDevice
from desktop.media.audio.devices import SILENT, device_kind, open_device
from desktop.media.audio.devices.silent import SilentDevice
from desktop.media.audio.line import Line
from desktop.media.audio.output import SoundOutput
from desktop.media.audio.reader import SoundReader, tracks_of
from desktop.media.audio.samples import RATE
from desktop.media.audio.tempo import Tempo

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def flashes(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "flashes.mkv"
    write_flashes(path, seconds=10.0)
    return path


@pytest.fixture
def stage(flashes):
    stage = Stage(flashes)
    yield stage
    stage.close()


def offsets(stage, since: float = 0.0) -> np.ndarray:
    """How much later, in seconds, each flash was seen than its beep was heard."""
    seen = flashes_of([entry for entry in stage.seen if entry[0] >= since])
    beeps = beeps_of(stage.heard)
    assert len(seen) and len(beeps)
    return np.array([flash - beeps[np.abs(beeps - flash).argmin()] for flash in seen])


# -- in step -------------------------------------------------------------------------------------------------


def test_the_picture_follows_the_sound_through_seeks_speeds_pauses_and_loops(stage):
    source = stage.source
    stage.play(2.0)
    source.seek(6.1)
    stage.play(1.5)
    source.set_speed(2.0)
    stage.play(1.2)
    source.seek(1.0)
    stage.play(1.0)
    source.set_speed(0.5)
    stage.play(2.5)
    source.pause()
    stage.play(0.3)
    source.play()
    source.set_speed(1.0)
    source.set_loop(2.2, 3.1)
    stage.play(4.0)
    found = offsets(stage)
    assert len(found) >= 10
    assert np.percentile(np.abs(found), 95) <= 0.040, found


def test_a_loop_does_not_drift(stage):
    stage.source.set_loop(2.2, 2.9)
    stage.play(10.0)
    found = offsets(stage)
    assert len(found) >= 13
    assert np.abs(found).max() <= 0.010, found
    gaps = np.diff(beeps_of(stage.heard))[1:]
    assert gaps == pytest.approx(0.7, abs=0.002)


def write_longer_sound(path, *, pictures: float, seconds: float) -> list[float]:
    """Write a clip whose pictures end before its sound; return when it flashes and beeps, or only beeps."""
    whole = path.with_name(f"whole{path.suffix}")
    marks = write_flashes(whole, seconds=seconds, codec="pcm_s16le" if path.suffix == ".mkv" else "aac")
    with av.open(str(whole)) as source, av.open(str(path), "w") as out:
        streams = {stream.type: out.add_stream_from_template(stream) for stream in source.streams}
        for packet in source.demux():
            kind = packet.stream.type
            if packet.size and (kind == "audio" or packet.pts * packet.time_base < pictures):
                packet.stream = streams[kind]
                out.mux(packet)
    return marks


def test_the_whole_in_a_loop_goes_round_at_the_end_of_the_picture(tmp_path):
    """The sound is 0.6 s longer than the picture, whose end nobody knows before it was reached."""
    marks = write_longer_sound(tmp_path / "cut.mkv", pictures=1.4, seconds=2.0)
    stage = Stage(tmp_path / "cut.mkv")
    try:
        stage.source.set_loop(None, None, whole=True)
        stage.play(6.0)
        beeps = beeps_of(stage.heard)
        assert marks == [0.4, 1.4]
        assert np.abs(offsets(stage)).max() <= 0.010
        assert np.diff(beeps)[:3] == pytest.approx(1.4, abs=0.003)
    finally:
        stage.close()


@pytest.fixture(params=["cut.mkv", "cut.mp4"])
def longer_sound(tmp_path, request):
    """1.2 s of pictures and 4 s of sound, which beeps at 0.4, 1.4, 2.4 and 3.4 s."""
    marks = write_longer_sound(tmp_path / request.param, pictures=1.2, seconds=4.0)
    assert marks == pytest.approx([0.4, 1.4, 2.4, 3.4])
    stage = Stage(tmp_path / request.param)
    yield stage
    stage.close()


def test_the_last_picture_stays_while_the_sound_goes_on_and_the_time_runs_with_it(longer_sound):
    stage, source = longer_sound, longer_sound.source
    stage.play(2.5)
    assert source.state == "playing"
    # The last picture was taken once, at its time.
    assert stage.seen[-1][1] == pytest.approx(1.16, abs=0.03)
    assert source.position == pytest.approx(stage.clock.now - stage.seen[0][0], abs=0.1)
    stage.play(2.5)
    until(lambda: source.state == "ended")
    assert beeps_of(stage.heard) - stage.seen[0][0] == pytest.approx([0.4, 1.4, 2.4, 3.4], abs=0.05)
    assert source.position == pytest.approx(4.0, abs=0.1)
    assert source.info.duration == pytest.approx(4.0, abs=0.1)
    source.play()
    stage.play(0.5)
    assert source.position < 1.2


def test_a_seek_behind_the_last_picture_is_heard_from_there(longer_sound):
    stage, source = longer_sound, longer_sound.source
    stage.play(0.3)
    source.pause()
    source.seek(2.0)
    stage.play(0.3)
    assert source.position == pytest.approx(2.0, abs=0.01)
    assert stage.seen[-1][1] == pytest.approx(1.16, abs=0.03)
    began = stage.clock.now
    source.play()
    stage.play(0.8)
    assert beeps_of(stage.heard) - began == pytest.approx([0.4], abs=0.1)
    source.pause()
    assert source.position == pytest.approx(2.8, abs=0.15)
    source.seek(0.0)
    stage.play(0.2)
    assert source.position == 0.0
    source.play()
    stage.play(0.2)
    source.seek(60.0)
    stage.play(1.0)
    until(lambda: source.state == "ended")


def test_a_track_that_is_switched_off_keeps_no_picture(longer_sound):
    stage, source = longer_sound, longer_sound.source
    stage.play(1.8)
    assert source.state == "playing"
    source.sound.use_track(None)
    stage.play(0.2)
    until(lambda: source.state == "ended")


def test_a_slow_consumer_of_pictures_does_not_stall_the_sound(stage):
    stage.play(0.5)
    look, stage.look = stage.look, lambda: None
    for _ in range(10):
        stage.play(0.3)
        look()
    _, heard = stage.sound()
    loud = beginnings(np.abs(heard[:, 0]) > 0.1, RATE // 25) / RATE
    assert np.diff(loud) == pytest.approx(1.0, abs=0.001)


def test_without_an_output_a_video_plays_by_the_clock(flashes):
    stage = Stage(flashes, audible=False)
    try:
        stage.play(2.0)
        assert stage.source.sound.track is None
        assert [pts for _, pts, _ in stage.seen] == pytest.approx(np.arange(len(stage.seen)) / 25)
        times = np.array([now for now, _, _ in stage.seen])
        assert np.diff(times) == pytest.approx(0.04, abs=0.005)
    finally:
        stage.close()


def test_a_device_with_a_clock_of_its_own_does_not_lead_astray():
    """An hour of a device that is 0.03 % fast, whose calls come up to 15 ms late."""
    clock, rng = DeviceClock(), np.random.default_rng(1)
    frame, errors = 0, []
    for block in range(180_000):
        true = block * 960 / (RATE * 1.0003)
        clock.observe(frame, true + 0.06 + min(rng.exponential(0.002), 0.015))
        frame += 960
        if block > 500:
            heard = clock.frame_at(true)
            assert heard is not None
            errors.append(heard / (RATE * 1.0003) + 0.06 - true)
    assert np.abs(errors).max() < 0.008


# -- how it sounds -------------------------------------------------------------------------------------------


def steps_of(samples: np.ndarray) -> float:
    return float(np.abs(np.diff(samples[:, 0])).max())


def test_seeks_loops_pauses_and_the_volume_do_not_click(tmp_path):
    wave = (0.5 * np.sin(2 * np.pi * 220 * np.arange(6 * 48000) / 48000)).astype(np.float32)
    write_flashes(tmp_path / "hum.mkv", seconds=6.0, sound=wave)
    stage = Stage(tmp_path / "hum.mkv")
    try:
        stage.play(0.6)
        stage.source.seek(3.0123)
        stage.play(0.5)
        stage.source.set_loop(3.0, 3.3017)
        stage.play(1.2)
        stage.source.pause()
        stage.play(0.2)
        stage.source.play()
        stage.play(0.3)
        stage.output.muted = True
        stage.play(0.2)
        stage.output.muted = False
        stage.play(0.3)
        _, heard = stage.sound()
        assert np.abs(heard).max() == pytest.approx(0.5, abs=0.02)
        # The hum's own steepest step, and what fades of 5 ms add to it.
        assert steps_of(heard) < 1.2 * (0.5 * 2 * math.pi * 220 / RATE + 0.5 / 240)
    finally:
        stage.close()


def test_a_pause_is_heard_at_once_and_nothing_is_lost_by_it(stage):
    stage.play(1.45)
    stage.source.pause()
    paused = stage.clock.now
    stage.play(0.5)
    after = np.concatenate([block for at, block in stage.heard if at > paused + 0.02])
    assert np.abs(after).max() == 0.0
    stage.source.play()
    stage.play(1.6)
    assert np.abs(offsets(stage, paused)).max() <= 0.040


@pytest.mark.parametrize("speed", [0.5, 0.75, 1.5, 2.0, 4.0])
def test_another_speed_has_the_same_pitch_and_its_place_is_known(speed):
    marks = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    given, tempo, out, places = tone(RATE, 8.0, marks), Tempo(speed), [], []
    for begin in range(0, len(given), 2048):
        at = tempo.position
        out.append(tempo.feed(np.repeat(given[begin : begin + 2048, None], 2, 1)))
        places.append(at + np.arange(len(out[-1])) * speed)
    heard, place = np.concatenate(out)[:, 0], np.concatenate(places) / RATE
    begins = beginnings(np.abs(heard) > 0.1, RATE // 25)
    assert len(begins) == len(marks)
    # In the time that is heard, not in the file's.
    assert np.abs(place[begins] - marks).max() / speed < 0.030
    beep = heard[begins[2] : begins[2] + round(0.08 * RATE / speed)] * np.hanning(round(0.08 * RATE / speed))
    spectrum = np.abs(np.fft.rfft(beep, 1 << 17))
    assert spectrum.argmax() * RATE / (1 << 17) == pytest.approx(1000, rel=0.01)


def test_the_volume_is_cubic_and_mute_is_silence(stage):
    stage.output.volume = 0.5
    stage.play(0.7)
    _, heard = stage.sound()
    assert np.abs(heard).max() == pytest.approx(0.5 * 0.125, rel=0.05)
    stage.output.muted = True
    stage.play(0.1)
    muted = stage.clock.now
    stage.play(1.0)
    assert max(np.abs(block).max() for at, block in stage.heard if at > muted) == 0.0


def test_sound_that_was_off_joins_the_picture_where_it_is(stage):
    stage.play(1.0)
    stage.source.sound.use_track(None)
    stage.play(3.0)
    stage.source.sound.use_track(0)
    back = stage.clock.now
    stage.play(3.5)
    assert np.abs(offsets(stage, back)).max() <= 0.040
    times = np.array([pts for _, pts, _ in stage.seen])
    assert (np.diff(times) > -0.001).all()
    assert times[-1] == pytest.approx(stage.clock.now - stage.seen[0][0], abs=0.3)


def test_the_picture_does_not_wait_for_a_sound_that_is_late(flashes, monkeypatch):
    """A track whose opening hangs for seconds, as on a disk that sleeps."""
    ready = threading.Event()
    opened = SoundReader.__init__

    def late(self, *args):
        assert ready.wait(LIMIT_S)
        opened(self, *args)

    monkeypatch.setattr(SoundReader, "__init__", late)
    stage = Stage(flashes)
    try:
        stage.waits_for_sound = False
        stage.play(3.0)
        assert stage.seen[-1][1] == pytest.approx(2.5, abs=0.15)
        ready.set()
        until(lambda: stage.source.sound.ahead_s > 0)
        stage.play(0.7)
        stage.waits_for_sound = True
        joined = stage.clock.now
        stage.play(3.0)
        assert np.abs(offsets(stage, joined)).max() <= 0.040
        assert np.diff([pts for _, pts, _ in stage.seen]).min() > -0.001
    finally:
        ready.set()
        stage.close()


def test_a_long_pause_lets_the_device_go_and_play_takes_it_again(stage):
    stage.play(1.0)
    stage.source.pause()
    stage.play(8.0)
    until(lambda: not stage.output.has_device)
    stage.source.play()
    again = stage.clock.now
    stage.play(2.5)
    assert np.abs(offsets(stage, again)).max() <= 0.040


def test_listeners_hear_what_plays_before_the_volume(stage):
    got: list[tuple[float, np.ndarray]] = []
    end = stage.output.listen(lambda at, block: got.append((at, block.copy())))
    stage.output.muted = True
    stage.play(1.0)
    end()
    count = len(got)
    stage.play(0.2)
    assert len(got) == count
    assert beeps_of(got) == pytest.approx([stage.seen[0][0] + 0.4], abs=0.02)


# -- tracks of all kinds -------------------------------------------------------------------------------------


def read_all(path, seconds: float, *, index: int = 0, origin: float = 0.0, at: float = 0.0) -> np.ndarray:
    reader = SoundReader(lambda: av.open(str(path)), index, origin, path.name)
    try:
        reader.seek(at)
        return np.concatenate([reader.read(1000) for _ in range(round(seconds * RATE / 1000))])
    finally:
        reader.close()


@pytest.mark.parametrize(
    ("name", "codec", "rate", "layout", "shift"),
    [
        ("a.mkv", "pcm_s16le", 48000, "stereo", 0.0),
        ("a.mkv", "flac", 44100, "5.1", 0.0),
        ("a.mov", "pcm_mulaw", 8000, "mono", 0.0),
        ("a.mp4", "aac", 44100, "stereo", 0.0),
        ("a.mkv", "ac3", 48000, "5.1", 0.0),
        ("a.mkv", "libopus", 48000, "stereo", 0.0),
        # AVI has no time at which a track begins: the encoder's delay is lost when it is written.
        ("a.avi", "libmp3lame", 44100, "stereo", -0.055),
        ("a.ts", "mp2", 48000, "stereo", 0.0),
    ],
)
def test_a_track_is_read_in_step_from_any_place(tmp_path, name, codec, rate, layout, shift):
    path = tmp_path / name
    marks = write_flashes(path, seconds=6.0, codec=codec, rate=rate, layout=layout)
    with av.open(str(path)) as container:
        origin = float(next(container.decode(video=0)).time)
    for at in (0.0, 2.0, 3.217):
        heard = read_all(path, 6.0 - at, origin=origin, at=at)
        begins = beginnings(np.abs(heard[:, 0]) > 0.08, RATE // 25) / RATE + at
        expected = [mark + shift for mark in marks if mark + shift > at]
        assert begins == pytest.approx(expected, abs=0.006), (codec, at)


def test_sound_that_begins_late_and_ends_early_is_silence_around(tmp_path):
    path = tmp_path / "part.mkv"
    marks = write_flashes(path, seconds=6.0, sound_from=1.5, sound_until=4.0)
    heard = read_all(path, 6.0)
    assert beginnings(np.abs(heard[:, 0]) > 0.1, RATE // 25) / RATE == pytest.approx(
        [mark for mark in marks if 1.5 < mark < 4.0], abs=0.001
    )
    assert np.abs(read_all(path, 1.0, at=4.5)).max() == 0.0
    late = read_all(path, 2.0, at=1.0)
    assert beginnings(np.abs(late[:, 0]) > 0.1, RATE // 25) / RATE + 1.0 == pytest.approx([2.4], abs=0.001)


def test_a_track_is_chosen_by_its_number(tmp_path):
    path = tmp_path / "two.mkv"
    write_flashes(path, seconds=2.0, tracks=2)
    with av.open(str(path)) as container:
        assert [track.index for track in tracks_of(container)] == [0, 1]
    assert np.abs(read_all(path, 1.0, index=0)).max() == pytest.approx(0.5, abs=0.01)
    assert np.abs(read_all(path, 1.0, index=1)).max() == pytest.approx(0.125, abs=0.01)


def test_broken_packets_are_silence_and_what_follows_is_in_step(tmp_path):
    whole, broken = tmp_path / "whole.mkv", tmp_path / "broken.mkv"
    marks = write_flashes(whole, seconds=6.0, codec="flac")
    with av.open(str(whole)) as source, av.open(str(broken), "w") as out:
        targets = {stream.index: out.add_stream_from_template(stream) for stream in source.streams}
        for packet in source.demux():
            if packet.size:
                kind, at = packet.stream.type, packet.pts * packet.time_base
                if kind == "audio" and 2.0 <= at < 3.0:
                    junk = av.Packet(b"\xff" * packet.size)
                    junk.pts, junk.dts, junk.time_base = packet.pts, packet.dts, packet.time_base
                    index, packet = packet.stream.index, junk
                else:
                    index = packet.stream.index
                packet.stream = targets[index]
                out.mux(packet)
    heard = read_all(broken, 6.0)
    begins = beginnings(np.abs(heard[:, 0]) > 0.1, RATE // 25) / RATE
    assert begins == pytest.approx([mark for mark in marks if not 2.0 <= mark < 3.0], abs=0.005)


def test_a_track_that_cannot_be_decoded_costs_the_sound_and_a_sentence(tmp_path):
    whole, broken = tmp_path / "whole.mkv", tmp_path / "broken.mkv"
    write_flashes(whole, seconds=2.0, codec="flac")
    with av.open(str(whole)) as source, av.open(str(broken), "w") as out:
        targets = {stream.index: out.add_stream_from_template(stream) for stream in source.streams}
        for packet in source.demux():
            if packet.size:
                index = packet.stream.index
                if packet.stream.type == "audio":
                    junk = av.Packet(b"\xff" * packet.size)
                    junk.pts, junk.dts, junk.time_base = packet.pts, packet.dts, packet.time_base
                    packet = junk
                packet.stream = targets[index]
                out.mux(packet)
    with pytest.raises(SoundError, match="broken"):
        read_all(broken, 1.0)
    stage = Stage(broken)
    try:
        until(lambda: stage.notices)
        stage.play(1.0)
        assert len(stage.notices) == 1
        assert "broken.mkv" in stage.notices[0]
        assert len(stage.seen) == pytest.approx(25, abs=2)
    finally:
        stage.close()


def test_strange_numbers_in_a_track_are_silence(tmp_path):
    path = tmp_path / "nan.mkv"
    samples = np.full(48000, 0.25, np.float32)
    samples[10_000:10_100] = np.nan
    samples[20_000:20_100] = np.inf
    write_flashes(path, seconds=1.0, codec="pcm_f32le", sound=samples)
    heard = read_all(path, 1.0)
    assert np.isfinite(heard).all()
    assert np.abs(heard).max() <= 1.0


def test_a_frame_of_absurd_length_is_left_out():
    for seconds, expected in ((1, RATE), (31, 0)):
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1000 * seconds), np.float32), "fltp", "mono")
        frame.sample_rate = 1000
        assert sum(map(len, Converter().convert(frame))) == pytest.approx(expected, abs=RATE // 10)


SEEKING = """
import gc, sys
import av, psutil
from desktop.media.audio.reader import SoundReader
from desktop.media.audio.samples import RATE
from desktop.media.audio.tempo import Tempo

reader = SoundReader(lambda: av.open(sys.argv[1]), 0, 0.0)
gc.disable()
before = psutil.Process().num_threads()
for number in range(10):
    reader.seek(0.5 * number)
    tempo = Tempo(1.5)
    tempo.feed(reader.read(RATE))
    assert len(tempo.finish())
print(before, psutil.Process().num_threads())
"""


def test_seeks_and_other_speeds_leave_no_threads(flashes):
    """Also while nobody collects cycles, which PyAV 19's graphs of filters are."""
    # In a process of its own, whose other threads do not come and go with other tests.
    command = [sys.executable, "-c", SEEKING, str(flashes)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    before, after = map(int, done.stdout.split())
    # PyAV 18 has the threads of the reader's graph.
    assert after <= before


# -- the line ------------------------------------------------------------------------------------------------


def test_a_line_goes_round_its_loop_for_hours():
    line = Line(media=1.0, at=1.0, loop=(2.0, 3.7), end=10.0)
    at, media = 1.0, 1.0
    for _ in range(5000):
        stretch = line.stretch_at(at)
        assert stretch.media == pytest.approx(media, abs=1e-5)
        length = 3.7 - media
        assert stretch.until == pytest.approx(at + length, abs=1e-5)
        at, media = at + length, 2.0
    # Behind the last picture the sound goes on, but in no loop's round.
    assert Line(end=5.0).stretch_at(5.5).media == 5.5
    assert Line(end=5.0, loop=(1.0, math.inf)).stretch_at(5.5).media == pytest.approx(1.5)
    assert Line(loop=(0.0, math.inf), end=5.0).stretch_at(12.0).media == pytest.approx(2.0)
    assert Line(loop=(5.0, math.inf), end=5.0).stretch_at(12.0).media is None


# -- devices -------------------------------------------------------------------------------------------------


def test_devices_are_found_by_their_files():
    assert {"silent", "speakers"} <= set(module_names("desktop.media.audio.devices"))
    assert device_kind(SILENT).names() == [""]
    assert isinstance(open_device(SILENT), SilentDevice)
    with pytest.raises(SoundDeviceError):
        open_device("no such kind")


class Breaking:
    """A device that can be unplugged."""

    name = "breaking"

    def __init__(self) -> None:
        self.lost = None
        self.closed = False

    def start(self, pull, lost) -> None:
        self.lost = lost

    def close(self) -> None:
        self.closed = True


class Talker:
    wants_device = True

    def render(self, first, frames):
        return None


class Vanishing(SilentDevice):
    """A silent device that can go away."""

    def start(self, pull, lost):
        self.vanish = lost
        super().start(pull, lost)


def test_without_a_device_it_is_silent_and_says_so_once():
    notices: list[str] = []

    devices: list[Vanishing] = []

    def opens(choice: str) -> AudioDevice:
        if choice != SILENT:
            raise SoundDeviceError(sentence("There is no sound device."))
        devices.append(Vanishing())
        return devices[-1]

    output = SoundOutput("speakers:gone", opens=opens)
    output.on_notice = notices.append
    output.add(Talker())
    try:
        until(lambda: output.is_silent and output.frame_at(0.0) is not None)
        assert notices == ["There is no sound device."] or len(notices) == 2
        said = list(notices)
        devices[0].vanish()
        until(lambda: len(devices) == 2 and output.has_device)
        assert notices == said
    finally:
        output.close()


def test_a_device_that_goes_away_is_followed_by_the_next_one():
    opened: list[Breaking] = []
    notices: list[str] = []

    def opens(choice: str) -> AudioDevice:
        opened.append(Breaking())
        return opened[-1]

    output = SoundOutput(opens=opens)
    output.on_notice = notices.append
    output.add(Talker())
    try:
        until(lambda: opened and opened[0].lost is not None)
        opened[0].lost()
        until(lambda: len(opened) >= 2 and opened[1].lost is not None)
        assert opened[0].closed
        assert len(notices) == 1
        assert "was disconnected" in notices[0]
    finally:
        output.close()


def test_miniaudio_feeds_a_device_and_tells_when_frames_are_heard():
    """By miniaudio's own silent device: everything of it but the hardware."""
    miniaudio = pytest.importorskip("miniaudio")
    from desktop.media.audio.devices.speakers import Speakers

    asked: list[tuple[int, float]] = []

    def pull(frames: int, at: float) -> np.ndarray:
        asked.append((frames, at))
        return np.zeros((frames, 2), np.float32)

    device = Speakers(backends=[miniaudio.Backend.NULL])
    device.start(pull, lambda: None)
    until(lambda: len(asked) > 40)
    device.close()
    count = len(asked)
    frames, times = np.array(asked).T
    # The times run with the frames: a straight line of 48 kHz but for what a busy machine adds.
    line = np.polyfit(np.cumsum(frames) - frames, times, 1)
    assert 1 / line[0] == pytest.approx(RATE, rel=0.15)
    assert (np.diff(times) > 0).all()
    assert len(asked) == count
