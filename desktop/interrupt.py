"""Ctrl+C in the command line."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any


class Interrupt:
    """While it is entered, Ctrl+C waits for `check` instead of stopping the program where it stands; a second one stops it there.

    A KeyboardInterrupt inside a wgpu call leaves a read-back that never ends and locks that nobody opens. Loops that use the GPU
    call `check` between two rounds; what waits for the GPU inside a round is told by `on_ask`.

    Attributes:
        on_ask: called when Ctrl+C is pressed, between two lines of whatever runs: to set an event, no more.
    """

    def __init__(self) -> None:
        self._asked = False
        self.on_ask: list[Callable[[], None]] = []
        self._before: Any = None

    def _handle(self, number: int, frame: Any) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        for stop in self.on_ask:
            stop()

    @property
    def was_asked(self) -> bool:
        """True once Ctrl+C was pressed."""
        return self._asked

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl+C was pressed."""
        if self._asked:
            raise KeyboardInterrupt

    def __enter__(self) -> Interrupt:
        # Only the main thread has handlers, and a SIGINT that is ignored (a shell's background job) stays so.
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
