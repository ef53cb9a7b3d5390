"""Controls over the frame in full screen, shown while the pointer moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from desktop.ui.features.playback.transport import Transport
from desktop.ui.kit.widgets import Themed
from desktop.ui.workspace.workspace import Workspace

_HIDES_MS: Final = 2500
_WIDEST: Final = 960
_EDGE: Final = 24


class FullScreenControls(QFrame):
    """A bar above the lower edge of the frame: the transport, and the looks.

    It hides, with the pointer, when the pointer rests, unless the pointer or the focus is in it.
    """

    def __init__(
        self,
        workspace: Workspace,
        themed: Themed,
        actions: Mapping[str, QAction],
        looks: Callable[[QWidget], QMenu],
        frame: QWidget,
        around: QWidget,
        *,
        native: bool,
    ) -> None:
        """Make the bar, hidden.

        Args:
            looks: makes the menu of looks.
            frame: the widget that shows the frame; the bar floats over it in `around`.
            native: the frame is a native window, which only another native window can cover.
        """
        super().__init__(around)
        self.setObjectName("floating")
        self.setAttribute(Qt.WidgetAttribute.WA_NativeWindow, native)
        self._frame, self._around, self._is_on = frame, around, False
        self.transport = Transport(workspace, themed, actions)
        self.looks = QToolButton()
        self.looks.setText(self.tr("Looks"))
        self.looks.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.looks.setMenu(looks(self.looks))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 4, 2)
        row.addWidget(self.looks)
        row.addWidget(self.transport, 1)
        self._rest = QTimer(self, singleShot=True, interval=_HIDES_MS)
        self._rest.timeout.connect(self._hide_at_rest)
        self.hide()

    def use(self, full_screen: bool) -> None:
        """Begin or end to watch the pointer."""
        if full_screen == self._is_on:
            return
        self._is_on = full_screen
        for watched in (self._frame, self._around):
            if full_screen:
                watched.installEventFilter(self)
            else:
                watched.removeEventFilter(self)
        self._rest.stop()
        self.hide()
        self._frame.unsetCursor()

    def reveal(self) -> None:
        """Show the bar until the pointer rests."""
        self._place()
        self.transport.refresh()
        self.show()
        self.raise_()
        self._rest.start()

    def update_figures(self) -> None:
        """Show the time while visible."""
        if self.isVisible():
            self.transport.update_time()

    def shutdown(self) -> None:
        """Stop background work, as the window closes."""
        self.transport.shutdown()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove:
            self._frame.unsetCursor()
            self.reveal()
        elif event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _place(self) -> None:
        around = self._around.size()
        width = max(1, min(_WIDEST, around.width() - 2 * _EDGE))
        height = self.sizeHint().height()
        self.setGeometry((around.width() - width) // 2, around.height() - height - _EDGE, width, height)

    def _hide_at_rest(self) -> None:
        focused = QApplication.focusWidget()
        is_used = self.underMouse() or (focused is not None and self.isAncestorOf(focused))
        if is_used or QApplication.activePopupWidget() is not None:
            self._rest.start()
            return
        self.hide()
        self._frame.setCursor(Qt.CursorShape.BlankCursor)
