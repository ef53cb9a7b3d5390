"""Cross-fades of looks in the window: one step of undo, ended by another edit."""

from __future__ import annotations

import pytest

from desktop.pipeline.setup.known import require_preset
from desktop.ui.features.opening.opening import Opening
from desktop.ui.workspace.fader import Fader


@pytest.fixture
def begin(ui):
    """Plays the sample with one effect and begins a fade from it to a look."""

    def begin(seconds: float) -> None:
        ui.play()
        ui.workspace.edits.add_filter("invert")
        ui.workspace.get(Opening).load_preset(require_preset("miniature"), seconds)
        ui.wait(lambda: ui.workspace.edits.history.look is not None)

    return begin


def test_effects_fade_out_and_in_within_one_step(ui, begin):
    begin(0.6)
    edits, fader = ui.workspace.edits, ui.workspace.get(Fader)
    assert fader.is_fading and ui.stages[0] == "invert" and len(ui.stages) > 1
    assert edits.history.look.title == "Miniature" and not edits.history.look.is_unchanged(edits.setup)
    opacities = []
    ui.wait(lambda: opacities.append(edits.chain.stages[0].opacity) or not fader.is_fading)
    assert len(set(opacities)) > 4, "it goes in steps"
    assert "invert" not in ui.stages and edits.history.look.is_unchanged(edits.setup)
    assert edits.undo_label == "Look Miniature"
    edits.undo()
    assert ui.stages == ["invert"] and edits.chain.stages[0].opacity == 1.0
    edits.redo()
    assert "invert" not in ui.stages


def test_another_edit_ends_it_where_it_is(ui, begin):
    begin(30.0)
    edits, fader = ui.workspace.edits, ui.workspace.get(Fader)
    edits.clear_chain()
    ui.wait(lambda: not fader.is_fading)
    assert ui.stages == []
    edits.undo()
    assert ui.stages[0] == "invert" and len(ui.stages) > 1


def test_the_preference_is_the_usual_time(ui):
    ui.workspace.settings.look_fade = 20.0
    ui.play()
    ui.workspace.edits.add_filter("invert")
    opening, fader = ui.workspace.get(Opening), ui.workspace.get(Fader)
    opening.load_preset(require_preset("miniature"))
    ui.wait(lambda: fader.is_fading)
    opening.load_preset(require_preset("monochrome"), 0.0)
    ui.wait(lambda: not fader.is_fading)
    assert ui.workspace.edits.history.look.title == "Monochrome" and "invert" not in ui.stages
