"""Video files: order and time of frames, seeking, playback by a clock that the test turns, damage."""

from __future__ import annotations

import ast
import itertools
import random
import struct
import threading
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition
from video_rig import BASE, Clock, number_of, picture, write_clip
from waiting import LIMIT_S, until

from desktop.base.errors import (
    SourceDamagedError,
    SourceError,
    SourceNotFoundError,
    SourceUnsupportedError,
    UsageError,
)
from desktop.media.containers import open_container, packet_of
from desktop.media.sources._decoding import Hardware
from desktop.media.sources._video_reader import VideoReader
from desktop.media.sources.base import left_out
from desktop.media.sources.video import VideoSource
from desktop.media.thumbnails import KeyFrames

RATE = Fraction(1, 25)
VARIABLE = [Fraction(n, 600) for n in (0, 20, 25, 60, 61, 100, 160, 400, 420, 900, 930, 960)]


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    """20 frames of H.264 with B-frames and a key frame every 8, 25 a second."""
    path = tmp_path_factory.mktemp("video") / "clip.mp4"
    write_clip(path, options={"g": "8", "bf": "2", "qp": "0"})
    return path


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def opened(clip, clock):
    """A started source on the clip, its first frame not yet taken."""
    source = VideoSource(clip, clock=clock)
    source.start()
    until(lambda: source.state == "playing")
    yield source
    source.close()


def shown(source, clock):
    """Return the number of the frame that the source shows next at the clock's present time."""
    return number_of(until(lambda: source.take(clock.now)))


def filled(source):
    """Wait until the thread has decoded as far ahead as it will."""
    until(lambda: source.is_settled)


# -- order and time ------------------------------------------------------------------------------------------

CLIPS = {
    "h264 mp4": ("a.mp4", {"options": {"g": "8", "bf": "2", "qp": "0"}}),
    "h264 long gop": ("a.mp4", {"options": {"g": "250", "bf": "3", "qp": "0"}, "count": 60}),
    "h264 open gop ts": ("a.ts", {"options": {"g": "8", "bf": "2", "x264-params": "open-gop=1", "qp": "0"}}),
    "h264 variable rate": ("a.mp4", {"stamps": VARIABLE, "options": {"g": "4", "bf": "2", "qp": "0"}}),
    "hevc 10 bit": (
        "a.mp4",
        {"codec": "libx265", "pix_fmt": "yuv420p10le", "options": {"x265-params": "log-level=0:keyint=8"}},
    ),
    "ffv1 422 mkv": ("a.mkv", {"codec": "ffv1", "pix_fmt": "yuv422p"}),
    "vp9 webm": ("a.webm", {"codec": "libvpx-vp9", "options": {"g": "8", "lossless": "1"}}),
    "mpeg4 avi": ("a.avi", {"codec": "mpeg4", "options": {"g": "6", "qscale": "1"}}),
    "mpeg2 ts": ("a.ts", {"codec": "mpeg2video", "options": {"g": "6", "bf": "2", "qmax": "2"}, "size": (64, 64), "base": RATE}),
    "flv": ("a.flv", {"options": {"g": "8", "qp": "0"}, "rate": 20}),
    "gif": ("a.gif", {"codec": "gif", "pix_fmt": "gray", "rate": 10}),
    "png mov": ("a.mov", {"codec": "png", "pix_fmt": "rgb24"}),
    "starts late": ("a.mkv", {"stamps": [5 + s for s in VARIABLE], "options": {"g": "4", "qp": "0"}}),
    "odd size": ("a.mkv", {"codec": "ffv1", "size": (33, 17)}),
}  # fmt: skip


@pytest.fixture(scope="module", params=CLIPS)
def made(request, tmp_path_factory):
    """(path, presentation times) of one of the clips."""
    name, settings = CLIPS[request.param]
    path = tmp_path_factory.mktemp("made") / name
    return path, write_clip(path, **settings)


def write_change_of_aspect(path: Path) -> None:
    """Write a broadcast whose pixels are 16:15 for its first 20 frames, and 64:45 from then on."""
    parts = []
    for number, aspect in enumerate((Fraction(16, 15), Fraction(64, 45))):
        part = path.with_name(f"part{number}.ts")

        def shape(stream, aspect=aspect):
            stream.codec_context.sample_aspect_ratio = aspect

        write_clip(part, size=(72, 56), setup=shape, options={"bf": "3", "g": "10"}, format_name="mpegts")
        parts.append(part.read_bytes())
    path.write_bytes(b"".join(parts))


