"""The folder for the clips of one window's events, in the user's cache."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

from desktop.base.lock import take_lock

_LEFT_OVER_S: Final = 86_400
_LOCK: Final = "lock"


class ClipFolder:
    """A new folder, locked until it is deleted by `close`. `path` is where it is."""

    def __init__(self, parent: Path) -> None:
        """Make the folder, and delete those in `parent` that a crash left a day ago. Raises OSError."""
        parent.mkdir(parents=True, exist_ok=True)
        for old in parent.iterdir():
            if _is_left_over(old):
                shutil.rmtree(old, ignore_errors=True)
        self.path = Path(tempfile.mkdtemp(dir=parent))
        self._lock = (self.path / _LOCK).open("ab")
        take_lock(self._lock, required=False)

    def close(self) -> None:
        """Delete the folder and its clips."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def _is_left_over(folder: Path) -> bool:
    """Return whether a folder has been left for a day and no window uses it; False where that cannot be told."""
    try:
        if time.time() - folder.stat().st_mtime <= _LEFT_OVER_S:
            return False
        with (folder / _LOCK).open("ab") as lock:
            return take_lock(lock)
    except OSError:  # not a folder, or a file system without locks
        return False
