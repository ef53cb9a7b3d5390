"""Play a list: open its entries in turn, skip those that do not open, and save the list."""

from __future__ import annotations

import contextlib
import logging
import random
import shutil
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop.base.errors import LightloomError, OutputError
from desktop.base.files import exists, reason, replace_file
from desktop.base.wording import joined, plural, sentence
from desktop.media.playlist import LOOPS, Entry, Loop, Playlist
from desktop.media.playlist_file import (
    ListRead,
    count_shared,
    entry_lines,
    playlist_bytes,
    read_playlist,
    write_playlist,
)
from desktop.media.sources.base import Source
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.playback import Playback

log = logging.getLogger(__name__)

# A user who holds a key moves through a list quicker than files can be opened: only the last one is.
_SETTLED_MS: Final = 150
_SAVE_MS: Final = 2000
_STEPS_BACK: Final = 20
_ABOUT: Final = "the last playlist"
_UNSAVED: Final = "saving the playlist"


def _opener(entry: Entry, seconds: float, *, held: bool) -> Callable[[], Source]:
    """Return an entry's opener; an image ends after some seconds, or stays if images are `held`."""

    def opened() -> Source:
        from desktop.media.sources.opening import open_source

        source = open_source(entry.spec, image_seconds=seconds)
        if source.info.kind != "image":
            return source
        from desktop.media.sources.slide import SlideSource

        slide = SlideSource(Path(entry.spec), seconds)
        if held:
            slide.pause()
        return slide

    return opened


@dataclass(frozen=True)
class _Saved:
    """A list that was saved for the next start.

    Attributes:
        number: the saves of a player count from 1.
        place: place of the current entry among those that are stored.
        left_out: number of entries that are not stored.
    """

    number: int
    place: int
    left_out: int


def _save_entries(path: Path, entries: tuple[Entry, ...], current: int, number: int) -> _Saved:
    """Save entries of which the one at `current` is in turn, without addresses that contain passwords."""
    lines = entry_lines(path.absolute().parent, entries, secrets=False)
    left_out = lines.count(None)
    if left_out < len(lines):
        try:
            replace_file(path, [playlist_bytes(lines)])
        except OSError as error:
            raise OutputError(
                sentence(
                    "The playlist cannot be kept for the next start: {reason}; free some disk space, or check the "
                    "permissions of {folder}.",
                    reason=reason(error),
                    folder=path.parent,
                )
            ) from error
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
    before = lines[: max(0, current)]
    return _Saved(number, len(before) - before.count(None), left_out)


def _copy_unread(path: Path) -> str:
    """Keep a list of which something could not be read, as the next save replaces it; return a sentence about it."""
    kept = path.with_name(f"{path.name}.broken")
    try:
        try:
            shutil.copyfile(path, kept)
        except OSError:
            path.replace(kept)  # which a file that may not be read allows
    except OSError as error:
        log.warning("%s is not kept: %s", path, error)
        return ""
    return sentence("A copy of the list is {kept}.", kept=kept)


