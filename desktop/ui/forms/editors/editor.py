"""Base class of the fields' editors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.base.fields import Field
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard

if TYPE_CHECKING:
    from desktop.vision.tasks.task import Features


class FieldEditor(QWidget):
    """Editor of one value. Each subclass has its own file here; `Field.editor` refers to it by `name`.

    Attributes:
        usual: the value if none is set, and after a reset: the field's default, or a network's own.
        main: the widget that takes the keyboard focus.

    Signals:
        edited: the user chose another value.
        typed: the text so far, which may become a value.
        released: a drag or an entry has ended; what follows is a separate edit.
    """

    accessible_role = QAccessible.Role.Grouping
    name: ClassVar[str]
    edited = Signal(object)
    typed = Signal(str)
    released = Signal()

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__()
        self.field = field
        self.usual: Any = field.default
        self.main: QWidget = self
        self.setAccessibleName(translated(field.label))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)

    def set_value(self, value: Any) -> None:
        """Show a value without emitting `edited`."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Show a value as `set_value` does, None for the usual one."""
        self.set_value(self.usual if value is None else value)

    def use(self, field: Field, features: Features) -> None:
        """Edit the same field of a loaded network, which may have another usual value."""
        self.field = field
        self.usual = features.usual.get(field.name, field.default)

    def add_badge(self, widget: QWidget) -> None:
        """Add a badge next to the value."""
        self._row.addWidget(widget)

    def set_editable(self, is_editable: bool) -> None:
        """Let the value be changed, or only be shown."""
        self.main.setEnabled(is_editable)

    def reset(self) -> None:
        """Restore the usual value."""
        self.set_value(self.usual)
        self.edited.emit(self.usual)
        self.released.emit()

    def _name(self, widget: QWidget) -> None:
        if self.main is self:
            self.main = widget
        widget.setAccessibleName(translated(self.field.label))
        widget.setAccessibleDescription(translated(self.field.help))
        if self.field.help:
            widget.setToolTip(translated(self.field.help))
