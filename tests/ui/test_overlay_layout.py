"""Layout of the overlay, without painting: no part covers another, and none leaves the frame."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from desktop.overlay.layout import (
    ClassGround,
    Fonts,
    Ground,
    Handle,
    Outline,
    OverlayState,
    RecordingDot,
    Track,
    Words,
    lay_out,
    placed,
)
from desktop.overlay.texts import paint_text
from desktop.pipeline.layers.texts import PaintedText
from desktop.pipeline.picture.present import Placement
from desktop.vision.tasks.shapes import Box, Label, Mask

ALL = OverlayState(
    rows=(("FPS", "30.0"), ("latency p50 / p95 / p99", "8.1 / 9.2 / 9.9 ms"), ("dropped", "0 %")),
    bars=tuple(Label(f"class {index}", index=index, value=0.5 / (index + 1)) for index in range(5)),
    bars_title="mobilenet",
    found=(Box("person", 0, 30, 20, 200, 180, 0.9), Box("cat", 15, 150, 100, 300, 230, 0.7)),
    toast="Undone: Strength of Vignette",
    split=0.4,
    split_labels=("before", "after"),
    recording="0:12",
    waiting="Opening clip.mp4",
)
SIZES = [(1320, 820), (760, 560), (700, 440), (420, 300), (320, 240), (240, 160)]


def marks(state: OverlayState, width: int, height: int) -> list:
    return lay_out(state, Fonts(width, height), width, height, 1.0)


def letterboxed(size: tuple[int, int], share: float) -> tuple[float, float, float, float]:
    """The edges of an image that has a share of the canvas's height."""
    width, height = size
    return (0.0, height * (1 - share) / 2, float(width), height * (1 + share) / 2)


def rects(found: list, kind: type) -> list[QRectF]:
    return [mark.rect for mark in found if isinstance(mark, kind)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [None, 0.5, 0.8])
@pytest.mark.parametrize("split", [None, 0.05, 0.4, 0.97])
def test_grounds_lie_apart_and_inside(qapp: QApplication, size, share, split):
    image = None if share is None else letterboxed(size, share)
    found = marks(replace(ALL, image=image, split=split, found=()), *size)
    grounds = rects(found, Ground)
    assert grounds
    canvas = QRectF(0, 0, *size)
    assert all(canvas.contains(ground) for ground in grounds)
    for one, other in itertools.combinations(grounds, 2):
        assert not one.intersects(other), (one, other)


@pytest.mark.parametrize("size", SIZES)
def test_names_of_things_lie_on_no_panel(qapp: QApplication, size):
    found = marks(ALL, *size)
    for name in rects(found, ClassGround):
        assert not any(name.intersects(ground) for ground in rects(found, Ground))


def test_lines_are_broken_at_words_behind_an_emoji(qapp: QApplication):
    """Qt counts two places for it, Python one."""
    text = "😀😀😀 could not be read; try another copy of the file"
    lines = [mark.text for mark in marks(OverlayState(words=text), 130, 300) if isinstance(mark, Words)]
    assert len(lines) > 2 and " ".join(lines) == text


def test_a_text_layer_is_broken_at_words_behind_a_letter_of_32_bits(qapp: QApplication):
    wanted = PaintedText("𝐀𝐁𝐂 hello hello hello", 32.0, (1, 1, 1, 1), (0, 0, 0, 0), 0.0, "left", 1000)
    by_hand = paint_text(replace(wanted, text=wanted.text.replace(" ", "\n")))
    # No two words fit: the widest decides, which depends on the system's fonts.
    assert np.array_equal(paint_text(replace(wanted, width=by_hand.shape[1])), by_hand)


def test_words_stand_on_their_ground(qapp: QApplication):
    found = marks(replace(ALL, found=()), 1320, 820)
    grounds = rects(found, Ground)
    words = [mark for mark in found if isinstance(mark, Words)]
    assert {"FPS", "mobilenet", "class 0", "50 %", "before", "after", "0:12", "Opening clip.mp4"} <= {
        mark.text for mark in words
    }
    for word in words:
        assert any(ground.contains(word.x, word.y) for ground in grounds), word.text


