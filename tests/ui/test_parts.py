"""Features are found and say all of themselves: one more, with a part, a panel and an action, is one more
folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from qt_waiting import activate

from desktop.app import make_window, start_engine
from desktop.ui import features
from desktop.ui.features.preferences.actions import show_preferences
from desktop.ui.features.statistics.panel import FrameGraph
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.widgets import tab_stops
from desktop.ui.shell.window import Window
from desktop.ui.workspace.action import plain_text
from desktop.ui.workspace.workspace import MissingPart

SAMPLES = Path(__file__).parent / "sample_features"
Mod = Qt.KeyboardModifier


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A window of a program that has a sample feature more: its folder is on the path of the features, and no
    other file knows it.
    """
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FILTERS", "PRESETS", "LOGS", "MODELS", "EXPORTS"):
            patch.setenv(f"LIGHTLOOM_{name}", str(folder / name.lower()))
        settings = Settings(folder / "settings.ini")
        engine = start_engine(os.environ.get("LIGHTLOOM_ADAPTER"), settings.path)
        # Only while it is made: the other tests' window may be made later.
        with pytest.MonkeyPatch.context() as found:
            found.setattr(features, "__path__", [*features.__path__, str(SAMPLES)])
            made = make_window(qapp, settings, engine)
        made.show()
        made.start([], empty=True)
        yield made
        made.close()
        assert made.docks["clock"].widget().ended
        assert made.docks["clock"].widget().clock.ended
        for name in [name for name in sys.modules if name.startswith("desktop.ui.features.clock")]:
            del sys.modules[name]


def menu_of(window: Window, *titles: str) -> QMenu:
    """Return a menu by the titles that lead to it."""
    actions, menu = window.menuBar().actions(), None
    for title in titles:
        (menu,) = [a.menu() for a in actions if a.menu() is not None and plain_text(a.text()) == title]
        actions = menu.actions()
    return menu


def said_of(widget: QWidget) -> list[str]:
    """Return the names that a screen reader finds within a widget."""
    found, waiting = [], [QAccessible.queryAccessibleInterface(widget)]
    while waiting:
        item = waiting.pop()
        found.append(item.text(QAccessible.Text.Name))
        children = (item.child(index) for index in range(item.childCount()))
        waiting += [child for child in children if child is not None and child.isValid()]
    return found


def press(window: Window, qtbot: object, key: Qt.Key) -> None:
    activate(qtbot, window)
    QTest.keyClick(window, key, Mod.ControlModifier | Mod.AltModifier)


def test_a_panel_is_where_it_says(window):
    dock = window.docks["clock"]
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.RightDockWidgetArea
    assert dock.isVisible() and dock.windowTitle() == "Sample clock"
    assert dock.y() > window.docks["chain"].y(), "it is the second of its place"


def test_a_panel_is_in_the_menus_the_palette_and_the_page_of_keys(window):
    action = window.actions_by_name["clock"]
    entries = menu_of(window, "View").actions()
    assert entries.index(action) == entries.index(window.actions_by_name["pin_figures"]) + 1
    toggles = menu_of(window, "View", "Panels")
    toggles.aboutToShow.emit()
    assert window.docks["clock"].toggleViewAction() in toggles.actions()
    (command,) = [c for c in window.dialogs.commands() if c.title == "Sample clock"]
    assert command.hint == "Ctrl+Alt+C"
    assert action in dict(window.menus.by_menu())["View"]


def test_a_panel_has_its_key(window, qtbot):
    dock, action = window.docks["clock"], window.actions_by_name["clock"]
    assert action.isChecked()
    press(window, qtbot, Qt.Key.Key_C)
    assert dock.isHidden() and not action.isChecked()
    press(window, qtbot, Qt.Key.Key_C)
    assert dock.isVisible() and action.isChecked()


def test_a_panel_is_reached_by_tab_and_told_to_screen_readers(window):
    button = window.docks["clock"].widget().button
    assert button in list(tab_stops(window))
    names = said_of(window)
    assert "Sample clock" in names and "Start the clock" in names


