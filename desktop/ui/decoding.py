"""Who decodes videos, kept in the settings; a decoder of the graphics card that fails is told."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.compute.media.sources.base import Decoded, Source
from desktop.ui.messages import Messages
from desktop.ui.playback import Playback
from desktop.ui.settings import Settings
from desktop.wording import Text

AUTO: Final = "auto"


class Decoding(QObject):
    """Tells each source before it starts.

    Signals:
        changed: another choice.
    """

    changed = Signal()

    _noticed = Signal(object)  # not str, which Qt would copy without what a `Text` is made of

    def __init__(self, settings: Settings, messages: Messages, playback: Playback, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._noticed.connect(lambda text: messages.tell("warning", text, about="decoding"))
        settings.follow(self.changed.emit, Settings.decoding)
        playback.prepares.append(self._prepare)

    @property
    def choice(self) -> str:
        """'auto', 'software', or a device as FFmpeg calls it."""
        return self._settings.decoding or AUTO

    def choose(self, choice: str) -> None:
        """Let another decoder read the videos that are opened from now on."""
        self._settings.decoding = "" if choice == AUTO else choice

    def for_thread(self) -> Callable[[Source], None]:
        """Return what tells a source of a thread's who decodes it, by the choice of now."""
        choice = self.choice

        def prepare(source: Source) -> None:
            if isinstance(source, Decoded):
                source.decode_by(choice)
                source.on_notice = self._on_notice

        return prepare

    def _prepare(self, source: Source) -> None:
        self.for_thread()(source)

    def _on_notice(self, text: Text) -> None:
        # Called on the source's thread.
        with contextlib.suppress(RuntimeError):  # the window is gone
            self._noticed.emit(text)
