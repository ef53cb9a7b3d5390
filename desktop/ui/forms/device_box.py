"""Choice of the device of a backend."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import WheelGuard, muted
from desktop.vision.backends import find_backend
from desktop.vision.backends.backend import AvailableDevices
from desktop.vision.backends.devices import BackendDevices

Listed = tuple[BackendDevices, ...]
Query = Callable[[Callable[[Listed], None], Callable[[str], None]], None]
"""Query all devices, which takes seconds; call back on the window's thread with them or an error."""


def has_devices(backend: str) -> bool:
    """Whether a backend has devices to choose from: not 'auto', nor wgpu, which uses the frames' device."""
    found = find_backend(backend)
    return found is not None and found.find_devices is not AvailableDevices


class DeviceBox(QWidget):
    """List of one backend's devices with notes below, queried when first needed."""

    chosen = Signal(str)

    def __init__(self, guard: WheelGuard, query_devices: Query) -> None:
        super().__init__()
        self._query_devices = query_devices
        self._listed: Listed | None = None
        self._has_queried = False
        self._backend, self._device = "auto", "auto"
        self.box = QComboBox()
        self.box.setAccessibleName(self.tr("Device of the network"))
        self.box.activated.connect(lambda _: self.chosen.emit(self.box.currentData()))
        guard.watch(self.box)
        self.note: QLabel = muted()
        self.note.setWordWrap(True)
        self.note.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.box)
        layout.addWidget(self.note)
        self._fill()

    def show_choice(self, backend: str, device: str) -> None:
        """Show the choice; query the devices if the backend has any."""
        self._backend, self._device = backend, device
        if has_devices(backend) and not self._has_queried:
            self._has_queried = True
            self._show_note(self.tr("Looking for devices..."))
            self._query_devices(self._take, self._fail)
        self._fill()

    def _take(self, listed: Listed) -> None:
        self._listed = listed
        self._fill()

    def _fail(self, reason: str) -> None:
        self._has_queried = False  # the next choice asks again
        self._show_note(reason)

    def _show_note(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _fill(self) -> None:
        found = next(
            (each.found for each in self._listed or () if each.backend == self._backend), AvailableDevices()
        )
        self.box.clear()
        self.box.addItem(self.tr("auto"), "auto")
        for device in found.devices:
            self.box.addItem(device.title, device.name)
        if self.box.findData(self._device) < 0:
            # A choice from another machine, or not queried yet, is kept.
            self.box.addItem(self._device, self._device)
        self.box.setCurrentIndex(self.box.findData(self._device))
        if self._listed is not None:
            self._show_note(" ".join(translated(note) for note in found.notes))
