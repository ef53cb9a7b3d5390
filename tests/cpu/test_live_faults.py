"""Live sources whose senders fail: what is noticed, how it goes on, and that every frame is accounted for. Time is
that of a clock ten times as fast as the machine's.
"""

from __future__ import annotations

import contextlib
import errno
import io
import socket
import threading
import time
from fractions import Fraction
from types import SimpleNamespace

import av
import numpy as np
import pytest
from faulty_senders import RATE, WRAP_S, Camera, Datagrams, Look, Sender, transport_stream
from waiting import LIMIT_S, until

from desktop.base.clock import Clock
from desktop.media.frame import Frame
from desktop.media.sources._camera_backends import CameraInfo
from desktop.media.sources.base import LiveStabilization
from desktop.media.sources.camera import CameraSource
from desktop.media.sources.stream import StreamSource

CLOCK = Clock(10.0)


def balances(source) -> bool:
    stats = source.stats
    return stats.received == stats.taken + sum(stats.drops.values())


@contextlib.contextmanager
def started(sender, source=None):
    """Start a source of a sender; its account must balance in the end, and nothing comes after that."""
    source = source or StreamSource(sender.address, CLOCK)
    states = []
    source.on_change = lambda: states.append((source.state, str(source.error or "")))
    source.start()
    try:
        yield source, states
    finally:
        source.close()
        assert source.take(CLOCK.now()) is None
        until(lambda: balances(source), lambda: source.stats)
        sender.feed.stop.set()
        if not isinstance(sender, Camera):
            sender.close()


def take(source, count: int) -> list[Frame]:
    frames: list[Frame] = []

    def look() -> bool:
        frame = source.take(CLOCK.now())
        if frame is not None:
            frames.append(frame)
        return len(frames) >= count

    until(look, lambda: (source.state, source.error, source.stats))
    return frames


def breaks_in(states) -> list[str]:
    return [reason for state, reason in states if state == "reconnecting"]


@pytest.mark.parametrize(
    "look", [Look(begin=5000.0), Look(begin=WRAP_S - 1.0), Look(begin=0.0)], ids=["ahead", "wrap", "back"]
)
def test_times_go_on_where_those_of_the_sender_jump(look):
    sender = Sender("tcp", CLOCK)
    sender.feed.change(Look(begin=100.0))
    with started(sender) as (source, states):
        take(source, 3)
        sender.feed.change(look)
        jumped_at = sender.sent
        times = [frame.pts for frame in take(source, 3)]
        until(lambda: sender.sent > jumped_at + 2 * RATE)
        times += [frame.pts for frame in take(source, 3)]
        assert np.all(np.diff(times) > 0) and times[-1] < 60.0, times
        assert not breaks_in(states)


def test_damaged_packets_are_counted_and_do_not_end_a_stream():
    sender = Datagrams(CLOCK)
    with started(sender) as (source, states):
        take(source, 2)
        sender.feed.damage(3)
        until(lambda: source.stats.damaged > 0, lambda: source.stats)
        take(source, 3)
        assert source.state == "live" and not breaks_in(states)
        assert source.stats.drops["damaged"] == source.stats.damaged


class Torn:
    """A connection that breaks off within a frame, after some whole ones; or one that begins within a frame, and
    ends when `may_end` is set.
    """

    def __init__(self, *, begins_torn: bool) -> None:
        self._container = av.open(io.BytesIO(b"".join(transport_stream(Look()))), format="mpegts")
        self._begins_torn = begins_torn
        self.may_end = threading.Event()

    def __getattr__(self, name):
        return getattr(self._container, name)

    def demux(self, *streams):
        torn = SimpleNamespace(
            stream=self._container.streams.video[0], size=1, is_keyframe=False, is_corrupt=True
        )
        if self._begins_torn:
            yield torn
        for number, packet in enumerate(self._container.demux(*streams)):
            if number == 20 and not self._begins_torn:
                yield torn
                raise ConnectionResetError(errno.ECONNRESET, "reset")
            time.sleep(0.01)
            yield packet
        self.may_end.wait(LIMIT_S)


