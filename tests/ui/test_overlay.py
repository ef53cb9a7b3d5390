"""The overlay on the frame: no part covers another, and none leaves the frame."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from desktop.overlay.layout import OverlayState
from desktop.overlay.painting import paint_overlay
from desktop.overlay.result_overlay import overlay_state
from desktop.pipeline.picture.present import Placement
from desktop.vision.tasks.shapes import Box, Label
from desktop.vision.tracking.scene import TrackedResult

FIGURES = OverlayState(
    rows=(("FPS", "30.0"), ("latency p50 / 95 / 99", "8.1 / 9.2 / 9.9"), ("GPU", "3.02 ms"), ("dropped", "0"))
)
CLASSES = OverlayState(
    bars=tuple(Label(f"class {i}", 0.5 / (i + 1)) for i in range(5)), bars_title="mobilenet"
)
BOTH = replace(FIGURES, bars=CLASSES.bars, bars_title=CLASSES.bars_title)


def rectangle(image: np.ndarray) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) of what is painted."""
    ys, xs = np.nonzero(image[..., 3])
    return int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1


def assert_untouched(alone: np.ndarray, together: np.ndarray) -> None:
    """What is painted in `alone` is the same in `together`, and there is more in `together`."""
    painted = alone[..., 3] > 0
    np.testing.assert_array_equal(together[painted], alone[painted])
    assert (together[..., 3] > 0).sum() > painted.sum()


@pytest.mark.parametrize("size", [(320, 520), (760, 560)])
@pytest.mark.parametrize(
    "more",
    [
        {"toast": "Undone: Strength of Vignette and more"},
        {"split": 0.3, "split_labels": ("before", "after")},
        {"recording": "0:12"},
        {"toast": "Undone: Strength", "split": 0.5, "split_labels": ("before", "after"), "recording": "0:12"},
    ],
)
def test_nothing_lies_over_the_panels(qapp, size, more):
    assert_untouched(paint_overlay(BOTH, *size, 1.0), paint_overlay(replace(BOTH, **more), *size, 1.0))


def test_a_toast_does_not_lie_over_the_labels_of_the_split(qapp):
    split = OverlayState(split=0.5, split_labels=("before", "after"))
    assert_untouched(
        paint_overlay(split, 700, 500, 1.0), paint_overlay(replace(split, toast="Speed 2×"), 700, 500, 1.0)
    )


def test_the_names_of_the_split_stand_on_the_picture(qapp):
    """A picture wider than its canvas leaves 100 free below it; they were there, far from what they name."""
    split = OverlayState(split=0.5, split_labels=("before", "after"))
    bottom = rectangle(paint_overlay(split, 700, 500, 1.0))[3]
    assert (
        rectangle(paint_overlay(replace(split, image=(0, 100, 700, 400)), 700, 500, 1.0))[3] == bottom - 100
    )


def test_classes_below_one_percent_are_not_drawn():
    labels = tuple(Label(f"class {i}", value) for i, value in enumerate((0.5, 0.01, 0.0099, 0.002)))
    result = TrackedResult(None, 0.0, (0, 0), labels)
    whole = Placement(0.0, 0.0, 1.0)
    state = overlay_state(result, "mobilenet", whole, (64, 48))
    assert [bar.label for bar in state.bars] == ["class 0", "class 1"]
    unsure = replace(result, shapes=labels[2:])
    assert overlay_state(unsure, "mobilenet", whole, (64, 48)).bars_title == ""


@pytest.mark.parametrize("height", [220, 260, 320])
def test_panels_that_do_not_fit_give_up_classes(qapp, height):
    figures = paint_overlay(FIGURES, 320, height, 1.0)
    together = paint_overlay(BOTH, 320, height, 1.0)
    assert_untouched(figures, together)
    gap = together[rectangle(figures)[3] + 1, :, 3]
    assert not gap.any() and rectangle(together)[3] <= height


def test_a_label_goes_beside_the_figures(qapp):
    left, _, right, bottom = rectangle(paint_overlay(FIGURES, 700, 500, 1.0))
    found = Box("person 91 %", 3, left + 10, bottom + 6, right + 200, 400)
    figures = paint_overlay(FIGURES, 700, 500, 1.0)
    together = paint_overlay(replace(FIGURES, found=(found,)), 700, 500, 1.0)
    assert_untouched(figures, together)
    color = together[bottom + 6, right + 100]
    tagged = (together[: bottom + 2] == color).all(axis=-1)
    assert tagged.sum() > 500  # the label's ground, above the box and beside the figures


def test_a_label_at_the_right_edge_is_whole(qapp):
    def tag(left: int, right: int) -> tuple[int, int]:
        image = paint_overlay(
            OverlayState(found=(Box("face 88 %", 1, left, 100, right, 160),)), 320, 240, 1.0
        )
        columns = np.nonzero(image[:94, :, 3].any(axis=0))[0]
        return int(columns.min()), int(columns.max()) + 1

    free, edge = tag(100, 140), tag(280, 316)
    assert edge[1] - edge[0] == free[1] - free[0]
    assert edge[1] <= 320


def test_what_finds_no_room_is_left_out(qapp):
    crowded = replace(BOTH, toast="Undone: Strength", split=0.3, split_labels=("before", "after"))
    handle = replace(BOTH, split=0.3)
    np.testing.assert_array_equal(paint_overlay(crowded, 320, 220, 1.0), paint_overlay(handle, 320, 220, 1.0))


def test_the_overlay_needs_no_widgets():
    """A command that writes boxes into a file opens no window."""
    program = "import sys, desktop.overlay.painting, desktop.overlay.result_overlay; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "PySide6.QtGui" in modules
    assert not {"PySide6.QtWidgets", "rendercanvas", "desktop.ui"} & modules
