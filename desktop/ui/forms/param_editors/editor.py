"""Base class of parameter editors."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.pipeline.filters.param import Param
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard


class ParamEditor(QWidget):
    """Editor of one value. Each subclass has its own file here; `Param.editor` refers to it by name.

    Attributes:
        name: the name by which parameter types refer to it.
        main: the widget that takes the keyboard focus.

    Signals:
        edited: the user chose another value.
        released: a drag or an entry has ended; what follows is a separate edit.
    """

    accessible_role = QAccessible.Role.Grouping
    name: ClassVar[str]
    edited = Signal(object)
    released = Signal()

    def __init__(self, param: Param, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.param = param
        self.main: QWidget = self
        self.setAccessibleName(translated(param.label))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)

    @classmethod
    def make(cls, param: Param, themed: Themed, guard: WheelGuard) -> Self:
        """Make an editor for a card; a subclass takes what it needs from the arguments."""
        return cls(param)

    def set_value(self, value: Any) -> None:
        """Show a value without emitting `edited`."""
        raise NotImplementedError

    def reset(self) -> None:
        """Restore the default."""
        self.set_value(self.param.default)
        self.edited.emit(self.param.default)
        self.released.emit()

    def _name(self, widget: QWidget) -> None:
        if self.main is self:
            self.main = widget
        widget.setAccessibleName(translated(self.param.label))
        widget.setAccessibleDescription(translated(self.param.help))
        if self.param.help:
            widget.setToolTip(translated(self.param.help))
