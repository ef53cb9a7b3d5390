"""Describe actions as values, from which menus, shortcuts, the palette and tool tips are built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.ui.kit.mnemonics import unmarked
from desktop.ui.workspace.keys import native_text
from desktop.ui.workspace.window_context import WindowContext

D = TypeVar("D")
"""The object that actions operate on."""


@dataclass(frozen=True)
class ActionOf(Generic[D]):
    """An action of a window that presents itself as a `D`; `Action` belongs to the main window.

    Attributes:
        text: the menu text with its mnemonic; a `sentence`, or text that is the same in every language.
        menu: its menu: "view", or "view/theme" for a submenu; '' for none.
        group: the group within the menu, between separators; ordered by `Menu.groups`, unlisted ones last.
        order: position within the group; ties keep their order of definition.
        keys: its shortcuts; the first one is displayed.
        checked: makes the action a toggle and returns its state.
        enabled: returns whether the action is available; None for always.
        role: 'preferences' for the entry that macOS moves to the application menu; '' for any other.
        detail: returns text appended to the menu entry, such as what "Undo" would undo.
    """

    id: str
    text: str
    run: Callable[[D], object] = field(compare=False)
    menu: str = ""
    group: str = ""
    order: int = 0
    keys: tuple[str, ...] = ()
    checked: Callable[[D], bool] | None = field(default=None, compare=False)
    enabled: Callable[[D], bool] | None = field(default=None, compare=False)
    detail: Callable[[D], str] | None = field(default=None, compare=False)
    role: Literal["", "preferences"] = ""


@dataclass(frozen=True)
class MenuOf(Generic[D]):
    """A menu of the menu bar, or a submenu; `Menu` belongs to the main window.

    Attributes:
        id: the name that `Action.menu` uses: "view", "view/theme".
        title: the title with its mnemonic; a `sentence`.
        also: a word appended in brackets if the translated title does not contain it.
        group: for a submenu, its group in the parent menu.
        fill: fills the menu, given its actions, each time it opens; None for a static menu.
        titled: returns the palette's name for an ambiguous text: "Theme: Dark" for "Dark".
    """

    id: str
    title: str
    also: str = ""
    order: int = 0
    groups: tuple[str, ...] = ()
    group: str = ""
    fill: Callable[[D, QMenu, Sequence[QAction]], None] | None = field(default=None, compare=False)
    titled: Callable[[str], str] = field(default=str, compare=False)

    @property
    def parent(self) -> str:
        """The id of the parent menu, '' for the menu bar."""
        return self.id.rpartition("/")[0]


Action = ActionOf[WindowContext]
Menu = MenuOf[WindowContext]


def plain_text(text: str) -> str:
    """Return a menu text without its mnemonic and trailing dots."""
    return unmarked(text).replace("&&", "&").rstrip(".")


def with_key(action: QAction, text: str = "") -> str:
    """Return a button's tool tip: `text` or its action's name, followed by the shortcut, if any."""
    keys = native_text(action.shortcut())
    said = text or action.iconText()
    return f"{said} ({keys})" if keys else said
