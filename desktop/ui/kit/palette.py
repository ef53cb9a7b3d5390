"""The command palette: everything that the window can do, found by typing a part of its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from desktop.ui.kit.widgets import column, muted

_MOST_SHOWN: Final = 200
# Points of weak matches, of which fewer are better; see `score`.
_WORDS: Final = 400
_OF_KIND: Final = 450
_OF_WORDS: Final = 480
_LETTERS: Final = 500


@dataclass(frozen=True)
class Command:
    """An entry.

    Attributes:
        hint: its shortcut, or the group or folder that it belongs to.
        kind: what it is, in the window's language, such as 'Filter'.
        key: names it in the counts of uses, in every language; '' is not counted.
        words: further text by which it is found, after what is called so.
    """

    title: str
    run: Callable[[], object]
    hint: str = ""
    kind: str = ""
    key: str = ""
    words: str = ""


def score(query: str, title: str) -> int | None:
    """Return how well a title matches (lower is better), None if it does not.

    Best is the whole title, then its beginning, its words, and last all letters of the query in order.
    """
    query, title = query.casefold(), title.casefold()
    if not query or query == title:
        return 0
    if query == title.rpartition(": ")[2]:
        return 1
    at = title.find(query)
    if at == 0:
        return 2
    words = [match.start() for match in re.finditer(rf"\b{re.escape(query)}", title)]
    whole = [begin for begin in words if not title[begin + len(query) : begin + len(query) + 1].isalnum()]
    for base, places in ((100, whole), (200, words), (300, [at] if at > 0 else [])):
        if places:
            return base + places[0]
    if all(word in title for word in query.split()):
        return _WORDS
    place, gaps = -1, 0
    for letter in query.replace(" ", ""):
        found = title.find(letter, place + 1)
        if found < 0:
            return None
        gaps += found - place - 1
        place = found
    return _LETTERS + gaps


def ranked(commands: Sequence[Command], query: str, uses: Mapping[str, int]) -> list[int]:
    """Return the places of the commands that match, the best first.

    Among equally good matches, those used more often are first; without a query, those used last.

    Args:
        uses: number of uses by key, the last used first.
    """
    if not query:
        recency = {key: place for place, key in enumerate(uses)}
        last = len(recency)
        return sorted(range(len(commands)), key=lambda n: recency.get(commands[n].key, last))
    found = []
    for place, command in enumerate(commands):
        points = score(query, command.title)
        if points is None or points >= _LETTERS:
            # "network mobile" finds what is called so among the networks.
            words = f"{command.kind} {command.title}".casefold()
            more = f"{words} {command.words}".casefold()
            asked = query.casefold().split()
            if all(word in words for word in asked):
                points = _OF_KIND
            elif all(word in more for word in asked):
                points = _OF_WORDS
        if points is not None:
            # Within a hundred, the place of the word in the title decides less than the uses.
            band = points if points < 100 else points // 100 * 100
            found.append((band, -uses.get(command.key, 0), points, place))
    return [place for *_, place in sorted(found)]


class CommandPalette(QDialog):
    """A list that is searched while typing. Enter runs, Escape closes, the arrows choose.

    `used` has the key of a command that was run.
    """

    used = Signal(str)

    def __init__(
        self, commands: Sequence[Command], parent: QWidget, uses: Mapping[str, int] | None = None
    ) -> None:
        """Make it; `uses`: see `ranked`."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Commands"))
        self._commands, self._uses = list(commands), dict(uses or {})
        layout = column(self, 8, 6)
        self.search = QLineEdit()
        self.search.setPlaceholderText(
            self.tr("Search commands, effects, looks, networks, files and settings")
        )
        self.search.setAccessibleName(self.tr("Search commands"))
        self.list = QTreeWidget()
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place in (1, 2):
            self.list.header().setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setAccessibleName(self.tr("Commands found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.nothing = muted()
        self.nothing.setContentsMargins(4, 6, 4, 6)
        layout.addWidget(self.search)
        layout.addWidget(self.nothing)
        layout.addWidget(self.list, 1)
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self._run)
        self.list.itemClicked.connect(lambda *_: self._run())
        self.search.installEventFilter(self)
        width = min(560, parent.width() - 80)
        self.resize(width, min(420, parent.height() - 120))
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - width) // 2, corner.y() + 64)
        # The style sheet's height of a row is known only then, and the first filling fixes the height.
        self.list.ensurePolished()
        self._find("")
        self.search.setFocus()

    def set_commands(self, commands: Sequence[Command]) -> None:
        """Offer other commands."""
        self._commands = list(commands)
        self._find(self.search.text())

    def _find(self, text: str) -> None:
        found = ranked(self._commands, text.strip(), self._uses)
        self.list.clear()
        muted = self.palette().placeholderText()
        items = []
        for index in found[:_MOST_SHOWN]:
            command = self._commands[index]
            item = QTreeWidgetItem([command.title, command.hint, command.kind])
            item.setData(0, Qt.ItemDataRole.UserRole, index)
            for place in (1, 2):
                item.setForeground(place, muted)
            items.append(item)
        self.list.addTopLevelItems(items)
        self.nothing.setText(self.tr("Nothing is called “{0}”. Try another word.").format(text.strip()))
        self.nothing.setVisible(not found)
        self._select(0)

    def _row(self) -> int:
        item = self.list.currentItem()
        return self.list.indexOfTopLevelItem(item) if item is not None else 0

    def _select(self, row: int) -> None:
        item = self.list.topLevelItem(max(0, min(self.list.topLevelItemCount() - 1, row)))
        if item is not None:
            self.list.setCurrentItem(item)

    def _run(self) -> None:
        item = self.list.currentItem()
        self.close()
        if item is not None:
            command = self._commands[item.data(0, Qt.ItemDataRole.UserRole)]
            if command.key:
                self.used.emit(command.key)
            command.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows move in the list while the text has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}.get(
                Qt.Key(event.key())
            )
            if step is not None:
                self._select(self._row() + step)
                return True
        return super().eventFilter(watched, event)
