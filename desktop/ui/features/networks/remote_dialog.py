"""Networks on servers: the dialog for address and token, and consent for hosts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import LibraryError, LightloomError, UsageError
from desktop.net.inference.address import RemoteAddress, parse_address
from desktop.net.inference.hosts import AllowedHosts
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import muted

_EXAMPLE: Final = "grpc://host:8001/model"

log = logging.getLogger(__name__)


class RemoteDialog(QDialog):
    """Asks for the address of a network, and an optional token; entering an address allows its host."""

    def __init__(self, jobs: Jobs, use: Callable[[str], None], parent: QWidget | None = None) -> None:
        """Make it; `use` receives the address."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open a network on a server"))
        self._jobs, self._use, self._hosts = jobs, use, AllowedHosts()
        layout = QVBoxLayout(self)
        layout.addWidget(
            muted(
                self.tr(
                    "The server computes the network, so it receives the images. It must support the Open "
                    "Inference Protocol."
                )
            )
        )
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.address = QLineEdit()
        self.address.setPlaceholderText(_EXAMPLE)
        self.address.setAccessibleName(self.tr("Address of the network"))
        self.token = QLineEdit()
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.setAccessibleName(self.tr("Token of the server"))
        self.token.setPlaceholderText(self.tr("Only if it asks for one; kept in the system's key ring"))
        form.addRow(self.tr("Address"), self.address)
        form.addRow(self.tr("Token"), self.token)
        layout.addLayout(form)
        layout.addWidget(self._make_allowed())
        self.error = QLabel()
        self.error.setObjectName("errorText")
        self.error.setWordWrap(True)
        unreadable = self._hosts.unreadable()
        self.error.setText(translated(unreadable))
        self.error.setVisible(bool(unreadable))
        layout.addWidget(self.error)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = box.addButton(self.tr("Use"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setDefault(True)
        box.accepted.connect(self._take)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.resize(480, self.sizeHint().height())

    def _make_allowed(self) -> QWidget:
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(muted(self.tr("Hosts that may receive images")))
        row = QHBoxLayout()
        self.hosts = QListWidget()
        self.hosts.setAccessibleName(self.tr("Hosts that may receive images"))
        self.hosts.setMaximumHeight(90)
        self.hosts.addItems(list(self._hosts.all()))
        self.remove = QPushButton(self.tr("Remove"))
        self.remove.setEnabled(False)
        self.hosts.currentRowChanged.connect(lambda place: self.remove.setEnabled(place >= 0))
        self.remove.clicked.connect(self._remove)
        row.addWidget(self.hosts, 1)
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(row)
        whole.setVisible(bool(self.hosts.count()))
        return whole

    def _remove(self) -> None:
        row = self.hosts.currentRow()
        try:
            self._hosts.remove(self.hosts.item(row).text())
        except LightloomError as error:
            self._fail(error)
            return
        self.hosts.takeItem(row)

    def _take(self) -> None:
        try:
            address = parse_address(self.address.text())
        except UsageError as error:
            self._fail(error)
            return
        token = self.token.text().strip()
        self.go.setEnabled(False)

        def on_saved(_: object) -> None:
            self._use(str(address))
            self.accept()

        # On a thread: a key ring may prompt for its password.
        self._jobs.run(lambda: _store_access(address, token), on_saved, self._fail)

    def _fail(self, error: LightloomError) -> None:
        self.go.setEnabled(True)
        self.error.setText(translated(str(error)))
        self.error.show()


def _store_access(address: RemoteAddress, token: str) -> None:
    from desktop.net.inference.tokens import store_token

    if token:
        store_token(address.server, token)
    if not AllowedHosts().allows(address):
        note = AllowedHosts().allow(address.host)
        if note:
            log.warning("%s", note)


class HostQuestion(QMessageBox):
    """Asks whether hosts may get frames, and goes on with an answer of either kind. Nothing waits for it."""

    def __init__(
        self,
        hosts: Sequence[str],
        then: Callable[[], None],
        fail: Callable[[LightloomError], None],
        parent: QWidget,
    ) -> None:
        """Make it; `then` is called after the response, preceded by `fail` if that could not be saved."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setWindowTitle(self.tr("Images for a server"))
        self.setText(self.tr("May images be sent to {0}?").format(", ".join(hosts)))
        self.setInformativeText(
            self.tr(
                "A network is to be computed there: the host receives the images of your camera, screen "
                "or files. You are asked once for each host; Effects > Open a network on a server takes "
                "it back."
            )
        )
        self._hosts, self._then, self._fail = hosts, then, fail
        self._allow = self.addButton(self.tr("Send images"), QMessageBox.ButtonRole.AcceptRole)
        self.setDefaultButton(self.addButton(self.tr("Don't send"), QMessageBox.ButtonRole.RejectRole))
        self.finished.connect(self._on_finished)

    def _on_finished(self, _: int) -> None:
        if self.clickedButton() is self._allow:
            try:
                for host in self._hosts:
                    note = AllowedHosts().allow(host)
                    if note:
                        self._fail(LibraryError(note))
            except LightloomError as error:
                self._fail(error)
        self._then()
