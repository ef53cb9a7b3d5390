"""Every control has a name and a role for screen readers: the whole tree of the window and of its dialogs is
walked.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QMenu, QScrollBar, QTabBar, QTreeWidget, QWidget
from window_panels import chain_of, networks_of

from desktop.ui.features.exports.export_dialog import ExportDialog
from desktop.ui.features.preferences.actions import show_preferences
from desktop.ui.features.preferences.page import PreferencesDialog
from desktop.ui.features.recording.record_dialog import RecordDialog
from desktop.ui.features.sources.screen_dialog import ScreenDialog
from desktop.ui.forms.stage_card import StageCard
from desktop.ui.shell.composition import panel_specs
from desktop.ui.shell.dialogs import AdapterDialog
from desktop.ui.shell.safety import CrashDialog
from desktop.ui.shell.session import Crash
from desktop.ui.workspace.keys_dialog import KeysDialog

Role = QAccessible.Role
# Of what cannot be used: it only holds or separates, or is drawn by Qt around something that has a name.
HOLDERS = {
    *(Role.Client, Role.Border, Role.Window, Role.LayeredPane, Role.Separator, Role.ScrollBar, Role.MenuBar),
    *(Role.StatusBar, Role.Splitter, Role.Grip, Role.Whitespace, Role.Pane, Role.Dialog, Role.Grouping),
    *(Role.StaticText, Role.Graphic, Role.TitleBar, Role.ToolBar, Role.PopupMenu),
}
NO_ROLE = {Role.NoRole, Role.Client, Role.Border, Role.LayeredPane}
# A filter of each kind of parameter: numbers, a switch, a choice, a color, a point, a table, a picture, a
# network.
FILTERS = ("bloom", "lut", "background", "radial_blur", "overlay", "pixelate", "depth", "style")


def nameless(widget: QWidget) -> list[str]:
    """Return a line for each control within a widget that a screen reader could not tell of."""
    found: list[str] = []
    _walk(QAccessible.queryAccessibleInterface(widget), type(widget).__name__, found)
    return found


def _walk(item, path: str, found: list[str]) -> None:
    subject, role = item.object(), item.role()
    if isinstance(subject, QScrollBar):
        return
    name = item.text(QAccessible.Text.Name)
    if isinstance(subject, QComboBox):
        # On X11 Qt gives a list's chosen entry here and its name as a relation.
        related = [pair[0].object() for pair in item.relations() if pair[0] is not None]
        name = subject.accessibleName() or next((w.text() for w in related if isinstance(w, QLabel)), "")
    focusable = bool(item.state().focusable) and not item.state().disabled
    where = f"{path}: {role.name} {type(subject).__name__}"
    # The list that opens below a combo box is named by the box; a label without words has nothing to say yet.
    below = role == Role.List and isinstance(subject.parent().parent(), QComboBox)
    # Qt keeps the bar of tabs of panels that are hidden; it shows nothing, and Tab must not stop there.
    empty = isinstance(subject, QTabBar) and not subject.count() and not focusable
    silent = role == Role.StaticText or below or empty
    if not name.strip() and not silent and (focusable or role not in HOLDERS):
        found.append(f"{where} has no name")
    if focusable and role in NO_ROLE:
        found.append(f"{where} “{name}” has no role")
    # Of a row with several columns the first one tells what it is.
    step = subject.columnCount() if isinstance(subject, QTreeWidget) else 1
    for index in range(0, item.childCount(), step):
        child = item.child(index)
        if child is not None and child.isValid():
            _walk(child, f"{path}/{type(subject).__name__}", found)


def test_each_panel_has_a_name_of_its_own(ui):
    panels = [ui.window.dock_area.panel(spec.id, QWidget) for spec in panel_specs()]
    names = [QAccessible.queryAccessibleInterface(panel).text(QAccessible.Text.Name) for panel in panels]
    assert names == [spec.title for spec in panel_specs()]
    assert len(set(names)) == len(names)


def test_the_window_without_a_source(ui):
    assert not (found := nameless(ui.window)), "\n".join(found)


def test_the_window_at_work(ui):
    known = ui.workspace.library.filters
    for name in FILTERS:
        if name in known:
            ui.workspace.edits.add_filter(name)
    ui.play()
    networks_of(ui.window).show()
    ui.wait(lambda: networks_of(ui.window).keys)
    ui.window.docks["stats"].show()
    cards = chain_of(ui.window).findChildren(StageCard)
    for card in cards:
        card.set_expanded(True)
    ui.workspace.messages.post("error", "Something is wrong.")
    ui.workspace.messages.post("info", "Saved.", "/tmp/x.png")
    kinds = {param.type for card in cards for param in card.item.params}
    assert {"float", "bool", "choice", "color", "lut", "model"} <= kinds
    try:
        assert not (found := nameless(ui.window)), "\n".join(found)
    finally:
        ui.window.docks["stats"].hide()
        networks_of(ui.window).leave()


def test_all_panels(ui):
    ui.play()
    area, found = ui.window.dock_area, []
    for spec in panel_specs():
        area.show(spec.id)
        ui.wait(lambda spec=spec: not area.panel(spec.id, QWidget).visibleRegion().isEmpty())
        found += [f"{spec.id}: {line}" for line in nameless(area.panel(spec.id, QWidget))]
    for spec in panel_specs():
        if spec.place == "bottom":
            area.docks[spec.id].hide()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["export", "record", "screen"])
def test_dialogs_of_what_plays(ui, name):
    ui.play()
    window, workspace = ui.window, ui.workspace
    match name:
        case "export":
            dialog = ExportDialog(workspace, window)
        case "record":
            dialog = RecordDialog(workspace.settings, workspace.outputs, window, lambda *_: None)
        case "screen":
            dialog = ScreenDialog(window, workspace.jobs, window.themed, lambda _: None, lambda: ([], []))
    dialog.show()
    assert dialog.windowTitle()
    assert not (found := nameless(dialog)), "\n".join(found)
    dialog.close()
    ui.wait(lambda: not workspace.jobs.running)


@pytest.mark.parametrize("name", ["keys", "about", "adapter", "palette", "preferences", "crash"])
def test_dialogs(ui, qtbot, tmp_path, name):
    window = ui.window
    before = set(window.findChildren(QDialog))
    match name:
        case "keys":
            window.dialogs.show_keys()
        case "about":
            window.dialogs.show_about()
        case "adapter":
            window.dialogs.show_adapters()
        case "palette":
            window.dialogs.show_palette()
        case "preferences":
            show_preferences(window)
        case "crash":
            dialog = CrashDialog(Crash(tmp_path, 0.0))
            qtbot.addWidget(dialog)
            dialog.show()
    if name != "crash":
        (dialog,) = set(window.findChildren(QDialog)) - before
    expected = {"keys": KeysDialog, "adapter": AdapterDialog, "preferences": PreferencesDialog}
    assert isinstance(dialog, expected.get(name, QDialog))
    assert dialog.windowTitle() or dialog.accessibleName()
    assert not (found := nameless(dialog)), "\n".join(found)
    dialog.close()
    ui.wait(lambda: not ui.workspace.jobs.running)


def test_menus(ui):
    ui.workspace.edits.add_filter("bloom")
    networks_of(ui.window).show()
    ui.wait(lambda: networks_of(ui.window).keys)
    card = chain_of(ui.window).findChild(StageCard)
    key = next(iter(networks_of(ui.window).keys))
    menus = [*ui.window.menuBar().findChildren(QMenu), card.make_menu(), networks_of(ui.window).menu(key)]
    assert len(menus) > 8
    for menu in menus:
        for action in menu.actions():
            assert action.isSeparator() or action.text().strip(), menu.title()


def test_the_form_about_a_networks_input(ui, shared):
    networks_of(ui.window).forms.open(str(next(Path(shared).rglob("*.onnx"))))
    ui.wait(lambda: networks_of(ui.window).forms.form is not None or ui.notices)
    form = networks_of(ui.window).forms.form
    if form is not None:
        assert not (found := nameless(form)), "\n".join(found)
        form.close()


def test_a_card_says_what_it_is_and_where_its_controls_belong(ui):
    ui.workspace.edits.add_filter("bloom")
    card = chain_of(ui.window).findChild(StageCard)
    item = QAccessible.queryAccessibleInterface(card)
    assert item.role() == Role.ListItem
    assert item.text(QAccessible.Text.Name) == "Bloom, on"
    names = [w.accessibleName() for w in (card.power, card.more)]
    assert names == ["Bloom: on or off", "Bloom: more"]
