"""One editor for each type of parameter, made from its declaration."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QColorDialog,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QWidget,
)

from desktop.compute.filters.description import Param
from desktop.compute.models.builtin import builtin_models
from desktop.ui.language import translated
from desktop.ui.widgets import ElidedLabel, IconButton, Themed, WheelGuard

_POSITIONS: Final = 1000
_NUMBER_WIDTH: Final = 82
_NUMBER_PADDING: Final = 18
_STEPS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class ParamEditor(QWidget):
    """Shows and edits one value.

    Signals:
        edited: the user chose another value.
        released: a drag or an entry has ended; what comes next is another edit.
    """

    accessible_role = QAccessible.Role.Grouping
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

    def set_value(self, value: Any) -> None:
        """Show a value without telling of it."""
        raise NotImplementedError

    def reset(self) -> None:
        """Go back to the default."""
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


def _moves_card(event: QKeyEvent) -> bool:
    """True for Alt+Up and Alt+Down, which Qt's controls take as plain arrows; ignored, they come to the card."""
    alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
    return alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)


class ResetSlider(QSlider):
    """A slider that jumps to where it is clicked; a double click resets."""

    reset_asked = Signal()

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
        """Let go."""
        if self.isSliderDown():
            self.setSliderDown(False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Reset."""
        self.setSliderDown(False)
        self.reset_asked.emit()


class NumberBox(QDoubleSpinBox):
    """A number entry that takes any number and brings it within its bounds on Enter, or when the focus leaves.

    Qt's own refuses each digit that would lead out of them, so that 99999 up to 64 becomes 9.
    """

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """See QAbstractSpinBox."""
        found = super().validate(text, position)
        is_number = set(self._digits(text)) <= set("0123456789+-" + self.locale().decimalPoint())
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
        """See QAbstractSpinBox."""
        value, is_number = self.locale().toDouble(self._digits(text))
        if not is_number:
            return text  # the value before it comes back
        return self.textFromValue(min(max(value, self.minimum()), self.maximum())) + self.suffix()

    def _digits(self, text: str) -> str:
        return text.removesuffix(self.suffix()).strip()


class NumberEditor(ParamEditor):
    """A slider and a number entry with the unit."""

    def __init__(self, param: Param, guard: WheelGuard, parent: QWidget | None = None) -> None:
        super().__init__(param, parent)
        whole = param.type == "int"
        span = param.max - param.min
        step = param.step or (1.0 if whole else span / 100)
        self._positions = max(1, min(_POSITIONS, round(span / step))) if param.step or whole else _POSITIONS
        self.slider = ResetSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, self._positions)
        self.slider.setPageStep(max(1, self._positions // 10))
        self.slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.slider.setMinimumWidth(60)
        self.spin = _spin_box(param, step)
        for widget in (self.slider, self.spin):
            self._name(widget)
            widget.installEventFilter(guard)
            widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._row.addWidget(widget)
        self._row.setStretch(0, 1)
        self.slider.valueChanged.connect(self._from_slider)
        self.slider.sliderReleased.connect(self.released)
        self.slider.reset_asked.connect(self.reset)
        self.spin.valueChanged.connect(self._from_spin)
        self.spin.editingFinished.connect(self.released)
        self.set_value(param.default)

    def _from_slider(self, position: int) -> None:
        value = self.param.min + (self.param.max - self.param.min) * position / self._positions
        value = min(max(round(value, self.spin.decimals()), self.param.min), self.param.max)
        with QSignalBlocker(self.spin):
            self.spin.setValue(value)
        self.edited.emit(self._typed(value))
        if not self.slider.isSliderDown():
            self.released.emit()

    def _typed(self, value: float) -> float | int:
        return round(value) if self.param.type == "int" else value

    def _from_spin(self, value: float) -> None:
        self._place(value)
        self.edited.emit(self._typed(value))

    def _place(self, value: float) -> None:
        share = (value - self.param.min) / (self.param.max - self.param.min)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(share * self._positions))

    def set_value(self, value: Any) -> None:
        """See ParamEditor."""
        with QSignalBlocker(self.spin):
            self.spin.setValue(float(value))
        if not self.slider.isSliderDown():
            self._place(float(value))


def _spin_box(param: Param, step: float) -> NumberBox:
    spin = NumberBox()
    decimals = 0
    if param.type == "int":
        step = max(1, int(step))
    else:
        while decimals < 4 and abs(round(step, decimals) - step) > 1e-9:
            decimals += 1
        decimals = max(decimals, 1)
    spin.setDecimals(decimals)
    spin.setRange(param.min, param.max)
    spin.setSingleStep(step)
    bounds = (spin.textFromValue(spin.minimum()), spin.textFromValue(spin.maximum()))
    if param.unit:
        spin.setSuffix(f" {translated(param.unit)}")
    spin.setKeyboardTracking(False)
    spin.setAlignment(Qt.AlignmentFlag.AlignRight)
    # Both bounds and the unit; the padding is that of the style sheet and of the line edit within.
    longest = max(spin.fontMetrics().horizontalAdvance(text + spin.suffix()) for text in bounds)
    spin.setFixedWidth(max(_NUMBER_WIDTH, longest + _NUMBER_PADDING))
    return spin


def align_numbers(editors: Iterable[ParamEditor]) -> None:
    """Give the number entries of a card one width, that of the widest, so that their sliders end at one line."""
    spins = [editor.spin for editor in editors if isinstance(editor, NumberEditor)]
    for spin in spins:
        spin.setFixedWidth(max(other.minimumWidth() for other in spins))


class BoolEditor(ParamEditor):
    """A check box."""

    def __init__(self, param: Param, parent: QWidget | None = None) -> None:
        super().__init__(param, parent)
        self.box = QCheckBox()
        self._name(self.box)
        self._row.addWidget(self.box)
        self._row.addStretch(1)
        self.box.toggled.connect(self._toggled)

    def _toggled(self, on: bool) -> None:
        self.edited.emit(on)
        self.released.emit()

    def set_value(self, value: Any) -> None:
        """See ParamEditor."""
        with QSignalBlocker(self.box):
            self.box.setChecked(bool(value))


class ElidedComboBox(QComboBox):
    """A list whose chosen entry ends in an ellipsis where it does not fit; Qt's own cuts it off."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """See QWidget."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, field.width() - 2
        )
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class ChoiceEditor(ParamEditor):
    """A list of choices."""

    def __init__(self, param: Param, guard: WheelGuard, parent: QWidget | None = None) -> None:
        super().__init__(param, parent)
        self.box = ElidedComboBox()
        self.box.addItems([translated(choice) for choice in param.choices])
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(6)
        self.box.installEventFilter(guard)
        self._name(self.box)
        self._row.addWidget(self.box)
        self.box.activated.connect(self._chosen)

    def _chosen(self, index: int) -> None:
        self.edited.emit(self.param.choices[index])
        self.released.emit()

    def set_value(self, value: Any) -> None:
        """See ParamEditor."""
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(self.param.choices.index(str(value)))


