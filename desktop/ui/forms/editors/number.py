"""A number: an entry, with or without a slider."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QSizePolicy, QSlider, QWidget

from desktop.base.fields import Field, Number
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard

_POSITIONS: Final = 1000
_LEAST_SLIDER: Final = 28
_NUMBER_WIDTH: Final = 82
_NUMBER_PADDING: Final = 18
_DECIMAL_SIGNS: Final = ".,\u066b"
_GROUPED: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}([.,\u066b])[0-9]{3}(\1[0-9]{3})*")


def _moves_card(event: QKeyEvent) -> bool:
    """True for Alt+Up and Alt+Down, which the card handles; Qt's controls take them as plain arrows."""
    alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
    return alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)


class ResetSlider(QSlider):
    """A slider that jumps to a click; a double click resets it."""

    reset_requested = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the handle, unless the card is moved."""
        if _moves_card(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the click, then drag from there."""
        if event.button() == Qt.MouseButton.LeftButton:
            span = max(1, self.width() - 12)
            share = (event.position().x() - 6) / span
            self.setSliderDown(True)
            self.setValue(round(self.minimum() + share * (self.maximum() - self.minimum())))
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        if self.isSliderDown():
            share = (event.position().x() - 6) / max(1, self.width() - 12)
            self.setValue(round(self.minimum() + share * (self.maximum() - self.minimum())))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        if self.isSliderDown():
            self.setSliderDown(False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Reset."""
        self.setSliderDown(False)
        self.reset_requested.emit()


class NumberBox(QDoubleSpinBox):
    """A number entry that clamps on Enter or focus loss, and takes comma and point for the decimal sign in every
    locale. Qt's own rejects each digit beyond its bounds, and takes the other sign for one that groups thousands: 0.25
    was 25 in German. Without decimals, signs before three digits group in every locale; with decimals the locale's own
    sign does, unless the number is then out of bounds. `valueChanged` is emitted when an entry ends.
    """

    def __init__(self) -> None:
        super().__init__()
        # What shows the new value would replace the text while it is typed: "1.5" would end at 1.
        self.setKeyboardTracking(False)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        digits = self._digits(text)
        signs = _signs(digits)
        is_number = set(digits) <= set("0123456789+-" + _DECIMAL_SIGNS)
        if is_number and signs not in ("", self.locale().decimalPoint()):
            # What a sign means is known once all is typed; Qt's own would also leave out what groups thousands
            # wherever it stands: 1.2.3 would be 123.
            return QValidator.State.Intermediate, text, position
        found = super().validate(text, position)
        if found[0] == QValidator.State.Invalid and is_number:
            return QValidator.State.Intermediate, text, position
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Change the number, unless the card is moved."""
        if _moves_card(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def fixup(self, text: str) -> str:
        value, is_number = self._read(self._digits(text))
        if not is_number:
            return text  # the value before it comes back
        return self.textFromValue(min(max(value, self.minimum()), self.maximum())) + self.suffix()

    def _read(self, digits: str) -> tuple[float, bool]:
        """Return the number and whether there is one, as `QLocale.toDouble` does."""
        signs = _signs(digits)
        if _GROUPED.fullmatch(digits):
            whole = int(digits.replace(signs[0], ""))
            is_grouped = signs[0] == self.locale().groupSeparator()
            if self.decimals() == 0 or (is_grouped and self.minimum() <= whole <= self.maximum()):
                return float(whole), True
        if len(signs) == 1:
            digits = digits.replace(signs, self.locale().decimalPoint())
        return self.locale().toDouble(digits)

    def _digits(self, text: str) -> str:
        return text.removesuffix(self.suffix()).strip()


def _signs(digits: str) -> str:
    return "".join(sign for sign in digits if sign in _DECIMAL_SIGNS)


class NumberEditor(FieldEditor):
    """A number entry with the unit, and a slider beside it unless the field has none."""

    name = "number"
    field: Number

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        assert isinstance(field, Number)
        span = field.max - field.min
        step = field.step or (1.0 if field.whole else span / 100)
        is_stepped = field.step or field.whole
        self._positions = max(1, min(_POSITIONS, round(span / step))) if is_stepped else _POSITIONS
        self.slider = ResetSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, self._positions)
        self.slider.setPageStep(max(1, self._positions // 10))
        self.slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.slider.setMinimumWidth(60)
        self.spin = _spin_box(field, step * field.scale)
        for widget in (self.slider, self.spin) if field.has_slider else (self.spin,):
            self._name(widget)
            guard.watch(widget)
            self._row.addWidget(widget)
        if field.has_slider:
            self._row.setStretch(0, 1)
        else:
            self._row.addStretch(1)
        self.slider.valueChanged.connect(self._from_slider)
        self.slider.sliderReleased.connect(self.released)
        self.slider.reset_requested.connect(self.reset)
        self.spin.valueChanged.connect(self._from_spin)
        self.spin.editingFinished.connect(self.released)
        self.show_value(field.default)

    def _from_slider(self, position: int) -> None:
        low, high = self.spin.minimum(), self.spin.maximum()
        shown = low + (high - low) * position / self._positions
        shown = min(max(round(shown, self.spin.decimals()), low), high)
        with QSignalBlocker(self.spin):
            self.spin.setValue(shown)
        self.edited.emit(self._typed(shown))
        if not self.slider.isSliderDown():
            self.released.emit()

    def _typed(self, shown: float) -> float | int:
        return round(shown) if self.field.whole else shown / self.field.scale

    def _from_spin(self, shown: float) -> None:
        self._place(shown / self.field.scale)
        self.edited.emit(self._typed(shown))

    def _place(self, value: float) -> None:
        share = (value - self.field.min) / (self.field.max - self.field.min)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(share * self._positions))

    def add_badge(self, widget: QWidget) -> None:
        """See `FieldEditor`: left of the number, so that a card's numbers stay in a column."""
        self.slider.setMinimumWidth(_LEAST_SLIDER)
        self._row.insertWidget(self._row.indexOf(self.spin), widget)

    def set_editable(self, is_editable: bool) -> None:
        for widget in (self.slider, self.spin):
            widget.setEnabled(is_editable)

    def set_value(self, value: Any) -> None:
        if value is None:  # a network's usual one, before it is loaded
            return
        with QSignalBlocker(self.spin):
            self.spin.setValue(value * self.field.scale)
        if not self.slider.isSliderDown():
            self._place(float(value))


def _spin_box(field: Number, step: float) -> NumberBox:
    spin = NumberBox()
    decimals = 0
    if field.whole:
        step = max(1, int(step))
    else:
        while decimals < 4 and abs(round(step, decimals) - step) > 1e-9:
            decimals += 1
        decimals = max(decimals, 1 if field.scale == 1.0 else 0)
    spin.setDecimals(decimals)
    spin.setRange(field.min * field.scale, field.max * field.scale)
    spin.setSingleStep(step)
    bounds = (spin.textFromValue(spin.minimum()), spin.textFromValue(spin.maximum()))
    if field.unit:
        spin.setSuffix(f" {translated(field.unit)}")
    spin.setAlignment(Qt.AlignmentFlag.AlignRight)
    # Both bounds and the unit; the padding is that of the style sheet and of the line edit within.
    longest = max(spin.fontMetrics().horizontalAdvance(text + spin.suffix()) for text in bounds)
    spin.setFixedWidth(max(_NUMBER_WIDTH, longest + _NUMBER_PADDING))
    return spin


def align_numbers(editors: Iterable[FieldEditor]) -> None:
    """Give a card's number entries the width of the widest, to align their sliders."""
    spins = [editor.spin for editor in editors if isinstance(editor, NumberEditor)]
    for spin in spins:
        spin.setFixedWidth(max(other.minimumWidth() for other in spins))


EDITOR: Final = NumberEditor
