"""From decoded pictures to frames: formats, color descriptions, orientation, refusals."""

from __future__ import annotations

import gc
import itertools
import struct
from fractions import Fraction
from types import SimpleNamespace

import av
import numpy as np
import pytest
from av.video.format import names as ffmpeg_names

from desktop.base.errors import SourceDamagedError, SourceUnsupportedError
from desktop.media.display import rgb_of
from desktop.media.frame import ColorInfo
from desktop.media.sources._av_frames import (
    FORMATS,
    StreamTraits,
    TraitsOfFrames,
    check_size,
    color_note,
    color_of,
    frame_from_av,
    nearest_format,
    orientation,
    peak_nits,
    sane_aspect,
)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_format_tables_agree_with_ffmpeg(name):
    """Every plane is as FFmpeg describes it: components, order, depth, subsampling, rows."""
    theirs, ours = av.VideoFormat(name, 64, 32), FORMATS[name]
    alpha = any(c.is_alpha for c in theirs.components)
    assert ours.has_alpha == alpha
    assert ours.is_yuv == (not theirs.is_rgb and len(theirs.components) - alpha == 3)
    assert ours.bits == max(c.bits for c in theirs.components)
    letters = [set(plane.components) - {"X"} for plane in ours.planes]
    assert len(set().union(*letters)) == len(theirs.components)
    picture = av.VideoFrame(64, 32, name)
    assert len(picture.planes) == len(ours.planes)
    for component in theirs.components:
        plane = ours.planes[component.plane]
        packed = plane.components.count("Y") == 2
        shifts = (0, 0) if component.is_luma and packed else (plane.shift_x, plane.shift_y)
        assert (component.width, component.height) == (64 >> shifts[0], 32 >> shifts[1])
    frame = frame_from_av(picture)
    for plane, theirs_plane, fmt in zip(frame.planes, picture.planes, ours.planes, strict=True):
        assert plane.height == theirs_plane.height
        assert plane.width * len(fmt.components) * fmt.bytes_per_component <= theirs_plane.line_size
        assert plane.stride * plane.height <= memoryview(plane.data).nbytes


def test_every_format_has_a_nearest():
    hardware = {name for name in ffmpeg_names if not av.VideoFormat(name).components}
    for name in set(ffmpeg_names) - hardware:
        assert nearest_format(name) in FORMATS


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("yuv420p", "yuv420p"),
        ("yuv420p10be", "yuv420p10le"),
        ("pal8", "rgba"),
        ("rgb8", "rgb24"),
        ("rgb565le", "rgb24"),
        ("rgb48be", "rgb48le"),
        ("monob", "gray"),
        ("gray10be", "gray10le"),
        ("ya16be", "ya16le"),
        ("y210le", "yuv422p10le"),
    ],
)
def test_nearest_format(name, nearest):
    assert nearest_format(name) == nearest


def _described(width=320, height=240, colorspace=2, color_range=0, color_trc=2, color_primaries=2):
    return SimpleNamespace(
        width=width, height=height, colorspace=colorspace, color_range=color_range, color_trc=color_trc,
        color_primaries=color_primaries,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("width", "height", "matrix"),
    [
        (640, 480, "bt601"),
        (720, 576, "bt601"),
        (1279, 719, "bt601"),
        (1280, 534, "bt709"),
        (960, 720, "bt709"),
        (3840, 2160, "bt709"),
    ],
)
def test_untagged_video(width, height, matrix):
    assert color_of(_described(width, height), FORMATS["yuv420p"]) == ColorInfo(
        matrix, "limited", "sdr", "bt709", False
    )


