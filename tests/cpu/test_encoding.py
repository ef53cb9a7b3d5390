"""Encoding settings: the choices, the encoder that is used, the forecast, and the contents of the file as
other readers find them.
"""

from __future__ import annotations

import contextlib
import gc
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import psutil
import pytest
from waiting import until

from desktop.base.errors import ExportError, UsageError
from desktop.media.audio.devices.speakers import Speakers
from desktop.media.sources.video import VideoSource
from desktop.outputs.encoders import ENCODERS, choose, encodes, options_of
from desktop.outputs.encoding import CODECS, CONTAINERS, Encoding
from desktop.outputs.forecast import foresee
from desktop.outputs.frames import Pacer, Picture
from desktop.outputs.recording import Recorder
from desktop.outputs.span import TimeSpan

HARDWARE = {encoder.maker for encoder in ENCODERS if encoder.maker}


def picture(index: int, width: int = 64, height: int = 48) -> np.ndarray:
    y, x = np.mgrid[0:height, 0:width]
    out = np.empty((height, width, 4), np.uint8)
    out[..., 0], out[..., 1], out[..., 2], out[..., 3] = (
        x * 255 // width,
        y * 255 // height,
        index * 20 % 256,
        255,
    )
    return out


PLAIN = Encoding()


def record(path, encoding=PLAIN, count=10, rate=10.0, **given):
    recorder = Recorder(path, (64, 48), rate, encoding, wait=True, **given)
    for index in range(count):
        recorder.add(picture(index), index / rate, 1 / rate)
    recorder.close(whole=True)
    return recorder


def probe(path):
    """What ffprobe says where it is installed, else libavformat by PyAV: streams as (codec, width, height,
    seconds of the packets).
    """
    if shutil.which("ffprobe"):
        command = ["ffprobe", "-v", "error", "-of", "json", "-show_packets", "-show_streams", str(path)]
        document = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        found = []
        for stream in document["streams"]:
            packets = [p for p in document["packets"] if p["stream_index"] == stream["index"]]
            ends = [float(p["pts_time"]) + float(p.get("duration_time", 0)) for p in packets]
            # Packets of fragmented MP4 have no durations here, its tracks have.
            end = float(stream["duration"]) if "duration" in stream else max(ends)
            found.append((stream["codec_name"], stream.get("width"), stream.get("height"), end))
        return found
    with av.open(str(path)) as container:
        found = []
        for stream in container.streams:
            name = stream.codec_context.codec.canonical_name
            size = (stream.width, stream.height) if stream.type == "video" else (None, None)
            found.append((name, *size, _end(container, stream)))
            container.seek(0)
        return found


def _end(container, stream):
    if stream.duration:
        return float(stream.duration * stream.time_base)
    return max(float((p.pts + p.duration) * p.time_base) for p in container.demux(stream) if p.size)


# -- which encoder -------------------------------------------------------------------------------------------


def only(*names):
    """A machine on which these encoders work."""
    return lambda encoder, options, size: encoder.name in names


@pytest.mark.parametrize(
    ("suffix", "there", "name"),
    [
        (".mp4", ("libx264", "h264_nvenc", "libvpx-vp9"), "libx264"),
        (".mp4", ("h264_videotoolbox", "libvpx-vp9"), "h264_videotoolbox"),
        (".mp4", ("h264_vaapi", "h264_qsv"), "h264_qsv"),
        (".mp4", ("libvpx-vp9",), "libvpx-vp9"),
        (".mov", ("mpeg4", "libvpx-vp9"), "mpeg4"),
        (".webm", ("libvpx",), "libvpx"),
        (".gif", ("gif",), "gif"),
    ],
)
def test_the_first_that_works_is_taken(tmp_path, suffix, there, name):
    choice = choose(tmp_path / f"a{suffix}", Encoding(), trial=only(*there))
    assert choice.encoder.name == name
    wanted = CONTAINERS[suffix].codecs[0]
    # Another codec than the usual one is said, with what was tried; another encoder of the same codec is no
    # difference.
    assert bool(choice.notes) == (choice.encoder.codec != wanted)
    for note in choice.notes:
        assert CODECS[wanted].title in note and CODECS[choice.encoder.codec].title in note


