"""Is a device gone? Dawn tells it by a promise of the device; calls on a lost one do nothing and raise nothing, but for maps."""

from __future__ import annotations

import threading
from typing import Any

from desktop.compute.gpu.dawn.adapters import extras


class LossWatch:
    """Watches one device until `close`. Whoever destroyed it, it is lost for those who watch it."""

    def __init__(self, device: Any) -> None:
        # wgpudawn hides WebGPU's `lost` as wgpu-py does; only the method behind it is there.
        self._promise: Any = device._get_lost_async()
        self._lock = threading.Lock()

    @property
    def is_lost(self) -> bool:
        """True once the device is gone; on any thread."""
        with self._lock:
            if self._promise is None:
                return False
            # Dawn tells nothing by itself, only when it is asked for news.
            extras().process_events()
            return bool(self._promise._thread_event.is_set())

    def is_loss(self, error: BaseException) -> bool:
        """True if an error comes of the device's being gone: whatever is raised once it is."""
        return self.is_lost

    def close(self) -> None:
        """Watch no more."""
        with self._lock:
            self._promise = None
