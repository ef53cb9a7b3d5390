"""What an action of the window is, as a value: menus, keys, the palette, the page of keys and tool tips are made from it.

An action is written once, in a file of `desktop/ui/actions/` or beside the panel that it is about; nothing else lists it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.ui.desk import Desk
from desktop.ui.keys import native_text
from desktop.ui.mnemonics import unmarked

D = TypeVar("D")
"""What actions act on."""


@dataclass(frozen=True)
class ActionOf(Generic[D]):
    """An action of a window that shows itself as a `D`; `Action` is one of the main window.

    Attributes:
        id: tells it from the others.
        text: as in a menu, with the mark of its key there; a `sentence`, or what is the same in every language.
        run: does it.
        menu: the menu it stands in, "view", or "view/theme" for a menu in that one; '' for none.
        group: the group there; a line separates groups. `Menu.groups` has their order, one that is not named there comes last.
        order: the place within the group; equals stand as they are written.
        keys: its keys; the first one is shown.
        checked: makes it a switch, and tells whether it is on.
        enabled: tells whether it can be done now; None for always.
        role: 'preferences' for what the system has a place of its own for, as macOS in the program's menu; '' for any other.
        detail: what is put behind the text in menus, what would be undone for one.
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
    """A menu of the bar, or one within another; `Menu` is one of the main window.

    Attributes:
        id: what `Action.menu` names: "view", "view/theme".
        title: as in the bar, with the mark of its key; a `sentence`.
        also: a word that follows in brackets where the title in the window's language has it not.
        order: the place in the bar, or as `Action.order`.
        groups: the order of its groups.
        group: of a menu within another: its group there.
        fill: fills it each time it is opened, given the actions that stand in it; None for one that never changes.
        titled: what the palette calls an action that stands in it, where its text alone says too little: given "Dark", "Theme: Dark".
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
        """The id of the menu that it stands in, '' for the bar."""
        return self.id.rpartition("/")[0]


Action = ActionOf[Desk]
Menu = MenuOf[Desk]


def plain_text(text: str) -> str:
    """Return a menu entry's text without the mark of its key and the dots."""
    return unmarked(text).replace("&&", "&").rstrip(".")


def with_key(action: QAction, text: str = "") -> str:
    """Return what a button says that does an action: its name, or another `text` for it, and its key where it has one."""
    keys = native_text(action.shortcut())
    said = text or action.iconText()
    return f"{said} ({keys})" if keys else said
