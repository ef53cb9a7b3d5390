"""Areas to redact: scripted objects whose detector fails now and then, whose results are late, or that were
never analyzed.
"""

from __future__ import annotations

import math
from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings

from desktop.base.errors import UsageError
from desktop.pipeline.setup.hidden import anonymize_table, take_anonymize
from desktop.vision.tasks.shapes import Box, Label, Mask, Points, Polygon
from desktop.vision.tracking.anonymize import AnonymizeSpec, hides_others, with_anonymize_value
from desktop.vision.tracking.hidden_area import FULL_FRAME, MOST_AREAS
from desktop.vision.tracking.redaction_areas import RedactionAreas

SIZE = (1280, 720)
RATE = 30.0
GRID = 60


def faces(t):
    """Two true boxes at a time: a walk with a swing, and one that grows as it comes nearer and turns."""
    x, y = 0.1 + 0.09 * t, 0.4 + 0.02 * math.sin(4 * t)
    yield (x, y, x + 0.06, y + 0.14)
    size = 0.06 + 0.01 * t
    x, y = 0.7 + 0.06 * math.sin(1.5 * t), 0.3 + 0.03 * t
    yield (x, y, x + size, y + 1.6 * size)


def jittered(box, random):
    """As a detector gives it: off by some per cent of its size."""
    width, height = box[2] - box[0], box[3] - box[1]
    off = random.normal(0, 0.02, 4) * (width, height, width, height)
    return tuple(float(v) for v in np.array(box) + off)


def covered(box, areas):
    """Share of a box that places hide, by a grid of points."""
    x, y = np.meshgrid(*(np.linspace(box[k], box[k + 2], GRID * 2 + 1)[1::2] for k in (0, 1)))
    hidden = np.zeros(x.shape, bool)
    for area in areas:
        if area.is_round:
            dx = (x - (area.left + area.right) / 2) / ((area.right - area.left) / 2)
            dy = (y - (area.top + area.bottom) / 2) / ((area.bottom - area.top) / 2)
            # A box of no more than rounding is one point of its edge.
            hidden |= dx**2 + dy**2 <= 1 + 1e-12
        else:
            hidden |= (x >= area.left) & (x <= area.right) & (y >= area.top) & (y <= area.bottom)
    return hidden.mean()


def boxes(*extents, label="face"):
    return tuple(Box(label, 0, *each, score=0.9) for each in extents)


def redaction(**values):
    made = RedactionAreas()
    made.use(AnonymizeSpec(**values))
    return made


@pytest.mark.parametrize("outline", ["fitting", "box"])
@pytest.mark.parametrize("seed", range(4))
def test_gaps_of_the_detector_show_nobody(outline, seed):
    random = np.random.default_rng(seed)
    found = redaction(classes=("face",), outline=outline)
    # Each face is missed for up to 0.4 s, again and again.
    missed = [set(), set()]
    for lost in missed:
        at = 6
        while at < 120:
            length = int(random.integers(1, 13))
            lost.update(range(at, at + length))
            at += length + int(random.integers(4, 15))
    worst, hidden = 1.0, []
    for i in range(120):
        true = tuple(faces(i / RATE))
        seen = [jittered(box, random) for box, lost in zip(true, missed, strict=True) if i not in lost]
        found.see(boxes(*seen), i / RATE, SIZE)
        areas = found.areas(i / RATE, exact=True)
        assert areas != (FULL_FRAME,)
        worst = min(worst, *(covered(box, areas) for box in true))
        hidden.append(sum((a.right - a.left) * (a.bottom - a.top) for a in areas))
    assert worst >= 0.95
    assert np.mean(hidden) < 0.15, "and it is not for hiding everything"


