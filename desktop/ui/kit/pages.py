"""Pages that share one panel, with their tabs as its head."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget


class Pages(QStackedWidget):
    """A stack of pages. `header` has their tabs, for the panel's title bar."""

    def __init__(self, pages: Iterable[tuple[str, QWidget]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = QWidget()
        self.header.setObjectName("panel")
        self.header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self.header)
        row.setContentsMargins(2, 2, 8, 2)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        # Arrows would hide the last title: the panel is as wide as its tabs at least.
        self.tabs.setUsesScrollButtons(False)
        row.addWidget(self.tabs)
        row.addStretch(1)
        for title, page in pages:
            self.tabs.addTab(title)
            self.addWidget(page)
        self.tabs.setAccessibleName(", ".join(self.tabs.tabText(i) for i in range(self.tabs.count())))
        self.tabs.currentChanged.connect(self.setCurrentIndex)
        self.currentChanged.connect(self.tabs.setCurrentIndex)


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
