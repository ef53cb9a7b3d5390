"""Encoders that take a priority which is not theirs.

SVT-AV1 (4.1, `svt_av1_enc_init_handle`), where the program runs as root, as in most containers, puts the thread that opens it under
SCHED_FIFO with priority 99, and its own 38 threads too; whatever that thread starts later inherits it. Nothing else of the machine has a
turn then until they wait: the audio, the window and the display stand still. It has no option against it.
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
    """Open an encoder within this: threads that are under real-time scheduling since then go back to the system's usual one."""
    if sys.platform != "linux" or os.geteuid() != 0:
        yield
        return
    before = _real_time_threads()
    try:
        yield
    finally:
        found = _real_time_threads() - before
        for thread in found:
            with contextlib.suppress(OSError):  # it has ended
                os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))
        if threading.get_native_id() in found:
            _sync_libc_priority()


def _sync_libc_priority() -> None:
    """Have the C library know, too, what this thread's priority is.

    glibc hands what was set through it on to new threads: with 99 of a policy that has only 0, pthread_create says EINVAL, and no
    audio device opens any more.
    """
    set_priority = ctypes.CDLL(None).pthread_setschedparam
    set_priority.argtypes = (ctypes.c_ulong, ctypes.c_int, ctypes.POINTER(ctypes.c_int))
    set_priority(threading.get_ident(), os.SCHED_OTHER, ctypes.byref(ctypes.c_int(0)))


def _real_time_threads() -> set[int]:
    found = set()
    with contextlib.suppress(OSError):
        for task in _TASKS.iterdir():
            with contextlib.suppress(OSError):
                if os.sched_getscheduler(int(task.name)) in (os.SCHED_FIFO, os.SCHED_RR):
                    found.add(int(task.name))
    return found
