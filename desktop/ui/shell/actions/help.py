"""The guide, all commands, and problem reports."""

from __future__ import annotations

from functools import partial
from typing import Final

from desktop.base.wording import sentence
from desktop.ui.shell.window_dialogs import WindowDialogs
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.window_context import WindowContext

MENUS: Final = (Menu("help", sentence("&Help"), order=5, groups=("guide", "updates", "program")),)

_guide = partial(Action, menu="help", group="guide")
_program = partial(Action, menu="help", group="program")


def _show_help(context: WindowContext) -> None:
    from desktop.ui.workspace.help import show_help

    show_help(context.viewport.window())


ACTIONS: Final = (
    _guide("help", sentence("&Guide"), _show_help, keys=("F1",)),
    _guide(
        "keys",
        sentence("&Keyboard shortcuts"),
        lambda w: w.workspace.get(WindowDialogs).show_keys(),
        keys=("?",),
    ),
    _guide(
        "palette",
        sentence("&Commands..."),
        lambda w: w.workspace.get(WindowDialogs).show_palette(),
        keys=("Ctrl+K", "Ctrl+Shift+P"),
    ),
    _program(
        "report",
        sentence("Save a &report of a problem..."),
        lambda w: w.workspace.get(WindowDialogs).save_report(),
    ),
    _program("about", sentence("&About Lightloom"), lambda w: w.workspace.get(WindowDialogs).show_about()),
)
