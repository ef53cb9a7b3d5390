"""Blend modes against Qt's painter and Pillow, which implement them on their own, and the specification's formulae."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageChops
from PySide6.QtGui import QImage, QPainter

from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.blending import BLEND_MODES
from desktop.pipeline.pipeline import Pipeline

SIDE = 256

# BASE varies by column, EFFECT by row, so that every pair of 8-bit values occurs in each channel.
RAMP = np.arange(SIDE)
BASE = np.broadcast_to(np.stack([RAMP, RAMP * 7 % 256, 255 - RAMP], -1)[None], (SIDE, SIDE, 3)).astype(
    np.uint8
)
EFFECT = np.broadcast_to(np.stack([RAMP, RAMP * 5 % 256, 255 - RAMP], -1)[:, None], (SIDE, SIDE, 3)).astype(
    np.uint8
)
SHADER = """/* lightloom
title = "Rows"
*/
fn main(p: vec2i) -> vec4f { return vec4f(f32(p.y), f32(p.y * 5 % 256), f32(255 - p.y), 255.0) / 255.0; }
"""

QT = {
    "normal": QPainter.CompositionMode.CompositionMode_SourceOver,
    "multiply": QPainter.CompositionMode.CompositionMode_Multiply,
    "screen": QPainter.CompositionMode.CompositionMode_Screen,
    "overlay": QPainter.CompositionMode.CompositionMode_Overlay,
    "darken": QPainter.CompositionMode.CompositionMode_Darken,
    "lighten": QPainter.CompositionMode.CompositionMode_Lighten,
    "hard_light": QPainter.CompositionMode.CompositionMode_HardLight,
    "difference": QPainter.CompositionMode.CompositionMode_Difference,
    "add": QPainter.CompositionMode.CompositionMode_Plus,
}
PILLOW = {
    "multiply": ImageChops.multiply,
    "screen": ImageChops.screen,
    "overlay": ImageChops.overlay,
    "darken": ImageChops.darker,
    "lighten": ImageChops.lighter,
    "hard_light": ImageChops.hard_light,
    "difference": ImageChops.difference,
    "add": ImageChops.add,
    "subtract": ImageChops.subtract,
}


@pytest.fixture(scope="module")
def blended(gpu, tmp_path_factory):
    """Return a function of a mode and an opacity that returns R'G'B' in 0..255, float [256, 256, 3]."""
    library = FilterLibrary(None)
    path = tmp_path_factory.mktemp("filters") / "rows.wgsl"
    path.write_text(SHADER)
    assert library.add(path)
    pipeline = Pipeline(gpu, library, wait=True, dither=False)
    pixels = np.full((SIDE, SIDE, 4), 255, np.uint8)
    pixels[..., :3] = BASE
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    frame = Frame((Plane(pixels.tobytes(), SIDE * 4, SIDE, SIDE),), RGBA, SIDE, SIDE, color)

    def run(mode: str, opacity: float = 1.0) -> np.ndarray:
        chain = ChainSpec().added("rows", {}).with_mixing(1, blend=mode, opacity=opacity)
        pipeline.set_chain(chain)
        assert pipeline.render(frame)
        return pipeline.export().result()[..., :3].astype(np.float64)

    yield run
    pipeline.close()


def by_qt(mode) -> np.ndarray:
    """Return what Qt's painter makes of the two images, uint8 [256, 256, 3]."""

    def image(pixels: np.ndarray) -> QImage:
        full = np.full((SIDE, SIDE, 4), 255, np.uint8)
        full[..., :3] = pixels
        return QImage(full.tobytes(), SIDE, SIDE, SIDE * 4, QImage.Format.Format_RGBA8888).copy()

    base = image(BASE).convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(base)
    painter.setCompositionMode(mode)
    painter.drawImage(0, 0, image(EFFECT))
    painter.end()
    found = base.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(found.constBits(), np.uint8).reshape(SIDE, SIDE, 4)[..., :3].astype(np.float64)


@pytest.mark.parametrize("mode", QT)
def test_as_qt_blends(blended, mode):
    np.testing.assert_allclose(blended(mode), by_qt(QT[mode]), atol=1.01)


