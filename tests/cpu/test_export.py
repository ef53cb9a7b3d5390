"""Recordings and pictures on disk, read back with PyAV and OpenCV."""

from __future__ import annotations

import av
import cv2
import numpy as np
import pytest

from desktop.compute.export import IMAGE_SUFFIXES, Recorder, write_image
from desktop.errors import ExportError


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
def test_a_recording_keeps_pictures_times_and_colour_tags(tmp_path, suffix):
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
    copy.write_bytes(path.read_bytes())
    frames, _, _ = read_video(copy)
    # A group of pictures is a second, ten pictures; the encoder holds back its look-ahead.
    assert len(frames) >= 10
    recorder.close()


def make_clip_with_audio(path, codec, seconds=1.0):
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
        fifo = av.AudioFifo()
        fifo.write(sound)
        for frame in fifo.read_many(audio.frame_size or 1024, partial=True):
            container.mux(audio.encode(frame))
        container.mux(video.encode(None))
        container.mux(audio.encode(None))


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


@pytest.mark.parametrize("suffix", IMAGE_SUFFIXES)
@pytest.mark.parametrize("size", [(64, 48), (33, 17), (1, 1)])
@pytest.mark.parametrize("opaque", [True, False])
def test_every_format_is_read_by_others(tmp_path, suffix, size, opaque):
    """Pillow and OpenCV see what was written; JPEG within 6 of 255, and it and BMP without alpha."""
    from PIL import Image

    y, x = np.mgrid[0 : size[1], 0 : size[0]]
    rgba = np.stack((x * 3, y * 4, 200 - x - y, np.full_like(x, 255) if opaque else 20 + x + y), -1)
    rgba = rgba.astype(np.uint8)
    path = tmp_path / f"a{suffix}"
    write_image(rgba, path)
    channels = 3 if opaque or suffix in (".jpg", ".jpeg", ".bmp") else 4
    away = 6 if suffix in (".jpg", ".jpeg") else 0
    read = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    read = read[..., [2, 1, 0, 3][: read.shape[2]]]
    with Image.open(path) as image:
        pillow = np.asarray(image)
    # OpenCV multiplies a TIFF's colours with its alpha.
    for found in (pillow,) if channels == 4 and suffix.startswith(".tif") else (read, pillow):
        assert np.abs(found[..., :channels].astype(int) - rgba[..., :channels]).max() <= away
        assert found.shape[2] == channels or (found[..., channels:] == 255).all()


@pytest.mark.parametrize("name", ["a.xyz", "a"])
def test_unknown_suffixes(tmp_path, name):
    with pytest.raises(ExportError, match="suffix"):
        write_image(picture(0), tmp_path / name)
    with pytest.raises(ExportError, match="suffix"):
        Recorder(tmp_path / name, (64, 48), 30.0)


def test_a_change_of_size_is_refused(tmp_path):
    recorder = Recorder(tmp_path / "a.mp4", (64, 48), 30.0, wait=True)
    recorder.add(picture(0), 0.0)
    with pytest.raises(ExportError, match="size changed"):
        recorder.add(picture(0, 32, 32), 0.1)
    recorder.close()


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
    with pytest.raises(ExportError, match="could not be written further"):
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
@pytest.mark.parametrize(("whole", "seconds"), [(False, 0.5), (True, 1.4)])
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
