"""Apply the video decoder chosen in the settings, and report a hardware decoder that fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.base.wording import Text
from desktop.media.sources.base import Source
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.playback import Playback

AUTO: Final = "auto"


class Decoding(QObject):
    """Sets the decoder of each source before it starts."""

    changed = Signal()

    _noticed = Signal(object)  # not str, which Qt would copy without what a `Text` is made of

    def __init__(self, settings: Settings, messages: Messages, playback: Playback, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._messages = messages
        self._notice = ThreadSignal(self._on_notice)
        settings.follow(self.changed.emit, Settings.decoding)
        playback.prepares.append(self._prepare)

    @property
    def choice(self) -> str:
        """The decoder: 'auto', 'software', or a device by FFmpeg's name."""
        return self._settings.decoding or AUTO

    def choose(self, choice: str) -> None:
        """Use another decoder for videos opened from now on."""
        self._settings.decoding = "" if choice == AUTO else choice

    def for_thread(self) -> Callable[[Source], None]:
        """Return a function that sets the current choice on a source, callable from any thread."""
        choice, notice = self.choice, self._notice

        def prepare(source: Source) -> None:
            decoding = source.capabilities.decoding
            if decoding is not None:
                decoding.decode_by(choice)
                decoding.on_notice = notice.send

        return prepare

    def _prepare(self, source: Source) -> None:
        self.for_thread()(source)

    def _on_notice(self, text: Text) -> None:
        self._messages.post("warning", text, about="decoding")