@pytest.mark.parametrize("late", [1, 3, 6])
@pytest.mark.parametrize("every", [1, 3])
def test_late_results_hide_where_things_may_be_by_now(late, every):
    random = np.random.default_rng(late * 10 + every)
    found = redaction(classes=("face",))
    worst = 1.0
    for i in range(120):
        looked_at = i - late
        if looked_at >= 0 and looked_at % every == 0:
            seen = (jittered(box, random) for box in faces(looked_at / RATE))
            found.see(boxes(*seen), looked_at / RATE, SIZE)
        areas = found.areas(i / RATE, exact=False)
        worst = min(worst, *(covered(box, areas) for box in faces(i / RATE)))
    assert worst >= 0.95


def test_nothing_is_shown_that_nobody_has_looked_at():
    found = redaction(hold=1.0)
    assert found.areas(0.0, exact=False) == (FULL_FRAME,)
    found.see((), 0.0, SIZE)
    assert found.areas(0.0, exact=True) == found.areas(0.9, exact=False) == ()
    assert found.areas(0.04, exact=True) == (FULL_FRAME,), "of this picture nothing is known"
    assert found.areas(1.1, exact=False) == (FULL_FRAME,), "the result is too late"
    assert found.areas(-0.1, exact=False) == (FULL_FRAME,), "the source began anew"
    assert found.areas(math.nan, exact=False) == found.areas(math.nan, exact=True) == (FULL_FRAME,)
    found.cut()
    assert found.areas(0.0, exact=False) == (FULL_FRAME,)
    trusting = redaction(unseen=False)
    assert trusting.areas(0.0, exact=False) == ()
    assert trusting.areas(0.0, exact=True) == (FULL_FRAME,), "in batch work each picture waits for its own"
    off = RedactionAreas()
    off.see(boxes((0.1, 0.1, 0.2, 0.2)), 0.0, SIZE)
    assert off.areas(0.0, exact=True) == off.areas(9.0, exact=False) == ()


def test_words_about_the_whole_picture_say_of_no_place_that_it_may_be_shown():
    found = redaction()
    found.see((Label("face", 0.9), Label("dog", 0.1)), 0.0, SIZE)
    assert found.areas(0.0, exact=True) == found.areas(0.0, exact=False) == (FULL_FRAME,)
    found.see((Label("face", 0.9, colored=True),), 0.1, SIZE)
    assert found.areas(0.1, exact=True) == (), "the legend of a picture without that class"


def test_a_result_with_what_is_no_number_hides_all_and_what_was_known_is_followed_on():
    found = redaction(classes=("face",), hold=1.0, unseen=False)
    face = (0.4, 0.4, 0.5, 0.6)
    for i in range(5):
        found.see(boxes(face), i / RATE, SIZE)
    found.see((), 5 / RATE, SIZE, has_nan=True)
    assert found.areas(5 / RATE, exact=True).count(FULL_FRAME) == 1
    found.see((), 6 / RATE, SIZE)
    areas = found.areas(6 / RATE, exact=True)
    assert FULL_FRAME not in areas and covered(face, areas) == 1.0


def test_a_place_is_held_for_as_long_as_is_set():
    found = redaction(hold=0.5)
    box = (0.4, 0.4, 0.5, 0.6)
    for i in range(4):
        found.see(boxes(box), i * 0.1, SIZE)
    for i in range(4, 9):
        found.see((), i * 0.1, SIZE)
        hidden = covered(box, found.areas(i * 0.1, exact=True))
        assert hidden == 1.0, i
    found.see((), 0.95, SIZE)
    assert found.areas(0.95, exact=True) == ()


def test_classes_are_chosen_by_their_names():
    shapes = (
        *boxes((0.1, 0.1, 0.2, 0.2), label="Person"),
        *boxes((0.3, 0.1, 0.4, 0.2), label="dog: boxer"),
        *boxes((0.5, 0.1, 0.6, 0.2), label="car"),
    )
    for classes, count in (((), 3), (("person",), 1), (("PERSON", "dog"), 2), (("boxer",), 0), (("do",), 0)):
        found = redaction(classes=classes)
        found.see(shapes, 0.0, SIZE)
        assert len(found.areas(0.0, exact=True)) == count, classes
    spec = AnonymizeSpec(("Person", "cat"))
    assert spec.missing(("person", "car")) == ("cat",) and spec.missing(()) == ()


