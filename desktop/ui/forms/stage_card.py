"""The card of one stage: name, switch, GPU time, state, and its parameters when it is expanded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAccessible, QContextMenuEvent, QFocusEvent, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.pipeline.chain.runner import StageSpec, StageStatus
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.param import Param, ParamValue
from desktop.ui.forms.editors import make_editor
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.editors.number import align_numbers
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import (
    IconButton,
    IconLabel,
    SideOrBelow,
    Themed,
    WheelGuard,
    WrappedLabel,
    format_ms,
    muted,
)
from desktop.vision.models.builtin import builtin_models, title_of

if TYPE_CHECKING:
    from desktop.pipeline.chain.network_feed import FeedReport

_DRAG_DISTANCE: Final = 6
LONG_TIME: Final = "~888.88 ms"  # what a card keeps room for beside its title
_MARGINS: Final = 24  # of a text, left and right
_FIRST_ROWS: Final = 3
_NONE, _ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_Keys = dict[tuple[int, Qt.KeyboardModifier], str]
_EXPAND_KEYS: Final[_Keys] = {
    (Qt.Key.Key_Return, _NONE): "expand",
    (Qt.Key.Key_Enter, _NONE): "expand",
    (Qt.Key.Key_Return, _SHIFT): "expand",
    (Qt.Key.Key_Enter, _SHIFT): "expand",
}
_STAGE_KEYS: Final[_Keys] = {
    (Qt.Key.Key_Up, _ALT): "up",
    (Qt.Key.Key_Down, _ALT): "down",
    (Qt.Key.Key_Delete, _NONE): "remove",
    (Qt.Key.Key_Backspace, _NONE): "remove",
    (Qt.Key.Key_D, _CTRL): "duplicate",
    (Qt.Key.Key_C, _CTRL): "copy",
    (Qt.Key.Key_V, _CTRL): "paste",
    (Qt.Key.Key_X, _NONE): "toggle",
}


class Card(QFrame):
    """A framed card that can be focused; its frame shows focus and failure."""

    accessible_role = QAccessible.Role.ListItem

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Preferred: limited to its hint, a text would be cut off if narrowing adds lines.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def mark(self, name: str, on: bool) -> None:
        """Set a property that the style sheet uses."""
        if bool(self.property(name)) != on:
            self.setProperty(name, on)
            self.style().unpolish(self)
            self.style().polish(self)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        self.mark("selected", True)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus."""
        self.mark("selected", False)
        super().focusOutEvent(event)

    def fitted(self, text: str) -> str:
        """Return a text with each word elided to the card's width, which a label would cut off."""
        room = max(100, self.width() - _MARGINS)
        metrics, mode = self.fontMetrics(), Qt.TextElideMode.ElideMiddle
        return re.sub(r"\S+", lambda word: metrics.elidedText(word[0], mode, room), text)


class FoldingCard(Card):
    """A card that opens and closes by its arrow, title or Enter; with Shift, others stay as they are."""

    expansion_requested = Signal(bool)
    _keys: ClassVar[_Keys] = _EXPAND_KEYS

    def __init__(self, themed: Themed, tip: str) -> None:
        """Make a card; `tip` is its arrow's tool tip."""
        super().__init__()
        self._press: QPoint | None = None
        self.expander = IconButton(themed, "chevron_right", tip)
        self.expander.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.expander.clicked.connect(lambda: self._request_expansion(QGuiApplication.keyboardModifiers()))

    def _request_expansion(self, modifiers: Qt.KeyboardModifier) -> None:
        self.expansion_requested.emit(bool(modifiers & Qt.KeyboardModifier.ShiftModifier))

    def event(self, event: QEvent) -> bool:
        """Keep a card's own keys from the window's actions."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._key_command(event)
        ):
            event.accept()
            return True
        return bool(super().event(event))

    def _key_command(self, event: QKeyEvent) -> str:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return self._keys.get((event.key(), modifiers), "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open or close on Enter, except for one with which a field has accepted its number."""
        if self._key_command(event) == "expand" and self.hasFocus():
            self._request_expansion(event.modifiers())
        else:
            super().keyPressEvent(event)

    @property
    def _head_height(self) -> int:
        layout = self.layout()
        head = layout.itemAt(0) if layout is not None else None
        return head.geometry().bottom() + 4 if head is not None else 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click on the title."""
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() < self._head_height:
            self._press = event.position().toPoint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the title opens or closes."""
        pressed, self._press = self._press, None
        if pressed is not None:
            self._request_expansion(event.modifiers())


