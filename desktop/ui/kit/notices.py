"""Notices over the frame: errors stay until dismissed or resolved, information disappears by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.kit.messages import Notice, NoticeButton
from desktop.ui.kit.widgets import IconButton, IconLabel, Themed, column

_SHOWN: Final = 3
_READ_MS: Final = 5000
_WIDEST: Final = 680
_EDGE: Final = 12
_ICONS: Final = {
    "error": ("error", "error"),
    "warning": ("warning", "warning"),
    "info": ("info", "accent"),
    "hint": ("info", "accent"),
}


class _Button(QPushButton):
    """A button of a notice. A click does not take the focus, which would be lost with the notice."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class _Row(QFrame):
    """One notice."""

    dismissed = Signal()

    def __init__(self, notice: Notice, themed: Themed, read_ms: int) -> None:
        super().__init__()
        self.notice = notice
        self.setObjectName("notice")
        self.setProperty("level", notice.level)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(notice.text)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 5, 6, 5)
        row.setSpacing(8)
        name, role = _ICONS[notice.level]
        row.addWidget(IconLabel(themed, name, role=role), 0, Qt.AlignmentFlag.AlignVCenter)
        text = QLabel(notice.text)
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        # A path has no spaces to break at, and must not widen the window.
        text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(text, 1)
        for each in notice.buttons:
            row.addWidget(self._button(each))
        if notice.path and notice.level == "info":
            show = _Button(self.tr("Show"))
            show.setAccessibleName(self.tr("Show the folder of {0}").format(notice.path))
            show.clicked.connect(self._show)
            row.addWidget(show)
        close = IconButton(themed, "close", self.tr("Dismiss"))
        close.clicked.connect(self.dismissed)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignVCenter)
        self.patience = QTimer(self)
        self.patience.setInterval(read_ms)
        self.patience.timeout.connect(self._go)
        if notice.level == "info":
            self.patience.start()

    def height_at(self, width: int) -> int:
        """Return the height at a width, also while hidden."""
        self.ensurePolished()
        layout = self.layout()
        assert layout is not None
        return max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height())

    def _button(self, given: NoticeButton) -> _Button:
        button = _Button(given.text)
        button.clicked.connect(self.dismissed)
        button.clicked.connect(lambda: given.act())
        return button

    def _go(self) -> None:
        focused = QApplication.focusWidget()
        # Not while the pointer or the focus is on it; the timer fires again.
        if not self.underMouse() and (focused is None or not self.isAncestorOf(focused)):
            self.dismissed.emit()

    def _show(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(self.notice.path).parent)))


class NoticeBar(QFrame):
    """The notices, newest first; at most three are shown, and the rest are counted.

    `read_ms` is the duration of an 'info' in milliseconds. `focus_left`: the notice with the focus is
    removed.
    """

    changed = Signal()
    focus_left = Signal()

    def __init__(self, themed: Themed, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themed = themed
        self.read_ms = _READ_MS
        self._rows: list[_Row] = []
        self._most = _SHOWN
        self.setObjectName("notices")
        self.setAccessibleName(self.tr("Notices"))
        outer = column(self, 1, 1)
        self._list = QVBoxLayout()
        self._list.setSpacing(1)
        outer.addLayout(self._list)
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(10, 2, 6, 2)
        self._more = QLabel()
        self._more.setObjectName("muted")
        everything = _Button(self.tr("Dismiss all"))
        everything.clicked.connect(self.clear)
        foot.addWidget(self._more, 1)
        foot.addWidget(everything)
        outer.addWidget(self._foot)
        self._update()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Current notices, newest first."""
        return tuple(row.notice for row in self._rows)

    def add(self, notice: Notice) -> None:
        """Show a notice; an existing one moves to the front."""
        for row in [r for r in self._rows if r.notice == notice]:
            self._remove(row)
        row = _Row(notice, self._themed, self.read_ms)
        row.dismissed.connect(lambda: self._remove(row))
        self._rows.insert(0, row)
        self._list.insertWidget(0, row)
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
        self._rows.remove(row)
        self._list.removeWidget(row)
        focused = QApplication.focusWidget()
        left = focused is not None and row.isAncestorOf(focused)
        row.hide()
        row.deleteLater()
        self._update()
        if left:
            self.focus_left.emit()

    def clear(self) -> None:
        """Dismiss all."""
        for row in list(self._rows):
            self._remove(row)

    def _update(self) -> None:
        self._show(self._most)
        self._foot.setVisible(len(self._rows) > 1)
        self.setVisible(bool(self._rows))
        self.changed.emit()

    def _show(self, most: int) -> None:
        self._most = most
        for index, row in enumerate(self._rows):
            # Without a change, request no layout, which would call this again.
            if row.isHidden() == (index < most):
                row.setVisible(index < most)
        hidden = len(self._rows) - most
        self._more.setText(self.tr("and {0} more").format(hidden) if hidden > 0 else "")

    def fit(self, width: int, height: int) -> int:
        """Show as many notices as fit, from one to three; return their height."""
        room = height - 2 - (self._foot.sizeHint().height() + 1 if len(self._rows) > 1 else 0)
        most = 0
        for row in self._rows[:_SHOWN]:
            room -= row.height_at(width - 2) + (1 if most else 0)
            if room < 0:
                break
            most += 1
        self._show(max(most, 1))
        return min(self.height_at(width), height)

    def height_at(self, width: int) -> int:
        """Return the height at a width; narrow notices need more lines."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        return layout.totalHeightForWidth(width)


class Floor(QWidget):
    """The middle of the window: its content, and the notices that float over it.

    `native`: the content is a native window, which only another native window can cover.
    """

    covered_changed = Signal()

    def __init__(self, content: QWidget, notices: NoticeBar, *, native: bool) -> None:
        super().__init__()
        self._notices = notices
        self._covered = 0
        column(self, 0, 0).addWidget(content)
        notices.setParent(self)
        notices.setAttribute(Qt.WidgetAttribute.WA_NativeWindow, native)
        notices.hide()
        notices.changed.connect(self._place)

    @property
    def covered(self) -> int:
        """Height that the notices cover at the top, in logical pixels."""
        return self._covered

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the notices in the middle of the top."""
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """Place the notices again after a text has changed its size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return bool(super().event(event))

    def _place(self) -> None:
        notices = self._notices
        size = QSize()
        if not notices.isHidden():
            width = max(1, min(_WIDEST, self.width() - 2 * _EDGE))
            size = QSize(width, notices.fit(width, max(1, self.height() - 2 * _EDGE)))
            notices.setGeometry((self.width() - width) // 2, _EDGE, size.width(), size.height())
            notices.raise_()
        covered = size.height() + _EDGE if size.isValid() else 0
        if covered != self._covered:
            self._covered = covered
            self.covered_changed.emit()
