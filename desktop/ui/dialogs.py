"""The few dialogs: keys, about, adapters."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.paths import user_log_folder
from desktop.base.version import version_line
from desktop.compute.gpu.device import AdapterInfo
from desktop.compute.gpu.webgpu import versions_in_use
from desktop.ui import icons
from desktop.ui.controller import Controller
from desktop.ui.keys import native_text
from desktop.ui.widgets import heading, muted, scrolled


def _closing(dialog: QDialog, layout: QVBoxLayout) -> QDialogButtonBox:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    box.rejected.connect(dialog.reject)
    layout.addWidget(box)
    return box


class KeysDialog(QDialog):
    """All keys, made from the actions themselves."""

    def __init__(self, groups: list[tuple[str, list[QAction]]], parent: QWidget, also: str = "") -> None:
        """Make it; `also` says what else there is, by default of the main window."""
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
                "On the picture: wheel zooms, drag moves, double click changes between fit and 1:1. "
                "On a parameter: double click resets. On a card: Enter opens, X switches, Alt+Up and Alt+Down move, Delete removes."
            )
        )
        layout.addWidget(mouse)
        _closing(self, layout)
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


class AboutDialog(QDialog):
    """Version and commit, adapter, diagnostics to copy."""

    def __init__(self, controller: Controller, diagnose: Callable[[], str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Lightloom"))
        version = version_line()
        self._summary = f"Lightloom {version}\n{controller.adapter}"
        layout = QVBoxLayout(self)
        head = QHBoxLayout()
        picture = QLabel()
        picture.setPixmap(icons.pixmap("lightloom", "#000000", 56, self.devicePixelRatioF()))
        head.addWidget(picture)
        title = QLabel(f"Lightloom {version}")
        title.setObjectName("cardTitle")
        words = QVBoxLayout()
        words.addWidget(title)
        words.addWidget(muted(self.tr("Computing on {0}").format(controller.adapter)))
        words.addWidget(muted(self.tr("WebGPU: {0}").format(versions_in_use())))
        head.addLayout(words, 1)
        layout.addLayout(head)
        self.text = QPlainTextEdit(self.tr("Looking at this machine..."))
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Diagnostics"))
        layout.addWidget(self.text, 1)
        row = QHBoxLayout()
        self.copy = QPushButton(self.tr("Copy diagnostics"))
        self.copy.setEnabled(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        logs = QPushButton(self.tr("Open the log folder"))
        logs.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(user_log_folder()))))
        row.addWidget(self.copy)
        row.addWidget(logs)
        row.addStretch(1)
        layout.addLayout(row)
        _closing(self, layout)
        self.resize(600, 420)
        controller.jobs.run(diagnose, self._show, lambda error: self._show(str(error)))

    def _show(self, text: str) -> None:
        try:
            self.text.setPlainText(f"{self._summary}\n\n{text}")
            self.copy.setEnabled(True)
        except RuntimeError:
            return  # closed meanwhile


class AdapterDialog(QDialog):
    """Choose what computes."""

    def __init__(self, controller: Controller, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Graphics adapter"))
        self._controller = controller
        self._adapters: list[AdapterInfo] = []
        layout = QVBoxLayout(self)
        layout.addWidget(
            muted(
                self.tr("Filters and networks compute on this adapter. The chain is kept when you change it.")
            )
        )
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Adapters"))
        self.list.addItem(self.tr("Looking..."))
        self.list.itemDoubleClicked.connect(lambda _: self._use())
        layout.addWidget(self.list)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.use = box.addButton(self.tr("Use"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.use.setEnabled(False)
        self.use.clicked.connect(self._use)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.resize(480, 260)
        # Some drivers take seconds to tell what they have.
        controller.jobs.run(controller.adapters, self._fill, lambda error: self._fail(str(error)))

    def _fill(self, adapters: list[AdapterInfo]) -> None:
        try:
            self.list.clear()
        except RuntimeError:
            return  # closed meanwhile
        self._adapters = adapters
        for info in adapters:
            item = QListWidgetItem(str(info))
            self.list.addItem(item)
            if info == self._controller.adapter:
                item.setText(self.tr("{0}, in use").format(info))
                self.list.setCurrentItem(item)
        self.use.setEnabled(bool(adapters))

    def _fail(self, text: str) -> None:
        try:
            self.list.clear()
            self.list.addItem(text)
        except RuntimeError:
            return  # closed meanwhile

    def _use(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._adapters) and self._adapters[row] != self._controller.adapter:
            self._controller.use_adapter(self._adapters[row])
        self.accept()
