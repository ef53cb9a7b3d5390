"""Asks before an optional package is installed, with its licence in sight."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.outputs.live._user_package import Download, UserPackage
from desktop.ui.kit.widgets import muted


class LicenceDialog(QDialog):
    """Shows what is installed, where, and under what licence; Enter installs, Escape does not."""

    def __init__(
        self,
        package: UserPackage,
        download: Download,
        install: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        """Make it; `install` is called if the user accepts."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Install {0}").format(package.name))
        self._install = install
        layout = QVBoxLayout(self)
        self.note = muted(
            self.tr(
                "{0} {1} is a program by others under the {2}, which is why no installer of Lightloom carries it. "
                "It is put into {3}, for you alone."
            ).format(package.name, package.version, package.licence, package.folder)
        )
        layout.addWidget(self.note)
        self.text = QPlainTextEdit(download.licence or self.tr("The package has no text of its licence."))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Licence of {0}").format(package.name))
        layout.addWidget(self.text, 1)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = box.addButton(self.tr("Install"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setDefault(True)
        self.ok.setFocus()
        box.accepted.connect(self._accept)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.resize(620, 460)

    def _accept(self) -> None:
        self.accept()
        self._install()
