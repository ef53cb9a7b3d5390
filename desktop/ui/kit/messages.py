"""Messages of the window: notices over the frame, and short confirmations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QObject, Signal

from desktop.ui.kit.language import translated

log = logging.getLogger(__name__)

Level = Literal["info", "hint", "warning", "error"]


@dataclass(frozen=True)
class NoticeButton:
    """A button of a notice: its label and its action."""

    text: str
    act: Callable[[], object]


@dataclass(frozen=True)
class Notice:
    """A message for the user; an 'info' disappears by itself, others stay until they are dismissed.

    `of_source` marks a lost source, outdated once one plays; what `about` names removes the notice when it
    recovers (`Messages.settled`). Pressing one of `buttons` dismisses it. Full screen, where notices wait,
    shows an `urgent` one as a short message.
    """

    level: Level
    text: str
    path: str = ""
    of_source: bool = False
    about: str = field(default="", compare=False)
    buttons: tuple[NoticeButton, ...] = field(default=(), compare=False)
    urgent: bool = field(default=False, compare=False)


class Messages(QObject):
    """The channel by which all parts notify the user.

    `settled`: the subject of a notice (`about`) works again or no longer exists. `said`: a brief
    confirmation.
    """

    notice = Signal(object)
    settled = Signal(str)
    said = Signal(str)

    def post(
        self,
        level: Level,
        text: str,
        path: str = "",
        *,
        of_source: bool = False,
        about: str = "",
        buttons: tuple[NoticeButton, ...] = (),
        urgent: bool = False,
    ) -> None:
        """Show a sentence in the window's language and log it in English; see `Notice`."""
        log.log({"warning": logging.WARNING, "error": logging.ERROR}.get(level, logging.INFO), "%s", text)
        self.notice.emit(Notice(level, translated(text), path, of_source, about, buttons, urgent))


class Failures:
    """Reports each failure once and withdraws it on recovery."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._before: Mapping[str, str] = {}

    def update(self, failing: Mapping[str, str]) -> None:
        """Report new failures and new reasons; `failing` maps subjects to messages, '' if they work."""
        before, self._before = self._before, failing
        for about, text in before.items():
            if text and failing.get(about, "") != text:
                self._messages.settled.emit(about)
        for about, text in failing.items():
            if text and before.get(about, "") != text:
                self._messages.post("error", text, about=about)
