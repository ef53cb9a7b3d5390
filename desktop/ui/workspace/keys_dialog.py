"""The dialog that lists all keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.kit.widgets import heading, muted, scrolled
from desktop.ui.workspace.keys import native_text


def closing_buttons(dialog: QDialog, layout: QVBoxLayout) -> QDialogButtonBox:
    """Add a button that closes a dialog, and return its box."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    box.rejected.connect(dialog.reject)
    layout.addWidget(box)
    return box


class KeysDialog(QDialog):
    """All keys, made from the actions themselves."""

    def __init__(self, groups: list[tuple[str, list[QAction]]], parent: QWidget, also: str = "") -> None:
        """Make it; `also` lists other keys, by default those of the main window."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys"))
        layout = QVBoxLayout(self)
        content = QWidget()
        content.setObjectName("panel")
        columns = QHBoxLayout(content)
        columns.setSpacing(28)
        halves = (groups[0::2], groups[1::2])
        for half in halves:
            columns.addLayout(self._column(half))
        area = scrolled(content)
        area.setMinimumWidth(content.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width())
        layout.addWidget(area, 1)
        mouse = muted(
            also
            or self.tr(
                "On the video: wheel zooms, drag moves, double click changes between fit and 1:1. On a "
                "parameter: double click resets. On a card: Enter opens, X switches, Alt+Up and Alt+Down "
                "move, Delete removes."
            )
        )
        layout.addWidget(mouse)
        closing_buttons(self, layout)
        self.resize(720, min(640, parent.height() - 40))

    def _column(self, groups: list[tuple[str, list[QAction]]]) -> QVBoxLayout:
        column = QVBoxLayout()
        for title, actions in groups:
            column.addWidget(heading(title))
            grid = QGridLayout()
            grid.setColumnStretch(1, 1)
            grid.setVerticalSpacing(3)
            grid.setHorizontalSpacing(14)
            shown = [a for a in actions if a.shortcuts()]
            for row, action in enumerate(shown):
                keys = QLabel("  ".join(native_text(k) for k in action.shortcuts()))
                keys.setObjectName("cardTitle")
                grid.addWidget(keys, row, 0)
                grid.addWidget(QLabel(action.iconText()), row, 1)
                grid.setRowMinimumHeight(row, 20)
            column.addLayout(grid)
            column.addSpacing(10)
        column.addStretch(1)
        return column