@pytest.mark.parametrize("maker", sorted(HARDWARE))
def test_hardware_is_asked_first_where_it_is_wanted(tmp_path, maker):
    encoder = next(e for e in ENCODERS if e.maker == maker and e.codec == "h264")
    wanted = Encoding(hardware=True)

    def there(each, options, size):
        return each in (encoder, ENCODERS[0])

    choice = choose(tmp_path / "a.mp4", wanted, trial=there)
    assert choice.encoder is encoder and choice.notes == () and maker in choice.text
    software = choose(tmp_path / "a.mp4", Encoding(), trial=there)
    assert software.encoder.name == "libx264"


def test_hardware_that_does_not_work_is_named_with_what_does_it_instead(tmp_path):
    choice = choose(tmp_path / "a.mp4", Encoding(hardware=True), trial=only("libx264"))
    assert choice.encoder.name == "libx264"
    assert all(maker in choice.notes[0] for maker in HARDWARE) and "libx264" in choice.notes[0]
    none = choose(tmp_path / "a.gif", Encoding(hardware=True), trial=only("gif"))
    assert "No hardware" in none.notes[0]


def test_a_size_that_hardware_does_not_take_is_tried_as_it_is(tmp_path):
    def small(encoder, options, size):
        return encoder.name == "libx264" or (encoder.maker == "NVENC" and size[0] <= 4096)

    wanted = Encoding(hardware=True)
    assert choose(tmp_path / "a.mp4", wanted, (4096, 2160), small).encoder.maker == "NVENC"
    assert choose(tmp_path / "a.mp4", wanted, (7680, 4320), small).encoder.name == "libx264"


def test_nothing_that_works_is_an_error(tmp_path):
    with pytest.raises(ExportError, match="no encoder"):
        choose(tmp_path / "a.mp4", Encoding(), trial=only())


def test_10_bits_without_an_encoder_name_what_is_there(tmp_path):
    wanted = Encoding(bits=10)
    choice = choose(tmp_path / "a.mp4", wanted, trial=only("libsvtav1"))  # as in the installers
    assert (choice.encoder.codec, choice.encoder.pixels, choice.bits) == ("av1", "yuv420p10le", 10)
    assert "No encoder for HEVC works here" in choice.notes[0]
    hevc = choose(tmp_path / "a.mov", Encoding("hevc", bits=10), trial=only("prores_ks"))
    assert hevc.encoder.codec == "prores" and "ProRes 4444 is used instead" in hevc.notes[0]
    with pytest.raises(ExportError, match=r"10 bits a color works here; choose 8, .*: \.mov, \.mkv\."):
        choose(tmp_path / "a.mp4", wanted, trial=only("prores_ks", "ffv1"))


def test_trials_really_encode():
    by_name = {encoder.name: encoder for encoder in ENCODERS}
    for name in ("libvpx-vp9", "libvpx", "libsvtav1", "mpeg4", "ffv1", "gif", "libwebp_anim"):
        assert encodes(by_name[name], options_of(by_name[name], None)), name
    assert not encodes(by_name["h264_videotoolbox"], {}, (0, 0))
    assert not encodes(by_name["libvpx-vp9"], {"crf": "no number"})


@pytest.mark.parametrize(
    ("suffix", "given", "words"),
    [
        (".webm", {"codec": "h264"}, "WebM does not take H.264"),
        (".gif", {"codec": "vp9"}, "GIF does not take VP9"),
        (".mp4", {"crf": 60}, "H.264 is not 60; choose one from 0 to 51"),
    ],
)
def test_what_a_container_does_not_take_is_refused(tmp_path, suffix, given, words):
    with pytest.raises(UsageError, match=words):
        choose(tmp_path / f"a{suffix}", Encoding(**given))


@pytest.mark.parametrize(
    "given",
    [
        {"codec": "divx"},
        {"crf": -1},
        {"crf": 64},
        {"size": (-2, 0)},
        {"size": (10**6, 0)},
        {"fps": -1.0},
        {"fps": math.nan},
        {"fps": 1e9},
        {"sound": "loud"},
    ],
)
def test_nonsense_is_refused(given):
    with pytest.raises(UsageError):
        Encoding(**given)


