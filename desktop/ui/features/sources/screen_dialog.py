"""Dialog that selects the part of the screen to capture: a monitor, a window or a region."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import LightloomError
from desktop.media.sources.screen import Box, Monitor, ScreenTarget, ScreenWindow, list_screens
from desktop.ui.features.sources.region_picker import RegionPicker
from desktop.ui.kit import icons
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import ChoiceTree, Themed, muted

_TARGET: Final = Qt.ItemDataRole.UserRole
_REGION: Final = re.compile(r"\s*(\d{1,5})[\s,]+(\d{1,5})[\s,]+(\d{1,5})[\s,x×]+(\d{1,5})\s*")
_SIZE: Final = QSize(460, 440)
Screens = tuple[list[Monitor], list[ScreenWindow]]


class ScreenDialog(QDialog):
    """Lists monitors and windows, and lets the user select a region.

    `query` returns the screens, on a thread of `jobs`; `use` is called with the address of the selection.
    """

    def __init__(
        self,
        parent: QWidget,
        jobs: Jobs,
        themed: Themed,
        use: Callable[[str], object],
        query: Callable[[], Screens] = list_screens,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open the screen"))
        self._jobs, self._themed, self._use, self._query = jobs, themed, use, query
        self._is_open = True
        layout = QVBoxLayout(self)
        self.tree = ChoiceTree()
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(10)
        self.tree.setAccessibleName(self.tr("Monitors and windows"))
        self.tree.chosen.connect(lambda _: self._open())
        self.tree.currentItemChanged.connect(lambda *_: self._refresh())
        layout.addWidget(self.tree, 1)
        layout.addLayout(self._region_row())
        layout.addLayout(self._options_row())
        self.note = muted()
        layout.addWidget(self.note)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self.box.addButton(self.tr("Open"), QDialogButtonBox.ButtonRole.AcceptRole)
        again = self.box.addButton(self.tr("Look again"), QDialogButtonBox.ButtonRole.ActionRole)
        again.clicked.connect(self.refresh)
        self.go.setDefault(True)
        self.box.accepted.connect(self._open)
        self.box.rejected.connect(self.reject)
        layout.addWidget(self.box)
        self.resize(_SIZE)
        self.refresh()

    def _region_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.region = QLineEdit()
        self.region.setPlaceholderText(self.tr("all, or left, top, width, height in pixels"))
        self.region.setAccessibleName(self.tr("Region of the monitor"))
        self.region.textChanged.connect(lambda _: self._refresh())
        label = QLabel(self.tr("Region"))
        label.setBuddy(self.region)
        self.draw = QPushButton(self.tr("Draw..."))
        self.draw.setAutoDefault(False)
        self.draw.clicked.connect(self._draw)
        for widget in (label, self.region, self.draw):
            row.addWidget(widget)
        row.setStretch(1, 1)
        return row

    def _options_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.rate = QSpinBox()
        self.rate.setRange(1, 240)
        self.rate.setValue(30)
        self.rate.setSuffix(self.tr(" FPS"))
        self.rate.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.rate.setAccessibleName(self.tr("Frames per second"))
        label = QLabel(self.tr("Rate"))
        label.setBuddy(self.rate)
        self.cursor_box = QCheckBox(self.tr("With the mouse's arrow"))
        self.cursor_box.setChecked(True)
        row.addWidget(label)
        row.addWidget(self.rate)
        row.addSpacing(12)
        row.addWidget(self.cursor_box)
        row.addStretch(1)
        return row

    # -- listing ---------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Refresh the list."""
        self.tree.clear()
        self.note.setText(self.tr("Looking for monitors and windows..."))
        self.go.setEnabled(False)
        self.draw.setEnabled(False)
        self._jobs.run(self._query, self._show, self._show_error)

    def _show(self, screens: Screens) -> None:
        if not self._is_open:
            return
        monitors, windows = screens
        self.tree.clear()
        for monitor in monitors:
            title = self.tr("Monitor {0}").format(monitor.number)
            named = f"{title} ({monitor.name})" if monitor.name else title
            self._entry(named, monitor.box, ScreenTarget(monitor.number), "screen")
        for window in windows:
            self._entry(window.title, window.box, ScreenTarget(window=window.id), "full_screen")
        first = self.tree.topLevelItem(0)
        if first is not None:
            self.tree.setCurrentItem(first)
        self.tree.setFocus()
        self._refresh()

    def _entry(self, title: str, box: Box, target: ScreenTarget, icon: str) -> None:
        size = f"{box.width}×{box.height}" if box.width else self.tr("minimized")
        item = QTreeWidgetItem([f"{title} · {size}"])
        item.setData(0, _TARGET, target)
        item.setToolTip(0, title)
        item.setIcon(0, icons.icon(icon, self._themed.theme.muted))
        self.tree.addTopLevelItem(item)

    def _show_error(self, error: LightloomError) -> None:
        if self._is_open:
            self.note.setText(translated(str(error)))

    def _refresh(self) -> None:
        target = self._chosen()
        is_monitor = target is not None and not target.window
        self.region.setEnabled(is_monitor)
        self.draw.setEnabled(is_monitor)
        wrong = is_monitor and bool(self.region.text().strip()) and self._typed() is None
        self.go.setEnabled(target is not None and not wrong)
        if wrong:
            self.note.setText(self.tr("Write a region as four numbers: left, top, width, height."))
        elif is_monitor:
            self.note.setText(self.tr("Where this window is on the monitor, it shows itself in itself."))
        elif target is not None:
            self.note.setText(self.tr("The window is followed where it goes."))
        else:
            self.note.setText(self.tr("No monitor and no window was found."))

    def _chosen(self) -> ScreenTarget | None:
        item = self.tree.currentItem()
        return item.data(0, _TARGET) if item is not None else None

    def _typed(self) -> Box | None:
        given = _REGION.fullmatch(self.region.text())
        box = Box(*map(int, given.groups())) if given else None
        return box if box is not None and box.width and box.height else None

    # -- selection -------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        target = self._chosen()
        screens = _by_place(QGuiApplication.screens())
        if target is None or target.monitor > len(screens):
            return
        self.picker = RegionPicker(screens[target.monitor - 1])
        self.picker.picked.connect(self._use_region)
        self.picker.left.connect(self._come_back)
        self.picker.showFullScreen()
        self.picker.activateWindow()

    def _use_region(self, rect: QRect) -> None:
        self.region.setText(f"{rect.left()}, {rect.top()}, {rect.width()}, {rect.height()}")
        self._come_back()

    def _come_back(self) -> None:
        if self._is_open:
            self.activateWindow()
            self.region.setFocus()

    def _open(self) -> None:
        target = self._chosen()
        if target is None or not self.go.isEnabled():
            return
        make = partial(ScreenTarget, rate=self.rate.value(), cursor=self.cursor_box.isChecked())
        if target.window:
            self._use(make(window=target.window).address)
        else:
            self._use(make(target.monitor, self._typed()).address)
        self.accept()

    def done(self, result: int) -> None:
        self._is_open = False
        super().done(result)


def _by_place(screens: list[QScreen]) -> list[QScreen]:
    """Sort monitors as the source numbers them: the primary one, then from left to right."""
    main = QGuiApplication.primaryScreen()
    return sorted(screens, key=lambda one: (one is not main, one.geometry().x(), one.geometry().y()))
