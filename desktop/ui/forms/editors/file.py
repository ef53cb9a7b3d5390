"""Base class of file editors: a button with the file's name that opens a file dialog."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QSizePolicy, QToolButton

from desktop.base.fields import Field
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, Themed, WheelGuard


@dataclass(frozen=True)
class FileWords:
    """Texts of an editor for one kind of file; `kinds` is the dialog's filter: a name and patterns."""

    empty: str
    caption: str
    kinds: str
    clear: str


class FileEditor(FieldEditor):
    """A file name, with buttons to choose another file and to clear it."""

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self._path = ""
        self._words = self.words()
        self.choose = QToolButton()
        self.choose.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.choose.setMinimumWidth(60)
        self._name(self.choose)
        self.clear = IconButton(themed, "close", self._words.clear)
        self._row.addWidget(self.choose, 1)
        self._row.addWidget(self.clear)
        self.choose.clicked.connect(self._choose_file)
        self.clear.clicked.connect(self.reset)
        self.set_value("")

    def words(self) -> FileWords:
        """Return the texts for this kind of file."""
        raise NotImplementedError

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, self._words.caption, self._path, self._words.kinds)
        if path:
            path = str(Path(path))
            self.set_value(path)
            self.edited.emit(path)
            self.released.emit()

    def set_value(self, value: Any) -> None:
        self._path = str(value)
        name = self._path.replace("\\", "/").rpartition("/")[2]
        self.choose.setText(name.replace("&", "&&") or self._words.empty)
        self.choose.setToolTip(self._path or translated(self.field.help))
        self.clear.setVisible(bool(self._path))
