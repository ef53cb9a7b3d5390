"""Values of controllers, as they were received last."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Final

MOST_CONTROLS: Final = 4096


class ControlValues:
    """Values by address ('midi/1/control/7', 'osc/fader'), written by threads of devices, read by frames.

    Attributes:
        version: changes with each value.
        on_change: called on the writing thread with an address and its value; must only wake others.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, float] = {}
        self.version = 0
        self.on_change: Callable[[str, float], None] = lambda address, value: None

    def put(self, address: str, value: float) -> None:
        """Set a value. Of more than MOST_CONTROLS addresses further ones are ignored."""
        with self._lock:
            if address not in self._values and len(self._values) >= MOST_CONTROLS:
                return
            if self._values.get(address) != value:
                self._values[address] = value
                self.version += 1
        self.on_change(address, value)

    def all(self) -> Mapping[str, float]:
        """Return all values."""
        with self._lock:
            return dict(self._values)
