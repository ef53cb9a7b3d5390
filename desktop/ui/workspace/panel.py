"""Describe panels as values, from which the window builds docks, menu entries and shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from desktop.ui.kit.widgets import Themed
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.card import CardSpec
from desktop.ui.workspace.window_context import Place
from desktop.ui.workspace.workspace import Workspace


@runtime_checkable
class ShowsFigures(Protocol):
    """A panel that shows measurements."""

    def update_figures(self) -> None:
        """Refresh the figures; called several times a second while the panel is visible."""


@runtime_checkable
class HasWork(Protocol):
    """A panel that runs work of its own."""

    def shutdown(self) -> None:
        """Stop the work; the window is closing."""


@dataclass(frozen=True)
class PanelContext:
    """The context that a panel is built with: the window, its actions by id, and the chain panel's cards."""

    workspace: Workspace
    themed: Themed
    actions: Mapping[str, QAction]
    cards: tuple[CardSpec, ...] = ()


@dataclass(frozen=True)
class PanelSpec:
    """Description of a panel.

    Attributes:
        id: unique name, under which the settings save its position.
        title: the title above it and in the panel menu; a `sentence`.
        order: its position in `place`, from the top or the left; also the Tab order.
        make: builds its widget, whose `header` replaces the title bar; see also `ShowsFigures`, `HasWork`.
        size: default (width, height) in logical pixels; 0 leaves a side to the layout.
        closed_by: the tool tip of the button that hides it; '' for no button.
        tab: the title of its tab; '' for the title.
        late: built on first use or after the first frame; only then `make` imports the widget's module.
        modules: what `make` imports then; imported on a thread before, unless the first use is earlier.
        heavy: a late panel that is built on first use only: what it imports takes much memory.
    """

    id: str
    title: str
    place: Place
    order: int
    make: Callable[[PanelContext], QWidget] = field(compare=False)
    size: tuple[int, int] = (0, 0)
    shown: bool = True
    closed_by: str = ""
    tab: str = ""
    late: bool = False
    modules: tuple[str, ...] = ()
    heavy: bool = False
    actions: tuple[Action, ...] = ()


def panel_toggle(panel: str, text: str, *, order: int, key: str, group: str = "panels") -> Action:
    """Return the entry of the View menu that shows a panel, with room for its content, or hides it."""
    return Action(
        panel,
        text,
        lambda w: w.dock_area.toggle(panel, grow=True),
        menu="view",
        group=group,
        order=order,
        keys=(key,),
        checked=lambda w: w.dock_area.is_shown(panel),
    )
