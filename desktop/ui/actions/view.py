"""Actions that change the view of the picture and the appearance of the window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from desktop.base.wording import sentence
from desktop.ui.action import Action, Menu
from desktop.ui.desk import Desk
from desktop.ui.language import LANGUAGES, translated
from desktop.ui.setting import Found, Setting
from desktop.ui.settings import Settings

# A user who cannot read the window's language recognizes the language menu by this word.
_IN_ENGLISH: Final = "Language"


def _fill_panels(desk: Desk, menu: QMenu, actions: Sequence[QAction]) -> None:
    menu.addActions(actions)
    menu.addSeparator()
    menu.addActions([dock.toggleViewAction() for dock in desk.dock_area.docks.values()])


def _toggle_split(desk: Desk) -> None:
    desk.viewport.set_split(0.5 if desk.viewport.view.split is None else None)


def _toggle_figures(desk: Desk) -> None:
    settings = desk.controller.settings
    settings.show_stats = not settings.show_stats


def _fill_output(desk: Desk, menu: QMenu, actions: Sequence[QAction]) -> None:
    """Fill the menu with its actions and the screens that are connected now."""
    menu.addActions(actions)
    menu.addSeparator()
    settings, kind = desk.controller.settings, Settings.output_screen.kind
    assert isinstance(kind, Found)
    group = QActionGroup(menu)
    for value, title in (("", kind.empty), *kind.offers(settings)):
        action = menu.addAction(translated(title).replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(settings.output_screen == value)
        action.triggered.connect(partial(_put_output, settings, value))
        group.addAction(action)


def _put_output(settings: Settings, value: str, _: bool = False) -> None:
    settings.output_screen = value


def _switch(desk: Desk, setting: Setting[bool]) -> None:
    settings = desk.controller.settings
    setting.__set__(settings, not setting.__get__(settings, type(settings)))


def _theme(name: str, text: str) -> Action:
    return Action(
        f"theme_{name}",
        text,
        lambda w: setattr(w.controller.settings, "theme", name),
        menu="view/theme",
        checked=lambda w: w.controller.settings.theme == name,
    )


def _language(code: str, name: str) -> Action:
    return Action(
        f"language_{code or 'system'}",
        name,
        lambda w: setattr(w.controller.settings, "language", code),
        menu="view/language",
        checked=lambda w: w.controller.settings.language == code,
    )


MENUS: Final = (
    Menu(
        "view", sentence("&View"), order=2, groups=("zoom", "compare", "figures", "panels", "window", "look")
    ),
    Menu("view/panels", sentence("&Panels"), group="window", fill=_fill_panels),
    Menu("view/output", sentence("Clean output"), group="window", order=2, fill=_fill_output),
    Menu(
        "view/theme",
        sentence("&Theme"),
        group="look",
        titled=lambda text: QCoreApplication.translate("Menus", "Theme: {0}").format(text),
    ),
    Menu(
        "view/language",
        sentence("Lan&guage"),
        also=_IN_ENGLISH,
        group="look",
        titled=lambda text: QCoreApplication.translate("Menus", "Language: {0}").format(text),
    ),
)

_zoom = partial(Action, menu="view", group="zoom")
_compare = partial(Action, menu="view", group="compare")
_figures = partial(Action, menu="view", group="figures")
_output = partial(Action, menu="view/output")
_window = partial(Action, menu="view", group="window")

ACTIONS: Final = (
    _zoom("fit", sentence("&Fit"), lambda w: w.viewport.fit(), keys=("0",)),
    _zoom("one_to_one", sentence("&1:1"), lambda w: w.viewport.zoom_to(1.0), keys=("1",)),
    _zoom("zoom_in", sentence("Zoom &in"), lambda w: w.viewport.zoom_by(1), keys=("+", "=")),
    _zoom("zoom_out", sentence("Zoom &out"), lambda w: w.viewport.zoom_by(-1), keys=("-",)),
    _compare(
        "split",
        sentence("&Before and after"),
        _toggle_split,
        keys=("B",),
        checked=lambda w: w.viewport.view.split is not None,
    ),
    _compare(
        "mirror",
        sentence("&Mirror the preview"),
        lambda w: w.viewport.set_mirrored(not w.viewport.view.mirrored),
        keys=("Shift+M",),
        checked=lambda w: w.viewport.view.mirrored,
    ),
    _compare(
        "checkered",
        sentence("Transparency as a &checkerboard"),
        lambda w: w.viewport.set_checkered(not w.viewport.view.checkered),
        checked=lambda w: w.viewport.view.checkered,
    ),
    _figures(
        "glance", sentence("Show the performance overlay &briefly"), lambda w: w.overlay.glance(), keys=("I",)
    ),
    _figures(
        "pin_figures",
        sentence("Pin the performance &overlay"),
        _toggle_figures,
        keys=("Shift+I",),
        checked=lambda w: w.controller.settings.show_stats,
    ),
    _window(
        "full_screen",
        sentence("F&ull screen"),
        lambda w: w.full_screen.toggle(),
        keys=("F", "F11"),
        checked=lambda w: w.isFullScreen(),
    ),
    _output(
        "clean_output",
        sentence("Clean output in a second window"),
        lambda w: w.clean_output.toggle(),
        keys=("F9",),
        checked=lambda w: w.clean_output.is_open,
    ),
    _output(
        "output_mirrored",
        sentence("Mirror it"),
        lambda w: _switch(w, Settings.output_mirrored),
        checked=lambda w: w.controller.settings.output_mirrored,
    ),
    _output(
        "output_seen",
        sentence("With what the network sees"),
        lambda w: _switch(w, Settings.output_seen),
        checked=lambda w: w.controller.settings.output_seen,
    ),
    Action(
        "left_panels",
        sentence("&Sources and library"),
        lambda w: w.dock_area.toggle_place("left"),
        menu="view/panels",
        keys=("Ctrl+B",),
        checked=lambda w: w.dock_area.shows_any("left"),
    ),
    _window(
        "lock_docks",
        sentence("&Lock the panels"),
        lambda w: w.dock_area.lock(not w.dock_area.locked),
        order=1,
        checked=lambda w: w.dock_area.locked,
    ),
    _window("reset_docks", sentence("Reset the &panels"), lambda w: w.dock_area.reset(), order=1),
    _theme("system", sentence("Follow the &system")),
    _theme("dark", sentence("&Dark")),
    _theme("light", sentence("&Light")),
    _language("", sentence("As the &system")),
    *(_language(code, name) for code, name in LANGUAGES.items()),
    Action(
        "adapter",
        sentence("Graphics &adapter..."),
        lambda w: w.dialogs.show_adapters(),
        menu="view",
        group="look",
        order=1,
    ),
)
