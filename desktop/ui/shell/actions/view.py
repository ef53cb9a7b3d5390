"""Actions that change the view of the frame and the appearance of the window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.base.wording import sentence
from desktop.ui.features.opening.opening import Opening
from desktop.ui.kit.language import LANGUAGES
from desktop.ui.shell.full_screen import FullScreen
from desktop.ui.shell.overlay_presenter import OverlayPresenter
from desktop.ui.shell.window_dialogs import WindowDialogs
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.by_adapter import first_filter
from desktop.ui.workspace.window_context import WindowContext

# By how much of the frame's width a key moves the line between before and after.
_SPLIT_STEP: Final = 0.02
# A user who cannot read the window's language recognizes the language menu by this word.
_IN_ENGLISH: Final = "Language"


def _fill_panels(context: WindowContext, menu: QMenu, actions: Sequence[QAction]) -> None:
    menu.addActions(actions)
    menu.addSeparator()
    menu.addActions([dock.toggleViewAction() for dock in context.dock_area.docks.values()])


def _begin_comparing(context: WindowContext) -> None:
    """Show the frame before and after the chain: on the sample where nothing plays, and with an effect."""
    workspace = context.workspace
    if workspace.playback.source is None:
        workspace.get(Opening).open_sample()
    if not workspace.edits.chain.stages:
        name, values = first_filter(workspace.adapter)
        workspace.edits.add_filter(name, workspace.library.get(name).check(values))
    if context.viewport.view.split is None:
        context.viewport.set_split(0.5)


def _toggle_split(context: WindowContext) -> None:
    context.viewport.set_split(0.5 if context.viewport.view.split is None else None)


def _move_split(context: WindowContext, step: float) -> None:
    split = context.viewport.view.split
    if split is not None:
        context.viewport.set_split(split + step)


def _toggle_figures(context: WindowContext) -> None:
    settings = context.workspace.settings
    settings.show_stats = not settings.show_stats


def _theme(name: str, text: str) -> Action:
    return Action(
        f"theme_{name}",
        text,
        lambda w: setattr(w.workspace.settings, "theme", name),
        menu="view/theme",
        checked=lambda w: w.workspace.settings.theme == name,
    )


def _language(code: str, name: str) -> Action:
    return Action(
        f"language_{code or 'system'}",
        name,
        lambda w: setattr(w.workspace.settings, "language", code),
        menu="view/language",
        checked=lambda w: w.workspace.settings.language == code,
    )


MENUS: Final = (
    Menu(
        "view", sentence("&View"), order=2, groups=("zoom", "compare", "figures", "panels", "window", "look")
    ),
    Menu("view/panels", sentence("&Panels"), group="window", fill=_fill_panels),
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
_window = partial(Action, menu="view", group="window")

ACTIONS: Final = (
    _zoom("fit", sentence("&Fit"), lambda w: w.viewport.fit(), keys=("0",)),
    _zoom("one_to_one", sentence("&1:1"), lambda w: w.viewport.zoom_to(1.0), keys=("1",)),
    _zoom("zoom_in", sentence("Zoom &in"), lambda w: w.viewport.zoom_by(1), keys=("+", "=")),
    _zoom("zoom_out", sentence("Zoom &out"), lambda w: w.viewport.zoom_by(-1), keys=("-",)),
    _compare("compare", sentence("Compare before and after"), _begin_comparing),
    _compare(
        "split",
        sentence("&Before and after"),
        _toggle_split,
        keys=("B",),
        checked=lambda w: w.viewport.view.split is not None,
    ),
    _compare(
        "split_left",
        sentence("Move the line to the &left"),
        lambda w: _move_split(w, -_SPLIT_STEP),
        keys=("Alt+Left",),
        enabled=lambda w: w.viewport.view.split is not None,
    ),
    _compare(
        "split_right",
        sentence("Move the line to the &right"),
        lambda w: _move_split(w, _SPLIT_STEP),
        keys=("Alt+Right",),
        enabled=lambda w: w.viewport.view.split is not None,
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
        "glance",
        sentence("Show the performance overlay &briefly"),
        lambda w: w.workspace.get(OverlayPresenter).glance(),
        keys=("I",),
    ),
    _figures(
        "pin_figures",
        sentence("Pin the performance &overlay"),
        _toggle_figures,
        keys=("Shift+I",),
        checked=lambda w: w.workspace.settings.show_stats,
    ),
    _window(
        "full_screen",
        sentence("F&ull screen"),
        lambda w: w.workspace.get(FullScreen).toggle(),
        keys=("F", "F11"),
        checked=lambda w: w.isFullScreen(),
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
        lambda w: w.workspace.get(WindowDialogs).show_adapters(),
        menu="view",
        group="look",
        order=1,
    ),
)