def test_the_shape_of_pixels_may_change_within_a_video(tmp_path):
    path = tmp_path / "broadcast.ts"
    write_change_of_aspect(path)
    before, after = (round(72 * 16 / 15), 56), (round(72 * 64 / 45), 56)
    source = VideoSource(path)
    frames = list(source.frames())
    # The first frame with the new shape is the first of the second part, though the decoder holds frames back.
    assert [frame.display_size for frame in frames] == [before] * 20 + [after] * 20
    assert [number_of(frame) for frame in frames] == [*range(20), *range(20)]
    for seconds, size in ((0.3, before), (1.2, after), (0.7, before), (1.5, after)):
        assert next(source.frames_from(seconds)).display_size == size
        assert KeyFrames(path).at(seconds).display_size == size


def test_frames_in_order(made):
    path, times = made
    # A container may round times to its own unit: 1 ms, or 10 ms for GIF.
    tolerance = 0.0051 if path.suffix == ".gif" else 0.0011
    source = VideoSource(path)
    frames = [(f.pts, f.duration, f.index, number_of(f)) for f in source.frames()]
    assert [f[3] for f in frames] == [i % 32 for i in range(len(times))]
    assert [f[2] for f in frames] == list(range(len(times)))
    assert frames[0][0] == 0.0
    assert max(abs(f[0] - t) for f, t in zip(frames, times, strict=True)) <= tolerance
    for (pts, duration, *_), following in itertools.pairwise(frames):
        assert pts + duration == pytest.approx(following[0], abs=1e-9)
    assert frames[-1][1] > 0
    assert source.stats.decoded == source.stats.taken == len(times)
    assert source.stats.damaged == 0


