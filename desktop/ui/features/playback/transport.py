"""Transport bar: play, time line, steps, speed and loops for files, format for cameras, frame actions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QColor,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStyle,
    QToolButton,
    QWidget,
)

from desktop.ui.features.cuts.cuts import Cuts
from desktop.ui.features.playback.hover_preview import HoverPreview
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, Themed, format_time
from desktop.ui.workspace.action import plain_text, with_key
from desktop.ui.workspace.keys import native_text
from desktop.ui.workspace.playback import SPEEDS
from desktop.ui.workspace.sound import STEP, Sound
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    # Imports the modules that open cameras.
    from desktop.media.sources.camera import CameraInfo, CameraMode, CameraSource

_PAD: Final = 7
_WIDE: Final = 780


def _speed_text(factor: float) -> str:
    return f"{factor:g}×"


class TimeLine(QWidget):
    """Position in a file, with marks A and B and scene cuts; a click or drag seeks (`sought`, in seconds)."""

    accessible_role = QAccessible.Role.Slider

    sought = Signal(float)

    def __init__(self, themed: Themed) -> None:
        super().__init__()
        self._themed = themed
        self.duration = 0.0
        self.position = 0.0
        self.loop: tuple[float | None, float | None] = (None, None)
        self.cuts: tuple[float, ...] = ()
        self._hover: float | None = None
        self._dragging = False
        self.preview = HoverPreview(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(80)
        self.setAccessibleName(self.tr("Time line"))

    def sizeHint(self) -> QSize:
        return QSize(240, 26)

    def show_time(self, position: float, duration: float, loop: tuple[float | None, float | None]) -> None:
        """Show a time; a dragged marker stays under the pointer."""
        if self._dragging:
            position = self.position
        if (position, duration, loop) != (self.position, self.duration, self.loop):
            self.position, self.duration, self.loop = position, duration, loop
            self.setAccessibleDescription(format_time(position))
            self.update()

    def show_cuts(self, times: tuple[float, ...]) -> None:
        """Mark times of scene cuts."""
        if times != self.cuts:
            self.cuts = times
            self.update()

    def _time_at(self, x: float) -> float:
        share = (x - _PAD) / max(1, self.width() - 2 * _PAD)
        return max(0.0, min(1.0, share)) * self.duration

    def _x(self, seconds: float) -> float:
        return _PAD + (self.width() - 2 * _PAD) * (seconds / self.duration if self.duration else 0.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to seek."""
        if event.button() == Qt.MouseButton.LeftButton and self.duration:
            self._dragging = True
            self._seek(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Seek, or show the time under the pointer."""
        if not self.duration:
            return
        self._hover = self._time_at(event.position().x())
        self.preview.show_at(self._hover, round(self._x(self._hover)))
        if self._dragging:
            self._seek(event.position().x())
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        self._dragging = False

    def leaveEvent(self, event: QEvent) -> None:
        """Clear the pointer position."""
        self._clear_hover()

    def hideEvent(self, event: QHideEvent) -> None:
        """Clear the pointer position: the source has no time line."""
        self._clear_hover()

    def _clear_hover(self) -> None:
        self._hover = None
        self.preview.leave()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End."""
        if event.key() == Qt.Key.Key_Home:
            self.sought.emit(0.0)
        elif event.key() == Qt.Key.Key_End:
            self.sought.emit(self.duration)
        else:
            super().keyPressEvent(event)

    def _seek(self, x: float) -> None:
        self.position = self._time_at(x)
        self.sought.emit(self.position)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._themed.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle = self.height() / 2
        whole = QRectF(_PAD, middle - 2, self.width() - 2 * _PAD, 4)
        painter.setBrush(QColor(theme.line))
        painter.drawRoundedRect(whole, 2, 2)
        if not self.duration:
            return
        self._paint_cuts(painter, middle)
        self._paint_loop(painter, middle)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(QRectF(_PAD, middle - 2, self._x(self.position) - _PAD, 4), 2, 2)
        if self._hover is not None:
            painter.setBrush(QColor(theme.muted))
            painter.drawRect(QRectF(self._x(self._hover) - 0.5, middle - 6, 1, 12))
        marker = QPointF(self._x(self.position), middle)
        painter.setBrush(QColor(theme.text))
        painter.drawEllipse(marker, 8 if self.hasFocus() else 6, 8 if self.hasFocus() else 6)
        if self.hasFocus():
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(marker, 6, 6)

    def _paint_cuts(self, painter: QPainter, middle: float) -> None:
        """A short line at each cut; those of one pixel are one."""
        painter.setBrush(QColor(self._themed.theme.muted))
        for x in sorted({round(self._x(seconds)) for seconds in self.cuts}):
            painter.drawRect(QRectF(x - 0.5, middle + 4, 1, 5))

    def _paint_loop(self, painter: QPainter, middle: float) -> None:
        """A color between A and B, and a mark at each that is set: with A alone nothing loops yet."""
        begin, end = self.loop
        mark = QColor(self._themed.theme.warning)
        if begin is not None and end is not None:
            between = QColor(mark)
            between.setAlphaF(0.45)
            painter.setBrush(between)
            painter.drawRect(QRectF(self._x(begin), middle - 5, self._x(end) - self._x(begin), 10))
        painter.setBrush(mark)
        for at in (begin, end):
            if at is not None:
                painter.drawRect(QRectF(self._x(at) - 1, middle - 8, 2, 16))


class VolumeSlider(QSlider):
    """The volume in percent; a click jumps there, the wheel goes in steps."""

    def __init__(self, sound: Sound, actions: Mapping[str, QAction]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._sound = sound
        self.setRange(0, 100)
        self.setSingleStep(round(100 * STEP))
        self.setPageStep(10)
        self.setFixedWidth(76)
        quieter, louder = (native_text(actions[name].shortcut()) for name in ("quieter", "louder"))
        self.setToolTip(self.tr("Volume ({0} and {1})").format(quieter, louder))
        self.setAccessibleName(self.tr("Volume"))
        self.valueChanged.connect(lambda value: sound.set_volume(value / 100))

    def show_volume(self) -> None:
        """Show the current volume."""
        with QSignalBlocker(self):
            self.setValue(round(self._sound.volume * 100))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the click and start a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setValue(
                QStyle.sliderValueFromPosition(0, 100, round(event.position().x()) - 6, self.width() - 12)
            )
        super().mousePressEvent(event)


class Transport(QWidget):
    """The bar. Buttons that are not about playback show the window's own actions."""

    def __init__(self, workspace: Workspace, themed: Themed, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self._workspace = workspace
        self._themed = themed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 10, 6)
        row.setSpacing(4)
        self.back = self._button("step_back", actions["step_back"])
        self.play = self._button("play", actions["play"])
        self.forward = self._button("step_forward", actions["step_forward"])
        self.time = QLabel("0:00")
        self.time.setMinimumWidth(self.fontMetrics().horizontalAdvance("0:00:00.000 "))
        self.time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.line = TimeLine(themed)
        self.line.sought.connect(workspace.playback.seek)
        self.length = QLabel()
        self.length.setObjectName("muted")
        self.speed = self._speed_button(actions)
        self.loop = self._button("loop", actions["loop"])
        self.files: tuple[QWidget, ...] = (
            *(self.back, self.play, self.forward),
            *(self.time, self.line, self.length, self.loop),
        )
        for widget in self.files:
            row.addWidget(widget)
        row.setStretch(self.files.index(self.line), 1)
        row.insertSpacing(self.files.index(self.loop), 6)
        row.addWidget(self.speed)
        self.loop_ab = self._button("loop_ab", actions["loop_ab"])
        row.addWidget(self.loop_ab)
        self.mute = self._button("sound", actions["mute"])
        self.volume = VolumeSlider(workspace.sound, actions)
        row.addWidget(self.mute)
        row.addWidget(self.volume)
        self.live = QLabel()
        self.live.setObjectName("muted")
        row.addWidget(self.live, 1)
        self.format = QToolButton()
        self.format.setText(self.tr("Format"))
        self.format.setToolTip(self.tr("The camera's resolution, rate and pixel format"))
        self.format.setAccessibleName(self.tr("Camera format"))
        self.format.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.format.setMenu(QMenu(self.format))
        row.addWidget(self.format)
        self.controls = self._button("settings", actions["camera_controls"])
        row.addWidget(self.controls)
        for group in (("split", "full_screen"), ("snapshot", "record")):
            row.addWidget(self._separator())
            for name in group:
                row.addWidget(self._button(name, actions[name], role="error" if name == "record" else "text"))
        self.export = self._export_button(actions["export"])
        row.addSpacing(4)
        row.addWidget(self.export)
        self._modes_of = ""
        workspace.playback.changed.connect(self.refresh)
        workspace.playback.moved.connect(self.refresh)
        workspace.edits.setup_changed.connect(self._follow_preview)
        workspace.sound.changed.connect(self._refresh_sound)
        cuts = workspace.get(Cuts)
        cuts.changed.connect(lambda: self.line.show_cuts(cuts.times))
        self.refresh()

    @staticmethod
    def _separator() -> QFrame:
        line = QFrame()
        line.setObjectName("separator")
        return line

    def _speed_button(self, actions: Mapping[str, QAction]) -> QToolButton:
        button = QToolButton()
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        slower, faster = (native_text(actions[name].shortcut()) for name in ("slower", "faster"))
        button.setToolTip(self.tr("Speed ({0} and {1})").format(slower, faster))
        button.setAccessibleName(self.tr("Speed"))
        button.setMenu(self._speed_menu())
        return button

    def _export_button(self, action: QAction) -> QPushButton:
        button = QPushButton(self.tr("Export"))
        button.setObjectName("primary")
        button.setToolTip(with_key(action))
        button.setAccessibleName(plain_text(action.text()))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(action.trigger)
        action.changed.connect(lambda: button.setEnabled(action.isEnabled()))
        button.setEnabled(action.isEnabled())
        return button

    def _button(self, icon: str, action: QAction, role: str = "text") -> IconButton:
        button = IconButton(self._themed, icon, with_key(action), checkable=action.isCheckable(), role=role)
        if action.isCheckable():
            button.setChecked(action.isChecked())
            action.toggled.connect(button.setChecked)
        button.clicked.connect(action.trigger)
        # A checkable button has already toggled itself; the action's state is authoritative.
        button.clicked.connect(lambda: button.setChecked(action.isChecked()))
        return button

    def _speed_menu(self) -> QMenu:
        menu = QMenu(self)
        for factor in SPEEDS:
            action = menu.addAction(_speed_text(factor))
            action.triggered.connect(lambda _=False, f=factor: self._workspace.playback.set_speed(f))
        return menu

    def refresh(self) -> None:
        """Show another source, or another state of it."""
        playback = self._workspace.playback
        seekable, info = playback.seekable, playback.info
        timed = seekable is not None and info is not None and info.duration > 0
        for widget in self.files:
            widget.setVisible(timed)
        self.play.set_icon("pause" if playback.is_playing else "play")
        for step in (self.back, self.forward):
            step.setEnabled(not playback.is_playing)  # their keys pause first
        self.speed.setText(_speed_text(playback.speed))
        # The usual speed and an unset loop from A to B need no place.
        self.speed.setVisible(timed and playback.speed != 1.0)
        self.loop_ab.setVisible(timed and (playback.loop_a, playback.loop_b) != (None, None))
        self.live.setVisible(not timed)
        self.live.setText("" if info is None else translated(info.title))
        self._follow_preview()
        self._offer_modes()
        self._refresh_sound()
        self.update_time()

    def _follow_preview(self) -> None:
        """Preview key frames of a video, except during redaction: key frames are not redacted."""
        playback = self._workspace.playback
        shows = playback.info is not None and playback.info.kind == "video"
        hides = self._workspace.edits.setup.anonymize is not None
        self.line.preview.use(Path(playback.name) if shows and not hides else None)

    def _refresh_sound(self) -> None:
        """Show mute and volume if there is audio; in a narrow bar, mute only."""
        sound, has_sound = self._workspace.sound, self._workspace.playback.source_sound is not None
        self.mute.setVisible(has_sound)
        self.mute.set_icon("sound_off" if sound.muted else "sound")
        self.volume.setVisible(has_sound and self.width() >= _WIDE)
        self.volume.show_volume()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh_sound()

    def shutdown(self) -> None:
        """Stop background work, as the window closes."""
        self.line.preview.shutdown()

    def update_time(self) -> None:
        """Show the time; called some times a second."""
        playback = self._workspace.playback
        seekable = playback.seekable
        if seekable is None:
            return
        duration, position = seekable.info.duration, seekable.position
        # A file's last frame may lie after the duration that its header gives.
        position = min(position, duration) if duration > 0 else position
        short = duration < 600
        text = format_time(position, millis=short)
        if text != self.time.text():
            self.time.setText(text)
        length = format_time(duration, millis=short)
        if length != self.length.text():
            self.length.setText(length)
        self.line.show_time(position, duration, (playback.loop_a, playback.loop_b))

    # -- cameras ---------------------------------------------------------------------------------------------

    def _offer_modes(self) -> None:
        source = self._workspace.playback.source
        camera = getattr(source, "camera", None)
        self.format.setVisible(camera is not None)
        self.controls.setVisible(camera is not None)
        if camera is None or camera.id == self._modes_of:
            return
        self._modes_of = camera.id

        def query_modes() -> list[CameraMode]:
            from desktop.media.sources.camera import list_modes

            return list_modes(camera)

        self._workspace.jobs.run(query_modes, lambda modes: self._fill_modes(camera, modes))

    def _fill_modes(self, camera: CameraInfo, modes: list[CameraMode]) -> None:
        menu = self.format.menu()
        menu.clear()
        for mode in modes:
            rate = f" · {mode.rate:g} FPS" if mode.rate else ""
            action = menu.addAction(f"{mode.width}×{mode.height}{rate} · {mode.pixel_format}")
            action.triggered.connect(lambda _=False, m=mode: self._use_mode(camera, m))
        if not modes:
            menu.addAction(self.tr("The system does not tell this camera's formats")).setEnabled(False)

    def _use_mode(self, camera: CameraInfo, mode: CameraMode) -> None:
        def make() -> CameraSource:
            from desktop.media.sources.camera import CameraSource

            return CameraSource(camera.id, mode)

        self._workspace.playback.open_with(f"camera:{camera.id}", make)
