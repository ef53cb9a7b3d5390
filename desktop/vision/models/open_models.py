"""Open files that are passed from their inspection to their loader."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from desktop.vision.models.model_file import ModelFile

_HOLD_SECONDS: Final = 10.0
"""Seconds until an open file is dropped if the next frame, with which it would be loaded, does not come."""


class OpenModels:
    """Holds the last inspected file until its loader takes it, so that it is opened once. Thread-safe.

    Not part of setups, which are saved and compared. Only one file, as it is as large as its weights.
    """

    def __init__(self, kept_s: float = _HOLD_SECONDS) -> None:
        self._kept_s = kept_s
        self._lock = threading.Lock()
        self._held: ModelFile | None = None
        self._until = 0.0

    def hold(self, model: ModelFile) -> None:
        """Hold a file instead of the previous one."""
        with self._lock:
            self._held, self._until = model, time.monotonic() + self._kept_s

    def take(self, named: str | os.PathLike[str]) -> ModelFile | None:
        """Hand over the held file if it has this name in a setup and its path has not changed."""
        with self._lock:
            if self._held is None or self._held.named != os.fspath(named):
                return None
            model, self._held = self._held, None
        return model if model.is_current() else None

    def expire(self) -> None:
        """Drop a file that was not taken; called from time to time."""
        if self._held is not None and time.monotonic() > self._until:
            with self._lock:
                self._held = None
