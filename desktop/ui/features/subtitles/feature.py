"""Subtitles of the source."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFileDialog, QMenu

from desktop.base.wording import sentence
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace


def _toggle(context: WindowContext) -> None:
    context.show_message(context.workspace.get(Subtitles).toggle())


def _choose_file(context: WindowContext) -> None:
    """Let the user choose a subtitle file for the source in use."""
    translate = QCoreApplication.translate
    path, _ = QFileDialog.getOpenFileName(
        context.viewport.window(),
        translate("WindowDialogs", "Open a subtitle file"),
        context.workspace.settings.folder,
        translate("WindowDialogs", "Subtitles (*.srt *.vtt *.ass *.ssa)"),
    )
    if path:
        context.workspace.get(Subtitles).add_file(Path(path))


def _fill(context: WindowContext, menu: QMenu, actions: Sequence[QAction]) -> None:
    """Fill the menu of subtitle tracks, with entries for none and for a subtitle file."""
    translate, subtitles = QCoreApplication.translate, context.workspace.get(Subtitles)
    found = subtitles.of_source
    if found is None:
        text = translate("Subtitles", "What plays can have no subtitles")
        menu.addAction(text).setEnabled(False)
        return
    group = QActionGroup(menu)
    choices: list[tuple[int | None, str, bool]] = [
        (place, track.name, track.is_readable) for place, track in enumerate(found.tracks)
    ]
    for place, name, readable in [*choices, (None, translate("Subtitles", "No subtitles"), True)]:
        text = name if readable else translate("Subtitles", "{0} (cannot be shown)").format(name)
        # Escaped: an ampersand in a track's title would become a mnemonic.
        action = menu.addAction(text.replace("&", "&&"))
        action.setCheckable(True)
        action.setEnabled(readable)
        action.setChecked(found.track == place)
        action.triggered.connect(partial(_use, subtitles, place))
        group.addAction(action)
    menu.addSeparator()
    menu.addActions(actions)


def _use(subtitles: Subtitles, place: int | None, _: bool = False) -> None:
    subtitles.use(place)


MENUS: Final = (Menu("playback/subtitles", sentence("Su&btitles"), group="picture", order=2, fill=_fill),)

_titled = partial(Action, enabled=lambda w: w.workspace.get(Subtitles).of_source is not None)

ACTIONS: Final = (
    _titled(
        "subtitles",
        sentence("Show s&ubtitles"),
        _toggle,
        menu="playback",
        group="picture",
        order=1,
        keys=("V",),
        checked=lambda w: w.workspace.get(Subtitles).are_shown,
    ),
    _titled(
        "open_subtitles",
        sentence("&Open a subtitle file..."),
        _choose_file,
        menu="playback/subtitles",
    ),
)


def _make(w: Workspace) -> Subtitles:
    made = Subtitles(w.settings, w.messages, w.playback, w)
    w.get(Opening).subtitles_found.connect(made.add_file)
    return made


FEATURE: Final = Feature(parts=(Part(Subtitles, _make),), menus=MENUS, actions=ACTIONS)