@pytest.mark.parametrize(
    ("fields", "name", "color"),
    [
        # H.273 code points: matrix 1 BT.709, 5 and 6 BT.601, 7 SMPTE 240M, 8 YCgCo, 9 BT.2020.
        ({"colorspace": 1}, "yuv420p", ColorInfo("bt709")),
        ({"colorspace": 5, "color_primaries": 5}, "yuv420p", ColorInfo("bt601", primaries="bt601-625")),
        ({"colorspace": 6, "color_primaries": 6}, "yuv420p", ColorInfo("bt601", primaries="bt601-525")),
        ({"colorspace": 7}, "yuv420p", ColorInfo("smpte240m")),
        ({"colorspace": 4}, "yuv420p", ColorInfo("fcc")),
        ({"colorspace": 8}, "yuv444p", ColorInfo("ycgco")),
        ({"colorspace": 9, "color_trc": 16}, "yuv420p10le", ColorInfo("bt2020", "limited", "pq", "bt2020")),
        (
            {"colorspace": 9, "color_trc": 18, "color_range": 2},
            "p010le",
            ColorInfo("bt2020", "full", "hlg", "bt2020"),
        ),
        (
            {"colorspace": 9, "color_primaries": 9, "color_trc": 14},
            "yuv420p",
            ColorInfo("bt2020", primaries="bt2020"),
        ),
        ({"colorspace": 9}, "yuv420p", ColorInfo("bt2020")),
        ({"color_primaries": 12, "color_trc": 13}, "rgb24", ColorInfo("rgb", "full", "srgb", "p3")),
        ({"color_range": 1}, "rgb24", ColorInfo("rgb", "full")),
        ({"color_trc": 8}, "gbrpf32le", ColorInfo("rgb", "full", "linear")),
        ({}, "yuvj420p", ColorInfo("bt601", "full")),
        ({"color_range": 2}, "yuv420p", ColorInfo("bt601", "full")),
        ({}, "gray", ColorInfo("bt601", "full")),
        ({"color_range": 1}, "gray10le", ColorInfo("bt601", "limited")),
        # A matrix of 0 is RGB; in a format that is not, it can only be a mistake.
        ({"colorspace": 0, "width": 1920, "height": 1080}, "yuv420p", ColorInfo("bt709")),
        ({"colorspace": 77, "color_trc": 77, "color_primaries": 77}, "yuv420p", ColorInfo("bt601")),
    ],
)
def test_code_points(fields, name, color):
    assert color_of(_described(**fields), FORMATS[name]) == color


def test_what_is_not_honored_is_said():
    assert color_note(_described(colorspace=9)) is None
    for code in (10, 14):
        assert "read as" in color_note(_described(colorspace=code))


def test_orientation_of_all_eight_matrices():
    for clockwise, mirrored in itertools.product((0, 90, 180, 270), (False, True)):
        turn = np.rint(
            [[np.cos(np.radians(clockwise)), -np.sin(np.radians(clockwise))],
             [np.sin(np.radians(clockwise)), np.cos(np.radians(clockwise))]]
        )  # fmt: skip
        placed = turn @ np.diag([-1 if mirrored else 1, 1])
        (a, c), (b, d) = (placed * 65536).astype(int).tolist()
        assert orientation((a, b, 0, c, d, 0, 0, 0, 1 << 30)) == (clockwise, mirrored)
    assert orientation((0,) * 9) == (0, False)
    # 7 degrees askew is upright.
    assert orientation((65048, 7987, 0, -7987, 65048, 0, 0, 0, 1 << 30)) == (0, False)


@pytest.mark.parametrize(
    ("aspect", "sane"),
    [
        (None, 1),
        (Fraction(0), 1),
        (Fraction(-1, 2), 1),
        (Fraction(10**6), 1),
        (Fraction(1, 10**6), 1),
        (Fraction(16, 11), Fraction(16, 11)),
    ],
)
def test_sane_aspect(aspect, sane):
    assert sane_aspect(aspect) == sane


def _side_data(name, data):
    class Item(bytes):
        type = SimpleNamespace(name=name)

    return Item(data)