def test_a_panel_is_kept_up_to_date_while_it_is_seen(window):
    panel = window.docks["clock"].widget()
    before = panel.updates
    window.refresh()
    assert panel.updates == before + 1
    window.dock_area.toggle("clock")
    window.refresh()
    assert panel.updates == before + 1
    window.dock_area.toggle("clock")


def test_a_panel_goes_back_to_its_place(window):
    dock = window.docks["clock"]
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.dock_area.reset()
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.RightDockWidgetArea


def test_a_part_is_made_once_and_found_by_its_class(window):
    panel = window.docks["clock"].widget()
    kind = type(panel.clock)
    assert window.workspace.get(kind) is panel.clock
    before = panel.clock.ticks
    window.refresh()
    assert panel.clock.ticks == before + 1


def test_a_feature_connects_its_part_and_its_panel_with_the_window(window, qtbot):
    panel = window.docks["clock"].widget()
    window.dock_area.toggle("clock")
    panel.clock.struck.emit()
    assert window.docks["clock"].isVisible()
    activate(qtbot, window)
    panel.button.setFocus()
    panel.button.click()
    assert not panel.button.hasFocus(), "the keys of the picture work again"


def test_a_setting_is_on_the_page_of_preferences_kept_and_followed(window):
    clock = window.docks["clock"].widget().clock
    page = show_preferences(window)
    row = page.rows["chimes"]
    assert clock.settings.chimes and row.editor.box.isChecked()
    page.show_section(row.setting.section)
    assert row.isVisible() and not page.rows["theme"].isVisible()
    row.editor.box.click()
    assert not clock.settings.chimes and clock.changes == 1
    assert Settings(window.workspace.settings.path).stored("clock/chimes") == "false"
    clock.settings.chimes = True
    assert row.editor.box.isChecked() and clock.changes == 2
    page.close()


def test_a_part_that_no_feature_has_is_named(ui, window):
    kind = type(window.docks["clock"].widget().clock)
    with pytest.raises(MissingPart, match="no feature provides the part Clock"):
        ui.workspace.get(kind)


def test_an_action_is_in_its_menu_the_palette_and_the_page_of_keys(window):
    action = window.actions_by_name["greet"]
    assert menu_of(window, "Help", "Sample").actions() == [action]
    assert action in dict(window.menus.by_menu())["Help"]
    assert not action.isEnabled()
    assert "Sample: Greet" not in [c.title for c in window.dialogs.commands()], "it cannot be done now"
    window.workspace.edits.add_filter("vignette")
    assert action.isEnabled()
    (command,) = [c for c in window.dialogs.commands() if c.title == "Sample: Greet"]
    command.run()
    assert window.overlay.state().toast == "Hello"
    window.workspace.edits.undo()
    assert not action.isEnabled()


def test_an_action_has_its_key(window, qtbot):
    window.workspace.edits.add_filter("vignette")
    press(window, qtbot, Qt.Key.Key_G)
    assert window.overlay.state().toast == "Hello"
    window.workspace.edits.undo()


def test_nothing_else_is_changed(window, ui):
    more = [name for name in window.actions_by_name if name not in ui.window.actions_by_name]
    assert sorted(more) == ["clock", "greet"]
    rest = [name for name in window.actions_by_name if name not in more]
    assert rest == list(ui.window.actions_by_name)
    assert [name for name in window.docks if name != "clock"] == list(ui.window.docks)


@pytest.mark.parametrize("ms", [8.0, 800.0, 80_000.0])
def test_the_graphs_figures_are_whole_however_slow_it_is(window, qtbot, ms):
    graph = FrameGraph(window.themed)
    qtbot.addWidget(graph)
    graph.resize(300, 150)
    graph.show_values([ms] * 5, [ms] * 5)
    picture = graph.grab().toImage()
    # Nothing reaches its left edge.
    assert len({picture.pixel(x, y) for x in (0, 1) for y in range(picture.height())}) == 1
