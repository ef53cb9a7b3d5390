"""Update checks: weekly if the user allows it, or on request.

Failures of automatic checks are silent; those of requested checks are reported in one sentence.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

import desktop.base.version as build
from desktop.base.errors import LightloomError
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import NoticeButton
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    # The HTTP client takes 60 ms to import: only for a check.
    from desktop.net.updates import Channel, Look

log = logging.getLogger(__name__)

_WEEK_S: Final = 7 * 24 * 3600
_DAY_MS: Final = 24 * 3600 * 1000
_QUESTION: Final = "weekly updates"


def is_published() -> bool:
    """Whether this build names a site with published versions; without one there are no checks."""
    return bool(build.SITE)


class Updates(QObject):
    """Checks for newer versions."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._settings = workspace, workspace.settings
        self._busy = False
        self.channel: Channel | None = None
        self._settings.follow(self._on_answer, Settings.weekly_updates)
        # A window that stays open for weeks.
        self._daily = QTimer(self)
        self._daily.setInterval(_DAY_MS)
        self._daily.timeout.connect(self._look_if_due)

    def begin(self) -> None:
        """Check if that is allowed and due; ask for permission at the second start. Called once there is a
        frame.
        """
        self._daily.start()
        if is_published() and self._settings.weekly_updates is None and self._settings.started_before:
            self._ask()
        self._settings.started_before = True
        self._look_if_due()

    def check(self) -> None:
        """Check at the user's request, which permits this one check."""
        self._look(asked=True)

    def toggle_weekly(self) -> None:
        """Enable or disable the weekly check."""
        self._settings.weekly_updates = not self._settings.weekly_updates

    def _ask(self) -> None:
        """Ask in a notice: what plays goes on, and the keys stay the player's. Dismissed, it comes again at the next start."""
        text = self.tr(
            "May Lightloom check for a new version once a week? "
            "It asks {site} for a number. Nothing about you is sent, and nothing is downloaded or installed."
        )
        self._workspace.messages.tell(
            "hint",
            text.format(site=build.SITE.partition("//")[2]),
            about=_QUESTION,
            buttons=(
                NoticeButton(self.tr("Yes"), lambda: self._answer(True)),
                NoticeButton(self.tr("No"), lambda: self._answer(False)),
            ),
        )

    def _answer(self, allowed: bool) -> None:
        self._settings.weekly_updates = allowed

    def _on_answer(self) -> None:
        """By the notice, the menu or the page of preferences."""
        self._workspace.messages.settled.emit(_QUESTION)
        self._look_if_due()

    def _look_if_due(self) -> None:
        away = time.time() - self._settings.last_update_look
        # A clock that was set back must not stop it for years.
        if is_published() and self._settings.weekly_updates and not 0 <= away < _WEEK_S:
            self._look(asked=False)

    def _look(self, *, asked: bool) -> None:
        if self._busy:
            return
        self._busy = True
        self._settings.last_update_look = time.time()

        def failed(error: LightloomError) -> None:
            self._busy = False
            log.info("no look for updates: %s", error)
            if asked:
                self._workspace.messages.tell("warning", str(error))

        def found(result: Look) -> None:
            self._busy = False
            self._found(result, asked)

        self._workspace.jobs.run(self._ask_site, found, failed)

    def _ask_site(self) -> Look:
        from desktop.base.version import version
        from desktop.net.updates import look

        return look(version())

    def _found(self, result: Look, asked: bool) -> None:
        if result.is_newer:
            sentence = self.tr("Lightloom {newest} is out; this is {own}. {advice}")
            self._workspace.messages.tell(
                "warning", sentence.format(newest=result.newest, own=result.own, advice=self._advice())
            )
        elif asked:
            self._workspace.messages.tell(
                "info", self.tr("This is the newest Lightloom, {own}.").format(own=result.own)
            )

    def _advice(self) -> str:
        """What to do, for the way by which this copy was installed."""
        from desktop.net.updates import channel

        return {
            "deb": self.tr("Get the new .deb from {site} and install it with 'sudo apt install ./FILE'."),
            "flatpak": self.tr(
                "Update it in your software center, or with 'flatpak update org.lightloom.Lightloom'."
            ),
            "winget": self.tr("Update it with 'winget upgrade Lightloom.Lightloom'."),
            "brew": self.tr("Update it with 'brew upgrade --cask lightloom'."),
            "appimage": self.tr("Get the new AppImage from {site}."),
            "other": self.tr("Get it from {site}."),
        }[self.channel or channel()].format(site=build.SITE)
