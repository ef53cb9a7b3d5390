"""How a thread tells the window something, also while the window goes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal


class Relay(QObject):
    """Calls a method of an object of the window on the window's thread, from any thread.

    A thread that emits a signal of that object itself ends the process where Qt destroys the object meanwhile: it dies with the widget it
    belongs to, while an emission has let go of Python's lock. A relay belongs to nothing: it is there for as long as a thread holds it, and
    Qt keeps its connection and the hearer's end apart. What is sent to an object that is gone is dropped.
    """

    _sent = Signal(object, object, object)

    def __init__(self, hear: Callable[..., object]) -> None:
        """`hear` is a bound method of a `QObject` that takes up to three values: a lambda would have no thread to be called on."""
        super().__init__()
        self._sent.connect(hear, Qt.ConnectionType.QueuedConnection)

    def send(self, first: object = None, second: object = None, third: object = None) -> None:
        """Have the method called soon, on the window's own thread too, with as many of the values as it takes."""
        self._sent.emit(first, second, third)
