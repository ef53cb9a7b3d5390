"""Zones, lines and the heat map against OpenCV's geometry and against scripted things whose ways are known."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from desktop.vision.tasks.shapes import Box, Line, Points, Shape
from desktop.vision.tracking.counts import LineCounts, ZoneCounts
from desktop.vision.tracking.events import EventSpec
from desktop.vision.tracking.heat_map import HeatMap
from desktop.vision.tracking.zone_watch import PATIENCE_S, ZoneWatch, scene_objects
from desktop.vision.tracking.zones import (
    AnyZone,
    LineSpec,
    ZoneSpec,
    anchor_of,
    distance,
    free_name,
    in_heights,
    inside,
    is_drawable,
    passes,
)

SIZE = (1600, 900)
DOOR = LineSpec("Door", ((0.2, 0.5), (0.8, 0.5)))
ROOM = ZoneSpec("Room", ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)))


def box(x: float, y: float, identity: int | None = 1, label: str = "person", side: float = 0.1) -> Box:
    """A box whose lower edge has its middle at (x, y)."""
    return Box(label, 0, x - side / 2, y - side, x + side / 2, y, 0.9, identity)


class Script:
    """A watch that is shown pictures, a tenth of a second apart."""

    def __init__(self, *zones: AnyZone, events: tuple[EventSpec, ...] = ()) -> None:
        self.watch = ZoneWatch()
        self.watch.use(zones, events)
        self.pts = 0.0
        self.told: list[tuple[str, str, int | None]] = []

    def show(self, *shapes: Shape, followed: bool = True) -> ZoneCounts | LineCounts:
        counts, occurrences = self.watch.see(shapes, self.pts, SIZE, followed=followed)
        self.told += [(h.event, h.direction or h.when, h.identity) for h in occurrences]
        self.pts += 0.1
        return counts[0]

    def walk(self, *places: tuple[float, float], steps: int = 10) -> ZoneCounts | LineCounts:
        """One thing goes straight from place to place."""
        for (x0, y0), (x1, y1) in itertools.pairwise(places):
            for t in np.linspace(0.0, 1.0, steps):
                counts = self.show(box(x0 + t * (x1 - x0), y0 + t * (y1 - y0)))
        return counts


def both_ways(counts: ZoneCounts | LineCounts) -> tuple[int, int]:
    assert isinstance(counts, LineCounts)
    return counts.forward, counts.backward


def room(counts: ZoneCounts | LineCounts) -> tuple[int, int, int]:
    assert isinstance(counts, ZoneCounts)
    return counts.inside, counts.entered, counts.left


# -- geometry ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_inside_and_distance_are_those_of_opencv(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.integers(0, 200, (rng.integers(3, 12), 2))
    places = rng.integers(0, 200, (200, 2))
    contour = corners.astype(np.int32).reshape(-1, 1, 2)
    signed = np.array([cv2.pointPolygonTest(contour, (float(x), float(y)), True) for x, y in places])
    away = distance(places.astype(float), corners.astype(float))
    assert np.allclose(away, np.abs(signed), atol=1e-4)
    assert np.array_equal(inside(places.astype(float), corners.astype(float), away), signed >= 0)


@pytest.mark.parametrize("seed", range(20))
def test_ways_over_a_line_by_their_sides(seed: int) -> None:
    """Two segments meet where each one's ends lie on different sides of the other; all is in general position
    here.
    """
    rng = np.random.default_rng(seed)
    starts, stops, ends = rng.random((100, 2)), rng.random((100, 2)), rng.random((2, 2))

    def side(a: np.ndarray, b: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.sign(np.linalg.det(np.stack(np.broadcast_arrays(b - a, p - a), axis=-2)))

    expected = (side(ends[0], ends[1], starts) != side(ends[0], ends[1], stops)) & (
        side(starts, stops, ends[0]) != side(starts, stops, ends[1])
    )
    assert np.array_equal(passes(starts, stops, ends), expected)


def test_a_way_that_rests_on_the_line_goes_over_it_once() -> None:
    ends = np.array([(0.0, 0.0), (1.0, 0.0)])
    way = np.array([(0.5, -1.0), (0.5, 0.0), (0.5, 0.0), (0.5, 1.0)])
    assert passes(way[:-1], way[1:], ends).sum() == 1


def test_anchor_is_held_to_the_picture() -> None:
    assert anchor_of((0.2, 0.5, 0.4, 1.3), "bottom") == (pytest.approx(0.3), 1.0)
    assert anchor_of((0.2, 0.4, 0.4, 0.6), "center") == (pytest.approx(0.3), 0.5)


def test_names_and_what_can_be_drawn() -> None:
    assert free_name("Door", [DOOR, LineSpec("Door 2", DOOR.points)]) == "Door 3"
    assert is_drawable(DOOR) and is_drawable(ROOM)
    assert not is_drawable(LineSpec("dot", ((0.1, 0.1), (0.1, 0.1))))
    assert not is_drawable(ZoneSpec("flat", ((0.1, 0.1), (0.2, 0.1), (0.3, 0.1))))
    assert not is_drawable(ZoneSpec("two", ((0.1, 0.1), (0.2, 0.2))))


def test_shapes_of_one_thing_count_once_and_by_its_box() -> None:
    body = Points("person", 0, ((0.1, 0.1), (0.3, 0.9)), identity=4, thing=0)
    around = Box("person", 0, 0.0, 0.0, 0.4, 1.0, identity=4, thing=0)
    trail = Line("person", 0, ((0.1, 0.1), (0.3, 0.9)), identity=4)
    (thing,) = scene_objects([body, around, trail])
    assert (thing.identity, thing.extents) == (4, (0.0, 0.0, 0.4, 1.0))


# -- lines ---------------------------------------------------------------------------------------------------


def test_forward_is_from_the_left_to_the_right_of_the_line() -> None:
    assert both_ways(Script(DOOR).walk((0.5, 0.2), (0.5, 0.9))) == (1, 0)
    assert both_ways(Script(DOOR.flipped()).walk((0.5, 0.2), (0.5, 0.9))) == (0, 1)


def test_there_and_back_and_there_again() -> None:
    counts = Script(DOOR).walk((0.5, 0.2), (0.5, 0.9), (0.5, 0.2), (0.5, 0.9))
    assert both_ways(counts) == (2, 1)


def test_around_the_end_is_no_crossing() -> None:
    assert both_ways(Script(DOOR).walk((0.5, 0.2), (0.9, 0.3), (0.9, 0.8), (0.5, 0.9))) == (0, 0)


def test_what_trembles_on_the_line_crosses_once() -> None:
    script, rng = Script(DOOR), np.random.default_rng(1)
    script.walk((0.5, 0.3), (0.5, 0.49))
    for _ in range(200):
        script.show(box(0.5, 0.5 + rng.normal(0, 0.003)))
    assert both_ways(script.walk((0.5, 0.51), (0.5, 0.8))) == (1, 0)


def test_who_turns_on_the_line_has_not_crossed() -> None:
    script = Script(DOOR)
    script.walk((0.5, 0.3), (0.5, 0.503))
    assert both_ways(script.walk((0.5, 0.503), (0.5, 0.3))) == (0, 0)


def test_crossing_while_hidden_counts_but_not_after_too_long() -> None:
    for hidden, crossings in ((1.0, 1), (6.0, 0)):
        script = Script(DOOR)
        script.walk((0.5, 0.3), (0.5, 0.4))
        while hidden > 0:
            script.show()
            hidden -= 0.1
        assert both_ways(script.walk((0.5, 0.6), (0.5, 0.8))) == (crossings, 0)


def test_a_cut_breaks_the_way() -> None:
    script = Script(DOOR)
    script.walk((0.5, 0.3), (0.5, 0.4))
    script.pts = 0.0  # the video begins anew
    assert both_ways(script.walk((0.5, 0.6), (0.5, 0.8))) == (0, 0)


def test_classes_are_counted_apart_and_can_be_chosen() -> None:
    only_cars = LineSpec("Cars", DOOR.points, classes=("car",))
    watch = ZoneWatch()
    watch.use([DOOR, only_cars], [])
    for i in range(20):
        y = 0.2 + 0.03 * i
        shapes = [box(0.4, y, 1), box(0.5, y, 2, "car"), box(0.6, 1 - y, 3, "car")]
        counts, _ = watch.see(shapes, i / 10, SIZE, followed=True)
    assert [both_ways(each) for each in counts] == [(2, 1), (1, 1)]
    assert [(c.label, c.forward, c.backward) for c in counts[0].classes] == [("car", 1, 1), ("person", 1, 0)]


def test_nobody_known_crosses_nothing() -> None:
    script = Script(DOOR)
    for y in (0.2, 0.4, 0.6, 0.8):
        counts = script.show(box(0.5, y, None), followed=False)
    assert both_ways(counts) == (0, 0)


# -- zones ---------------------------------------------------------------------------------------------------


def test_enters_stays_and_leaves() -> None:
    script = Script(ROOM)
    assert room(script.walk((0.1, 0.5), (0.5, 0.5))) == (1, 1, 0)
    counts = script.walk((0.5, 0.5), (0.9, 0.5))
    assert room(counts) == (0, 1, 1)
    assert isinstance(counts, ZoneCounts)
    # In at the fifth tenth of the first way (0.278), last seen within its margin of 0.01 heights at 0.7667 of
    # the second, out at 0.7444+.
    assert counts.seconds == pytest.approx(counts.mean_stay) and 1.0 < counts.seconds < 1.6


def test_who_is_first_seen_inside_has_entered_and_who_vanishes_has_left() -> None:
    script = Script(ROOM)
    assert room(script.show(box(0.5, 0.5))) == (1, 1, 0)
    for _ in range(round(PATIENCE_S / 0.1) - 1):
        counts = script.show()
        assert room(counts) == (1, 1, 0)
    script.pts += 0.15
    assert room(script.show()) == (0, 1, 1)


def test_who_trembles_on_the_edge_enters_once() -> None:
    script, rng = Script(ROOM), np.random.default_rng(2)
    for _ in range(300):
        counts = script.show(box(0.25 + rng.normal(0, 0.0015), 0.5))
    assert room(counts) == (1, 1, 0)


def test_a_zone_at_the_pictures_edge_holds_what_is_cut_off_there() -> None:
    low = ZoneSpec("Low", ((0.0, 0.5), (1.0, 0.5), (1.0, 1.0), (0.0, 1.0)))
    assert room(Script(low).show(box(0.5, 1.2))) == (1, 1, 0)


def test_without_identities_there_is_inside_alone() -> None:
    script = Script(ROOM)
    assert room(script.show(box(0.5, 0.5, None), box(0.6, 0.6, None), followed=False)) == (2, 0, 0)


def test_with_identities_who_has_none_yet_is_not_believed_but_in_the_first_picture() -> None:
    script = Script(ROOM)
    assert room(script.show(box(0.5, 0.5, None))) == (1, 0, 0)
    script.pts -= 0.1  # a photograph that is looked at again
    assert room(script.show(box(0.5, 0.5, None))) == (1, 0, 0)
    assert room(script.show(box(0.5, 0.5, None))) == (0, 0, 0)


def test_a_thing_keeps_the_class_that_it_came_with() -> None:
    script = Script(ROOM)
    script.show(box(0.5, 0.5, label="car"))
    counts = script.show(box(0.5, 0.5, label="truck"))
    assert [(c.label, c.inside, c.entered) for c in counts.classes] == [("car", 1, 1)]


def test_zones_keep_their_counts_by_their_names() -> None:
    script = Script(ROOM)
    script.show(box(0.5, 0.5))
    script.watch.use([ROOM.with_points([(x, y - 0.1) for x, y in ROOM.points])], [])
    assert room(script.show(box(0.5, 0.5))) == (1, 1, 0)
    script.watch.use([LineSpec("Room", DOOR.points)], [])
    assert both_ways(script.show(box(0.5, 0.5))) == (0, 0)


def test_reset_counts_who_is_there_and_nothing_else() -> None:
    script = Script(ROOM)
    script.walk((0.1, 0.5), (0.9, 0.5))
    script.show(box(0.5, 0.5, 2))
    script.watch.reset()
    assert room(script.show(box(0.5, 0.5, 2))) == (1, 1, 0)


def test_counts_as_json() -> None:
    script = Script(ROOM)
    assert script.show(box(0.5, 0.5)).json() == {
        "zone": "Room",
        "kind": "polygon",
        "inside": 1,
        "entered": 1,
        "left": 0,
        "seconds": 0.0,
        "longest": 0.0,
        "classes": {"person": {"inside": 1, "entered": 1, "left": 0, "seconds": 0.0}},
    }


# -- events --------------------------------------------------------------------------------------------------


def test_events_of_a_zone() -> None:
    events = (
        EventSpec("in", "Room", "enters"),
        EventSpec("out", "Room", "leaves"),
        EventSpec("long", "Room", "stays", seconds=1.0),
        EventSpec("cars", "Room", "enters", classes=("car",)),
        EventSpec("elsewhere", "Hall", "enters"),
    )
    script = Script(ROOM, events=events)
    script.walk((0.1, 0.5), (0.5, 0.5), (0.5, 0.6), (0.9, 0.5))
    assert script.told == [("in", "enters", 1), ("long", "stays", 1), ("out", "leaves", 1)]


def test_events_of_a_line_each_way() -> None:
    events = (
        EventSpec("any", "Door", "crosses"),
        EventSpec("in", "Door", "crosses", direction="forward"),
        EventSpec("out", "Door", "crosses", direction="backward"),
    )
    script = Script(DOOR, events=events)
    script.walk((0.5, 0.2), (0.5, 0.9), (0.5, 0.2))
    assert [told[:2] for told in script.told] == [
        ("any", "forward"),
        ("in", "forward"),
        ("any", "backward"),
        ("out", "backward"),
    ]


def test_more_than_so_many_is_told_once_until_it_was_calm() -> None:
    script = Script(ROOM, events=(EventSpec("crowd", "Room", "above", above=2),))
    three = [box(0.4 + 0.1 * i, 0.5, None) for i in range(3)]
    for shapes in [three, three, three[:2], three, *[three[:2]] * 12, three]:
        script.show(*shapes, followed=False)
    assert script.told == [("crowd", "above", None)] * 2


def test_a_happening_as_json_and_as_a_sentence() -> None:
    watch = ZoneWatch()
    watch.use([DOOR], [EventSpec("In", "Door", "crosses")])
    for i, y in enumerate((0.3, 0.45, 0.6)):
        _, told = watch.see([box(0.5, y, 7)], i / 10, SIZE, followed=True)
    assert told[0].json() == {
        "event": "In",
        "zone": "Door",
        "when": "crosses",
        "pts": 0.2,
        "class": "person",
        "identity": 7,
        "x": 0.5,
        "y": 0.6,
        "direction": "forward",
        "seconds": None,
        "count": None,
        "score": 0.9,
        "box": [0.45, 0.5, 0.55, 0.6],
    }
    assert told[0].text() == "In: person 7 crosses Door forward"


# -- the heat map --------------------------------------------------------------------------------------------


def test_heat_is_seconds_where_things_were() -> None:
    heat = HeatMap()
    for i in range(11):
        heat.add([(0.25, 0.5), (0.75, 0.5)] if i <= 5 else [(0.25, 0.5)], i / 10, 16 / 9)
    rows, columns = heat.seconds.shape
    assert heat.seconds.sum() == pytest.approx(1.5)
    assert heat.seconds[rows // 2, columns // 4] == pytest.approx(1.0)
    image = heat.image()
    assert image is not None
    pixels = np.frombuffer(image.pixels, np.uint8).reshape(image.height, image.width, 4)
    assert tuple(np.unravel_index(pixels[..., 3].argmax(), pixels.shape[:2])) == (rows // 2, columns // 4)
    assert pixels[0, 0, 3] == 0


def test_a_pause_is_no_stay_and_nothing_is_no_picture() -> None:
    heat = HeatMap()
    assert heat.image() is None
    heat.add([(0.5, 0.5)], 0.0, 1.0)
    heat.add([(0.5, 0.5)], 100.0, 1.0)
    assert heat.seconds.sum() == pytest.approx(0.5)
    heat.cut()
    heat.add([(0.5, 0.5)], 3.0, 1.0)
    heat.reset()
    assert heat.seconds.sum() == 0.0


def test_corners_in_heights() -> None:
    assert np.allclose(in_heights([(0.5, 0.5)], 2.0), [(1.0, 0.5)])
