"""The color pass against NumPy in float64, against libswscale, and against the recommendations' check points."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest
from av.video.reformatter import Interpolation
from color_rig import eetf, hlg_to_nits, pq_inverse, random_frame, reference, run, srgb

from desktop.media.frame import NV12, RGBA, YUV420P, ColorInfo, Frame, Plane
from desktop.media.sources._av_frames import FORMATS, StreamTraits, frame_from_av, nearest_format
from desktop.media.sources._video_reader import VideoReader
from desktop.pipeline.picture.upload import Uploader

# Half floats have 11 significant bits: 1/2048 below 1.0; the rest is float32 arithmetic.
_HALF = 1.5e-3
# HDR curves are steep near black and BT.2087 prints four decimals.
_CURVE = 6e-3
_QUALITY = (
    Interpolation.BICUBIC
    | Interpolation.ACCURATE_RND
    | Interpolation.FULL_CHR_H_INT
    | Interpolation.FULL_CHR_H_INP
)
_SWS = {"bt601": "ITU601", "bt709": "ITU709", "bt2020": "BT2020", "fcc": "FCC", "smpte240m": "SMPTE240M"}


@pytest.fixture(scope="module")
def uploader(gpu):
    made = Uploader(gpu)
    yield made
    made.close()


def _check(gpu, uploader, frame, tolerance=_HALF):
    got, want = run(gpu, uploader, frame), reference(frame)
    assert got.shape == want.shape
    assert np.abs(got - want).max() <= tolerance


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_pixel_format_matches_numpy(gpu, uploader, name):
    fmt = FORMATS[name]
    color = ColorInfo(matrix="bt709", range="limited" if fmt.is_yuv else "full")
    _check(gpu, uploader, random_frame(fmt, 13, 7, seed=1, color=color))


@pytest.mark.parametrize("matrix", ["bt601", "bt709", "bt2020", "fcc", "smpte240m", "ycgco"])
@pytest.mark.parametrize("value_range", ["limited", "full"])
@pytest.mark.parametrize("name", ["yuv420p", "yuv422p10le", "p010le"])
def test_matrix_and_range(gpu, uploader, matrix, value_range, name):
    frame = random_frame(FORMATS[name], 10, 6, seed=2, color=ColorInfo(matrix=matrix, range=value_range))
    _check(gpu, uploader, frame)


@pytest.mark.parametrize("name", ["yuv420p", "yuv422p", "yuv440p", "yuv411p", "yuv410p", "nv12", "yuyv422"])
@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("size", [(8, 8), (9, 5), (1, 1), (2, 3)])
def test_chroma_siting_and_odd_sizes(gpu, uploader, name, centered, size):
    color = ColorInfo(chroma_centered=centered)
    _check(gpu, uploader, random_frame(FORMATS[name], *size, seed=3, color=color))


def test_black_white_and_primaries_of_limited_bt709_are_exact(gpu, uploader):
    # Y'CbCr of black, white, red, green and blue at 75% and 100% (BT.709-6, items 3.4 to 3.6, 8 bits).
    codes = [
        (16, 128, 128),
        (235, 128, 128),
        (63, 102, 240),
        (173, 42, 26),
        (32, 240, 118),
        (1, 128, 128),
        (254, 128, 128),
    ]
    want = [(0, 0, 0), (1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), (1, 1, 1)]
    planes = tuple(
        Plane(np.array([[c[i] for c in codes]], np.uint8), len(codes), len(codes), 1) for i in range(3)
    )
    got = run(gpu, uploader, Frame(planes, FORMATS["yuv444p"], len(codes), 1))
    assert np.abs(got[0, :, :3] - np.array(want)).max() < 1.6 / 255  # codes are rounded to integers
    assert got[0, 0, :3].max() < 1e-3 and got[0, 1, :3].min() > 1 - 1e-3
    assert (got[..., 3] == 1).all()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("aspect", [Fraction(1), Fraction(4, 3), Fraction(3, 4), Fraction(5, 2)])
def test_orientation_and_pixel_aspect(gpu, uploader, rotation, mirrored, aspect):
    frame = random_frame(
        FORMATS["yuva420p"], 12, 8, seed=4, rotation=rotation, mirrored=mirrored, pixel_aspect=aspect
    )
    got, want = run(gpu, uploader, frame), reference(frame)
    assert got.shape[:2] == frame.display_size[::-1] == want.shape[:2]
    if aspect == 1:
        assert np.abs(got - want).max() <= _HALF
    else:
        # Where nearly clear pixels meet, the division by alpha magnifies rounding: compare what is seen.
        assert np.abs(got[..., :3] * got[..., 3:] - want[..., :3] * want[..., 3:]).max() <= 2 * _HALF
        assert np.abs(got[..., 3] - want[..., 3]).max() <= _HALF


def test_alpha_is_straight(gpu, uploader):
    pixels = np.array([[[255, 0, 0, 128], [10, 20, 30, 0]]], np.uint8)
    got = run(gpu, uploader, Frame((Plane(pixels, 8, 2, 1),), RGBA, 2, 1, ColorInfo("rgb", "full")))
    assert np.abs(got[0] - pixels[0] / 255).max() < 1e-3


# -- HDR and wide gamut --------------------------------------------------------------------------------------


@pytest.mark.parametrize("transfer", ["pq", "hlg"])
@pytest.mark.parametrize("peak", [0.0, 150.0, 600.0, 4000.0])
def test_hdr_matches_numpy(gpu, uploader, transfer, peak):
    color = ColorInfo("bt2020", "limited", transfer, "bt2020")
    _check(
        gpu,
        uploader,
        random_frame(FORMATS["yuv444p10le"], 16, 16, seed=5, color=color, peak_nits=peak),
        _CURVE,
    )


@pytest.mark.parametrize("transfer", ["sdr", "srgb", "linear"])
def test_wide_gamut_matches_numpy(gpu, uploader, transfer):
    color = ColorInfo("rgb", "full", transfer, "bt2020")
    _check(gpu, uploader, random_frame(FORMATS["rgb48le"], 16, 16, seed=6, color=color), _CURVE)


def test_display_p3_primaries(gpu, uploader):
    # sRGB red in Display P3 coordinates (CSS Color 4's sample conversion): (0.9175, 0.2003, 0.1386).
    pixels = np.round(np.array([[[0.9175, 0.2003, 0.1386]]]) * 65535).astype("<u2")
    frame = Frame((Plane(pixels, 6, 1, 1),), FORMATS["rgb48le"], 1, 1, ColorInfo("rgb", "full", "srgb", "p3"))
    assert np.abs(run(gpu, uploader, frame)[0, 0, :3] - (1, 0, 0)).max() < 0.01


def test_bt601_primaries_are_left_alone(gpu, uploader):
    a = random_frame(FORMATS["yuv444p"], 6, 6, seed=7, color=ColorInfo(primaries="bt601-525"))
    b = random_frame(FORMATS["yuv444p"], 6, 6, seed=7, color=ColorInfo(primaries="bt709"))
    assert np.array_equal(run(gpu, uploader, a), run(gpu, uploader, b))


def _gray(gpu, uploader, code: float, transfer: str, peak: float = 0.0) -> np.ndarray:
    value = round(code * 65535)
    pixels = np.full((1, 1, 3), value, "<u2")
    color = ColorInfo("rgb", "full", transfer, "bt2020")
    return run(
        gpu, uploader, Frame((Plane(pixels, 6, 1, 1),), FORMATS["rgb48le"], 1, 1, color, peak_nits=peak)
    )[0, 0, :3]


def test_bt2408_reference_levels(gpu, uploader):
    """BT.2408-7, table 1: HDR reference white is 75% HLG or 58% PQ; 18% gray is 38% either way (26 cd/m2)."""
    assert hlg_to_nits(np.array([0.75, 0.75, 0.75]))[0] == pytest.approx(203, abs=1)
    assert pq_inverse(203) == pytest.approx(0.58, abs=0.005)
    hlg, pq = _gray(gpu, uploader, 0.75, "hlg"), _gray(gpu, uploader, 0.5807, "pq")
    # Both systems agree, are neutral, and land near SDR white: BT.2390's knee keeps the top tenth for
    # highlights.
    assert np.abs(hlg - pq).max() < 0.005 and np.ptp(hlg) < 2e-3
    assert 0.85 < hlg[0] < 0.95
    assert hlg[0] == pytest.approx(float(srgb(eetf(np.array(203.0), 1000.0) / 203)), abs=2e-3)
    # 18% gray is below the knee, so its light is kept.
    assert _gray(gpu, uploader, pq_inverse(26.0), "pq")[0] == pytest.approx(float(srgb(26 / 203)), abs=2e-3)


def test_hdr_ends(gpu, uploader):
    for transfer in ("pq", "hlg"):
        assert np.abs(_gray(gpu, uploader, 0.0, transfer)).max() < 1e-3
        assert np.abs(_gray(gpu, uploader, 1.0, transfer) - 1).max() < 3e-3
    # A stream that is no brighter than SDR white is not compressed at all.
    assert _gray(gpu, uploader, pq_inverse(203.0), "pq", peak=203.0)[0] == pytest.approx(1.0, abs=2e-3)


def test_hdr_is_monotonic(gpu, uploader):
    ramp = np.repeat(np.linspace(0, 65535, 512).round().astype("<u2")[None, :, None], 3, axis=2)
    for transfer in ("pq", "hlg"):
        color = ColorInfo("rgb", "full", transfer, "bt2020")
        frame = Frame(
            (Plane(np.ascontiguousarray(ramp), 512 * 6, 512, 1),), FORMATS["rgb48le"], 512, 1, color
        )
        assert (np.diff(run(gpu, uploader, frame)[0, :, 0]) >= -1e-3).all()


# -- libswscale ----------------------------------------------------------------------------------------------


def _smooth_picture(width=64, height=48):
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    waves = [np.sin(x / 18 + k) * np.cos(y / 14 - k) for k in range(4)]
    return np.stack([127.5 + 110 * w for w in waves], axis=-1).round().astype(np.uint8)


def _swscale(picture, frame):
    """Return libswscale's R'G'B' (height, width, 3) in 0..1 of a decoded picture, in display orientation."""
    done = picture.reformat(
        format="rgb24",
        interpolation=_QUALITY,
        src_colorspace=_SWS.get(frame.color.matrix),
        src_color_range="JPEG" if frame.color.range == "full" else "MPEG",
        dst_color_range="JPEG",
    )
    rgb = done.to_ndarray() / 255.0
    return np.rot90(rgb[:, ::-1] if frame.mirrored else rgb, -frame.rotation // 90)


_ENCODABLE = sorted(
    name
    for name in FORMATS
    if av.VideoFormat(name).is_rgb is not None and not name.startswith("yuvj") and "f32" not in name
)


@pytest.mark.parametrize(
    "name", [*_ENCODABLE, "rgb565le", "yuv420p10be", "x2rgb10le", "y210le", "vuya", "gray10be"]
)
def test_every_pixel_format_matches_libswscale(gpu, uploader, name):
    source = av.VideoFrame.from_ndarray(_smooth_picture(), format="rgba")
    try:
        picture = source.reformat(format=name, interpolation=_QUALITY, dst_colorspace="ITU601")
    except (ValueError, av.FFmpegError):
        pytest.skip(f"libswscale does not write {name}")
    # For these two libswscale centers chroma; elsewhere it and the color pass put it to the left.
    frame = frame_from_av(picture, traits=StreamTraits(chroma_centered=name in ("yuv410p", "yuv411p")))
    assert frame.format.name == nearest_format(name)
    got = run(gpu, uploader, frame)[..., :3]
    assert np.abs(got - _swscale(picture, frame)).mean() * 255 <= 2.0


def test_palette_is_converted_on_the_cpu(gpu, uploader):
    indices = np.arange(16, dtype=np.uint8).reshape(4, 4)
    palette = np.random.default_rng(8).integers(0, 256, (256, 4)).astype(np.uint8)
    palette[:, 0] = 255  # ARGB, opaque
    frame = frame_from_av(av.VideoFrame.from_ndarray((indices, palette), format="pal8"))
    assert frame.format.name == "rgba"
    assert np.abs(run(gpu, uploader, frame)[..., :3] - palette[indices][..., 1:] / 255).max() < 1e-3


def test_shared_clips_match_libswscale(gpu, uploader, shared):
    worst = {}
    for path in sorted((shared / "video" / "files").iterdir()):
        container = av.open(str(path))
        stream = container.streams.video[0]
        for index, picture in enumerate(container.decode(stream)):
            frame = frame_from_av(picture)
            hdr = frame.color.transfer in ("pq", "hlg")
            if (
                index in (1, 5)
                and not hdr
                and frame.color.primaries != "bt2020"
                and frame.width * frame.height < 3e6
            ):
                got = run(gpu, uploader, frame)[..., :3]
                worst[path.name] = max(
                    worst.get(path.name, 0.0), np.abs(got - _swscale(picture, frame)).mean() * 255
                )
            if index >= 5:
                break
        container.close()
    print({name: round(value, 3) for name, value in worst.items()})
    assert len(worst) >= 24
    assert {name: value for name, value in worst.items() if value > 2.0} == {}


def test_shared_hdr_clip_matches_numpy(gpu, uploader, shared):
    reader = VideoReader(shared / "video" / "files" / "mp4_hlg10-color-test.mp4")
    frame = reader.read()
    assert frame.color == ColorInfo("bt2020", "limited", "hlg", "bt2020")
    got, want = run(gpu, uploader, frame), reference(frame)
    reader.close()
    assert np.abs(got - want).mean() * 255 <= 0.5
    assert np.abs(got - want).max() <= 4 * _CURVE


def test_shared_rotated_clips_are_upright(gpu, uploader, shared):
    # Four shots of one keyboard; its letters were seen to be upright in all four with exactly these turns.
    for angle in (0, 90, 180, 270):
        reader = VideoReader(shared / "video" / "files" / f"video_{angle}.mov")
        frame = reader.read()
        reader.close()
        assert (frame.rotation, frame.mirrored) == (angle, False)
        got = run(gpu, uploader, frame)
        assert got.shape == ((568, 320, 4) if angle in (90, 270) else (320, 568, 4))
        assert np.abs(got - reference(frame)).max() <= _HALF


def test_frame_constants_are_the_formats_of_the_decoder():
    assert FORMATS["yuv420p"] == YUV420P and FORMATS["nv12"] == NV12 and FORMATS["rgba"] == RGBA
