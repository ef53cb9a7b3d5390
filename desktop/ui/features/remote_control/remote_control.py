"""Serve the window's remote control while the settings say so."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.ui.features.remote_control.settings import NETWORK, ControlSettings
from desktop.ui.kit.language import language_of
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.serving.control.program import Program
    from desktop.serving.control.server import ControlServer

_ABOUT: Final = "remote control"
_PUBLISH_MS: Final = 100


@dataclass(frozen=True)
class _Wish:
    """Requested state of the server; `tokens` counts how often the token was replaced."""

    is_on: bool = False
    is_local: bool = True
    port: int = 0
    tokens: int = 0


class RemoteControl(QObject):
    """The server; nothing is imported or opened until it is switched on.

    Attributes:
        is_of_run: True while the command line says what is served, until the setting `control_on` changes.

    Signals:
        changed: the server was started or stopped, or failed.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._settings = ControlSettings(workspace.settings)
        self._wish = _Wish()
        # Changes run one after another on threads; each applies the newest wish.
        self._changing = threading.Lock()
        self._applied = self._wish
        self._server: ControlServer | None = None
        self._program: Program | None = None
        self.token = ""
        self.fault = ""
        self.is_of_run = False
        self._due = ThreadSignal(self._run_due)
        self._timer = QTimer(self)
        self._timer.setInterval(_PUBLISH_MS)
        self._timer.timeout.connect(self._publish)
        workspace.settings.follow(self.follow_settings, ControlSettings.control_on)
        workspace.settings.follow(self._move, ControlSettings.control_reach, ControlSettings.control_port)

    def begin(self, port: int | None) -> None:
        """Serve this computer at a port from the command line, or else as the settings say."""
        if port is None:
            self.follow_settings()
        else:
            self.is_of_run = True
            self._serve(_Wish(is_on=True, port=port, tokens=self._wish.tokens))

    def follow_settings(self) -> None:
        """Start, move or stop the server as the settings say, and not the command line any more."""
        self.is_of_run = False
        settings = self._settings
        is_local = settings.control_reach != NETWORK
        self._serve(_Wish(settings.control_on, is_local, settings.control_port, self._wish.tokens))

    def _move(self) -> None:
        if not self.is_of_run:
            self.follow_settings()

    def renew_token(self) -> None:
        """Replace the token; clients that are connected are disconnected."""
        self._serve(replace(self._wish, tokens=self._wish.tokens + 1))

    @property
    def addresses(self) -> tuple[str, ...]:
        """Addresses of the page, the one for other devices first; empty while nothing is served."""
        server = self._server
        if server is None:
            return ()
        hosts = ["localhost"] if self._applied.is_local else [*_own_address(), "localhost"]
        return tuple(f"http://{host}:{server.port}/" for host in hosts)

    def _serve(self, wish: _Wish) -> None:
        self._workspace.messages.settled.emit(_ABOUT)
        if wish == self._wish or not (wish.is_on or self._wish.is_on):
            return
        self._wish = wish
        if self._program is None:
            from desktop.ui.features.remote_control.window_program import WindowProgram

            self._program = WindowProgram(self._workspace)
        tried: list[_Wish] = []
        self._workspace.jobs.run(
            partial(self._change, self._program, tried), self._show, partial(self._fail, tried)
        )

    def _change(self, program: Program, tried: list[_Wish]) -> Sequence[str]:
        """Apply the newest wish, which is noted in `tried`, and return warnings; on a thread."""
        from desktop.serving.control.page import make_page
        from desktop.serving.control.server import ControlServer
        from desktop.ui.features.remote_control.page_texts import page_texts
        from desktop.ui.features.remote_control.token_file import (
            TOKEN_FILE,
            StoredToken,
            renewed_token,
            stored_token,
        )

        with self._changing:
            wish = self._wish
            tried.append(wish)
            if wish == self._applied:
                return ()
            if self._server is not None:
                self._server.close()
            # Until there is a new token, the next attempt must make one: the old one was to be of no use.
            tokens = self._applied.tokens
            self._server, self._applied = None, replace(wish, is_on=False, tokens=tokens)
            if not wish.is_on:
                return ()
            path = self._workspace.settings.path.with_name(TOKEN_FILE)
            stored = stored_token(path) if wish.tokens == tokens else StoredToken(renewed_token(path))
            self.token = stored.text
            self._applied = replace(wish, is_on=False)
            language = language_of(self._workspace.settings.language).replace("_", "-")
            page = make_page(page_texts(), language)
            server = ControlServer(program, self.token, page, self._due.send, local=wish.is_local)
            server.start(wish.port)
            self._server, self._applied = server, wish
            return (stored.warning,) if stored.warning else ()

    def _show(self, warnings: Sequence[str]) -> None:
        self.fault = ""
        for warning in warnings:
            self._workspace.messages.post("warning", warning, about=_ABOUT)
        self._timer.start() if self._server is not None else self._timer.stop()
        if self._server is not None:
            said = self.tr("Remote control is on at {0}")
            self._workspace.messages.said.emit(said.format(self.addresses[0]))
        self.changed.emit()

    def _fail(self, tried: Sequence[_Wish], error: Exception) -> None:
        if self._wish not in tried:
            return  # another one is applied after it
        # The same wish may be tried again.
        self._wish = replace(self._wish, is_on=False)
        self.fault = str(error)
        self._timer.stop()
        self._workspace.messages.post("error", self.fault, about=_ABOUT)
        self.changed.emit()

    # -- while it is served ----------------------------------------------------------------------------------

    def _run_due(self) -> None:
        if self._server is not None:
            self._server.run_due()

    def _publish(self) -> None:
        if self._server is not None and self._program is not None and self._server.followers:
            self._server.publish(self._program.state(), self._program.parameters())

    def close(self) -> None:
        """Stop serving."""
        self._timer.stop()
        self._wish = replace(self._wish, is_on=False)
        with self._changing:
            if self._server is not None:
                self._server.close()
            self._server = None


def _own_address() -> list[str]:
    """Return the address that other devices of the network can use; [] without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Of a network for documentation; choosing the way there sends nothing.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [str(probe.getsockname()[0])]
