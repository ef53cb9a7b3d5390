"""Call methods of window objects from other threads, also while the window is being destroyed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal


class ThreadSignal(QObject):
    """Calls a method of a `QObject` on the window's thread, from any thread.

    If a thread emits a signal of that object itself and Qt destroys the object meanwhile, the process crashes: the object dies with its
    parent
    widget while the emission has released the GIL. A relay has no parent: it lives for as long as a thread holds it, and Qt removes its
    connection when the receiver dies. Calls to a destroyed object are dropped.
    """

    _sent = Signal(object, object, object)

    def __init__(self, callback: Callable[..., object]) -> None:
        """Deliver to `callback`, a bound method of a `QObject` with up to three values; a lambda has no thread."""
        super().__init__()
        self._sent.connect(callback, Qt.ConnectionType.QueuedConnection)

    def send(self, first: object = None, second: object = None, third: object = None) -> None:
        """Queue a call of the method, also from the window's own thread, with as many of the values as it takes."""
        self._sent.emit(first, second, third)
