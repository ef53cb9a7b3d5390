"""One of several names: a list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QSizePolicy

from desktop.base.fields import Field, Option
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard


class ChoiceEditor(FieldEditor):
    """A list of choices; a value that is none of them is shown all the same."""

    name = "choice"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self._value: Any = field.default
        self.box = ElidedComboBox()
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(6)
        guard.watch(self.box)
        self._name(self.box)
        self._row.addWidget(self.box)
        self.offer(field.options)
        self.box.activated.connect(self._chosen)

    def _chosen(self, index: int) -> None:
        self._value = self.box.itemData(index)
        self.edited.emit(self._value)
        self.released.emit()

    def offer(self, options: Sequence[Option]) -> None:
        """Offer other choices; the value stays, whether it is among them or not."""
        with QSignalBlocker(self.box):
            self.box.clear()
            for value, title in options:
                self.box.addItem(translated(title), value)
        self.set_value(self._value)

    def set_value(self, value: Any) -> None:
        self._value = value
        index = next((n for n in range(self.box.count()) if self.box.itemData(n) == value), -1)
        with QSignalBlocker(self.box):
            if index < 0 and isinstance(value, str):
                self.box.addItem(self.missing(value), value)
                index = self.box.count() - 1
            self.box.setCurrentIndex(index)

    def missing(self, value: str) -> str:
        """Return the label of a value that is not offered."""
        return self.tr("{0} (not found)").format(Path(value).name)


EDITOR: Final = ChoiceEditor
