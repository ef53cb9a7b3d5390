"""Detect device loss, which a promise reports: calls other than maps then neither act nor fail."""

from __future__ import annotations

import threading
import time
from typing import Any, Final

from desktop.compute.gpu.dawn.adapters import extras

_EVERY_S: Final = 0.05


class LossWatch:
    """Watches one device until `close`. Any destruction of the device counts as its loss."""

    def __init__(self, device: Any) -> None:
        # wgpudawn hides WebGPU's `lost` as wgpu-py does; only the method behind it is available.
        self._promise: Any = device._get_lost_async()
        self._lock = threading.Lock()
        self._looked_at = 0.0

    @property
    def is_lost(self) -> bool:
        """Return True once the device is lost, as known a moment ago; on any thread."""
        return self._look(_EVERY_S)

    def is_loss(self, error: BaseException) -> bool:
        """Return True if an error was caused by the loss of the device: any error raised after it."""
        return self._look(0.0)

    def _look(self, age_s: float) -> bool:
        with self._lock:
            if self._promise is None:
                return False
            # Dawn resolves promises only when it is polled, which waits for other threads that are in it.
            now = time.monotonic()
            if now - self._looked_at >= age_s:
                self._looked_at = now
                extras().process_events()
            return bool(self._promise._thread_event.is_set())

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            self._promise = None
