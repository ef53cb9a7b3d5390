"""Controls of the camera in use: set, reset, and saved by camera name."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop.media.sources._camera_controls import CameraControl, defaults_of
from desktop.media.sources.base import Controllable, Source
from desktop.ui.forms.settings import Settings
from desktop.ui.workspace.playback import Playback


class CameraControls(QObject):
    """Controls of the camera in use; its values are saved only once the user has changed one."""

    changed = Signal()

    def __init__(self, playback: Playback, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._playback, self._settings = playback, settings
        self._shown: tuple[object, ...] = ()
        self._read_source: Source | None = None
        self._camera: Controllable | None = None
        playback.greets.append(self._apply_stored)
        playback.changed.connect(self._emit_changes)
        playback.woken.connect(self._emit_changes)

    @property
    def _source(self) -> Controllable | None:
        source = self._playback.source
        if source is not self._read_source:
            self._read_source = source
            self._camera = source.capabilities.controls if source is not None else None
        return self._camera

    @property
    def has_camera(self) -> bool:
        """True if the source in use is a camera."""
        return self._source is not None

    @property
    def controls(self) -> tuple[CameraControl, ...]:
        """Its controls as they were read last."""
        source = self._source
        return source.controls if source is not None else ()

    @property
    def problem(self) -> str:
        """Reason why the camera last rejected a value, or ''."""
        source = self._source
        return source.control_problem if source is not None else ""

    def set(self, control: str, value: int) -> None:
        """Set a control, and save its value for this camera."""
        source = self._source
        if source is not None:
            source.set_controls({control: value})
            kept = self._settings.camera_controls
            name = source.info.title
            self._settings.camera_controls = {**kept, name: {**kept.get(name, {}), control: value}}

    def put_back(self) -> None:
        """Reset all controls to the driver's defaults, and delete this camera's saved values."""
        source = self._source
        if source is not None:
            source.set_controls(defaults_of(source.controls))
            kept = self._settings.camera_controls
            self._settings.camera_controls = {
                name: values for name, values in kept.items() if name != source.info.title
            }

    def read_again(self) -> None:
        """Read the current values from the camera."""
        if self._source is not None:
            self._source.set_controls({})

    def _apply_stored(self, playback: Playback) -> None:
        source = playback.source.capabilities.controls if playback.source is not None else None
        if source is not None:
            kept = self._settings.camera_controls.get(source.info.title, {})
            values = {control: value for control, value in kept.items() if type(value) is int}
            if values:
                source.set_controls(values)

    def _emit_changes(self) -> None:
        # Called with each frame; the camera's thread makes a new tuple when it has read.
        shown = (self._source, self.controls, self.problem)
        if len(self._shown) != len(shown) or any(a is not b for a, b in zip(shown, self._shown, strict=True)):
            self._shown = shown
            self.changed.emit()
