"""A form with a row for each of some fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from desktop.base.errors import UsageError
from desktop.base.fields import Field, Value
from desktop.ui.forms.editors import make_editors
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard


class FieldForm(QWidget):
    """Form rows for fields; `edited` has a name and a valid value, `refused` why a value is invalid."""

    edited = Signal(str, object)
    refused = Signal(object)  # not str, which Qt would copy without what a `Text` is made of

    def __init__(
        self, fields: Sequence[Field], themed: Themed, guard: WheelGuard, *, indent: int = 8
    ) -> None:
        """Make rows with their labels `indent` pixels from the left."""
        super().__init__()
        self._values: Mapping[str, Value] = {}
        self.editors = make_editors(fields, themed, guard, self._set)
        form = self.rows = QFormLayout(self)
        form.setContentsMargins(indent, 0, 0, 0)
        form.setSpacing(3)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for editor in self.editors.values():
            form.addRow(translated(editor.field.label), editor)

    def _set(self, name: str, value: object) -> None:
        field = self.editors[name].field
        try:
            checked = field.check(value.strip() if isinstance(value, str) else value)
        except UsageError as error:
            self.refused.emit(str(error))
            return
        if checked != self._values.get(name, field.default):
            self.edited.emit(name, checked)

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show values; a field without one shows its default, and one that has no effect is hidden."""
        self._values = values
        shown = {name: values.get(name, each.field.default) for name, each in self.editors.items()}
        for name, editor in self.editors.items():
            editor.set_value(shown[name])
            acts = all(shown.get(other) in wanted for other, wanted in editor.field.when)
            self.rows.setRowVisible(editor, acts)
