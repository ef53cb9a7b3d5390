"""Notices over the frame, one at a time: errors stay until dismissed or resolved, information disappears."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QKeyEvent,
    QPainterPath,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop.ui.kit.messages import Messages, Notice, NoticeButton
from desktop.ui.kit.open_outside import open_outside
from desktop.ui.kit.widgets import IconButton, IconLabel, Themed, column

_READ_MS: Final = 6000
_WIDEST: Final = 340
_LOWEST: Final = 72
_EDGE: Final = 12
_RADIUS: Final = 8
_ICONS: Final = {
    "error": ("error", "error"),
    "warning": ("warning", "warning"),
    "info": ("info", "accent"),
    "hint": ("info", "accent"),
}
# Information first, since it disappears by itself; then what failed. Within each the newest comes first, but
# information in the order in which it came, since each has its time.
_ORDER: Final = {"info": 0, "error": 1, "warning": 2, "hint": 2}


class _Button(QPushButton):
    """A button of a notice. A click does not take the focus, which would be lost with the notice."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setObjectName("rowButton")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class _Text(QScrollArea):
    """The text of a notice, which scrolls if it is too long."""

    accessible_role = QAccessible.Role.Grouping

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Text of the notice"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._label = QLabel(text)
        self._label.setWordWrap(True)
        self._label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        # A path has no spaces to break at, and must not widen the window.
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setWidget(self._label)

    def fit(self, width: int, room: int) -> None:
        """Take the height of the text at a width, at most `room`."""
        self._label.ensurePolished()
        height = self._label.heightForWidth(width)
        height = max(1, height)
        self.setFixedHeight(min(height, room))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if height > room else Qt.FocusPolicy.NoFocus)


class _Row(QFrame):
    """One notice."""

    dismissed = Signal()
    next_wanted = Signal()
    all_dismissed = Signal()
    folder_wanted = Signal()

    def __init__(self, notice: Notice, themed: Themed, read_ms: int) -> None:
        super().__init__()
        self.notice = notice
        self.setObjectName("notice")
        self.setProperty("level", notice.level)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(notice.text)
        rows = column(self, 0, 4)
        rows.setContentsMargins(10, 8, 6, 8)
        self._head = QHBoxLayout()
        self._head.setSpacing(8)
        name, role = _ICONS[notice.level]
        self._icon = IconLabel(themed, name, role=role)
        self._text = _Text(notice.text)
        self._close = IconButton(themed, "close", self.tr("Dismiss"))
        self._close.clicked.connect(self.dismissed)
        self._head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._head.addWidget(self._text, 1, Qt.AlignmentFlag.AlignVCenter)
        self._head.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        rows.addLayout(self._head)
        self._foot = QWidget()
        self._make_foot(themed)
        rows.addWidget(self._foot)
        self.patience = QTimer(self)
        # A button takes longer to decide on.
        self.patience.setInterval(read_ms * (2 if notice.buttons else 1))
        self.patience.timeout.connect(self._go)

    def _make_foot(self, themed: Themed) -> None:
        rows = column(self._foot, 0, 4)
        rows.setContentsMargins(0, 0, 4, 0)
        # Two rows: beside each other they would not fit into the box in all languages.
        self._others, self._actions = QWidget(), QWidget()
        rows.addWidget(self._others)
        rows.addWidget(self._actions)
        others, actions = QHBoxLayout(self._others), QHBoxLayout(self._actions)
        for row in (others, actions):
            row.setContentsMargins(0, 0, 0, 0)
        self._place = QLabel()
        self._place.setObjectName("muted")
        self._next = IconButton(themed, "chevron_right", self.tr("Next notice"))
        self._next.clicked.connect(self.next_wanted)
        dismiss_all = _Button(self.tr("Dismiss all"))
        dismiss_all.clicked.connect(self.all_dismissed)
        others.addWidget(self._place)
        others.addWidget(self._next)
        others.addStretch(1)
        others.addWidget(dismiss_all)
        actions.addStretch(1)
        self._has_buttons = bool(self.notice.buttons)
        for each in self.notice.buttons:
            actions.addWidget(self._button(each))
        if self.notice.path and self.notice.level == "info":
            self._has_buttons = True
            show = _Button(self.tr("Show"))
            show.setAccessibleName(self.tr("Show the folder of {0}").format(self.notice.path))
            show.clicked.connect(self.folder_wanted)
            actions.addWidget(show)
        self.set_place(1, 1)

    @property
    def is_in_use(self) -> bool:
        """True while the pointer or the focus is on it."""
        focused = QApplication.focusWidget()
        return self.isVisible() and (
            self.underMouse() or (focused is not None and self.isAncestorOf(focused))
        )

    def set_place(self, number: int, count: int) -> None:
        """Show its place among several notices."""
        self._place.setText(self.tr("{0} of {1}").format(number, count) if count > 1 else "")
        for widget, is_shown in (
            (self._others, count > 1),
            (self._actions, self._has_buttons),
            (self._foot, count > 1 or self._has_buttons),
        ):
            # Without a change, request no layout, which would call this again.
            if widget.isHidden() == is_shown:
                widget.setVisible(is_shown)

    def focus_next(self) -> None:
        """Move the focus to the button of the next notice."""
        self._next.setFocus()

    def fit(self, width: int, room: int) -> int:
        """Lay it out at a width; return its height, at most `room` unless its buttons need more."""
        for widget in (self, *self.findChildren(QWidget)):
            widget.ensurePolished()
        layout, foot = self.layout(), self._foot.layout()
        assert layout is not None and foot is not None
        foot.invalidate()
        margins = layout.contentsMargins() + self.contentsMargins()
        beside = self._icon.width() + self._close.sizeHint().width() + 2 * self._head.spacing()
        below = 0 if self._foot.isHidden() else foot.totalMinimumSize().height() + layout.spacing()
        room -= margins.top() + margins.bottom() + below
        line = self._close.sizeHint().height()
        self._text.fit(width - margins.left() - margins.right() - beside, max(line, room))
        is_short = self._text.height() <= line
        self._head.setAlignment(
            self._icon, Qt.AlignmentFlag.AlignVCenter if is_short else Qt.AlignmentFlag.AlignTop
        )
        # Not the layout's height, which is outdated until the widgets are shown.
        return margins.top() + max(line, self._text.height()) + below + margins.bottom()

    def _button(self, given: NoticeButton) -> _Button:
        button = _Button(given.text)
        button.clicked.connect(self.dismissed)
        button.clicked.connect(lambda: given.act())
        return button

    def _go(self) -> None:
        # Not while the pointer or the focus is on it; the timer fires again.
        if not self.is_in_use:
            self.dismissed.emit()


