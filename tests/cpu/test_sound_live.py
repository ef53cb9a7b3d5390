"""The sound of network streams: heard when its picture is shown, or as soon as it is there."""

from __future__ import annotations

import io
import socket
import threading
import time
from types import SimpleNamespace

import av
import numpy as np
import pytest
from av.stream import Disposition
from sound_rig import Clock, beeps_of, flashes_of, tone, write_flashes
from waiting import LIMIT_S, until

from desktop.media.audio.devices.silent import SilentDevice
from desktop.media.audio.live_voice import LiveVoice
from desktop.media.audio.output import SoundOutput
from desktop.media.audio.reader import SoundReader
from desktop.media.audio.samples import RATE
from desktop.media.containers import open_container
from desktop.media.sources._live_sound import LiveSound
from desktop.media.sources.stream import StreamSource


class Listening:
    """An output on a clock that is turned by hand."""

    def __init__(self) -> None:
        self.clock, self.heard = Clock(), []
        self.device = SilentDevice(
            clock=self.clock, heard=lambda at, block: self.heard.append((at, block)), threaded=False
        )
        self.output = SoundOutput(opens=lambda choice: self.device, clock=self.clock)
        self.voice = LiveVoice(self.output)
        until(lambda: self.output.has_device)

    def play(self, seconds: float) -> None:
        self.clock.now += seconds
        self.device.advance(self.clock.now)

    def close(self) -> None:
        self.voice.close()
        self.output.close()


@pytest.fixture
def listening():
    made = Listening()
    yield made
    made.close()


def stereo(seconds: float, beeps: list[float]) -> np.ndarray:
    return np.repeat(tone(RATE, seconds, beeps)[:, None], 2, 1)


def test_sound_that_comes_early_waits_for_its_picture(listening):
    sound = stereo(1.0, [0.0, 0.5])
    listening.voice.show(10.0, listening.clock.now)
    listening.voice.add(10.3, sound)
    begun = listening.clock.now
    for _ in range(100):
        listening.play(0.01)
    assert beeps_of(listening.heard) - begun == pytest.approx([0.3, 0.8], abs=0.015)


def test_sound_is_heard_once_a_jitter_is_there_and_goes_on_without_a_hole(listening):
    sound, begun = stereo(2.0, [0.01, 0.6, 1.2]), listening.clock.now
    for index in range(100):
        listening.voice.add(index * 0.02, sound[index * 960 : index * 960 + 960])
        listening.play(0.02)
    assert beeps_of(listening.heard) - begun == pytest.approx([0.09, 0.68, 1.28], abs=0.03)


def test_sound_that_falls_behind_catches_up(listening):
    sound = stereo(4.0, [1.0, 2.0, 3.0])
    for index in range(100):
        listening.voice.add(index * 0.02, sound[index * 960 : index * 960 + 960])
    listening.voice.show(2.0, listening.clock.now)
    begun = listening.clock.now
    for index in range(100, 200):
        listening.voice.add(index * 0.02, sound[index * 960 : index * 960 + 960])
        listening.voice.show(index * 0.02, listening.clock.now)
        listening.play(0.02)
    assert beeps_of(listening.heard)[-1] - begun == pytest.approx(1.0, abs=0.25)


def serve(data: bytes, seconds: float) -> str:
    """Send data to who connects, as fast as it plays."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        connection, _ = listener.accept()
        listener.close()
        begun, sent = time.perf_counter(), 0
        with connection:
            while sent < len(data):
                due = int((time.perf_counter() - begun + 0.3) / seconds * len(data))
                connection.sendall(data[sent:due])
                sent = max(sent, due)
                time.sleep(0.01)

    threading.Thread(target=run, daemon=True).start()
    return f"tcp://127.0.0.1:{listener.getsockname()[1]}"


def test_a_stream_is_heard_in_step_with_what_is_seen(tmp_path):
    path = tmp_path / "live.ts"
    write_flashes(path, seconds=5.0, codec="mp2")
    heard, seen = [], []
    output = SoundOutput(
        opens=lambda choice: SilentDevice(heard=lambda at, block: heard.append((at, block.copy())))
    )
    source = StreamSource(serve(path.read_bytes(), 5.0))
    source.sound.use(output)
    source.start()
    try:
        end = time.monotonic() + LIMIT_S
        while source.state not in ("failed", "reconnecting") and time.monotonic() < end:
            frame = source.take(time.perf_counter())
            if frame is not None:
                bright = np.frombuffer(memoryview(frame.planes[0].data), np.uint8)[:16].mean() > 128
                seen.append((time.perf_counter(), frame.pts, bool(bright)))
            time.sleep(0.004)
        assert len(source.sound.tracks) == 1
    finally:
        source.close()
        output.close()
    beeps, flashes = beeps_of(heard), flashes_of(seen)
    assert len(beeps) >= 2
    assert len(flashes) >= 2
    # Nobody waits for the sound, and a busy machine adds to it: heard is that it belongs to this flash and
    # not to the next.
    assert np.median([np.abs(beeps - flash).min() for flash in flashes]) < 0.4


class Reading(io.RawIOBase):
    """A stream that cannot be searched for what comes later."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def read(self, count: int = -1) -> bytes:
        return self._data.read(count)


