"""The guide, all commands, new versions, and what to do about a problem."""

from __future__ import annotations

from functools import partial
from typing import Final

from desktop.base.wording import sentence
from desktop.ui.action import Action, Menu
from desktop.ui.updates import is_published

MENUS: Final = (Menu("help", sentence("&Help"), order=5, groups=("guide", "updates", "program")),)

_guide = partial(Action, menu="help", group="guide")
_updates = partial(Action, menu="help", group="updates")
_program = partial(Action, menu="help", group="program")

ACTIONS: Final = (
    _guide("help", sentence("&Guide"), lambda w: w.dialogs.show_help(), keys=("F1",)),
    _guide("keys", sentence("&Keyboard shortcuts"), lambda w: w.dialogs.show_keys(), keys=("?",)),
    _guide(
        "palette",
        sentence("&Commands..."),
        lambda w: w.dialogs.show_palette(),
        keys=("Ctrl+K", "Ctrl+Shift+P"),
    ),
    _updates("check_updates", sentence("Check for &updates..."), lambda w: w.updates.check()),
    _updates(
        "weekly_updates",
        sentence("Check for updates once a &week"),
        lambda w: w.updates.toggle_weekly(),
        enabled=lambda w: is_published(),
        checked=lambda w: is_published() and bool(w.controller.settings.weekly_updates),
    ),
    _program("report", sentence("Save a &report of a problem..."), lambda w: w.dialogs.save_report()),
    _program("about", sentence("&About Lightloom"), lambda w: w.dialogs.show_about()),
)
