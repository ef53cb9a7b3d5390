"""Subtitles of the source: visibility (a setting), selected track, and added subtitle files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.base.wording import Text
from desktop.media.sources.base import SourceSubtitles
from desktop.media.subtitles.tracks import forced_track, usual_track
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.playback import Playback

if TYPE_CHECKING:
    from desktop.media.subtitles.cues import Cue


class Subtitles(QObject):
    """Chooses among the source's tracks; `changed`: another track is in use, or more of it is known.

    A file starts with its forced track or none; once the user has switched subtitles on, with its default
    track.
    """

    changed = Signal()

    def __init__(self, settings: Settings, messages: Messages, playback: Playback, parent: QObject) -> None:
        super().__init__(parent)
        self._settings, self._messages, self._playback = settings, messages, playback
        # The reader's thread sends them.
        self._known = ThreadSignal(self._on_known)
        self._failed = ThreadSignal(self._on_failure)
        self._noted = ThreadSignal(self._on_note)
        playback.greets.append(self._begin)

    # -- what plays ------------------------------------------------------------------------------------------

    @property
    def of_source(self) -> SourceSubtitles | None:
        """The subtitles of the source in use; None for one that can have none."""
        source = self._playback.source
        return source.capabilities.subtitles if source is not None else None

    @property
    def are_shown(self) -> bool:
        """True if a track is chosen."""
        found = self.of_source
        return found is not None and found.track is not None

    def at(self, seconds: float) -> tuple[Cue, ...]:
        """Return the cues at a time."""
        return self.of(self._playback, seconds)

    @staticmethod
    def of(playback: Playback, seconds: float) -> tuple[Cue, ...]:
        """Return the same for another playback."""
        found = playback.source.capabilities.subtitles if playback.source is not None else None
        return found.at(seconds) if found is not None else ()

    @property
    def chosen(self) -> str:
        """The shown track as `lightloom process --subtitles` takes it; '' for none."""
        found = self.of_source
        if found is None or found.track is None:
            return ""
        track = found.tracks[found.track]
        # Whole: an export runs in a folder of its own.
        return str(track.file.absolute()) if track.file is not None else str(track.index + 1)

    def _begin(self, playback: Playback) -> None:
        """Set up a newly opened source, in the active or another tile."""
        waiting = list(playback.along)
        playback.along.clear()
        source = playback.source
        found = source.capabilities.subtitles if source is not None else None
        if found is None:
            for path in waiting:
                self._report_missing_video(path)
            return
        found.on_change = self._known.send
        found.on_failure = self._failed.send
        found.on_note = self._noted.send
        for path in waiting:
            self._show(found, found.add_file(path))
        if waiting:
            return
        place = usual_track(found.tracks) if self._settings.shows_subtitles else forced_track(found.tracks)
        found.use_track(place)
        self.changed.emit()

    def _on_known(self) -> None:
        self.changed.emit()

    def _on_failure(self, error: LightloomError) -> None:
        self._messages.post("error", str(error), about="subtitles")

    def _on_note(self, text: Text) -> None:
        self._messages.post("info", text, about="subtitles")

    # -- what the user does ----------------------------------------------------------------------------------

    def toggle(self) -> str:
        """Toggle between the default track and none; return a word about the result."""
        found = self.of_source
        if found is None or not found.tracks:
            return self.tr("There are no subtitles here; drop a .srt file on the window")
        if found.track is not None:
            self.use(None)
            return self.tr("Subtitles off")
        place = usual_track(found.tracks)
        if place is None:
            return self.tr("The subtitles of this file cannot be shown")
        self.use(place)
        return self.tr("Subtitles: {0}").format(found.tracks[place].name)

    def use(self, place: int | None) -> None:
        """Show a track by its place, or none; files that are opened later begin so too."""
        found = self.of_source
        if found is not None:
            self._settings.shows_subtitles = place is not None
            self._show(found, place)

    def _show(self, found: SourceSubtitles, place: int | None) -> None:
        found.use_track(place)
        self._messages.settled.emit("subtitles")
        self.changed.emit()

    def add_file(self, path: Path) -> None:
        """Show a subtitle file over the source in use or being opened."""
        source, found = self._playback.source, self.of_source
        if self._playback.is_opening or (source is not None and source.state in ("idle", "opening")):
            self._playback.along.append(path)
        elif found is None:
            self._report_missing_video(path)
        else:
            self._show(found, found.add_file(path))

    def _report_missing_video(self, path: Path) -> None:
        text = self.tr("{0} has subtitles; open the video first that they are for.").format(path.name)
        self._messages.post("warning", text, about="subtitles")
