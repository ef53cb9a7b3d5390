"""Stylizing filters, bloom and the chroma key against NumPy and OpenCV."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from filter_rig import FilterRig, natural_picture
from sampling_reference import BT709, bilinear, linear_to_srgb, pixel_centers, shifted, srgb_to_linear


@pytest.fixture(scope="module")
def rig(gpu):
    return FilterRig(gpu)


@pytest.fixture(scope="module")
def picture():
    return half(natural_picture())


def half(values):
    """Rounded to f16, as the texture holds it."""
    return np.asarray(values).astype(np.float16).astype(np.float64)


def run(rig, name, frame, **values):
    """As `FilterRig.run`, for filters that have a parameter called `picture`."""
    return rig.run_frames(rig.library.get(name), [frame], **values)[0]


def flat(value, width=96, height=96):
    return np.full((height, width, 3), value, np.float32)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("pixelate", {"size": 1}),
        ("bloom", {"intensity": 0}),
        ("chroma_key", {"tolerance": 0, "softness": 0, "spill": 0}),
        ("emboss", {"strength": 0, "color": 1}),
        ("edge_glow", {"gain": 0, "picture": 1}),
        ("scanlines_crt", {"lines": 0, "mask": 0, "curvature": 0, "vignette": 0, "brightness": 1}),
    ],
)
def test_neutral_values_change_nothing(rig, picture, name, values):
    np.testing.assert_allclose(run(rig, name, picture, **values)[..., :3], picture, atol=1.5e-3)


# -- blocks and characters -----------------------------------------------------------------------------------


def test_pixelate_against_opencv(rig, picture):
    small = cv2.resize(picture, (6, 4), interpolation=cv2.INTER_AREA)
    expected = cv2.resize(small, (96, 64), interpolation=cv2.INTER_NEAREST)
    np.testing.assert_allclose(rig.run("pixelate", picture, size=16)[..., :3], expected, atol=1.5e-3)


@pytest.mark.parametrize("size", [7, 50, 128])
def test_pixelate_with_blocks_cut_short(rig, picture, size):
    expected = np.empty_like(picture)
    for y in range(0, 64, size):
        for x in range(0, 96, size):
            expected[y : y + size, x : x + size] = picture[y : y + size, x : x + size].mean(axis=(0, 1))
    np.testing.assert_allclose(rig.run("pixelate", picture, size=size)[..., :3], expected, atol=1.5e-3)


# The characters " .:=+coaA#SEOB@M", their rows parted by '|'.
GLYPHS = [
    "......|......|......|......|......|......|......|......",
    "......|......|......|......|......|......|..##..|......",
    "......|......|..##..|......|......|......|..##..|......",
    "......|......|.####.|......|.####.|......|......|......",
    "......|..#...|..#...|#####.|..#...|..#...|......|......",
    "......|......|.####.|#.....|#.....|#.....|.####.|......",
    "......|......|.###..|#...#.|#...#.|#...#.|.###..|......",
    "......|......|.###..|....#.|.####.|#...#.|.####.|......",
    "..#...|.#.#..|#...#.|#...#.|#####.|#...#.|#...#.|......",
    ".#.#..|.#.#..|#####.|.#.#..|#####.|.#.#..|.#.#..|......",
    ".####.|##....|##....|.###..|...##.|...##.|####..|......",
    "#####.|##....|##....|####..|##....|##....|#####.|......",
    ".###..|##.##.|##.##.|##.##.|##.##.|##.##.|.###..|......",
    "####..|##.##.|##.##.|####..|##.##.|##.##.|####..|......",
    ".####.|##..##|##.###|##.###|##.##.|##....|.#####|......",
    "##.##.|#####.|#####.|##.##.|##.##.|##.##.|##.##.|......",
]


@pytest.mark.parametrize(
    ("size", "mode", "invert"), [(1, "color", False), (2, "mono", False), (3, "color", True)]
)
def test_ascii(rig, picture, size, mode, invert):
    ink, paper, boost, backdrop = np.array([0.2, 0.9, 0.4]), np.array([0.05, 0.0, 0.1]), 0.6, 0.25
    expected, certain = np.empty_like(picture), np.ones(picture.shape[:2], bool)
    for y in range(0, 64, 8 * size):
        for x in range(0, 96, 6 * size):
            block = np.s_[y : y + 8 * size, x : x + 6 * size]
            mean = picture[block].mean(axis=(0, 1))
            luma = 1 - mean @ BT709 if invert else mean @ BT709
            certain[block] = (
                abs(luma * 16 - round(luma * 16)) > 0.02
            )  # rounding cannot choose another character
            rows = GLYPHS[min(int(luma * 16), 15)].split("|")
            dots = np.repeat(np.repeat([[c == "#" for c in row] for row in rows], size, axis=0), size, axis=1)
            color = ink if mode == "mono" else mean * (1 - boost) + mean / mean.max() * boost
            height, width = expected[block].shape[:2]
            expected[block] = np.where(
                dots[:height, :width, None], color, paper * (1 - backdrop) + mean * backdrop
            )
    output = rig.run(
        "ascii",
        picture,
        size=size,
        mode=mode,
        ink=(*ink, 1),
        paper=(*paper, 1),
        boost=boost,
        backdrop=backdrop,
        invert=invert,
    )
    assert certain.mean() > 0.8
    np.testing.assert_allclose(output[certain][..., :3], expected[certain], atol=3e-3)


def test_denser_characters_for_brighter_tones(rig):
    ramp = [
        rig.run("ascii", flat((i + 0.5) / 16), mode="mono", backdrop=0, ink="#ffffff", paper="#000000")
        for i in range(16)
    ]
    shares = [output[..., 0].mean() for output in ramp]
    counts = [sum(row.count("#") for row in glyph.split("|")) for glyph in GLYPHS]
    np.testing.assert_allclose(shares, np.array(counts) / 48, atol=1e-3)


# -- halftone ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["round", "diamond", "line"])
@pytest.mark.parametrize("tone", [0.0, 0.03, 0.3, 0.5, 0.85, 1.0])
def test_halftone_keeps_the_tone(rig, shape, tone):
    output = rig.run(
        "halftone", flat(1 - tone), mode="mono", shape=shape, cell=8, angle=30, ink="#000000", paper="#ffffff"
    )
    assert 1 - output[..., 0].mean() == pytest.approx(tone, abs=0.012)


@pytest.mark.parametrize("color", [(0.8, 0.4, 0.2), (0.1, 0.5, 0.45), (1.0, 1.0, 0.0)])
def test_halftone_inks_keep_the_color(rig, color):
    # Screens at different angles overlap at random, so their transmittances multiply in the mean (Demichel,
    # 1924).
    output = rig.run("halftone", flat(color, 192, 192), cell=6, paper="#ffffff", black=0.7)
    np.testing.assert_allclose(output[..., :3].mean(axis=(0, 1)), color, atol=0.02)


def inked_share(shape, tone, cell, angle, width, height, fine=8):
    """Coverage of each pixel by the dots of a screen, from fine x fine points a pixel."""
    x, y = (
        (c - 0.5 + 0.5 / fine)
        for c in np.meshgrid(np.arange(width * fine) / fine + 0.5, np.arange(height * fine) / fine + 0.5)
    )
    z = (x - width / 2 + 1j * (y - height / 2)) * np.exp(-1j * np.radians(angle)) / cell

    def distance(z):
        u, v = np.abs(z.real % 1 - 0.5), np.abs(z.imag % 1 - 0.5)
        return {"round": np.hypot(u, v), "diamond": u + v, "line": v}[shape]

    steps = (np.arange(1000) + 0.5) / 1000
    size = np.quantile(
        distance(steps[:, None] + 1j * steps), tone
    )  # of the dot that fills this share of a cell
    return (distance(z) < size).reshape(height, fine, width, fine).mean(axis=(1, 3))


@pytest.mark.parametrize("shape", ["round", "diamond", "line"])
@pytest.mark.parametrize("tone", [0.25, 0.6, 0.9])
def test_halftone_dots(rig, shape, tone):
    output = rig.run(
        "halftone",
        flat(1 - tone),
        mode="mono",
        shape=shape,
        cell=12,
        angle=20,
        ink="#000000",
        paper="#ffffff",
    )
    expected = 1 - inked_share(shape, tone, 12, 20, 96, 96)
    error = np.abs(output[..., 0] - expected)
    # The filter takes a dot's edge as straight and as wide as a pixel's side; a pixel at a diagonal edge or a
    # tip is off by that.
    assert error.mean() < 0.012
    assert np.quantile(error, 0.99) < 0.2


@pytest.mark.parametrize(("channel", "angle"), [(0, -30), (1, 30), (2, -45)])
def test_halftone_inks_have_their_own_angles(rig, channel, angle):
    color = np.ones(3)
    color[channel] = 0.6
    output = rig.run("halftone", flat(color), cell=12, angle=50, paper="#ffffff")[..., :3]
    assert np.abs(output[..., channel] - 1 + inked_share("round", 0.4, 12, 50 + angle, 96, 96)).mean() < 0.012
    np.testing.assert_allclose(np.delete(output, channel, axis=-1), 1, atol=2e-3)


def test_halftone_follows_the_picture(rig):
    smooth = cv2.GaussianBlur(natural_picture(128, 128), (0, 0), 8)
    output = rig.run("halftone", smooth, mode="mono", cell=4, ink="#000000", paper="#ffffff")[..., 0]
    np.testing.assert_allclose(
        cv2.GaussianBlur(output, (0, 0), 5), cv2.GaussianBlur(smooth @ BT709, (0, 0), 5), atol=0.03
    )


# -- bloom ---------------------------------------------------------------------------------------------------


def half_size(level):
    """Jimenez's kernel: 4 x 4 boxes, one about the center with weight 1/2, four a texel off it diagonally
    with 1/8 each.
    """
    padded = np.pad(level, ((3, 3), (3, 3), (0, 0)), mode="edge")
    height, width = level.shape[0] // 2, level.shape[1] // 2

    def box(dx, dy):
        out = np.zeros((height, width, 3))
        for j, i in np.ndindex(4, 4):
            y, x = 2 + dy + j, 2 + dx + i
            out += padded[y : y + 2 * height : 2, x : x + 2 * width : 2] / 16
        return out

    return box(0, 0) / 2 + sum(box(dx, dy) for dx in (-1, 1) for dy in (-1, 1)) / 8


def double_size(level):
    x, y = (c / 2 for c in pixel_centers(level.shape[0] * 2, level.shape[1] * 2))
    weights = [1, 2, 1]
    return sum(
        weights[i] * weights[j] / 16 * bilinear(level, x + i - 1, y + j - 1)
        for i in range(3)
        for j in range(3)
    )


@pytest.mark.parametrize(("threshold", "knee", "spread"), [(0.5, 0.5, 0.7), (0.0, 0.0, 1.0), (0.3, 0.0, 0.2)])
def test_bloom(rig, threshold, knee, spread):
    picture = half(natural_picture(128, 64))
    intensity, tint = 0.8, np.array([1.0, 0.5, 0.25])
    light = srgb_to_linear(picture)
    value = light.max(axis=-1, keepdims=True)
    k = threshold * knee
    soft = np.where(np.abs(value - threshold) < k, (value - threshold + k) ** 2 / max(4 * k, 1e-9), 0)
    kept = np.where(value > threshold + k, value - threshold, soft)
    glowing = light * kept / np.maximum(value, 1e-9)
    levels = [glowing.reshape(32, 2, 64, 2, 3).mean(axis=(1, 3))]
    for _ in range(5):
        levels.append(half_size(levels[-1]))
    wide = levels.pop()
    while levels:
        wide = (1 - spread) * levels.pop() + spread * double_size(wide)
    expected = linear_to_srgb(light + double_size(wide) * srgb_to_linear(tint) * intensity)
    output = rig.run(
        "bloom", picture, intensity=intensity, threshold=threshold, knee=knee, spread=spread, tint=(*tint, 1)
    )
    np.testing.assert_allclose(output[..., :3], expected, atol=6e-3)


# -- chroma key ----------------------------------------------------------------------------------------------

_KR, _KG, _KB = BT709
YCBCR = np.array(  # ITU-R BT.709-6, items 3.2 and 3.3
    [
        [_KR, _KG, _KB],
        [-_KR / 1.8556, -_KG / 1.8556, (1 - _KB) / 1.8556],
        [(1 - _KR) / 1.5748, -_KG / 1.5748, -_KB / 1.5748],
    ]
)


@pytest.mark.parametrize(
    ("spill", "key"), [(0.0, (0.1, 0.6, 0.2)), (0.7, (0.1, 0.6, 0.2)), (1.0, (0.1, 0.2, 0.9))]
)
def test_chroma_key(rig, picture, spill, key):
    tolerance, softness, background = 0.1, 0.2, np.array([0.4, 0.3, 0.2])
    ycc, key_chroma = picture @ YCBCR.T, (YCBCR @ key)[1:]
    matte = np.clip((np.linalg.norm(ycc[..., 1:] - key_chroma, axis=-1) - tolerance) / softness, 0, 1)[
        ..., None
    ]
    assert matte.min() == 0 and matte.max() == 1 and ((matte > 0.1) & (matte < 0.9)).mean() > 0.05
    hue = key_chroma / np.linalg.norm(key_chroma)
    cast = np.maximum(ycc[..., 1:] @ hue, 0)[..., None] * hue * spill
    kept = np.maximum(
        np.concatenate([ycc[..., :1], ycc[..., 1:] - cast], axis=-1) @ np.linalg.inv(YCBCR).T, 0
    )
    values = {
        "key": (*key, 1),
        "tolerance": tolerance,
        "softness": softness,
        "spill": spill,
        "background": (*background, 1),
    }
    over = rig.run("chroma_key", picture, **values)
    np.testing.assert_allclose(over[..., :3], background * (1 - matte) + kept * matte, atol=2e-3)
    clear = rig.run("chroma_key", picture, show="transparent", **values)
    np.testing.assert_allclose(clear, np.concatenate([kept, matte], axis=-1), atol=2e-3)
    shown = rig.run("chroma_key", picture, show="matte", **values)
    np.testing.assert_allclose(shown[..., :3], np.broadcast_to(matte, picture.shape), atol=2e-3)


# -- painting ------------------------------------------------------------------------------------------------


def bilateral_line(picture, radius, detail, axis):
    """One direction of a separated bilateral filter; the spatial deviation is half of the radius."""
    total, weights = np.zeros_like(picture), np.zeros((*picture.shape[:2], 1))
    for i in range(-int(np.ceil(radius)), int(np.ceil(radius)) + 1):
        tap = shifted(picture, *((i, 0) if axis else (0, i)))
        tone = np.sum((tap - picture) ** 2, axis=-1, keepdims=True) / (2 * detail**2)
        weight = np.exp(-(i**2) / (2 * (radius / 2) ** 2) - tone)
        total, weights = total + weight * tap, weights + weight
    return total / weights


@pytest.mark.parametrize(("smoothness", "levels", "width"), [(4.0, 6, 1.0), (2.5, 3, 1.7)])
def test_cartoon(rig, picture, smoothness, levels, width):
    detail, hardness, lines, saturation = 0.15, 4.0, 0.8, 1.4
    smooth = picture
    for axis in (1, 0, 1, 0):
        smooth = bilateral_line(smooth, smoothness, detail, axis)
    luma = smooth @ BT709
    size = 2 * int(np.ceil(4 * width)) + 1
    narrow, wide = (
        cv2.GaussianBlur(luma, (size, size), s * width, borderType=cv2.BORDER_REPLICATE) for s in (1, 1.6)
    )
    difference = narrow - 0.98 * wide
    drawn = np.where(difference > 0, 1, 1 + np.tanh(200 * difference))
    steps = levels - 1
    middle = np.floor(luma * steps) + 0.5
    stepped = (middle + np.tanh(hardness * (luma * steps - middle)) / np.tanh(hardness / 2) / 2) / steps
    color = np.maximum(stepped[..., None] + (smooth - luma[..., None]) * saturation, 0)
    expected = color * (1 - lines * (1 - drawn[..., None]))
    output = rig.run(
        "cartoon",
        picture,
        smoothness=smoothness,
        detail=detail,
        levels=levels,
        hardness=hardness,
        lines=lines,
        width=width,
        saturation=saturation,
    )[..., :3]
    assert drawn.min() < 0.1 and (drawn < 0.5).mean() > 0.01
    # The lines' tanh multiplies the f16 rounding of the smoothed luma (2^-12) by 200 at worst.
    np.testing.assert_allclose(output, expected, atol=2e-2)
    assert np.abs(output - expected).mean() < 1e-3


@pytest.mark.parametrize(("radius", "sharpness"), [(1, 2.0), (4, 4.0), (9, 8.0)])
def test_oil_paint(rig, picture, radius, sharpness):
    side = radius + 1
    moments = np.concatenate([picture, (picture @ BT709)[..., None] ** 2], axis=-1)
    means = np.stack(
        [cv2.boxFilter(moments[..., c], cv2.CV_64F, (side, side), anchor=(0, 0)) for c in range(4)], axis=-1
    )  # of the window whose upper left corner a pixel is; windows that fit are all that is used
    rows, columns = np.mgrid[0:64, 0:96]
    total, weights = 0, 0
    for dy in (0, radius):
        for dx in (0, radius):
            window = means[np.clip(rows - dy, 0, 64 - side), np.clip(columns - dx, 0, 96 - side)]
            variance = np.maximum(window[..., 3] - (window[..., :3] @ BT709) ** 2, 0)
            weight = ((1 + 255 * np.sqrt(variance)) ** -sharpness)[..., None]
            total, weights = total + weight * window[..., :3], weights + weight
    output = rig.run("oil_paint", picture, radius=radius, sharpness=sharpness)
    np.testing.assert_allclose(output[..., :3], total / weights, atol=2e-3)


@pytest.mark.parametrize(("angle", "distance", "color"), [(-135.0, 1.0, 0.25), (30.0, 5.0, 0.8)])
def test_emboss(rig, picture, angle, distance, color):
    x, y = pixel_centers(64, 96)
    dx, dy = distance / 2 * np.cos(np.radians(angle)), distance / 2 * np.sin(np.radians(angle))
    slope = (bilinear(picture, x - dx, y - dy) - bilinear(picture, x + dx, y + dy)) @ BT709
    expected = np.maximum(0.5 + color * (picture - 0.5) + 2.0 * slope[..., None], 0)
    output = rig.run("emboss", picture, strength=2.0, angle=angle, distance=distance, color=color)
    np.testing.assert_allclose(output[..., :3], expected, atol=1e-2)


def test_emboss_lights_the_side_towards_the_light(rig):
    raised = flat(0.2)
    raised[32:64, 32:64] = 0.8
    output = rig.run("emboss", raised, angle=180, color=0)[..., 0]  # light from the left
    assert output[48, 32] > 0.6 and output[48, 63] < 0.4 and output[48, 48] == pytest.approx(0.5, abs=1e-3)


def test_edge_glow(rig, picture):
    gain, threshold, glow, radius, behind, own = 5.0, 0.05, 1.5, 16.0, 0.2, 0.5
    tint = np.array([0.1, 0.8, 1.0])
    luma = picture @ BT709
    gx, gy = (
        cv2.Sobel(luma, cv2.CV_64F, *d, ksize=3, borderType=cv2.BORDER_REPLICATE) / 4
        for d in ((1, 0), (0, 1))
    )
    strength = np.tanh(np.maximum(np.hypot(gx, gy) - threshold, 0) * gain)[..., None]
    lines = strength * (
        tint * (1 - own) + own * picture / np.maximum(picture.max(axis=-1, keepdims=True), 1e-3)
    )
    small = cv2.resize(lines, (24, 16), interpolation=cv2.INTER_AREA)
    sigma = radius / 8
    size = 2 * int(np.ceil(2 * sigma)) + 1
    halo = cv2.GaussianBlur(small, (size, size), sigma, borderType=cv2.BORDER_REPLICATE)
    x, y = pixel_centers(64, 96)
    expected = picture * behind + lines + 3 * glow * bilinear(halo, x / 4, y / 4)
    values = {
        "gain": gain,
        "threshold": threshold,
        "glow": glow,
        "radius": radius,
        "picture": behind,
        "own_color": own,
    }
    output = run(rig, "edge_glow", picture, tint=(*tint, 1), **values)
    # Where a pixel is nearly black its own hue is the quotient of two small numbers.
    np.testing.assert_allclose(output[..., :3], expected, atol=1e-2)


def bayer(n):
    """Bayer's matrix of side 2^n by its recursion (Bayer, 1973)."""
    if n == 0:
        return np.zeros((1, 1))
    m = 4 * bayer(n - 1)
    return np.block([[m, m + 2], [m + 3, m + 1]])


