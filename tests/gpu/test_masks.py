"""Masks of each kind against NumPy and OpenCV: on black frames that are inverted, the mask is what is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.pipeline.setup.setup import Setup

WIDTH, HEIGHT = 320, 180
BLACK = np.zeros((HEIGHT, WIDTH, 3), np.uint8)


def frame_of(image: np.ndarray, pts: float = 0.0) -> Frame:
    height, width = image.shape[:2]
    pixels = np.full((height, width, 4), 255, np.uint8)
    pixels[..., : image.shape[2]] = image
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    return Frame((Plane(pixels.tobytes(), width * 4, width, height),), RGBA, width, height, color, pts=pts)


def part_of(library, kind, join="add", inverted=False, attachment=None, **values):
    return MaskPart(kind, library.mask(kind).check(values), join, inverted, attachment)


def chain_with(library, mask, effect="invert", **mixing):
    chain = ChainSpec().added(effect, library.get(effect).check({}))
    return chain.with_mixing(1, mask=mask, **mixing)


def rendered(pipeline, chain, image=BLACK, pts=0.0) -> np.ndarray:
    """Return R'G'B'A in 0..1 of the chain's result; float [height, width, 4]."""
    pipeline.set_chain(chain)
    assert pipeline.render(frame_of(image, pts))
    return pipeline.export().result().astype(np.float64) / 255


def coverage(pipeline, *parts, image=BLACK, **spec) -> np.ndarray:
    """Return the coverage of a mask: float [height, width] in 0..1. `image` is black, or masked by its values."""
    chain = chain_with(pipeline.chain._library, MaskSpec(tuple(parts), **spec))
    shown, plain = rendered(pipeline, chain, image), image.astype(np.float64) / 255
    change = 1 - 2 * plain[..., 0]
    return (shown[..., 0] - plain[..., 0]) / change


def assert_alike(found: np.ndarray, expected: np.ndarray) -> None:
    """The same area (IoU 0.99), and edges within a pixel: beyond one pixel from an edge there is no difference."""
    inside, wanted = found >= 0.5, expected >= 0.5
    assert wanted.any() and not wanted.all()
    assert (inside & wanted).sum() / (inside | wanted).sum() >= 0.99
    square = np.ones((3, 3), np.uint8)
    sure_in = cv2.erode(wanted.astype(np.uint8), square) == 1
    sure_out = cv2.dilate(wanted.astype(np.uint8), square) == 0
    assert found[sure_in].min() > 0.99 and found[sure_out].max() < 0.01


def grid():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH] + 0.5
    return x, y


def turned(center, angle):
    x, y = grid()
    a = np.radians(angle)
    dx, dy = x - center[0] * WIDTH, y - center[1] * HEIGHT
    return dx * np.cos(a) + dy * np.sin(a), dy * np.cos(a) - dx * np.sin(a)


@pytest.mark.parametrize("angle", [0, 30, -75])
def test_ellipse(pipeline, library, angle):
    dx, dy = turned((0.4, 0.55), angle)
    expected = (dx / (0.15 * WIDTH)) ** 2 + (dy / (0.35 * HEIGHT)) ** 2 <= 1
    part = part_of(library, "ellipse", center=(0.4, 0.55), width=30, height=70, angle=angle)
    assert_alike(coverage(pipeline, part), expected)


@pytest.mark.parametrize("angle", [0, 30])
def test_rectangle(pipeline, library, angle):
    dx, dy = turned((0.5, 0.5), angle)
    expected = (np.abs(dx) <= 0.2 * WIDTH) & (np.abs(dy) <= 0.15 * HEIGHT)
    part = part_of(library, "rectangle", width=40, height=30, angle=angle)
    assert_alike(coverage(pipeline, part), expected)


def test_gradient(pipeline, library):
    part = part_of(library, "gradient", start=(0.25, 0.5), end=(0.75, 0.5))
    x, _ = grid()
    expected = np.clip(1 - (x / WIDTH - 0.25) / 0.5, 0, 1)
    np.testing.assert_allclose(coverage(pipeline, part), expected, atol=1.5 / 255)


def test_polygon_and_several_outlines(pipeline, library):
    text = "0.1/0.1 0.6/0.2 0.3/0.45 0.5/0.8 0.1/0.7; 0.7/0.7 0.95/0.7 0.8/0.95"
    wanted = np.zeros((HEIGHT * 16, WIDTH * 16), np.uint8)
    for line in text.split(";"):
        points = np.array([[float(v) for v in word.split("/")] for word in line.split()])
        cv2.fillPoly(wanted, [np.round(points * (WIDTH * 16, HEIGHT * 16)).astype(np.int32)], 1)
    expected = cv2.resize(wanted.astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    found = coverage(pipeline, part_of(library, "polygon", points=text))
    assert_alike(found, expected)
    assert np.abs(found - expected).max() < 0.3  # antialiased: corners differ most


def test_brush(pipeline, library):
    text, width = "0.2/0.3 0.5/0.6 0.8/0.3; 0.1/0.9 0.15/0.9", 12.0
    wanted = np.zeros((HEIGHT * 16, WIDTH * 16), np.uint8)
    for line in text.split(";"):
        points = np.array([[float(v) for v in word.split("/")] for word in line.split()])
        points = np.round(points * (WIDTH * 16, HEIGHT * 16)).astype(np.int32)
        cv2.polylines(wanted, [points], False, 1, thickness=round(0.01 * width * HEIGHT * 16))
    expected = cv2.resize(wanted.astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    assert_alike(coverage(pipeline, part_of(library, "brush", strokes=text, width=width)), expected)


def photograph() -> np.ndarray:
    """Smooth colors that keep clear of mid gray, so that an inversion changes each pixel."""
    rng = np.random.default_rng(3)
    small = rng.uniform(0, 1, (6, 10, 3)).astype(np.float32)
    smooth = cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC).clip(0, 1)
    return np.round(smooth * 255).astype(np.uint8)


def coverage_of_colors(pipeline, library, part, image) -> np.ndarray:
    """Return the coverage of a mask of colors, by the channel of each pixel that an inversion changes most."""
    plain = rendered(pipeline, ChainSpec(), image)[..., :3]
    chain = ChainSpec().added("invert", library.get("invert").check({}))
    shown = rendered(pipeline, chain.with_mixing(1, mask=MaskSpec((part,))), image)[..., :3]
    change = 1 - 2 * plain
    best = np.abs(change).argmax(axis=2)[..., None]
    return (np.take_along_axis(shown - plain, best, 2) / np.take_along_axis(change, best, 2))[..., 0]


def test_brightness_range(pipeline, library):
    image = photograph()
    part = part_of(library, "luma", low=40, high=70, softness=0)
    luma = (image / 255) @ [0.2126, 0.7152, 0.0722]
    expected = (luma >= 0.4) & (luma <= 0.7)
    found = coverage_of_colors(pipeline, library, part, image)
    assert ((found >= 0.5) & expected).sum() / ((found >= 0.5) | expected).sum() >= 0.99


@pytest.mark.parametrize("hue", [10, 200, 350])
def test_hue_range(pipeline, library, hue):
    image = photograph()
    part = part_of(library, "hue", hue=hue, range=40, softness=0, saturation=20)
    hsv = cv2.cvtColor((image / 255).astype(np.float32), cv2.COLOR_RGB2HSV)
    apart = np.abs((hsv[..., 0] - hue + 180) % 360 - 180)
    expected = (apart <= 40) & (hsv[..., 1] >= 0.2)
    found = coverage_of_colors(pipeline, library, part, image)
    assert ((found >= 0.5) & expected).sum() / ((found >= 0.5) | expected).sum() >= 0.99


def disc(center, radius):
    x, y = grid()
    return np.hypot(x - center[0] * WIDTH, y - center[1] * HEIGHT) <= radius * HEIGHT


def disc_part(library, center, radius, **more):
    width, height = 200 * radius * HEIGHT / WIDTH, 200 * radius
    return part_of(library, "ellipse", center=center, width=width, height=height, **more)


@pytest.mark.parametrize("join", ["add", "subtract", "intersect"])
@pytest.mark.parametrize("inverted", [False, True])
def test_parts_are_joined(pipeline, library, join, inverted):
    a, b = disc((0.4, 0.5), 0.3), disc((0.55, 0.5), 0.3)
    second = ~b if inverted else b
    expected = {"add": a | second, "subtract": a & ~second, "intersect": a & second}[join]
    parts = (
        disc_part(library, (0.4, 0.5), 0.3),
        disc_part(library, (0.55, 0.5), 0.3, join=join, inverted=inverted),
    )
    assert_alike(coverage(pipeline, *parts), expected)
    assert_alike(1 - coverage(pipeline, *parts, inverted=True), expected)


def test_a_first_part_that_is_subtracted_is_taken_from_the_whole_frame(pipeline, library):
    part = disc_part(library, (0.5, 0.5), 0.3, join="subtract")
    assert_alike(coverage(pipeline, part), ~disc((0.5, 0.5), 0.3))


@pytest.mark.parametrize("grow", [6.0, -6.0, 0.7, 0.1, -0.1])
def test_growing_is_by_a_circle(pipeline, library, grow):
    square = (np.abs(grid()[0] - 160) <= 50) & (np.abs(grid()[1] - 90) <= 40)
    part = part_of(library, "rectangle", width=100 / WIDTH * 100, height=80 / HEIGHT * 100)
    radius = abs(grow) / 100 * HEIGHT
    y, x = np.mgrid[-12:13, -12:13]
    circle = (np.hypot(x, y) <= radius).astype(np.uint8)
    change = cv2.dilate if grow > 0 else cv2.erode
    expected = change(square.astype(np.uint8), circle) == 1
    assert_alike(coverage(pipeline, part, grow=grow), expected)


@pytest.mark.parametrize("feather", [1.0, 3.0, 8.0])
def test_feathering_is_a_gaussian(pipeline, library, feather):
    sharp = coverage(pipeline, disc_part(library, (0.5, 0.5), 0.3))
    sigma = feather / 100 * HEIGHT
    expected = cv2.GaussianBlur(sharp, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
    found = coverage(pipeline, disc_part(library, (0.5, 0.5), 0.3), feather=feather)
    np.testing.assert_allclose(found, expected, atol=0.02)


def test_the_edge_follows_the_image(pipeline, library):
    """A mask that is 3 pixels too wide ends at the edge of a dark square on white."""
    image = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    image[60:120, 100:220] = 0
    part = part_of(library, "rectangle", width=126 / WIDTH * 100, height=66 / HEIGHT * 100)
    loose, tight = (coverage(pipeline, part, image=image, refine=refine) for refine in (False, True))
    outside = np.ones((HEIGHT, WIDTH), bool)
    outside[60:120, 100:220] = False
    assert tight[outside].sum() < 0.5 * loose[outside].sum()
    assert tight[70:110, 110:210].min() > 0.9


def test_another_stage_is_a_mask(pipeline, library):
    image = BLACK.copy()
    image[40:100, 50:200] = 255
    chain = ChainSpec().added("brightness_contrast", library.get("brightness_contrast").check({}))
    chain = chain.added("brightness_contrast", library.get("brightness_contrast").check({"brightness": -1}))
    chain = chain.added("invert", library.get("invert").check({}))
    chain = chain.with_mixing(3, mask=MaskSpec((part_of(library, "stage", stage=1),)))
    found = rendered(pipeline, chain, image)[..., 0]
    np.testing.assert_allclose(found, image[..., 0] / 255, atol=1.5 / 255)


def test_a_stage_is_found_by_any_id(pipeline, library):
    """Ids grow with each stage that was ever added."""
    values = library.get("brightness_contrast").check({"brightness": 1})
    first = StageSpec(1000, "brightness_contrast", values)
    second = StageSpec(1001, "brightness_contrast", {**values, "brightness": -1})
    part = MaskPart("stage", {"stage": 1000, "channel": "brightness"})
    inverted = StageSpec(1002, "invert", mask=MaskSpec((part,)))
    found = rendered(pipeline, ChainSpec((first, second, inverted)), BLACK)
    assert pipeline.chain.statuses[2].mask.state == "ready" and found[..., 0].min() > 0.99


def test_a_mask_is_cut_out_and_keeps_the_colors(pipeline, library):
    """A matte: what is covered is transparent, the rest has its colors and is opaque."""
    image = photograph()
    chain = chain_with(library, MaskSpec((disc_part(library, (0.5, 0.5), 0.3),), inverted=True), "cut_out")
    found = rendered(pipeline, chain, image)
    assert_alike(found[..., 3], disc((0.5, 0.5), 0.3))
    seen = found[..., 3] > 0
    np.testing.assert_allclose(found[seen, :3], image[seen] / 255, atol=1.5 / 255)


def test_many_strokes_cover_only_what_they_are(pipeline, library):
    """More shapes than objects are ever found."""
    dabs = "; ".join(f"{0.1 + 0.0002 * n:.4f}/0.1" for n in range(600))
    found = coverage(pipeline, part_of(library, "brush", strokes=dabs, width=4))
    assert found[16:20, 40:60].min() > 0.99 and found[HEIGHT // 2 :].max() == 0


def test_opacity_is_a_share(pipeline, library):
    image = photograph()
    chain = chain_with(library, None, opacity=0.25)
    found = rendered(pipeline, chain, image)[..., :3]
    plain = image / 255
    np.testing.assert_allclose(found, 0.75 * plain + 0.25 * (1 - plain), atol=1.5 / 255)


def test_a_setup_with_a_mask_is_equal_to_itself_only(library):
    mask = MaskSpec((part_of(library, "ellipse"),))
    assert Setup(chain_with(library, mask)) == Setup(chain_with(library, mask))
    assert Setup(chain_with(library, mask)) != Setup(chain_with(library, MaskSpec(mask.parts, inverted=True)))
