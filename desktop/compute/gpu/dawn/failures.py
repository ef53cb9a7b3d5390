"""Detect device loss, which a promise reports: calls other than maps then neither act nor fail."""

from __future__ import annotations

import threading
from typing import Any

from desktop.compute.gpu.dawn.adapters import extras


class LossWatch:
    """Watches one device until `close`. Any destruction of the device counts as its loss."""

    def __init__(self, device: Any) -> None:
        # wgpudawn hides WebGPU's `lost` as wgpu-py does; only the method behind it is available.
        self._promise: Any = device._get_lost_async()
        self._lock = threading.Lock()

    @property
    def is_lost(self) -> bool:
        """Return True once the device is lost; on any thread."""
        with self._lock:
            if self._promise is None:
                return False
            # Dawn resolves promises only when it is polled.
            extras().process_events()
            return bool(self._promise._thread_event.is_set())

    def is_loss(self, error: BaseException) -> bool:
        """Return True if an error was caused by the loss of the device: any error raised after it."""
        return self.is_lost

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            self._promise = None
