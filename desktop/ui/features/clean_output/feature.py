"""A second window with the frame alone; the window makes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from desktop.base.fields import Available
from desktop.base.wording import sentence
from desktop.ui.features.clean_output.clean_output import CleanOutput
from desktop.ui.forms.setting import Setting
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.language import translated
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext


def _fill_output(context: WindowContext, menu: QMenu, actions: Sequence[QAction]) -> None:
    """Fill the menu with its actions and the screens that are connected now."""
    menu.addActions(actions)
    menu.addSeparator()
    settings, field = context.workspace.settings, Settings.output_screen.field
    assert isinstance(field, Available)
    group = QActionGroup(menu)
    for value, title in (*field.options, *field.available(settings)):
        action = menu.addAction(translated(title).replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(settings.output_screen == value)
        action.triggered.connect(partial(_put_output, settings, value))
        group.addAction(action)


def _put_output(settings: Settings, value: str, _: bool = False) -> None:
    settings.output_screen = value


def _switch(context: WindowContext, setting: Setting[bool]) -> None:
    settings = context.workspace.settings
    setting.__set__(settings, not setting.__get__(settings, type(settings)))


MENUS: Final = (Menu("view/output", sentence("Clean output"), group="window", order=2, fill=_fill_output),)

_output = partial(Action, menu="view/output")

ACTIONS: Final = (
    _output(
        "clean_output",
        sentence("Clean output in a second window"),
        lambda w: w.workspace.get(CleanOutput).toggle(),
        keys=("F9",),
        checked=lambda w: w.workspace.get(CleanOutput).is_open,
    ),
    _output(
        "output_mirrored",
        sentence("Mirror it"),
        lambda w: _switch(w, Settings.output_mirrored),
        checked=lambda w: w.workspace.settings.output_mirrored,
    ),
    _output(
        "output_seen",
        sentence("With what the network sees"),
        lambda w: _switch(w, Settings.output_seen),
        checked=lambda w: w.workspace.settings.output_seen,
    ),
)


FEATURE: Final = Feature(menus=MENUS, actions=ACTIONS)
