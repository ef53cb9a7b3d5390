"""Dialog that asks how an effect is published as a plug-in."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import UsageError
from desktop.base.files import home_expanded
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.publishing import (
    LICENSES,
    Publication,
    publication_fault,
    publish,
    usual_name,
)
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import NoteLabel

_WIDTH: Final = 460


class PublishDialog(QDialog):
    """Asks for name, author, license and folder; says beforehand what is wrong with them.

    `published` has the folder that was written.
    """

    published = Signal(Path)

    def __init__(self, item: Filter, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Publish as plug-in"))
        self._item = item
        layout, form = QVBoxLayout(self), QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.name, self.author = QLineEdit(usual_name(item)), QLineEdit()
        self.name.setAccessibleName(self.tr("Name of the package"))
        self.author.setAccessibleName(self.tr("Author"))
        self.author.setPlaceholderText(self.tr("Your name, as users of the package see it"))
        self.license = QComboBox()
        for name in LICENSES:
            self.license.addItem(name if name != "none" else self.tr("None yet"), name)
        self.license.setAccessibleName(self.tr("License"))
        self.folder = QLineEdit(str(folder))
        self.folder.setAccessibleName(self.tr("Folder"))
        choose = QPushButton(self.tr("Choose..."))
        choose.setAutoDefault(False)
        choose.clicked.connect(self._choose)
        place = QHBoxLayout()
        place.addWidget(self.folder, 1)
        place.addWidget(choose)
        form.addRow(self.tr("Package"), self.name)
        form.addRow(self.tr("Author"), self.author)
        form.addRow(self.tr("License"), self.license)
        form.addRow(self.tr("Folder"), place)
        layout.addLayout(form)
        self.note = NoteLabel()
        layout.addWidget(self.note)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = box.addButton(self.tr("Publish"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setDefault(True)
        box.accepted.connect(self._publish)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        for line in (self.name, self.author, self.folder):
            line.textChanged.connect(self._update)
        self.author.setFocus()
        self._update()
        self.resize(_WIDTH, self.sizeHint().height())

    @property
    def _about(self) -> Publication:
        return Publication(self.name.text().strip(), self.author.text(), self.license.currentData())

    @property
    def _folder(self) -> Path:
        return home_expanded(self.folder.text().strip())

    def _choose(self) -> None:
        found = QFileDialog.getExistingDirectory(self, self.tr("Folder of the package"), self.folder.text())
        if found:
            self.folder.setText(found)

    def _update(self) -> None:
        fault = publication_fault(self._item, self._about, self._folder)
        self.ok.setEnabled(not fault)
        # Not before something was entered: an empty form is not a mistake.
        is_begun = bool(self.author.text())
        usual = self.tr("A folder with the effect, a README, a test and what pip needs is written.")
        self.note.setText(translated(fault) if fault and is_begun else usual)

    def _publish(self) -> None:
        try:
            made = publish(self._item, self._about, self._folder)
        except UsageError as error:
            self.note.setText(translated(str(error)))
            return
        self.published.emit(made)
        self.accept()