def test_shapes_of_one_thing_are_one_place_with_a_margin():
    body = (
        Box("person", 0, 0.4, 0.3, 0.5, 0.6, thing=1),
        Points("", 0, ((0.38, 0.5), (0.47, 0.65)), thing=1),
        Polygon("ship", 1, ((0.8, 0.8), (0.9, 0.85), (0.85, 0.9)), thing=2),
    )
    found = redaction(classes=("person", "ship"), margin=0.5, outline="box")
    found.see(body, 0.0, SIZE)
    first, second = sorted(found.areas(0.0, exact=True), key=lambda a: a.left)
    assert (first.left, first.top, first.right, first.bottom) == pytest.approx((0.32, 0.125, 0.56, 0.825))
    assert (second.left, second.top, second.right, second.bottom) == pytest.approx((0.75, 0.75, 0.95, 0.95))


def test_outlines_fit_or_are_boxes():
    mask = Mask("person", 0, None, 0.2, 0.2, 0.4, 0.6)
    shapes = (mask, *boxes((0.6, 0.2, 0.7, 0.3)))
    found = redaction()
    found.see(shapes, 0.0, SIZE)
    masked, face = sorted(found.areas(0.0, exact=True), key=lambda a: a.left)
    assert masked.mask is mask and face.is_round
    assert covered((0.6, 0.2, 0.7, 0.3), [face]) == 1.0, "an ellipse has the corners of its box"
    later = sorted(found.areas(0.1, exact=False), key=lambda a: a.left)
    assert later[0].mask is None, "of another picture the mask says nothing"
    assert covered((0.2, 0.2, 0.4, 0.6), later) == 1.0
    plain = redaction(outline="box")
    plain.see(shapes, 0.0, SIZE)
    assert not any(area.is_round or area.mask for area in plain.areas(0.0, exact=True))
    pixels = Mask("sky", 3, None, is_class=True)
    found.see((Label("sky", 0.4, 3, colored=True), pixels), 0.2, SIZE)
    assert any(area.mask is pixels for area in found.areas(0.2, exact=True))


def test_wild_numbers_and_crowds():
    found = redaction(classes=("face",))
    bad = [(math.nan, 0.1, 0.2, 0.3), (0.0, 0.0, math.inf, 1.0), (0.9, 0.9, 0.1, 0.1)]
    found.see(boxes(*bad, (0.1, 0.1, 0.2, 0.2)), 0.0, SIZE)
    assert covered((0.1, 0.1, 0.2, 0.2), found.areas(0.0, exact=True)) == 1.0
    many = [(0.001 * i, 0.1, 0.001 * i + 0.01, 0.2) for i in range(MOST_AREAS + 50)]
    found.see(boxes(*many), 0.1, SIZE)
    assert found.areas(0.1, exact=True) == (FULL_FRAME,), "more than can be told apart"


wild = st.floats(-0.5, 1.5) | st.sampled_from([math.nan, math.inf, -math.inf, 1e308, -1e308, 1e-320])


@settings(max_examples=150)
@example([(1e-320, 1e-320, -0.49609375, -0.49609375)], "face", 0.0)
@example([(0.0, 0.0, 5e-324, 1e308)], "face", 0.0)
@given(
    st.lists(st.tuples(wild, wild, wild, wild), min_size=1, max_size=4),
    st.sampled_from(["face", "person"]),
    st.sampled_from([0.0, 0.1]),
)
def test_whatever_numbers_a_network_gives_what_it_found_is_hidden(found, label, later):
    """A box that is finite where it is, one that is not anywhere: the whole picture. All numbers fit the
    GPU's.
    """
    hider = redaction(classes=(label,))
    hider.see(boxes(*found, label=label), 0.0, SIZE)
    areas = hider.areas(later, exact=later == 0.0)
    for area in areas:
        assert np.isfinite(np.float32([area.left, area.top, area.right, area.bottom])).all()
    for x0, y0, x1, y1 in found:
        left, right = (min(1.0, max(0.0, x)) for x in sorted((x0, x1)))
        top, bottom = (min(1.0, max(0.0, y)) for y in sorted((y0, y1)))
        if not all(map(math.isfinite, (x0, y0, x1, y1))):
            assert FULL_FRAME in areas
        elif right > left and bottom > top:
            assert covered((left, top, right, bottom), areas) == 1.0


