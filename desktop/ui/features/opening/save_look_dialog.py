"""Dialog that asks for the name and the purpose of a look to be saved."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.base.file_names import portable_name
from desktop.base.paths import user_preset_folder
from desktop.pipeline.setup.description import MAX_PURPOSE, MAX_TITLE, Description
from desktop.pipeline.setup.known import bundled_presets, preset_title
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import muted


def look_path(name: str) -> Path:
    """Return the file of a look of the user, by its displayed name."""
    return user_preset_folder() / f"{portable_name(name.strip())}.toml"


def is_bundled_name(name: str) -> bool:
    """Return whether a bundled look is called so, in English or in the window's language."""
    titles = [preset_title(path) for path in bundled_presets()]
    known = {*titles, *map(translated, titles)}
    return name.strip().casefold() in {each.casefold() for each in known}


def free_name(name: str) -> str:
    """Return the name for a look of the user that begins as another one: a bundled name gets a number."""
    if not is_bundled_name(name):
        return name
    numbered = (f"{name} {number}" for number in count(2))
    return next(each for each in numbered if not is_bundled_name(each) and not look_path(each).exists())


class SaveLookDialog(QDialog):
    """Asks for name and purpose; Enter saves, and says beforehand if a look of the name is replaced.

    The name of a bundled look is refused: two looks of one name could not be told apart in the library.
    """

    def __init__(
        self,
        title: str,
        save: Callable[[Path, Description], None],
        choose_file: Callable[[Description], None],
        parent: QWidget | None = None,
    ) -> None:
        """Make it with the title of the look in use; `save` receives the file, `choose_file` asks for one."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Save look"))
        self._save, self._choose_file = save, choose_file
        layout = QVBoxLayout(self)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.name, self.purpose = QLineEdit(title), QLineEdit()
        self.name.setMaxLength(MAX_TITLE)
        self.purpose.setMaxLength(MAX_PURPOSE)
        self.name.setAccessibleName(self.tr("Name of the look"))
        self.purpose.setAccessibleName(self.tr("Purpose of the look"))
        self.purpose.setPlaceholderText(self.tr("What it is for, in a sentence"))
        form.addRow(self.tr("Name"), self.name)
        form.addRow(self.tr("Purpose"), self.purpose)
        layout.addLayout(form)
        self.note = muted(self.tr("The look has the effects, their values, the network and its settings."))
        layout.addWidget(self.note)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = box.addButton(self.tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setDefault(True)
        self.elsewhere = box.addButton(self.tr("Other folder..."), QDialogButtonBox.ButtonRole.ActionRole)
        self.elsewhere.setAutoDefault(False)
        self.elsewhere.clicked.connect(self._save_elsewhere)
        box.accepted.connect(self._accept)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.name.textChanged.connect(self._update)
        self.name.selectAll()
        self.name.setFocus()
        self._update()
        self.resize(420, self.sizeHint().height())

    @property
    def description(self) -> Description:
        """Name and purpose as entered."""
        return Description(self.name.text().strip(), self.purpose.text().strip())

    def _update(self) -> None:
        name = self.name.text().strip()
        is_bundled, replaces = is_bundled_name(name), bool(name) and look_path(name).exists()
        self.ok.setEnabled(bool(name) and not is_bundled)
        self.elsewhere.setEnabled(not is_bundled)
        self.ok.setText(self.tr("Replace") if replaces else self.tr("Save"))
        if is_bundled:
            note = self.tr("A bundled look has this name; choose another one.")
        elif replaces:
            note = self.tr("There is a look of this name, which is replaced.")
        else:
            note = self.tr("The look has the effects, their values, the network and its settings.")
        self.note.setText(note)

    def _accept(self) -> None:
        description = self.description
        self._save(look_path(description.title), description)
        self.accept()

    def _save_elsewhere(self) -> None:
        description = self.description
        self.accept()
        self._choose_file(description)
