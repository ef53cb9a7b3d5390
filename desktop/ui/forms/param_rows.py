"""Rows of a filter's parameters: those that have an effect, the rare ones folded away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.param import Param, Values
from desktop.ui.forms.card_form import CardForm
from desktop.ui.forms.editors import make_editor
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.editors.number import align_numbers
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard, WrappedLabel, muted

_FIRST_ROWS: Final = 3

MakeEditor = Callable[[Param, Themed, WheelGuard], FieldEditor]


class ParamRows(QWidget):
    """Edits the values of a filter.

    Attributes:
        editors: of the parameters, by name.
        fold: shows the rare parameters; hidden without any.
        network_fold: shows the settings of the filter's network; only with a network.

    Signals:
        edited: a parameter's name and new value.
        released: a drag or an entry has ended.
    """

    edited = Signal(str, object)
    released = Signal()

    def __init__(
        self,
        item: Filter,
        values: Values,
        themed: Themed,
        guard: WheelGuard,
        *,
        make: MakeEditor = make_editor,
        details: QLabel | None = None,
        nested: bool = False,
    ) -> None:
        """Make rows that show `values`; `details` is a text among the network's settings."""
        super().__init__()
        self.form = CardForm(self, nested=nested)
        self.editors: dict[str, FieldEditor] = {}
        self._item, self._make, self._themed, self._guard = item, make, themed, guard
        self._values = values
        self._rows: dict[str, tuple[WrappedLabel, FieldEditor]] = {}
        # Values that determined which parameters have an effect, and those parameters.
        self._checked_values: dict[str, object] | None = None
        self._acting: frozenset[str] = frozenset()
        self._initial = item.defaults | dict(values)
        self._changed: set[str] = set()
        for param in item.params:
            if param.name not in self._network_settings:
                self._add_row(param)
        if not item.params:
            self.form.add_wide(muted(self.tr("This effect has no parameters.")))
        self.fold = self._make_fold()
        self.fold.toggled.connect(self._show_rows)
        if item.network is not None:
            self._add_network(details)
        align_numbers(self.editors.values())
        self._show_rows()

    def show_values(self, values: Values) -> None:
        """Show other values."""
        self._values = values
        for name, editor in self.editors.items():
            if name in values:
                editor.set_value(values[name])
        self._show_rows()

    def check_again(self) -> None:
        """Determine anew which parameters have an effect: a folder may be there by now."""
        self._checked_values = None
        self._show_rows()

    def row(self, name: str) -> tuple[WrappedLabel, FieldEditor]:
        """Return a parameter's label and editor."""
        return self._rows[name]

    def _make_fold(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("fold")
        button.setCheckable(True)
        self.form.add_fold(button)
        return button

    def _rare(self, values: Mapping[str, object]) -> frozenset[str]:
        """Return the parameters to fold away: all but the first, and those changed since the rows were made."""
        self._changed |= {name for name, value in values.items() if value != self._initial.get(name)}
        acting = [name for name in self._rows if name in self._acting]
        rare = [name for name in acting[_FIRST_ROWS:] if name not in self._changed]
        return frozenset(rare) if len(rare) > 1 and self._item.network is None else frozenset()

    @property
    def _network_settings(self) -> frozenset[str]:
        # Inferred facts of a network are rarely edited and would hide the filter's parameters.
        use = self._item.network
        return use.params - {use.model, use.size, use.steps, *use.live} if use is not None else frozenset()

    def _add_row(self, param: Param) -> None:
        editor = self._make(param, self._themed, self._guard)
        label = self.form.add_row(translated(param.label), editor, translated(param.help))
        label.setBuddy(editor.main)  # names a list of choices, which calls itself by the chosen one
        label.double_clicked.connect(editor.reset)
        editor.edited.connect(lambda value, name=param.name: self.edited.emit(name, value))
        editor.released.connect(self.released)
        if param.name in self._values:
            editor.set_value(self._values[param.name])
        self.editors[param.name] = editor
        self._rows[param.name] = (label, editor)

    def _add_network(self, details: QLabel | None) -> None:
        self.network_fold = self._make_fold()
        self.network_fold.setToolTip(
            self.tr("Where the network runs, what was inferred from its file, and settings")
        )
        for param in self._item.params:
            if param.name in self._network_settings:
                self._add_row(param)
        if details is not None:
            self.form.add_wide(details)

        def show(on: bool) -> None:
            # An arrow in the text: the style sheet leaves flat buttons no space for an icon.
            self.network_fold.setText(f"{'▾' if on else '▸'} {self.tr('Network settings')}")
            if details is not None:
                details.setVisible(on)
            self._show_rows()

        self.network_fold.toggled.connect(show)
        show(False)

    def _show_rows(self) -> None:
        """Show the parameters that have an effect, less those that are folded away."""
        values = self._item.defaults | dict(self._values)
        asked: dict[str, object] = {name: values[name] for name in self._item.controlling_params}
        # Not with every step of a slider: finding a network's kind may read from the disk.
        if asked != self._checked_values:
            self._checked_values, self._acting = asked, self._item.acting(values)
        rare = self._rare(values)
        self.fold.setVisible(bool(rare))
        count = (
            self.tr("Fewer parameters") if self.fold.isChecked() else self.tr("{0} more").format(len(rare))
        )
        # An arrow in the text: the style sheet leaves flat buttons no space for an icon.
        self.fold.setText(f"{'▾' if self.fold.isChecked() else '▸'} {count}")
        for name, row in self._rows.items():
            folded = name in self._network_settings and not self.network_fold.isChecked()
            folded |= name in rare and not self.fold.isChecked()
            for widget in row:
                widget.setVisible(name in self._acting and not folded)
