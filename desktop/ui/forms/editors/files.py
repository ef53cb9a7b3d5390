"""Several frames as a setting: a line for each with a remove button, an add button, and room for a drop."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.base.fields import Field
from desktop.base.wording import listed
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.image_endings import ENDINGS
from desktop.ui.kit.drops import accept_copy
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import ElidedLabel, IconButton, Themed, WheelGuard, muted
from desktop.vision.tasks.task import Files


class FilesEditor(FieldEditor):
    """The names of the images."""

    name = "files"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        assert isinstance(field, Files)
        self._most = field.most
        self.paths: tuple[str, ...] = ()
        self._themed = themed
        self._lines: list[QWidget] = []
        self._layout = QVBoxLayout()
        self._row.addLayout(self._layout)
        self._layout.setSpacing(2)
        self.add = QPushButton(self.tr("Add images..."))
        self.add.setAccessibleName(self.tr("{0}: add images").format(translated(field.label)))
        self.add.setToolTip(translated(field.help))
        self.add.clicked.connect(self._choose_files)
        self._layout.addWidget(self.add)
        self.left_out = muted()
        self.left_out.hide()
        self._layout.addWidget(self.left_out)
        self.setAcceptDrops(True)

    def set_value(self, value: Any) -> None:
        paths = tuple(value)
        if paths == self.paths:
            return
        self.paths = paths
        for line in self._lines:
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines = [self._line(path) for path in paths]
        for number, line in enumerate(self._lines):
            self._layout.insertWidget(number, line)
        self.add.setEnabled(len(paths) < self._most)

    def _line(self, path: str) -> QWidget:
        name = Path(path).name
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        label = ElidedLabel(name)
        label.set_tip(path)
        remove = IconButton(self._themed, "close", self.tr("Take {0} away").format(name))
        remove.clicked.connect(lambda: self._remove(path))
        row.addWidget(label, 1)
        row.addWidget(remove)
        return line

    def _choose_files(self) -> None:
        folder = str(Path(self.paths[-1]).parent) if self.paths else ""
        kinds = self.tr("Images ({0})").format(" ".join(f"*{ending}" for ending in ENDINGS))
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose images"), folder, kinds)
        self.take(paths)

    def take(self, paths: list[str]) -> None:
        """Add images, as many as there may be, and show which are left out."""
        new = [path for path in dict.fromkeys(str(Path(path)) for path in paths) if path not in self.paths]
        together = (*self.paths, *new)
        names = translated(listed([Path(path).name for path in together[self._most :]]))
        text = self.tr("There can be {n} images at most; left out: {names}")
        self.left_out.setText(text.format(n=self._most, names=names) if names else "")
        self.left_out.setVisible(bool(names))
        self._choose(together[: self._most])

    def _remove(self, path: str) -> None:
        self.left_out.hide()
        self._choose(tuple(other for other in self.paths if other != path))

    def _choose(self, paths: tuple[str, ...]) -> None:
        if paths != self.paths:
            self.edited.emit(paths)
            self.released.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept local files; whether they are images is checked on reading."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the dropped files."""
        self.take([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])
        accept_copy(event)


EDITOR: Final = FilesEditor
