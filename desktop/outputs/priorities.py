"""Encoders that raise their own priority.

SVT-AV1 (4.1, `svt_av1_enc_init_handle`), run as root as in most containers, sets the calling thread and its
own 38 to SCHED_FIFO with priority 99, so that all other threads of the machine starve. No option disables it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

_TASKS = Path("/proc/self/task")


@contextlib.contextmanager
def usual_priority() -> Iterator[None]:
    """Open an encoder in this context: threads it makes real-time return to normal scheduling."""
    before = _real_time_threads()
    try:
        yield
    finally:
        _return_to_normal(_real_time_threads() - before)


def _return_to_normal(threads: set[int]) -> None:
    if sys.platform == "linux":
        for thread in threads:
            with contextlib.suppress(OSError):  # it has ended
                os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))
        if threading.get_native_id() in threads:
            # Otherwise glibc passes 99 on to new threads, pthread_create fails (EINVAL), and no audio device
            # can be opened.
            set_priority = ctypes.CDLL(None).pthread_setschedparam
            set_priority.argtypes = (ctypes.c_ulong, ctypes.c_int, ctypes.POINTER(ctypes.c_int))
            set_priority(threading.get_ident(), os.SCHED_OTHER, ctypes.byref(ctypes.c_int(0)))


def _real_time_threads() -> set[int]:
    """Return this process's real-time threads; none where only root can have any and this is another user."""
    found: set[int] = set()
    if sys.platform == "linux" and os.geteuid() == 0:
        with contextlib.suppress(OSError):
            for task in _TASKS.iterdir():
                with contextlib.suppress(OSError):
                    if os.sched_getscheduler(int(task.name)) in (os.SCHED_FIFO, os.SCHED_RR):
                        found.add(int(task.name))
    return found
