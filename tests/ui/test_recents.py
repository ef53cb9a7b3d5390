"""Recent sources in menus and in the panel: names told apart, thumbnails, missing files."""

from __future__ import annotations

import os

import pytest
from grid_rig import write_pictures
from PySide6.QtWidgets import QMenu
from window_panels import sources_of

from desktop.ui.features.opening.recents import RecentSources, folders_of, is_remote


@pytest.mark.parametrize(
    ("names", "folders"),
    [
        (["/v/a/x.mp4", "/v/b/x.mp4"], ["a", "b"]),
        (["/v/a/x.mp4", "/v/a/y.mp4"], ["a", "a"]),
        (["/v/1/day/x.mp4", "/v/2/day/x.mp4", "/v/day/z.mp4"], ["1/day", "2/day", "day"]),
        (["/day/x.mp4", "/v/day/x.mp4"], ["/day", "v/day"]),
        (["rtsp://host/x.mp4", "x.mp4", "/x.mp4"], ["", "", "/"]),
    ],
)
def test_folders_tell_files_of_one_name_apart(names, folders):
    # Paths are shown as the system writes them.
    assert [folder.replace(os.sep, "/") for folder in folders_of(names)] == folders


def test_paths_of_other_computers_are_not_looked_for():
    assert all(map(is_remote, ("rtsp://camera/1", r"\\server\share\a.mp4", "//server/share/a.mp4")))
    assert not is_remote("/home/a.mp4") and not is_remote("C:\\a.mp4")


@pytest.fixture
def recents(ui, tmp_path):
    """Two files of one name, a missing one and one on another computer."""
    files = []
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        files.append(write_pictures(tmp_path / folder)["red"])
    names = [*map(str, files), str(tmp_path / "gone & away.png"), "//nowhere.invalid/share/x.png"]
    ui.workspace.settings.recent = names
    return ui.workspace.get(RecentSources), names


def _shown(menu, names):
    """Return text and whether it is enabled of the menu's actions for the sources."""
    by_tip = {action.toolTip(): action for action in menu.actions()}
    return [(by_tip[name].text(), by_tip[name].isEnabled()) for name in names]


def _menu_of(ui, which):
    if which == "chip":
        [menu] = [m for m in ui.window.findChildren(QMenu) if m.objectName() == "recent" and not m.title()]
        return menu
    [menu] = [m for m in ui.window.findChildren(QMenu) if m.title() == "R&ecent"]
    return menu


@pytest.mark.parametrize("which", ["chip", "file"])
def test_a_menu_shows_names_with_folders_and_dims_what_is_missing(ui, recents, which):
    _, names = recents
    menu = _menu_of(ui, which)
    menu.popup(ui.window.mapToGlobal(ui.window.rect().center()))
    try:
        texts = [text for text, _ in _shown(menu, names)]
        assert texts[0].endswith("\tfirst") and texts[1].endswith("\tsecond")
        assert texts[0].partition("\t")[0] == texts[1].partition("\t")[0] == "red.png"
        assert texts[2].startswith("gone && away.png\t")
        ui.wait(lambda: [enabled for _, enabled in _shown(menu, names)] == [True, True, False, True])
    finally:
        menu.close()


def test_thumbnails_are_made_of_files_that_are_here(ui, recents):
    sources, names = recents
    sources.check_files()
    ui.wait(lambda: all(entry.image is not None for entry in sources.entries()[:2]))
    first = sources.entries()[0]
    assert first.image.pixelColor(first.image.rect().center()).red() > 200
    ui.wait(lambda: [entry.is_missing for entry in sources.entries()] == [False, False, True, False])
    assert sources.entries()[3].image is None
    write_pictures(ui.workspace.settings.path.parent)["red"].rename(names[2])
    sources.check_files()
    ui.wait(lambda: sources.entries()[2].image is not None and not sources.entries()[2].is_missing)


def test_the_panel_shows_folders_beside_names(ui, recents):
    ui.window.actions_by_name["show_sources"].trigger()
    tree = sources_of(ui.window).tree
    items = [tree.topLevelItem(n) for n in range(tree.topLevelItemCount())]
    found = [(item.text(0), item.text(1)) for item in items if item.text(1)]
    assert ("red.png", "first") in found and ("red.png", "second") in found
    assert tree.columnWidth(1) < tree.viewport().width() / 2
    ui.window.actions_by_name["show_sources"].trigger()


def test_the_current_entry_of_the_sources_stays_when_the_list_is_filled_anew(ui, tmp_path):
    """A source that begins or ends fills it, and the arrow keys would begin at its top again."""
    ui.workspace.settings.recent = [str(tmp_path / f"{n}.png") for n in range(30)]
    ui.window.dock_area.show("sources")
    panel = sources_of(ui.window)
    panel.refresh()
    item = panel.tree.topLevelItem(panel.tree.topLevelItemCount() - 3)
    panel.tree.setCurrentItem(item)
    ui.settle()
    text, place = item.text(0), panel.tree.verticalScrollBar().value()
    ui.workspace.playback.changed.emit()
    assert panel.tree.currentItem().text(0) == text
    assert panel.tree.verticalScrollBar().value() == place > 0
