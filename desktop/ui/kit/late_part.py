"""A widget that is built when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

Part = TypeVar("Part", bound=QWidget)


class LatePart(QWidget, Generic[Part]):
    """Placeholder of a widget that is built when requested or shown, at latest after the first frame."""

    def __init__(self, make: Callable[[], Part], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self._part: Part | None = None

    @property
    def is_made(self) -> bool:
        """True once the part is built."""
        return self._part is not None

    def part(self) -> Part:
        """Return the part."""
        if self._part is None:
            self._part = self._make()
            layout = QVBoxLayout(self)
            layout.setContentsMargins(0, 0, 0, 0)
            layout.addWidget(self._part)
        return self._part

    def showEvent(self, event: QShowEvent) -> None:
        self.part()
        super().showEvent(event)