def with_late_audio() -> bytes:
    """A transport stream of two seconds whose audio begins in the second one."""
    sink = io.BytesIO()
    pixels = np.random.default_rng(1).integers(0, 255, (48, 64), np.uint8)
    with av.open(sink, "w", format="mpegts", options={"flush_packets": "1"}) as out:
        video, audio = out.add_stream("mpeg2video", rate=25), out.add_stream("mp2", rate=RATE)
        video.width, video.height, video.pix_fmt, audio.layout = 64, 48, "yuv420p", "stereo"
        for number in range(50):
            frame = av.VideoFrame.from_ndarray(pixels, "gray").reformat(format="yuv420p")
            frame.pts = number
            out.mux(video.encode(frame))
            if number >= 25:
                sound = av.AudioFrame.from_ndarray(np.full((1, 3840), 9000, np.int16), "s16", "stereo")
                sound.sample_rate, sound.pts = RATE, number * 1920
                out.mux(audio.encode(sound))
        out.mux(video.encode(None))
        out.mux(audio.encode(None))
    return sink.getvalue()


def test_audio_that_begins_late_is_heard(listening):
    """Its rate is not known when the stream is opened, and it was silent for as long as the stream went on."""
    options = {"probesize": "20000", "analyzeduration": "100000"}
    with open_container(Reading(with_late_audio()), format="mpegts", options=options) as container:
        assert container.streams.audio[0].codec_context.sample_rate == 0
        sound = LiveSound("door")
        sound.use(listening.output)
        sound.open(container)
        for packet in container.demux():
            if packet.stream.type == "audio" and packet.size:
                sound.take(container, packet)
    listening.play(0.5)
    assert max(np.abs(block).max() for _, block in listening.heard) > 0.1
    sound.close()


def test_audio_that_begins_late_in_a_file_is_read(tmp_path):
    path = tmp_path / "a.ts"
    path.write_bytes(with_late_audio())
    options = {"probesize": "20000", "analyzeduration": "100000"}
    reader = SoundReader(lambda: open_container(str(path), format="mpegts", options=options), 0, 0.0)
    samples = np.concatenate([reader.read(RATE) for _ in range(2)])
    reader.close()
    assert np.abs(samples).max() > 0.1


@pytest.mark.parametrize(("rate", "is_known"), [(7, True), (48000, False)])
def test_audio_that_cannot_be_decoded_is_reported_once(listening, rate, is_known):
    """A track of silence was recorded, and nothing said why."""
    context = (
        SimpleNamespace(
            sample_rate=rate, channels=1, bit_rate=0, name="x", layout=SimpleNamespace(name="mono")
        )
        if is_known
        else None
    )
    stream = SimpleNamespace(index=1, codec_context=context, metadata={}, disposition=Disposition(0))
    container = SimpleNamespace(streams=SimpleNamespace(audio=[stream]))
    notices = []
    listening.output.on_notice = lambda text: notices.append(str(text))
    sound = LiveSound("door")
    sound.use(listening.output)
    for _ in range(2):
        sound.open(container)
        for _ in range(3):
            sound.take(container, SimpleNamespace(stream=stream))
    assert [text.partition(";")[0] for text in notices] == [
        "The audio of door cannot be decoded and is left out"
    ]
    sound.close()


def test_a_stream_that_nobody_listens_to_is_read_without_its_sound(tmp_path):
    path = tmp_path / "live.ts"
    write_flashes(path, seconds=1.0, codec="mp2")
    with av.open(str(path)) as container:
        assert container.streams.audio
    source = StreamSource(serve(path.read_bytes(), 0.2))
    source.until_end = True
    assert len(list(source.frames())) >= 20
    assert source.sound.tracks == ()
