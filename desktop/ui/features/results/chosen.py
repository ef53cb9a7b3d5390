"""Detections highlighted on the frame because the user selected them in the results table."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop.vision.tasks.shapes import Box, Shape
from desktop.vision.tracking.scene import TrackedResult


class Chosen(QObject):
    """The selected detections."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._boxes: tuple[Box, ...] = ()

    def choose(self, boxes: tuple[Box, ...]) -> None:
        """Select detections by their boxes, in fractions of the frame, and by any track number."""
        if boxes != self._boxes:
            self._boxes = boxes
            self.changed.emit()

    def shapes(self, tracked_result: TrackedResult) -> tuple[Shape, ...]:
        """Return the selected shapes of this frame: tracked ones at their current position."""
        followed = {getattr(shape, "identity", None): shape for shape in reversed(tracked_result.shapes)}
        return tuple(box if box.identity is None else followed.get(box.identity, box) for box in self._boxes)
