"""Call methods of window objects from other threads, also while the window is being destroyed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal


class ThreadSignal(QObject):
    """Calls a method of a `QObject` on the window's thread, from any thread; dropped if it is destroyed.

    A `QObject`'s own signal would crash the process if Qt destroys it with its parent widget while a thread
    emits without the GIL. This object has no parent.
    """

    _sent = Signal(object, object, object)

    def __init__(self, callback: Callable[..., object]) -> None:
        """Set `callback`: a bound method of a `QObject` with up to three values, not a lambda."""
        super().__init__()
        self._sent.connect(callback, Qt.ConnectionType.QueuedConnection)

    def send(self, first: object = None, second: object = None, third: object = None) -> None:
        """Queue a call with as many of the values as the method takes, from any thread."""
        self._sent.emit(first, second, third)