def test_a_damaged_packet_before_a_break_and_one_after_it_are_not_damage_that_goes_on():
    """Seconds without a connection counted as seconds with damaged frames alone: it was broken off again."""
    last = Torn(begins_torn=True)
    connections = iter((Torn(begins_torn=False), last))

    class Source(StreamSource):
        def _open(self):
            time.sleep(0.8)
            return next(connections, None) or super()._open()

        def _wait_longer(self, waited):
            """Not break off the connection that waits for the assertions."""

    source = Source("tcp://127.0.0.1:1", CLOCK)
    states = []
    source.on_change = lambda: states.append((source.state, str(source.error or "")))
    source.start()
    try:
        until(
            lambda: source.stats.damaged == 2 and source.state == "live", lambda: (source.state, source.error)
        )
        assert len(breaks_in(states)) == 1 and "broke the connection off" in breaks_in(states)[0]
    finally:
        last.may_end.set()
        source.close()


def audio_stream() -> bytes:
    """MPEG-TS with audio under the number that video has in `transport_stream`."""
    file = io.BytesIO()
    with av.open(file, "w", format="mpegts") as container:
        stream = container.add_stream("aac", rate=48000, layout="mono")
        for number in range(20):
            frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
            frame.sample_rate, frame.pts, frame.time_base = 48000, 1024 * number, Fraction(1, 48000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()


class ReadAhead:
    """A connection of which all packets are read before the first is decoded."""

    def __init__(self, data: bytes) -> None:
        self._container = av.open(io.BytesIO(data), format="mpegts")

    def __getattr__(self, name):
        return getattr(self._container, name)

    def demux(self, *streams):
        yield from list(self._container.demux(*streams))


def test_a_stream_that_becomes_audio_while_frames_wait_is_no_fault():
    """The thread that reads may be ahead of the decoder, and FFmpeg changes the type of the stream that it reads."""
    container = ReadAhead(b"".join(transport_stream(Look())) + audio_stream())
    assert [stream.type for stream in container.streams] == ["video"]

    class Source(StreamSource):
        def _open(self):
            return container

    source = Source("tcp://127.0.0.1:1", CLOCK)
    frames = source.frames()
    first = next(frames)
    assert not container.streams.video
    assert source.info.size == first.display_size and source.info.detail["codec"] and source.info.rate > 0
    frames.close()
    source.close()
    until(lambda: balances(source), lambda: source.stats)


@pytest.mark.parametrize("make", [lambda: Sender("ts", CLOCK), lambda: Datagrams(CLOCK)], ids=["http", "udp"])
def test_a_sender_with_other_streams_is_opened_again(make):
    sender = make()
    with started(sender) as (source, states):
        take(source, 2)
        sender.feed.change(Look(size=(128, 96), stream=300))
        until(lambda: breaks_in(states) and source.state == "live", lambda: (source.state, source.stats))
        assert take(source, 1)[0].display_size == (128, 96)
    until(lambda: not [each for each in threading.enumerate() if each.name == "stream packets"])


def test_a_codec_that_the_decoder_swallows_is_noticed():
    sender = Sender("tcp", CLOCK)
    sender.feed.change(Look("libx264"))
    with started(sender) as (source, states):
        take(source, 2)
        sender.feed.change(Look("mpeg2video"))
        until(lambda: breaks_in(states) and source.state == "live", lambda: (source.state, source.stats))
        assert source.info.detail["codec"] == "mpeg2video"
        assert source.stats.drops["interrupted"] + source.stats.damaged > 0


@pytest.mark.parametrize("kind", ["ts", "mjpeg", "tcp"])
def test_the_last_frame_before_a_proper_end_arrives(kind):
    sender = Sender(kind, CLOCK)
    source = StreamSource(sender.address, CLOCK)
    source.until_end = True
    threading.Thread(target=lambda: (until(lambda: sender.sent >= 12), sender.feed.end())).start()
    frames = list(source.frames())
    sender.close()
    (connection,) = sender.take_connections()
    assert len(frames) == connection.sent == source.stats.received == source.stats.taken
    assert source.stats.drops == dict.fromkeys(("late", "backlog", "damaged", "interrupted", "closed"), 0)


def silent_video() -> bytes:
    """MPEG-TS of a second of video and a minute of audio."""
    sink = io.BytesIO()
    with av.open(sink, "w", format="mpegts") as out:
        video, audio = out.add_stream("mpeg2video", rate=RATE), out.add_stream("mp2", rate=48000)
        video.width, video.height, video.pix_fmt = 96, 64, "yuv420p"
        video.codec_context.max_b_frames = 0
        for number in range(2 * RATE):
            picture = av.VideoFrame.from_ndarray(np.full((64, 96), 20 * number, np.uint8), "gray")
            picture = picture.reformat(format="yuv420p")
            picture.pts = number
            out.mux(video.encode(picture))
        out.mux(video.encode(None))
        for number in range(60 * 48000 // 1152):
            sound = av.AudioFrame.from_ndarray(np.zeros((1, 2304), np.int16), "s16", "stereo")
            sound.sample_rate, sound.pts = 48000, number * 1152
            out.mux(audio.encode(sound))
    return sink.getvalue()


def test_video_that_stops_while_the_audio_goes_on_is_noticed():
    data, stop = silent_video(), threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def send() -> None:
        with contextlib.suppress(OSError):
            while not stop.is_set():
                client, _ = listener.accept()
                with client, contextlib.suppress(OSError):
                    for at in range(0, len(data), 1880):
                        client.sendall(data[at : at + 1880])
                        stop.wait(0.002)

    threading.Thread(target=send, daemon=True).start()
    source, states = StreamSource(f"tcp://127.0.0.1:{listener.getsockname()[1]}", CLOCK), []
    source.on_change = lambda: states.append((source.state, str(source.error or "")))
    source.start()
    try:
        until(lambda: breaks_in(states), lambda: (source.state, source.stats))
        assert "does not answer" in breaks_in(states)[0]
    finally:
        stop.set()
        source.close()
        listener.close()


def test_a_driver_that_hangs_is_lost_for_readers_of_all_frames_too():
    camera = Camera(CLOCK)
    source, states, frames = CameraSource(backend=camera, clock=CLOCK), [], []
    source.on_change = lambda: states.append(source.state)

    def read() -> None:
        with contextlib.closing(source.frames()) as every:
            frames.extend(every)

    thread = threading.Thread(target=read)
    thread.start()
    until(lambda: source.state == "live")
    camera.feed.stall()
    until(lambda: source.state == "lost")
    assert "sends no frames any more" in str(source.error)
    camera.feed.resume()
    until(lambda: states.count("live") == 2)
    source.close()
    thread.join()
    assert balances(source) and len(frames) == source.stats.taken
    camera.feed.stop.set()


def test_a_fault_of_the_program_does_not_end_a_source_unnoticed(caplog):
    class Faulty(Camera):
        def open(self, camera: CameraInfo, mode):
            raise RuntimeError("a fault")

    camera = Faulty(CLOCK)
    source = CameraSource(backend=camera, clock=CLOCK)
    source.start()
    until(lambda: source.state == "failed")
    assert str(source.error).endswith("report it with the log file.") and "a fault" in caplog.text
    source.close()


def test_frames_that_wait_for_the_stabilization_are_accounted_for():
    class Holding(LiveStabilization):
        delay = 0.0

        def __init__(self) -> None:
            self.held: list[Frame] = []

        def add(self, frame: Frame):
            self.held.append(frame)
            return [self.held.pop(0)] if len(self.held) > 5 else []

        def cut(self) -> None:
            self.held.clear()

    sender = Sender("tcp", CLOCK)
    source = StreamSource(sender.address, CLOCK)
    source.stabilize_by(Holding())
    with started(sender, source) as (_, states):
        take(source, 2)
        sender.feed.end()
        until(lambda: breaks_in(states))
        assert source.stats.drops["interrupted"] == 5
        take(source, 2)
    assert source.stats.drops["closed"] >= 5


def test_a_fault_of_the_program_is_not_told_as_one_of_the_sender():
    class Broken(LiveStabilization):
        delay = 0.0

        def add(self, frame: Frame):
            raise ValueError("of the program")

        def cut(self) -> None:
            pass

    sender = Sender("tcp", CLOCK)
    source = StreamSource(sender.address, CLOCK)
    source.stabilize_by(Broken())
    with started(sender, source):
        until(lambda: source.state == "failed", lambda: (source.state, source.error))
        assert "stopped by a fault of Lightloom's own (ValueError)" in str(source.error)


def test_a_burst_that_is_too_much_is_accounted_for():
    sender = Sender("tcp", CLOCK)
    with started(sender) as (source, _):
        take(source, 1)
        received = source.stats.received
        sender.feed.hurry(60)
        until(lambda: source.stats.received >= received + 50)
        take(source, 1)
    assert source.stats.drops["late"] + source.stats.drops["backlog"] > 20


def test_what_is_sent_is_what_it_says():
    chunks = transport_stream(Look(begin=WRAP_S - 1.0))
    with av.open(io.BytesIO(b"".join(chunks))) as container:
        assert sum(1 for packet in container.demux(video=0) if packet.size) == len(chunks)
