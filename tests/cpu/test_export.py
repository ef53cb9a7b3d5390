"""Recordings and pictures on disk, read back with PyAV and OpenCV."""

from __future__ import annotations

import errno
import itertools
import os
import signal
import subprocess
import sys
from fractions import Fraction

import av
import cv2
import numpy as np
import pytest
import windows_marks
from waiting import LIMIT_S

from desktop.base.errors import ExportError
from desktop.media.sources.video import VideoSource
from desktop.outputs.recording import Recorder
from desktop.outputs.still import IMAGE_SUFFIXES, write_image


def picture(index: int, width: int = 64, height: int = 48) -> np.ndarray:
    y, x = np.mgrid[0:height, 0:width]
    out = np.empty((height, width, 4), np.uint8)
    out[..., 0] = x * 255 // width
    out[..., 1] = y * 255 // height
    out[..., 2] = index * 20
    out[..., 3] = 255
    return out


def read_video(path):
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        times = [float(f.pts * f.time_base) for f in frames]
        return (
            [f.to_ndarray(format="rgb24", src_colorspace="ITU709") for f in frames],
            times,
            stream.codec_context,
        )


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".webm"])
def test_a_recording_keeps_pictures_times_and_color_tags(tmp_path, suffix):
    path = tmp_path / f"clip{suffix}"
    times = [0.0, 0.04, 0.1, 0.25, 0.29]
    recorder = Recorder(path, (64, 48), 25.0, wait=True)
    for index, pts in enumerate(times):
        recorder.add(picture(index), pts)
    recorder.close()
    frames, read_times, context = read_video(path)
    # Matroska and WebM count milliseconds.
    np.testing.assert_allclose(read_times, times, atol=1.1e-3)
    assert recorder.written == 5
    for index, frame in enumerate(frames):
        assert np.abs(frame.astype(int) - picture(index)[..., :3]).mean() < 6
    assert context.color_range == 1
    assert context.colorspace == 1


def test_odd_sizes_are_padded(tmp_path):
    recorder = Recorder(tmp_path / "odd.mp4", (33, 21), 30.0, wait=True)
    recorder.add(picture(0, 33, 21), 0.0)
    recorder.close()
    frames, _, _ = read_video(tmp_path / "odd.mp4")
    assert frames[0].shape == (22, 34, 3)


def test_what_was_written_plays_though_the_file_was_never_closed(tmp_path):
    path = tmp_path / "killed.mp4"
    recorder = Recorder(path, (64, 48), 10.0, wait=True)
    for index in range(35):
        recorder.add(picture(index % 10), index / 10)
    while recorder.written < 35:
        pass
    copy = tmp_path / "copy.mp4"
    copy.write_bytes(recorder.part.read_bytes())
    frames, _, _ = read_video(copy)
    # A group of pictures is a second, ten pictures; the encoder holds back its look-ahead.
    assert len(frames) >= 10
    recorder.close()


def make_clip_with_audio(path, codec, seconds=1.0, change=lambda packet, index: None):
    with av.open(str(path), "w") as container:
        video = container.add_stream("mpeg4", rate=10)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        audio = container.add_stream(codec, rate=48000)
        audio.layout = "stereo"
        for index in range(round(seconds * 10)):
            frame = av.VideoFrame.from_ndarray(picture(index % 10), format="rgba").reformat(format="yuv420p")
            container.mux(video.encode(frame))
        samples = np.sin(np.arange(round(48000 * seconds)) * 2 * np.pi * 440 / 48000).astype(np.float32) * 0.5
        sound = av.AudioFrame.from_ndarray(np.stack([samples, samples]), format="fltp", layout="stereo")
        sound.sample_rate = 48000
        sound.pts = 0
        context = audio.codec_context
        resampler = av.AudioResampler(context.format, context.layout, 48000, context.frame_size or 1024)
        packets = [p for f in (sound, None) for r in resampler.resample(f) for p in audio.encode(r)]
        for index, packet in enumerate([*packets, *audio.encode(None)]):
            change(packet, index)
            container.mux(packet)
        container.mux(video.encode(None))


@pytest.mark.parametrize(("source_codec", "suffix"), [("aac", ".mp4"), ("aac", ".webm"), ("aac", ".mkv")])
def test_audio_is_kept(tmp_path, source_codec, suffix):
    clip = tmp_path / "in.mp4"
    make_clip_with_audio(clip, source_codec)
    out = tmp_path / f"out{suffix}"
    recorder = Recorder(out, (64, 48), 10.0, audio_from=clip, wait=True)
    assert recorder.has_audio
    for index in range(10):
        recorder.add(picture(index), index / 10)
    recorder.close()
    with av.open(str(out)) as container:
        frames = list(container.decode(container.streams.audio[0]))
    samples = np.concatenate([f.to_ndarray().mean(axis=0) for f in frames])
    assert abs(len(samples) / frames[0].sample_rate - 1.0) < 0.1
    spectrum = np.abs(np.fft.rfft(samples))
    assert abs(np.argmax(spectrum) * frames[0].sample_rate / len(samples) - 440) < 5


