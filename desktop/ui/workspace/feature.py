"""Describe features as values, from which the window is composed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from desktop.ui.forms.setting import AnySetting
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.card import CardSpec
from desktop.ui.workspace.panel import PanelSpec
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part


@dataclass(frozen=True)
class Feature:
    """Description of a feature: everything that it adds to the window.

    A feature is a package in `desktop/ui/features/` whose module `feature` defines `FEATURE`. That module is
    imported before the first frame, so it must import quickly.

    Attributes:
        parts: objects without widgets; see `Workspace.get`.
        panels: docked panels, with their own actions.
        cards: cards of the chain panel.
        actions: actions that belong to no panel.
        connect: called once with the complete window, to connect signals.
    """

    parts: tuple[Part[Any], ...] = ()
    panels: tuple[PanelSpec, ...] = ()
    cards: tuple[CardSpec, ...] = ()
    menus: tuple[Menu, ...] = ()
    actions: tuple[Action, ...] = ()
    settings: tuple[AnySetting, ...] = ()
    connect: Callable[[WindowContext], None] = field(default=lambda context: None, compare=False)