def test_an_encoding_survives_a_file_and_a_broken_file_is_refused():
    full = Encoding("vp9", 40, (0, 480), 12.5, "encode", hardware=True)
    assert Encoding.of_json(json.loads(json.dumps(full.json()))) == full
    assert Encoding.of_json({"unknown": 1}) == Encoding()
    for broken in (None, [], {"size": 5}, {"size": ["a", 1]}, {"crf": "x"}, {"fps": []}, {"sound": 3}):
        with pytest.raises((ValueError, UsageError)):
            Encoding.of_json(broken)


@pytest.mark.parametrize(
    ("wanted", "picture_size", "size"),
    [
        ((0, 0), (33, 21), (33, 21)),
        ((0, 480), (1920, 1080), (854, 480)),
        ((640, 0), (1920, 1080), (640, 360)),
        ((100, 100), (1920, 1080), (100, 100)),
        ((0, 480), (1, 100000), (2, 480)),
    ],
)
def test_a_side_follows_from_the_other(wanted, picture_size, size):
    assert Encoding(size=wanted).size_of(picture_size) == size


# -- what is in the file -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "codec", "found"),
    [
        ("a.mp4", "vp9", "vp9"),
        ("a.mp4", "av1", "av1"),
        ("a.mkv", "av1", "av1"),
        ("a.mkv", "ffv1", "ffv1"),
        ("a.webm", "vp8", "vp8"),
        ("a.webm", "av1", "av1"),
        ("a.mov", "mpeg4", "mpeg4"),
    ],
)
def test_codecs_and_lengths_are_what_was_asked_for(tmp_path, name, codec, found):
    record(tmp_path / name, Encoding(codec))
    [(read, width, height, end)] = probe(tmp_path / name)
    assert (read, width, height) == (found, 64, 48)
    assert end == pytest.approx(1.0, abs=2e-3)  # Matroska counts milliseconds


def test_ffv1_loses_nothing(tmp_path):
    record(tmp_path / "a.mkv", Encoding("ffv1"), 3)
    with av.open(str(tmp_path / "a.mkv")) as container:
        for index, frame in enumerate(container.decode(video=0)):
            np.testing.assert_array_equal(frame.to_ndarray(format="rgb24"), picture(index)[..., :3])


def test_a_worse_quality_is_a_smaller_file(tmp_path):
    noise = np.random.default_rng(0).integers(0, 255, (48, 64, 4), np.uint8)
    sizes = []
    for crf in (5, 30, 60):
        recorder = Recorder(tmp_path / "a.webm", (64, 48), 10.0, Encoding("vp9", crf), wait=True)
        for index in range(10):
            recorder.add(np.roll(noise, index, 1), index / 10)
        recorder.close()
        sizes.append((tmp_path / "a.webm").stat().st_size)
    assert sizes[0] > 1.5 * sizes[1] > 2 * sizes[2]


def test_pictures_are_scaled(tmp_path):
    record(tmp_path / "a.mkv", Encoding("ffv1", size=(32, 0)), 2)
    with av.open(str(tmp_path / "a.mkv")) as container:
        frame = next(container.decode(video=0)).to_ndarray(format="rgb24")
    assert frame.shape == (24, 32, 3)
    # Ramps stay ramps: within the kernel's ringing at the edges.
    wanted = picture(0)[..., :3].reshape(24, 2, 32, 2, 3).mean((1, 3))
    assert np.abs(frame.astype(int) - wanted)[2:-2, 2:-2].max() <= 4


@pytest.mark.parametrize(("fps", "count"), [(5.0, 5), (10.0, 10), (25.0, 25)])
def test_pictures_come_at_equal_distances(tmp_path, fps, count):
    record(tmp_path / "a.mp4", Encoding("vp9", fps=fps))
    with av.open(str(tmp_path / "a.mp4")) as container:
        times = [float(f.pts * f.time_base) for f in container.decode(video=0)]
    np.testing.assert_allclose(times, np.arange(count) / fps, atol=1e-4)
    assert probe(tmp_path / "a.mp4")[0][3] == pytest.approx(1.0, abs=2e-3)