def test_seek_shows_the_frame_whose_interval_holds_the_time(made):
    path, _ = made
    reader = VideoReader(path)
    frames = [(f.pts, f.pts + f.duration, number_of(f)) for f in reader]
    rng = random.Random(7)
    times = [rng.uniform(-0.1, frames[-1][1] + 0.3) for _ in range(20)]
    times += [pts for pts, _, _ in frames[:: max(1, len(frames) // 5)]] + [0.0, -1.0, 1e9]
    for seconds in times:
        reader.seek(seconds)
        frame = reader.read()
        want = max((f for f in frames if f[0] <= seconds), default=frames[0])
        assert (frame.pts, number_of(frame)) == (want[0], want[2]), seconds
    reader.close()


def test_before_counts_frames_back(made):
    path, _ = made
    reader = VideoReader(path)
    pts = [f.pts for f in reader]
    for at, count in ((len(pts) - 1, 1), (len(pts) - 1, 7), (3, 2), (1, 1), (1, 5), (0, 1)):
        assert reader.before(pts[at], count) == pts[max(0, at - count)]
    reader.close()


def test_shared_clips_seek_exactly(shared):
    # The whole of each is decoded once for reference. Seven places each are 200 in all.
    rng = random.Random(3)
    for path in sorted((shared / "video" / "files").iterdir()):
        reader = VideoReader(path)
        frames = [(f.pts, f.pts + f.duration) for f in reader]
        assert frames[0][0] == 0.0
        for seconds in [rng.uniform(0, frames[-1][1]) for _ in range(7)]:
            reader.seek(seconds)
            frame = reader.read()
            want = max(f for f in frames if f[0] <= seconds)
            assert (frame.pts, frame.pts + frame.duration) == pytest.approx(want, abs=1e-9), (
                path.name,
                seconds,
            )
        reader.close()


def test_start_time_is_that_of_the_file(tmp_path):
    path = tmp_path / "late.mkv"
    write_clip(path, stamps=[Fraction(5) + Fraction(i, 25) for i in range(5)])
    source = VideoSource(path)
    next(source.frames())
    assert source.start_time == pytest.approx(5.0, abs=0.001)


def test_the_edit_list_is_honored(tmp_path):
    # MP4 stores what comes before 0 and an edit list that cuts it off again.
    path = tmp_path / "edited.mp4"
    write_clip(path, stamps=[s - Fraction(1, 25) for s in VARIABLE], options={"g": "4", "qp": "0"})
    frames = [(f.pts, number_of(f)) for f in VideoSource(path).frames()]
    assert [n for _, n in frames] == list(range(2, 12))
    for (pts, _), stamp in zip(frames, VARIABLE[2:], strict=True):
        assert pts == pytest.approx(float(stamp - VARIABLE[2]), abs=0.0011)


def test_times_are_made_up_where_a_file_has_none(tmp_path):
    path = tmp_path / "raw.h264"
    write_clip(path, options={"g": "6", "bf": "2", "qp": "0"}, format_name="h264", rate=25)
    reader = VideoReader(path)
    frames = [(f.pts, number_of(f)) for f in reader]
    assert [n for _, n in frames] == list(range(20))
    assert all(b[0] > a[0] for a, b in itertools.pairwise(frames))
    for index in (13, 2, 19, 0):
        reader.seek(frames[index][0])
        frame = reader.read()
        assert (frame.pts, number_of(frame)) == frames[index]
    reader.close()


def test_times_that_jump_back_and_sizes_that_change(tmp_path):
    # Two transport streams one after the other: time starts over, and the picture grows.
    small, large, both = tmp_path / "small.ts", tmp_path / "large.ts", tmp_path / "both.ts"
    write_clip(small, count=10, options={"g": "5", "qp": "0"})
    write_clip(large, count=10, options={"g": "5", "qp": "0"}, size=(64, 48))
    both.write_bytes(small.read_bytes() + large.read_bytes())
    reader = VideoReader(both)
    frames = [(f.pts, f.display_size) for f in reader]
    assert {size for _, size in frames} == {(32, 32), (64, 48)}
    assert all(b[0] > a[0] for a, b in itertools.pairwise(frames))
    for index in (len(frames) - 3, 4, 12):
        reader.seek(frames[index][0] + 1e-4)
        frame = reader.read()
        assert (frame.pts, frame.display_size) == frames[index]
    reader.close()


# -- what is known -------------------------------------------------------------------------------------------


def test_info(clip):
    source = VideoSource(clip, hwaccel="none")
    next(source.frames())
    info = source.info
    assert (info.kind, info.title, info.size, info.seekable, info.live) == (
        "video",
        "clip.mp4",
        (32, 32),
        True,
        False,
    )
    assert info.rate == pytest.approx(25) and info.duration == pytest.approx(0.8, abs=0.001)
    assert info.detail["pixel format"] == "yuv420p"
    assert info.detail["decoder"] == "software (hardware decoding is off)"
    assert "H.264" in info.detail["codec"]
    assert "bt601, limited range" in info.detail["color"]


def test_conversion_is_said(tmp_path):
    path = tmp_path / "palette.mov"
    write_clip(path, codec="qtrle", pix_fmt="rgb555be", count=3)
    source = VideoSource(path)
    assert next(source.frames()).format.name == "rgb24"
    assert "converted to rgb24 on the CPU" in source.info.detail["pixel format"]


@pytest.mark.parametrize("name", ["vaapi", "videotoolbox", "nonsense", "auto", "cuda"])
def test_hardware_that_is_not_there_is_said_and_software_decodes(clip, name):
    source = VideoSource(clip, hwaccel=name)
    assert number_of(next(source.frames())) == 0
    decoder = source.info.detail["decoder"]
    assert decoder.startswith(("software (", "NVDEC", "VAAPI", "VideoToolbox"))


class Refused(Hardware):
    """NVDEC, for a user who may not open it."""

    def offered(self, codec):
        return frozenset(self.built)

    def open(self, path, device):
        error = PermissionError(1, "Operation not permitted")
        raise SourceNotFoundError("clip.mp4 may not be read.") from error


def test_a_device_that_may_not_be_used_is_not_taken_for_the_file(clip, caplog):
    caplog.set_level("INFO")
    reader = VideoReader(clip, hwaccel="cuda", hardware=Refused(("cuda",)))
    assert reader.facts.detail["decoder"] == "software (cuda is not available on this machine)"
    (line,) = [record.getMessage() for record in caplog.records if "cuda" in record.getMessage()]
    assert line == "clip.mp4: cuda is not available (Operation not permitted), so it is decoded in software"
    reader.close()


def _turned(angle):
    def setup(stream):
        stream.set_display_rotation(angle)

    return setup


@pytest.mark.parametrize("clockwise", [0, 90, 180, 270])
def test_rotation_of_the_display_matrix(tmp_path, clockwise):
    path = tmp_path / "turned.mp4"
    # FFmpeg's angle is anticlockwise.
    write_clip(path, count=2, size=(32, 16), setup=_turned(-clockwise))
    source = VideoSource(path)
    frame = next(source.frames())
    assert (frame.rotation, frame.mirrored) == (clockwise, False)
    assert source.info.size == ((16, 32) if clockwise in (90, 270) else (32, 16))


@pytest.mark.parametrize("clockwise", [0, 90, 180, 270])
@pytest.mark.parametrize("flip", [{"hflip": True}, {"vflip": True}])
def test_flips_of_the_display_matrix(tmp_path, clockwise, flip):
    path = tmp_path / "flipped.mp4"
    write_clip(
        path, count=2, size=(32, 16), setup=lambda stream: stream.set_display_rotation(-clockwise, **flip)
    )
    with av.open(str(path)) as container:
        matrix = struct.unpack("=9i", bytes(next(container.decode(video=0)).side_data["DISPLAYMATRIX"]))
    frame = next(VideoSource(path).frames())
    assert frame.mirrored
    # Where the matrix puts the pixels of a 2 x 3 picture, and where a flip and then a turn put them.
    source = np.arange(6).reshape(2, 3)
    a, b, c, d = (round(matrix[i] / 65536) for i in (0, 1, 3, 4))
    placed = {(a * x + c * y, b * x + d * y): source[y, x] for y in range(2) for x in range(3)}
    columns, rows = (sorted({at[axis] for at in placed}) for axis in (0, 1))
    want = np.array([[placed[x, y] for x in columns] for y in rows])
    assert np.array_equal(np.rot90(source[:, ::-1], -frame.rotation // 90), want)


def test_cover_art_is_not_video(tmp_path):
    path = tmp_path / "song.flac"
    with av.open(str(path), "w") as container:
        sound, cover = (
            container.add_stream("flac", rate=44100, layout="mono"),
            container.add_stream("mjpeg", rate=1),
        )
        cover.width, cover.height, cover.pix_fmt = 32, 32, "yuvj420p"
        cover.disposition = Disposition.attached_pic
        samples = av.AudioFrame(format="s16", layout="mono", samples=4608)
        samples.sample_rate, samples.pts = 44100, 0
        container.mux(sound.encode(samples))
        container.mux(cover.encode(picture(0, 32, 32, "yuv420p").reformat(format="yuvj420p")))
        container.mux(cover.encode(None))
        container.mux(sound.encode(None))
    with av.open(str(path)) as container:
        assert container.streams.video[0].disposition & Disposition.attached_pic
    assert isinstance(_refusal(path), SourceUnsupportedError)


def test_metadata_that_is_not_text(tmp_path):
    """A title in Latin-1, which is no UTF-8, is read and written back byte for byte by every PyAV."""
    path, copy = tmp_path / "latin.mkv", tmp_path / "copy.mkv"
    write_clip(path, count=2, size=(32, 16), setup=lambda stream: stream.metadata.update(title="caf?"))
    path.write_bytes(path.read_bytes().replace(b"caf?", b"caf\xe9"))
    assert next(VideoSource(path).frames()).width == 32
    with open_container(str(path)) as container:
        title = container.streams.video[0].metadata["title"]
    with open_container(str(copy), "w") as out:
        out.metadata["title"] = title
        stream = out.add_stream("mpeg4", rate=25)
        stream.width, stream.height = 32, 16
        out.mux(stream.encode(picture(0, 32, 16, "yuv420p")))
        out.mux(stream.encode(None))
    assert title == "caf\udce9"
    assert b"caf\xe9" in copy.read_bytes()


def test_pixel_aspect(tmp_path):
    def setup(stream):
        stream.codec_context.sample_aspect_ratio = Fraction(4, 3)

    path = tmp_path / "wide.mkv"
    write_clip(path, count=2, size=(48, 32), setup=setup)
    source = VideoSource(path)
    assert next(source.frames()).pixel_aspect == Fraction(4, 3)
    assert source.info.size == (64, 32)
    assert source.info.detail["pixel aspect"] == "4:3"


# -- playback ------------------------------------------------------------------------------------------------


def test_is_a_seekable(clip):
    source = VideoSource(clip)
    assert source.capabilities.timeline is source


def test_frames_are_shown_when_due(opened, clock):
    assert shown(opened, clock) == 0
    filled(opened)
    assert opened.take(clock.now) is None
    clock.now += 0.039
    assert opened.take(clock.now) is None
    clock.now += 0.002
    frame = opened.take(clock.now)
    assert number_of(frame) == 1
    assert frame.captured_at == pytest.approx(1000.04)
    assert opened.position == pytest.approx(0.04)


def test_late_frames_are_dropped_and_counted(opened, clock):
    assert shown(opened, clock) == 0
    filled(opened)
    clock.now += 0.17
    assert number_of(opened.take(clock.now)) == 4
    assert opened.stats.dropped == 3
    assert opened.stats.taken == 2


def test_a_slow_consumer_still_sees_the_present(opened, clock):
    assert shown(opened, clock) == 0
    filled(opened)
    clock.now += 0.5
    # The thread itself makes room for what is due by now.
    until(lambda: opened.stats.dropped >= 9)
    assert number_of(opened.take(clock.now)) >= 10


def test_the_first_frame_is_shown_while_paused(clip, clock):
    source = VideoSource(clip, clock=clock)
    source.pause()
    source.start()
    assert shown(source, clock) == 0
    assert source.state == "paused" and not source.playing
    clock.now += 5
    assert source.take(clock.now) is None
    source.close()


def test_pause_and_play(opened, clock):
    assert shown(opened, clock) == 0
    filled(opened)
    clock.now += 0.03
    opened.pause()
    assert opened.state == "paused"
    clock.now += 100
    assert opened.take(clock.now) is None
    opened.play()
    assert opened.state == "playing"
    assert opened.take(clock.now) is None
    clock.now += 0.011
    assert number_of(opened.take(clock.now)) == 1
    assert opened.stats.dropped == 0


@pytest.mark.parametrize("paused", [False, True])
def test_seek_from_any_state(opened, clock, paused):
    assert shown(opened, clock) == 0
    if paused:
        opened.pause()
    for seconds, number in ((0.5, 12), (0.1, 2), (0.4, 10), (99.0, 19), (0.0, 0), (-3.0, 0)):
        opened.seek(seconds)
        assert shown(opened, clock) == number
        assert opened.state == ("paused" if paused else "playing")


def test_the_last_of_many_seeks_wins(opened, clock):
    for index in range(19):
        opened.seek(index * 0.04)
    opened.seek(0.62)
    numbers = [shown(opened, clock)]
    opened.pause()
    while (frame := opened.take(clock.now)) is not None:
        numbers.append(number_of(frame))
    assert numbers[-1] == 15


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_seek_wants_a_number(opened, value):
    with pytest.raises(UsageError):
        opened.seek(value)


def test_step_both_ways_and_at_both_ends(opened, clock):
    assert shown(opened, clock) == 0
    for step, number in (
        (1, 1),
        (1, 2),
        (3, 5),
        (-1, 4),
        (-3, 1),
        (9, 10),
        (-2, 8),
        (1, 9),
        (-20, 0),
        (-1, 0),
        (7, 7),
    ):
        opened.step(step)
        assert opened.state == "paused"
        assert shown(opened, clock) == number, step
    opened.seek(0.72)
    assert shown(opened, clock) == 18
    opened.step(1)
    assert shown(opened, clock) == 19
    opened.step(1)
    until(lambda: opened.is_settled)
    frame = opened.take(clock.now)
    assert frame is None or number_of(frame) == 19
    opened.step(-1)
    assert until(lambda: (f := opened.take(clock.now)) and number_of(f) == 18)
    opened.play()
    clock.now += 0.041
    assert shown(opened, clock) == 19


def test_two_steps_before_a_frame_is_taken_add_up(opened, clock):
    assert shown(opened, clock) == 0
    opened.step(1)
    until(lambda: opened.is_settled)
    opened.step(1)
    until(lambda: opened.is_settled)
    assert until(lambda: (f := opened.take(clock.now)) and number_of(f)) == 2


@pytest.mark.parametrize(("speed", "seconds"), [(0.25, 0.16), (0.5, 0.08), (2.0, 0.02), (4.0, 0.01)])
def test_speed(opened, clock, speed, seconds):
    assert shown(opened, clock) == 0
    filled(opened)
    opened.set_speed(speed)
    for number in (1, 2, 3):
        clock.now += seconds * 0.98
        assert opened.take(clock.now) is None
        clock.now += seconds * 0.02 + 1e-6
        assert number_of(opened.take(clock.now)) == number


@pytest.mark.parametrize("speed", [0.1, 5.0, 0.0, -1.0, float("nan")])
def test_speed_out_of_range(opened, speed):
    with pytest.raises(UsageError, match=r"between 0\.25 and 4"):
        opened.set_speed(speed)


def _play(source, clock, seconds):
    """Turn the clock on in steps of 10 ms, as a window would, and return (time, number) of what is shown."""
    found = []
    begin = clock.now
    while clock.now < begin + seconds:
        filled(source)
        if (frame := source.take(clock.now)) is not None:
            found.append((round(clock.now - begin, 2), number_of(frame)))
        clock.now += 0.01
    return found


def test_it_ends_and_plays_again(opened, clock):
    changes = []
    opened.on_change = lambda: changes.append(opened.state)
    numbers = [n for _, n in _play(opened, clock, 0.85)]
    assert numbers == list(range(20))
    until(lambda: opened.state == "ended")
    assert opened.take(clock.now) is None
    opened.play()
    assert shown(opened, clock) == 0
    assert opened.state == "playing"
    assert changes


def test_a_loop_of_the_whole_has_no_gap(opened, clock):
    opened.set_loop(None, None, whole=True)
    found = _play(opened, clock, 1.7)
    assert [n for _, n in found] == [i % 20 for i in range(len(found))]
    assert len(found) >= 42
    for (before, _), (after, _) in itertools.pairwise(found):
        assert after - before == pytest.approx(0.04, abs=0.011)
    opened.set_loop(None, None)
    _play(opened, clock, 1.0)
    until(lambda: opened.state == "ended")


def test_a_b_loop(opened, clock):
    assert shown(opened, clock) == 0
    opened.set_loop(0.2, 0.4)
    numbers = [n for _, n in _play(opened, clock, 0.62)]
    assert numbers[:12] == [5, 6, 7, 8, 9, 5, 6, 7, 8, 9, 5, 6]
    opened.set_loop(0.2, None)
    numbers = [n for _, n in _play(opened, clock, 1.0)]
    assert 19 in numbers and numbers[numbers.index(19) + 1] == 5


def test_a_seek_beyond_a_loop_is_shown_and_the_loop_goes_on(opened, clock):
    assert shown(opened, clock) == 0
    opened.set_loop(0.2, 0.4)
    assert shown(opened, clock) == 5
    opened.seek(0.6)
    assert [n for _, n in _play(opened, clock, 0.13)] == [15, 5, 6, 7]
    opened.seek(0.0)
    assert [n for _, n in _play(opened, clock, 0.26)] == [0, 1, 2, 3, 4, 5, 6]


def test_a_loop_that_is_set_after_the_end_begins_anew(opened, clock):
    opened.seek(0.76)
    assert shown(opened, clock) == 19
    clock.now += 1
    until(lambda: opened.take(clock.now) or opened.state == "ended")
    opened.set_loop(None, None, whole=True)
    assert shown(opened, clock) == 0
    assert opened.state == "playing"


def test_a_loop_that_is_set_on_the_last_frame_goes_on(opened, clock):
    opened.seek(0.76)
    assert shown(opened, clock) == 19
    until(lambda: opened.is_settled)
    opened.set_loop(None, None, whole=True)
    assert [n for _, n in _play(opened, clock, 0.1)] == [0, 1]


def test_a_loop_needs_an_order(opened):
    with pytest.raises(UsageError):
        opened.set_loop(0.4, 0.2)


def test_a_decoder_that_cannot_follow_makes_the_clock_wait(opened, clock):
    assert shown(opened, clock) == 0
    filled(opened)
    clock.now += 0.05
    shown(opened, clock)
    # An hour passes while the machine sleeps: the rest is dropped or shown, and it ends.
    clock.now += 3600
    until(lambda: opened.take(clock.now) is not None or opened.state == "ended")
    until(
        lambda: (opened.take(clock.now), setattr(clock, "now", clock.now + 0.1)) and opened.state == "ended"
    )


# -- the thread ----------------------------------------------------------------------------------------------


def test_nothing_is_opened_before_start(tmp_path):
    source = VideoSource(tmp_path / "absent.mp4")
    assert source.state == "idle" and source.info.size == (0, 0)
    source.close()
    assert source.state == "closed"


@pytest.mark.parametrize("when", ["at once", "playing", "paused", "seeking", "ended"])
def test_close_joins_from_any_state(clip, clock, when):
    source = VideoSource(clip, clock=clock)
    source.start()
    if when != "at once":
        shown(source, clock)
    if when == "paused":
        source.pause()
    if when == "seeking":
        source.seek(0.7)
    if when == "ended":
        source.seek(9.0)
        shown(source, clock)
        clock.now += 1
        until(lambda: source.take(clock.now) or source.state == "ended")
    source.close()
    source.close()
    assert source.state == "closed"
    assert not [t for t in threading.enumerate() if t.name == "video clip.mp4"]


def test_a_failure_is_a_state(tmp_path):
    source = VideoSource(tmp_path / "absent.mp4")
    woken = threading.Event()
    source.on_change = woken.set
    source.start()
    assert woken.wait(LIMIT_S)
    assert source.state == "failed"
    assert isinstance(source.error, SourceNotFoundError)
    assert source.take(0.0) is None
    source.close()


# -- damage and refusals -------------------------------------------------------------------------------------


def _refusal(path) -> SourceError:
    with pytest.raises(SourceError) as caught:
        list(VideoSource(path).frames())
    text = str(caught.value)
    assert path.name in text and text.endswith(".") and "\n" not in text
    return caught.value


def test_missing(tmp_path):
    assert isinstance(_refusal(tmp_path / "absent.mp4"), SourceNotFoundError)


def test_a_folder(tmp_path):
    assert isinstance(_refusal(tmp_path), SourceUnsupportedError)


@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 4096, b"hello\n" * 200, bytes(random.Random(1).randbytes(20000))]
)
def test_not_a_video(tmp_path, content):
    path = tmp_path / "odd.mp4"
    path.write_bytes(content)
    assert isinstance(_refusal(path), SourceDamagedError)


def test_sound_alone(tmp_path):
    path = tmp_path / "sound.wav"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame(format="s16", layout="mono", samples=800)
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    assert isinstance(_refusal(path), SourceUnsupportedError)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{clip}\n#EXT-X-ENDLIST\n"),
        ("list.ffconcat", "ffconcat version 1.0\nfile '{clip}'\n"),
        (
            "list.sdp",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n",
        ),
        ("art.txt", "\x1b[31mhello\x1b[0m\n" * 50),
        ("art.ans", "\x1b[31mhello\x1b[0m\n" * 50),
    ],
)
def test_files_that_open_other_files_are_refused(tmp_path, clip, name, text):
    inner = tmp_path / "inner.ts"
    write_clip(inner, count=3)
    path = tmp_path / name
    path.write_text(text.format(clip=inner.name))
    _refusal(path)


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9/a.mp4", "concat:a.ts|b.ts", "lavfi:testsrc", "pipe:0", "subfile,,start,0,end,0,,:a"],
)
def test_addresses_are_not_files(address):
    with pytest.raises(SourceNotFoundError):
        list(VideoSource(address).frames())


