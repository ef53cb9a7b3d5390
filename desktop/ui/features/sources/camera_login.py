"""User and password of a network camera, in one step: its streams are requested at once."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from desktop.base.errors import LightloomError
from desktop.net.onvif.discovery import NetworkCamera
from desktop.net.onvif.streams import CameraStream, streams_of
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import WrappedLabel, column, muted

_WIDTH: Final = 380


class CameraLogin(QDialog):
    """Asks for user and password, and reports the address of the camera's largest stream, with both."""

    address_found = Signal(str)

    def __init__(self, camera: NetworkCamera, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open {0}").format(camera.name))
        self._camera, self._jobs = camera, jobs
        self._is_requesting = False
        self.finished.connect(self._release)
        self.user, self.password = QLineEdit(), QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        form = QFormLayout()
        form.addRow(self.tr("User"), self.user)
        form.addRow(self.tr("Password"), self.password)
        self.error = WrappedLabel()
        self.error.setObjectName("errorText")
        self.error.hide()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._request_streams)
        self.buttons.rejected.connect(self.reject)
        layout = column(self, 12, 8)
        layout.addWidget(
            muted(
                self.tr("{0} at {1}. Leave both empty for a camera without users.").format(
                    camera.name, camera.host
                )
            )
        )
        layout.addLayout(form)
        layout.addWidget(self.error)
        layout.addWidget(self.buttons)
        self.resize(_WIDTH, self.sizeHint().height())

    def _request_streams(self) -> None:
        address, user, password = self._camera.address, self.user.text().strip(), self.password.text()
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(False)
        self._is_requesting = True

        def done(streams: tuple[CameraStream, ...]) -> None:
            self._is_requesting = False
            if self.isVisible():
                self.address_found.emit(streams[0].address_for(user, password))
                self.accept()
            else:
                self._release()

        self._jobs.run(lambda: streams_of(address, user, password), done, self._show_error)

    def _release(self) -> None:
        """Delete the dialog once it is closed and the camera has answered."""
        if not self._is_requesting:
            self.deleteLater()

    def _show_error(self, error: LightloomError) -> None:
        self._is_requesting = False
        if not self.isVisible():
            self._release()
            return
        self.error.setText(translated(str(error)))
        self.error.show()
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(True)
        self.password.setFocus()
        self.password.selectAll()