@pytest.mark.parametrize(("mode", "levels", "size"), [("color", 2, 1), ("mono", 4, 2), ("two colors", 3, 3)])
def test_dither(rig, picture, mode, levels, size):
    dark, light = np.array([0.1, 0.0, 0.3]), np.array([1.0, 0.9, 0.6])
    rows, columns = np.mgrid[0:64, 0:96] // size
    c = bilinear(picture, (columns + 0.5) * size, (rows + 0.5) * size)
    value = c if mode == "color" else np.repeat((c @ BT709)[..., None], 3, axis=-1)
    limit = (bayer(3) + 0.5)[rows % 8, columns % 8, None] / 64
    scaled = value * (levels - 1)
    dithered = np.clip(np.floor(scaled + limit), 0, levels - 1) / (levels - 1)
    expected = dark + (light - dark) * dithered if mode == "two colors" else dithered
    certain = (
        np.abs((scaled + limit) - np.round(scaled + limit)).min(axis=-1) > 4e-3
    )  # rounding cannot tip it over
    assert certain.mean() > 0.9
    output = rig.run(
        "dither", picture, mode=mode, levels=levels, size=size, dark=(*dark, 1), light=(*light, 1)
    )
    np.testing.assert_allclose(output[certain][..., :3], expected[certain], atol=1e-3)