def test_too_large_a_picture(tmp_path):
    path = tmp_path / "wide.mkv"
    write_clip(path, codec="ffv1", count=1, size=(16640, 16))
    with pytest.raises(SourceUnsupportedError, match="16640 x 16 pixels is larger"):
        list(VideoSource(path).frames())


def test_a_cut_off_file_gives_what_it_has(tmp_path):
    whole, cut = tmp_path / "whole.ts", tmp_path / "cut.ts"
    write_clip(whole, codec="mpeg2video", count=30, size=(64, 64), options={"g": "6"}, base=RATE)
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    frames = [f.pts for f in VideoSource(cut).frames()]
    assert 10 <= len(frames) < 30


def test_damaged_packets_are_counted_and_passed_over(tmp_path):
    path = tmp_path / "damaged.mov"
    write_clip(path, codec="png", pix_fmt="rgb24", count=12)
    data = bytearray(path.read_bytes())
    at = data.index(b"\x89PNG", len(data) // 2)
    data[at : at + 24] = bytes(24)
    path.write_bytes(data)
    source = VideoSource(path)
    numbers = [number for number, _ in enumerate(source.frames())]
    assert len(numbers) == 11
    assert source.stats.damaged == 1


def test_random_damage_never_escapes_as_another_error(tmp_path):
    rng = random.Random(11)
    for suffix, codec in (
        (".mp4", "libx264"),
        (".mkv", "mpeg4"),
        (".avi", "mpeg4"),
        (".webm", "libvpx-vp9"),
        (".gif", "gif"),
    ):
        whole = tmp_path / f"whole{suffix}"
        write_clip(whole, codec=codec, pix_fmt="gray" if codec == "gif" else "yuv420p", count=8)
        data = whole.read_bytes()
        for trial in range(6):
            broken = bytearray(data)
            for _ in range(rng.randrange(1, 40)):
                broken[rng.randrange(len(broken))] = rng.randrange(256)
            path = tmp_path / f"broken{trial}{suffix}"
            path.write_bytes(broken)
            source = VideoSource(path)
            try:
                for index, frame in enumerate(source.frames()):
                    assert frame.width > 0 and frame.duration >= 0
                    if index > 50:
                        break
            except SourceError as error:
                assert str(error).endswith(".")


def test_shared_broken_files(shared):
    folder = shared / "video"
    for path in sorted([*(folder / "corrupt").iterdir(), *(folder / "no-video").iterdir()]):
        source = VideoSource(path)
        try:
            count = sum(1 for _ in source.frames())
            assert count > 0
        except SourceError as error:
            assert path.name in str(error) and str(error).endswith(".")
            if path.parent.name == "no-video":
                assert isinstance(error, SourceUnsupportedError)
        else:
            assert path.parent.name == "corrupt"


def test_base_is_fine_enough():
    assert all((stamp / BASE).denominator == 1 for stamp in VARIABLE)


def test_packets_are_ffmpegs_own():
    """`av.Packet(bytes)` borrows Python's memory, for which a decoder's thread waits for the lock that its
    closer holds.
    """
    root = Path(__file__).resolve().parents[2] / "desktop"
    calls = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "Packet"
        if path.name != "containers.py"
    ]
    assert calls == []
    # More than Python's own small objects, and none: what a flush is given.
    for data in (b"", bytes(range(256)) * 64):
        packet = packet_of(data)
        assert bytes(packet) == data and packet.size == len(data)


