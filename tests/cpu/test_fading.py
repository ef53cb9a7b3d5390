"""Cross-fades of looks: where numbers go from one to the other, where effects fade, and where there is a cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.spec import MAX_STAGES, ChainSpec
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
    assert fade.is_same
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
def test_other_effects_fade_out_and_in(other):
    before = chain(BLUR, ("invert", {})).with_mixing(2, opacity=0.8)
    for first, second in ((before, other), (other, before)):
        fade = fade_between(first, second)
        assert not fade.is_same
        middle = fade.at(0.25).stages
        assert len({stage.id for stage in middle}) == len(middle) == len(first.stages) + len(second.stages)
        assert [stage.opacity for stage in middle] == pytest.approx(
            [0.75 * stage.opacity for stage in first.stages]
            + [0.25 * stage.opacity for stage in second.stages]
        )
        # The first chain begins as it is: what is added does nothing yet.
        assert fade.at(0.0).stages[: len(first.stages)] == first.stages
        assert fade.at(1.0).by_place == second.by_place


def test_masks_that_read_a_stage_still_read_it():
    mask = MaskSpec((MaskPart("stage", {"stage": 1}),))
    after = chain(("sepia", {}), ("invert", {})).with_mixing(2, mask=mask)
    fade = fade_between(chain(BLUR), after)
    *_, first, second = fade.at(0.5).stages
    assert second.mask.parts[0].stage == first.id == 2


def test_what_hides_something_is_never_seen_through():
    hiding = MaskSpec((MaskPart("person"),), if_missing="black")
    before, after = chain(BLUR).with_mixing(1, mask=hiding), chain(("sepia", {}))
    assert fade_between(before, after) is None and fade_between(after, before) is None
    assert fade_between(before, before.with_mixing(1, opacity=0.5)) is None
    stronger = before.with_values(1, {"radius": 9.0})
    assert fade_between(before, stronger).is_same


def test_an_automated_opacity_and_long_chains_are_cut():
    automated = chain(BLUR).with_automation(1, "opacity", Automation("lfo", {}))
    assert fade_between(automated, chain(("sepia", {}))) is None
    long = chain(*[("sepia", {})] * (MAX_STAGES - 1))
    assert fade_between(long, chain(("invert", {}))) is not None
    assert fade_between(long, chain(("invert", {}), ("invert", {}))) is None
    assert replace(fade_between(chain(), chain()), is_same=True).at(0.5) == ChainSpec()
