"""The curve editor: key frames as points over time, and the numbers of the chosen one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from desktop.base.fields import Number
from desktop.base.wording import sentence
from desktop.pipeline.automation.key_frames import EASES, Ease, KeyFrame, value_at
from desktop.ui.features.automation.curves import Plot, added, added_at, moved, removed, scrolled, zoomed
from desktop.ui.forms.editors import make_editor
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import IconButton, Themed, WheelGuard, column

_EASES: Final[dict[Ease, str]] = {
    "linear": sentence("Straight to the next one"),
    "ease": sentence("Smoothly to the next one"),
    "hold": sentence("Hold until the next one"),
}
_SIZE: Final = QSize(316, 132)
_MARGIN: Final = 8
_RADIUS: Final = 4.0
_REACH: Final = 9.0
_KEYS: Final = (
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Insert,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Plus,
    Qt.Key.Key_Equal,
    Qt.Key.Key_Minus,
    Qt.Key.Key_0,
)
# Of the wheel: an eighth of a degree is its unit, 15 degrees a notch.
_TURN: Final = 120
_ZOOM: Final = 1.25
_SCROLL: Final = 0.15
_LEAST_SECONDS: Final = 0.5

Frames = tuple[KeyFrame, ...]


class KeyFramePlot(QWidget):
    """Key frames over time: drag a point, double-click to add one, Delete removes it, its menu has its ease.
    The wheel and + and - zoom, Shift with the wheel scrolls, 0 shows all.

    Signals:
        edited: the key frames after a change.
        released: a drag has ended.
        chosen: another point was chosen, or none.
        cuts_left_out: how many scene cuts got no key frame for want of room.
    """

    accessible_role = QAccessible.Role.Chart
    edited = Signal(object)
    released = Signal()
    chosen = Signal()
    cuts_left_out = Signal(int)

    def __init__(self, field: Number, seconds: float, themed: Themed) -> None:
        """Make a plot of values of a field over a time; it grows if there are later key frames."""
        super().__init__()
        self._field, self._least_seconds, self._themed = field, seconds, themed
        self.frames: Frames = ()
        self.index: int | None = None
        self.cuts: tuple[float, ...] = ()
        self._time = 0.0
        # (begin, seconds) of what is shown; None for all.
        self._view: tuple[float, float] | None = None
        self._dragged = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Key frames"))
        self.setToolTip(
            self.tr(
                "Double-click to add a key frame; drag it, or right-click for its menu; the wheel zooms, with "
                "Shift it scrolls"
            )
        )
        themed.follow(self.update)

    def sizeHint(self) -> QSize:
        return _SIZE

    @property
    def plot(self) -> Plot:
        """The mapping of times and values to positions in the widget."""
        room = self.fontMetrics().height() + 2
        size = (self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN - room)
        begin, seconds = self.view
        return Plot(_MARGIN, _MARGIN, *size, seconds, self._field.min, self._field.max, begin)

    @property
    def length(self) -> float:
        """Seconds that can be shown: those of the video, or of the key frames where they are longer."""
        last = self.frames[-1].time if self.frames else 0.0
        return max(self._least_seconds or max(10.0, 1.25 * last, self._time), last, 0.1)

    @property
    def view(self) -> tuple[float, float]:
        """(begin, seconds) of what is shown."""
        if self._view is None:
            return 0.0, self.length
        begin, seconds = self._view
        return scrolled(begin, min(seconds, self.length), self.length)

    def zoom(self, factor: float, time: float | None = None) -> None:
        """Enlarge by a factor about a time, by default that of the video if it is shown, or else the middle."""
        begin, seconds = self.view
        if time is None:
            time = self._time if begin <= self._time <= begin + seconds else begin + seconds / 2
        self._look(zoomed(self.view, factor, time, self.length, _LEAST_SECONDS))

    def scroll_by(self, share: float) -> None:
        """Show what is later, by a share of what is shown, or earlier."""
        begin, seconds = self.view
        self._look(scrolled(begin + share * seconds, seconds, self.length))

    def show_all(self) -> None:
        """Show all of the time."""
        self._look((0.0, self.length))

    def _look(self, view: tuple[float, float]) -> None:
        self._view = view if view[1] < self.length else None
        self._describe()
        self.update()

    def _reveal(self, time: float) -> None:
        """Scroll so that a time is shown."""
        begin, seconds = self.view
        if not begin <= time <= begin + seconds:
            self._look(scrolled(time - seconds / 2, seconds, self.length))

    def show_frames(self, frames: Frames) -> None:
        """Show key frames."""
        if frames != self.frames:
            self.frames = frames
            if self.index is not None and self.index >= len(frames):
                self.choose(None)
            self._describe()
            self.update()

    def show_cuts(self, times: tuple[float, ...]) -> None:
        """Mark times of scene cuts."""
        if times != self.cuts:
            self.cuts = times
            self.update()

    def show_time(self, seconds: float) -> None:
        """Show the position of the video."""
        if seconds != self._time:
            self._time = seconds
            self.update()

    def choose(self, index: int | None) -> None:
        """Choose a point, or none."""
        if index != self.index:
            self.index = index
            self._describe()
            self.chosen.emit()
            self.update()

    def _describe(self) -> None:
        text = self.tr("%n key frames", "", len(self.frames))
        if self.index is not None:
            frame = self.frames[self.index]
            shown = decimal(frame.value * self._field.scale, 2)
            chosen = self.tr("chosen: {0} at {1} s").format(shown, decimal(frame.time, 2))
            text = f"{text}; {chosen}"
        if self._view is not None:
            begin, seconds = self._view
            shown = self.tr("shown: {0} to {1} s").format(decimal(begin, 1), decimal(begin + seconds, 1))
            text = f"{text}; {shown}"
        self.setAccessibleDescription(text)

    # -- edits -----------------------------------------------------------------------------------------------

    def _set(self, frames: Frames) -> None:
        self.show_frames(frames)
        self.edited.emit(frames)

    def add(self, time: float, value: float) -> None:
        """Add a key frame and choose it."""
        frames, index = added(self.frames, KeyFrame(round(time, 3), self._rounded(value)))
        self.index = None
        self._set(frames)
        self.choose(index)
        self.released.emit()

    def add_at_position(self) -> None:
        """Add a key frame at the position of the video, with the value there."""
        value = value_at(self.frames, self._time)
        self.add(self._time, self._field.min if value is None else value)

    def add_at_cuts(self) -> None:
        """Add a key frame with the value there at each scene cut that has none, as far as there is room."""
        frames, count = added_at(self.frames, self.cuts, self._field.min)
        if frames != self.frames:
            self.choose(None)
            self._set(tuple(replace(each, value=self._rounded(each.value)) for each in frames))
            self.released.emit()
        if count:
            self.cuts_left_out.emit(count)

    def move_chosen(self, time: float, value: float) -> None:
        """Move the chosen key frame."""
        if self.index is not None:
            self._set(moved(self.frames, self.index, round(time, 3), self._rounded(value)))
            self._describe()

    def remove_chosen(self) -> None:
        """Remove the chosen key frame."""
        index = self.index
        if index is not None:
            self.choose(None)
            self._set(removed(self.frames, index))
            self.released.emit()

    def set_ease(self, ease: Ease) -> None:
        """Set the way from the chosen key frame to the next one."""
        index = self.index
        if index is not None:
            there = replace(self.frames[index], ease=ease)
            self._set((*self.frames[:index], there, *self.frames[index + 1 :]))
            self.released.emit()

    def _rounded(self, value: float) -> float:
        bounded = min(self._field.max, max(self._field.min, value))
        return float(round(bounded)) if self._field.whole else bounded

    # -- mouse and keys --------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a point, and begin to drag it."""
        at = event.position()
        self.choose(self.plot.hit(self.frames, at.x(), at.y(), _REACH))
        self._dragged = event.button() == Qt.MouseButton.LeftButton and self.index is not None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the chosen point."""
        if self._dragged:
            plot = self.plot
            self.move_chosen(plot.time_at(event.position().x()), plot.value_at(event.position().y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        if self._dragged:
            self._dragged = False
            self.released.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Add a point."""
        plot, at = self.plot, event.position()
        if plot.hit(self.frames, at.x(), at.y(), _REACH) is None:
            self.add(plot.time_at(at.x()), plot.value_at(at.y()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu of the chosen point, or of the plot."""
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard and self.index is not None:
            frame = self.frames[self.index]
            at = self.mapToGlobal(QPointF(*self.plot.point(frame.time, frame.value))).toPoint()
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def make_menu(self) -> QMenu:
        """Return the menu of the chosen point and of the plot."""
        menu = QMenu(self)
        if self.index is not None:
            for ease in EASES:
                action = menu.addAction(translated(_EASES[ease]))
                action.setCheckable(True)
                action.setChecked(self.frames[self.index].ease == ease)
                action.triggered.connect(lambda _=False, ease=ease: self.set_ease(ease))
            menu.addSeparator()
            menu.addAction(self.tr("Remove")).triggered.connect(self.remove_chosen)
            menu.addSeparator()
        if self._view is not None:
            menu.addAction(self.tr("Show all of the time")).triggered.connect(self.show_all)
        at_cuts = menu.addAction(
            self.tr("Add key frames at scene cuts")
            if self.cuts
            else self.tr("No scene cuts: find them in Playback > Scene cuts")
        )
        at_cuts.setEnabled(bool(self.cuts))
        at_cuts.triggered.connect(self.add_at_cuts)
        return menu

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer; scroll with Shift, or by a wheel that turns sideways."""
        turn = event.angleDelta()
        if turn.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.scroll_by(-(turn.x() or turn.y()) / _TURN * _SCROLL)
        else:
            self.zoom(_ZOOM ** (turn.y() / _TURN), self.plot.time_at(event.position().x()))
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Keep the plot's keys from the window's actions."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride
        if is_asked and isinstance(event, QKeyEvent) and event.key() in _KEYS:
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose by the arrow keys, remove by Delete, add at the position of the video by Insert."""
        match event.key():
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.remove_chosen()
            case Qt.Key.Key_Insert:
                self.add_at_position()
            case Qt.Key.Key_Left | Qt.Key.Key_Right if self.frames:
                step = 1 if event.key() == Qt.Key.Key_Right else -1
                index = (0 if step > 0 else len(self.frames) - 1) if self.index is None else self.index + step
                self.choose(min(len(self.frames) - 1, max(0, index)))
                if self.index is not None:
                    self._reveal(self.frames[self.index].time)
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(_ZOOM)
            case Qt.Key.Key_Minus:
                self.zoom(1 / _ZOOM)
            case Qt.Key.Key_0:
                self.show_all()
            case _:
                super().keyPressEvent(event)

    # -- painting --------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, plot = self._themed.theme, self.plot
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 1))
        painter.setBrush(QColor(theme.ground))
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, plot.height + 2 * _MARGIN - 1), 4, 4)
        painter.setPen(QPen(QColor(theme.muted), 1))
        bottom = plot.height + 2 * _MARGIN - 1
        shown = (time for time in self.cuts if plot.begin <= time <= plot.end)
        for at in sorted({round(plot.point(time, 0.0)[0]) for time in shown}):
            painter.drawLine(QPointF(at, bottom - 5), QPointF(at, bottom))
        x = plot.point(min(self._time, self.length), 0.0)[0]
        if plot.begin <= self._time <= plot.end or self._view is None:
            painter.setPen(QPen(QColor(theme.outline), 1))
            painter.drawLine(QPointF(x, 1), QPointF(x, plot.height + 2 * _MARGIN - 1))
        if self.frames:
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawPolyline(self._curve(plot))
        for index, frame in enumerate(self.frames):
            if not plot.begin <= frame.time <= plot.end:
                continue
            is_chosen = index == self.index
            painter.setPen(QPen(QColor(theme.text if is_chosen else theme.accent), 1.5))
            painter.setBrush(QColor(theme.text if is_chosen else theme.ground))
            painter.drawEllipse(QPointF(*plot.point(frame.time, frame.value)), _RADIUS, _RADIUS)
        self._paint_scale(painter, plot)

    def _curve(self, plot: Plot) -> QPolygonF:
        times = {frame.time for frame in self.frames}
        # The value before a jump.
        times |= {frame.time - 1e-6 for frame in self.frames[1:]}
        steps = max(2, round(plot.width / 3))
        times |= {plot.begin + plot.seconds * step / steps for step in range(steps + 1)}
        points = (
            (time, value_at(self.frames, time)) for time in sorted(times) if plot.begin <= time <= plot.end
        )
        return QPolygonF([QPointF(*plot.point(time, value)) for time, value in points if value is not None])

    def _paint_scale(self, painter: QPainter, plot: Plot) -> None:
        painter.setPen(QColor(self._themed.theme.muted))
        unit = f" {translated(self._field.unit)}" if self._field.unit else ""
        low, high = (f"{value * self._field.scale:g}" for value in (plot.low, plot.high))
        below = QRectF(0, plot.height + 2 * _MARGIN, self.width(), self.fontMetrics().height() + 2)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self.tr("{0} to {1}").format(low, high + unit))
        times = f"{decimal(plot.end, 1)} s"
        if self._view is not None:
            times = f"{decimal(plot.begin, 1)} – {times}"
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, times)


class KeyFrameEditor(QWidget):
    """The plot, and time and value of the chosen key frame; signals as of the plot."""

    edited = Signal(object)
    released = Signal()
    cuts_left_out = Signal(int)

    def __init__(self, field: Number, seconds: float, themed: Themed, guard: WheelGuard) -> None:
        """Make it for values of a field; `seconds` is the length of the video, 0 if it has none."""
        super().__init__()
        layout = column(self, 0, 6)
        self.plot = KeyFramePlot(field, seconds, themed)
        layout.addWidget(self.plot)
        row = QHBoxLayout()
        row.setSpacing(4)
        time = Number(
            "time",
            0.0,
            0.0,
            seconds or 1e5,
            step=0.01,
            unit="s",
            has_slider=False,
            label=sentence("Time"),
            help=sentence("Time of the key frame in the video."),
        )
        self.time, self.value = make_editor(time, themed, guard), make_editor(field, themed, guard)
        self.add = IconButton(themed, "plus", self.tr("Add a key frame at the position of the video"))
        self.remove = IconButton(themed, "trash", self.tr("Remove the key frame"))
        for widget in (self.time, self.value, self.add, self.remove):
            row.addWidget(widget)
        row.insertStretch(2, 1)
        layout.addLayout(row)
        self.plot.edited.connect(self.edited)
        self.plot.edited.connect(lambda _: self._show_chosen())
        self.plot.released.connect(self.released)
        self.plot.cuts_left_out.connect(self.cuts_left_out)
        self.plot.chosen.connect(self._show_chosen)
        self.time.edited.connect(lambda value: self._move(time=value))
        self.value.edited.connect(lambda value: self._move(value=value))
        for editor in (self.time, self.value):
            editor.released.connect(self.released)
        self.add.clicked.connect(self.plot.add_at_position)
        self.remove.clicked.connect(self.plot.remove_chosen)
        self._show_chosen()

    def show_frames(self, frames: Frames) -> None:
        """Show key frames."""
        self.plot.show_frames(frames)
        self._show_chosen()

    def show_cuts(self, times: tuple[float, ...]) -> None:
        """Mark times of scene cuts."""
        self.plot.show_cuts(times)

    def show_time(self, seconds: float) -> None:
        """Show the position of the video."""
        self.plot.show_time(seconds)

    def _show_chosen(self) -> None:
        index = self.plot.index
        for widget in (self.time, self.value, self.remove):
            widget.setEnabled(index is not None)
        if index is not None:
            frame = self.plot.frames[index]
            self.time.set_value(frame.time)
            self.value.set_value(frame.value)

    def _move(self, time: float | None = None, value: float | None = None) -> None:
        if self.plot.index is not None:
            frame = self.plot.frames[self.plot.index]
            self.plot.move_chosen(
                frame.time if time is None else time, frame.value if value is None else value
            )
