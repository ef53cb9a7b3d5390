"""What the window says: sentences that float over the picture, and words about what was just done."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QObject, Signal

from desktop.ui.language import translated

log = logging.getLogger(__name__)

Level = Literal["info", "hint", "warning", "error"]


@dataclass(frozen=True)
class NoticeButton:
    """A button of a notice: what stands on it, and what it does."""

    text: str
    act: Callable[[], object]


@dataclass(frozen=True)
class Notice:
    """A sentence for the user; an 'info' goes by itself, a 'hint' and the others stay until they are dismissed.

    `path` is a file that it is about; `of_source` says that a source could not be opened or was lost, which is old news once one plays.
    `about` names what has failed, so that the sentence goes when that is mended (`Messages.settled`).
    `buttons` stand beside it; it goes with the first that is pressed.
    """

    level: Level
    text: str
    path: str = ""
    of_source: bool = False
    about: str = field(default="", compare=False)
    buttons: tuple[NoticeButton, ...] = field(default=(), compare=False)


class Messages(QObject):
    """Where all parts say what the user is to know.

    Signals:
        notice: something to tell.
        settled: what a notice was `about` works now, or is not there any more.
        said: a word about what was just done, shown for a moment.
    """

    notice = Signal(object)
    settled = Signal(str)
    said = Signal(str)

    def tell(
        self,
        level: Level,
        text: str,
        path: str = "",
        *,
        of_source: bool = False,
        about: str = "",
        buttons: tuple[NoticeButton, ...] = (),
    ) -> None:
        """Show a sentence in the window's language, and log it in English; see `Notice`."""
        log.log({"warning": logging.WARNING, "error": logging.ERROR}.get(level, logging.INFO), "%s", text)
        self.notice.emit(Notice(level, translated(text), path, of_source, about, buttons))


class Failures:
    """Tells of each thing that fails once, and takes it back when it is mended."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._before: Mapping[str, str] = {}

    def update(self, failing: Mapping[str, str]) -> None:
        """Take in what fails now: what -> sentence, '' for what is there and does not fail.

        Told is what did not fail before, or for another reason.
        """
        before, self._before = self._before, failing
        for about, text in before.items():
            if text and failing.get(about, "") != text:
                self._messages.settled.emit(about)
        for about, text in failing.items():
            if text and before.get(about, "") != text:
                self._messages.tell("error", text, about=about)
