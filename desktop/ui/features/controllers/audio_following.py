"""Give each source pipeline the curves of its source's audio or of an audio input; say where there are none."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QObject

from desktop.base.wording import sentence
from desktop.media.audio.live_curves import LiveCurves
from desktop.media.sources.base import PlayedCurves, Source
from desktop.pipeline.engine import Engine
from desktop.pipeline.setup.automation import following_audio
from desktop.pipeline.source_pipeline import SourcePipeline
from desktop.ui.features.grid.grid import Grid
from desktop.ui.forms.offers import DEFAULT_INPUT
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import Messages, NoticeButton
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback

_ABOUT: Final = "automation/audio"
_OPEN: Final = "automation/audio-input"


class AudioFollowing(QObject):
    """Connects sources and source pipelines; the curves are computed once an automation or effect needs them.

    Attributes:
        input: the audio input of the settings, for sources without audio of their own; it is open only while
            something follows it.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        edits: Edits,
        messages: Messages,
        playback: Playback,
        grid: Grid,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._messages = engine, settings, messages
        self._playback, self._grid = playback, grid
        self._arrived = ThreadSignal(self._on_curves)
        self._heard = ThreadSignal(self._on_heard)
        # Keeps what is heard from filling the event queue.
        self._signalled = threading.Event()
        self.input = LiveCurves()
        self.input.on_change = self._signal
        self._reported: tuple[Source, str] | None = None
        for signal in (playback.changed, grid.changed, grid.used, edits.setup_changed):
            signal.connect(self._connect)
        settings.follow(self._connect, Settings.audio_input)

    def _pairs(self) -> Iterator[tuple[SourcePipeline, Source | None]]:
        tiles = tuple(self._grid.tiles)
        for tile in tiles:
            yield tile.source_pipeline, tile.playback.source
        if not tiles:
            yield self._engine.current, self._playback.source

    def _connect(self) -> None:
        needs_input = False
        for source_pipeline, source in self._pairs():
            curves: PlayedCurves | None = source.capabilities.curves if source is not None else None
            if curves is not None:
                curves.on_change = self._arrived.send
            elif source is not None and self._settings.audio_input:
                curves = self.input
                needs_input |= bool(following_audio(source_pipeline.setup, self._engine.library))
            source_pipeline.curves = curves
        self._listen(self._settings.audio_input if needs_input else "")
        self._report_lack()

    def _listen(self, choice: str) -> None:
        """Open an audio input and say so, or close it ('')."""
        name = (choice.removeprefix("input:") if choice != DEFAULT_INPUT else "") if choice else None
        if name == self.input.name:
            return
        self._messages.settled.emit(_OPEN)
        if name is None:
            self.input.stop()
            return
        self.input.listen(name)
        self._messages.post(
            "hint",
            sentence("The audio input is open while an effect follows it."),
            about=_OPEN,
            buttons=(NoticeButton(self.tr("Turn off"), lambda: self._use_input("")),),
        )

    def _use_input(self, choice: str) -> None:
        self._settings.audio_input = choice

    def _signal(self) -> None:
        # On the input's thread.
        if not self._signalled.is_set():
            self._signalled.set()
            self._heard.send()

    def _on_heard(self) -> None:
        self._signalled.clear()
        if self.input.failure is not None:
            self._messages.settled.emit(_OPEN)
        self._on_curves()

    def _on_curves(self) -> None:
        self._report_lack()
        # A frame that stays is drawn again with them.
        self._playback.woken.emit()

    def _report_lack(self) -> None:
        """Say once for a source that an effect has nothing to follow."""
        source = self._playback.source
        name = following_audio(self._engine.current.setup, self._engine.library)
        why = self._lack(source) if name and source is not None else ""
        if source is None or not why:
            self._reported = None
            self._messages.settled.emit(_ABOUT)
        elif self._reported != (source, why):
            self._reported = (source, why)
            offers = source.capabilities.curves is None and not self._settings.audio_input
            use = NoticeButton(self.tr("Use the microphone"), lambda: self._use_input(DEFAULT_INPUT))
            self._messages.post("warning", why, about=_ABOUT, buttons=(use,) if offers else ())

    def _lack(self, source: Source) -> str:
        curves: PlayedCurves | None = source.capabilities.curves
        if curves is None and self._settings.audio_input:
            curves = self.input
        if curves is not None:
            return str(curves.failure) if curves.failure is not None else ""
        return sentence(
            "An effect follows the audio, which only a video file has; {title} is none. Choose an audio input for "
            "automations in the preferences.",
            title=source.info.title,
        )

    def close(self) -> None:
        """Let the input go."""
        self.input.on_change = lambda: None
        self.input.stop()
