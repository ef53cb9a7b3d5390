"""Panel with the last input frames of the networks; they are read back only while it is visible."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QHideEvent, QImage, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QWidget

from desktop.base.printable import printable
from desktop.pipeline.running.inputs.input_view import ObservedInput
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import muted
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.preprocess import Preprocess

_GAP: Final = 3
_UNCHANGED: Final = ("0..1", (0.0,), (1.0,))


class InputPicture(QWidget):
    """The frames of one network's input, side by side in a grid that fills the room."""

    accessible_role = QAccessible.Role.Graphic

    def __init__(self) -> None:
        super().__init__()
        self.images: list[QImage] = []
        self._of: np.ndarray | None = None
        self.setMinimumSize(110, 80)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_pictures(self, pictures: np.ndarray) -> None:
        """Show others, uint8 [items, height, width, 3]."""
        if pictures is self._of:
            return
        self._of = pictures
        _, height, width, _ = pictures.shape
        # A copy each: the rows of an image that Qt only borrows have to outlive it.
        self.images = [
            QImage(np.ascontiguousarray(p).data, width, height, width * 3, QImage.Format.Format_RGB888).copy()
            for p in pictures
        ]
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 180)

    def places(self) -> list[QRectF]:
        """Return where each frame is drawn: as large as all can be."""
        count = len(self.images)
        if not count:
            return []
        width, height = self.images[0].width(), self.images[0].height()
        scale, columns = max(
            (self._scale(columns, width, height), columns) for columns in range(1, count + 1)
        )
        each = QSize(max(1, int(width * scale)), max(1, int(height * scale)))
        rows = math.ceil(count / columns)
        left = (self.width() - columns * (each.width() + _GAP) + _GAP) / 2
        top = (self.height() - rows * (each.height() + _GAP) + _GAP) / 2
        return [
            QRectF(
                left + (i % columns) * (each.width() + _GAP),
                top + (i // columns) * (each.height() + _GAP),
                each.width(),
                each.height(),
            )
            for i in range(count)
        ]

    def _scale(self, columns: int, width: int, height: int) -> float:
        rows = math.ceil(len(self.images) / columns)
        across = (self.width() - (columns - 1) * _GAP) / (columns * width)
        return max(0.0, min(across, (self.height() - (rows - 1) * _GAP) / (rows * height)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """See QWidget. Enlarged, the input's pixels are seen as such."""
        painter = QPainter(self)
        for image, place in zip(self.images, self.places(), strict=True):
            is_smaller = place.width() * self.devicePixelRatioF() < image.width()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, is_smaller)
            painter.drawImage(place, image)


class _Part(QWidget):
    """One network: its frames, and below or beside them how they were made."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = InputPicture()
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setObjectName("muted")
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(self.picture, 3)
        self._layout.addWidget(self.text, 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the text beside the frame where that is wide, below it else."""
        super().resizeEvent(event)
        is_wide = self.width() > 1.3 * self.height()
        direction = QBoxLayout.Direction
        self._layout.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        self._layout.setStretch(1, 2 if is_wide else 0)

    def show_input(self, seen: ObservedInput, text: str) -> None:
        """Show a network's input, with a text about it."""
        self.picture.show_pictures(seen.pictures)
        if text != self.text.text():
            self.text.setText(text)
            self.picture.setAccessibleName(text.replace("\n", ", "))


class InputPanel(QWidget):
    """See above."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.parts = (_Part(), _Part())
        self.note = muted()
        self.note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.note.setWordWrap(True)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(10, 6, 10, 8)
        self._row.setSpacing(12)
        for widget in (*self.parts, self.note):
            self._row.addWidget(widget, 1)
        self.update_figures()

    def showEvent(self, event: QShowEvent) -> None:
        """Start reading back inputs."""
        super().showEvent(event)
        self._workspace.engine.watch_input(True)
        self._workspace.playback.woken.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop reading back inputs."""
        super().hideEvent(event)
        self._workspace.engine.watch_input(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay two networks beside each other where there is the width, below each other else."""
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        is_wide = self.width() > self.height()
        self._row.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)

    def update_figures(self) -> None:
        """Show the latest inputs; called several times a second while visible."""
        looks = self._workspace.edits.setup.analysis is not None and self._workspace.playback.has_picture
        seen = self._workspace.engine.current.recent_inputs() if looks else ()
        for part, each in zip(self.parts, (*seen, None, None), strict=False):
            if each is not None:
                part.show_input(each, self._about(each))
            part.setVisible(each is not None)
        self.note.setVisible(not seen)
        if self._workspace.edits.setup.analysis is None:
            self.note.setText(self.tr("No network is running."))
        elif self._workspace.edits.setup.anonymize is not None:
            self.note.setText(
                self.tr(
                    "Not shown while Anonymize is on: the network gets the frame before anything is hidden."
                )
            )
        else:
            self.note.setText(self.tr("The network has not processed a frame yet."))

    def _about(self, seen: ObservedInput) -> str:
        lines = [printable(seen.name), translated(seen.preprocess.describe())]
        if _is_changed(seen.preprocess):
            lines.append(self.tr("Shown with range, mean and deviation undone."))
        if seen.dtype != seen.preprocess.dtype:
            lines.append(self.tr("In memory: {0}").format(seen.dtype))
        if seen.step > 1:
            lines.append(self.tr("Each pixel is the mean of {0} by {0}.").format(seen.step))
        if len(seen.pictures) > 1:
            lines.append(self.tr("%n regions", "", len(seen.pictures)))
        return "\n".join(lines)


def _is_changed(preprocess: Preprocess) -> bool:
    scale, means, deviations = _UNCHANGED
    return (
        preprocess.scale != scale
        or set(preprocess.mean) != set(means)
        or set(preprocess.std) != set(deviations)
    )
