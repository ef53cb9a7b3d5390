"""A name of those that there are: a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtWidgets import QComboBox

from desktop.base.fields import Field
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tasks.task import Features, Word


class WordEditor(FieldEditor):
    """A list of names, 'auto' for the network's own."""

    name = "word"

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.box = QComboBox()
        self._name(self.box)
        self._row.addWidget(self.box, 1)
        guard.watch(self.box)
        self._fill([], "")
        self.box.activated.connect(self._chosen)

    def _chosen(self) -> None:
        self.edited.emit(self.box.currentData())
        self.released.emit()

    def use(self, field: Field, features: Features) -> None:
        """See FieldEditor; offers the names that there are, and says what 'auto' is."""
        self.field = field
        assert isinstance(field, Word)
        self._fill(field.known(), str(features.usual.get(field.name, "")))

    def _fill(self, known: Sequence[tuple[str, str]], usual: str) -> None:
        shown = self.box.currentData() or ""
        title = dict(known).get(usual, "")
        auto = self.tr("auto")
        self.box.clear()
        self.box.addItem(f"{auto} ({translated(title)})" if title else auto, "")
        for name, title in known:
            self.box.addItem(translated(title), name)
        self.set_value(shown)

    def set_value(self, value: Any) -> None:
        """See FieldEditor; a name that there is not is shown all the same."""
        if self.box.findData(value) < 0:
            self.box.addItem(value, value)
        self.box.setCurrentIndex(self.box.findData(value))


EDITOR: Final = WordEditor
