"""A form with a row for each `Field` of an event's action or of a live output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QFormLayout, QHBoxLayout, QLineEdit, QWidget

from desktop.base.errors import UsageError
from desktop.base.fields import Field, Value
from desktop.ui.forms.param_editors.number import NumberBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, Themed, WheelGuard

_Editor = QLineEdit | QComboBox | QCheckBox | NumberBox


class OfferBox(QComboBox):
    """A line edit with suggestions, which are looked up when the list is opened."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._offers = field.offers or tuple
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)

    def showPopup(self) -> None:
        text = self.currentText()
        blocker = QSignalBlocker(self)
        self.clear()
        self.addItems(["", *self._offers()])
        self.setEditText(text)
        del blocker
        super().showPopup()


class FieldForm(QWidget):
    """Form rows for fields.

    Attributes:
        editors: by the fields' names.

    Signals:
        edited: a field's name and its new, valid value.
        refused: why a value is invalid.
    """

    edited = Signal(str, object)
    refused = Signal(object)  # not str, which Qt would copy without what a `Text` is made of

    def __init__(self, fields: Sequence[Field], themed: Themed, guard: WheelGuard) -> None:
        super().__init__()
        self._fields = tuple(fields)
        self._themed, self._guard = themed, guard
        self._values: Mapping[str, Value] = {}
        self.editors: dict[str, _Editor] = {}
        form = QFormLayout(self)
        form.setContentsMargins(8, 0, 0, 0)
        form.setSpacing(3)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for field in self._fields:
            form.addRow(translated(field.label), self._row(field))

    def _row(self, field: Field) -> QWidget:
        editor = self._editor(field)
        editor.setAccessibleName(translated(field.label))
        editor.setToolTip(translated(field.help))
        self.editors[field.name] = editor
        if field.kind not in ("file", "folder"):
            return editor
        row = QWidget()
        inside = QHBoxLayout(row)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(2)
        browse = IconButton(self._themed, "folder", self.tr("Choose: {0}").format(translated(field.label)))
        browse.clicked.connect(lambda: self._browse(field))
        inside.addWidget(editor, 1)
        inside.addWidget(browse)
        return row

    def _editor(self, field: Field) -> _Editor:
        if field.kind == "flag":
            switch = QCheckBox()
            switch.toggled.connect(lambda on: self._set(field, on))
            return switch
        if field.kind == "choice":
            box = QComboBox()
            for choice in field.choices:
                box.addItem(translated(field.titles.get(choice, choice)), choice)
            self._guard.watch(box)
            box.activated.connect(lambda _: self._set(field, box.currentData()))
            return box
        if field.kind == "number":
            number = NumberBox()
            number.setRange(0.0, field.high)
            number.setDecimals(1)
            number.setSuffix(f" {field.unit}" if field.unit else "")
            number.setKeyboardTracking(False)
            number.setMinimumWidth(40)
            self._guard.watch(number)
            number.valueChanged.connect(lambda value: self._set(field, float(value)))
            return number
        if field.offers is not None:
            return self._offer_box(field)
        line = QLineEdit()
        line.setMinimumWidth(40)
        if field.kind == "secret":
            line.setEchoMode(QLineEdit.EchoMode.Password)
        line.editingFinished.connect(lambda: self._set(field, line.text().strip()))
        return line

    def _offer_box(self, field: Field) -> OfferBox:
        box = OfferBox(field)
        box.setMinimumWidth(40)
        self._guard.watch(box)
        line = box.lineEdit()
        if line is not None:
            line.setAccessibleName(translated(field.label))
            line.editingFinished.connect(lambda: self._set(field, box.currentText().strip()))
        box.activated.connect(lambda _: self._set(field, box.currentText().strip()))
        return box

    def _browse(self, field: Field) -> None:
        old = str(self._values.get(field.name, ""))
        if field.kind == "folder":
            path = QFileDialog.getExistingDirectory(self, translated(field.label), old)
        else:
            # Lines are appended to an existing file; nothing is overwritten.
            dont_ask = QFileDialog.Option.DontConfirmOverwrite
            path, _ = QFileDialog.getSaveFileName(self, translated(field.label), old, options=dont_ask)
        if path:
            self._set(field, str(Path(path)))

    def _set(self, field: Field, value: object) -> None:
        try:
            checked = field.check(value)
        except UsageError as error:
            self.refused.emit(str(error))
            return
        if checked != self._values.get(field.name, field.default):
            self.edited.emit(field.name, checked)

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show values; a field without one shows its default."""
        self._values = values
        for field in self._fields:
            _show(self.editors[field.name], values.get(field.name, field.default))


def _show(editor: _Editor, value: Value) -> None:
    blocker = QSignalBlocker(editor)
    if isinstance(editor, QCheckBox):
        editor.setChecked(bool(value))
    elif isinstance(editor, OfferBox):
        line = editor.lineEdit()
        if line is not None and not line.hasFocus():
            editor.setEditText(str(value))
    elif isinstance(editor, QComboBox):
        editor.setCurrentIndex(max(0, editor.findData(str(value))))
    elif isinstance(editor, NumberBox):
        editor.setValue(float(value))
    elif not editor.hasFocus() or editor.text().strip() != str(value):
        editor.setText(str(value))
        # A path or an address that is too long shows its beginning.
        editor.setCursorPosition(0)
    del blocker
