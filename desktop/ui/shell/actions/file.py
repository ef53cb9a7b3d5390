"""Actions that open and save files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.base.wording import sentence
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.recents import RecentMenu, RecentSources
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.sources.panel import SourcesPanel
from desktop.ui.shell.window_dialogs import WindowDialogs
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.window_context import WindowContext

_MOST_RECENT: Final = 12


def _sources(context: WindowContext) -> SourcesPanel:
    return context.dock_area.panel("sources", SourcesPanel)


def _fill_recent(context: WindowContext, menu: QMenu, actions: Sequence[QAction]) -> None:
    workspace = context.workspace
    recent = menu.findChild(RecentMenu)
    if recent is None:
        recent = RecentMenu(menu, workspace.get(RecentSources), workspace.get(Opening), _MOST_RECENT)
    recent.add_entries()
    menu.addSeparator()
    menu.addActions(actions)


def _toggle_saved_overlay(context: WindowContext) -> None:
    settings = context.workspace.settings
    settings.saves_overlay = not settings.saves_overlay


MENUS: Final = (
    Menu("file", sentence("&File"), order=0, groups=("source", "preset", "picture", "labels", "program")),
    Menu("file/recent", sentence("R&ecent"), group="source", fill=_fill_recent),
)

_source = partial(Action, menu="file", group="source")
_preset = partial(Action, menu="file", group="preset")
_picture = partial(Action, menu="file", group="picture")

ACTIONS: Final = (
    _source("open", sentence("&Open..."), lambda w: _sources(w).choose_file(), keys=("Ctrl+O",)),
    _source("open_folder", sentence("Open a &folder of images..."), lambda w: _sources(w).choose_folder()),
    _source(
        "open_address", sentence("Open a &stream..."), lambda w: _sources(w).enter_address(), keys=("Ctrl+U",)
    ),
    _source("open_camera", sentence("Open a &camera"), lambda w: _sources(w).open_camera()),
    _source(
        "open_screen",
        sentence("Open the screen or a &window..."),
        lambda w: _sources(w).choose_screen(),
        keys=("Ctrl+Shift+D",),
    ),
    _source("open_sample", sentence("Play the s&ample"), lambda w: w.workspace.get(Opening).open_sample()),
    _source(
        "close_source",
        sentence("&Close the source"),
        lambda w: w.workspace.playback.stop(),
        order=1,
        keys=("Ctrl+W",),
        enabled=lambda w: w.workspace.playback.source is not None,
    ),
    Action(
        "clear_recent",
        sentence("Clear the list"),
        lambda w: w.workspace.settings.clear_recent(),
        menu="file/recent",
    ),
    _preset(
        "load_preset",
        sentence("Open a loo&k..."),
        lambda w: w.workspace.get(WindowDialogs).choose_preset(),
        keys=("Ctrl+Shift+O",),
    ),
    _preset(
        "save_preset",
        sentence("Sa&ve look..."),
        lambda w: w.workspace.get(WindowDialogs).save_look(),
        keys=("Ctrl+S",),
    ),
    _preset(
        "export_preset",
        sentence("E&xport look as one file..."),
        lambda w: w.workspace.get(WindowDialogs).choose_export_name(),
        keys=("Ctrl+Shift+S",),
    ),
    _picture("snapshot", sentence("S&napshot"), lambda w: w.workspace.get(Pictures).snapshot(), keys=("S",)),
    _picture(
        "record",
        sentence("&Record"),
        lambda w: w.workspace.get(Pictures).toggle_recording(),
        keys=("Ctrl+R",),
        checked=lambda w: w.workspace.get(Pictures).recording is not None,
    ),
    _picture(
        "record_as",
        sentence("Record to a &file..."),
        lambda w: w.workspace.get(WindowDialogs).choose_recording_name(),
    ),
    _picture(
        "save_overlay",
        sentence("Save results &with the image"),
        _toggle_saved_overlay,
        checked=lambda w: w.workspace.settings.saves_overlay,
    ),
    Action("quit", sentence("&Quit"), lambda w: w.close(), menu="file", group="program", keys=("Ctrl+Q",)),
)