class ColorEditor(ParamEditor):
    """A button in the colour; it opens the colour dialog."""

    def __init__(self, param: Param, parent: QWidget | None = None) -> None:
        super().__init__(param, parent)
        self._color = QColor(Qt.GlobalColor.black)
        self.button = _Swatch()
        self._name(self.button)
        self._row.addWidget(self.button)
        self._row.addStretch(1)
        self.button.clicked.connect(self._ask)

    def _ask(self) -> None:
        dialog = QColorDialog(self._color, self)
        dialog.setOption(QColorDialog.ColorDialogOption.ShowAlphaChannel)
        dialog.currentColorChanged.connect(self._chosen)
        before = QColor(self._color)
        if not dialog.exec():
            self._chosen(before)
        self.released.emit()

    def _chosen(self, color: QColor) -> None:
        self._color = color
        self.button.set_color(color)
        self.edited.emit((color.redF(), color.greenF(), color.blueF(), color.alphaF()))

    def set_value(self, value: Any) -> None:
        """See ParamEditor."""
        self._color = QColor.fromRgbF(*(max(0.0, min(1.0, float(v))) for v in value))
        self.button.set_color(self._color)


class _Swatch(QPushButton):
    """A button that shows a colour and its hexadecimal value."""

    def __init__(self) -> None:
        super().__init__()
        self._color = QColor()
        self.setMinimumWidth(104)

    def sizeHint(self) -> QSize:
        """See QWidget."""
        return QSize(112, super().sizeHint().height())

    def set_color(self, color: QColor) -> None:
        """Show a colour."""
        self._color = color
        self.setText("      " + color.name().upper())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """See QWidget."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().mid().color(), 1))
        painter.setBrush(self._color)
        painter.drawRoundedRect(QRectF(7.5, self.height() / 2 - 7.5, 15, 15), 3, 3)


class PointEditor(ParamEditor):
    """A small field with a dot to drag; arrow keys move it."""

    def __init__(self, param: Param, parent: QWidget | None = None) -> None:
        super().__init__(param, parent)
        self.pad = _Pad()
        self._name(self.pad)
        self.text = ElidedLabel()
        self.text.setObjectName("muted")
        self.text.setMinimumWidth(90)
        self._row.addWidget(self.pad)
        self._row.addWidget(self.text, 1)
        self.pad.moved.connect(self._moved)
        self.pad.released.connect(self.released)
        self.pad.reset_asked.connect(self.reset)

    def _moved(self, x: float, y: float) -> None:
        self.set_value((x, y))
        self.edited.emit((x, y))

    def set_value(self, value: Any) -> None:
        """See ParamEditor."""
        x, y = (float(v) for v in value)
        self.pad.set_point(x, y)
        self.text.setText(f"{x * 100:.0f} %, {y * 100:.0f} %")


class _Pad(QWidget):
    """The field of a `PointEditor`."""

    accessible_role = QAccessible.Role.Slider

    moved = Signal(float, float)
    released = Signal()
    reset_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._at = (0.5, 0.5)
        self.setFixedSize(96, 54)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_point(self, x: float, y: float) -> None:
        """Put the dot somewhere, 0..1 from the left upper corner."""
        self._at = (x, y)
        self.update()

    def _go(self, x: float, y: float) -> None:
        self.moved.emit(round(max(0.0, min(1.0, x)), 3), round(max(0.0, min(1.0, y)), 3))

    def _follow(self, point: QPointF) -> None:
        self._go(point.x() / self.width(), point.y() / self.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the dot."""
        self._follow(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag it."""
        self._follow(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self.released.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Reset."""
        self.reset_asked.emit()

    def event(self, event: QEvent) -> bool:
        """Keep the arrow keys from the window's actions."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in _STEPS
        ):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by arrow keys."""
        step = _STEPS.get(Qt.Key(event.key())) if event.key() in _STEPS else None
        if step is None:
            super().keyPressEvent(event)
            return
        self._go(self._at[0] + 0.02 * step[0], self._at[1] + 0.02 * step[1])
        self.released.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """See QWidget."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        line = palette.highlight().color() if self.hasFocus() else palette.mid().color()
        painter.setPen(QPen(line, 1))
        painter.setBrush(palette.window())
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.highlight())
        x, y = self._at
        painter.drawEllipse(QPointF(6 + x * (self.width() - 12), 6 + y * (self.height() - 12)), 4.5, 4.5)


class FileEditor(ParamEditor):
    """The name of a file, with buttons to choose another and to take it away."""

    def __init__(self, param: Param, themed: Themed, parent: QWidget | None = None) -> None:
        super().__init__(param, parent)
        self._path = ""
        is_table = param.type == "lut"
        self._empty = self.tr("Choose a .cube file...") if is_table else self.tr("Choose a picture...")
        self._caption = self.tr("Choose a table") if is_table else self.tr("Choose a picture")
        self._kinds = self.tr("Colour tables (*.cube)") if is_table else _pictures()
        self.choose = QToolButton()
        self.choose.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.choose.setMinimumWidth(60)
        self._name(self.choose)
        self.clear = IconButton(
            themed, "close", self.tr("Use no table") if is_table else self.tr("Use no picture")
        )
        self._row.addWidget(self.choose, 1)
        self._row.addWidget(self.clear)
        self.choose.clicked.connect(self._ask)
        self.clear.clicked.connect(self.reset)
        self.set_value("")

    def _ask(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, self._caption, self._path, self._kinds)
        if path:
            self.set_value(path)
            self.edited.emit(path)
            self.released.emit()

    def set_value(self, value: Any) -> None:
        """See ParamEditor."""
        self._path = str(value)
        name = self._path.replace("\\", "/").rpartition("/")[2]
        self.choose.setText(name or self._empty)
        self.choose.setToolTip(self._path or translated(self.param.help))
        self.clear.setVisible(bool(self._path))


class ModelEditor(ParamEditor):
    """A list of the networks in the box that suit, the user's own where one is chosen, and an entry to choose another."""

    def __init__(self, param: Param, guard: WheelGuard, parent: QWidget | None = None) -> None:
        super().__init__(param, parent)
        self._value = ""
        self._models = [m for m in builtin_models().values() if m.task in param.tasks]
        self.box = ElidedComboBox()
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(6)
        self.box.installEventFilter(guard)
        self._name(self.box)
        self._row.addWidget(self.box)
        self.box.activated.connect(self._chosen)
        self.set_value(param.default)

    def _chosen(self, index: int) -> None:
        value = self.box.itemData(index)
        if value is None:
            value, _ = QFileDialog.getOpenFileName(
                self, self.tr("Choose a network"), self._value, self.tr("Networks (*.onnx)")
            )
        if value:
            self.edited.emit(value)
            self.released.emit()
        self.set_value(value or self._value)

    def set_value(self, value: Any) -> None:
        """See ParamEditor."""
        self._value = str(value)
        with QSignalBlocker(self.box):
            self.box.clear()
            for model in self._models:
                self.box.addItem(translated(model.title), model.name)
                self.box.setItemData(
                    self.box.count() - 1, translated(model.help), Qt.ItemDataRole.ToolTipRole
                )
            if self.box.findData(self._value) < 0:
                shown = Path(self._value).stem if self._value else self.tr("No network")
                self.box.addItem(shown, self._value)
                self.box.setItemData(self.box.count() - 1, self._value, Qt.ItemDataRole.ToolTipRole)
            self.box.setCurrentIndex(self.box.findData(self._value))
            self.box.addItem(self.tr("Choose a file..."), None)
        self.box.setToolTip(
            translated(self.param.help) if self._value in {m.name for m in self._models} else self._value
        )


def _pictures() -> str:
    endings = " ".join(
        f"*{suffix}" for suffix in (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".avif")
    )
    return QCoreApplication.translate("FileEditor", "Pictures ({0})").format(endings)


def make_editor(param: Param, themed: Themed, guard: WheelGuard) -> ParamEditor:
    """Return the editor for a parameter."""
    match param.type:
        case "float" | "int":
            return NumberEditor(param, guard)
        case "bool":
            return BoolEditor(param)
        case "choice":
            return ChoiceEditor(param, guard)
        case "color":
            return ColorEditor(param)
        case "point":
            return PointEditor(param)
        case "lut" | "image":
            return FileEditor(param, themed)
        case "model":
            return ModelEditor(param, guard)