def test_pixels_of_a_class_are_enlarged_with_the_time_since_they_were_found():
    pixels = Mask("person", 3, None, is_class=True)
    found = redaction()
    found.see((Label("person", 0.4, 3, colored=True), pixels), 0.0, SIZE)
    grown = [found.areas(at, exact=False)[0].grow for at in (0.0, 0.1, 0.3, 0.9)]
    assert grown == pytest.approx([0.01, 0.06, 0.16, 0.25])


def test_other_classes_make_what_was_seen_worth_nothing():
    found = redaction(classes=("face",))
    found.see(boxes((0.1, 0.1, 0.2, 0.2), label="person"), 0.0, SIZE)
    assert found.areas(0.0, exact=False) == ()
    before = found.version
    found.use(AnonymizeSpec(("person",)))
    assert found.areas(0.0, exact=False) == (FULL_FRAME,) and found.version > before
    found.see(boxes((0.1, 0.1, 0.2, 0.2), label="person"), 0.0, SIZE)
    found.use(AnonymizeSpec(("person",), kind="blur"))
    assert len(found.areas(0.0, exact=False)) == 1 and found.areas(0.0, exact=False) != (FULL_FRAME,)


# -- values of strangers -------------------------------------------------------------------------------------


def test_a_table_is_read_as_it_was_written():
    spec = AnonymizeSpec(("face", "person"), "blur", 5, 0.3, "box", 2.5, False)
    document = {"anonymize": anonymize_table(spec)}
    warned = []
    assert take_anonymize(document, warned.append) == spec and not document and not warned
    assert take_anonymize({}, warned.append) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "smear"),
        ("kind", ["blur"]),
        ("outline", 3),
        ("blocks", 1),
        ("blocks", 5.5),
        ("blocks", True),
        ("margin", math.nan),
        ("margin", -0.1),
        ("hold", math.inf),
        ("hold", "1"),
        ("unseen", 1),
        ("classes", "face"),
        ("classes", [""]),
        ("classes", ["x" * 1000]),
        ("classes", ["a"] * 1000),
        ("wobble", 1),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_hides_as_usual(name, value):
    with pytest.raises(UsageError, match="redaction"):
        with_anonymize_value(AnonymizeSpec(), name, value)
    warned = []
    assert take_anonymize({"anonymize": {name: value}}, warned.append) == AnonymizeSpec()
    assert len(warned) == 1


def test_a_table_that_is_none_hides_all_the_same():
    warned = []
    assert take_anonymize({"anonymize": "yes"}, warned.append) == AnonymizeSpec() and len(warned) == 1


@pytest.mark.parametrize(
    ("change", "hides"),
    [
        ({}, False),
        ({"classes": ("face",)}, True),
        ({"kind": "fill"}, True),
        ({"outline": "box"}, True),
        ({"blocks": 4}, True),
        ({"blocks": 16}, False),
        ({"margin": 0.3}, True),
        ({"margin": 0.0}, False),
        ({"hold": 2.0}, True),
        ({"hold": 0.5}, False),
    ],
)
def test_settings_that_may_hide_more_are_told_apart(change, hides):
    assert hides_others(AnonymizeSpec(), replace(AnonymizeSpec(), **change)) is hides
    assert not hides_others(AnonymizeSpec(), None) and hides_others(None, AnonymizeSpec())
