"""Stabilization of live sources in the window: gives sources what the preference says."""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop.base.wording import sentence
from desktop.media.sources.base import Source
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.playback import Playback


class LiveStabilizations(QObject):
    """Applies `Settings.stabilizes_live` to the sources in use."""

    def __init__(self, playback: Playback, settings: Settings, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._playback, self._settings, self._messages = playback, settings, messages
        self._unreadable = ThreadSignal(self._report)
        playback.prepares.append(self._give)
        # Those of a grid's other tiles follow when they are activated.
        playback.changed.connect(self._follow)
        self._end_following = settings.follow(self._follow, Settings.stabilizes_live)

    @property
    def is_offered(self) -> bool:
        """True for a live source."""
        source = self._playback.source
        return source is not None and source.capabilities.stabilization is not None

    @property
    def delay(self) -> float:
        """Seconds by which frames of the source in use are shown later."""
        source = self._playback.source
        used = source.capabilities.stabilization if source is not None else None
        return used.stabilization.delay if used is not None and used.stabilization is not None else 0.0

    def toggle(self) -> None:
        """Switch it on or off."""
        self._settings.stabilizes_live = not self._settings.stabilizes_live

    def _follow(self) -> None:
        if self._playback.source is not None:
            self._give(self._playback.source)

    def _give(self, source: Source) -> None:
        """Apply the preference to a source."""
        stabilizable = source.capabilities.stabilization
        if stabilizable is None or (stabilizable.stabilization is not None) == self._settings.stabilizes_live:
            return
        if not self._settings.stabilizes_live:
            stabilizable.stabilize_by(None)
            return
        # Without it, nothing of this is needed.
        from desktop.media.stabilization.live import LiveStabilizer

        title, send = source.info.title, self._unreadable.send
        stabilizable.stabilize_by(LiveStabilizer(on_unreadable=lambda error: send(title, str(error))))

    def _report(self, title: str, error: str) -> None:
        text = sentence("{title} is shown without stabilization. {error}", title=title, error=error)
        self._messages.post("warning", text, about="stabilization")

    def close(self) -> None:
        """Stop following the preference."""
        self._end_following()
