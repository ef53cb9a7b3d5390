"""Placeholder shown in the middle of the window while no source is open."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.kit import icons
from desktop.ui.kit.widgets import Themed


class EmptyState(QWidget):
    """Explains what can be dropped, with buttons for the same, as widgets for keyboard access."""

    def __init__(self, themed: Themed, actions: Mapping[str, QAction]) -> None:
        """Make the page; its buttons trigger the window's `actions`."""
        super().__init__()
        self._themed = themed
        outer = QVBoxLayout(self)
        outer.addStretch(1)
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.setPixmap(icons.pixmap("lightloom", "#000000", 72, self.devicePixelRatioF()))
        outer.addWidget(self._picture)
        outer.addSpacing(14)
        title = QLabel(self.tr("Drop your own video or image, a network or an effect"))
        title.setObjectName("title")
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title.setWordWrap(True)
        outer.addWidget(title)
        text = QLabel(self.tr("or a folder, a look, a color table (.cube), an address"))
        text.setObjectName("muted")
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text.setWordWrap(True)
        outer.addWidget(text)
        outer.addSpacing(18)
        row = QHBoxLayout()
        row.addStretch(1)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(8)
        row.addLayout(self._buttons)
        self.sample = QPushButton(self.tr("Play the sample"))
        self.sample.setObjectName("primary")
        self.open = QPushButton(self.tr("Open..."))
        self.camera = QPushButton(self.tr("Use a camera"))
        row.addStretch(1)
        outer.addLayout(row)
        outer.addSpacing(14)
        second = QHBoxLayout()
        second.addStretch(1)
        self._links = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._links.setSpacing(8)
        second.addLayout(self._links)
        second.addStretch(1)
        self.look = QPushButton(self.tr("Pick a look"))
        self.compare = QPushButton(self.tr("Compare before and after"))
        for button in (self.look, self.compare):
            button.setFlat(True)
        for row_of_buttons, button, action in (
            (self._buttons, self.sample, "open_sample"),
            (self._buttons, self.open, "open"),
            (self._buttons, self.camera, "open_camera"),
            (self._links, self.look, "pick_look"),
            (self._links, self.compare, "compare"),
        ):
            button.clicked.connect(actions[action].trigger)
            row_of_buttons.addWidget(button)
        outer.addLayout(second)
        outer.addStretch(1)

    def minimumSizeHint(self) -> QSize:
        """Return the width of one button: this hidden page must not widen the layout during playback."""
        margins = self._margins()
        buttons = (self.sample, self.open, self.camera, self.look, self.compare)
        widest = max(button.sizeHint().width() for button in buttons)
        return QSize(widest + margins.left() + margins.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack the buttons of a row vertically if they do not fit side by side."""
        margins = self._margins()
        width = event.size().width() - margins.left() - margins.right()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        for row, buttons in (
            (self._buttons, (self.sample, self.open, self.camera)),
            (self._links, (self.look, self.compare)),
        ):
            wanted = sum(button.sizeHint().width() for button in buttons) + row.spacing() * (len(buttons) - 1)
            row.setDirection(across if wanted <= width else down)
        super().resizeEvent(event)

    def _margins(self) -> QMargins:
        layout = self.layout()
        assert layout is not None
        return layout.contentsMargins()
