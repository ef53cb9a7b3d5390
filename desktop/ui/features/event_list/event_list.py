"""The window's last events: their thumbnails, and clips of the seconds before and after."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import ExportError, LightloomError
from desktop.base.files import exists, home_expanded, reason, replace_file
from desktop.base.paths import user_cache_folder
from desktop.base.wording import sentence
from desktop.ui.features.event_list.clip_folder import ClipFolder
from desktop.ui.features.event_list.settings import EventListSettings
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.features.zones.zones import Zones
from desktop.ui.kit.messages import NoticeButton
from desktop.ui.workspace.capture import fetch, free_path
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.tracking.events import ActionSpec

if TYPE_CHECKING:
    # Imports that the first frame does not need.
    from desktop.outputs.events.event_log import LoggedEvent

MOST_EVENTS: Final = 500
MOST_CLIPS: Final = 50
MOST_CLIP_BYTES: Final = 1 << 30
THUMBNAIL_SIDE: Final = 160
THUMBNAIL_BYTES: Final = 8 << 10
# Each is a frame in full resolution until it is small.
_MOST_PENDING: Final = 2
_THUMBNAIL_EVERY_S: Final = 0.25
# Of a file's newest events: each is a PNG in full resolution.
_MOST_SNAPSHOTS: Final = 100
_PIECE: Final = 1 << 20
_FOLDER: Final = "event-clips"
_CLEARED: Final = "cleared events"


@dataclass(frozen=True)
class Entry:
    """An event of the list.

    Attributes:
        opened: name by which its source was opened; '' for an event of a file.
        is_live: its source has no earlier frames to seek to.
        thumbnail: JPEG, b'' for none.
    """

    number: int
    event: LoggedEvent
    opened: str = ""
    is_live: bool = False
    thumbnail: bytes = b""


class EventList(QObject):
    """The last `MOST_EVENTS` events, newest first.

    Signals:
        changed: entries were added, replaced or removed.
        clip_opened: an entry whose clip is a file to be shown.
    """

    changed = Signal()
    clip_opened = Signal(object)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._playback = workspace, workspace.playback
        self._zones, self._exports = workspace.get(Zones), workspace.get(Exports)
        self._overlay, self._messages = workspace.get(SavedOverlay), workspace.messages
        self._settings = EventListSettings(workspace.settings)
        self._entries: deque[Entry] = deque(maxlen=MOST_EVENTS)
        self._next = self._pending = 0
        self._thumbnail_at = 0.0
        self._folder: ClipFolder | None = None
        self._seek_to: tuple[str, float] | None = None
        self._zones.logged.connect(self._add)
        self._playback.changed.connect(self._follow_source)
        self._playback.opened.connect(self._on_opened)
        workspace.settings.follow(self._follow_source, EventListSettings.keep_event_clips)
        self._follow_source()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries, newest first."""
        return tuple(self._entries)

    @property
    def events_file(self) -> Path | None:
        """File to which an event of the setup writes JSON lines, None for none."""
        paths = (
            home_expanded(str(action.values["path"]))
            for event in self._zones.scene.events
            for action in event.actions
            if action.kind == "jsonl" and action.values.get("path")
        )
        return next(paths, None)

    def clear(self) -> None:
        """Remove all entries; a notice offers to restore them."""
        cleared = tuple(self._entries)
        self._entries.clear()
        self.changed.emit()
        self._messages.settled.emit(_CLEARED)
        if cleared:
            button = NoticeButton(self.tr("Bring them back"), lambda: self._restore(cleared))
            text = self.tr("%n events were removed from the list.", "", len(cleared))
            self._messages.post("info", text, about=_CLEARED, buttons=(button,))

    def _restore(self, cleared: Sequence[Entry]) -> None:
        """Restore entries, unless their events were opened from a file since."""
        self._merge(self._not_listed(cleared))
        self.changed.emit()

    # -- new events ------------------------------------------------------------------------------------------

    def _add(self, events: Sequence[LoggedEvent]) -> None:
        info = self._playback.info
        is_live = info is None or info.live
        numbers = []
        for event in events:
            self._entries.appendleft(Entry(self._next, event, self._playback.name, is_live))
            numbers.append(self._next)
            self._next += 1
        self._request_thumbnail(numbers)
        self._limit_clips()
        self.changed.emit()

    def _request_thumbnail(self, numbers: Sequence[int]) -> None:
        """Fetch the frame shown for these entries, unless others came just before."""
        if self._pending >= _MOST_PENDING or time.monotonic() < self._thumbnail_at:
            return
        try:
            picture = fetch(self._workspace.engine, self._overlay.over())
        except LightloomError:
            return  # the entries have none; there is no frame to show
        self._pending += 1
        self._thumbnail_at = time.monotonic() + _THUMBNAIL_EVERY_S

        def work() -> bytes:
            from desktop.outputs.still import small_jpeg

            return small_jpeg(picture(), THUMBNAIL_SIDE, THUMBNAIL_BYTES)

        def done(thumbnail: bytes) -> None:
            self._pending -= 1
            self._set_thumbnails(dict.fromkeys(numbers, thumbnail))

        def failed(_: LightloomError) -> None:
            self._pending -= 1

        self._workspace.jobs.run(work, done, failed)

    def _set_thumbnails(self, thumbnails: dict[int, bytes]) -> None:
        for place, entry in enumerate(self._entries):
            if entry.number in thumbnails:
                self._entries[place] = replace(entry, thumbnail=thumbnails[entry.number])
        self.changed.emit()

    # -- events of a file ------------------------------------------------------------------------------------

    def open_file(self, path: Path) -> None:
        """Add the events of a file of JSON lines, and thumbnails of their snapshots."""
        from desktop.outputs.events.event_log import read_events

        def done(events: tuple[LoggedEvent, ...]) -> None:
            # The file may be the one that this window writes.
            added = self._not_listed(Entry(self._next + n, event) for n, event in enumerate(events))
            self._next += len(events)
            left_out = self._merge(added)
            self.changed.emit()
            if left_out:
                text = self.tr("The list shows the last {n} events; older ones are left out.")
                self._messages.post("warning", text.format(n=MOST_EVENTS), about="events")
            elif not added:
                self._messages.said.emit(self.tr("{0} has no further events").format(path.name))
            self._request_snapshots(added)

        self._workspace.jobs.run(lambda: read_events(path), done, self._report)

    def _not_listed(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return the entries whose events are not in the list."""
        known = {(entry.event.time, entry.event.occurrence.identity) for entry in self._entries}
        return [
            entry for entry in entries if (entry.event.time, entry.event.occurrence.identity) not in known
        ]

    def _merge(self, added: Sequence[Entry]) -> bool:
        """Put entries in their places by time; return whether older ones are left out."""
        every = sorted((*self._entries, *added), key=lambda entry: entry.event.time, reverse=True)
        self._entries = deque(every[:MOST_EVENTS], MOST_EVENTS)
        return len(every) > MOST_EVENTS

    def _request_snapshots(self, entries: Sequence[Entry]) -> None:
        paths = {
            e.number: e.event.snapshot for e in entries[:_MOST_SNAPSHOTS] if e.event.snapshot is not None
        }

        def work() -> dict[int, bytes]:
            from desktop.outputs.events.event_log import snapshot_thumbnail

            return {
                number: snapshot_thumbnail(path, THUMBNAIL_SIDE, THUMBNAIL_BYTES)
                for number, path in paths.items()
            }

        self._workspace.jobs.run(work, self._set_thumbnails, self._report)

    def _report(self, error: LightloomError) -> None:
        self._messages.post("error", str(error), about="events")

    # -- clips -----------------------------------------------------------------------------------------------

    @property
    def stores_clips(self) -> bool:
        """True if clips of live sources are kept."""
        return bool(self._settings.keep_event_clips)

    def toggle_clips(self) -> None:
        """Keep clips of the events of live sources, or stop."""
        self._settings.keep_event_clips = not self.stores_clips

    def _follow_source(self, _: object = None) -> None:
        info = self._playback.info
        keeps = self.stores_clips and info is not None and info.live
        self._zones.store_clips(self._clip_action() if keeps else None)
        self.changed.emit()

    def _clip_action(self) -> ActionSpec | None:
        from desktop.outputs.events import event_actions

        if self._folder is None:
            try:
                self._folder = ClipFolder(user_cache_folder() / _FOLDER)
            except OSError as error:
                text = self.tr("Clips cannot be kept: {0}. Free some disk space or check the permissions.")
                self._messages.post("error", text.format(reason(error)), about="events")
                return None
        before, after = self._settings.event_clip_before, self._settings.event_clip_after
        values = {"folder": str(self._folder.path), "before": before, "after": after}
        return ActionSpec("clip", event_actions()["clip"].checked(values))

    def _limit_clips(self) -> None:
        """Delete the oldest kept clips beyond the limits; of a clip that is written nothing is deleted."""
        if self._folder is None:
            return
        files = []
        for path in self._folder.path.glob("*.mp4"):
            with contextlib.suppress(OSError):
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
        total = 0
        for place, (_, size, path) in enumerate(sorted(files, reverse=True)):
            total += size
            if place >= MOST_CLIPS or total > MOST_CLIP_BYTES:
                # On Windows it may be open, such as in the player; the next event tries again.
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)

    def reason_against(self, entry: Entry) -> str:
        """Return why an event cannot be played or saved, with advice; '' if it can."""
        clip = entry.event.clip
        if self._is_open(entry) or (entry.opened and not entry.is_live):
            return ""
        if clip is not None:
            return "" if exists(clip) else self.tr("Its clip is not written yet, or was deleted.")
        if entry.is_live:
            return self.tr("There is no clip of it. Keep clips, with the round button, for later events.")
        return self.tr("Open {0} to play it.").format(entry.event.source)

    def _is_open(self, entry: Entry) -> bool:
        """Return whether the open source can be sought to an event."""
        info = self._playback.info
        if info is None or info.live or self._playback.seekable is None:
            return False
        return entry.opened == self._playback.name if entry.opened else entry.event.source == info.title

    def play(self, entry: Entry) -> None:
        """Play an event: from the seconds before it in its video, or its clip."""
        begin = max(0.0, entry.event.occurrence.pts - self._settings.event_clip_before)
        if refusal := self.reason_against(entry):
            self._messages.said.emit(refusal)
        elif self._is_open(entry):
            self._playback.seek(begin)
            if not self._playback.is_playing:
                self._playback.toggle()
        elif entry.event.clip is not None and exists(entry.event.clip):
            self.clip_opened.emit(entry)
        else:
            self._seek_to = (entry.opened, begin)
            self._playback.open(entry.opened)

    def _on_opened(self, name: str) -> None:
        wanted, self._seek_to = self._seek_to, None
        if wanted is not None and wanted[0] == name:
            self._playback.seek(wanted[1])

    def save(self, entry: Entry) -> None:
        """Save an event's clip to the folder of snapshots: a copy of the file, or an export of the video."""
        if refusal := self.reason_against(entry):
            self._messages.said.emit(refusal)
        elif entry.event.clip is not None and exists(entry.event.clip):
            self._copy(entry.event.clip, self._free_path(entry))
        elif self._is_open(entry):
            self._export(entry)
        else:
            text = self.tr("Open {0} to save a clip of it: Enter plays the event.")
            self._messages.said.emit(text.format(entry.event.source))

    def _free_path(self, entry: Entry) -> Path:
        from desktop.outputs.events.event_log import clip_stem

        folder = self._workspace.settings.snapshots_go_to
        return free_path(folder, clip_stem(entry.event), ".mp4", self._exports.in_use)

    def _export(self, entry: Entry) -> None:
        from desktop.outputs.encoding import Encoding
        from desktop.outputs.span import TimeSpan

        at = entry.event.occurrence.pts
        begin = max(0.0, at - self._settings.event_clip_before)
        span = TimeSpan(begin, at + self._settings.event_clip_after)
        self._exports.add(
            self._free_path(entry), Encoding(), span, overlay=self._workspace.settings.saves_overlay
        )
        self._messages.said.emit(self.tr("The clip is in the queue of exports"))

    def _copy(self, clip: Path, target: Path) -> None:
        def failure(error: OSError) -> ExportError:
            return ExportError(
                sentence(
                    "The clip {path} cannot be written: {reason}; free some disk space or check the folder.",
                    path=target,
                    reason=reason(error),
                )
            )

        # Before its turn comes `close` may have deleted the clip, which then lasts for as long as it is open.
        try:
            stream = clip.open("rb")
        except OSError as error:
            self._report(failure(error))
            return

        def work() -> None:
            try:
                with stream:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    replace_file(target, iter(lambda: stream.read(_PIECE), b""))
            except OSError as error:
                raise failure(error) from error

        def done(_: None) -> None:
            self._messages.post("info", self.tr("Clip saved as {0}").format(target), str(target))

        self._workspace.jobs.run(work, done, self._report, saves=True)

    def close(self) -> None:
        """Delete the clips that were kept."""
        if self._folder is not None:
            self._folder.close()
