"""Durations of calls of wgpu-native on the window's thread, and gaps of its event loop.

Both are told from what the machine and other threads do (Linux): other threads had the cores; another thread had
the interpreter's lock; or a thread that may have had another lock was ready and got no core. A thread that waits
for the interpreter's lock wakes up each time the switch interval is over, one that waits for the GPU does not, so
the kernel's count of its time slices tells them apart.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from bisect import bisect
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

_TICK_MS: Final = 5
"""Interval of the timer that watches the event loop."""
_LONG_MS: Final = 50.0
_LEAST_MS: Final = 1.0
_BEAT_S: Final = 0.002
_BEATS_PER_LIST: Final = 20


@dataclass(frozen=True)
class Spent:
    """A thread's time in milliseconds.

    Attributes:
        begin: when it began, in nanoseconds of the clock.
        wall: by the clock.
        computed: on a core.
        queued: ready, while other threads had the cores.
        slices: how often it got a core.
        held_up: asleep, for all one knows because of others' need of a core or the interpreter's lock.
    """

    begin: int
    wall: float
    computed: float
    queued: float
    slices: int
    held_up: float = 0.0

    @property
    def asleep(self) -> float:
        """Milliseconds that it waited for anything but a core."""
        return max(0.0, self.wall - self.computed - self.queued)

    @property
    def locked(self) -> float:
        """Milliseconds asleep, at most, that it waited for the interpreter's lock."""
        return min(self.asleep, max(0, self.slices - 1) * sys.getswitchinterval() * 1e3)

    @property
    def waited(self) -> float:
        """Milliseconds asleep: waiting for the GPU, the X server, a file or a lock."""
        return max(0.0, self.asleep - self.held_up)

    @property
    def own(self) -> float:
        """Milliseconds that it takes where every thread has a core."""
        return self.computed + self.waited


class Stopwatch:
    """Reads the clocks of the calling thread; to be made on that thread."""

    def __init__(self) -> None:
        self._file = os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)

    def read(self) -> tuple[int, int, int, int]:
        """Return nanoseconds of the clock, on a core and ready to run, and the number of time slices."""
        wall = time.perf_counter_ns()
        computed, queued, slices = os.pread(self._file, 64, 0).split()
        return wall, int(computed), int(queued), int(slices)

    def since(self, begun: tuple[int, int, int, int]) -> Spent:
        """Return what was spent since a reading."""
        wall, computed, queued, slices = (now - then for now, then in zip(self.read(), begun, strict=True))
        return Spent(begun[0], wall / 1e6, computed / 1e6, queued / 1e6, slices)

    def close(self) -> None:
        """Close the file that it reads."""
        os.close(self._file)


class ReadyThreads:
    """Notes on a thread of its own, every few milliseconds, for how long each thread of the process has been
    ready without a core; not those of llvmpipe, for which a wait for the GPU waits.
    """

    def __init__(self) -> None:
        self._times: list[int] = []
        self._ready: list[dict[str, int]] = []
        self._files: dict[str, int] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ready", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        count = 0
        while not self._over.wait(_BEAT_S):
            if count % _BEATS_PER_LIST == 0:
                self._list_threads()
            count += 1
            self._ready.append(self._read())
            self._times.append(time.perf_counter_ns())
        for file in self._files.values():
            os.close(file)

    def _list_threads(self) -> None:
        there = {folder.name: folder for folder in Path("/proc/self/task").iterdir()}
        for name in self._files.keys() - there.keys():
            os.close(self._files.pop(name))
        for name in there.keys() - self._files.keys():
            with suppress(OSError):
                if not (there[name] / "comm").read_text().startswith("llvmpipe"):
                    self._files[name] = os.open(there[name] / "schedstat", os.O_RDONLY)

    def _read(self) -> dict[str, int]:
        found = {}
        for name, file in self._files.items():
            with suppress(OSError):
                found[name] = int(os.pread(file, 64, 0).split()[1])
        return found

    def longest(self, begin: int, end: int) -> float:
        """Return for how many milliseconds between two times (ns) one of them was ready, at most."""
        count = len(self._times)
        if not count:
            return 0.0
        first = self._ready[max(0, bisect(self._times, begin, hi=count) - 1)]
        last = self._ready[min(count - 1, bisect(self._times, end, hi=count))]
        return max((now - first.get(name, now) for name, now in last.items()), default=0) / 1e6

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        self._thread.join()


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
        self._watch, self._ready = Stopwatch(), ReadyThreads()
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
        return [self._with_wait(call) if call.spent.waited > _LEAST_MS else call for call in found]

    def _with_wait(self, call: Call) -> Call:
        """Return a call with the part of its time that it spent waiting for a core or the interpreter's lock."""
        spent = call.spent
        ready = self._ready.longest(spent.begin, spent.begin + int(spent.wall * 1e6))
        return replace(call, spent=replace(spent, held_up=min(spent.asleep, spent.locked + ready)))

    def close(self) -> None:
        """Leave the library as it was."""
        self._timer.stop()
        self._ready.close()
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