def test_pictures_keep_alpha_in_png(tmp_path):
    rgba = picture(3)
    rgba[..., 3] = np.arange(64, dtype=np.uint8) * 4
    write_image(rgba, tmp_path / "a.png")
    read = cv2.cvtColor(cv2.imread(str(tmp_path / "a.png"), cv2.IMREAD_UNCHANGED), cv2.COLOR_BGRA2RGBA)
    np.testing.assert_array_equal(read, rgba)


@pytest.mark.parametrize("suffix", [suffix for suffix in IMAGE_SUFFIXES if suffix != ".exr"])
@pytest.mark.parametrize("size", [(64, 48), (33, 17), (1, 1)])
@pytest.mark.parametrize("opaque", [True, False])
def test_every_format_is_read_by_others(tmp_path, suffix, size, opaque):
    """Pillow and OpenCV see what was written; JPEG within 6 of 255, and it and BMP over black. OpenCV is built
    without OpenEXR, which FFmpeg reads in tests/gpu/test_hdr_export.py.
    """
    from PIL import Image

    y, x = np.mgrid[0 : size[1], 0 : size[0]]
    rgba = np.stack((x * 3, y * 4, 200 - x - y, np.full_like(x, 255) if opaque else 20 + x + y), -1)
    rgba = rgba.astype(np.uint8)
    path = tmp_path / f"a{suffix}"
    write_image(rgba, path)
    channels = 3 if opaque or suffix in (".jpg", ".jpeg", ".bmp") else 4
    away = 6 if suffix in (".jpg", ".jpeg") else 0
    expected = rgba if channels == 4 else np.rint(rgba[..., :3] * (rgba[..., 3:] / 255)).astype(int)
    read = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    read = read[..., [2, 1, 0, 3][: read.shape[2]]]
    with Image.open(path) as image:
        pillow = np.asarray(image)
    # OpenCV multiplies a TIFF's colors with its alpha.
    for found in (pillow,) if channels == 4 and suffix.startswith(".tif") else (read, pillow):
        assert np.abs(found[..., :channels].astype(int) - expected[..., :channels]).max() <= away
        assert found.shape[2] == channels or (found[..., channels:] == 255).all()


@pytest.mark.parametrize("name", ["a.xyz", "a"])
def test_unknown_suffixes(tmp_path, name):
    with pytest.raises(ExportError, match="suffix"):
        write_image(picture(0), tmp_path / name)
    with pytest.raises(ExportError, match="suffix"):
        Recorder(tmp_path / name, (64, 48), 30.0)


def test_a_change_of_size_is_scaled_into_the_first_and_said_once(tmp_path):
    white = np.full((32, 32, 4), 255, np.uint8)
    recorder = Recorder(tmp_path / "a.mp4", (64, 48), 30.0, wait=True)
    for index, pixels in enumerate((picture(0), white, white)):
        recorder.add(pixels, index / 10)
    recorder.close()
    assert len(recorder.notes) == 1 and "at 0.10 s from 64 x 48 to 32 x 32" in recorder.notes[0]
    with av.open(str(tmp_path / "a.mp4")) as container:
        frames = [frame.to_ndarray(format="gray") for frame in container.decode(video=0)]
    assert [frame.shape for frame in frames] == [(48, 64)] * 3
    # A square in the middle of a wider picture, as high as that.
    assert frames[1][4:-4, 12:-12].min() > 225 and frames[1][4:-4, :6].max() < 32


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="cannot be written"):
        Recorder(tmp_path / "file" / "a.mp4", (64, 48), 30.0)


def test_a_folder_as_output(tmp_path):
    (tmp_path / "a.mp4").mkdir()
    with pytest.raises(ExportError, match="it is a folder"):
        Recorder(tmp_path / "a.mp4", (64, 48), 30.0)


class _Broken:
    """Stands in for a container that takes nothing any more: a full disk, at whichever packet."""

    def __init__(self, error):
        self._error = error

    def mux(self, packets):
        if packets:
            raise self._error

    def close(self):
        pass


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ValueError("refused")])
@pytest.mark.parametrize("count", [1, 40])
def test_a_disk_that_is_full_ends_a_recording_and_nobody_waits(tmp_path, error, count):
    recorder = Recorder(tmp_path / "a.mp4", (64, 48), 30.0, wait=True)
    real, recorder._container = recorder._container, _Broken(error)
    with pytest.raises(ExportError, match="failed partway"):
        for index in range(count):
            recorder.add(picture(index % 10), index / 30)
        recorder.close()
    with pytest.raises(ExportError):
        recorder.close()
    real.close()


