"""The chain panel: what is clicked, dragged and typed reaches the picture, and can be undone."""

from __future__ import annotations

import material
import numpy as np
import pytest
from dialog_rig import answering, choose_path
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QMenu, QMessageBox
from window_panels import chain_of, library_of

from desktop.base.resources import resource
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.library.search import ranked
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.forms.editors.number import NumberEditor
from desktop.vision.models.builtin import builtin_models


@pytest.fixture
def still(ui, tmp_path):
    """The window with a still picture."""
    ui.play(str(material.image(tmp_path / "one.png", (120, 100, 80))))
    ui.settle()
    return ui


def card_of(ui, index: int):
    stage = ui.workspace.edits.chain.stages[index]
    return chain_of(ui.window).cards[stage.id]


def total(panel) -> str:
    """What stands above the cards of how long all of it takes, '' for nothing."""
    return panel.total.text()


def editor(ui, index: int, name: str) -> NumberEditor:
    card = card_of(ui, index)
    card.set_expanded(True)
    return card.editors[name]


def click(slider, share: float, *, double: bool = False) -> None:
    at = QPoint(round(6 + share * (slider.width() - 12)), slider.height() // 2)
    action = QTest.mouseDClick if double else QTest.mouseClick
    action(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_slider_changes_the_picture_and_double_click_resets(still):
    still.workspace.edits.add_filter("exposure")
    still.wait(lambda: not still.workspace.engine.current.wants_frames)
    before = still.picture()
    param = still.workspace.library.get("exposure").param("stops")
    slider = editor(still, 0, param.name).slider
    still.wait(lambda: slider.width() > 40)
    click(slider, 0.75)
    assert still.workspace.edits.chain.stages[0].values[param.name] > param.default
    still.wait(lambda: still.picture()[..., :3].mean() > before[..., :3].mean() + 20)
    click(slider, 0.75, double=True)
    assert still.workspace.edits.chain.stages[0].values[param.name] == param.default
    still.wait(lambda: np.array_equal(still.picture(), before))


def test_number_entry(still):
    still.workspace.edits.add_filter("gaussian_blur")
    spin = editor(still, 0, "radius").spin
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "17.5")
    QTest.keyClick(spin, Qt.Key.Key_Return)
    assert still.workspace.edits.chain.stages[0].values["radius"] == 17.5
    card = next(iter(chain_of(still.window).cards.values()))
    assert card.expanded  # the field's Return is not the card's, which would fold it


@pytest.mark.parametrize(
    ("name", "param", "text", "value"),
    [
        ("gaussian_blur", "radius", "99999", 64.0),
        ("gaussian_blur", "radius", "-3", 0.0),
        ("posterize", "levels", "1", 2),
        ("posterize", "levels", "4000", 64),
        ("posterize", "levels", "", 6),
    ],
)
def test_a_number_beyond_its_bounds_becomes_the_bound(still, name, param, text, value):
    still.workspace.edits.add_filter(name, {"levels": 6} if param == "levels" else {})
    spin = editor(still, 0, param).spin
    spin.setFocus()
    spin.selectAll()
    QTest.keyClick(spin, Qt.Key.Key_Delete)
    QTest.keyClicks(spin, text)
    assert spin.cleanText() == text
    QTest.keyClick(spin, Qt.Key.Key_Return)
    found = still.workspace.edits.chain.stages[0].values[param]
    assert (found, type(found)) == (value, type(value))


def test_a_number_is_brought_within_its_bounds_when_the_focus_leaves(still):
    still.workspace.edits.add_filter("gaussian_blur")
    spin = editor(still, 0, "radius").spin
    spin.selectAll()
    QTest.keyClicks(spin, "99999")
    QApplication.sendEvent(spin, QFocusEvent(QEvent.Type.FocusOut))
    assert still.workspace.edits.chain.stages[0].values["radius"] == 64.0


def test_a_filter_added_to_a_still_picture_has_its_time(still):
    panel = chain_of(still.window)
    still.workspace.edits.add_filter("invert")
    panel.update_figures()
    assert "0.00" not in total(panel)
    stage = still.workspace.edits.chain.stages[0].id
    pipeline = still.workspace.engine.pipeline
    still.wait(lambda: f"filter:{stage}" in [s.name for s in pipeline.stats.stages])
    panel.update_figures()
    assert total(panel).endswith(" ms")
    # On a software adapter only the total is shown, since times of single passes are unreliable there.
    is_rough = still.workspace.adapter.is_software
    assert card_of(still, 0).time.text() == ("" if is_rough else total(panel))


def test_a_choice_by_keyboard(still):
    still.workspace.edits.add_filter("mirror")
    stage = still.workspace.edits.chain.stages[0]
    combo = next(c for c in chain_of(still.window).cards[stage.id].findChildren(QComboBox) if c.count() > 1)
    before = combo.currentIndex()
    combo.setFocus()
    combo.showPopup()
    view = combo.view()
    still.wait(view.isVisible)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    still.wait(lambda: not view.isVisible())
    assert combo.currentIndex() == before + 1


def test_a_drag_is_one_step_of_undo(ui):
    ui.workspace.edits.add_filter("gaussian_blur")
    stage = ui.workspace.edits.chain.stages[0]
    default = stage.values["radius"]
    slider = editor(ui, 0, "radius").slider
    ui.wait(lambda: slider.width() > 40)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(20, 8))
    for x in range(24, 60, 4):
        QTest.mouseMove(slider, QPoint(x, 8))
        slider.setValue(slider.value() + 5)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(60, 8))
    dragged = ui.workspace.edits.chain.stages[0].values["radius"]
    assert dragged != default
    ui.window.actions_by_name["undo"].trigger()
    assert ui.workspace.edits.chain.stages[0].values["radius"] == default
    ui.window.actions_by_name["redo"].trigger()
    assert ui.workspace.edits.chain.stages[0].values["radius"] == dragged