def test_duotone(rig, picture):
    shadows, lights = np.array([0.1, 0.05, 0.4]), np.array([1.0, 0.8, 0.4])
    y = np.clip((picture @ BT709 - 0.5) * 1.5 + 0.5, 0, 1)
    graded = np.stack([np.interp(y, [0, 1], [a, b]) for a, b in zip(shadows, lights, strict=True)], axis=-1)
    output = rig.run("duotone", picture, shadows=(*shadows, 1), lights=(*lights, 1), contrast=1.5)
    np.testing.assert_allclose(output[..., :3], graded, atol=1e-3)


def test_crt(rig, picture):
    lines, period, mask, curvature, vignette, brightness = 0.5, 5.0, 0.3, 0.1, 0.4, 1.3
    x, y = pixel_centers(64, 96)
    u, v = 2 * x / 96 - 1, 2 * y / 64 - 1
    at_x, at_y = (u * (1 + curvature * v**2) + 1) * 48, (v * (1 + curvature * u**2) + 1) * 32
    light = srgb_to_linear(bilinear(picture, at_x, at_y, "black"))
    light *= (1 - lines * np.cos(np.pi * at_y / period) ** 2)[..., None]
    light *= (1 - vignette * (u**2 + v**2) / 2)[..., None] * brightness
    light *= np.where(np.arange(96)[:, None] % 3 == np.arange(3), 1, 1 - mask)
    values = {"lines": lines, "period": period, "mask": mask, "curvature": curvature, "vignette": vignette}
    output = rig.run("scanlines_crt", picture, brightness=brightness, **values)
    np.testing.assert_allclose(output[..., :3], linear_to_srgb(light), atol=1e-2)


