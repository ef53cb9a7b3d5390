"""Files on their way from whoever looked at them to whoever loads them."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from desktop.compute.models.model_file import ModelFile

_KEPT_SECONDS: Final = 10.0
"""How long a file waits to be taken: a stage's network is loaded with the next picture, which may not come."""


class OpenModels:
    """Keeps the file that was looked at last until its loader takes it, so that it is opened once. On any thread.

    A setup names files by their paths: it is saved, undone and compared. So the open file goes beside it, through here. One at most is
    kept, and not for long: it is as large as its weights.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: ModelFile | None = None
        self._until = 0.0

    def keep(self, model: ModelFile) -> None:
        """Keep a file in the place of the one before."""
        with self._lock:
            self._kept, self._until = model, time.monotonic() + _KEPT_SECONDS

    def take(self, named: str | os.PathLike[str]) -> ModelFile | None:
        """Hand a file over, if it is the one that is kept, by what a setup names it, and what lies at its path has not changed."""
        with self._lock:
            if self._kept is None or self._kept.named != os.fspath(named):
                return None
            model, self._kept = self._kept, None
        return model if model.is_current() else None

    def expire(self) -> None:
        """Let go of a file that nobody came for; to be called now and then."""
        if self._kept is not None and time.monotonic() > self._until:
            with self._lock:
                self._kept = None
