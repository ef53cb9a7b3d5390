"""A card of something that is done or not, and of how: a switch, and a row for each value of a spec."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.base.fields import Field
from desktop.ui.forms.editors import make_editors
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.stage_card import FoldingCard
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconLabel, Themed, WheelGuard


class SpecCard(FoldingCard):
    """Card that edits a spec, a frozen dataclass or None for off.

    `edited` has the new spec and the name of the changed field; `released` ends a drag and its edit.
    """

    edited = Signal(object, str)
    released = Signal()

    def __init__(
        self,
        themed: Themed,
        guard: WheelGuard,
        title: str,
        tip: str,
        fold_tip: str,
        usual: Any,
        with_value: Callable[[Any, str, Any], Any],
    ) -> None:
        """Make a card without rows; `title` and `tip` are of the switch, `fold_tip` is of the arrow.

        `usual` is the spec that the switch turns on first; `with_value` returns a spec with another value of
        a name.
        """
        super().__init__(themed, fold_tip)
        self.spec: Any = None
        self._last_spec, self._with_value = usual, with_value
        self._themed, self._guard = themed, guard
        self.setAccessibleName(title)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(6, 5, 6, 5)
        self.column.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(3)
        self.switch = QCheckBox(title)
        self.switch.setToolTip(tip)
        self.switch.toggled.connect(lambda on: self.edited.emit(self._last_spec if on else None, "on"))
        self.count = QLabel()
        self.count.setObjectName("muted")
        for widget in (IconLabel(themed, "network"), self.expander, self.switch, self.count):
            head.addWidget(widget)
        head.setStretch(2, 1)
        self.column.addLayout(head)
        self.expansion_requested.connect(lambda _: self.set_expanded(not self.expanded))
        self.body = QWidget()
        self.form = QFormLayout(self.body)
        self.form.setContentsMargins(2, 4, 2, 2)
        self.form.setSpacing(5)
        self.editors: dict[str, FieldEditor] = {}
        self.body.hide()
        self.column.addWidget(self.body)

    def add_rows(self, fields: Iterable[Field]) -> None:
        """Add a row for each of some fields; a field has the name of the value."""
        editors = make_editors(fields, self._themed, self._guard, self.change, self.released)
        self.editors |= editors
        for editor in editors.values():
            self.form.addRow(translated(editor.field.label), editor)

    @property
    def expanded(self) -> bool:
        """True while the settings are shown."""
        return self.body.isVisibleTo(self)

    def set_expanded(self, on: bool) -> None:
        """Show or hide the settings."""
        self.body.setVisible(on)
        self.expander.set_icon("chevron_down" if on else "chevron_right")

    def change(self, name: str, value: Any) -> None:
        """Apply a value that the user has changed."""
        spec = self._with_value(self._last_spec, name, value)
        if self.spec is None:
            self._last_spec = spec  # for when it is switched on
        elif spec != self.spec:
            self.edited.emit(spec, name)

    def update_spec(self, spec: Any) -> None:
        """Show another spec, None for off; the values are kept for switching on again."""
        self.spec = spec
        self._last_spec = spec or self._last_spec
        with QSignalBlocker(self.switch):
            self.switch.setChecked(spec is not None)
        for name, editor in self.editors.items():
            editor.set_value(getattr(self._last_spec, name))

    def show_count(self, text: str) -> None:
        """Show a current count beside the title."""
        if text != self.count.text():
            self.count.setText(text)
