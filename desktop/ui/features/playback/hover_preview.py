"""Preview above the time line at the pointer: the time and, for a video, the key frame at or before it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.thumbnails import Small
from desktop.ui.kit.widgets import column, format_time

if TYPE_CHECKING:
    from desktop.media.thumbnails import KeyFrameCache, KeyFrames, Thumbnail

_BOUNDS: Final = QSize(192, 128)
_MOST_BYTES: Final = 8 << 20
_GAP: Final = 8


class KeyPictures(QObject):
    """Key-frame thumbnails of one video, decoded on a thread; only the newest request is served."""

    made = Signal()

    def __init__(self, bounds: QSize, parent: QObject) -> None:
        super().__init__(parent)
        self._bounds = bounds.width(), bounds.height()
        self._jobs = Jobs(self, threads=1)
        self._path: Path | None = None
        self._key_frames: KeyFrameCache | None = None
        self._requested: float | None = None
        self._busy = False
        self._failed = False
        self._fruitless: float | None = None
        # Used by the thread only.
        self._reader: KeyFrames | None = None
        self._reads: Path | None = None

    @property
    def is_busy(self) -> bool:
        """True while a thumbnail is being decoded."""
        return self._busy

    def use(self, path: Path | None) -> None:
        """Switch to another file; None for a source without key frames to decode ahead."""
        if path != self._path:
            self._path, self._key_frames, self._requested = path, None, None
            self._failed, self._fruitless = False, None
            self._jobs.run(self._leave)

    def find(self, seconds: float) -> Thumbnail | None:
        """Return the thumbnail for a time in seconds, None if it has not been decoded."""
        return self._key_frames.find(seconds) if self._key_frames is not None else None

    def want(self, seconds: float | None) -> None:
        """Request the thumbnail for a time, replacing the previous request; None for none."""
        self._requested = seconds
        path = self._path
        idle = not (self._busy or self._failed or seconds == self._fruitless)
        if seconds is None or path is None or not idle or self.find(seconds) is not None:
            return
        self._busy = True
        self._jobs.run(
            lambda: self._make(path, seconds),
            lambda made: self._take(path, seconds, made),
            # A file that plays but offers no key frame is not an error: only the time is shown.
            lambda _: self._take(path, seconds, None, failed=True),
        )

    def _make(self, path: Path, seconds: float) -> Thumbnail | None:
        from desktop.base.priority import yield_to_others
        from desktop.media.display import small_rgb
        from desktop.media.thumbnails import KeyFrames, Thumbnail

        yield_to_others()
        if self._reads != path:
            self._leave()
            self._reader, self._reads = KeyFrames(path), path
        assert self._reader is not None
        frame = self._reader.at(seconds, lambda: self._requested == seconds and self._path == path)
        return Thumbnail(small_rgb(frame, self._bounds), frame.pts) if frame is not None else None

    def _take(self, path: Path, seconds: float, made: Thumbnail | None, *, failed: bool = False) -> None:
        from desktop.media.thumbnails import KeyFrameCache

        self._busy = False
        if path == self._path:
            self._failed = failed
            # A time that cannot be decoded is not tried again.
            self._fruitless = seconds if made is None and self._requested == seconds else None
            if made is not None:
                self._key_frames = self._key_frames or KeyFrameCache(_MOST_BYTES)
                self._key_frames.put(seconds, made)
                self.made.emit()
        self.want(self._requested)

    def _leave(self) -> None:
        """Close the file; on the thread."""
        reader, self._reader, self._reads = self._reader, None, None
        if reader is not None:
            reader.close()

    def close(self) -> None:
        """Drop all requests and wait for the one being decoded."""
        self._requested = self._path = None
        self._jobs.close()
        self._leave()


class HoverPreview(QFrame):
    """A small window above the time line that takes neither focus nor clicks."""

    def __init__(self, line: QWidget) -> None:
        super().__init__(line, Qt.WindowType.ToolTip)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setObjectName("preview")
        self._line = line
        ratio = line.devicePixelRatioF()
        self.pictures = KeyPictures(_BOUNDS * ratio, self)
        self.pictures.made.connect(self._show_picture)
        self.picture = QLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.hide()
        self.time = QLabel()
        self.time.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = column(self, 4, 2)
        layout.addWidget(self.picture)
        layout.addWidget(self.time)
        self._seconds: float | None = None
        self._at = 0

    def use(self, path: Path | None) -> None:
        """Switch to another file; None for a source of which only the time is shown."""
        self.pictures.use(path)
        self.picture.hide()

    def show_at(self, seconds: float, x: int) -> None:
        """Show the preview for a time in seconds above position `x` of the time line."""
        self._seconds, self._at = seconds, x
        self.time.setText(format_time(seconds, millis=True))
        self._show_picture()
        self.pictures.want(seconds)
        self.show()

    def leave(self) -> None:
        """Hide the preview: the pointer has left the time line."""
        self._seconds = None
        self.pictures.want(None)
        self.hide()

    def _show_picture(self) -> None:
        if self._seconds is None:
            return
        made = self.pictures.find(self._seconds)
        if made is not None:
            pixmap = QPixmap.fromImage(Small(made).image)
            pixmap.setDevicePixelRatio(self._line.devicePixelRatioF())
            self.picture.setFixedSize(pixmap.deviceIndependentSize().toSize())
            self.picture.setPixmap(pixmap)
            self.picture.show()
        else:
            # The space stays reserved: another frame's thumbnail would mislead, and the window must not jump.
            self.picture.setPixmap(QPixmap())
        self._place()

    def _place(self) -> None:
        self.adjustSize()
        window = self._line.window()
        above = self._line.mapToGlobal(QPoint(self._at, 0))
        left = window.mapToGlobal(QPoint(0, 0)).x()
        most = max(left, left + window.width() - self.width())
        self.move(max(left, min(above.x() - self.width() // 2, most)), above.y() - self.height() - _GAP)

    def shutdown(self) -> None:
        """Stop decoding thumbnails."""
        self.hide()
        self.pictures.close()
