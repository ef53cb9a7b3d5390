"""What the window has to know of a panel, as a value: it makes room, menu entries and keys from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from desktop.ui.action import Action
from desktop.ui.controller import Controller
from desktop.ui.desk import Place
from desktop.ui.widgets import Themed


@runtime_checkable
class ShowsFigures(Protocol):
    """A panel that shows what was measured."""

    def update_figures(self) -> None:
        """Show what is so now; called some times a second while the panel is visible."""


@runtime_checkable
class HasWork(Protocol):
    """A panel with work of its own under way."""

    def shutdown(self) -> None:
        """End it; the window closes."""


@dataclass(frozen=True)
class PanelContext:
    """What a panel is made of.

    Attributes:
        controller: what it shows and edits.
        themed: the theme in use.
        actions: the window's actions by their ids, for buttons that do the same.
    """

    controller: Controller
    themed: Themed
    actions: Mapping[str, QAction]


@dataclass(frozen=True)
class PanelSpec:
    """A panel.

    Attributes:
        id: tells it from the others; the window's settings keep its place under this name.
        title: what stands above it and in the menu of panels; a `sentence`.
        place: where it is at first.
        order: its place there, from the top or the left; the Tab key goes the same way.
        make: makes its widget. A widget with a `header` brings what stands above it; else that is the title. See `ShowsFigures` and
            `HasWork` for what else it may have.
        size: (width, height) of it at first, in logical pixels; 0 leaves a side to the layout.
        shown: whether it is there at first.
        closed_by: what the button says that hides it; '' for none.
        beside: the id of the panel that it shares its place with, as a tab.
        tab: what its tab is called, of those that share one place or lie behind each other there; '' for the title.
        late: made when it is first asked for, right behind the first picture at the latest. The module of its widget is then imported by
            `make`: this one is imported before the first picture.
        actions: its entries in the menus with their keys.
    """

    id: str
    title: str
    place: Place
    order: int
    make: Callable[[PanelContext], QWidget] = field(compare=False)
    size: tuple[int, int] = (0, 0)
    shown: bool = True
    closed_by: str = ""
    beside: str = ""
    tab: str = ""
    late: bool = False
    actions: tuple[Action, ...] = ()