@pytest.mark.parametrize("mode", PILLOW)
def test_as_pillow_blends(blended, mode):
    images = (Image.fromarray(np.ascontiguousarray(each)) for each in (BASE, EFFECT))
    expected = np.asarray(PILLOW[mode](*images)).astype(np.float64)
    # Pillow's overlay and hard light round twice.
    np.testing.assert_allclose(
        blended(mode), expected, atol=2.01 if mode in ("overlay", "hard_light") else 1.01
    )


def lum(color):
    return color @ [0.3, 0.59, 0.11]


def clipped(color):
    """ClipColor of the W3C, section 9.2."""
    light = lum(color)[..., None]
    least, most = color.min(-1, keepdims=True), color.max(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        color = np.where(least < 0, light + (color - light) * light / (light - least), color)
        return np.where(most > 1, light + (color - light) * (1 - light) / (most - light), color)


def with_lum(color, light):
    return clipped(color + (light - lum(color))[..., None])


def with_sat(color, spread):
    """SetSat, by sorting as the specification says."""
    order = np.argsort(color, axis=-1)
    low, mid, high = np.moveaxis(np.take_along_axis(color, order, -1), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = np.where(high > low, (mid - low) * spread / (high - low), 0)
    sorted_ = np.stack([np.zeros_like(low), middle, np.where(high > low, spread, 0)], -1)
    found = np.empty_like(color)
    np.put_along_axis(found, order, sorted_, -1)
    return found


def sat(color):
    return color.max(-1) - color.min(-1)


def soft_light(b, s):
    d = np.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, np.sqrt(b))
    return np.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b), b + (2 * s - 1) * (d - b))


def color_dodge(b, s):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b <= 0, 0.0, np.where(s >= 1, 1.0, np.minimum(1, b / (1 - s))))


def color_burn(b, s):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b >= 1, 1.0, np.where(s <= 0, 0.0, 1 - np.minimum(1, (1 - b) / s)))


# The formulae of the specification. Qt's exclusion and soft light are off by up to 3, and Pillow's soft light is another.
FORMULAE = {
    "color_dodge": color_dodge,
    "color_burn": color_burn,
    "soft_light": soft_light,
    "exclusion": lambda b, s: b + s - 2 * b * s,
    "hue": lambda b, s: with_lum(with_sat(s, sat(b)), lum(b)),
    "saturation": lambda b, s: with_lum(with_sat(b, sat(s)), lum(b)),
    "color": lambda b, s: with_lum(s, lum(b)),
    "luminosity": lambda b, s: with_lum(b, lum(s)),
}


@pytest.mark.parametrize("mode", FORMULAE)
def test_as_the_specification_says(blended, mode):
    """Within 1/255 of what the formula makes of values that differ by the working texture's precision.

    The chain's textures have 16-bit floats, 2^-11 apart below 1; where a formula divides by what is nearly 0, that
    is visible.
    """
    base, effect = BASE / 255.0, EFFECT / 255.0
    rng = np.random.default_rng(1)
    expected = []
    for number in range(65):
        b, s = (rng.choice([-1, 1], 3) * 2.0**-11 * bool(number) for _ in range(2))
        expected.append(FORMULAE[mode]((base + b).clip(0, 1), (effect + s).clip(0, 1)) * 255)
    found = blended(mode)
    assert (found >= np.min(expected, axis=0) - 1.01).all() and (
        found <= np.max(expected, axis=0) + 1.01
    ).all()
    off = np.abs(found - expected[0])
    assert (off <= 1.01).mean() > 0.995


def test_light_is_added_linearly(blended):
    def linear(v):
        return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)

    total = linear(BASE / 255.0) + linear(EFFECT / 255.0)
    expected = np.where(total <= 0.0031308, total * 12.92, 1.055 * total ** (1 / 2.4) - 0.055).clip(0, 1)
    np.testing.assert_allclose(blended("add_light"), expected * 255, atol=1.01)


def test_every_mode_is_compared():
    assert {*QT, *PILLOW, *FORMULAE, "add_light"} == set(BLEND_MODES)


@pytest.mark.parametrize("mode", ["multiply", "difference"])
def test_opacity_is_a_share_of_the_blended_color(blended, mode):
    expected = 0.3 * by_qt(QT[mode]) + 0.7 * BASE
    np.testing.assert_allclose(blended(mode, 0.3), expected, atol=1.01)
