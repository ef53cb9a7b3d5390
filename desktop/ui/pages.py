"""Pages that share one panel, with their tabs as its head."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QWidget


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
        row.addWidget(self.tabs)
        row.addStretch(1)
        for title, page in pages:
            self.tabs.addTab(title)
            self.addWidget(page)
        self.tabs.setAccessibleName(", ".join(self.tabs.tabText(i) for i in range(self.tabs.count())))
        self.tabs.currentChanged.connect(self.setCurrentIndex)
        self.currentChanged.connect(self.tabs.setCurrentIndex)
