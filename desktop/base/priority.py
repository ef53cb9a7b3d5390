"""Priority of a thread that works beside playback."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import Final

_NICENESS: Final = 10


def yield_to_others() -> None:
    """Lower this thread's priority below playback, on Linux.

    Elsewhere a thread's identifier would name a process, or the system has no such call.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
