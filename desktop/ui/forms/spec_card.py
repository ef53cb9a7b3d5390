"""A card of something that is on or off: the common head, and a row for each value of its spec."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.base.fields import Field
from desktop.ui.forms.card import FoldingCard
from desktop.ui.forms.card_form import CardForm
from desktop.ui.forms.editors import make_editors
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.information import Information, field_rows
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard


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
        help_text: str,
        fold_tip: str,
        page: str,
        usual: Any,
        with_value: Callable[[Any, str, Any], Any],
    ) -> None:
        """Make a card without rows; `help_text` and `page` are for the information, `fold_tip` is the arrow's.

        `usual` is the spec that the card turns on first; `with_value` returns a spec with another value of a
        name.
        """
        super().__init__(themed, fold_tip)
        self.spec: Any = None
        self._last_spec, self._with_value = usual, with_value
        self._themed, self._guard = themed, guard
        self._title, self._help, self._page = title, help_text, page
        self.toggled.connect(lambda on: self.edited.emit(self._last_spec if on else None, "on"))
        self.expansion_requested.connect(lambda _: self.set_expanded(not self.expanded))
        self.body = QWidget()
        self.form = CardForm(self.body)
        self.editors: dict[str, FieldEditor] = {}
        self.body.hide()
        self.column.addWidget(self.body)
        self.show_head(title, is_on=False)

    def add_rows(self, fields: Iterable[Field]) -> None:
        """Add a row for each of some fields; a field has the name of the value."""
        editors = make_editors(fields, self._themed, self._guard, self.change, self.released)
        self.editors |= editors
        for editor in editors.values():
            label = self.form.add_row(translated(editor.field.label), editor, translated(editor.field.help))
            label.setBuddy(editor.main)

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
        self.show_head(self._title, is_on=spec is not None)
        for name, editor in self.editors.items():
            editor.set_value(getattr(self._last_spec, name))

    def menu_entries(self) -> Sequence[tuple[str, str]]:
        """Return all but 'remove': these cards come and go with what they apply to."""
        return tuple(entry for entry in super().menu_entries() if entry[1] != "remove")

    def information(self) -> Information:
        """See `FoldingCard`."""
        rows = field_rows(editor.field for editor in self.editors.values())
        return Information(self._title, self._help, rows, self._page)

    def show_count(self, text: str) -> None:
        """Show a current count beside the title."""
        self.show_time(text)
