"""Transparency from a file to a file: kept where it is asked for, over black elsewhere, and never the colors
that it hides.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from desktop.base.errors import UsageError
from desktop.outputs.encoders import choose
from desktop.outputs.encoding import Encoding
from desktop.outputs.forecast import foresee
from desktop.outputs.recording import Recorder
from desktop.outputs.still import write_image
from desktop.outputs.transparency import over_black

SIZE = (96, 64)


def picture() -> np.ndarray:
    """Red at the left, opaque; half-transparent white in the middle; at the right green that is hidden; uint8
    R'G'B'A.
    """
    made = np.zeros((SIZE[1], SIZE[0], 4), np.uint8)
    made[:, :32] = (200, 30, 30, 255)
    made[:, 32:64] = (255, 255, 255, 128)
    made[:, 64:] = (0, 255, 0, 0)
    return made


def columns(image: np.ndarray) -> np.ndarray:
    """The means of the three parts, away from their borders; float64 [3, channels]."""
    return np.stack([image[8:-8, left + 8 : left + 24].mean((0, 1)) for left in (0, 32, 64)])


def record(path: Path, encoding: Encoding | None = None) -> tuple[str, ...]:
    recorder = Recorder(path, SIZE, 25.0, encoding, wait=True)
    for index in range(5):
        recorder.add(picture(), index / 25.0, 1 / 25.0)
    recorder.close()
    return recorder.notes


def decoded(path: Path, decoder: str = "") -> np.ndarray:
    """The third picture as R'G'B'A, by FFmpeg's own conversion."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        context = av.CodecContext.create(decoder, "r") if decoder else stream.codec_context
        frames = [frame for packet in container.demux(stream) for frame in context.decode(packet)]
        frames[2].colorspace = stream.codec_context.colorspace  # VP8 itself says nothing of it
    return frames[2].to_ndarray(format="rgba")


@pytest.mark.parametrize(
    ("name", "codec", "decoder"),
    [
        ("a.webm", "", "libvpx-vp9"),
        ("a.webm", "vp8", "libvpx"),
        ("a.mov", "", ""),
        ("a.mkv", "", "libvpx-vp9"),
        ("a.mkv", "ffv1", ""),
    ],
)
def test_alpha_is_kept_where_it_is_asked_for(tmp_path, name, codec, decoder):
    notes = record(tmp_path / name, Encoding(codec=codec, alpha=True))
    found = columns(decoded(tmp_path / name, decoder))
    np.testing.assert_allclose(found[:, 3], (255, 128, 0), atol=4)
    np.testing.assert_allclose(found[0, :3], (200, 30, 30), atol=8)
    np.testing.assert_allclose(found[1, :3], (255, 255, 255), atol=8)
    assert notes == ()


@pytest.mark.parametrize("name", ["a.webp", "a.gif"])
def test_alpha_is_kept_by_files_that_always_hold_it(tmp_path, name):
    notes = record(tmp_path / name)
    if name == "a.webp":
        assert notes == ()
    else:  # FFmpeg's decoder of WebP knows no animation
        assert len(notes) == 1 and "half-transparent" in notes[0]
        np.testing.assert_array_equal(columns(decoded(tmp_path / name))[[0, 2], 3], (255, 0))


@pytest.mark.parametrize("name", ["a.mp4", "a.webm", "a.mov", "a.mkv"])
def test_other_files_have_black_there_and_say_so(tmp_path, name):
    notes = record(tmp_path / name)
    expected = [(200, 30, 30), (128, 128, 128), (0, 0, 0)]
    np.testing.assert_allclose(columns(decoded(tmp_path / name))[:, :3], expected, atol=10)
    assert len(notes) == 1 and "over black" in notes[0] and "--alpha" in notes[0]


def test_nothing_is_said_of_opaque_pictures(tmp_path):
    recorder = Recorder(tmp_path / "a.mp4", SIZE, 25.0, wait=True)
    opaque = picture()
    opaque[..., 3] = 255
    recorder.add(opaque, 0.0)
    recorder.close()
    assert recorder.notes == ()
    assert over_black(opaque) is opaque


