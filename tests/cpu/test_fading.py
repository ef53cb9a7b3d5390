"""Cross-fades of looks whose effects are the same: the numbers go from one to the other."""

from __future__ import annotations

import pytest

from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.pipeline.setup.fading import fade_between


def chain(*stages, first: int = 1) -> ChainSpec:
    found = ChainSpec()
    for name, values in stages:
        found = found.added(name, values)
    return found.renumbered(first)


BLUR = ("blur", {"radius": 2.0, "steps": 3, "center": (0.0, 1.0), "mode": "soft", "on": True})


def test_the_numbers_of_the_same_effects_go_over():
    before = chain(BLUR, first=5)
    after = chain(("blur", {"radius": 4.0, "steps": 6, "center": (1.0, 0.0), "mode": "soft", "on": True}))
    after = after.with_mixing(1, opacity=0.5)
    fade = fade_between(before, after)
    (stage,) = fade.at(0.5).stages
    assert stage.values == {"radius": 3.0, "steps": 4, "center": (0.5, 0.5), "mode": "soft", "on": True}
    assert (stage.id, stage.opacity) == (5, 0.75)
    assert fade.at(0.0) == before
    assert fade.at(1.0).by_place == after.by_place and fade.at(1.0).stages[0].id == 5


@pytest.mark.parametrize(
    "other",
    [
        chain(("blur", {**BLUR[1], "mode": "hard"})),
        chain(("blur", {**BLUR[1], "on": False})),
        chain(("sepia", {})),
        chain(BLUR, ("sepia", {})),
        chain(BLUR).with_mixing(1, blend="screen"),
        chain(BLUR).with_mixing(1, mask=MaskSpec((MaskPart("ellipse"),))),
        ChainSpec(),
    ],
)
def test_other_effects_have_no_numbers_between(other):
    before = chain(BLUR)
    assert fade_between(before, other) is None and fade_between(other, before) is None


def test_masks_that_read_a_stage_still_read_it():
    mask = MaskSpec((MaskPart("stage", {"stage": 1}),))
    after = chain(BLUR, ("invert", {})).with_mixing(2, mask=mask)
    before = after.renumbered(5)
    first, second = fade_between(before, after.with_mixing(2, opacity=0.5)).at(0.5).stages
    assert second.mask.parts[0].stage == first.id == 5 and second.opacity == 0.75


def test_what_hides_something_is_never_seen_through():
    hiding = MaskSpec((MaskPart("person"),), if_missing="black")
    before = chain(BLUR).with_mixing(1, mask=hiding)
    assert fade_between(before, before.with_mixing(1, opacity=0.5)) is None
    assert fade_between(before, before.with_values(1, {"radius": 9.0})) is not None