def test_closing_twice(tmp_path):
    recorder = Recorder(tmp_path / "a.mkv", (64, 48), 30.0, wait=True)
    recorder.add(picture(0), 0.0)
    recorder.close()
    recorder.close()


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
@pytest.mark.parametrize(("whole", "seconds"), [(False, 0.5), (True, 2.0)])
def test_sound_ends_with_the_last_picture_unless_the_file_did(tmp_path, suffix, whole, seconds):
    clip, out = tmp_path / "in.mp4", tmp_path / f"out{suffix}"
    make_clip_with_audio(clip, "aac", seconds=2.0)
    recorder = Recorder(out, (64, 48), 10.0, audio_from=clip, wait=True)
    for index in range(5):
        recorder.add(picture(index), index / 10)
    recorder.close(whole=whole)
    with av.open(str(out)) as container:
        frames = list(container.decode(container.streams.audio[0]))
    ends = float(frames[-1].pts * frames[-1].time_base) + frames[-1].samples / frames[-1].sample_rate
    # A packet begins before the end and lasts 21 ms (AAC) at most; re-encoding shifts by another.
    assert ends == pytest.approx(seconds, abs=0.045)


def sound_seconds(path):
    with av.open(str(path)) as container:
        return sum(f.samples / f.sample_rate for f in container.decode(container.streams.audio[0]))


def recorded(clip, out, pictures=10):
    recorder = Recorder(out, (64, 48), 10.0, audio_from=clip, wait=True)
    for index in range(pictures):
        recorder.add(picture(index), index / 10)
    recorder.close(whole=True)
    return recorder


class RepeatedStamps:
    """Gives three packets one stamp, as where a container's clock is coarser than its packets are long."""

    def __call__(self, packet, index):
        if index % 3 == 0:
            self._stamp = packet.pts
        packet.pts = packet.dts = self._stamp


@pytest.mark.parametrize("codec", ["ac3", "mp3", "libopus", "pcm_s16le", "aac"])
@pytest.mark.parametrize("suffix", [".mp4", ".mov", ".mkv", ".webm"])
def test_sound_with_equal_time_stamps_is_kept_whole(tmp_path, codec, suffix):
    clip, out = tmp_path / "in.mkv", tmp_path / f"out{suffix}"
    make_clip_with_audio(clip, codec, change=RepeatedStamps())
    assert recorded(clip, out).notes == ()
    assert sound_seconds(out) == pytest.approx(1.0, abs=0.06)  # codecs pad to whole packets and prime
    with av.open(str(out)) as container:
        stamps = [p.dts * p.time_base for p in container.demux(container.streams.audio[0]) if p.size]
    assert max(stamps) == pytest.approx(1.0, abs=0.06)
    assert all(b - a < Fraction(1, 10) for a, b in itertools.pairwise(stamps))


def test_metadata_that_is_not_utf8_does_not_stop_an_output(tmp_path):
    clip, out = tmp_path / "in.mkv", tmp_path / "out.mkv"
    make_clip_with_audio(clip, "aac")
    marked = tmp_path / "marked.mkv"
    with av.open(str(clip)) as source, av.open(str(marked), "w") as container:
        stream = source.streams.audio[0]
        target = container.add_stream_from_template(stream)
        target.metadata["title"] = "XXXXXXXX"
        for packet in source.demux(stream):
            if packet.size:
                packet.stream = target
                container.mux(packet)
    marked.write_bytes(marked.read_bytes().replace(b"XXXXXXXX", b"\xff\xfe\x80caf\xe9\xe9"))
    recorder = recorded(marked, out)
    assert recorder.has_audio and recorder.notes == ()


def test_sound_that_cannot_be_decoded_costs_the_sound_and_says_so(tmp_path):
    clip, out = tmp_path / "in.mkv", tmp_path / "out.webm"
    make_clip_with_audio(clip, "aac")
    # An unknown codec of the same length: no decoder, and WebM does not take it.
    clip.write_bytes(clip.read_bytes().replace(b"A_AAC", b"A_XXX"))
    recorder = recorded(clip, out)
    assert not recorder.has_audio
    assert recorder.notes and "in.mkv" in recorder.notes[0]
    assert len(read_video(out)[0]) == 10


# -- the older file ------------------------------------------------------------------------------------------


def test_an_older_video_stays_until_the_new_one_is_whole(tmp_path):
    path = tmp_path / "a.mp4"
    path.write_bytes(b"older")
    path.chmod(0o600)
    recorder = Recorder(path, (64, 48), 30.0, wait=True)
    recorder.add(picture(0), 0.0)
    assert path.read_bytes() == b"older"
    assert recorder.part != path and recorder.part.parent == tmp_path
    recorder.close()
    assert len(read_video(path)[0]) == 1
    # Windows keeps of a mode only whether the file can be written.
    assert path.stat().st_mode & 0o777 == (0o666 if sys.platform == "win32" else 0o600)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.mp4"]