def test_which_picture_is_shown_when():
    """The one that is nearest in time to each tick."""
    pacer = Pacer(2.0)
    given = [
        Picture(np.full((1, 1, 4), n, np.uint8), t, 0.1) for n, t in enumerate((0.0, 0.1, 0.6, 2.0, 2.1))
    ]
    made = [p for each in given for p in pacer.add(each)] + list(pacer.end())
    assert [(p.pts, int(p.pixels[0, 0, 0])) for p in made] == [
        (0.0, 0), (0.5, 2), (1.0, 2), (1.5, 3), (2.0, 3),
    ]  # fmt: skip
    single = Pacer(2.0)
    assert list(single.add(given[0])) == [] and len(list(single.end())) == 1


@pytest.mark.parametrize("name", ["a.gif", "a.webp"])
def test_animations_are_read_by_pillow(tmp_path, name):
    from PIL import Image

    record(tmp_path / name)
    with Image.open(tmp_path / name) as image:
        assert image.size == (64, 48) and image.n_frames == 10 and image.info["loop"] == 0
        shown = []
        for index in range(10):
            image.seek(index)
            pixels = np.asarray(image.convert("RGB")).astype(int)
            shown.append(image.info["duration"])
            # A palette of 256 with an ordered dither, WebP's quality 75: within 6 of 255 on average.
            assert np.abs(pixels - picture(index)[..., :3]).mean() < 6
    assert sum(shown) == pytest.approx(1000, abs=10)


def test_a_gif_leaves_no_threads(tmp_path):
    """Also while nobody collects cycles, which PyAV 19's graphs of filters are."""

    def threads_after(name):
        recorder = Recorder(tmp_path / name, (64, 48), 10.0, Encoding(), wait=True)
        recorder.add(np.zeros((48, 64, 4), np.uint8), 0.0)
        recorder.close()
        return psutil.Process().num_threads()

    gc.disable()
    try:
        first = threads_after("first.gif")
        threads_after("second.gif")
        # A thread of the driver that begins or ends meanwhile is none of the recorder's.
        until(lambda: psutil.Process().num_threads() <= first)
    finally:
        gc.enable()


def test_a_gif_is_no_faster_than_browsers_show(tmp_path):
    from PIL import Image

    found = foresee(None, (64, 48), 100.0, tmp_path / "a.gif", Encoding())
    assert any("50" in note for note in found.differs)
    recorder = Recorder(tmp_path / "a.gif", (64, 48), 100.0, Encoding(), wait=True)
    for index in range(20):
        recorder.add(picture(index % 10), index / 100, 0.01)
    recorder.close()
    with Image.open(tmp_path / "a.gif") as image:
        assert image.n_frames == 10 and image.info["duration"] == 20


# -- sound, and what is said before --------------------------------------------------------------------------


def clip_with_sound(path, codec, layout="stereo", seconds=1.0):
    with av.open(str(path), "w") as container:
        video = container.add_stream("mpeg4", rate=10)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        audio = container.add_stream(codec, rate=48000)
        audio.layout = layout
        for index in range(round(seconds * 10)):
            frame = av.VideoFrame.from_ndarray(picture(index), format="rgba").reformat(format="yuv420p")
            container.mux(video.encode(frame))
        tone = np.sin(np.arange(round(48000 * seconds)) * 2 * np.pi * 440 / 48000).astype(np.float32) * 0.5
        channels = 1 if layout == "mono" else 2
        sound = av.AudioFrame.from_ndarray(np.stack([tone] * channels), format="fltp", layout=layout)
        sound.sample_rate, sound.pts = 48000, 0
        context = audio.codec_context
        resampler = av.AudioResampler(context.format, context.layout, 48000, context.frame_size or 1024)
        for each in (sound, None):
            for part in resampler.resample(each):
                container.mux(audio.encode(part))
        container.mux(audio.encode(None))
        container.mux(video.encode(None))
    return path


@pytest.mark.parametrize("codec", ["ac3", "mp2", "pcm_s16le", "libopus", "aac"])
@pytest.mark.parametrize("suffix", [".mp4", ".mov", ".mkv", ".webm"])
def test_any_sound_goes_into_any_container_or_is_said_to_be_encoded(tmp_path, codec, suffix):
    """AC-3 in mono, which MP4's muxer once refused with "Invalid argument", among them."""
    clip = clip_with_sound(tmp_path / "in.mkv", codec, "mono")
    out = tmp_path / f"out{suffix}"
    found = foresee(clip, (64, 48), 10.0, out, Encoding())
    assert record(out, audio_from=clip).notes == ()
    heard = probe(out)[1]
    source = probe(clip)[1][0]
    if heard[0] == source:
        assert found.differs == () and "copied" in found.sound
    else:
        assert "encoded as" in found.differs[0] and heard[0] in ("aac", "opus")
    assert heard[3] == pytest.approx(1.0, abs=0.04)  # whole packets


