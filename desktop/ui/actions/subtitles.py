"""Actions that select subtitles."""

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
from desktop.ui.subtitles import Subtitles


def _toggle(desk: Desk) -> None:
    desk.say(desk.controller.subtitles.toggle())


def _fill(desk: Desk, menu: QMenu, actions: Sequence[QAction]) -> None:
    """Fill the menu of subtitle tracks, with entries for none and for a subtitle file."""
    translate, subtitles = QCoreApplication.translate, desk.controller.subtitles
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

_titled = partial(Action, enabled=lambda w: w.controller.subtitles.of_source is not None)

ACTIONS: Final = (
    _titled(
        "subtitles",
        sentence("Show s&ubtitles"),
        _toggle,
        menu="playback",
        group="picture",
        order=1,
        keys=("V",),
        checked=lambda w: w.controller.subtitles.are_shown,
    ),
    _titled(
        "open_subtitles",
        sentence("&Open a subtitle file..."),
        lambda w: w.dialogs.ask_subtitles(),
        menu="playback/subtitles",
    ),
)
