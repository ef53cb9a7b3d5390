"""The dialog of remote control: its settings, the addresses, and the code that clients need."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.features.preferences.page import SettingRow
from desktop.ui.features.remote_control.remote_control import RemoteControl
from desktop.ui.features.remote_control.settings import NETWORK, ControlSettings
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard, muted
from desktop.ui.workspace.workspace import Workspace

_WIDTH: Final = 560
# As in the rows of settings.
_TITLE: Final = 190
_SPACING: Final = 12
# Characters of a code with the field's margins.
_CODE: Final = 22


class RemoteControlDialog(QDialog):
    """Shows who can control the window; changes apply immediately."""

    def __init__(self, workspace: Workspace, themed: Themed, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Remote control"))
        self._control = control = workspace.get(RemoteControl)
        self._settings = ControlSettings(workspace.settings)
        guard = WheelGuard(self)
        layout = QVBoxLayout(self)
        self.rows = {
            setting.name: SettingRow(setting, workspace.settings, workspace.jobs, themed, guard)
            for setting in ControlSettings.all()
        }
        for row in self.rows.values():
            layout.addWidget(row)
        self.of_run = muted(
            self.tr(
                "Remote control is on for this run by --control. The settings above count once 'Allow remote "
                "control' is changed."
            )
        )
        layout.addWidget(self.of_run)
        self.warning = muted(
            self.tr(
                "Everyone in the network who has the code can control Lightloom, and nothing is encrypted. "
                "Use it in networks that you trust only."
            )
        )
        layout.addWidget(self.warning)
        form = QFormLayout()
        form.setHorizontalSpacing(_SPACING)
        self.address = QLabel()
        self.address.setTextFormat(Qt.TextFormat.RichText)
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.address.setOpenExternalLinks(True)
        self.note = muted()
        where = QVBoxLayout()
        where.addWidget(self.address)
        where.addWidget(self.note)
        form.addRow(_title(self.tr("Address"), self.address), where)
        self.code = QLineEdit()
        self.code.setReadOnly(True)
        self.code.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.code.setMinimumWidth(self.code.fontMetrics().horizontalAdvance("m" * _CODE))
        self.copy = QPushButton(self.tr("Copy"))
        self.renew = QPushButton(self.tr("New code"))
        self.renew.setToolTip(self.tr("Disconnects all that use the old one"))
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.code, 1)
        line.addWidget(self.copy)
        line.addWidget(self.renew)
        form.addRow(_title(self.tr("Code"), self.code), line)
        layout.addLayout(form)
        layout.addStretch(1)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        for button in (*box.buttons(), self.copy, self.renew):
            # Enter in a field accepts its text; it must not close the dialog.
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)
        layout.addWidget(box)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(control.token))
        self.renew.clicked.connect(control.renew_token)
        control.changed.connect(self.refresh)
        for setting in ControlSettings.all():
            workspace.settings.follow(self.refresh, setting)
        self.resize(_WIDTH, self.sizeHint().height())
        self.refresh()

    def refresh(self) -> None:
        """Show the settings and what is served."""
        for row in self.rows.values():
            row.refresh()
        is_of_run = self._control.is_of_run
        self.of_run.setVisible(is_of_run)
        self.warning.setVisible(self._settings.control_reach == NETWORK and not is_of_run)
        addresses = self._control.addresses
        self.address.setText("<br>".join(f'<a href="{each}">{each}</a>' for each in addresses))
        is_failed = (self._settings.control_on or is_of_run) and bool(self._control.fault)
        fault = translated(self._control.fault) if is_failed else self.tr("None while remote control is off.")
        self.note.setText("" if addresses else fault)
        self.note.setVisible(not addresses)
        self.address.setVisible(bool(addresses))
        self.code.setText(self._control.token if addresses else "")
        for button in (self.copy, self.renew):
            button.setEnabled(bool(addresses))
        self._grow()

    def _grow(self) -> None:
        """Take the height that more lines need."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))


def _title(text: str, field: QWidget) -> QLabel:
    title = QLabel(text)
    title.setFixedWidth(_TITLE)
    title.setBuddy(field)
    return title
