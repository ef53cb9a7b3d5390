"""Which of the things on the picture the user points at elsewhere, in the table of results."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop.compute.tasks.shapes import Box, Shape
from desktop.compute.tracking.scene import Sighting


class Chosen(QObject):
    """The things that are chosen.

    Signals:
        changed: others are.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._boxes: tuple[Box, ...] = ()

    def choose(self, boxes: tuple[Box, ...]) -> None:
        """Choose things by where they are, in shares of the picture, and by who they are where that is known."""
        if boxes != self._boxes:
            self._boxes = boxes
            self.changed.emit()

    def shapes(self, sighting: Sighting) -> tuple[Shape, ...]:
        """Return where they are now: what is followed is found again, everything else is where it was when it was chosen."""
        followed = {getattr(shape, "identity", None): shape for shape in reversed(sighting.shapes)}
        return tuple(box if box.identity is None else followed.get(box.identity, box) for box in self._boxes)