@pytest.mark.parametrize(("name", "codec"), [("a.mp4", ""), ("a.webm", "av1"), ("a.mkv", "h264")])
def test_what_holds_no_alpha_is_refused_with_what_does(name, codec):
    with pytest.raises(UsageError, match=r"holds no transparency; choose .*\.mov.*\.webm"):
        choose(Path(name), Encoding(codec=codec, alpha=True), SIZE)


@pytest.mark.parametrize("name", ["a.jpg", "a.bmp"])
def test_stills_without_alpha_have_black_there(tmp_path, name):
    write_image(picture(), tmp_path / name)
    with av.open(str(tmp_path / name)) as container:
        found = next(container.decode(video=0)).to_ndarray(format="rgb24")
    np.testing.assert_allclose(columns(found), [(200, 30, 30), (128, 128, 128), (0, 0, 0)], atol=6)


def test_over_black_rounds_to_the_nearest():
    values = np.arange(256, dtype=np.uint8)
    for alpha in (0, 1, 127, 128, 254):
        pixels = np.stack([values, values, values, np.full(256, alpha, np.uint8)], 1)[None]
        expected = np.rint(values.astype(np.float64) * alpha / 255)
        np.testing.assert_array_equal(over_black(pixels)[0, :, 0], expected)


def transparent_video(path: Path, codec: str) -> Path:
    """Ten pictures with a transparent part, by FFmpeg's encoder."""
    options = {"auto-alt-ref": "0", "crf": "10", "b": "1M"} if "vpx" in codec else {}
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25, options=options)
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuva420p" if "vpx" in codec else "yuva444p10le"
        stream.gop_size = 4
        for index in range(10):
            frame = av.VideoFrame.from_ndarray(picture(), format="rgba").reformat(format=stream.pix_fmt)
            frame.pts, frame.time_base = index, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize(
    ("name", "codec"), [("a.webm", "libvpx-vp9"), ("b.webm", "libvpx"), ("a.mov", "prores_ks")]
)
def test_alpha_of_a_video_is_decoded_and_stays_after_seeks(tmp_path, name, codec):
    from desktop.media.sources._video_reader import VideoReader

    reader = VideoReader(transparent_video(tmp_path / name, codec))
    try:
        frames = list(reader)
        assert len(frames) == 10 and all(frame.format.has_alpha for frame in frames)
        for seconds in (0.28, 0.0, 0.2):
            reader.seek(seconds)
            frame = reader.read()
            assert frame is not None and frame.pts == pytest.approx(seconds, abs=1e-3)
            plane = frame.planes[3]
            size = frame.format.planes[3].bytes_per_component
            row = np.frombuffer(plane.data, np.uint16 if size == 2 else np.uint8)[: plane.width]
            assert row[8] > 0.98 * row.max() and row[-8] <= 0.02 * row.max()
    finally:
        reader.close()


def test_a_build_without_the_decoder_says_that_alpha_is_missing(tmp_path, monkeypatch):
    from desktop.media.sources import _alpha
    from desktop.media.sources._video_reader import VideoReader

    path = transparent_video(tmp_path / "a.webm", "libvpx-vp9")
    monkeypatch.setitem(_alpha._DECODERS, "vp9", "a decoder that is not there")
    reader = VideoReader(path)
    try:
        assert reader.notice is not None and "shown without it" in reader.notice
        assert "not decoded" in reader.facts.detail["transparency"]
        assert len(list(reader)) == 10
    finally:
        reader.close()


def test_an_export_says_before_it_begins_that_transparency_goes(tmp_path):
    source = transparent_video(tmp_path / "a.webm", "libvpx-vp9")
    lost = foresee(source, SIZE, 25.0, tmp_path / "out.mp4", Encoding())
    assert any("transparency" in note and "--alpha" in note for note in lost.differs)
    kept = foresee(source, SIZE, 25.0, tmp_path / "out.webm", Encoding(alpha=True))
    assert not any("transparency" in note for note in kept.differs)