@pytest.mark.parametrize(
    ("first", "second"), list(itertools.permutations(("mpeg2video", "libx264", "libx265"), 2))
)
def test_a_broadcast_whose_codec_changes_is_not_taken_for_a_shorter_one(tmp_path, first, second):
    """FFmpeg goes on with the first decoder, which returns no frame, and from two of them comes no error either."""
    quiet = {"libx265": {"x265-params": "log-level=none"}}
    for codec in (first, second):
        write_clip(
            tmp_path / f"{codec}.ts",
            codec=codec,
            size=(96, 64),
            count=50,
            options=quiet.get(codec),
            format_name="mpegts",
            base=Fraction(1, 25),
        )
    path = tmp_path / "joined.ts"
    path.write_bytes(b"".join((tmp_path / f"{codec}.ts").read_bytes() for codec in (first, second)))
    for name, notes, least, most in ((f"{first}.ts", 0, 50, 50), (path.name, 1, 45, 55)):
        source = VideoSource(tmp_path / name)
        assert least <= sum(1 for _ in source.frames()) <= most  # of 100; the decoder may make some up
        found = [str(note) for note in left_out(source) if "no frame that can be decoded after" in note]
        assert len(found) == notes


@pytest.mark.parametrize(("start", "is_read"), [("256", True), ("512", False)])
def test_streams_that_a_joined_recording_numbers_anew_are_reported(tmp_path, start, is_read):
    parts = []
    for number in ("256", start):
        path = tmp_path / f"{number}.ts"
        options = {"mpegts_start_pid": number, "muxrate": "2000000"}
        write_clip(path, count=50, container_options=options, format_name="mpegts", base=Fraction(1, 25))
        parts.append(path.read_bytes())
    path = tmp_path / "joined.ts"
    path.write_bytes(b"".join(parts))
    source = VideoSource(path)
    count = sum(1 for _ in source.frames())
    found = [str(note) for note in left_out(source) if "without the streams that it begins with" in note]
    assert (count >= 99, len(found)) == ((True, 0) if is_read else (False, 1)), count
    if not is_read:
        assert count == 50 and "goes on after 2.00 s" in found[0]


def test_the_last_of_a_few_large_frames_is_not_taken_for_other_streams(tmp_path):
    """Each is a quarter of the file and 400 kB large, which the end of its last packet has to count."""
    path = tmp_path / "noise.ts"
    noise = np.random.default_rng(0)
    with av.open(str(path), "w", format="mpegts") as container:
        stream = container.add_stream("mpeg2video", rate=25)
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = 960, 544, "yuv420p", 1
        stream.bit_rate = 200_000_000
        for _ in range(4):
            pixels = noise.integers(0, 255, (544 * 3 // 2, 960), dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="yuv420p")))
        container.mux(stream.encode())
    assert path.stat().st_size > 1_200_000
    source = VideoSource(path)
    assert sum(1 for _ in source.frames()) == 4 and left_out(source) == ()
