"""Check for updates weekly if the user allows it, or on request. Automatic checks fail silently."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

import desktop.base.version as build
from desktop.base.errors import LightloomError
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import NoticeButton
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    # The HTTP client takes 60 ms to import: only for a check.
    from desktop.net.updates import Channel, UpdateCheck

log = logging.getLogger(__name__)

_WEEK_S: Final = 7 * 24 * 3600
_DAY_MS: Final = 24 * 3600 * 1000
_ASKS_AT_START: Final = 3
_QUESTION: Final = "weekly updates"


class Updates(QObject):
    """Checks for versions newer than the installed one; a `site` of '' never checks.

    `channel` is how this copy was installed, None to find out; `ask` runs on a thread.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.site: str = build.SITE
        self.ask: Callable[[str], UpdateCheck] = _query_site
        self._workspace, self._settings = workspace, workspace.settings
        self._busy = False
        self.channel: Channel | None = None
        self._settings.follow(self._on_consent, Settings.weekly_updates)
        # A window that stays open for weeks.
        self._daily = QTimer(self)
        self._daily.setInterval(_DAY_MS)
        self._daily.timeout.connect(self._check_if_due)

    @property
    def is_published(self) -> bool:
        """True if there is a site with published versions; without one there are no checks."""
        return bool(self.site)

    def begin(self) -> None:
        """Check if allowed and due; request permission from the third start on. Call after the first frame."""
        self._daily.start()
        self._settings.starts += 1
        asks = self._settings.weekly_updates is None and self._settings.starts >= _ASKS_AT_START
        if self.is_published and asks:
            self._request_consent()
        self._check_if_due()

    def check(self) -> None:
        """Check at the user's request, which permits this one check."""
        self._check(asked=True)

    def toggle_weekly(self) -> None:
        """Enable or disable the weekly check."""
        self._settings.weekly_updates = not self._settings.weekly_updates

    def _request_consent(self) -> None:
        """Ask in a notice, without interrupting playback; if dismissed, again at the next start."""
        text = self.tr(
            "May Lightloom check for a new version once a week? "
            "It asks {site} for a number. Nothing about you is sent, and nothing is downloaded or installed."
        )
        self._workspace.messages.post(
            "hint",
            text.format(site=self.site.partition("//")[2]),
            about=_QUESTION,
            buttons=(
                NoticeButton(self.tr("Yes"), lambda: self._set_consent(True)),
                NoticeButton(self.tr("No"), lambda: self._set_consent(False)),
            ),
        )

    def _set_consent(self, allowed: bool) -> None:
        self._settings.weekly_updates = allowed

    def _on_consent(self) -> None:
        """By the notice, the menu or the page of preferences."""
        self._workspace.messages.settled.emit(_QUESTION)
        self._check_if_due()

    def _check_if_due(self) -> None:
        away = time.time() - self._settings.last_update_look
        # A clock that was set back must not stop it for years.
        if self.is_published and self._settings.weekly_updates and not 0 <= away < _WEEK_S:
            self._check(asked=False)

    def _check(self, *, asked: bool) -> None:
        if self._busy:
            return
        self._busy = True
        self._settings.last_update_look = time.time()

        def failed(error: LightloomError) -> None:
            self._busy = False
            log.info("no look for updates: %s", error)
            if asked:
                self._workspace.messages.post("warning", str(error))

        def on_checked(result: UpdateCheck) -> None:
            self._busy = False
            self._show_result(result, asked)

        self._workspace.jobs.run(lambda: self.ask(self.site), on_checked, failed)

    def _show_result(self, result: UpdateCheck, asked: bool) -> None:
        if result.is_newer:
            sentence = self.tr("Lightloom {newest} is out; this is {own}. {advice}")
            self._workspace.messages.post(
                "warning", sentence.format(newest=result.newest, own=result.own, advice=self._advice())
            )
        elif asked:
            self._workspace.messages.post(
                "info", self.tr("This is the newest Lightloom, {own}.").format(own=result.own)
            )

    def _advice(self) -> str:
        """Return instructions for an update of this kind of installation."""
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
        }[self.channel or channel()].format(site=self.site)


def _query_site(site: str) -> UpdateCheck:
    from desktop.base.version import version
    from desktop.net.updates import check_for_update

    return check_for_update(version(), site=site)