@pytest.mark.parametrize("codec", ["flac", "pcm_s16le"])
def test_a_last_packet_that_is_fuller_than_its_sound_is_cut(tmp_path, codec):
    """As Vorbis in WebM ends: the last packet begins, by its stamp, before the one before it ends. Planes and
    packed samples.
    """
    clip, late = clip_with_sound(tmp_path / "in.mkv", codec), tmp_path / "late.mkv"
    with av.open(str(clip)) as source, av.open(str(late), "w") as made:
        targets = [made.add_stream_from_template(stream) for stream in source.streams]
        packets = [packet for packet in source.demux() if packet.size]
        last = max((p for p in packets if p.stream.type == "audio"), key=lambda p: p.pts)
        last.pts -= 9
        last.dts = last.pts
        for packet in packets:
            packet.stream = targets[packet.stream_index]
            made.mux(packet)
    for path, seconds in ((clip, 1.0), (late, 0.991)):
        out = tmp_path / f"{path.stem}.mp4"
        record(out, Encoding(sound="encode"), audio_from=path)
        with av.open(str(out)) as container:
            stream = container.streams.audio[0]
            # Matroska's stamps are of 1 ms.
            end = max(p.pts + p.duration for p in container.demux(stream) if p.size) * stream.time_base
            assert float(end) == pytest.approx(seconds, abs=0.0025)


def test_the_size_is_estimated_from_codec_quality_size_and_rate(tmp_path):
    def rate(name="a.mp4", fps=30.0, **options):
        return foresee(None, (1920, 1080), fps, tmp_path / name, Encoding(**options)).bytes_per_second

    usual = rate()
    assert 0.3e6 < usual < 6e6, "some 12 Mbit/s for full HD"
    assert rate(crf=CODECS["h264"].crf + 6) == pytest.approx(usual / 2)
    assert rate(fps=60.0) == pytest.approx(2 * usual) and rate(size=(960, 540)) == pytest.approx(usual / 4)
    assert rate("a.mkv", codec="ffv1") > 10 * usual
    assert rate("a.mkv", codec="ffv1", fps=0.0) == rate("a.mkv", codec="ffv1"), "a usual rate if unknown"


@pytest.mark.parametrize(
    ("mode", "suffix", "codec", "words"),
    [
        ("none", ".mp4", None, "no audio"),
        ("encode", ".mp4", "aac", "AAC audio"),
        ("copy", ".mkv", "mp2", "MP2 audio, copied"),
        ("copy", ".webm", None, "no audio"),
        ("auto", ".gif", None, "no audio"),
    ],
)
def test_sound_is_copied_encoded_or_none(tmp_path, mode, suffix, codec, words):
    clip = clip_with_sound(tmp_path / "in.mkv", "mp2")
    out, encoding = tmp_path / f"out{suffix}", Encoding(sound=mode)
    found = foresee(clip, (64, 48), 10.0, out, encoding)
    assert found.sound == words
    record(out, encoding, audio_from=clip)
    assert [stream[0] for stream in probe(out)[1:]] == ([codec] if codec else [])
    assert any("left out" in note for note in found.differs) == (mode != "none" and codec is None)


