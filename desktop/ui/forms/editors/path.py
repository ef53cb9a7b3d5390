"""The path of a file that is written, or of a folder: a line and a button that opens a dialog."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog

from desktop.base.fields import Field, Folder
from desktop.ui.forms.editors.text import TextEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, Themed, WheelGuard


class PathEditor(TextEditor):
    """A path, typed or chosen."""

    name = "path"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        if isinstance(field, Folder):
            self.line.setPlaceholderText(str(field.usual() or ""))
        choose = IconButton(themed, "folder", self.tr("Choose: {0}").format(translated(field.label)))
        choose.clicked.connect(self._choose)
        self._row.addWidget(choose)

    def parsed(self, text: str) -> str:
        """See TextEditor; the usual folder stays the usual one, whatever it is called some day."""
        is_usual = isinstance(self.field, Folder) and text and Path(text) == self.field.usual()
        return "" if is_usual else text

    def _choose(self) -> None:
        title, old = translated(self.field.label), self.line.text() or self.line.placeholderText()
        if isinstance(self.field, Folder):
            path = QFileDialog.getExistingDirectory(self, title, old)
        else:
            # Lines are appended to an existing file; nothing is overwritten.
            dont_ask = QFileDialog.Option.DontConfirmOverwrite
            path, _ = QFileDialog.getSaveFileName(self, title, old, options=dont_ask)
        if path:
            self.line.setText(str(Path(path)))
            self._finished()


EDITOR: Final = PathEditor
