"""Output of a scene for results: shapes with identities, cuts, and nothing at all if nothing is requested."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest

from desktop.media.frame import Frame, PixelFormat, Plane, PlaneFormat
from desktop.vision.tasks.shapes import (
    Box,
    Label,
    Line,
    Mask,
    Points,
    Polygon,
    Shape,
    bounds,
    caption,
    color_number,
)
from desktop.vision.tasks.task import Result
from desktop.vision.tracking.follower import with_identity
from desktop.vision.tracking.scene import Scene, SceneSpec, TrackedResult
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.tracker import MAX_BOXES

SIZE = (640, 480)


@dataclass(frozen=True)
class Shown(Result):
    """A result of given shapes."""

    given: tuple[Shape, ...] = ()

    def json(self) -> dict[str, Any]:
        return {}

    def lines(self) -> tuple[str, ...]:
        return ()

    def shapes(self) -> tuple[Shape, ...]:
        return self.given


def test_without_anything_to_follow_the_shapes_are_the_results():
    result = Shown((Box("cat", 1, 0.1, 0.2, 0.3, 0.4), Label("cat", 0.5)))
    tracked_result = Scene().see(result, 0.5, SIZE)
    assert tracked_result.result is result and tracked_result.shapes == result.shapes()
    assert (tracked_result.pts, tracked_result.size, tracked_result.trails, tracked_result.expected) == (
        0.5,
        SIZE,
        (),
        (),
    )


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Box("a", 0, 0.1, 0.2, 0.3, 0.4), (0.1, 0.2, 0.3, 0.4)),
        (Mask("a", 0, None, 0.9, 0.2, 0.3, 0.4), (0.3, 0.2, 0.9, 0.4)),  # mirrored
        (Points("a", 0, ((0.5, 0.1), (0.2, 0.9), (0.3, 0.3))), (0.2, 0.1, 0.5, 0.9)),
        (Polygon("a", 0, ((0.5, 0.1), (0.2, 0.9), (0.3, 0.3))), (0.2, 0.1, 0.5, 0.9)),
        (Points("a", 0, ()), None),
        (Line("a", 0, ((0.0, 0.0), (1.0, 1.0))), None),
        (Label("a", 0.5), None),
        (Mask("road", 0, None, is_class=True), None),  # of classes, on all of it
    ],
)
def test_the_bounds_of_a_shape(shape: Shape, expected: tuple[float, ...] | None):
    assert bounds(shape) == expected


TRACKED = SceneSpec(track=TrackSpec(hits=1))


def walked(scene: Scene, frames: int, *more: Shape) -> list[TrackedResult]:
    """A person who goes to the right for some pictures, 30 a second, with other shapes behind."""
    return [
        scene.see(
            Shown((Box("person", 0, 0.1 + 0.005 * i, 0.2, 0.2 + 0.005 * i, 0.5, score=0.9), *more)),
            i / 30,
            SIZE,
        )
        for i in range(frames)
    ]


def test_shapes_of_one_thing_share_an_identity_and_words_have_none():
    body = Box("person", 0, 0.1, 0.1, 0.3, 0.6, score=0.8, thing=0)
    pose = Points("person", 0, ((0.2, 0.2), (0.2, 0.5)), ((0, 1),), thing=0)
    other = Polygon("boat", 8, ((0.7, 0.7), (0.9, 0.7), (0.8, 0.9)), score=0.7)
    mask = Mask("dog", 16, None, 0.5, 0.1, 0.6, 0.3, score=0.6)
    way, word = Line("flow", 0, ((0.1, 0.1), (0.2, 0.2)), arrow=True), Label("street", 0.5)
    shapes = (word, body, other, pose, mask, way)
    tracked_result = Scene(TRACKED).see(Shown(shapes), 0.0, SIZE)
    assert [getattr(shape, "identity", None) for shape in tracked_result.shapes] == [None, 1, 2, 1, 3, None]
    assert tracked_result.identities == (1, 2, 3)
    # Nothing else of them has changed.
    for before, after in zip(shapes, tracked_result.shapes, strict=True):
        assert before == (replace(after, identity=None) if hasattr(after, "identity") else after)


@pytest.mark.parametrize(
    "shape",
    [
        Box("a", 0, math.nan, 0.1, 0.2, 0.3, score=0.5),
        Box("a", 0, 0.1, 0.1, math.inf, 0.3, score=0.5),
        Box("a", 0, -math.inf, 0.1, math.inf, 0.3),
        Points("a", 0, ((math.nan, 0.0), (0.1, 0.2))),
        Points("a", 0, ()),
        Polygon("a", 0, (), thing=5),
    ],
)
def test_what_lies_nowhere_has_no_identity(shape: Shape):
    good = Box("b", 1, 0.1, 0.1, 0.2, 0.2)
    for _ in range(2):
        tracked_result = Scene(TRACKED).see(Shown((shape, good)), 0.0, SIZE)
        assert [shape.identity for shape in tracked_result.shapes] == [None, 1]


@pytest.mark.parametrize(
    "shape",
    [
        Box("a", 0, 0.5, 0.5, 0.5, 0.5, score=0.9),  # no area
        Box("a", 0, 0.6, 0.5, 0.4, 0.5, score=0.9),  # left of its left
        Box("a", 0, -1e30, -1e30, 1e30, 1e30, score=0.9),
        Box("a", 0, 0.1, 0.1, 0.3, 0.3, score=7.0),
        Points("a", 0, ((0.5, 0.5),)),
    ],
)
def test_odd_shapes_are_followed_and_do_no_harm(shape: Shape):
    scene = Scene(TRACKED)
    for i in range(4):
        tracked_result = scene.see(Shown((shape,)), i / 30, SIZE)
        assert tracked_result.shapes[0].identity == 1
        assert all(
            math.isfinite(value) for line in tracked_result.trails for point in line.points for value in point
        )


@pytest.mark.parametrize("score", [math.nan, -1.0, -math.inf])
def test_a_score_that_is_none_begins_nothing(score: float):
    tracked_result = Scene(TRACKED).see(Shown((Box("a", 0, 0.1, 0.1, 0.3, 0.3, score=score),)), 0.0, SIZE)
    assert tracked_result.shapes[0].identity is None


def test_of_thousands_of_shapes_the_first_are_followed():
    random = np.random.default_rng(1)
    corners = random.random((5000, 2)).tolist()
    shapes = tuple(Box("a", 0, x, y, x + 0.01, y + 0.01, score=0.9) for x, y in corners)
    scene = Scene(TRACKED)
    for i in range(3):
        tracked_result = scene.see(Shown(shapes), i / 30, SIZE)
    identities = [shape.identity for shape in tracked_result.shapes]
    assert all(identities[:MAX_BOXES]) and not any(identities[MAX_BOXES:]) and len(identities) == 5000
    assert len(set(identities[:MAX_BOXES])) == MAX_BOXES


def test_a_class_is_a_number_whatever_it_is_called():
    def seen(i: int, label: str, index: int) -> tuple[int | None, ...]:
        return scene.see(Shown((Box(label, index, 0.1, 0.2, 0.2, 0.5, score=0.9),)), i / 30, SIZE).identities

    scene = Scene(TRACKED)
    assert seen(0, "dog: beagle", 16) == seen(1, "dog: boxer", 16) == (1,)
    assert seen(2, "dog", 17) == (2,)


def test_trails_are_the_ways_of_the_last_seconds():
    scene = Scene(SceneSpec(track=TrackSpec(hits=1, trail=1.0)))
    tracked_results = walked(scene, 120)
    assert tracked_results[0].trails == ()
    for i in (5, 60, 119):
        [trail] = tracked_results[i].trails
        box = tracked_results[i].shapes[0]
        assert (trail.identity, trail.label, trail.index) == (1, "person", 0)
        assert trail.points[-1] == pytest.approx(((box.left + box.right) / 2, 0.35))
        across = [x for x, _ in trail.points]
        assert across == sorted(across) and len(across) <= 21
        # Of the last second, and not of less but for the time between two of its points.
        assert 0.005 * (min(i, 30) - 3) <= across[-1] - across[0] <= 0.005 * 30 + 1e-6
    # A thing that is gone leaves a trail that shortens.
    lengths = [
        sum(len(line.points) for line in scene.see(Shown(()), (120 + i) / 30, SIZE).trails) for i in range(40)
    ]
    assert lengths == sorted(lengths, reverse=True) and lengths[0] > 10 and lengths[-1] == 0
    scene.use(SceneSpec(track=TrackSpec(hits=1, trail=0.0)))
    assert scene.see(Shown((Box("a", 0, 0.1, 0.1, 0.2, 0.2),)), 6.0, SIZE).trails == ()


def test_what_is_hidden_is_expected():
    scene = Scene(TRACKED)
    walked(scene, 30)
    tracked_result = scene.see(Shown(()), 35 / 30, SIZE)
    [box] = tracked_result.expected
    assert (box.label, box.identity) == ("person", 1)
    assert box.left == pytest.approx(0.1 + 0.005 * 35, abs=0.02) and box.top == pytest.approx(0.2, abs=0.02)
    assert scene.see(Shown(()), 30.0, SIZE).expected == ()


def test_a_cut_ends_identities_and_trails_and_nothing_is_used_again():
    scene = Scene(TRACKED)
    assert walked(scene, 10)[-1].identities == (1,)
    scene.cut()
    tracked_result = walked(scene, 1)[0]
    assert tracked_result.identities == (2,) and tracked_result.trails == ()
    scene.use(SceneSpec())
    assert walked(scene, 1)[0].identities == (None,) and not walked(scene, 1)[0].followed
    scene.use(TRACKED)
    assert walked(scene, 1)[0].identities == (3,)


def test_going_back_in_time_is_a_cut():
    scene = Scene(TRACKED)
    walked(scene, 30)
    tracked_result = walked(scene, 1)[0]  # a loop begins anew
    assert tracked_result.identities == (2,) and tracked_result.trails == () and tracked_result.expected == ()


def test_other_settings_keep_who_is_who():
    scene = Scene(TRACKED)
    walked(scene, 10)
    scene.use(SceneSpec(track=TrackSpec(hits=1, remember=9.0, trail=5.0)))
    later = Shown((Box("person", 0, 0.15, 0.2, 0.25, 0.5, score=0.9),))
    assert scene.see(later, 10 / 30, SIZE).identities == (1,)


def test_a_picture_of_an_unknown_size_is_no_matter():
    assert Scene(TRACKED).see(Shown((Box("a", 0, 0.1, 0.1, 0.2, 0.2),)), 0.0, (0, 0)).identities == (1,)


@dataclass(frozen=True)
class Listed(Shown):
    """A result whose things are listed in its JSON."""

    def json(self) -> dict[str, Any]:
        return {"objects": [{"label": shape.label} for shape in self.given if isinstance(shape, Box)]}


def test_json_has_the_identity_of_each_object():
    near, far = Box("a", 0, 0.1, 0.1, 0.2, 0.2), Box("b", 1, 0.5, 0.5, 0.6, 0.6, score=0.1)
    assert Scene().see(Listed((near, far)), 0.0, SIZE).json() == {"objects": [{"label": "a"}, {"label": "b"}]}
    assert Scene(TRACKED).see(Listed((near, far)), 0.0, SIZE).json() == {
        "objects": [{"label": "a", "identity": 1}, {"label": "b", "identity": None}]
    }
    assert Scene(TRACKED).see(Shown((near,)), 0.0, SIZE).json() == {"identity": 1}
    assert Scene(TRACKED).see(Shown((Label("a", 0.5),)), 0.0, SIZE).json() == {}


def test_captions_and_colors_say_who_it_is():
    box = Box("cat", 3, 0.1, 0.1, 0.2, 0.2, score=0.5)
    assert (caption(box), color_number(box)) == ("cat 50 %", 3)
    box = replace(box, identity=12)
    assert (caption(box), color_number(box)) == ("#12 cat 50 %", 12)


@pytest.mark.parametrize(
    "shape",
    [
        Box("dog", 3, 0.1, 0.2, 0.3, 0.4, 0.9, None, 5, ((0.1, 0.2), (0.3, 0.4))),
        Mask("dog", 3, None, 0.1, 0.2, 0.3, 0.4, 0.9, None, 5, layer=2, level=0.0),
    ],
)
def test_an_identity_changes_nothing_else_of_a_shape(shape):
    assert all(getattr(shape, field.name) is not None for field in fields(shape) if field.name not in _OPEN)
    assert with_identity(shape, 7) == replace(shape, identity=7)


_OPEN = ("identity", "texture", "reader")


def _image(pts: float, *, bright: bool) -> Frame:
    data = bytes((200 if bright else 60,) * 64)
    return Frame((Plane(data, 8, 8, 8),), PixelFormat("gray", (PlaneFormat("Y"),)), 8, 8, pts=pts)


@pytest.mark.parametrize(("ends", "identities"), [(True, (1, 1, 2)), (False, (1, 1, 1))])
def test_tracks_end_at_a_cut_if_set(ends: bool, identities: tuple[int, ...]):
    scene = Scene(SceneSpec(track=TrackSpec(hits=1, cuts=ends)))
    shown = Shown((Box("person", 0, 0.1, 0.2, 0.2, 0.5, score=0.9),))
    for number in range(3):
        scene.watch(_image(number / 25, bright=number == 2))
    # The results come later than their frames.
    assert tuple(scene.see(shown, n / 25, SIZE).identities[0] for n in range(3)) == identities


@pytest.mark.parametrize("follows", [True, False])
def test_tracks_end_with_each_image_of_a_slide_show(follows: bool):
    scene = Scene(SceneSpec(track=TrackSpec(hits=1)))
    shown = Shown((Box("person", 0, 0.1, 0.2, 0.2, 0.5, score=0.9),))
    found = []
    for number in range(3):
        scene.watch(replace(_image(3.0 * number, bright=False), follows=follows))
        # The same image may be analyzed again.
        found += [scene.see(shown, 3.0 * number, SIZE).identities[0] for _ in range(2)]
    assert found == ([1] * 6 if follows else [1, 1, 2, 2, 3, 3])


def test_a_jump_is_no_cut():
    scene = Scene(SceneSpec(track=TrackSpec(hits=1, cuts=True)))
    shown = Shown((Box("person", 0, 0.1, 0.2, 0.2, 0.5, score=0.9),))
    scene.watch(_image(5.0, bright=False))
    scene.cut()
    scene.watch(_image(0.0, bright=True))
    assert [scene.see(shown, pts, SIZE).identities for pts in (0.0, 0.04)] == [(1,), (1,)]
