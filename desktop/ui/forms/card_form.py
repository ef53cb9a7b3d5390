"""Rows of a card: the label in one column, which is as wide in all cards, and the editor in the other."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop.ui.kit.widgets import WrappedLabel


class CardForm(QGridLayout):
    """The layout of a card's rows; labels wrap, and a row that is hidden takes no room."""

    def __init__(self, parent: QWidget, *, nested: bool = False) -> None:
        """Make it for a card's body, or `nested` for a widget that is a whole row of one."""
        super().__init__(parent)
        self.setContentsMargins(*(0, 0, 0, 0) if nested else (4, 4, 2, 4))
        self.setHorizontalSpacing(8)
        self.setVerticalSpacing(5)
        self.setColumnMinimumWidth(0, 84)
        self.setColumnStretch(0, 2)
        self.setColumnStretch(1, 5)
        self._labels: dict[QWidget, WrappedLabel] = {}

    def add_row(self, text: str, widget: QWidget, help_text: str = "") -> WrappedLabel:
        """Append a row with a label, whose tool tip is `help_text`; return the label."""
        label = WrappedLabel(text)
        label.setToolTip(help_text)
        label.setBuddy(widget)
        row = self.rowCount()
        self.addWidget(label, row, 0)
        self.addWidget(widget, row, 1)
        self._labels[widget] = label
        return label

    def add_unlabeled(self, widget: QWidget) -> None:
        """Append a row with a widget that has its own text, in the column of the editors."""
        self.addWidget(widget, self.rowCount(), 1)

    def add_wide(self, widget: QWidget) -> None:
        """Append a row with a widget across both columns."""
        self.addWidget(widget, self.rowCount(), 0, 1, 2)

    def add_fold(self, button: QWidget) -> None:
        """Append a row with the button that folds rows away, at the left."""
        self.addWidget(button, self.rowCount(), 0, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def set_row_visible(self, widget: QWidget, visible: bool) -> None:
        """Show or hide a row by its widget."""
        widget.setVisible(visible)
        label = self._labels.get(widget)
        if label is not None:
            label.setVisible(visible)
