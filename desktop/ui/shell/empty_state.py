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
        title = QLabel(self.tr("Drop a video, an image, a network or a filter"))
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
        for button, action in (
            (self.sample, "open_sample"),
            (self.open, "open"),
            (self.camera, "open_camera"),
        ):
            button.clicked.connect(actions[action].trigger)
            self._buttons.addWidget(button)
        row.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(1)

    def minimumSizeHint(self) -> QSize:
        """Return the width of one button: this hidden page must not widen the layout during playback."""
        margins = self._margins()
        widest = max(button.sizeHint().width() for button in (self.sample, self.open, self.camera))
        return QSize(widest + margins.left() + margins.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack the buttons vertically if they do not fit side by side."""
        buttons = (self.sample, self.open, self.camera)
        spacing = self._buttons.spacing() * (len(buttons) - 1)
        margins = self._margins()
        wanted = sum(button.sizeHint().width() for button in buttons) + spacing
        fits = wanted <= event.size().width() - margins.left() - margins.right()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._buttons.setDirection(across if fits else down)
        super().resizeEvent(event)

    def _margins(self) -> QMargins:
        layout = self.layout()
        assert layout is not None
        return layout.contentsMargins()
