"""Sharpening, smoothing and edges against OpenCV."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from filter_cases import Case, luma
from filter_rig import FilterRig, natural_picture

EXACT = 1.5e-3


@pytest.fixture(scope="module")
def rig(gpu):
    return FilterRig(gpu)


def odd_picture():
    """Sides that no workgroup or tile divides; the values are of 8 bits."""
    return natural_picture(101, 67, seed=3)


def sharpen(amount, radius, threshold=0.0):
    def reference(picture):
        reach = int(np.ceil(3 * radius))
        blurred = cv2.GaussianBlur(picture, (2 * reach + 1,) * 2, radius, borderType=cv2.BORDER_REPLICATE)
        detail = picture - blurred
        if threshold:
            detail = detail * np.clip(np.abs(luma(detail)) / threshold - 1, 0, 1)[..., None]
        return picture + amount * detail

    # Bilinear weights have 8 bits on GPUs: an error of 1/512 of a difference between neighbors, times the
    # amount. Near the threshold the gate's slope of 1 / threshold magnifies it once more.
    values = {"amount": amount, "radius": radius, "threshold": threshold}
    return Case(
        "sharpen", reference, 4e-3 * (1 + amount) * (3 if threshold else 1), values, picture=odd_picture
    )


def bilateral(radius, sigma_color, sigma_space):
    def reference(picture):
        # OpenCV turns a radius of 0 into one derived from sigma; there is no case of it here.
        return cv2.bilateralFilter(
            picture, 2 * radius + 1, sigma_color, sigma_space, borderType=cv2.BORDER_REPLICATE
        )

    values = {"radius": radius, "sigma_color": sigma_color, "sigma_space": sigma_space}
    return Case("bilateral", reference, 2e-3, values, picture=odd_picture)


def guided_at_full_size(picture, radius, contrast):
    """The guided filter without a reduction (He et al. 2010), each channel guided by itself."""
    p = picture.astype(np.float64)

    def mean(x):
        return cv2.boxFilter(x, -1, (2 * radius + 1,) * 2, borderType=cv2.BORDER_REPLICATE)

    variance = mean(p * p) - mean(p) ** 2
    a = variance / (variance + contrast**2)
    b = mean(p) - a * mean(p)
    return mean(a) * p + mean(b)


def rows_at(table, positions):
    """Rows of a table [n, ...] at fractional positions from 0 to n - 1, interpolated linearly."""
    below = np.minimum(np.floor(positions).astype(int), len(table) - 1)
    share = (positions - below)[:, None, None]
    return (1 - share) * table[below] + share * table[np.minimum(below + 1, len(table) - 1)]


def fractional_box(image, width):
    """Mean of a square window of `width` pixels, not necessarily whole ones; the edge repeated."""
    for _ in range(2):
        margin = int(width)
        padded = np.pad(image, ((margin, margin), (0, 0), (0, 0)), mode="edge")
        integral = np.pad(np.cumsum(padded, axis=0), ((1, 0), (0, 0), (0, 0)))
        middles = np.arange(len(image)) + margin + 0.5
        sums = rows_at(integral, middles + width / 2) - rows_at(integral, middles - width / 2)
        image = (sums / width).swapaxes(0, 1)
    return image


def doubled(image, height, width):
    """Twice the size, bilinear between the centers of the blocks, cropped to [height, width]."""
    for length in (height, width):
        centers = (np.arange(length) + 0.5) / 2 - 0.5
        image = rows_at(image, np.clip(centers, 0, len(image) - 1)).swapaxes(0, 1)
    return image


def guided_at_half_size(picture, radius, contrast):
    """The fast guided filter (He and Sun 2015) with means over blocks of 2 x 2 pixels."""
    height, width = picture.shape[:2]
    even = np.pad(picture.astype(np.float64), ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")

    def mean(x):
        blocks = x.reshape(x.shape[0] // 2, 2, x.shape[1] // 2, 2, 3).mean(axis=(1, 3))
        return fractional_box(blocks, radius + 0.5)

    variance = mean(even**2) - mean(even) ** 2
    a = variance / (variance + contrast**2)
    b = mean(even) - a * mean(even)
    a, b = (doubled(fractional_box(x, radius + 0.5), height, width) for x in (a, b))
    return a * picture + b


def guided(radius, contrast, picture=odd_picture):
    def reference(picture):
        return guided_at_half_size(picture, radius, contrast)

    values = {"radius": radius, "contrast": contrast}
    return Case("guided", reference, 2e-3, values, picture=picture)


def median(window):
    def reference(picture):
        size = int(window[0])
        padded = cv2.copyMakeBorder(np.rint(picture * 255).astype(np.uint8), 4, 4, 4, 4, cv2.BORDER_REPLICATE)
        return cv2.medianBlur(padded, size)[4:-4, 4:-4] / 255

    return Case("median", reference, EXACT, {"window": window}, picture=speckled)


def speckled():
    """Salt and pepper on a tenth of the values."""
    picture = odd_picture()
    noise = np.random.default_rng(9).random(picture.shape)
    picture[noise < 0.05], picture[noise > 0.95] = 0.0, 1.0
    return picture


def slopes(picture):
    y = luma(picture)
    return [
        cv2.Sobel(y, cv2.CV_64F, *d, ksize=3, borderType=cv2.BORDER_REPLICATE) / 4 for d in ((1, 0), (0, 1))
    ]


def sobel(style, strength):
    def reference(picture):
        x, y = slopes(picture)
        edge = strength * np.hypot(x, y)[..., None]
        if style == "over_picture":
            return picture + edge
        if style == "black_on_white":
            return np.repeat(1 - edge, 3, axis=-1)
        if style == "white_on_black":
            return np.repeat(edge, 3, axis=-1)
        degrees = np.degrees(np.arctan2(y, x)) % 360
        hsv = np.stack([degrees, np.ones_like(x), np.ones_like(x)], axis=-1).astype(np.float32)
        return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB) * edge

    # Nine f16 values of weights up to 2 / 4, then the strength.
    return Case(
        "sobel",
        reference,
        2e-3 * max(strength, 1),
        {"style": style, "strength": strength},
        picture=odd_picture,
    )


def gray(picture, sigma):
    y = luma(picture)
    if sigma:
        reach = int(np.ceil(3 * sigma))
        y = cv2.GaussianBlur(y, (2 * reach + 1,) * 2, sigma, borderType=cv2.BORDER_REPLICATE)
    return np.rint(y * 255).astype(np.uint8)


def canny(low, high, sigma, agreement, picture=odd_picture):
    def reference(picture):
        edges = cv2.Canny(gray(picture, sigma), low, high, L2gradient=True) / 255.0
        return np.repeat(edges[..., None], 3, axis=-1)

    values = {"low": low, "high": high, "blur": sigma}
    return Case("canny", reference, 1e-3, values, outliers=1 - agreement, picture=picture)


def gray_picture():
    return np.repeat((gray(odd_picture(), 0) / 255)[..., None], 3, axis=-1).astype(np.float32)


def spiral():
    """One line that fades along its way from a strong beginning in the middle, so that it grows from tile to
    tile.
    """
    canvas = np.full((200, 560), 100, np.uint8)
    turns = np.linspace(0, 6 * np.pi, 400)
    points = np.rint(
        np.stack([280 + turns * 14 * np.cos(turns), 100 + turns * 4.8 * np.sin(turns)], axis=-1)
    ).astype(np.int32)
    for i in reversed(range(len(points) - 1)):
        cv2.line(canvas, points[i].tolist(), points[i + 1].tolist(), max(250 - i, 112), 5)
    return np.repeat((canvas / 255)[..., None], 3, axis=-1).astype(np.float32)


def meander():
    """A line of many turns, weak but for a spot at one end: hysteresis must follow it through the picture
    five times and back.
    """
    canvas = np.full((200, 560), 100, np.uint8)
    stops = [(8, 8)]
    for row in range(10):
        y = 8 + 18 * row
        stops += [(552, y), (552, y + 18)] if row % 2 == 0 else [(8, y), (8, y + 18)]
    for one, other in pairwise(stops):
        cv2.line(canvas, one, other, 115, 4)
    cv2.rectangle(canvas, (8, 184), (14, 192), 250, -1)
    return np.repeat((canvas / 255)[..., None], 3, axis=-1).astype(np.float32)


CASES = [
    sharpen(0.8, 1.5),
    sharpen(2.0, 6.3),
    sharpen(1.0, 2.0, 0.05),
    bilateral(4, 0.2, 3.0),
    bilateral(8, 0.6, 5.0),
    bilateral(1, 0.05, 0.5),
    guided(8, 0.08),
    guided(32, 0.3),
    guided(1, 0.02),
    guided(2, 0.005),
    guided(5, 0.05, picture=natural_picture),
    median("3x3"),
    median("5x5"),
    sobel("white_on_black", 2.0),
    sobel("black_on_white", 1.0),
    sobel("over_picture", 0.5),
    sobel("direction", 1.0),
    # Without a blur the integers are OpenCV's own: the same pixels, all of them.
    canny(40, 100, 0, 1.0, gray_picture),
    canny(20, 300, 0, 1.0, spiral),
    canny(20, 300, 0, 1.0, meander),
    # With one, luma may round to the neighboring 8-bit value, which moves some edges by a pixel.
    canny(40, 100, 1.4, 0.99),
    canny(120, 60, 0.8, 0.99),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_against_the_reference(rig, case):
    case.check(*case.run(rig))


@pytest.mark.parametrize("case", list({case.filter: case for case in reversed(CASES)}.values()), ids=str)
def test_a_shader_that_is_off_is_found_out(rig, case):
    for sign in (1, -1):
        result, expected = case.run(rig, delta=sign * 1.1 * case.atol)
        with pytest.raises(AssertionError, match="pixels differ"):
            case.check(result, expected)


@pytest.mark.parametrize(("picture", "end"), [(spiral, np.s_[:, 520:]), (meander, np.s_[:14])])
def test_canny_follows_a_weak_edge_to_its_end(rig, picture, end):
    """The whole line is there though only one end of it is strong."""
    case = canny(20, 300, 0, 1.0, picture)
    result, expected = case.run(rig)
    alone = cv2.Canny(gray(picture(), 0), 300, 300, L2gradient=True) > 0
    assert expected[..., 0].sum() > 20 * alone.sum() > 0
    assert (result[..., 0] > 0.5)[end].any(), "the far end of the line"


def test_canny_is_the_same_each_time(rig):
    """Threads race for the labels of edges that meet; who wins cannot be seen."""
    noise = np.random.default_rng(7).random((150, 230, 1)).repeat(3, axis=-1).astype(np.float32)
    first = rig.run("canny", noise, blur=0.8, low=30, high=200)
    for _ in range(3):
        np.testing.assert_array_equal(rig.run("canny", noise, blur=0.8, low=30, high=200), first)


@pytest.mark.parametrize("style", ["black_on_white", "over_picture"])
def test_canny_styles(rig, style):
    picture = gray_picture()
    edges = rig.run("canny", picture, blur=0)[..., :3]
    expected = 1 - edges if style == "black_on_white" else np.maximum(picture, edges)
    np.testing.assert_allclose(rig.run("canny", picture, blur=0, style=style)[..., :3], expected, atol=EXACT)


@pytest.mark.parametrize(("radius", "limit"), [(1, 2.0), (2, 1.5), (3, 1.0), (8, 0.4), (32, 0.2)])
def test_half_size_is_near_the_guided_filter(rig, radius, limit):
    """Root mean square of the difference, in steps of 8 bits; that of the filter's effect is 4 to 5."""
    picture = odd_picture()
    difference = rig.run("guided", picture, radius=radius, contrast=0.08)[..., :3]
    difference -= guided_at_full_size(picture, radius, 0.08)
    assert 255 * np.sqrt(np.mean(difference**2)) <= limit