class NoticeQueue(QFrame):
    """One notice in a small box; the others wait behind it, and are counted.

    `read_ms` is the duration of an 'info' in milliseconds. `focus_left`: the notice with the focus is
    removed.
    """

    changed = Signal()
    focus_left = Signal()

    def __init__(self, themed: Themed, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themed = themed
        self._messages = Messages(self)
        self._messages.notice.connect(self.add)
        self.read_ms = _READ_MS
        self._rows: list[_Row] = []
        self._shown: _Row | None = None
        self._held = False
        self.setObjectName("notices")
        self.setAccessibleName(self.tr("Notices"))
        self._column = column(self, 0, 0)
        self._update()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Current notices, newest first."""
        return tuple(row.notice for row in reversed(self._rows))

    @property
    def shown(self) -> Notice | None:
        """The notice that is shown; None if there is none, or while they are held back."""
        return None if self._held or self._shown is None else self._shown.notice

    def add(self, notice: Notice) -> None:
        """Show a notice, or queue it; one that is there already is replaced.

        It is shown at once unless the one shown is more important or being used.
        """
        equal = [row for row in self._rows if row.notice == notice]
        was_shown = self._shown in equal
        for old in equal:
            self._remove(old)
        row = _Row(notice, self._themed, self.read_ms)
        row.dismissed.connect(lambda: self._remove(row))
        row.next_wanted.connect(self._show_next)
        row.all_dismissed.connect(self.clear)
        row.folder_wanted.connect(lambda: open_outside(Path(notice.path).parent, self._messages))
        row.hide()
        self._rows.append(row)
        self._column.addWidget(row)
        shown = self._shown
        if (
            was_shown
            or shown is None
            or (self._queue().index(row) < self._queue().index(shown) and not shown.is_in_use)
        ):
            self._shown = row
        self._update()

    def hold(self, held: bool) -> None:
        """Hold the notices back, or show them again; meanwhile no time of theirs passes."""
        self._held = held
        self._update()

    def expire_source_notices(self) -> None:
        """Let notices about sources expire, in time to be read, since another source plays now."""
        for row in self._rows:
            if row.notice.of_source:
                row.patience.start()

    def settle(self, about: str) -> None:
        """Remove notices about something that works now."""
        for row in [r for r in self._rows if r.notice.about == about]:
            self._remove(row)

    def _remove(self, row: _Row) -> None:
        if row not in self._rows:
            return  # its time ran out between its removal and its deletion
        row.patience.stop()
        place = self._queue().index(row)
        self._rows.remove(row)
        self._column.removeWidget(row)
        focused = QApplication.focusWidget()
        left = focused is not None and row.isAncestorOf(focused)
        if row is self._shown:
            queue = self._queue()
            informing = [each for each in queue if each.notice.level == "info"]
            self._shown = next(iter(informing or queue[place:] or queue[-1:]), None)
        row.hide()
        row.deleteLater()
        self._update()
        if left:
            self.focus_left.emit()

    def clear(self) -> None:
        """Dismiss all."""
        # The one shown last, or each of the others would be shown and announced.
        for row in sorted(self._rows, key=lambda row: row is self._shown):
            self._remove(row)

    def _queue(self) -> list[_Row]:
        """Return the notices in the order in which they are shown."""
        informing = [row for row in self._rows if row.notice.level == "info"]
        staying = [row for row in reversed(self._rows) if row.notice.level != "info"]
        return informing + sorted(staying, key=lambda row: _ORDER[row.notice.level])

    def _show_next(self) -> None:
        queue, before = self._queue(), self._shown
        if before is None:
            return
        focused = QApplication.focusWidget()
        had_focus = focused is not None and before.isAncestorOf(focused)
        self._shown = row = queue[(queue.index(before) + 1) % len(queue)]
        self._update()
        if had_focus:
            row.focus_next()

    def _update(self) -> None:
        queue = self._queue()
        for number, row in enumerate(queue, 1):
            is_shown = row is self._shown and not self._held
            row.set_place(number, len(queue))
            if row.isHidden() == is_shown:
                row.setVisible(is_shown)
                if is_shown:
                    self._announce(row.notice)
            if row.notice.level == "info" and row.patience.isActive() != is_shown:
                (row.patience.start if is_shown else row.patience.stop)()
        self.setVisible(self.shown is not None)
        self.changed.emit()

    def _announce(self, notice: Notice) -> None:
        event = QAccessibleAnnouncementEvent(self, notice.text)
        if notice.level == "error":
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(event)

    def fit(self, width: int, room: int) -> int:
        """Lay out the notice at a width; return its height, at most `room` unless its buttons need more."""
        return 0 if self._shown is None else self._shown.fit(width, room)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On Escape dismiss the notice that has the focus."""
        if event.key() == Qt.Key.Key_Escape and self._shown is not None:
            self._remove(self._shown)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Round the corners of a native window, which is opaque."""
        super().resizeEvent(event)
        if self.testAttribute(Qt.WidgetAttribute.WA_NativeWindow):
            outline = QPainterPath()
            # A little wider than the border, whose smoothed edge is blended with this dark ground.
            outline.addRoundedRect(QRectF(self.rect()), _RADIUS - 2, _RADIUS - 2)
            self.setMask(QRegion(outline.toFillPolygon().toPolygon()))


class Floor(QWidget):
    """The middle of the window: its content, and the notice that floats over its lower right corner.

    `native`: the content is a native window, which only another native window can cover.
    """

    covered_changed = Signal()

    def __init__(self, content: QWidget, notices: NoticeQueue, *, native: bool) -> None:
        super().__init__()
        self._notices = notices
        self._covered = QRect()
        column(self, 0, 0).addWidget(content)
        notices.setParent(self)
        notices.setAttribute(Qt.WidgetAttribute.WA_NativeWindow, native)
        notices.setProperty("native", native)
        notices.hide()
        notices.changed.connect(self._put)

    @property
    def covered(self) -> QRect:
        """The area that a notice covers, in logical pixels; empty for none."""
        return self._covered

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the notice in its corner."""
        super().resizeEvent(event)
        self._put()

    def event(self, event: QEvent) -> bool:
        """Place the notice again after a text has changed its size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._put()
        return bool(super().event(event))

    def _put(self) -> None:
        notices, covered = self._notices, QRect()
        if not notices.isHidden():
            width = max(1, min(_WIDEST, self.width() - 2 * _EDGE))
            # Below the middle.
            height = notices.fit(width, max(_LOWEST, self.height() // 2 - _EDGE))
            covered = QRect(
                self.width() - width - _EDGE, max(0, self.height() - height - _EDGE), width, height
            )
            notices.setGeometry(covered)
            notices.raise_()
        if covered != self._covered:
            self._covered = covered
            self.covered_changed.emit()
