"""Cross-fades of looks in the window: one step of undo, ended by another edit."""

from __future__ import annotations

import numpy as np
import pytest
from grid_rig import COLORS

from desktop.ui.features.opening.opening import Opening
from desktop.ui.forms.settings import Settings
from desktop.ui.workspace.fader import Fader

INVERTED = tuple(255 - level for level in COLORS["red"])


def color(ui) -> tuple[int, ...]:
    image = ui.picture()
    return tuple(map(int, image[image.shape[0] // 2, image.shape[1] // 2, :3]))


def is_still_red(ui) -> bool:
    """Return whether the image before is seen although the next look was drawn meanwhile."""
    engine = ui.workspace.engine
    ui.wait(lambda: not engine.pipeline.chain.is_compiling)
    ui.qtbot.wait(300)
    return is_near(color(ui), COLORS["red"])


def is_near(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return bool(np.abs(np.subtract(found, wanted)).max() <= 8)


@pytest.fixture
def look(tmp_path):
    """Writes a look with one effect."""

    def write(effect: str, **values: float):
        path = tmp_path / f"{effect}{len(values)}.toml"
        said = ", ".join(f"{name} = {value}" for name, value in values.items())
        path.write_text(f'lightloom = 2\n[[filter]]\nname = "{effect}"\nvalues = {{ {said} }}\n')
        return path

    return write


@pytest.fixture
def apply(ui, pictures):
    """Shows a red image and applies looks to it."""
    ui.play(str(pictures["red"]))
    ui.settle()

    def apply(path, seconds: float | None = None) -> None:
        before = ui.workspace.edits.history.look
        ui.workspace.get(Opening).load_preset(path, seconds)
        ui.wait(lambda: ui.workspace.edits.history.look is not before)

    return apply


def test_the_image_before_fades_within_one_step(ui, apply, look):
    apply(look("invert"), 60.0)
    edits = ui.workspace.edits
    assert ui.stages == ["invert"] and not ui.workspace.get(Fader).is_moving
    assert is_still_red(ui)
    edits.undo()
    assert ui.stages == []
    edits.redo()
    ui.wait(lambda: is_near(color(ui), INVERTED))
    edits.undo()
    ui.wait(lambda: is_near(color(ui), COLORS["red"]))
    apply(look("invert"), 1.0)
    ui.wait(lambda: is_near(color(ui), INVERTED))


def test_another_edit_ends_it(ui, apply, look):
    apply(look("invert"), 60.0)
    assert is_still_red(ui)
    ui.workspace.edits.add_filter("mirror")
    ui.wait(lambda: is_near(color(ui), INVERTED))


def test_numbers_of_the_same_effects_go_over_within_one_step(ui, apply, look):
    edits, fader = ui.workspace.edits, ui.workspace.get(Fader)
    edits.add_filter("gaussian_blur", {"radius": 2.0})
    apply(look("gaussian_blur", radius=10.0), 0.6)
    assert fader.is_moving and not edits.history.look.is_unchanged(edits.setup)
    radii = []
    ui.wait(lambda: radii.append(edits.chain.stages[0].values["radius"]) or not fader.is_moving)
    assert len(set(radii)) > 4 and radii == sorted(radii), "it goes in steps"
    assert edits.chain.stages[0].values["radius"] == 10.0 and edits.history.look.is_unchanged(edits.setup)
    edits.undo()
    assert edits.chain.stages[0].values["radius"] == 2.0
    edits.redo()
    apply(look("gaussian_blur"), 60.0)
    assert fader.is_moving
    edits.clear_chain()
    ui.wait(lambda: not fader.is_moving)
    assert ui.stages == []


def test_one_preference_up_to_a_minute_is_the_usual_time(ui, apply, look):
    fades = [each for each in Settings.all() if each.field.name == "looks/fade"]
    assert [(each.field.label, each.field.max) for each in fades] == [("Cross-fade of looks", 60.0)]
    ui.workspace.settings.look_fade = 45.0
    apply(look("invert"))
    assert is_still_red(ui)
    apply(look("gaussian_blur"), 0.0)
    ui.wait(lambda: is_near(color(ui), COLORS["red"]))
    assert ui.stages == ["gaussian_blur"]