NEUTRAL = {
    "sharpen": {"amount": 0},
    "bilateral": {"radius": 0},
    "sobel": {"strength": 0, "style": "over_picture"},
}


@pytest.mark.parametrize("name", NEUTRAL)
def test_neutral_values_change_nothing(rig, name):
    picture = np.concatenate([natural_picture(), np.full((64, 96, 1), 0.5, np.float32)], axis=-1)
    np.testing.assert_allclose(rig.run(name, picture, **NEUTRAL[name]), picture, atol=EXACT)


@pytest.mark.parametrize("name", sorted({case.filter for case in CASES}))
def test_defaults_can_be_seen_and_keep_opacity(rig, name):
    picture = np.concatenate([speckled(), np.full((67, 101, 1), 0.5, np.float32)], axis=-1)
    result = rig.run(name, picture)
    assert np.abs(result - picture)[..., :3].mean() > 0.01
    np.testing.assert_array_equal(result[..., 3], 0.5)


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (130, 2)])
@pytest.mark.parametrize("name", sorted({case.filter for case in CASES} | {"clahe", "equalize"}))
def test_tiny_pictures(rig, name, size):
    """A picture smaller than every window gives finite values."""
    picture = np.random.default_rng(1).random((size[1], size[0], 3)).astype(np.float32)
    assert np.isfinite(rig.run(name, picture)).all()
