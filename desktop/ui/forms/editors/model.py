"""A network: a list of those that suit."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QFileDialog, QSizePolicy

from desktop.base.fields import Field
from desktop.pipeline.filters.params.model import ModelParam
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.models.builtin import builtin_models


class _BrowseEntry(Enum):
    """Entries that are no network."""

    FILE = auto()
    FOLDER = auto()


class ModelEditor(FieldEditor):
    """List of suitable bundled networks and the user's chosen one, and entries to open others."""

    name = "model"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        assert isinstance(field, ModelParam)
        self._value = ""
        self._tasks = field.tasks
        self._models = [m for m in builtin_models().values() if m.task in field.tasks]
        self.box = ElidedComboBox()
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(6)
        guard.watch(self.box)
        self._name(self.box)
        self._row.addWidget(self.box)
        self.box.activated.connect(self._chosen)
        self.set_value(field.default)

    def _chosen(self, index: int) -> None:
        value = self.box.itemData(index)
        if value is _BrowseEntry.FILE:
            path, _ = QFileDialog.getOpenFileName(
                self,
                self.tr("Choose a network"),
                self._value,
                self.tr("Networks (*.onnx *.tflite *.pt2 *.pt)"),
            )
            value = path and str(Path(path))
        elif value is _BrowseEntry.FOLDER:
            path = QFileDialog.getExistingDirectory(
                self, self.tr("Choose a folder of Stable Diffusion"), self._value
            )
            value = path and str(Path(path))
        if value:
            self.edited.emit(value)
            self.released.emit()
        # Not the chosen one: the owner confirms it by `set_value`, or refuses it.
        self.set_value(self._value)

    def set_value(self, value: Any) -> None:
        self._value = str(value)
        with QSignalBlocker(self.box):
            self.box.clear()
            for model in self._models:
                self.box.addItem(translated(model.title), model.name)
                self.box.setItemData(
                    self.box.count() - 1, translated(model.help), Qt.ItemDataRole.ToolTipRole
                )
            if self.box.findData(self._value) < 0:
                shown = Path(self._value).stem if self._value else self.tr("No network")
                self.box.addItem(shown, self._value)
                self.box.setItemData(self.box.count() - 1, self._value, Qt.ItemDataRole.ToolTipRole)
            self.box.setCurrentIndex(self.box.findData(self._value))
            self.box.addItem(self.tr("Choose a file..."), _BrowseEntry.FILE)
            # Imported here: it imports all tasks, which cards without networks do not need.
            from desktop.pipeline.chain.network_stages import takes_folders

            if takes_folders(self._tasks):
                self.box.addItem(self.tr("Choose a folder..."), _BrowseEntry.FOLDER)
        self.box.setToolTip(
            translated(self.field.help) if self._value in {m.name for m in self._models} else self._value
        )


EDITOR: Final = ModelEditor