class PlaylistPlayer(QObject):
    """The window's list and its playback; signal `filled`: several files became the list."""

    changed = Signal()
    filled = Signal()

    def __init__(
        self, jobs: Jobs, messages: Messages, playback: Playback, settings: Settings, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._jobs, self._messages = jobs, messages
        # The window's playback, and the one that plays the list, which may be an inactive tile's.
        self._in_use = self._playback = playback
        self._settings = settings
        self._list = Playlist(loop=self._stored_loop(), seed=self._new_seed() if settings.shuffles else None)
        self._past: deque[Playlist] = deque(maxlen=_STEPS_BACK)
        # The requested entry and the one being opened; they differ while a user steps faster than files open.
        self._requested: int | None = None
        self._opening: int | None = None
        self._shown: int | None = None
        # Name of the playing entry, even if removed from the list; '' for none.
        self._played = ""
        self._direction = 1
        self._touched = False
        self._settle = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._settle.timeout.connect(self._open)
        self._save_later = QTimer(self, singleShot=True, interval=_SAVE_MS)
        self._save_later.timeout.connect(self._save)
        # Numbers of the last save that began and of the last that succeeded; a job may be overtaken on its way.
        self._begun = self._saved = 0
        self._written, self._writing = 0, threading.Lock()
        self._reported_unsaved = ""
        self._end_following = settings.follow(self._follow_order, Settings.shuffles, Settings.playlist_loop)
        self._listen()

    def _listen(self) -> None:
        playback = self._playback
        playback.opened.connect(self._on_opened)
        playback.refused.connect(self._on_refused)
        playback.canceled.connect(self._on_canceled)
        playback.changed.connect(self._on_changed)
        # Queued: emitted while a frame is requested.
        playback.ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    def _play_in(self, playback: Playback) -> None:
        before, self._playback = self._playback, playback
        if before is not playback:
            before.opened.disconnect(self._on_opened)
            before.refused.disconnect(self._on_refused)
            before.canceled.disconnect(self._on_canceled)
            before.changed.disconnect(self._on_changed)
            before.ended.disconnect(self._on_ended)
            self._listen()

    def _stored_loop(self) -> Loop:
        return next(loop for loop in LOOPS if loop == self._settings.playlist_loop)

    @staticmethod
    def _new_seed() -> int:
        return random.randrange(1 << 31)

    # -- what there is ---------------------------------------------------------------------------------------

    @property
    def list(self) -> Playlist:
        """The list."""
        return self._list

    @property
    def shown(self) -> int | None:
        """Id of the entry shown; None if the source is not of the list."""
        return self._shown

    @property
    def place(self) -> tuple[int, int] | None:
        """Position in the list and its length, such as (3, 178); None if inactive or for one entry."""
        if self._playback is not self._in_use:
            return None
        at = self._list.place(self._shown)
        return (at + 1, len(self._list)) if at >= 0 and len(self._list) > 1 else None

    @property
    def can_undo(self) -> bool:
        """True if there is a list before the last change."""
        return bool(self._past)

    # -- changing the list -----------------------------------------------------------------------------------

    def play(self, new: Iterable[Entry | str]) -> None:
        """Replace the list and play its first entry; `undo` restores the previous list."""
        empty = Playlist(loop=self._list.loop, next_id=self._list.next_id)

        def filled() -> Playlist:
            entries = empty.added(new)
            return entries if self._list.seed is None else entries.shuffled(self._new_seed())

        if self._edit(filled):
            self._come_here()
            self._go(self._list.step(1), 1)
            if len(self._list) > 1:
                self.filled.emit()

    def add(self, new: Iterable[Entry | str], at: int | None = None) -> None:
        """Insert entries at a position, by default the end, without interrupting playback."""
        self._edit(lambda: self._list.added(new, at))

    def remove(self, ids: Collection[int]) -> None:
        """Remove entries. One that is shown stays until something else is played."""
        self._edit(lambda: self._list.removed(ids))

    def move(self, ids: Collection[int], to: int) -> None:
        """Move entries to a position."""
        self._edit(lambda: self._list.moved(ids, to))

    def clear(self) -> None:
        """Remove all entries."""
        self.remove([entry.id for entry in self._list.entries])

    def undo(self) -> None:
        """Restore the list before the last change, without interrupting playback."""
        if self._past:
            before = self._past.pop()
            current = self._shown if before.place(self._shown) >= 0 else before.current
            now = self._list
            restored = replace(before, loop=now.loop, next_id=now.next_id, current=current)
            # Shuffling is a setting, which may have changed since; undo restores only the entries.
            if (restored.seed is None) != (now.seed is None):
                restored = restored.shuffled(now.seed)
            self._set(restored)

    def _edit(self, change: Callable[[], Playlist]) -> bool:
        try:
            edited = change()
        except LightloomError as error:
            self._messages.post("error", str(error))
            return False
        if edited.entries != self._list.entries:
            self._past.append(self._list)
            self._set(edited)
        return True

    def _set(self, new: Playlist) -> None:
        self._list = new
        self._touched = True
        if new.place(self._shown) < 0:
            self._shown = None
        self._save_later.start()
        self.changed.emit()

    def toggle_shuffle(self) -> None:
        """Play in an order of chance, or in that of the list."""
        self._settings.shuffles = self._list.seed is None

    def next_loop(self) -> Loop:
        """Go from no loop to that over the list, to that over each entry, to none; return which it is now."""
        loop = LOOPS[(LOOPS.index(self._list.loop) + 1) % len(LOOPS)]
        self._settings.playlist_loop = loop
        return loop

    def _follow_order(self) -> None:
        shuffles, loop = self._settings.shuffles, self._stored_loop()
        if shuffles != (self._list.seed is not None):
            self._set(self._list.shuffled(self._new_seed() if shuffles else None))
        if loop != self._list.loop:
            self._set(self._list.looping(loop))

    # -- playing it ------------------------------------------------------------------------------------------

    def choose(self, entry_id: int) -> None:
        """Play an entry, also one that could not be opened before."""
        if self._list.place(entry_id) >= 0:
            self._come_here()
            self._go(self._list.chosen(entry_id), 0)

    def step(self, direction: int) -> bool:
        """Play the next (1) or previous (-1) entry; False if there is none."""
        to = self._list.step(direction)
        if to is not None:
            self._come_here()
        return self._go(to, direction)

    # -- in a grid -------------------------------------------------------------------------------------------

    def exchanged(self, other: Playback) -> None:
        """Follow the list's source to the other playback when a tile activation exchanges sources."""
        if self._playback is other:
            self._play_in(self._in_use)
        elif self._playback is self._in_use and (self._requested is not None or self._plays):
            self._play_in(other)

    def left(self, playback: Playback) -> None:
        """A tile is closed; if the list plays there, it ends."""
        if self._playback is playback:
            self._come_here()

    def _come_here(self) -> None:
        """Play in the active tile from now on; a source in another one plays to its end."""
        if self._playback is not self._in_use:
            self._settle.stop()
            self._requested, self._opening, self._shown, self._played = None, None, None, ""
            self._play_in(self._in_use)
            self.changed.emit()

    @property
    def _plays(self) -> bool:
        return self._playback.source is not None and self._playback.name == self._played

    def _go(self, to: Playlist | None, direction: int) -> bool:
        if to is None:
            return False
        self._direction = direction
        self._requested = to.current
        self._set(to)
        if self._playback.is_opening:
            self._settle.start()
        else:
            self._open()
        return True

    def _open(self) -> None:
        self._settle.stop()
        entry = self._list.entry(self._requested)
        if entry is None:
            return
        seekable, info = self._playback.seekable, self._playback.info
        self._opening = entry.id
        held = info is not None and info.kind == "image" and seekable is not None and not seekable.playing
        self._playback.open_with(entry.spec, _opener(entry, self._settings.picture_seconds, held=held))

    def _on_opened(self, name: str) -> None:
        opening = self._list.entry(self._opening)
        self._opening = None
        steps_on = self._settle.isActive()
        if not steps_on:
            self._requested = None
        # A source opened on its own is not an entry, even if listed: the list would continue at its end.
        found = opening if opening is not None and opening.spec == name else None
        self._shown = found.id if found is not None else None
        self._played = name if found is not None else ""
        info = self._playback.info
        if found is None or info is None:
            self.changed.emit()
            return
        if len(self._list) > 1 and info.kind in ("folder", "sample"):
            # By themselves they begin again and again.
            self._playback.play_once()
        known = self._list if steps_on else self._list.at(found.id)
        self._set(known.lasting(found.id, info.duration) if info.kind == "video" else known)

    def learn_length(self, spec: str, seconds: float) -> None:
        """Set a file's duration in its entries if unknown."""
        known = self._list
        for entry in known.entries:
            if entry.spec == spec and not entry.seconds:
                known = known.lasting(entry.id, seconds)
        if known.entries != self._list.entries:
            self._list = known
            self.changed.emit()

    def _find(self, spec: str) -> Entry | None:
        return next((entry for entry in self._list.entries if entry.spec == spec), None)

    def _on_refused(self, name: str, why: str) -> None:
        entry = self._list.entry(self._requested)
        if entry is None and name == self._playback.name:
            # The source broke off during playback.
            entry, self._direction = self._list.entry(self._shown), 1
        if entry is None or entry.spec != name:
            return
        self._requested = None
        self._set(self._list.marked_broken(entry.id, why))
        if self._direction:
            self._go(self._list.step(self._direction), self._direction)

    def _on_canceled(self) -> None:
        """The entry shown is the current one again."""
        self._settle.stop()
        self._requested = self._opening = None
        if self._shown is not None:
            self._set(self._list.at(self._shown))

    def _on_changed(self) -> None:
        plays = self._plays
        entry = self._find(self._played) if plays and self._shown is None else self._list.entry(self._shown)
        shown = entry.id if plays and entry is not None else None
        if shown != self._shown:
            self._shown = shown
            self.changed.emit()

    def _on_ended(self) -> None:
        source = self._playback.source
        over = source is not None and source.state == "ended"
        if not over or self._playback.is_opening or self._requested is not None:
            return
        elsewhere = self._shown is not None and self._shown != self._list.current
        if self._playback.name != self._played or elsewhere:
            return
        to = self._list.after_end()
        if to is not None and self._shown is not None and to.current == self._shown:
            self._set(to)
            self._playback.toggle()
        else:
            self._go(to, 1)

    # -- files -----------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the list to a file for other programs."""
        entries = self._list.entries

        def on_saved(left_out: int) -> None:
            self._messages.post("info", self.tr("Playlist saved as {0}").format(path), str(path))
            if left_out:
                text = plural(
                    left_out,
                    "%n entry of the playlist is left out: a camera, or a name that the file cannot hold.",
                    "%n entries of the playlist are left out: cameras, or names that the file cannot hold.",
                )
                self._messages.post("warning", text)
            if count := count_shared(path, entries):
                text = plural(
                    count,
                    "%n file of the playlist is on another machine: Lightloom leaves it out when it opens the saved list.",
                    "%n files of the playlist are on another machine: Lightloom leaves them out when it opens the saved "
                    "list.",
                )
                self._messages.post("warning", text)

        self._jobs.run(
            lambda: write_playlist(path, entries),
            on_saved,
            lambda error: self._messages.post("error", str(error)),
            saves=True,
        )

    def report_skipped(self, name: str, read: ListRead, kept: str = "") -> None:
        """Report what was skipped in a list, with a sentence on where a copy of it is kept."""
        if text := read.note(name):
            self._messages.post("warning", joined(" ", [text, kept]) if kept else text)

    @property
    def _playlist_file(self) -> Path:
        return self._settings.path.with_name("playlist.m3u8")

    def restore(self) -> None:
        """Restore the last session's list, unless one exists; open none of it."""

        path = self._playlist_file

        def read_list() -> tuple[ListRead, str]:
            try:
                read = read_playlist(path, is_own=True)
            except LightloomError as error:
                raise LightloomError(
                    joined(" ", [str(error), *filter(None, [_copy_unread(path)])])
                ) from error
            return read, _copy_unread(path) if read.left_out else ""

        def taken(found: tuple[ListRead, str]) -> None:
            read, kept = found
            self.report_skipped(path.name, read, kept)
            if not self._touched:
                self._list = self._list.added(read.entries)
                at = int(self._settings.playlist_place)
                if 0 <= at < len(self._list):
                    self._list = self._list.chosen(self._list.entries[at].id)
                self.changed.emit()

        def failed(error: LightloomError) -> None:
            self._messages.post("warning", str(error), about=_ABOUT)

        if left_out := int(self._settings.playlist_left_out):
            self._settings.playlist_left_out = 0
            text = plural(
                left_out,
                "%n entry of the last playlist is missing because it cannot be stored: a camera, the sample, an address "
                "with a password, or an unusual file name; add it again.",
                "%n entries of the last playlist are missing because they cannot be stored: cameras, the sample, addresses "
                "with a password, or unusual file names; add them again.",
            )
            self._messages.post("hint", text, about=_ABOUT)
        if exists(path):
            self._jobs.run(read_list, taken, failed)

    def _save(self) -> None:
        """Save the list for the next start."""
        self._jobs.run(self._begin_save(), self._on_saved, self._report_unsaved, saves=True)

    def _begin_save(self) -> Callable[[], _Saved | None]:
        """Return what saves the list as it is now, on any thread, unless a later list has been saved."""
        self._save_later.stop()
        self._begun += 1
        path, entries, number = self._playlist_file, self._list.entries, self._begun
        current = self._list.place(self._list.current)

        def save() -> _Saved | None:
            with self._writing:
                if number < self._written:
                    return None
                saved = _save_entries(path, entries, current, number)
                self._written = number
                return saved

        return save

    def _on_saved(self, saved: _Saved | None) -> None:
        if saved is None or saved.number < self._saved:
            return
        self._saved = saved.number
        self._settings.playlist_place = saved.place
        self._settings.playlist_left_out = saved.left_out
        if self._reported_unsaved:
            self._reported_unsaved = ""
            self._messages.settled.emit(_UNSAVED)

    def _report_unsaved(self, error: LightloomError) -> None:
        # It is saved after each change.
        if str(error) != self._reported_unsaved:
            self._reported_unsaved = str(error)
            self._messages.post("warning", str(error), about=_UNSAVED)

    def close(self) -> None:
        """Keep the list, and follow nothing any more."""
        self._end_following()
        self.save_now()

    def save_now(self) -> None:
        """Save the list now, unless the last change is saved already."""
        if self._save_later.isActive() or self._saved < self._begun:
            try:
                self._on_saved(self._begin_save()())
            except LightloomError as error:
                self._report_unsaved(error)
