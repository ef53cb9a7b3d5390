"""Durations of calls of wgpu-native on the window's thread, and gaps of its event loop."""

from __future__ import annotations

import os
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

_TICK_MS: Final = 5
"""Interval of the timer that watches the event loop."""
_LONG_MS: Final = 50.0


@dataclass(frozen=True)
class Spent:
    """Milliseconds of a thread: from begin to end, on a core, and ready to run while other threads had the
    cores.
    """

    wall: float
    computed: float
    queued: float

    @property
    def waited(self) -> float:
        """Milliseconds asleep: waiting for a lock, the GPU, the X server or the interpreter."""
        return max(0.0, self.wall - self.computed - self.queued)

    @property
    def own(self) -> float:
        """Milliseconds that it takes on an idle machine."""
        return max(0.0, self.wall - self.queued)


class Stopwatch:
    """Reads the clocks of the calling thread (Linux); to be made on that thread."""

    def __init__(self) -> None:
        self._file = os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)

    def read(self) -> tuple[int, int, int]:
        """Return nanoseconds: of the clock, on a core, ready to run."""
        wall = time.perf_counter_ns()
        computed, queued, _ = os.pread(self._file, 64, 0).split()
        return wall, int(computed), int(queued)

    def since(self, begun: tuple[int, int, int]) -> Spent:
        """Return what was spent since a reading."""
        return Spent(*((now - then) / 1e6 for now, then in zip(self.read(), begun, strict=True)))

    def close(self) -> None:
        """Close the file that it reads."""
        os.close(self._file)


@dataclass(frozen=True)
class Call:
    """A call of the library, with the callers of a long one, or the time between two ticks of the event loop
    (`LOOP`).
    """

    name: str
    spent: Spent
    callers: str = ""


LOOP: Final = "event loop"


class GuiCalls:
    """Records the calls of wgpu-native that the thread which makes it takes, until `close`.

    Functions that the program calls through ctypes are not seen: they only append to a pass.
    """

    def __init__(self, parent: QObject) -> None:
        from wgpu.backends.wgpu_native import _api

        self.calls: list[Call] = []
        self._watch = Stopwatch()
        self._thread = threading.get_ident()
        self._library: Any = _api.libf
        self._kept = {name: f for name, f in vars(_api.libf).items() if name.startswith("wgpu")}
        for name, function in self._kept.items():
            setattr(self._library, name, self._timed(name, function))
        self._ticked = self._watch.read()
        self._timer = QTimer(parent)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if threading.get_ident() != self._thread:
                return function(*arguments)
            begun = self._watch.read()
            try:
                return function(*arguments)
            finally:
                spent = self._watch.since(begun)
                callers = "".join(traceback.format_stack(limit=12)) if spent.waited > _LONG_MS else ""
                self.calls.append(Call(name, spent, callers))

        return call

    def _tick(self) -> None:
        self.calls.append(Call(LOOP, self._watch.since(self._ticked)))
        self._ticked = self._watch.read()

    def take(self) -> list[Call]:
        """Return the calls since the last `take`."""
        found, self.calls = self.calls, []
        return found

    def close(self) -> None:
        """Leave the library as it was."""
        self._timer.stop()
        for name, function in self._kept.items():
            setattr(self._library, name, function)
        self._watch.close()


@contextmanager
def recorded(parent: QObject) -> Iterator[GuiCalls]:
    """Record calls for the duration of the context."""
    calls = GuiCalls(parent)
    try:
        yield calls
    finally:
        calls.close()
