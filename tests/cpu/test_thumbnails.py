"""Small pictures: the key frame that PyAV decodes itself, the right way up, in the colors of the pipeline;
what is broken is refused.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from file_opens import Opens

from desktop.base.errors import SourceError
from desktop.media.display import small_rgb
from desktop.media.thumbnails import KeyFrameCache, KeyFrames, Thumbnail, thumbnail

BOUNDS = (96, 64)


def clip(path: Path, *, codec: str = "mpeg4", angle: int = 0, size=(192, 108), count: int = 50) -> Path:
    """A colored gradient that moves, with a bright block in the upper left corner, 25 pictures a second, a
    key frame each 10.
    """
    width, height = size
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25, options={"g": "10", "bf": "0", "sc_threshold": "0"})
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = width, height, "yuv420p", 8_000_000
        if angle:
            stream.set_display_rotation(angle)
        across = np.linspace(0, 200, width)[None, :]
        down = np.linspace(0, 200, height)[:, None]
        for index in range(count):
            pixels = np.zeros((height, width, 3), np.uint8)
            pixels[..., 0] = (across + 4 * index) % 201
            pixels[..., 1] = down
            pixels[..., 2] = 4 * index
            pixels[: height // 4, : width // 4] = 255
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = index, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def key_pictures(path: Path, size: tuple[int, int]) -> dict[float, np.ndarray]:
    """All key frames as PyAV decodes and scales them, by their times."""
    with av.open(str(path)) as container:
        frames = [frame for frame in container.decode(video=0) if frame.key_frame]
        # Below 720 lines a film that says nothing is BT.601 of limited range (docs/color.md); libswscale
        # rounds otherwise where it guesses.
        told = {"src_colorspace": 5, "dst_colorspace": 5, "src_color_range": 1, "dst_color_range": 2}
        return {float(f.time): f.reformat(*size, format="rgb24", **told).to_ndarray() for f in frames}


@pytest.mark.parametrize(("codec", "name"), [("mpeg4", "a.mp4"), ("mpeg4", "a.avi"), ("mpeg2video", "a.mkv")])
def test_a_place_shows_the_key_frame_before_it(tmp_path, codec, name):
    path = clip(tmp_path / name, codec=codec)
    expected = key_pictures(path, (96, 54))
    assert sorted(expected) == pytest.approx([0.0, 0.4, 0.8, 1.2, 1.6], abs=0.002)
    reader = KeyFrames(path)
    assert reader.seconds == pytest.approx(2.0, abs=0.05)
    for asked in (0.0, 1.99, 0.5, 1.25, 0.79):
        frame = reader.at(asked)
        at = max(time for time in expected if time <= asked + 1e-6)
        assert frame.pts == pytest.approx(at, abs=0.002)
        # Planes alone do not say where chroma lies, a decoded picture does: half a sample, 19 codes at the
        # hardest edge.
        difference = np.abs(small_rgb(frame, BOUNDS).astype(int) - expected[at])
        assert difference.mean() < 0.6 and difference.max() <= 24, asked
    reader.close()


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_turned_clip_stands_upright_with_its_own_shape(tmp_path, angle):
    plain = small_rgb(KeyFrames(clip(tmp_path / "plain.mp4")).at(0.0), (64, 64))
    made = thumbnail(clip(tmp_path / "turned.mp4", angle=angle), (64, 64))
    turned = small_rgb(KeyFrames(tmp_path / "turned.mp4").at(0.0), (64, 64))
    # FFmpeg counts anticlockwise, as NumPy does.
    assert turned.shape == np.rot90(plain, angle // 90).shape == made.pixels.shape
    assert np.abs(turned.astype(int) - np.rot90(plain, angle // 90)).mean() < 2


def test_wide_pixels_are_shown_wide(tmp_path):
    path = tmp_path / "wide.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        stream.codec_context.sample_aspect_ratio = Fraction(2, 1)
        frame = av.VideoFrame.from_ndarray(np.full((64, 64, 3), 90, np.uint8), format="rgb24")
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    assert thumbnail(path, (64, 64)).pixels.shape == (32, 64, 3)


def test_pictures_and_folders(tmp_path):
    pixels = np.zeros((60, 120, 3), np.uint8)
    pixels[:, :60] = (10, 120, 230)
    for name in ("10.png", "2.png"):
        cv2.imwrite(str(tmp_path / name), pixels if name == "2.png" else pixels[:, ::-1])
    made = thumbnail(tmp_path / "2.png", (60, 60)).pixels
    assert made.shape == (30, 60, 3)
    expected = cv2.resize(pixels[..., ::-1], (60, 30), interpolation=cv2.INTER_AREA)
    # Away from the edge, where the filters differ.
    assert np.abs(made.astype(int) - expected)[:, [5, 15, 45, 55]].max() <= 1
    assert np.array_equal(thumbnail(tmp_path, (60, 60)).pixels, made), (
        "of a folder the first, as a person counts"
    )


def test_what_is_not_wanted_any_more_is_not_made(tmp_path):
    path = clip(tmp_path / "a.mp4")
    assert thumbnail(path, BOUNDS, lambda: False) is None
    reader = KeyFrames(path)
    assert reader.at(1.0, lambda: False) is None and reader.at(1.0) is not None
    reader.close()


@pytest.mark.parametrize("data", [b"", b"no picture at all" * 10, b"\x89PNG\r\n\x1a\n" + bytes(60)])
def test_broken_files_are_refused_in_a_sentence(tmp_path, data):
    path = tmp_path / "broken.png"
    path.write_bytes(data)
    with pytest.raises(SourceError, match="broken"):
        thumbnail(path, BOUNDS)
    with pytest.raises(SourceError):
        thumbnail(tmp_path / "gone.mp4", BOUNDS)


def test_a_damaged_film_gives_a_picture_or_a_sentence(tmp_path):
    whole = clip(tmp_path / "a.mp4").read_bytes()
    random = np.random.default_rng(3)
    for number in range(30):
        data = bytearray(whole)
        for place in random.integers(0, len(data), 200):
            data[place] = random.integers(256)
        path = tmp_path / f"{number}.mp4"
        path.write_bytes(data)
        try:
            made = thumbnail(path, BOUNDS)
        except SourceError:
            continue
        assert made is None or made.pixels.shape == (54, 96, 3) or made.pixels.size


def test_keys_that_were_seen_stand_for_the_times_behind_them_within_their_memory():
    def made(at: float) -> Thumbnail:
        return Thumbnail(np.zeros((10, 10, 3), np.uint8), at)

    seen = KeyFrameCache(most_bytes=3 * 300)
    assert seen.find(1.0) is None
    seen.put(5.0, made(4.0))
    assert seen.find(4.0).at == seen.find(4.5).at == seen.find(5.0).at == 4.0
    assert seen.find(5.1) is None and seen.find(3.9) is None
    seen.put(7.0, made(4.0))
    assert seen.find(6.9).at == 4.0 and seen.nbytes == 300
    seen.put(9.0, made(8.0))
    assert seen.find(7.5) is None and seen.find(8.5).at == 8.0
    for at in (12.0, 16.0):
        assert seen.find(4.5) is not None
        seen.put(at, made(at))
    assert seen.nbytes == 900 and seen.find(8.5) is None, "what was used longest ago has gone"
    seen.put(1.0, made(1.5))
    assert seen.find(1.0) is not None, "a file whose index is wrong: what came is what there is"


def test_a_file_is_let_go_of(tmp_path):
    path = clip(tmp_path / "a.mp4")
    opens = Opens(path)
    assert thumbnail(path, BOUNDS).seconds == pytest.approx(2.0, abs=0.05)
    assert opens.count > 0
    descriptors = Path("/proc/self/fd")
    if sys.platform == "linux":  # Wine shows a folder of this name too
        assert path not in [each.readlink() for each in descriptors.iterdir() if each.is_symlink()]