# -- what holds for all of them ------------------------------------------------------------------------------

STYLIZE = ["ascii", "bloom", "cartoon", "chroma_key", "dither", "duotone"]
STYLIZE += ["edge_glow", "emboss", "halftone", "oil_paint", "pixelate", "scanlines_crt"]
GEOMETRY = ["chromatic_aberration", "crop", "kaleidoscope", "lens_distortion", "mirror", "ripple"]
GEOMETRY += ["rotate", "swirl", "tilt_shift", "tiny_planet", "zoom_blur"]
TIME = ["feedback", "frame_difference", "glitch", "temporal_denoise"]


@pytest.mark.parametrize("name", STYLIZE + GEOMETRY + TIME)
@pytest.mark.parametrize(("width", "height"), [(1, 1), (37, 5), (3, 29)])
def test_any_size_and_any_value(rig, name, width, height):
    values = (
        np.random.default_rng(1).uniform(-0.2, 4.0, (height, width, 3)).astype(np.float32)
    )  # beyond 0..1, as HDR leaves it
    for output in rig.run_frames(rig.library.get(name), [values, values[::-1]]):
        assert np.isfinite(output).all()


@pytest.mark.parametrize("name", [*STYLIZE, "chromatic_aberration", *TIME])
def test_alpha_is_kept(rig, picture, name):
    alpha = np.repeat(
        np.repeat([[0.25, 1.0], [0.75, 0.5]], 32, axis=0), 48, axis=1
    )  # in blocks that all the grids share
    spec = rig.library.get(name)
    sizes = {
        "pixelate": {"size": 16},
        "ascii": {"size": 2},
        "dither": {"size": 1},
        "chroma_key": {"key": "#ff00ff"},
    }
    if name in ("scanlines_crt", "glitch"):
        sizes[name] = {"curvature": 0} if name == "scanlines_crt" else {"amount": 0}
    output = rig.run_frames(spec, [np.dstack([picture, alpha])], **sizes.get(name, {}))[0]
    np.testing.assert_allclose(output[..., 3], alpha, atol=2e-3)


@pytest.mark.parametrize("name", STYLIZE + GEOMETRY + TIME)
def test_described(rig, name):
    spec = rig.library.get(name)
    assert spec.help.endswith(".") and spec.tags and spec.group
    assert all(param.help.endswith(".") for param in spec.params)
    assert all(param.step > 0 for param in spec.params if param.type == "float")
