"""Copies of all planes of a frame at once: the same bytes as NumPy's, plane by plane, and none beside them."""

from __future__ import annotations

import sys

import av.video.frame
import numpy as np
import pytest

from desktop.media import plane_copies
from desktop.media.plane_copies import copy_planes
from desktop.media.sources._av_frames import FORMATS


class Guarded(np.ndarray):
    """An array that NumPy does not copy into."""

    def __setitem__(self, key, value):
        raise AssertionError("copied plane by plane")


def planes(name, width, height, padding, seed=None):
    """Return (memory, views) of a format's planes, each with rows that lie `padding` bytes further apart."""
    memory, views = [], []
    for fmt in FORMATS[name].planes:
        row = -(-width >> fmt.shift_x) * len(fmt.components) * fmt.bytes_per_component
        count = -(-height >> fmt.shift_y)
        whole = np.full((count, row + padding), 0xA5, np.uint8)
        if seed is not None:
            whole[:] = np.random.default_rng(seed + len(memory)).integers(0, 256, whole.shape, np.uint8)
        memory.append(whole)
        views.append(whole[:, :row])
    return memory, views


by_ffmpeg = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows does not search the libraries that a library needs"
)


@by_ffmpeg
@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("size", [(64, 32), (37, 11), (1, 1)])
def test_every_format_is_copied_by_one_call(name, size):
    _, sources = planes(name, *size, padding=19, seed=3)
    memory, targets = planes(name, *size, padding=32)
    copy_planes([each.view(Guarded) for each in targets], sources, name, *size)
    for whole, target, source in zip(memory, targets, sources, strict=True):
        np.testing.assert_array_equal(target, source)
        assert (whole[:, target.shape[1] :] == 0xA5).all()


@by_ffmpeg
def test_a_decoded_frame_is_copied_by_one_call():
    frame = av.VideoFrame.from_ndarray(
        np.random.default_rng(5).integers(0, 256, (36, 50, 3), np.uint8), "rgb24"
    )
    frame = frame.reformat(format="yuv420p")
    shapes = [(36, 50), (18, 25), (18, 25)]
    sources = [
        np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[:rows, :row]
        for plane, (rows, row) in zip(frame.planes, shapes, strict=True)
    ]
    targets = [np.zeros((rows, row + 7), np.uint8) for rows, row in shapes]
    copy_planes([t[:, :-7].view(Guarded) for t in targets], sources, "yuv420p", 50, 36)
    got = np.concatenate([t[:, :-7].reshape(-1) for t in targets])
    np.testing.assert_array_equal(got, frame.to_ndarray().reshape(-1))


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [
        ("yuv420p", 64, 34),  # a row more than there is
        ("yuv420p", 66, 32),
        ("yuv422p", 64, 32),
        ("nv12", 64, 32),
        ("yuva420p", 64, 32),
        ("no such format", 64, 32),
        ("yuv420p", -64, 32),
        ("yuv420p", 1 << 40, 32),
        ("yuv420p", 64, 0),
    ],
)
def test_what_the_size_does_not_agree_with_is_copied_plane_by_plane(name, width, height):
    _, sources = planes("yuv420p", 64, 32, padding=0, seed=1)
    memory, targets = planes("yuv420p", 64, 32, padding=8)
    copy_planes(targets, sources, name, width, height)
    for whole, source in zip(memory, sources, strict=True):
        np.testing.assert_array_equal(whole[:, :-8], source)
        assert (whole[:, -8:] == 0xA5).all()


def test_a_palette_is_no_plane():
    picture = np.arange(12, dtype=np.uint8).reshape(3, 4)
    target = np.zeros((3, 4), np.uint8)
    copy_planes([target], [picture], "pal8", 4, 3)
    np.testing.assert_array_equal(target, picture)


def test_numpy_copies_where_ffmpeg_is_not_found(monkeypatch, tmp_path):
    _, sources = planes("nv12", 20, 10, padding=4, seed=2)
    _, targets = planes("nv12", 20, 10, padding=0)
    for module in (str(tmp_path / "missing.so"), np._core._multiarray_umath.__file__):
        monkeypatch.setattr(av.video.frame, "__file__", module)
        for target in targets:
            target[...] = 0
        copy_planes(targets, sources, "nv12", 20, 10)
        for target, source in zip(targets, sources, strict=True):
            np.testing.assert_array_equal(target, source)
    assert plane_copies._images(np._core._multiarray_umath.__file__) is None


@pytest.mark.parametrize("cut", [np.s_[:-1], np.s_[:, :-1]])
def test_sources_that_are_smaller_are_not_read_beyond_their_ends(cut):
    _, sources = planes("yuv420p", 64, 32, padding=0, seed=3)
    _, targets = planes("yuv420p", 64, 32, padding=0)
    with pytest.raises(ValueError, match="broadcast"):
        copy_planes(targets, [source[cut] for source in sources], "yuv420p", 64, 32)


def test_bytes_that_lie_apart_are_copied_one_by_one():
    _, sources = planes("yuv420p", 64, 32, padding=0, seed=4)
    apart = [np.repeat(source, 2, axis=1)[:, ::2] for source in sources]
    _, targets = planes("yuv420p", 64, 32, padding=0)
    copy_planes(targets, apart, "yuv420p", 64, 32)
    for target, source in zip(targets, sources, strict=True):
        np.testing.assert_array_equal(target, source)