def test_undo_and_redo_by_keys(ui):
    ui.workspace.edits.add_filter("invert")
    ui.workspace.edits.add_filter("sepia")
    ui.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    ui.wait(lambda: ui.stages == ["invert"])
    ui.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    ui.wait(lambda: ui.stages == ["invert", "sepia"])


def test_order_matters_and_dragging_a_card_changes_it(still):
    still.workspace.edits.add_filter("exposure", {"stops": 1.0})
    still.workspace.edits.add_filter("invert")
    still.settle()
    for card in chain_of(still.window).cards.values():
        card.set_expanded(False)
    first, second = card_of(still, 0), card_of(still, 1)
    still.wait(lambda: second.y() > first.y() and first.height() < 60)
    before = still.picture()
    start = first.title.mapTo(first, QPoint(10, 8))
    end = first.mapFromGlobal(second.mapToGlobal(QPoint(40, second.height() - 2)))
    _drag(first, start, end)
    assert still.stages == ["invert", "exposure"]
    still.wait(lambda: not np.array_equal(still.picture(), before))


def test_a_dragged_card_is_seen_under_the_pointer(still):
    still.workspace.edits.add_filter("exposure")
    panel, card = chain_of(still.window), card_of(still, 0)
    still.wait(lambda: card.isVisible() and card.height() > 20)

    def ghosts():
        labels = panel.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return [label for label in labels if label.isVisible() and label.size() == card.size()]

    start = card.title.mapTo(card, QPoint(10, 8))
    QTest.mousePress(card, Qt.MouseButton.LeftButton, pos=start)
    assert not ghosts()
    QTest.mouseMove(card, start + QPoint(0, 30))
    assert len(ghosts()) == 1
    QTest.mouseRelease(card, Qt.MouseButton.LeftButton, pos=start + QPoint(0, 30))
    assert not ghosts()


