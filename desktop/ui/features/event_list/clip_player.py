"""A small window that plays an event's clip, while the source goes on in the main window."""

from __future__ import annotations

import queue
import threading
import time
from pathlib import Path
from typing import Final

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QImage, QKeySequence, QPixmap, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QSizePolicy, QWidget

from desktop.base.errors import LightloomError
from desktop.media.display import small_rgb
from desktop.media.sources.opening import open_source
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, Themed, column, format_time, muted

_BOUNDS: Final = (1280, 720)
_AHEAD: Final = 6
_TICK_MS: Final = 10
_SIZE: Final = (720, 450)


class _Reader(threading.Thread):
    """Decodes a clip, a few frames ahead: (time, uint8 [height, width, 3]), then None or an error."""

    def __init__(self, path: Path) -> None:
        super().__init__(name="event clip", daemon=True)
        self._path = path
        self._stop_requested = threading.Event()
        self.frames: queue.Queue[tuple[float, np.ndarray] | LightloomError | None] = queue.Queue(_AHEAD)

    def run(self) -> None:
        """Decode all frames."""
        try:
            source = open_source(self._path)
        except LightloomError as error:
            self._put(error)
            return
        frames = source.frames()
        try:
            for frame in frames:
                if not self._put((frame.pts, small_rgb(frame, _BOUNDS))):
                    return
            self._put(None)
        except LightloomError as error:
            self._put(error)
        finally:
            frames.close()
            source.close()

    def _put(self, item: tuple[float, np.ndarray] | LightloomError | None) -> bool:
        """Queue an item; False once it is stopped."""
        while not self._stop_requested.is_set():
            try:
                self.frames.put(item, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def stop(self) -> None:
        """End it soon."""
        self._stop_requested.set()


class ClipPlayer(QDialog):
    """Plays a file once; Space plays or pauses, R begins again."""

    saved = Signal()

    def __init__(self, path: Path, title: str, themed: Themed, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._path, self._themed = path, themed
        self.image = QLabel()
        self.image.setAccessibleName(self.tr("Image of the clip"))
        self.image.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.image.setWordWrap(True)
        self.image.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.toggle = IconButton(themed, "pause", self.tr("Play or pause (Space)"))
        self.toggle.setShortcut(QKeySequence(Qt.Key.Key_Space))
        self.toggle.clicked.connect(self._toggle)
        self.again = IconButton(themed, "previous", self.tr("From the beginning (R)"))
        self.again.setShortcut(QKeySequence(Qt.Key.Key_R))
        self.again.clicked.connect(self._begin)
        self.save = IconButton(themed, "download", self.tr("Save the clip"))
        self.save.clicked.connect(self.saved)
        self.position = muted()
        row = QHBoxLayout()
        for widget in (self.toggle, self.again, self.position):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.save)
        layout = column(self, 8, 6)
        layout.addWidget(self.image, 1)
        layout.addLayout(row)
        self._pixmap = QPixmap()
        self._reader: _Reader | None = None
        self._due: tuple[float, np.ndarray] | None = None
        self._zero = self._paused_at = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._show_due)
        self.resize(*_SIZE)
        self._begin()

    @property
    def is_playing(self) -> bool:
        """True until the end, unless it is paused."""
        return self._timer.isActive()

    def _begin(self) -> None:
        self._end_reader()
        self._reader, self._due = _Reader(self._path), None
        self._reader.start()
        self._zero = 0.0
        self._run(playing=True)

    def _toggle(self) -> None:
        if self._reader is None:
            self._begin()
        elif self.is_playing:
            self._paused_at = time.monotonic()
            self._run(playing=False)
        else:
            self._zero += time.monotonic() - self._paused_at
            self._run(playing=True)

    def _run(self, *, playing: bool) -> None:
        (self._timer.start if playing else self._timer.stop)()
        self.toggle.set_icon("pause" if playing else "play")

    def _show_due(self) -> None:
        """Show the newest frame that is due."""
        while self._reader is not None:
            if self._due is None:
                try:
                    item = self._reader.frames.get_nowait()
                except queue.Empty:
                    return
                if not isinstance(item, tuple):
                    self._finish(item)
                    return
                self._due = item
            pts, pixels = self._due
            self._zero = self._zero or time.monotonic() - pts
            if time.monotonic() - self._zero < pts:
                return
            self._due = None
            self._show(pts, pixels)

    def _show(self, pts: float, pixels: np.ndarray) -> None:
        height, width = pixels.shape[:2]
        packed = np.ascontiguousarray(pixels)
        image = QImage(packed.data, width, height, 3 * width, QImage.Format.Format_RGB888)
        self._pixmap = QPixmap.fromImage(image)
        self.position.setText(format_time(pts, millis=True))
        self._fit()

    def _fit(self) -> None:
        ratio = self.devicePixelRatioF()
        fitted = self._pixmap.scaled(
            self.image.size() * ratio,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        fitted.setDevicePixelRatio(ratio)
        self.image.setPixmap(fitted)

    def _finish(self, error: LightloomError | None) -> None:
        self._end_reader()
        self._run(playing=False)
        if error is not None:
            self.image.setText(translated(str(error)))

    def _end_reader(self) -> None:
        if self._reader is not None:
            self._reader.stop()
            self._reader = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the image."""
        super().resizeEvent(event)
        if not self._pixmap.isNull():
            self._fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the decoding."""
        self._timer.stop()
        self._end_reader()
        super().closeEvent(event)
