"""The few dialogs: about, adapters."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
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
from desktop.ui.features.adapter.adapter_choice import AdapterChoice
from desktop.ui.kit import icons
from desktop.ui.kit.open_outside import open_outside
from desktop.ui.kit.widgets import muted
from desktop.ui.shell.driver_fault import fault_text
from desktop.ui.workspace.keys_dialog import closing_buttons
from desktop.ui.workspace.workspace import Workspace


class AboutDialog(QDialog):
    """Version and commit, adapter, diagnostics to copy."""

    def __init__(self, workspace: Workspace, diagnose: Callable[[], str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Lightloom"))
        version = version_line()
        self._summary = f"Lightloom {version}\n{workspace.adapter}"
        layout = QVBoxLayout(self)
        head = QHBoxLayout()
        picture = QLabel()
        picture.setPixmap(icons.pixmap("lightloom", "#000000", 56, self.devicePixelRatioF()))
        head.addWidget(picture)
        title = QLabel(f"Lightloom {version}")
        title.setObjectName("cardTitle")
        words = QVBoxLayout()
        words.addWidget(title)
        words.addWidget(muted(self.tr("Computing on {0}").format(workspace.adapter)))
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
        logs.clicked.connect(lambda: open_outside(user_log_folder(), workspace.messages))
        row.addWidget(self.copy)
        row.addWidget(logs)
        row.addStretch(1)
        layout.addLayout(row)
        closing_buttons(self, layout)
        self.resize(600, 420)
        workspace.jobs.run(diagnose, self._show, lambda error: self._show(str(error)))

    def _show(self, text: str) -> None:
        try:
            self.text.setPlainText(f"{self._summary}\n\n{text}")
            self.copy.setEnabled(True)
        except RuntimeError:
            return  # closed meanwhile


class AdapterDialog(QDialog):
    """Dialog that chooses the adapter; `advice` is about a known fault of the driver in use."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Graphics adapter"))
        self._workspace = workspace
        self._adapters: list[AdapterInfo] = []
        layout = QVBoxLayout(self)
        layout.addWidget(
            muted(
                self.tr("Effects and networks compute on this adapter. The chain is kept when you change it.")
            )
        )
        self.advice = QLabel(fault_text(workspace.adapter))
        self.advice.setObjectName("warningText")
        self.advice.setWordWrap(True)
        self.advice.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.advice.setHidden(not self.advice.text())
        layout.addWidget(self.advice)
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
        self.ensurePolished()
        self.resize(480, max(260, layout.totalHeightForWidth(480)))
        # Some drivers take seconds to list their adapters.
        workspace.jobs.run(
            workspace.get(AdapterChoice).available, self._fill, lambda error: self._fail(str(error))
        )

    def _fill(self, adapters: list[AdapterInfo]) -> None:
        try:
            self.list.clear()
        except RuntimeError:
            return  # closed meanwhile
        self._adapters = adapters
        for info in adapters:
            item = QListWidgetItem(str(info))
            self.list.addItem(item)
            if info == self._workspace.adapter:
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
        if 0 <= row < len(self._adapters) and self._adapters[row] != self._workspace.adapter:
            self._workspace.get(AdapterChoice).use(self._adapters[row])
        self.accept()
