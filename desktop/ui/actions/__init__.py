"""The window's actions, one file per menu: a file here that defines MENUS and ACTIONS is discovered automatically.

Actions of a single panel are defined in that panel's file.
"""

from __future__ import annotations

from desktop.base.discovery import modules_of
from desktop.ui.action import Action, Menu
from desktop.ui.panels import panel_specs


def find_menus() -> tuple[Menu, ...]:
    """Return all menus, in no order."""
    return tuple(menu for module in modules_of(__name__) for menu in getattr(module, "MENUS", ()))


def find_actions() -> tuple[Action, ...]:
    """Return all actions: those of the files here by file name, then those of the panels."""
    own = [action for module in modules_of(__name__) for action in module.ACTIONS]
    return (*own, *(action for spec in panel_specs() for action in spec.actions))
