"""Build and update the menus, shortcuts, palette commands and page of keys from a window's actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from desktop.ui.kit.language import translated
from desktop.ui.kit.mnemonics import distinct
from desktop.ui.kit.palette import Command
from desktop.ui.workspace.action import ActionOf, D, MenuOf, plain_text
from desktop.ui.workspace.keys import native_text


class Menus(Generic[D]):
    """A window's actions as Qt has them: `actions` by id, in menu order."""

    def __init__(
        self, window: QMainWindow, context: D, menus: Sequence[MenuOf[D]], actions: Sequence[ActionOf[D]]
    ) -> None:
        """Make the actions, which receive `context`, and register their shortcuts with the window."""
        self._window, self._context = window, context
        self._menus = {menu.id: menu for menu in menus}
        self._values = {action.id: action for action in actions}
        assert len(self._values) == len(actions), "two actions have one id"
        placed = [action for menu in self._bar() for action in self._within(menu)]
        # Actions of a submenu are placed in it; those without a menu appear in the palette.
        others = [action for action in actions if action not in placed]
        self._texts = {action.id: translated(action.text) for action in actions}
        self._titles = {menu.id: self._title(menu) for menu in menus}
        self._assign_mnemonics()
        self.actions = {action.id: self._make(action) for action in (*placed, *others)}

    def _make(self, value: ActionOf[D]) -> QAction:
        window = self._window
        text = self._texts[value.id]
        action = QAction(text, window)
        action.setObjectName(value.id)
        # The action's fixed name, whatever its text becomes ("Undo", not "Undo Add Vignette").
        action.setIconText(plain_text(text))
        action.setShortcuts([QKeySequence(key) for key in value.keys])
        action.setCheckable(value.checked is not None)
        if value.role:
            action.setMenuRole(QAction.MenuRole.PreferencesRole)

        def run() -> None:
            value.run(self._context)
            # A toggle has changed its own state; the state of its subject is authoritative.
            self.sync()

        action.triggered.connect(run)
        # Full screen hides the menu bar, which would disable its actions' shortcuts.
        window.addAction(action)
        return action

    def sync(self) -> None:
        """Update the texts and states of all actions."""
        for name, value in self._values.items():
            action = self.actions[name]
            if value.enabled is not None:
                action.setEnabled(value.enabled(self._context))
            if value.checked is not None:
                action.setChecked(value.checked(self._context))
            if value.detail is not None:
                # An & in the name of an effect or a zone marks no access key.
                detail = value.detail(self._context).replace("&", "&&")
                action.setText(f"{self._texts[name]} {detail}".strip())

    # -- menus -----------------------------------------------------------------------------------------------

    def _bar(self) -> list[MenuOf[D]]:
        return sorted((menu for menu in self._menus.values() if not menu.parent), key=lambda menu: menu.order)

    def _groups(self, menu: MenuOf[D]) -> list[list[ActionOf[D] | MenuOf[D]]]:
        """Return a menu's entries by group, in order; submenus follow actions of the same order."""
        entries: list[ActionOf[D] | MenuOf[D]] = [a for a in self._values.values() if a.menu == menu.id]
        entries += [inner for inner in self._menus.values() if inner.parent == menu.id]
        entries.sort(key=lambda entry: entry.order)
        named = [*menu.groups, *(entry.group for entry in entries)]
        groups = [[entry for entry in entries if entry.group == name] for name in dict.fromkeys(named)]
        return [group for group in groups if group]

    def _assign_mnemonics(self) -> None:
        """Assign distinct mnemonics within each menu, and within the menu bar."""
        together: list[list[ActionOf[D] | MenuOf[D]]] = [list(self._bar())]
        together += [
            [entry for group in self._groups(menu) for entry in group] for menu in self._menus.values()
        ]
        for entries in together:
            kept = [self._titles if isinstance(entry, MenuOf) else self._texts for entry in entries]
            texts = distinct([of[entry.id] for of, entry in zip(kept, entries, strict=True)])
            for entry, of, text in zip(entries, kept, texts, strict=True):
                of[entry.id] = text

    def _within(self, menu: MenuOf[D]) -> Iterator[ActionOf[D]]:
        """Yield the actions of a menu and its submenus, in order."""
        for group in self._groups(menu):
            for entry in group:
                if isinstance(entry, MenuOf):
                    yield from self._within(entry)
                else:
                    yield entry

    def make_bar(self) -> None:
        """Fill the window's menu bar."""
        for menu in self._bar():
            self._fill(self._window.menuBar().addMenu(self._titles[menu.id]), menu)

    def menu(self, menu_id: str, parent: QWidget) -> QMenu:
        """Return a menu of the bar once more, for a button."""
        menu = QMenu(parent)
        self._fill(menu, self._menus[menu_id])
        return menu

    def _fill(self, target: QMenu, menu: MenuOf[D]) -> None:
        fill = menu.fill
        if fill is not None:
            actions = [self.actions[action.id] for action in self._within(menu)]

            def opened() -> None:
                target.clear()
                fill(self._context, target, actions)

            target.aboutToShow.connect(opened)
            return
        for index, group in enumerate(self._groups(menu)):
            if index:
                target.addSeparator()
            for entry in group:
                if isinstance(entry, MenuOf):
                    self._fill(target.addMenu(self._titles[entry.id]), entry)
                else:
                    target.addAction(self.actions[entry.id])

    @staticmethod
    def _title(menu: MenuOf[D]) -> str:
        title = translated(menu.title)
        return f"{title} ({menu.also})" if menu.also and menu.also not in plain_text(title) else title

    def popup(self, groups: Sequence[Sequence[str]]) -> QMenu:
        """Return a menu of actions, by groups of their ids, which is deleted when it is closed."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for index, group in enumerate(groups):
            if index:
                menu.addSeparator()
            menu.addActions([self.actions[name] for name in group])
        return menu

    # -- lists of actions ------------------------------------------------------------------------------------

    def by_menu(self) -> list[tuple[str, list[QAction]]]:
        """Return the menus of the bar, without the marks of their keys, each with all its actions."""
        return [
            (plain_text(self._titles[menu.id]), [self.actions[action.id] for action in self._within(menu)])
            for menu in self._bar()
        ]

    def commands(self) -> list[Command]:
        """Return the palette's entries for the actions available now."""
        return [
            Command(self._titled(name), action.trigger, native_text(action.shortcut()), key=f"action/{name}")
            for name, action in self.actions.items()
            if action.isEnabled()
        ]

    def _titled(self, name: str) -> str:
        text = plain_text(self.actions[name].text())
        menu = self._menus.get(self._values[name].menu)
        return text if menu is None else menu.titled(text)
