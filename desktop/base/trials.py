"""Limits for a child process that tries untrusted files, and the log by which it reports the outcome."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

_OPENING_SECONDS: Final = 60.0


class TrialLog:
    """The file of results."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, **entry: Any) -> None:
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")


class Watchdog:
    """Ends the process when a step takes too much time or memory, or when the parent process is gone."""

    def __init__(self, log: TrialLog, memory: int) -> None:
        self._log = log
        self._memory = memory
        self._deadline = time.monotonic() + _OPENING_SECONDS
        threading.Thread(target=self._watch, daemon=True).start()
        threading.Thread(target=self._listen, daemon=True).start()

    def allow(self, seconds: float) -> None:
        """Set the time limit of the step that begins now."""
        self._deadline = time.monotonic() + seconds

    def _watch(self) -> None:
        while True:
            time.sleep(0.05)
            if time.monotonic() > self._deadline:
                self._end("time")
            if peak_memory() > self._memory:
                self._end("memory")

    def _end(self, limit: str) -> None:
        with contextlib.suppress(OSError):
            self._log.write(limit=limit)
        os._exit(3)

    @staticmethod
    def _listen() -> None:
        # The parent holds the other end of stdin and writes nothing: when it closes, this process ends.
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
            os._exit(4)


def peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if unknown."""
    if sys.platform == "win32":
        return _windows_peak()
    if sys.platform == "linux":
        # Not getrusage, whose figure is inherited from the starting process, such as a window with gigabytes.
        with contextlib.suppress(OSError, StopIteration):
            status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
            return int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) << 10
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _windows_peak() -> int:  # pragma: no cover - Windows only
    import ctypes

    peak = 0
    if sys.platform == "win32":
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            _fields_ = (
                ("size", wintypes.DWORD),
                ("faults", wintypes.DWORD),
                ("peak", ctypes.c_size_t),
                ("rest", ctypes.c_size_t * 7),
            )

        counters = Counters(size=ctypes.sizeof(Counters))
        kernel = ctypes.windll.kernel32
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        handle = ctypes.c_void_p(kernel.GetCurrentProcess())
        if kernel.K32GetProcessMemoryInfo(handle, ctypes.byref(counters), counters.size):
            peak = int(counters.peak)
    return peak


def free_memory() -> int:
    """Return the bytes that this process can still allocate, or the machine's free memory if unknown."""
    free = _system_memory()
    if sys.platform != "win32":
        import resource

        soft = resource.getrlimit(resource.RLIMIT_AS)[0]
        if soft != resource.RLIM_INFINITY:
            free = min(free, soft)
    return free


def most_memory() -> int | None:
    """Return the bytes that this process could allocate if nothing else ran; None if unknown."""
    sizes = [_meminfo("MemTotal")]
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(OSError, ValueError):
            sizes[0] = sizes[0] or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        soft = resource.getrlimit(resource.RLIMIT_AS)[0]
        sizes.append(None if soft == resource.RLIM_INFINITY else soft)
    return min((size for size in sizes if size), default=None)


def _meminfo(field: str) -> int | None:
    """Return a number of Linux' list of its memory in bytes; None on other systems."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError):
        pass
    return None


def _system_memory() -> int:
    available = _meminfo("MemAvailable")
    if available is not None:
        return available
    if sys.platform != "win32":
        with contextlib.suppress(OSError, ValueError):
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 8 << 30