def _drag(widget, start: QPoint, end: QPoint) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    steps = [
        (QEvent.Type.MouseButtonPress, start, left, left),
        (QEvent.Type.MouseMove, start + QPoint(0, 10), none, left),
        (QEvent.Type.MouseMove, end, none, left),
        (QEvent.Type.MouseButtonRelease, end, left, none),
    ]
    for kind, at, button, buttons in steps:
        where = QPointF(widget.mapToGlobal(at))
        QApplication.sendEvent(
            widget, QMouseEvent(kind, QPointF(at), where, button, buttons, Qt.KeyboardModifier.NoModifier)
        )


def test_cards_by_keyboard(ui):
    for name in ("invert", "sepia", "vignette"):
        ui.workspace.edits.add_filter(name)
    card = card_of(ui, 2)
    QTest.keyClick(card, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert ui.stages == ["invert", "vignette", "sepia"]
    QTest.keyClick(card, Qt.Key.Key_X)
    assert [s.enabled for s in ui.workspace.edits.chain.stages] == [True, False, True]
    QTest.keyClick(card, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert ui.stages == ["invert", "vignette", "vignette", "sepia"]
    QTest.keyClick(card, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(card_of(ui, 3), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert ui.stages == ["invert", "vignette", "vignette", "sepia", "vignette"]
    QTest.keyClick(card_of(ui, 0), Qt.Key.Key_Delete)
    assert ui.stages == ["vignette", "vignette", "sepia", "vignette"]


def test_the_copy_of_a_stage_has_the_focus(ui):
    for name in ("invert", "sepia"):
        ui.workspace.edits.add_filter(name)
    card = card_of(ui, 0)
    ui.activate()
    card.setFocus()
    ui.wait(card.hasFocus)
    QTest.keyClick(card, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    ui.wait(card_of(ui, 1).hasFocus)
    assert ui.stages == ["invert", "invert", "sepia"]


def test_one_card_open_at_a_time_shift_for_more(ui):
    for name in ("exposure", "vignette"):
        ui.workspace.edits.add_filter(name)
    first, second = card_of(ui, 0), card_of(ui, 1)
    assert second.expanded and not first.expanded
    ui.activate()
    first.setFocus()
    ui.wait(first.hasFocus)
    QTest.keyClick(first, Qt.Key.Key_Return)
    assert first.expanded and not second.expanded
    second.setFocus()
    ui.wait(second.hasFocus)
    QTest.keyClick(second, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert first.expanded and second.expanded


def test_switching_off_gives_the_source(still):
    before = still.picture()
    still.workspace.edits.add_filter("invert")
    still.wait(lambda: not np.array_equal(still.picture(), before))
    QTest.mouseClick(card_of(still, 0).power, Qt.MouseButton.LeftButton)
    still.wait(lambda: np.array_equal(still.picture(), before))


def test_library_search_and_enter(ui):
    library = library_of(ui.window)
    library.search.setFocus()
    QTest.keyClicks(library.search, "gaussian")
    QTest.keyClick(library.search, Qt.Key.Key_Return)
    assert ui.stages == ["gaussian_blur"]
    library.toggle_favorite("gaussian_blur")
    library.search.clear()
    library.show_page("effects")
    assert library.model.items[0].title == ui.workspace.edits.title_of("gaussian_blur")
    library.toggle_favorite("gaussian_blur")
    # Tilt-shift is found by this word as well, and stands before it.
    QTest.keyClicks(library.search, "depth")
    QTest.keyClick(library.search, Qt.Key.Key_Return)
    assert ui.stages == ["gaussian_blur", "depth"]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("pixel", "pixelate"),
        ("edge", "edge_glow"),
        ("blur", "gaussian_blur"),
        ("crt", "scanlines_crt"),
        ("bloom", "bloom"),
        ("depth", "depth"),
        ("zoom", "zoom_blur"),
        ("key chroma", "chroma_key"),
    ],
)
def test_titles_come_first_in_the_search(ui, words, first):
    found = ranked(words, ui.workspace.library.filters.values())
    assert found[0].id == first, [item.id for item in found]


def test_typing_goes_on_in_the_search_after_enter(ui):
    window, search = ui.window, library_of(ui.window).search
    ui.activate()
    window.dock_area.search("library")
    for words in ("pixelate", "bloom"):
        QTest.keyClicks(QApplication.focusWidget(), words)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        assert QApplication.focusWidget() is search
    assert ui.stages == ["pixelate", "bloom"]
    assert not window.viewport.view.mirrored and ui.workspace.playback.loop_a is None and not ui.notices


def test_the_arrows_choose_among_what_was_found(ui):
    library = library_of(ui.window)
    library.search.setFocus()
    QTest.keyClicks(library.search, "blur")
    second = library.model.items[1].title
    QTest.keyClick(library.search, Qt.Key.Key_Down)
    QTest.keyClick(library.search, Qt.Key.Key_Return)
    assert [ui.workspace.edits.title_of(name) for name in ui.stages] == [second]


def test_preset_round_trip(ui, tmp_path):
    ui.workspace.edits.add_filter("exposure")
    ui.workspace.edits.add_filter("sepia")
    wanted = ui.workspace.edits.setup
    path = tmp_path / "kept.toml"
    ui.workspace.get(Opening).save_preset(path)
    ui.wait(path.exists)
    ui.wait(lambda: ui.notices)
    ui.workspace.edits.clear_chain()
    ui.workspace.get(Opening).load_preset(path)
    ui.wait(lambda: ui.stages)
    assert [(s.filter, dict(s.values)) for s in ui.workspace.edits.chain.stages] == [
        (s.filter, dict(s.values)) for s in wanted.chain.stages
    ]


def test_the_header_shows_the_look_and_whether_it_was_edited(ui, tmp_path):
    edits, title = ui.workspace.edits, chain_of(ui.window).title
    assert title.text() == "Chain"
    neon = tmp_path / "neon.toml"
    neon.write_text('lightloom = 1\ntitle = "Neon night"\n[[filter]]\nname = "exposure"\n', encoding="utf-8")
    ui.workspace.get(Opening).load_preset(neon)
    ui.wait(lambda: title.text() == "Neon night")
    stage = edits.chain.stages[0].id
    edits.set_value(stage, "stops", 1.0)
    assert title.text() == "Neon night (edited)"
    edits.undo()
    assert title.text() == "Neon night"
    edits.redo()
    edits.reset_stage(stage)
    assert title.text() == "Neon night"
    # The look before comes back with its chain, and none with a chain that had none.
    ui.workspace.get(Opening).load_preset(resource("assets", "presets", "old_television.toml"))
    ui.wait(lambda: title.text() == "Old television")
    edits.undo()
    assert title.text() == "Neon night"
    edits.clear_chain()
    assert title.text() == "Chain"
    edits.add_filter("sepia")
    assert title.text() == "Chain"
    # Saved, the chain is the look of that name, also where the look's name is the file's.
    ui.workspace.get(Opening).save_preset(tmp_path / "Brown.toml")
    ui.wait(lambda: title.text() == "Brown")
    edits.add_filter("exposure")
    assert title.text() == "Brown (edited)"


def test_a_look_that_is_already_in_use_is_named(ui, tmp_path):
    """Loading what the chain already has is no edit, but the header shows whose it is."""
    edits, title = ui.workspace.edits, chain_of(ui.window).title
    edits.add_filter("sepia")
    ui.workspace.get(Opening).save_preset(tmp_path / "One.toml")
    ui.wait(lambda: title.text() == "One")
    (tmp_path / "Two.toml").write_bytes((tmp_path / "One.toml").read_bytes())
    ui.workspace.get(Opening).load_preset(tmp_path / "Two.toml")
    ui.wait(lambda: title.text() == "Two")
    assert len(edits.chain.stages) == 1
    edits.undo()
    assert title.text() == "Chain" and ui.stages == []


def test_own_presets_are_in_palette_and_menu(ui, tmp_path, monkeypatch):
    """What was saved, and what came in one file, is found by its name after a restart."""
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path))
    ui.workspace.edits.add_filter("sepia")
    ui.workspace.get(Opening).save_preset(tmp_path / "Old & worn.toml")
    ui.workspace.get(Opening).save_preset(tmp_path / "given.lightloom")
    ui.wait(lambda: len(ui.notices) == 2)
    ui.drop(tmp_path / "given.lightloom")
    ui.wait(lambda: list(tmp_path.glob("imported/*/preset.toml")))
    for title in ("Old & worn", "given"):
        ui.workspace.edits.clear_chain()
        (command,) = [c for c in ui.window.dialogs.commands() if c.title == f"Look: {title}"]
        command.run()
        ui.wait(lambda: ui.stages == ["sepia"])
    (presets,) = [menu for menu in ui.window.findChildren(QMenu) if menu.title() == "&Looks"]
    presets.aboutToShow.emit()
    shown = [action.text() for action in presets.actions()]
    assert shown[:3] == ["given", "Old && worn", ""] and len(shown) > 3
    ui.workspace.edits.clear_chain()
    presets.actions()[1].trigger()
    ui.wait(lambda: ui.stages == ["sepia"])


def test_a_filter_that_waits_for_a_picture_does_not_say_that_it_compiles(ui):
    ui.workspace.edits.add_filter("sepia")
    chain_of(ui.window).update_figures()
    (card,) = chain_of(ui.window).cards.values()
    assert card.time.text() == ""


def test_a_dot_in_a_presets_name_is_no_ending(ui, tmp_path):
    """A preset "my preset.v2" must not replace "my preset.toml", nor "my preset.v2.toml" without a question."""
    asked, answers = [], []
    buttons = QMessageBox.StandardButton
    typed = tmp_path / "my preset.v2"

    def answer(dialog):
        if isinstance(dialog, QMessageBox):
            asked.append(dialog.text())
            dialog.button(answers.pop()).click()
        else:
            choose_path(dialog, typed)

    def save():
        with answering(answer):
            ui.window.dialogs.choose_preset_name()
        ui.wait(lambda: not ui.workspace.jobs.running)

    save()
    saved = tmp_path / "my preset.v2.toml"
    assert saved.exists() and not asked
    saved.write_text("")
    answers.append(buttons.No)
    save()
    assert saved.read_text() == "" and "my preset.v2.toml" in asked[0]
    answers.append(buttons.Yes)
    save()
    assert saved.read_text() != "" and len(asked) == 2
    typed = tmp_path / "other.TOML"
    save()
    assert typed.exists() and len(asked) == 2


def test_a_card_that_is_added_is_scrolled_into_view_with_its_settings(ui):
    chain, edits = chain_of(ui.window), ui.workspace.edits
    size = ui.window.size()
    ui.resize(1100, 620)
    try:
        for _ in range(8):
            edits.add_filter("exposure")
        ui.still(lambda: chain.height())
        stage_id = edits.add_filter("style", {"model": str(builtin_models()["style_ink"].path)})
        card = chain.cards[stage_id]
        view = card.parentWidget().parentWidget()

        def is_seen() -> bool:
            top = card.mapTo(view, QPoint(0, 0)).y()
            return card.expanded and top >= 0 and (top <= 10 or top + card.height() <= view.height())

        ui.wait(is_seen)
        assert ui.still(is_seen)
    finally:
        ui.resize(size.width(), size.height())


def test_to_clear_the_effects_leaves_the_network_and_says_so(ui):
    edits, action = ui.workspace.edits, ui.window.actions_by_name["clear_chain"]
    edits.add_filter("sepia")
    ui.workspace.get(Networks).choose(NetworkSpec(str(builtin_models()["detector"].path)))
    assert action.text() == "C&lear the effects"
    action.trigger()
    assert not ui.stages and edits.setup.network is not None
    assert edits.undo_label == "Clear the effects"
