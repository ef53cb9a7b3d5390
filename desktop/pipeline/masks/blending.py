"""Blend modes: how a stage's result is combined with what it was given.

The modes of "Compositing and Blending Level 1" (W3C, https://www.w3.org/TR/compositing-1/), and sums and
differences. All work on encoded R'G'B' in 0..1, as Skia, Pillow and image editors do, except 'add_light', which
adds linear light. shaders/common/blending.wgsl has the formulae, in this order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desktop.base.fields import Number, Selection
from desktop.base.wording import Text, sentence

BLEND_MODES: Final[Mapping[str, Text]] = {
    "normal": sentence("Normal"),
    "multiply": sentence("Multiply"),
    "screen": sentence("Screen"),
    "overlay": sentence("Overlay"),
    "darken": sentence("Darken"),
    "lighten": sentence("Lighten"),
    "color_dodge": sentence("Color dodge"),
    "color_burn": sentence("Color burn"),
    "hard_light": sentence("Hard light"),
    "soft_light": sentence("Soft light"),
    "difference": sentence("Difference"),
    "exclusion": sentence("Exclusion"),
    "hue": sentence("Hue"),
    "saturation": sentence("Saturation"),
    "color": sentence("Color"),
    "luminosity": sentence("Luminosity"),
    "add": sentence("Add"),
    "subtract": sentence("Subtract"),
    "add_light": sentence("Add light"),
}
"""Modes by name, with their titles."""

OPACITY: Final = Number(
    "opacity",
    1.0,
    0.0,
    1.0,
    step=0.01,
    unit="%",
    scale=100.0,
    label=sentence("Opacity"),
    help=sentence("Share of the effect's result; the rest is the image before it."),
)
BLEND: Final = Selection(
    "blend",
    "normal",
    titles=BLEND_MODES,
    label=sentence("Blend mode"),
    help=sentence("How the effect's result is combined with the image before it."),
)