def test_what_the_state_says_is_what_stands_there(qapp: QApplication):
    found = marks(ALL, 1320, 820)
    assert [round(track.share, 3) for track in found if isinstance(track, Track)] == [
        *(0.5, 0.25, 0.167, 0.125, 0.1),
    ]
    (handle,) = [mark for mark in found if isinstance(mark, Handle)]
    assert (handle.center.x(), handle.center.y()) == (0.4 * 1320, 410)
    assert any(isinstance(mark, RecordingDot) for mark in found)
    assert marks(OverlayState(), 1320, 820) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0.15, 0.3, 0.5, 0.8, 1.0])
def test_the_classes_lie_on_the_image_or_beside_it_but_never_across_its_edge(qapp: QApplication, size, share):
    bars = OverlayState(bars=ALL.bars, bars_title="mobilenet")
    for edges in (letterboxed(size, share), letterboxed((size[1], size[0]), share)):
        if edges[2] > size[0] or edges[3] > size[1]:
            continue
        image = QRectF(edges[0], edges[1], edges[2] - edges[0], edges[3] - edges[1])
        for ground in rects(marks(replace(bars, image=edges), *size), Ground):
            assert image.contains(ground) or not image.intersects(ground)


def test_classes_that_would_cover_the_image_lie_below_it_and_where_is_no_room_the_best_are_left(
    qapp: QApplication,
):
    bars = OverlayState(bars=ALL.bars, bars_title="mobilenet")

    def place(top: float, bottom: float) -> tuple[QRectF, int]:
        found = marks(replace(bars, image=(0.0, top, 800.0, bottom)), 800, 600)
        (ground,) = rects(found, Ground)
        return ground, sum(isinstance(mark, Track) for mark in found)

    ground, count = place(50, 550)
    assert count == 5 and ground.top() > 50 and ground.bottom() == 550 - 12
    ground, count = place(150, 350)
    assert count == 5 and ground.top() >= 350 and ground.bottom() == 600 - 12
    ground, count = place(350, 500)
    assert 1 <= count < 5 and ground.top() >= 350 + 12 and ground.bottom() == 500 - 12


def test_what_can_be_moved_lies_clear_of_a_notice(qapp: QApplication):
    covered = (404.0, 400.0, 788.0, 588.0)
    found = marks(
        OverlayState(toast="Speed 2×", split=0.7, split_labels=("", "after"), covered=covered), 800, 600
    )
    notice = QRectF(404, 400, 384, 188)
    assert rects(found, Ground) and not any(ground.intersects(notice) for ground in rects(found, Ground))
    assert marks(OverlayState(covered=covered), 800, 600) == []


def test_a_small_canvas_has_fewer_classes(qapp: QApplication):
    bars = OverlayState(bars=ALL.bars, bars_title="mobilenet")
    counts = [len([m for m in marks(bars, *size) if isinstance(m, Track)]) for size in SIZES]
    assert counts[0] == 5 and counts[2] == 5 and counts[3] == 3
    assert counts == sorted(counts, reverse=True)


def test_classes_on_the_picture_have_their_color_beside_their_name(qapp: QApplication):
    legend = tuple(Label(name, 0.5, index, colored=True) for index, name in ((7, "car"), (15, "person")))
    found = marks(OverlayState(bars=legend, bars_title="roads"), 900, 600)
    swatches = [mark for mark in found if isinstance(mark, ClassGround)]
    assert [mark.index for mark in swatches] == [7, 15]
    names = [mark for mark in found if isinstance(mark, Words) and mark.text in ("car", "person")]
    for swatch, name in zip(swatches, names, strict=True):
        assert swatch.rect.right() < name.x and swatch.rect.top() < name.y < swatch.rect.bottom() + 6


def test_a_thing_with_a_mask_has_its_box_and_a_mask_of_a_class_has_none(qapp: QApplication):
    thing = Mask("cat", 3, None, 0.5, 0.25, 0.75, 0.75, score=0.5)
    of_class = Mask("road", 7, None, is_class=True)
    at = Placement(0.0, 0.0, 2.0)
    for mirrored, expected in ((False, (200, 50, 300, 150)), (True, (100, 50, 200, 150))):
        shapes = placed((thing, of_class), at, (200, 100), mirrored=mirrored)
        assert len(shapes) == 1
        found = marks(OverlayState(found=shapes), 400, 200)
        (outline,) = [mark for mark in found if isinstance(mark, Outline)]
        rect = outline.path.boundingRect()
        assert (rect.left(), rect.top(), rect.right(), rect.bottom()) == expected
        assert any(isinstance(mark, Words) and mark.text == "cat 50 %" for mark in found)
