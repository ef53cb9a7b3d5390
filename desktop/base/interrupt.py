"""Handle Ctrl+C and other signals that end a command."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable
from typing import Any, Final

from desktop.base import console

SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""The signals that end a command: Ctrl+C, a supervisor, a closed terminal, Ctrl+Break on Windows."""

_GRACE_SECONDS: Final = 1.5
_PATIENT_SECONDS: Final = 8.0
"""Timeout without last words: the command may be saving results (`model tune`) or be between two rounds."""


class Interrupt:
    """Inside the context, Ctrl+C is deferred to the next `check`; a second one takes effect at once.

    The other `SIGNALS` act like the first Ctrl+C, however often they arrive. A KeyboardInterrupt inside a
    wgpu call would leave readbacks that never end and locks that stay held. Loops that use the GPU call
    `check` between rounds.

    The main thread may be blocked in a driver for minutes, so another thread receives the signal: if the main
    thread has not returned after 1.5 s, the process ends with `last_words`; without these, after 8 s.

    Attributes:
        on_request: called on the first signal; must only set an event.
        last_words: finishes work on another thread and returns the final message; None to end at once.
        on_hangup: called instead of all this on SIGHUP; must only set an event. None to end the command.
    """

    def __init__(self) -> None:
        self._is_requested = False
        self._acknowledged = threading.Event()
        self.on_request: list[Callable[[], None]] = []
        self.last_words: Callable[[], str] | None = None
        self.on_hangup: Callable[[], None] | None = None
        self._before: dict[int, Any] = {}
        self._wakeup: tuple[socket.socket, int] | None = None

    def _handle(self, number: int, frame: Any) -> None:
        if self._is_reload(number):
            assert self.on_hangup is not None
            self.on_hangup()
            return
        if self._is_requested:
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            return
        self._is_requested = True
        for stop in self.on_request:
            stop()

    def _is_reload(self, number: int) -> bool:
        return self.on_hangup is not None and number == getattr(signal, "SIGHUP", None)

    @property
    def is_requested(self) -> bool:
        """Whether a signal has asked the command to end."""
        return self._is_requested

    @property
    def is_acknowledged(self) -> bool:
        """Whether the main thread has noticed the request, and ends by itself."""
        return self._acknowledged.is_set()

    def check(self) -> None:
        """Raise KeyboardInterrupt if the command was asked to end."""
        if self._is_requested:
            self.acknowledge()
            raise KeyboardInterrupt

    def acknowledge(self) -> None:
        """Declare that the main thread has noticed the request and will end by itself."""
        self._acknowledged.set()

    def _watch(self, signals: socket.socket) -> None:
        with signals:
            while data := signals.recv(16):
                if any(number in data and not self._is_reload(number) for number in SIGNALS):
                    break
            else:
                return
            if self._acknowledged.wait(_PATIENT_SECONDS if self.last_words is None else _GRACE_SECONDS):
                # Further signals are read too: Python complains about a signal that it cannot forward.
                while signals.recv(16):
                    pass
                return
        words = "Stopped."
        with contextlib.suppress(Exception):  # whatever state the main thread left it in: the process ends
            words = words if self.last_words is None else self.last_words()
        console.err("")
        console.fail(words)
        os._exit(1)

    def __enter__(self) -> Interrupt:
        # Only the main thread has handlers; ignored signals (a shell's background job, nohup) stay ignored.
        if threading.current_thread() is not threading.main_thread():
            return self
        usual = (signal.default_int_handler, signal.SIG_DFL)
        ours = [number for number in SIGNALS if signal.getsignal(number) in usual]
        if ours:
            self._watch_signals()
            self._before = {number: signal.signal(number, self._handle) for number in ours}
        return self

    def _watch_signals(self) -> None:
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        self._wakeup = (theirs, before)
        threading.Thread(target=self._watch, args=(ours,), name="interrupt", daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.acknowledge()
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._wakeup is not None:
            theirs, fd = self._wakeup
            signal.set_wakeup_fd(fd)
            theirs.close()  # which ends the thread
