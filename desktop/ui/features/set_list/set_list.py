"""The set list and its place; it is stored in the settings."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from desktop.pipeline.setup.fading import LONGEST_FADE_S
from desktop.pipeline.setup.known import bundled_presets, known_preset
from desktop.ui.features.controllers.controllers import Controllers
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.set_list.settings import MOST_ENTRIES, SetListSettings
from desktop.ui.kit.language import translated
from desktop.ui.workspace.workspace import Workspace

log = logging.getLogger(__name__)

_LONGEST: Final = 4096


@dataclass(frozen=True)
class SetListEntry:
    """A look of the set list.

    Attributes:
        look: the name of a bundled look, or the path of its file.
        title: as the look had it.
        fade_s: seconds of the cross-fade to it.
    """

    look: str
    title: str
    fade_s: float = 0.0

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> SetListEntry | None:
        """Return the entry of a table from the settings; None for an invalid one."""
        look, title, fade = table.get("look"), table.get("title"), table.get("fade", 0.0)
        if not (isinstance(look, str) and isinstance(title, str) and 0 < len(look) <= _LONGEST):
            return None
        if isinstance(fade, bool) or not isinstance(fade, int | float) or not 0.0 <= fade <= LONGEST_FADE_S:
            fade = 0.0
        return cls(look, title[:200], float(fade))

    @property
    def table(self) -> dict[str, Any]:
        """The entry as the settings have it."""
        return {"look": self.look, "title": self.title, "fade": self.fade_s}


class SetList(QObject):
    """Looks in an order.

    Signals:
        changed: the entries or the place.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._opening = workspace, workspace.get(Opening)
        self._settings = SetListSettings(workspace.settings)
        self._controllers = workspace.get(Controllers)
        self._controllers.pressed.connect(self._on_pressed)
        self.place: int | None = None
        self._entries: tuple[SetListEntry, ...] = ()
        # Tables of a newer version or of a person's, which are stored again as they are.
        self._unreadable: tuple[Mapping[str, Any], ...] = ()
        settings = workspace.settings
        settings.follow(self._read, SetListSettings.set_list)
        settings.follow(self._watch, SetListSettings.set_list_next, SetListSettings.set_list_previous)
        self._read()
        self._watch()

    @property
    def entries(self) -> tuple[SetListEntry, ...]:
        """The looks, in order."""
        return self._entries

    def _read(self) -> None:
        read = [(table, SetListEntry.read(table)) for table in self._settings.set_list.values()]
        entries = tuple(entry for _, entry in read if entry is not None)
        unreadable = tuple(table for table, entry in read if entry is None)
        if unreadable and unreadable != self._unreadable:
            log.warning("%s entries of the set list are not valid and are left out", len(unreadable))
        self._unreadable = unreadable
        if entries != self._entries:
            self._entries = entries
            if self.place is not None and self.place >= len(entries):
                self.place = None
            self.changed.emit()

    def _store(self, entries: Sequence[SetListEntry], place: int | None) -> None:
        self._entries, self.place = tuple(entries), place
        tables = [*(entry.table for entry in self._entries), *map(dict, self._unreadable)]
        self._settings.set_list = {str(number): table for number, table in enumerate(tables)}
        self.changed.emit()

    # -- the place -------------------------------------------------------------------------------------------

    def step(self, by: int) -> bool:
        """Go to the next look (1) or the previous one (-1); return False at either end."""
        place = (-1 if by > 0 else len(self._entries)) if self.place is None else self.place
        if not 0 <= place + by < len(self._entries):
            if not self._entries:
                text = self.tr("The set list is empty")
            elif by > 0:
                text = self.tr("The set list is at its end")
            else:
                text = self.tr("The set list is at its beginning")
            self._workspace.messages.said.emit(text)
            return False
        self.go(place + by)
        return True

    def go(self, place: int) -> None:
        """Apply the entry of a place, with its cross-fade."""
        entry = self._entries[place]
        self.place = place
        self._opening.load_preset(known_preset(entry.look) or Path(entry.look), entry.fade_s)
        self.changed.emit()

    def _watch(self) -> None:
        settings = self._settings
        self._controllers.watched = frozenset({settings.set_list_next, settings.set_list_previous}) - {""}

    def _on_pressed(self, address: str) -> None:
        if address == self._settings.set_list_next:
            self.step(1)
        elif address == self._settings.set_list_previous:
            self.step(-1)

    # -- the entries -----------------------------------------------------------------------------------------

    @property
    def can_add(self) -> bool:
        """True if the chain began with a look that is in a file, and there is space for it."""
        look = self._workspace.edits.history.look
        count = len(self._entries) + len(self._unreadable)
        return look is not None and bool(look.path) and count < MOST_ENTRIES

    def add(self) -> None:
        """Add the look that the chain began with at the end; without a place before, it is the place."""
        look = self._workspace.edits.history.look
        if look is None or not self.can_add:
            return
        path = Path(look.path)
        name = path.stem if path in bundled_presets() else str(path)
        entry = SetListEntry(name, translated(look.title), self._workspace.settings.look_fade)
        self._store((*self._entries, entry), len(self._entries) if self.place is None else self.place)

    def remove(self, place: int) -> None:
        """Remove an entry."""
        entries = [*self._entries[:place], *self._entries[place + 1 :]]
        now = self.place
        if now is not None and now >= place:
            now = now - 1 if now > 0 else None
        self._store(entries, now)

    def move(self, place: int, to: int) -> None:
        """Move an entry to another place."""
        entries = list(self._entries)
        current = entries[self.place] if self.place is not None else None
        entries.insert(to, entries.pop(place))
        found = next((index for index, entry in enumerate(entries) if entry is current), None)
        self._store(entries, found)

    def set_fade(self, place: int, seconds: float) -> None:
        """Set the cross-fade to an entry."""
        entries = list(self._entries)
        entries[place] = replace(entries[place], fade_s=seconds)
        self._store(entries, self.place)
