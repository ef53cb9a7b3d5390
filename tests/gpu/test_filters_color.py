"""Light and color filters against NumPy and OpenCV."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pytest
from filter_cases import Case, linear_to_srgb, luma, srgb_to_linear
from filter_rig import FilterRig, natural_picture

# The working texture is f16: 2^-12 for values from 0.5 to 1, 2^-11 to 2, on the way in and on the way out.
EXACT = 1.5e-3


@pytest.fixture(scope="module")
def rig(gpu):
    return FilterRig(gpu)


def brightness_contrast(brightness, contrast, gamma):
    def reference(picture):
        v = (picture - 0.5) * contrast + 0.5 + brightness
        return np.sign(v) * np.abs(v) ** (1 / gamma)

    return Case(
        "brightness_contrast",
        reference,
        4e-3 if contrast > 2 else 2.5e-3,
        {"brightness": brightness, "contrast": contrast, "gamma": gamma},
    )


def saturation(factor, vibrance):
    def reference(picture):
        hsv = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV)
        chroma = hsv[..., 1] * hsv[..., 2]
        y = luma(picture)[..., None]
        return y + (picture - y) * (factor * (1 + vibrance * (1 - chroma)))[..., None]

    return Case("saturation", reference, 3e-3, {"saturation": factor, "vibrance": vibrance})


def hue(angle):
    def reference(picture):
        # The matrices of BT.709 from its own coefficients; a turn of (Cb, Cr); and back.
        kr, kb = 0.2126, 0.0722
        to_ycc = np.array(
            [
                [kr, 1 - kr - kb, kb],
                [-kr / (2 - 2 * kb), -(1 - kr - kb) / (2 - 2 * kb), 0.5],
                [0.5, -(1 - kr - kb) / (2 - 2 * kr), -kb / (2 - 2 * kr)],
            ]
        )
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        return picture @ (np.linalg.inv(to_ycc) @ turn @ to_ycc).T

    return Case("hue", reference, 2e-3, {"angle": angle})


def levels(channel, in_black, in_white, gamma, out_black, out_white):
    def reference(picture):
        unit = np.interp(picture, [in_black, max(in_white, in_black + 1e-4)], [0, 1])
        mapped = out_black + (out_white - out_black) * unit ** (1 / gamma)
        if channel == "all":
            return mapped
        out = picture.astype(np.float64)
        index = ["red", "green", "blue"].index(channel)
        out[..., index] = mapped[..., index]
        return out

    names = ("channel", "in_black", "in_white", "gamma", "out_black", "out_white")
    # An f16 step of the input is magnified by 1 / 0.6; the gamma of 2 is steepest at black, where f16 is
    # finest.
    values = dict(zip(names, (channel, in_black, in_white, gamma, out_black, out_white), strict=True))
    return Case("levels", reference, 4e-3, values)


def krystek(t):
    u = (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t**2) / (
        1 + 8.42420235e-4 * t + 7.08145163e-7 * t**2
    )
    v = (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t**2) / (
        1 - 2.89741816e-5 * t + 1.61456053e-7 * t**2
    )
    return np.array([u, v])


def xyz_of_uv(u, v):
    x, y = 3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4)
    return np.array([x / y, 1, (1 - x - y) / y])


def rgb_to_xyz():
    xy = np.array([[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]])
    primaries = np.array([[x / y, 1, (1 - x - y) / y] for x, y in xy]).T
    white = np.array([0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
    return primaries * np.linalg.solve(primaries, white)


def white_balance(temperature, tint):
    def reference(picture):
        bradford = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
        du, dv = (krystek(temperature + 1) - krystek(temperature - 1)) / np.linalg.norm(
            krystek(temperature + 1) - krystek(temperature - 1)
        )
        normal = np.array([dv, -du])
        assert normal[1] > 0
        scene = xyz_of_uv(*(krystek(temperature) + tint / 3000 * normal))
        gain = (bradford @ xyz_of_uv(*krystek(6500))) / (bradford @ scene)
        to_xyz = rgb_to_xyz()
        matrix = np.linalg.inv(to_xyz) @ np.linalg.inv(bradford) @ np.diag(gain) @ bradford @ to_xyz
        return linear_to_srgb(srgb_to_linear(picture.astype(np.float64)) @ matrix.T)

    # The locus is differentiated over another step than in the shader; f32 against f64.
    return Case("white_balance", reference, 6e-3, {"temperature": temperature, "tint": tint})


def vignette(amount, radius, softness, center):
    def reference(picture):
        height, width = picture.shape[:2]
        y, x = np.mgrid[0:height, 0:width] + 0.5
        r = np.sqrt(2) * np.hypot(x / width - center[0], y / height - center[1])
        t = np.clip((r - radius) / softness, 0, 1)
        gain = 2.0 ** (-amount * (3 * t**2 - 2 * t**3))
        return linear_to_srgb(srgb_to_linear(picture.astype(np.float64)) * gain[..., None])

    values = {"amount": amount, "radius": radius, "softness": softness, "center": center}
    return Case("vignette", reference, 2.5e-3, values)


def posterize(levels):
    table = np.array([round(v / 255 * (levels - 1)) / (levels - 1) for v in range(256)])
    return Case(
        "posterize", lambda picture: table[np.rint(picture * 255).astype(int)], EXACT, {"levels": levels}
    )


def toned(filter_id, reference, **values):
    return Case(filter_id, reference, 2e-3, values)


def tone_curve(*ys):
    def reference(picture):
        chords = np.diff(ys) * 4
        with np.errstate(invalid="ignore", divide="ignore"):
            inner = np.where(chords[1:] * chords[:-1] > 0, 2 / (1 / chords[1:] + 1 / chords[:-1]), 0)
        slopes = [chords[0], *inner, chords[-1]]
        out = np.zeros(picture.shape)
        for i in range(4):
            # The cubic of each span by its four conditions: value and slope at both ends.
            x0, x1 = i / 4, (i + 1) / 4
            rows = [
                [1, x0, x0**2, x0**3],
                [1, x1, x1**2, x1**3],
                [0, 1, 2 * x0, 3 * x0**2],
                [0, 1, 2 * x1, 3 * x1**2],
            ]
            cubic = np.linalg.solve(rows, [ys[i], ys[i + 1], slopes[i], slopes[i + 1]])
            out = np.where(
                picture >= x0, np.polynomial.polynomial.polyval(picture.astype(np.float64), cubic), out
            )
        return out

    names = ("blacks", "shadows", "midtones", "lights", "whites")
    # An f16 step of the input, times the curve's slope of up to 2.
    return Case("tone_curve", reference, 2.5e-3, dict(zip(names, ys, strict=True)))


def shadows_highlights(shadows, highlights, radius):
    def reference(picture):
        y = luma(cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA))
        reach = int(np.ceil(3 * radius / 4))
        y = cv2.GaussianBlur(y, (2 * reach + 1,) * 2, radius / 4, borderType=cv2.BORDER_REPLICATE)
        y = cv2.resize(y, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)

        def smoothstep(low, high):
            t = np.clip((y - low) / (high - low), 0, 1)
            return t * t * (3 - 2 * t)

        stops = shadows * (1 - smoothstep(0, 0.6)) + highlights * smoothstep(0.4, 1)
        return linear_to_srgb(srgb_to_linear(picture.astype(np.float64)) * 2 ** stops[..., None])

    # Three filterings with 8-bit weights; an error of the mask of 1/256 is up to 0.03 EV at 3 EV.
    values = {"shadows": shadows, "highlights": highlights, "radius": radius}
    return Case("shadows_highlights", reference, 8e-3, values)


def gray_of(weights):
    return lambda picture: np.repeat(
        cv2.transform(picture, np.array([weights], np.float32))[..., None], 3, axis=-1
    )


def sepia(picture):
    matrix = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
    return cv2.transform(picture.astype(np.float64), matrix)


def iron(picture):
    x = np.clip(luma(picture), 0, 1)
    return np.stack([np.sqrt(x), x**3, np.clip(np.sin(2 * np.pi * x), 0, None)], axis=-1)


def rainbow(low, high):
    def reference(picture):
        x = np.clip((luma(picture) - low) / (high - low), 0, 1)
        ramp = cv2.applyColorMap(np.arange(256, dtype=np.uint8)[:, None], cv2.COLORMAP_JET)[:, 0, ::-1] / 255
        return np.stack([np.interp(x * 255, np.arange(256), ramp[:, c]) for c in range(3)], axis=-1)

    # OpenCV's table is rounded to 8 bits and its corners stand between two entries: 1.5 / 255 and half a step
    # of the slope of 4.
    return Case("thermal", reference, 1.4e-2, {"palette": "rainbow", "low": low, "high": high})


def equalize(picture):
    y = np.rint(luma(picture) * 255).astype(np.uint8)
    return picture + (cv2.equalizeHist(y) / 255.0 - y / 255.0)[..., None]


def clahe(tiles, clip, size=(96, 64)):
    def reference(picture):
        y = np.rint(picture[..., 0] * 255).astype(np.uint8)
        out = cv2.createCLAHE(clip, (tiles, tiles)).apply(y) / 255.0
        return np.repeat(out[..., None], 3, axis=-1)

    # OpenCV rounds each curve and the result to 8 bits: half a step each.
    values = {"tiles": tiles, "clip": clip, "strength": 1}
    return Case("clahe", reference, 4.5e-3, values, picture=lambda: gray_picture(*size))


def gray_picture(width=96, height=64):
    y = np.rint(luma(natural_picture(width, height)) * 255) / 255
    return np.repeat(y[..., None], 3, axis=-1).astype(np.float32)


CASES = [
    brightness_contrast(0.15, 1.6, 1.4),
    brightness_contrast(-0.3, 3.0, 0.8),
    brightness_contrast(0.0, 0.0, 1.0),
    saturation(1.7, 0.0),
    saturation(0.0, 0.0),
    saturation(1.2, 0.8),
    hue(37),
    hue(-180),
    levels("all", 0.1, 0.7, 1.6, 0.05, 0.9),
    levels("green", 0.2, 0.8, 0.7, 1.0, 0.0),
    white_balance(3200, 0),
    white_balance(9000, 40),
    white_balance(5000, -90),
    vignette(1.5, 0.4, 0.6, (0.5, 0.5)),
    vignette(-1.0, 0.1, 0.3, (0.25, 0.75)),
    tone_curve(0.05, 0.15, 0.5, 0.85, 0.95),
    tone_curve(0.0, 0.5, 0.3, 0.3, 1.0),
    shadows_highlights(1.0, -0.7, 24),
    shadows_highlights(-2.0, 1.0, 5),
    posterize(2),
    posterize(5),
    posterize(12),
    toned("invert", lambda picture: 1 - picture),
    toned("black_and_white", gray_of([0.4, 0.4, 0.2])),
    toned("black_and_white", gray_of([-0.5, 1.2, 0.3]), red=-50, green=120, blue=30),
    toned("sepia", sepia),
    toned("thermal", iron),
    rainbow(0.1, 0.8),
    # Rounded curve of OpenCV, and the color picture's luma lies between two of its 256 values.
    Case("equalize", equalize, 2.5e-2, {"strength": 1}),
    Case("equalize", equalize, 4.5e-3, {"strength": 1}, picture=gray_picture),
    clahe(8, 2.0),
    clahe(8, 4.0, (101, 67)),
    clahe(3, 1.0, (100, 64)),
    clahe(1, 16.0),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_against_the_reference(rig, case):
    case.check(*case.run(rig))


def one_of_each(cases):
    # The first of each: its settings are the ordinary ones.
    return list({case.filter: case for case in reversed(cases)}.values())


@pytest.mark.parametrize("case", one_of_each(CASES), ids=str)
def test_a_shader_that_is_off_is_found_out(rig, case):
    for sign in (1, -1):
        result, expected = case.run(rig, delta=sign * 1.1 * case.atol)
        with pytest.raises(AssertionError, match="pixels differ"):
            case.check(result, expected)


NEUTRAL = {
    "brightness_contrast": {},
    "white_balance": {},
    "saturation": {},
    "hue": {"angle": 0},
    "levels": {},
    "vignette": {"amount": 0},
    "film_grain": {"amount": 0},
    "tone_curve": {},
    "shadows_highlights": {"shadows": 0, "highlights": 0},
    "equalize": {"strength": 0},
    "clahe": {"strength": 0},
}


@pytest.mark.parametrize("name", NEUTRAL)
def test_neutral_values_change_nothing(rig, name):
    picture = np.concatenate([natural_picture(), np.full((64, 96, 1), 0.5, np.float32)], axis=-1)
    np.testing.assert_allclose(rig.run(name, picture, **NEUTRAL[name]), picture, atol=EXACT)


CORRECTIONS = ("brightness_contrast", "white_balance", "saturation", "levels", "tone_curve")


@pytest.mark.parametrize(
    "name",
    sorted({case.filter for case in CASES} - set(CORRECTIONS)),
)
def test_defaults_can_be_seen_and_keep_opacity(rig, name):
    picture = np.concatenate([natural_picture(), np.full((64, 96, 1), 0.5, np.float32)], axis=-1)
    result = rig.run(name, picture)
    assert np.abs(result - picture)[..., :3].mean() > 0.01
    np.testing.assert_array_equal(result[..., 3], 0.5)


@pytest.mark.parametrize(
    ("kelvin", "xy"), [(2856, (0.44757, 0.40745)), (4000, (0.3805, 0.3768)), (10000, (0.2807, 0.2884))]
)
def test_white_balance_makes_a_light_neutral(rig, kelvin, xy):
    """Published chromaticities of Planckian light (CIE 15; 2856 K is illuminant A) come out as that of 6500
    K.
    """

    def rgb(x, y):
        return np.linalg.inv(rgb_to_xyz()) @ [x / y, 1, (1 - x - y) / y]

    light = rgb(*xy) * 0.3
    picture = np.tile(linear_to_srgb(light).astype(np.float32), (8, 8, 1))
    result = srgb_to_linear(rig.run("white_balance", picture, temperature=kelvin)[0, 0, :3])
    # 6500 K on the Planckian locus; the approximation of the locus is good to some 1e-4 in uv, that is below
    # 1% of a channel.
    np.testing.assert_allclose(result, rgb(0.3135, 0.3237) * 0.3, rtol=0.015)


def test_hue_and_saturation_keep_luma(rig):
    picture = natural_picture()
    for name, values in (("hue", {"angle": 111}), ("saturation", {"saturation": 2, "vibrance": -0.5})):
        result = rig.run(name, picture, **values)[..., :3]
        np.testing.assert_allclose(luma(result), luma(picture), atol=2e-3)


def test_clahe_keeps_color(rig):
    picture = natural_picture()
    result = rig.run("clahe", picture, strength=1)[..., :3]
    shift = result - picture
    np.testing.assert_allclose(shift, np.repeat(shift.mean(axis=-1, keepdims=True), 3, axis=-1), atol=2e-3)


def test_equalize_leaves_a_flat_picture(rig):
    picture = np.full((16, 16, 3), 0.25, np.float32)
    np.testing.assert_allclose(rig.run("equalize", picture, strength=1)[..., :3], picture, atol=EXACT)


# -- film grain ----------------------------------------------------------------------------------------------


def pcg3d(x, y, z):
    v = [np.uint32(c) * np.uint32(1664525) + np.uint32(1013904223) for c in np.broadcast_arrays(x, y, z)]

    def stir():
        v[0] += v[1] * v[2]
        v[1] += v[2] * v[0]
        v[2] += v[0] * v[1]

    stir()
    for i in range(3):
        v[i] ^= v[i] >> np.uint32(16)
    stir()
    return v


def grain_reference(picture, index, seed, amount):
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]].astype(np.uint32)
    key = (index * 2654435769 + seed * 3) & 0xFFFFFFFF
    uniform = [(c >> np.uint32(8)) / 2**24 for c in pcg3d(x, y, np.uint32(key))]
    level = luma(picture)
    return picture + (amount * (0.25 + 3 * level * (1 - level)) * (2 * sum(uniform) - 3))[..., None]


def test_film_grain_is_the_stated_hash(rig):
    picture = natural_picture()
    frames = rig.run_frames(rig.library.get("film_grain"), [picture] * 3, amount=0.1, size=1, seed=77)
    for index, frame in enumerate(frames):
        np.testing.assert_allclose(frame[..., :3], grain_reference(picture, index, 77, 0.1), atol=EXACT)
    again = rig.run_frames(rig.library.get("film_grain"), [picture] * 3, amount=0.1, size=1, seed=77)
    np.testing.assert_array_equal(frames, again)


@pytest.mark.parametrize("size", [1.0, 2.5])
def test_film_grain_statistics(rig, size):
    flat = np.full((128, 192, 3), 0.5, np.float32)
    frames = rig.run_frames(rig.library.get("film_grain"), [flat] * 2, amount=0.1, size=size, color=True)
    noise = np.array(frames)[..., :3] - 0.5
    # 128 * 192 / 2.5^2 = 4,000 independent grains: the mean is known to 0.1 / sqrt(4000) = 0.0016, the
    # deviation to about 0.0015.
    np.testing.assert_allclose(noise.mean(axis=(1, 2)), 0, atol=6e-3)
    np.testing.assert_allclose(noise.std(axis=(1, 2)), 0.1, atol=6e-3)
    channels = noise.transpose(0, 3, 1, 2).reshape(6, -1)
    # Neither the channels nor the frames go together: 5 / sqrt(4000).
    assert np.abs(np.corrcoef(channels) - np.eye(6)).max() < 0.08
    neighbors = np.corrcoef(
        channels[0].reshape(128, 192)[:, :-1].ravel(), channels[0].reshape(128, 192)[:, 1:].ravel()
    )[0, 1]
    assert abs(neighbors) < 0.04 if size == 1 else neighbors > 0.4


def test_a_perturbed_grain_is_found_out(rig):
    def reference(picture):
        return grain_reference(picture, 0, 5, 0.1)

    case = Case("film_grain", reference, EXACT, {"amount": 0.1, "seed": 5, "size": 1})
    case.check(*case.run(rig))
    with pytest.raises(AssertionError, match="pixels differ"):
        case.check(*case.run(rig, delta=1.1 * case.atol))
    with pytest.raises(AssertionError, match="pixels differ"):
        case.check(*dataclasses.replace(case, values={**case.values, "seed": 6}).run(rig))