class StageCard(FoldingCard):
    """The card of a stage.

    Signals:
        edited: a parameter's name and new value.
        command: 'remove', 'duplicate', 'reset', 'copy', 'paste', 'up', 'down', 'top', 'favorite', ...
        dragging, dropped: the pointer's global position during a drag, and at its end.
    """

    _keys = _EXPAND_KEYS | _STAGE_KEYS
    toggled = Signal(bool)
    edited = Signal(str, object)
    released = Signal()
    command = Signal(str)
    dragging = Signal(QPoint)
    dropped = Signal(QPoint)

    def __init__(self, spec: StageSpec, item: Filter | None, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(themed, self.tr("Show parameters (Shift: keep others open)"))
        self.stage_id = spec.id
        self.spec = spec
        self.item = item
        self._themed, self._guard = themed, guard
        self._moving = False
        self.editors: dict[str, FieldEditor] = {}
        self._rows: dict[str, tuple[WrappedLabel, FieldEditor]] = {}
        # Values that determined which parameters have an effect, and those parameters.
        self._checked_values: dict[str, ParamValue] | None = None
        self._acting: frozenset[str] = frozenset()
        self._initial = (item.defaults if item is not None else {}) | dict(spec.values)
        self._changed: set[str] = set()
        self.body: QWidget | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 5, 6, 5)
        layout.setSpacing(4)
        layout.addLayout(self._make_head())
        self.message = QLabel()
        self.message.setObjectName("errorText")
        self.message.setWordWrap(True)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.message.hide()
        layout.addWidget(self.message)
        self.network = muted()
        for label in (self.message, self.network):
            label.setContentsMargins(4, 0, 2, 0)  # in line with the parameters' names
        self.network.hide()
        layout.addWidget(self.network)
        self.network_details = QLabel()
        self.network_details.setObjectName("muted")
        self.network_details.setWordWrap(True)
        self.network_details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.update_spec(spec)

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(3)
        self.handle = IconLabel(self._themed, "handle")
        self.handle.setCursor(Qt.CursorShape.OpenHandCursor)
        self.handle.setToolTip(self.tr("Drag to reorder (Alt+Up, Alt+Down)"))
        self.title = WrappedLabel(self._title())
        self.title.setObjectName("cardTitle")
        self.title.setToolTip(translated(self.item.help) if self.item else "")
        self.time = QLabel()
        self.time.setObjectName("muted")
        self.power = IconButton(self._themed, "power", self.tr("Enable or disable"), checkable=True)
        self.power.toggled.connect(self._power_toggled)
        self.more = IconButton(self._themed, "more", self.tr("More"))
        self.more.clicked.connect(
            lambda: self.show_menu(self.more.mapToGlobal(QPoint(0, self.more.height())))
        )
        named = SideOrBelow(self.title, self.time, reserve=LONG_TIME, align=Qt.AlignmentFlag.AlignLeft)
        for widget in (self.handle, self.expander, named, self.power, self.more):
            head.addWidget(widget)
        head.setStretch(2, 1)
        return head

    def _title(self) -> str:
        """Return the filter's title, or that of the chosen network if it makes the image ("Stained glass")."""
        if self.item is None:
            return self.spec.filter
        use = self.item.network
        takes = next((p.tasks for p in self.item.params if use is not None and p.name == use.model), ())
        model = str(self.spec.values.get(use.model, "")) if use is not None and "image" in takes else ""
        if not model:
            return translated(self.item.title)
        bundled = builtin_models().get(model)
        return translated(bundled.title if bundled is not None else title_of(Path(model)))

    def _power_toggled(self, on: bool) -> None:
        if on != self.spec.enabled:
            self.toggled.emit(on)

    # -- what it shows ---------------------------------------------------------------------------------------

    def update_spec(self, spec: StageSpec) -> None:
        """Show another state of the stage."""
        self.spec = spec
        self.power.setChecked(spec.enabled)
        self.title.setEnabled(spec.enabled)
        self.mark("bypassed", not spec.enabled)
        title = self._title()
        if title != self.title.plain:
            self.title.setText(title)
        self.power.setAccessibleName(self.tr("{0}: on or off").format(title))
        self.more.setAccessibleName(self.tr("{0}: more").format(title))
        for name, editor in self.editors.items():
            if name in spec.values:
                editor.set_value(spec.values[name])
        self._show_rows()
        self.setAccessibleName(
            self.tr("{0}, {1}").format(title, self.tr("on") if spec.enabled else self.tr("off"))
        )

    def show_status(
        self,
        status: StageStatus | None,
        time_ms: float | None,
        *,
        still: bool = False,
        rough: bool = False,
        playing: bool = True,
    ) -> None:
        """Show the stage's state and GPU time: 'compiling' only while `playing`, no time if it is `rough`."""
        if status is None:
            return
        compiling = self.tr("compiling...") if playing else ""
        texts = {"off": self.tr("off"), "compiling": compiling, "failed": self.tr("failed")}
        running = format_ms(time_ms) if time_ms is not None and not rough else ""
        text = texts.get(status.state, running)
        if text != self.time.text():
            self.time.setText(text)
        said = translated(status.message)
        message = self.fitted(said)
        if message != self.message.text():
            self.message.setText(message)
            self.message.setToolTip(said if message != said else "")
        self.message.setVisible(bool(status.message))
        self.mark("failed", status.state == "failed")
        self._show_network(status.network if status.state != "failed" else None, still=still)

    def _show_network(self, report: FeedReport | None, *, still: bool) -> None:
        self.network.setVisible(report is not None)
        if report is None:
            return
        where, details = translated(report.description.where), translated(report.description.rest)
        pace = "" if still and report.latency_ms is not None else self._pace(report)
        # A line each: in one they would not fit, and the text would jump with its figures.
        calls = translated(report.calls.detail) if report.calls is not None else ""
        lines = "\n".join(part for part in (where, pace, calls) if part)
        if lines != self.network.text():
            self.network.setText(lines)
            self.network.setToolTip(translated(report.text))
        if details != self.network_details.text():
            self.network_details.setText(details)

    def _pace(self, report: FeedReport) -> str:
        if not report.is_asynchronous:
            return ""
        has_result = report.latency_ms is not None
        if report.fps == 0:
            # Never empty once there was a rate, or the rows below would move under the pointer.
            return self.tr("no new results") if has_result else self.tr("waiting for its first result")
        if not has_result:
            return self.tr("{0} results a second").format(decimal(report.fps, 1))
        in_step = self.tr("in step: {0} frames per second, {1} ms behind")
        newest = self.tr("{0} results a second, {1} ms behind")
        return (in_step if report.in_step else newest).format(
            decimal(report.fps, 1), f"{report.latency_ms:.0f}"
        )

    @property
    def expanded(self) -> bool:
        """True while the parameters are shown."""
        return self.body is not None and self.body.isVisibleTo(self)

    def set_expanded(self, on: bool) -> None:
        """Show or hide the parameters; their editors are made the first time."""
        if on and self.body is None:
            self.body = self._make_body()
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self.body)
        elif on:
            self._checked_values = None  # a folder may be there by now
            self._show_rows()
        if self.body is not None:
            self.body.setVisible(on)
        self.expander.set_icon("chevron_down" if on else "chevron_right")

    def _make_body(self) -> QWidget:
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(4, 4, 2, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.setColumnMinimumWidth(0, 84)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 5)
        params = self.item.params if self.item else ()
        for param in params:
            if param.name not in self._network_settings:
                self._add_row(grid, param)
        if not params:
            none = QLabel(self.tr("This effect has no parameters."))
            none.setObjectName("muted")
            grid.addWidget(none, 0, 0, 1, 2)
        self._add_more(grid)
        if self.item is not None and self.item.network is not None:
            self._add_network(grid)
        align_numbers(self.editors.values())
        self._show_rows()
        return body

    def _add_more(self, grid: QGridLayout) -> None:
        """Add the button for the parameters that are folded away."""
        self.fold = QToolButton()
        self.fold.setObjectName("fold")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._show_rows)
        grid.addWidget(self.fold, grid.rowCount(), 0, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def _rare(self, values: Mapping[str, ParamValue]) -> frozenset[str]:
        """Return the parameters to fold away: all but the first, and those changed since the card was made."""
        assert self.item is not None
        self._changed |= {name for name, value in values.items() if value != self._initial.get(name)}
        acting = [name for name in self._rows if name in self._acting]
        rare = [name for name in acting[_FIRST_ROWS:] if name not in self._changed]
        return frozenset(rare) if len(rare) > 1 and self.item.network is None else frozenset()

    @property
    def _network_settings(self) -> frozenset[str]:
        # Inferred facts of a network are rarely edited and would hide the filter's parameters.
        use = self.item.network if self.item is not None else None
        return use.params - {use.model, use.size, use.steps, *use.live} if use is not None else frozenset()

    def _add_row(self, grid: QGridLayout, param: Param) -> None:
        row = grid.rowCount()
        label = WrappedLabel(translated(param.label))
        label.setToolTip(translated(param.help))
        editor = make_editor(param, self._themed, self._guard)
        label.setBuddy(editor.main)  # names a list of choices, which calls itself by the chosen one
        label.double_clicked.connect(editor.reset)
        editor.edited.connect(lambda value, name=param.name: self.edited.emit(name, value))
        editor.released.connect(self.released)
        if param.name in self.spec.values:
            editor.set_value(self.spec.values[param.name])
        self.editors[param.name] = editor
        self._rows[param.name] = (label, editor)
        grid.addWidget(label, row, 0)
        grid.addWidget(editor, row, 1)

    def row(self, name: str) -> tuple[WrappedLabel, FieldEditor]:
        """Return a parameter's label and editor, once the card was opened."""
        return self._rows[name]

    def _add_network(self, grid: QGridLayout) -> None:
        self.network_fold = QToolButton()
        self.network_fold.setObjectName("fold")
        self.network_fold.setCheckable(True)
        self.network_fold.setToolTip(
            self.tr("Where the network runs, what was inferred from its file, and settings")
        )
        grid.addWidget(self.network_fold, grid.rowCount(), 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
        assert self.item is not None
        for param in self.item.params:
            if param.name in self._network_settings:
                self._add_row(grid, param)
        grid.addWidget(self.network_details, grid.rowCount(), 0, 1, 2)

        def show(on: bool) -> None:
            # An arrow in the text: the style sheet leaves flat buttons no space for an icon.
            self.network_fold.setText(f"{'▾' if on else '▸'} {self.tr('Network settings')}")
            self.network_details.setVisible(on)
            self._show_rows()

        self.network_fold.toggled.connect(show)
        show(False)

    def _show_rows(self) -> None:
        """Show the parameters that have an effect, less those that are folded away."""
        if self.item is None or not self._rows:
            return
        values = self.item.defaults | dict(self.spec.values)
        asked = {name: values[name] for name in self.item.controlling_params}
        # Not with every step of a slider: finding a network's kind may read from the disk.
        if asked != self._checked_values:
            self._checked_values, self._acting = asked, self.item.acting(values)
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

    # -- commands --------------------------------------------------------------------------------------------

    def show_menu(self, at: QPoint) -> None:
        """Show the stage's context menu."""
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def make_menu(self) -> QMenu:
        """Return the card's menu."""
        menu = QMenu(self)
        entries = (
            (self.tr("Reset"), "reset"),
            (self.tr("Duplicate"), "duplicate"),
            (self.tr("Copy"), "copy"),
            (self.tr("Paste after this"), "paste"),
            ("", ""),
            (self.tr("Move up"), "up"),
            (self.tr("Move down"), "down"),
            ("", ""),
            (self.tr("Open the shader file"), "open_file"),
            (self.tr("Remove"), "remove"),
        )
        for text, name in entries:
            if not name:
                menu.addSeparator()
                continue
            action = menu.addAction(text)
            action.triggered.connect(lambda _=False, name=name: self.command.emit(name))
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of a focused card."""
        name = self._key_command(event)
        if not name or name == "expand":
            super().keyPressEvent(event)
        elif name == "toggle":
            self.toggled.emit(not self.spec.enabled)
        else:
            self.command.emit(name)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the card."""
        if self._press is None:
            return
        if not self._moving:
            self._moving = (event.position().toPoint() - self._press).manhattanLength() >= _DRAG_DISTANCE
        if self._moving:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.dragging.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag; without one it is a click."""
        self.unsetCursor()
        if self._moving:
            self._moving, self._press = False, None
            self.dropped.emit(event.globalPosition().toPoint())
        else:
            super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu."""
        self.show_menu(event.globalPos())
