"""Ctrl+C and the signals that ask a command to end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable
from typing import Any, Final

from desktop import console

SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""What asks a command to end: Ctrl+C, a supervisor, a terminal that is closed, Ctrl+Break on Windows."""

_GRACE_SECONDS: Final = 1.5
_PATIENT_SECONDS: Final = 8.0
"""For what has no last words: it may be about to keep what it found (`model tune`), or be between two rounds of its own."""


class Interrupt:
    """While it is entered, Ctrl+C waits for `check` instead of stopping the program where it stands; a second one stops it there.

    The other `SIGNALS` do as the first Ctrl+C does, however often they come.

    A KeyboardInterrupt inside a wgpu call leaves a read-back that never ends and locks that nobody opens. Loops that use the GPU
    call `check` between two rounds; what waits for the GPU inside a round is told by `on_ask`.

    Python's handlers run between two lines of the main thread, and that may stand inside the GPU's driver for minutes (a submit waits for
    the one before) or inside ONNX Runtime for ever (a network with an endless loop). A thread of its own hears of the signal at once; where
    the main thread has not come back after 1.5 s, the process ends with `last_words`; without these, after 8 s.

    Attributes:
        on_ask: called when it is asked to end: to set an event, no more.
        last_words: finishes, on another thread, what can be finished without the main one, and returns the sentence to end with; None for
            nothing but to end.
    """

    def __init__(self) -> None:
        self._asked = False
        self._acknowledged = threading.Event()
        self.on_ask: list[Callable[[], None]] = []
        self.last_words: Callable[[], str] | None = None
        self._before: dict[int, Any] = {}
        self._wakeup: tuple[socket.socket, int] | None = None

    def _handle(self, number: int, frame: Any) -> None:
        if self._asked:
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            return
        self._asked = True
        for stop in self.on_ask:
            stop()

    @property
    def is_asked(self) -> bool:
        """Whether it was asked to end."""
        return self._asked

    @property
    def is_acknowledged(self) -> bool:
        """Whether the main thread has come back since, and ends by itself."""
        return self._acknowledged.is_set()

    def check(self) -> None:
        """Raise KeyboardInterrupt if it was asked to end."""
        if self._asked:
            self.acknowledge()
            raise KeyboardInterrupt

    def acknowledge(self) -> None:
        """Say that the main thread has come back and will end by itself."""
        self._acknowledged.set()

    def _watch(self, signals: socket.socket) -> None:
        with signals:
            while data := signals.recv(16):
                if any(number in data for number in SIGNALS):
                    break
            else:
                return
            if self._acknowledged.wait(_PATIENT_SECONDS if self.last_words is None else _GRACE_SECONDS):
                # Whoever presses again is heard too: Python complains of a signal that it cannot pass on.
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
        # Only the main thread has handlers, and a signal that is ignored (a shell's background job, nohup) stays so.
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