def test_what_a_killed_recording_left_is_not_overwritten(tmp_path):
    (tmp_path / "a.part.mp4").write_bytes(b"of yesterday")
    recorder = Recorder(tmp_path / "a.mp4", (64, 48), 30.0, wait=True)
    recorder.add(picture(0), 0.0)
    recorder.close()
    assert (tmp_path / "a.part.mp4").read_bytes() == b"of yesterday"


_RECORD = """
import resource, sys
from pathlib import Path
import numpy as np
from desktop.outputs.recording import Recorder
from desktop.outputs.still import write_image
from desktop.base.errors import ExportError
path, limit = Path(sys.argv[1]), int(sys.argv[2])
if limit:
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
noise = np.random.default_rng(0).integers(0, 255, (128, 128, 4), np.uint8)
try:
    if path.suffix == ".png":
        write_image(noise, path)
    else:
        recorder = Recorder(path, (128, 128), 10.0, wait=True)
        for index in range(200 if limit else 100000):
            recorder.add(np.roll(noise, index, 0), index / 10)
            if index == 60:
                print("going", flush=True)
        recorder.close()
except ExportError as error:
    print(error)
    if path.suffix != ".png":
        print(recorder.abandon())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on a file's size there")
@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.webm", "a.mov", "a.png"])
@pytest.mark.parametrize("limit", [4096, 200_000])
def test_a_full_disk_leaves_the_older_file(tmp_path, name, limit):
    if name == "a.png" and limit > 4096:
        limit = 30_000  # below what the noise takes
    path = tmp_path / name
    path.write_bytes(b"older")
    done = subprocess.run(
        [sys.executable, "-c", _RECORD, str(path), str(limit)],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    assert path.read_bytes() == b"older"
    assert os.strerror(errno.EFBIG) in done.stdout, done.stdout + done.stderr
    left = [p for p in tmp_path.iterdir() if p != path]
    for part in left:  # what is kept can be played, and is named
        assert part.stem == "a.part"
        assert str(part) in done.stdout
        assert len(list(VideoSource(part).frames())) > 1
    assert not left or name != "a.png"


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_killed_recording_leaves_a_part_that_plays(tmp_path):
    path = tmp_path / "a.mp4"
    path.write_bytes(b"older")
    with subprocess.Popen(
        [sys.executable, "-c", _RECORD, str(path), "0"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline().strip() == "going"
        process.send_signal(signal.SIGKILL)
    assert path.read_bytes() == b"older"
    assert len(read_video(tmp_path / "a.part.mp4")[0]) >= 10


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
@pytest.mark.parametrize("count", [1, 10])
@pytest.mark.parametrize("name", ["a.png", "a.mkv", "a.mp4", "a.mov", "a.webm"])
def test_a_device_that_is_full(tmp_path, name, count):
    """Also where all is written at the end only."""
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(ExportError, match=os.strerror(errno.ENOSPC)):
        if name == "a.png":
            write_image(picture(0), tmp_path / name)
        else:
            recorder = Recorder(tmp_path / name, (64, 48), 30.0, wait=True)
            for index in range(count):
                recorder.add(picture(index), index / 30)
            recorder.close()
    assert (tmp_path / name).is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows bounds no file's size")
@pytest.mark.parametrize("name", ["a.mkv", "a.mp4", "a.mov", "a.webm"])
def test_a_disk_that_is_full_at_the_very_end_leaves_the_older_file(tmp_path, name):
    """A bound on the size of files stands for the disk."""
    code = (
        "import resource, signal, sys; from pathlib import Path; import numpy as np\n"
        "from desktop.outputs.recording import Recorder; from desktop.base.errors import ExportError\n"
        "recorder = Recorder(Path(sys.argv[1]), (320, 180), 30.0, wait=True)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))\n"
        "pixels = np.random.default_rng(0).integers(0, 255, (180, 320, 4), np.uint8)\n"
        "try: recorder.add(pixels, 0.0); recorder.close()\n"
        "except ExportError as error: raise SystemExit(str(error))\n"
    )
    path = tmp_path / name
    path.write_bytes(b"older")
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=LIMIT_S
    )
    assert done.returncode == 1 and os.strerror(errno.EFBIG) in done.stderr, done.stderr
    assert path.read_bytes() == b"older"


@windows_marks.links
def test_a_link_is_followed(tmp_path):
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "a.png", tmp_path / "a.png"
    real.write_bytes(b"older")
    link.symlink_to(real)
    write_image(picture(1), link)
    assert link.is_symlink()
    assert cv2.imread(str(real)) is not None
