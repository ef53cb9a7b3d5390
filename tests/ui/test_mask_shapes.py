"""Handles of masks' shapes without a window: the point that is dragged follows the pointer."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.params.points import lines_of
from desktop.ui.features.masks.shapes import (
    BoxEditing,
    BrushEditing,
    GradientEditing,
    PolygonEditing,
    shape_editing,
)

LIBRARY = FilterLibrary(None)
ASPECT = 16 / 9
POSITION = st.tuples(st.floats(0.05, 0.95), st.floats(0.05, 0.95))
ANGLE = st.integers(-180, 180)


def away(a, b) -> float:
    """The distance of two positions in heights of the frame."""
    return math.hypot((a[0] - b[0]) * ASPECT, a[1] - b[1])


def test_kinds_that_are_drawn_are_found_by_their_parameters():
    found = {name: shape_editing(kind) for name, kind in LIBRARY.masks.items()}
    drawn = {name: type(editing) for name, editing in found.items() if editing is not None}
    assert drawn == {
        "ellipse": BoxEditing,
        "rectangle": BoxEditing,
        "gradient": GradientEditing,
        "polygon": PolygonEditing,
        "brush": BrushEditing,
    }
    assert found["ellipse"].is_round and not found["rectangle"].is_round


@given(POSITION, ANGLE, st.integers(5, 8), POSITION)
def test_a_corner_of_a_rectangle_is_where_it_is_dragged(center, angle, corner, to):
    editing = BoxEditing(is_round=False)
    values = {"center": center, "width": 20.0, "height": 30.0, "angle": float(angle)}
    before = editing.drawn(values, ASPECT).handles
    opposite = 5 + (corner - 5 + 2) % 4
    values |= editing.dragged(values, corner, to, ASPECT)
    # Neither smaller than the least size, which the corner cannot pass, nor with its center out of the frame.
    assume(values["width"] > 0.2 and values["height"] > 0.2)
    assume(all(0.001 < share < 0.999 for share in values["center"]))
    after = editing.drawn(values, ASPECT).handles
    assert away(after[corner], to) < 0.002 and away(after[opposite], before[opposite]) < 0.002


@given(POSITION, ANGLE, POSITION)
def test_a_box_is_turned_towards_the_pointer(center, angle, to):
    editing = BoxEditing(is_round=True)
    values = {"center": center, "width": 20.0, "height": 40.0, "angle": float(angle)}
    assume(away(center, to) > 0.05)
    values |= editing.dragged(values, len(editing.drawn(values, ASPECT).handles) - 1, to, ASPECT)
    LIBRARY.mask("ellipse").check(values)
    top = editing.drawn(values, ASPECT).handles[4]
    wanted = math.atan2(to[1] - center[1], (to[0] - center[0]) * ASPECT)
    found = math.atan2(top[1] - center[1], (top[0] - center[0]) * ASPECT)
    assert abs((wanted - found + math.pi) % (2 * math.pi) - math.pi) < math.radians(0.6)


@given(POSITION, ANGLE, POSITION)
def test_what_is_within_a_shape_is_within_its_line(center, angle, at):
    values = {"center": center, "width": 30.0, "height": 40.0, "angle": float(angle)}
    x, y = (at[0] - center[0]) * ASPECT, at[1] - center[1]
    turn = math.radians(angle)
    along, across = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    share = (along / (0.15 * ASPECT)) ** 2 + (across / 0.2) ** 2
    assume(abs(share - 1.0) > 1e-6)
    assert BoxEditing(is_round=True).contains(values, at, ASPECT) == (share < 1.0)


def test_ends_of_a_gradient_stay_in_the_frame():
    values = {"start": (0.5, 0.25), "end": (0.5, 0.75)}
    assert GradientEditing().dragged(values, 1, (1.2, -0.1), ASPECT) == {"end": (1.0, 0.0)}


@given(POSITION, POSITION)
def test_lines_of_a_gradient_cross_the_frame_at_right_angles(start, end):
    assume(away(start, end) > 0.01)
    *across, along = GradientEditing().drawn({"start": start, "end": end}, ASPECT).lines
    assert along == (start, end)
    for a, b in across:
        for x, y in (a, b):
            assert -1e-6 <= x <= 1 + 1e-6 and -1e-6 <= y <= 1 + 1e-6
            assert min(abs(x), abs(1 - x), abs(y), abs(1 - y)) < 1e-6
        turn = (b[0] - a[0]) * (end[0] - start[0]) * ASPECT**2 + (b[1] - a[1]) * (end[1] - start[1])
        assert abs(turn) < 1e-6


def test_a_corner_divides_the_nearest_edge_of_several_polygons():
    editing = PolygonEditing()
    values = {"points": "0.1/0.1 0.3/0.1 0.3/0.3; 0.6/0.6 0.9/0.6 0.9/0.9 0.6/0.9"}
    changed, handle = editing.added(values, (0.75, 0.58), ASPECT, at_end=False)
    first, second = lines_of(changed["points"])
    assert len(first) == 3 and second[1] == (0.75, 0.58) and handle == 4
    # Between the last corner and the first one.
    changed, handle = editing.added(values, (0.58, 0.75), ASPECT, at_end=False)
    assert lines_of(changed["points"])[1][4] == (0.58, 0.75) and handle == 7
    assert lines_of(editing.removed(values, 2)["points"])[0] == ((0.1, 0.1), (0.3, 0.1))
    assert lines_of(editing.dragged(values, 3, (0.5, 0.5), ASPECT)["points"])[1][0] == (0.5, 0.5)


def test_a_brush_stops_where_there_are_too_many_points():
    editing = BrushEditing()
    values = {"strokes": "", "width": 5.0}
    values |= editing.begun(values, (0.1, 0.1))
    assert editing.continued(values, (0.1005, 0.1), ASPECT) == {}, "too near to the last point"
    line = " ".join(f"{number / 5000:.4f}/0.5" for number in range(4096))
    full = {"strokes": line, "width": 5.0}
    assert editing.begun(full, (0.5, 0.5)) == {} and editing.continued(full, (0.1, 0.9), ASPECT) == {}
    assert editing.erased(full) == {"strokes": ""} and editing.erased({"strokes": "", "width": 5.0}) == {}
    assert editing.width(values) == pytest.approx(0.05)
