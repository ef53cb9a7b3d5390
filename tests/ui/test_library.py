"""The gallery of looks and effects: its order and search, images of the frame, trials, favorites, drags, and
its two views.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from window_panels import chain_of, library_of

from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.ui.features.clean_output.clean_output import CleanOutput
from desktop.ui.features.library.hover_trial import tried_chain
from desktop.ui.features.library.live_previews import PLAIN, LivePreviews
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.recording.pictures import Pictures
from desktop.vision.tracking.anonymize import AnonymizeSpec


@pytest.fixture
def library(ui):
    panel = library_of(ui.window)
    ui.window.dock_area.show("library")
    panel.show_page("effects")
    ui.wait(panel.view.isVisible)
    yield panel
    panel.trial.end()
    panel.groups.setCurrentIndex(0)
    panel.search.clear()
    panel.show_page("looks")


@pytest.fixture
def still(ui, pictures):
    """A still image of one color."""
    ui.play(str(pictures["red"]))
    ui.settle()
    return ui


def row_of(library, name, kind="effect"):
    row = library.model.row_of(f"{kind} {name}")
    assert row >= 0, name
    return row


def index_of(library, name, kind="effect"):
    return library.model.index(row_of(library, name, kind))


def images(ui):
    return ui.workspace.get(LivePreviews)


def color_of(image):
    color = image.pixelColor(image.width() // 2, image.height() // 2)
    return color.red(), color.green(), color.blue()


def move_to(library, point):
    view = library.view.viewport()
    QTest.mouseMove(view, point)
    QApplication.processEvents()


def point_at(library, name, kind="effect"):
    index = index_of(library, name, kind)
    library.view.scrollTo(index)
    move_to(library, library.view.tile(index).image.center() - QPoint(0, 6))
    move_to(library, library.view.tile(index).image.center())


# -- order and search ----------------------------------------------------------------------------------------


def test_a_new_user_sees_looks(ui):
    panel = library_of(ui.window)
    assert panel.tabs.tabText(panel.tabs.currentIndex()) == "Looks"
    assert {"Comic", "Cinema"} <= {item.title for item in panel.model.items}
    assert panel.groups.isHidden()


def test_favorites_and_what_was_used_lately_come_first(ui, library):
    library.toggle_favorite("vignette")
    library.view.select(row_of(library, "sepia"))
    QTest.keyClick(library.view, Qt.Key.Key_Return)
    assert ui.stages == ["sepia"]
    before = [item.name for item in library.model.items]
    assert before[0] == "vignette" and before[1] != "sepia", "nothing moves under the pointer"
    library.show_page("looks")
    library.show_page("effects")
    assert [item.name for item in library.model.items][:2] == ["vignette", "sepia"]
    library.toggle_favorite("vignette")


def test_groups_and_no_favorites(library):
    library.groups.setCurrentIndex(library.groups.findText("Blur"))
    assert {item.group for item in library.model.items} == {"Blur"}
    library.groups.setCurrentIndex(library.groups.findText("Favorites"))
    assert library.view.isHidden() and not library.model.items
    library.toggle_favorite("bloom")
    assert [item.name for item in library.model.items] == ["bloom"] and library.view.isVisible()
    library.toggle_favorite("bloom")


def test_a_search_finds_effects_and_then_looks_on_either_page(ui, library):
    for page in ("looks", "effects"):
        library.show_page(page)
        library.search.setText("cart")
        assert library.model.items[0].name == "cartoon"
        library.search.setText("comic")
        assert ("preset", "comic") in [(item.kind, item.name) for item in library.model.items]
    library.search.clear()


def test_typing_on_a_tile_goes_to_the_search_and_not_to_the_player(ui, library):
    ui.activate()
    library.view.setFocus()
    split = ui.window.viewport.view.split
    QTest.keyClick(library.view, Qt.Key.Key_B)
    assert library.search.hasFocus() and library.search.text() == "b"
    QTest.keyClicks(library.search, "loom")
    QTest.keyClick(library.search, Qt.Key.Key_Return)
    assert ui.stages == ["bloom"] and ui.window.viewport.view.split == split


def test_arrows_walk_over_the_tiles(library):
    view = library.view
    view.setFocus()
    view.select(0)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.currentIndex().row() == 1
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 1 + view.columns
    QTest.keyClick(view, Qt.Key.Key_Left)
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.currentIndex().row() == 0


# -- using ---------------------------------------------------------------------------------------------------


def test_a_click_selects_and_a_double_click_adds(ui, library):
    index = index_of(library, "sepia")
    library.view.scrollTo(index)
    at = library.view.tile(index).image.center()
    QTest.mouseClick(library.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert library.view.current.name == "sepia" and not ui.stages
    QTest.mouseDClick(library.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert ui.stages == ["sepia"]


def test_plus_adds_and_the_star_is_a_favorite(ui, library):
    index = index_of(library, "invert")
    library.view.scrollTo(index)
    tile = library.view.tile(index)
    QTest.mouseClick(library.view.viewport(), Qt.MouseButton.LeftButton, pos=tile.plus.center())
    assert ui.stages == ["invert"]
    QTest.mouseClick(library.view.viewport(), Qt.MouseButton.LeftButton, pos=tile.star.center())
    assert ui.workspace.settings.favorites == ["invert"]
    assert library.model.items[0].name == "invert" and library.model.items[0].is_favorite


def test_control_d_and_the_menu_make_a_favorite(ui, library):
    library.view.select(row_of(library, "sepia"))
    ui.window.actions_by_name["favorite"].trigger()
    assert ui.workspace.settings.favorites == ["sepia"]
    library.view.menu_requested.emit(library.model.items[0], QPoint(10, 10))
    menu = next(menu for menu in library.findChildren(QMenu) if menu.isVisible())
    [off] = [action for action in menu.actions() if action.text() == "Remove from favorites"]
    off.trigger()
    menu.close()
    assert not ui.workspace.settings.favorites


def test_a_look_replaces_the_chain_and_can_be_undone(ui, library):
    ui.workspace.edits.add_filter("invert")
    library.show_page("looks")
    library.view.select(row_of(library, "comic", "preset"))
    QTest.keyClick(library.view, Qt.Key.Key_Return)
    ui.wait(lambda: ui.stages == ["cartoon", "halftone"])
    ui.workspace.edits.undo()
    assert ui.stages == ["invert"]


def test_a_saved_preset_is_a_look(ui, library, tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path))
    ui.workspace.edits.add_filter("sepia")
    library.show_page("looks")
    ui.workspace.get(Opening).save_preset(tmp_path / "Old & worn.toml")
    ui.wait(lambda: "Old & worn" in [item.title for item in library.model.items])


def test_a_tile_is_dropped_into_the_chain(ui, library):
    chain = chain_of(ui.window)
    for name in ("invert", "sepia"):
        ui.workspace.edits.add_filter(name)
    cards = [chain.cards[stage.id] for stage in ui.workspace.edits.chain.stages]
    ui.wait(lambda: cards[1].isVisible() and cards[1].geometry().top() > cards[0].geometry().bottom())
    QTest.qWait(50)
    between = cards[1].mapTo(chain, QPoint(20, 1))
    data = library.model.mimeData([index_of(library, "bloom")])
    action, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(between, action, data, left, none)
    QApplication.sendEvent(chain, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(chain, QDragMoveEvent(between, action, data, left, none))
    QApplication.sendEvent(chain, QDropEvent(QPointF(between), action, data, left, none))
    assert ui.stages == ["invert", "bloom", "sepia"]


# -- images --------------------------------------------------------------------------------------------------


def test_tiles_show_the_frame_with_their_effect(still, library):
    ui = still
    library.search.setText("invert")
    ui.wait(lambda: images(ui).image("effect invert") is not None)
    red = tuple(int(v) for v in ui.picture()[0, 0, :3])
    shown = color_of(images(ui).image("effect invert"))
    assert np.abs(np.array(shown) - (255 - np.array(red))).max() <= 2
    library.search.setText("style")
    ui.wait(lambda: images(ui).image(PLAIN) is not None)
    assert np.abs(np.array(color_of(images(ui).image(PLAIN))) - red).max() <= 2


def test_only_visible_tiles_are_rendered(still, library):
    ui = still
    names = [item.key for item in library.model.items if not item.obstacle]
    visible = [item.key for item in library.view.visible_items() if not item.obstacle]
    assert 0 < len(visible) < len(names)
    ui.wait(lambda: all(images(ui).image(key) is not None for key in visible))
    assert images(ui).image(names[-1]) is None
    bar = library.view.verticalScrollBar()
    bar.setValue(bar.maximum())
    ui.wait(lambda: images(ui).image(names[-1]) is not None)
    bar.setValue(0)


def test_looks_are_rendered_with_their_chains(still, library):
    library.show_page("looks")
    library.search.setText("heat camera")
    still.wait(lambda: images(still).image("preset heat_camera") is not None)


def test_items_that_get_their_chains_later_are_rendered(still, library):
    ui = still
    library.show_page("looks")
    comic = library.model.items[row_of(library, "comic", "preset")]
    ui.wait(lambda: images(ui).image(comic.key) is not None)
    bare = [replace(item, chain=None) for item in library.model.items]
    library.model.set_items(bare)
    ui.wait(lambda: not ui.workspace.jobs.running)
    made = []
    images(ui).made.connect(made.append)
    QTest.qWait(100)
    ui.workspace.engine.previews.invalidate()
    assert not library.model.set_items([replace(item, chain=comic.chain) for item in bare])
    ui.wait(lambda: comic.key in made)


def test_images_of_another_source_are_dimmed_until_they_are_made_anew(still, library, pictures):
    ui = still
    library.search.setText("sepia")
    ui.wait(lambda: images(ui).image("effect sepia") is not None)
    ui.still(lambda: images(ui).image("effect sepia").cacheKey())
    assert not images(ui).is_of_other_source("effect sepia")
    row, dims = row_of(library, "sepia"), []
    bright = library.view.viewport().grab(library.view.tile(library.model.index(row)).image).toImage()
    images(ui).dimmed.connect(
        lambda: dims.append(
            library.view.viewport().grab(library.view.tile(library.model.index(row)).image).toImage()
        )
    )
    ui.play(str(pictures["green"]))
    ui.wait(lambda: dims)
    middle = bright.rect().center()
    assert dims[0].pixelColor(middle) != bright.pixelColor(middle)
    ui.wait(lambda: not images(ui).is_of_other_source("effect sepia"))


def test_a_hidden_panel_renders_nothing(still, library):
    ui = still
    library.search.setText("sepia")
    ui.wait(lambda: images(ui).image("effect sepia") is not None)
    ui.window.docks["library"].hide()
    ui.wait(lambda: not library.view.visible_items())
    library.search.setText("emboss")
    assert images(ui).image("effect emboss") is None
    ui.still(lambda: images(ui).image("effect emboss") is None)
    assert images(ui).image("effect emboss") is None
    ui.window.dock_area.show("library")
    ui.wait(lambda: images(ui).image("effect emboss") is not None)


def test_images_go_with_their_source_and_with_another_redaction(still, library):
    ui = still
    library.search.setText("sepia")
    ui.wait(lambda: images(ui).image("effect sepia") is not None)
    red = color_of(images(ui).image("effect sepia"))
    ui.workspace.edits.set_anonymize(AnonymizeSpec(kind="fill"))
    assert images(ui).image("effect sepia") is None
    ui.wait(lambda: images(ui).image("effect sepia") is not None)
    assert color_of(images(ui).image("effect sepia")) != red
    ui.workspace.playback.stop()
    ui.wait(lambda: images(ui).image("effect sepia") is None)


# -- trials --------------------------------------------------------------------------------------------------


def test_resting_on_a_tile_shows_it_and_leaving_undoes_it(still, library):
    ui = still
    before, setup = ui.picture(), ui.workspace.edits.setup
    point_at(library, "invert")
    ui.wait(lambda: library.trial.is_on)
    ui.settle()
    assert ui.workspace.edits.setup == setup and not ui.workspace.edits.history.undo_label
    shown = ui.workspace.engine.pipeline.export().result()
    assert not np.array_equal(shown, before), "it is in the large view"
    assert np.array_equal(ui.workspace.engine.current.export().result(), before), "and in no export"
    QApplication.sendEvent(library.view.viewport(), QEvent(QEvent.Type.Leave))
    assert not library.trial.is_on
    ui.settle()
    assert np.array_equal(ui.picture(), before)


def test_the_chain_stays_as_it_is_while_a_look_is_tried(still, library):
    ui, chain = still, chain_of(still.window)
    stage_id = ui.workspace.edits.add_filter("sepia")
    ui.settle()

    def figures():
        chain.update_figures()
        return chain.cards[stage_id].time.text(), chain.total.text()

    # The time of the frame that was drawn last is read later.
    ui.wait(lambda: figures()[1])
    shown = ui.still(figures)
    library.show_page("looks")
    ui.wait(lambda: library.model.items[row_of(library, "comic", "preset")].chain is not None)
    item = library.model.items[row_of(library, "comic", "preset")]
    library.view.pointed.emit(item)
    ui.wait(lambda: library.trial.is_on)
    ui.settle()
    assert figures() == shown
    ui.wait(lambda: ui.window.overlay.state().toast == f"Preview: {item.title}")
    library.view.pointed.emit(None)
    assert not library.trial.is_on and not ui.window.overlay.state().toast


def test_an_edit_ends_a_trial(still, library):
    point_at(library, "invert")
    still.wait(lambda: library.trial.is_on)
    still.workspace.edits.add_filter("sepia")
    assert not library.trial.is_on and still.stages == ["sepia"]


def test_nothing_is_tried_while_a_recording_runs(still, library, tmp_path):
    pictures = still.workspace.get(Pictures)
    pictures.toggle_recording(tmp_path / "a.mp4")
    try:
        point_at(library, "invert")
        QTest.qWait(600)
        assert not library.trial.is_on
    finally:
        pictures.toggle_recording()
        still.wait(lambda: pictures.recording is None)


def test_the_clean_output_shows_no_trial(still, library):
    output = still.workspace.get(CleanOutput)
    still.workspace.settings.output_screen = "window"
    point_at(library, "invert")
    still.wait(lambda: library.trial.is_on)
    output.toggle()
    try:
        assert not library.trial.is_on
        point_at(library, "sepia")
        QTest.qWait(600)
        assert not library.trial.is_on
    finally:
        output.toggle()


def test_a_trial_keeps_the_stages_that_it_stands_for(library):
    effect = library.model.items[row_of(library, "invert")]
    chain = ChainSpec().added("sepia", {}).added("bloom", {})
    tried = tried_chain(chain, effect)
    assert [(s.id, s.filter, s.enabled) for s in tried.stages[:2]] == [(1, "sepia", True), (2, "bloom", True)]
    assert (tried.stages[2].id, tried.stages[2].filter) == (3, "invert")
    network = library.model.items[row_of(library, "style")]
    assert tried_chain(chain, network) is None, "loading a network is no glance"
    # A mask goes on reading the stage of its own look.
    mask = MaskSpec((MaskPart("stage", values={"stage": 1}),))
    read, reader = StageSpec(1, "invert", {}), StageSpec(2, "sepia", {}, mask=mask)
    look = replace(effect, kind="preset", chain=ChainSpec((read, reader)))
    tried = tried_chain(chain, look)
    assert [stage.id for stage in tried.stages] == [1, 2, 3, 4]
    assert tried.stages[3].mask.parts[0].values["stage"] == 3


# -- what is in use ------------------------------------------------------------------------------------------


def test_what_the_chain_has_is_marked(ui, library):
    def used(kind):
        return [item.name for item in library.model.items if item.kind == kind and item.is_used]

    assert used("effect") == []
    ui.workspace.edits.add_filter("sepia")
    assert used("effect") == ["sepia"]
    index = index_of(library, "sepia")
    assert "In use" in library.model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    ui.workspace.edits.clear_chain()
    assert used("effect") == []
    library.show_page("looks")
    library.view.select(row_of(library, "comic", "preset"))
    QTest.keyClick(library.view, Qt.Key.Key_Return)
    ui.wait(lambda: used("preset") == ["comic"])
    ui.workspace.edits.clear_chain()
    assert used("preset") == []


def test_a_state_that_changes_keeps_place_and_selection(ui, library):
    library.view.select(row_of(library, "sepia"))
    bar = library.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    at = bar.value()
    ui.workspace.edits.add_filter("invert")
    assert library.view.current.name == "sepia" and bar.value() == at


def test_one_row_of_pages_heads_the_left_panel(ui):
    window = ui.window
    panel = library_of(window)
    assert [panel.tabs.tabText(i) for i in range(panel.tabs.count())] == ["Looks", "Effects", "Networks"]
    window.dock_area.reset()
    left = [dock for dock in window.dock_area.of("left") if not dock.isHidden()]
    assert left == [window.docks["library"]]
    assert left[0].titleBarWidget().isAncestorOf(panel.tabs)
    window.dock_area.search("zones")
    ui.wait(window.docks["zones"].isVisible)
    assert window.docks["library"].isVisible()
    window.docks["zones"].hide()


# -- views, words --------------------------------------------------------------------------------------------


def test_the_list_is_a_view_that_is_remembered(ui, library):
    assert library.view.columns >= 2
    tile = library.view.cell.height()
    ui.window.actions_by_name["library_list"].trigger()
    assert ui.workspace.settings.library_view == "rows"
    assert library.view.columns == 1 and library.view.cell.height() < tile
    library.view.select(row_of(library, "sepia"))
    QTest.keyClick(library.view, Qt.Key.Key_Return)
    assert ui.stages == ["sepia"]
    ui.window.actions_by_name["library_list"].trigger()
    assert library.view.columns >= 2


def test_more_columns_in_a_wide_panel(ui, library):
    narrow = library.view.columns

    def is_wide() -> bool:
        # Repeated: a late answer of the X server to an earlier size lays the panels out once more.
        ui.window.resizeDocks([ui.window.docks["library"]], [560], Qt.Orientation.Horizontal)
        return library.view.columns > narrow

    ui.wait(is_wide)
    first, second = (library.view.visualRect(library.model.index(row)) for row in (0, 1))
    assert first.top() == second.top() and second.left() >= first.right()


def test_every_tile_has_a_name_for_screen_readers(ui, library):
    library.toggle_favorite("bloom")
    names = [
        library.model.data(library.model.index(row), Qt.ItemDataRole.AccessibleTextRole)
        for row in range(library.model.rowCount())
    ]
    assert names[0] == "Bloom, Effect, Favorite" and all(names)
    library.toggle_favorite("bloom")
    spoken = QAccessible.queryAccessibleInterface(library.view)
    assert spoken.text(QAccessible.Text.Name) == "Looks, effects and networks"
    assert spoken.childCount() >= library.model.rowCount()
