"""Sliders, switches and lists for the controls of the camera in use."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from desktop.base.fields import Field, Selection
from desktop.media.sources._camera_controls import CameraControl
from desktop.ui.features.camera.camera_controls import CameraControls
from desktop.ui.forms.editors import make_editors
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard, WrappedLabel, column, muted, scrolled

_LABEL_WIDTH: Final = 140


class ControlsPanel(QWidget):
    """A row for each control, and a button that puts all of them back."""

    def __init__(self, controls: CameraControls, themed: Themed) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._controls, self._themed = controls, themed
        self._guard = WheelGuard(self)
        self._made_for: tuple[object, ...] = ()
        self._held = ""
        self.editors: dict[str, FieldEditor] = {}
        layout = column(self, 8, 6)
        self.note = muted()
        self.problem = QLabel()
        self.problem.setObjectName("errorText")
        self.problem.setWordWrap(True)
        self.body = QWidget()
        self.form = QFormLayout(self.body)
        self.form.setContentsMargins(0, 0, 4, 0)
        self.form.setSpacing(5)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.back = QPushButton(self.tr("Reset to defaults"))
        self.back.clicked.connect(controls.put_back)
        layout.addWidget(self.note)
        layout.addWidget(self.problem)
        layout.addWidget(scrolled(self.body), 1)
        layout.addWidget(self.back)
        controls.changed.connect(self.refresh)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Refresh: the camera may have changed values by itself meanwhile."""
        super().showEvent(event)
        self._controls.read_again()

    def refresh(self) -> None:
        """Show the camera's controls as last read."""
        found = [c for c in self._controls.controls if c.field.min < c.field.max]
        shape = tuple(control.field for control in found)
        if shape != self._made_for:
            self._made_for = shape
            self._make(found)
        self.body.setVisible(bool(found))
        self.back.setVisible(bool(found))
        self.note.setVisible(not found)
        if not found:
            self.note.setText(
                self.tr("This camera, or this system, has no controls that can be set from here.")
                if self._controls.has_camera
                else self.tr("Open a camera to set its exposure, focus and colors.")
            )
        problem = self._controls.problem
        self.problem.setText(translated(problem))
        self.problem.setVisible(bool(problem))
        names = {control.name: translated(control.field.label) for control in found}
        for control in found:
            self._show(control, names)

    def _make(self, found: list[CameraControl]) -> None:
        while self.form.rowCount():
            self.form.removeRow(0)
        fields = [_field(control) for control in found]
        self.editors = make_editors(fields, self._themed, self._guard, self._edit, self._let_go)
        for editor in self.editors.values():
            label = WrappedLabel(translated(editor.field.label))
            label.setFixedWidth(_LABEL_WIDTH)
            self.form.addRow(label, editor)

    def _show(self, control: CameraControl, names: dict[str, str]) -> None:
        editor = self.editors[control.name]
        editor.setEnabled(control.is_settable)
        editor.setToolTip(
            self.tr("Set by: {0}").format(names.get(control.automatic, control.automatic))
            if control.automatic
            else self.tr("The camera does not take it now")
            if control.locked
            else ""
        )
        # A control being moved is ahead of the camera.
        if control.name != self._held:
            value = control.value
            editor.set_value(str(value) if isinstance(control.field, Selection) else value)

    def _edit(self, name: str, value: Any) -> None:
        self._held = name
        self._controls.set(name, int(value))

    def _let_go(self) -> None:
        self._held = ""


def _field(control: CameraControl) -> Field:
    """Return the field of a control; titles that are ambiguous have their number appended."""
    field = control.field
    if not isinstance(field, Selection):
        return field
    names = list(field.titles.values())
    titles = {
        value: name if name and names.count(name) == 1 else f"{name} ({value})".strip()
        for value, name in field.titles.items()
    }
    return replace(field, titles=titles)
