"""Contrast of the themes' colors (WCAG 2.2), and the sizes of text."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication, QLabel

from desktop.ui.kit import theme as themes
from desktop.ui.kit.theme import DARK, LIGHT

AA_TEXT = 4.5
AA_PARTS = 3.0
GROUNDS = ("ground", "panel", "raised", "hover", "selected")


def luminance(color: str) -> float:
    """The relative luminance of WCAG: linear sRGB weighted by its primaries."""
    parts = (QColor(color).redF(), QColor(color).greenF(), QColor(color).blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_texts_have_the_contrast_of_aa(theme):
    pairs = [(text, ground) for text in ("text", "muted") for ground in GROUNDS]
    pairs += [("accent_text", "accent"), ("error", "error_ground"), ("warning", "raised")]
    pairs += [("error", ground) for ground in ("panel", "raised")]
    low = {
        f"{text} on {ground}": round(contrast(getattr(theme, text), getattr(theme, ground)), 2)
        for text, ground in pairs
    }
    assert not {pair: ratio for pair, ratio in low.items() if ratio < AA_TEXT}


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_marks_of_state_and_focus_stand_out(theme):
    pairs = [(mark, ground) for mark in ("accent", "outline") for ground in ("panel", "raised")]
    low = {
        f"{mark} on {ground}": round(contrast(getattr(theme, mark), getattr(theme, ground)), 2)
        for mark, ground in pairs
    }
    assert not {pair: ratio for pair, ratio in low.items() if ratio < AA_PARTS}


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_texts_have_three_sizes_that_follow_the_systems(qapp: QApplication, qtbot, scale):
    usual = QFont(qapp.font())
    larger = QFont(usual)
    larger.setPointSizeF(usual.pointSizeF() * scale)
    try:
        qapp.setFont(larger)
        themes.apply(qapp, DARK)
        sizes = re.findall(r"font-size: ([\d.]+)pt", qapp.styleSheet())
        assert {round(float(size) / larger.pointSizeF(), 2) for size in sizes} == {0.85, 1.25}
        label = QLabel("Title")
        label.setObjectName("title")
        qtbot.addWidget(label)
        label.show()
        assert label.fontInfo().pointSizeF() == pytest.approx(1.25 * larger.pointSizeF(), rel=0.1)
    finally:
        qapp.setFont(usual)
        themes.apply(qapp, DARK)