def test_tracks_that_stay_behind_are_named(tmp_path):
    clip = tmp_path / "in.mkv"
    (tmp_path / "a.srt").write_text("1\n00:00:00,000 --> 00:00:00,900\nHallo\n")
    with (
        av.open(str(clip_with_sound(tmp_path / "a.mkv", "aac"))) as source,
        av.open(str(tmp_path / "a.srt")) as titles,
        av.open(str(clip), "w") as made,
    ):
        video, audio = source.streams
        targets = {0: [made.add_stream_from_template(video)]}
        targets[1] = [made.add_stream_from_template(audio) for _ in range(2)]
        subtitles = made.add_stream_from_template(titles.streams[0])
        for packet in source.demux():
            data = bytes(packet) if packet.size else b""
            for target in targets[packet.stream_index] if data else ():
                copied = av.Packet(data)
                copied.pts, copied.dts, copied.time_base = packet.pts, packet.dts, packet.time_base
                copied.stream = target
                made.mux(copied)
        for packet in titles.demux():
            if packet.size:
                packet.stream = subtitles
                made.mux(packet)
    found = foresee(clip, (64, 48), 10.0, tmp_path / "out.mp4", Encoding())
    assert any("Of 2 audio tracks" in note and "1: " in note for note in found.differs)
    assert any("Subtitles" in note for note in found.differs)


def test_odd_sizes_are_said(tmp_path):
    found = foresee(None, (33, 21), 10.0, tmp_path / "a.mp4", Encoding())
    assert found.size == (34, 22) and "34 x 22" in found.differs[0]
    assert foresee(None, (33, 21), 10.0, tmp_path / "a.gif", Encoding()).size == (33, 21)


# -- a part --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("5-20", (5.0, 20.0)),
        ("1:05.5-1:20", (65.5, 80.0)),
        ("1:00:00-", (3600.0, None)),
        ("-.5", (0.0, 0.5)),
        ("-", (0.0, None)),
    ],
)
def test_parts_are_read(text, span):
    read = TimeSpan.parse(text)
    assert (read.start, read.end) == span
    assert TimeSpan.parse(read.text) == read


@pytest.mark.parametrize("text", ["", "5", "a-b", "5-5", "9-3", "1:2:3:4-", "5--6", "nan-3", "1e9-"])
def test_other_parts_are_refused(text):
    with pytest.raises(UsageError):
        TimeSpan.parse(text)


def test_a_part_has_the_pictures_from_a_up_to_b(tmp_path):
    clip = tmp_path / "in.mp4"
    record(clip, count=30)
    whole = list(VideoSource(clip).frames())
    part = list(TimeSpan(1.05, 2.0).frames(VideoSource(clip)))
    assert [round(f.pts, 3) for f in part] == [round(f.pts, 3) for f in whole if 1.05 <= f.pts < 1.9999]
    assert list(TimeSpan(99.0).frames(VideoSource(clip))) == []


def real_time_threads() -> list[str]:
    """The threads of this process that go before all others, by /proc (proc_pid_stat(5): field 41 is the
    policy).
    """
    found = []
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            if fields[41 - 3] in ("1", "2"):
                found.append((task / "comm").read_text().strip())
    return found


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="SVT-AV1 takes the highest priority from root only"
)
def test_no_encoder_takes_the_machine_for_itself(tmp_path):
    by_name = {encoder.name: encoder for encoder in ENCODERS}
    encodes(by_name["libsvtav1"], options_of(by_name["libsvtav1"], None))
    assert real_time_threads() == []
    recorder = Recorder(tmp_path / "a.webm", (64, 48), 25.0, Encoding(codec="av1"), wait=True)
    assert recorder.choice.encoder.name == "libsvtav1"
    during = []
    for index in range(60):
        recorder.add(np.full((48, 64, 4), index, np.uint8), index / 25)
        during += real_time_threads() if recorder.written else []
    recorder.close()
    assert during == []


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="SVT-AV1 takes the highest priority from root only"
)
def test_a_sound_device_opens_after_an_encoder_gave_its_priority_back():
    miniaudio = pytest.importorskip("miniaudio")
    by_name = {encoder.name: encoder for encoder in ENCODERS}
    encodes(by_name["libsvtav1"], options_of(by_name["libsvtav1"], None))
    Speakers(backends=[miniaudio.Backend.NULL]).close()


@pytest.mark.parametrize("bits", [8, 10])
def test_hevc_in_mp4_has_the_tag_that_players_of_apple_want(tmp_path, bits):
    encoding = Encoding("hevc", bits=bits)
    recorder = Recorder(tmp_path / "a.mp4", (64, 48), 10.0, encoding, wait=True)
    recorder.add(np.zeros((48, 64, 4), np.uint8), 0.0)
    recorder.close()
    with av.open(str(tmp_path / "a.mp4")) as found:
        assert found.streams.video[0].codec_context.codec_tag == "hvc1"