@pytest.mark.parametrize("stated", [None, Fraction(1), Fraction(4, 3)])
def test_a_shape_of_pixels_that_the_container_states_otherwise_stays(stated):
    context = SimpleNamespace(name="h264", sample_aspect_ratio=stated)
    stream = SimpleNamespace(sample_aspect_ratio=Fraction(2), codec_context=context)
    traits, frame = TraitsOfFrames(stream), SimpleNamespace(key_frame=True)
    assert traits.of(frame).pixel_aspect == 2
    context.sample_aspect_ratio = Fraction(16, 9)
    assert traits.of(frame).pixel_aspect == 2


def test_peak_nits():
    mastering = _side_data(
        "MASTERING_DISPLAY_METADATA", struct.pack("=22i", *([0] * 18), 40000000, 10000, 1, 1)
    )
    light = _side_data("CONTENT_LIGHT_LEVEL", struct.pack("=2I", 1200, 400))
    silent = _side_data("CONTENT_LIGHT_LEVEL", struct.pack("=2I", 0, 0))
    cut = _side_data("CONTENT_LIGHT_LEVEL", b"\x01")
    assert peak_nits([]) == 0.0
    assert peak_nits([mastering]) == 4000.0
    assert peak_nits([mastering, light]) == 1200.0
    assert peak_nits([silent, cut]) == 0.0


@pytest.mark.parametrize("size", [(64, 32), (1280, 720)])
def test_digital_cinema_has_its_colors_at_every_size(size):
    """JPEG 2000 for cinemas has CIE X'Y'Z' with a gamma of 2.6 (SMPTE ST 428-1); here from R'G'B' of BT.709."""
    expected = np.array((0.9, 0.3, 0.14))
    to_xyz = np.array(
        (
            (0.4124564, 0.3575761, 0.1804375),
            (0.2126729, 0.7151522, 0.0721750),
            (0.0193339, 0.1191920, 0.9503041),
        )
    )
    code = np.round((to_xyz @ expected**2.2) ** (1 / 2.6) * 4095).astype("<u2") << 4
    picture = av.VideoFrame(*size, "xyz12le")
    row = np.zeros(picture.planes[0].line_size // 2, "<u2")
    row[: 3 * size[0]] = np.tile(code, size[0])
    picture.planes[0].update(np.tile(row, size[1]).tobytes())
    found = rgb_of(frame_from_av(picture)) / 255
    assert np.abs(found - expected).max() < 0.01


def test_pictures_are_freed_without_the_cycle_collector():
    """A picture that waits for the collector is 12 MB at 3840 x 2160, and there are 60 a second of them."""

    def pictures() -> int:
        return sum(type(each) is av.VideoFrame for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = pictures()
        for _ in range(3):
            frame = frame_from_av(av.VideoFrame(64, 48, "yuv420p"))
        assert pictures() == before + 1
        del frame
        assert pictures() == before
    finally:
        gc.enable()


def test_sizes_are_checked():
    check_size(16384, 1)
    with pytest.raises(SourceUnsupportedError, match="16385 x 2 pixels is larger"):
        check_size(16385, 2)
    with pytest.raises(SourceDamagedError):
        check_size(0, 10)


def test_traits_reach_the_frame():
    traits = StreamTraits(rotation=270, mirrored=True, pixel_aspect=Fraction(3, 2), chroma_centered=True)
    frame = frame_from_av(
        av.VideoFrame(40, 20, "nv12"), traits=traits, pts=1.5, duration=0.5, captured_at=9.0, index=4
    )
    assert (frame.rotation, frame.mirrored, frame.pixel_aspect) == (270, True, Fraction(3, 2))
    assert frame.display_size == (20, 60)
    assert frame.color.chroma_centered
    assert (frame.pts, frame.duration, frame.captured_at, frame.index) == (1.5, 0.5, 9.0, 4)


def test_conversion_keeps_the_picture():
    gray = av.VideoFrame.from_ndarray(np.full((8, 8, 3), 77, np.uint8), format="rgb24").reformat(
        format="rgb565le"
    )
    frame = frame_from_av(gray)
    assert frame.format.name == "rgb24"
    assert np.abs(np.frombuffer(memoryview(frame.planes[0].data), np.uint8)[:24].astype(int) - 77).max() <= 8
