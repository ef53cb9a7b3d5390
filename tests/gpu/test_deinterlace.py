"""Interlaced pictures: the GPU's filter against FFmpeg's bwdif, the order of fields, files."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest
from color_rig import run
from interlaced_rig import scene, woven_picture, write_interlaced

from desktop.media.frame import Fields, Frame
from desktop.media.sources._av_frames import frame_from_av
from desktop.media.sources._fields import FieldOrder, with_fields
from desktop.media.sources._video_reader import VideoReader
from desktop.pipeline.picture.upload import Uploader


@pytest.fixture(scope="module")
def uploader(gpu):
    made = Uploader(gpu)
    yield made
    made.close()


def _bwdif(pictures, top_first):
    """The same pictures as FFmpeg's filter makes them whole, one for one."""
    first = pictures[0]
    graph = av.filter.Graph()
    source = graph.add_buffer(
        width=first.width, height=first.height, format=first.format, time_base=Fraction(1, 25)
    )
    parity = "tff" if top_first else "bff"
    filtered = graph.add("bwdif", f"mode=send_frame:parity={parity}:deint=all")
    sink = graph.add("buffersink")
    source.link_to(filtered)
    filtered.link_to(sink)
    graph.configure()
    for picture in pictures:
        graph.push(picture)
    graph.push(None)
    made = []
    while len(made) < len(pictures):
        made.append(graph.pull())
    return made


def _frames(pictures):
    return [frame_from_av(picture) for picture in pictures]


@pytest.mark.parametrize("top_first", [True, False])
@pytest.mark.parametrize("name", ["yuv420p", "nv12", "yuv422p10le", "gray"])
def test_it_is_bwdif(gpu, uploader, name, top_first):
    pictures = [woven_picture(name, (64, 48), index, top_first) for index in range(4)]
    wanted = _frames(_bwdif(pictures, top_first))
    frames = _frames(pictures)
    for place in (1, 2):
        fields = Fields(top_first, frames[place - 1].planes, frames[place + 1].planes)
        got = run(gpu, uploader, _with(frames[place], fields))
        want = run(gpu, uploader, wanted[place])
        # bwdif rounds to whole codes; R'G'B' stretches those of luma by 1.2 and of chroma by up to 2.1. In
        # the outermost lines of more than 8 bits it is another filter than with 8.
        inner = slice(2, -2) if name.endswith("le") else slice(None)
        assert np.abs(got - want)[inner].max() <= (1.1 if name == "gray" else 3.5) / 255
        assert np.abs(got - want)[inner].mean() <= 0.3 / 255
        woven = run(gpu, uploader, frames[place])
        assert np.abs(woven - want).max() > 0.3


def _with(frame, fields):
    return Frame(frame.planes, frame.format, frame.width, frame.height, frame.color, fields=fields)


def test_what_stands_still_stays_as_it_is(gpu, uploader):
    picture = woven_picture("yuv420p", (64, 48), 0, top_first=True)
    for plane, shape in zip(picture.planes, ((48, 64), (24, 32), (24, 32)), strict=True):
        still = np.zeros((plane.height, plane.line_size), np.uint8)
        still[:, : shape[1]] = np.random.default_rng(3).integers(16, 235, shape)
        plane.update(still.tobytes())
    frame = frame_from_av(picture)
    got = run(gpu, uploader, _with(frame, Fields(True, frame.planes, frame.planes)))
    np.testing.assert_allclose(got, run(gpu, uploader, frame), atol=1e-3)


def test_a_switched_off_deinterlacer_shows_the_fieldswoven_picture(gpu):
    uploader = Uploader(gpu)
    frames = _frames([woven_picture("yuv420p", (64, 48), index, top_first=True) for index in range(3)])
    frame = _with(frames[1], Fields(True, frames[0].planes, frames[2].planes))
    whole = run(gpu, uploader, frame)
    uploader.deinterlaces = False
    np.testing.assert_array_equal(run(gpu, uploader, frame), run(gpu, uploader, frames[1]))
    uploader.deinterlaces = True
    np.testing.assert_array_equal(run(gpu, uploader, frame), whole)
    uploader.close()


@pytest.mark.parametrize("missing", ["before", "after"])
def test_at_a_cut_the_field_stands_alone(gpu, uploader, missing):
    frames = _frames([woven_picture("gray", (64, 48), index, top_first=True) for index in range(3)])
    beside = {"before": frames[0].planes, "after": frames[2].planes} | {missing: None}
    got = run(gpu, uploader, _with(frames[1], Fields(True, **beside)))[..., 0]
    # The earlier field alone, its lines interpolated by cubic weights: near the scene of its moment.
    now = scene((64, 48), 1.0, (48, 64)) * 219 / 255 + 16 / 255
    assert np.abs(got[0::2] - now[0::2]).max() < 0.01
    assert np.abs(got - now).mean() < 0.05


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 5), (16, 9)])
@pytest.mark.parametrize("name", ["yuv420p", "gray"])
def test_small_and_odd_pictures(gpu, uploader, name, size):
    frames = _frames([woven_picture(name, size, index, top_first=True) for index in range(3)])
    got = run(gpu, uploader, _with(frames[1], Fields(True, frames[0].planes, frames[2].planes)))
    assert got.shape == (size[1], size[0], 4)
    assert np.isfinite(got).all()


@pytest.mark.parametrize("top_first", [True, False])
@pytest.mark.parametrize("codec", ["mpeg2video", "dvvideo"])
def test_the_order_is_told_from_what_moves(codec, top_first):
    order = FieldOrder(codec)
    assert order.top_first == (codec != "dvvideo")
    frames = _frames([woven_picture("yuv420p", (96, 64), index, top_first) for index in range(3)])
    seen = with_fields(frames[1], frames[0], frames[2], order)
    assert order.top_first == top_first
    assert seen.fields == Fields(top_first, frames[0].planes, frames[2].planes)


def test_a_neighbor_of_another_size_is_none():
    small, frame = (
        frame_from_av(woven_picture("gray", size, 0, top_first=True)) for size in ((32, 32), (64, 48))
    )
    seen = with_fields(frame, small, None, FieldOrder("mpeg2video"))
    assert seen.fields == Fields(True, None, None)


def test_a_file_that_is_interlaced(tmp_path):
    path = tmp_path / "fields.mpg"
    write_interlaced(path, top_first=False)
    reader = VideoReader(path)
    frames = list(reader)
    assert reader.facts.detail["fields"] == "interlaced"
    assert all(frame.fields is not None for frame in frames)
    assert frames[0].fields.before is None and frames[0].fields.after is not None
    assert frames[-1].fields.after is None and frames[-1].fields.before is not None
    # Nothing was seen before the second picture, which has both neighbors.
    assert [frame.fields.top_first for frame in frames[1:-1]] == [False] * (len(frames) - 2)
    middle = frames[6]
    want = [bytes(plane.data) for plane in frames[5].planes]
    assert [bytes(plane.data) for plane in middle.fields.before] == want
    reader.seek(middle.pts)
    again = reader.read()
    assert again.pts == middle.pts
    assert [bytes(plane.data) for plane in again.fields.after] == [bytes(p.data) for p in frames[7].planes]
    reader.close()


def test_a_file_that_is_not_interlaced(tmp_path):
    path = tmp_path / "whole.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", 25)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        for index in range(3):
            container.mux(stream.encode(woven_picture("yuv420p", (96, 64), index, top_first=True)))
        container.mux(stream.encode())
    reader = VideoReader(path)
    assert [frame.fields for frame in reader] == [None] * 3
    reader.close()
