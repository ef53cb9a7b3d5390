"""Receive values of MIDI devices and OSC messages if the settings say so."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop.pipeline.engine import Engine
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.playback import Playback

if TYPE_CHECKING:
    from desktop.pipeline.automation.controller_input import OpenInput

_PRESSED: Final = 0.5


class Controllers(QObject):
    """The open inputs; nothing is imported or opened until a setting asks for it.

    Attributes:
        watched: addresses of buttons and keys whose presses are wanted.

    Signals:
        pressed: the address of one of them, whose value has become greater than 0.5, or was sent again.
    """

    pressed = Signal(str)

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        jobs: Jobs,
        messages: Messages,
        playback: Playback,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._jobs, self._messages, self._playback = engine, jobs, messages, playback
        self._wanted: dict[str, str] = {}
        # Changes run one after another on threads; each applies the newest wish.
        self._changing = threading.Lock()
        self._open: dict[str, tuple[str, OpenInput]] = {}
        self._notice = ThreadSignal(self._post)
        self._moved = ThreadSignal(self._wake)
        self.watched: frozenset[str] = frozenset()
        self._before: dict[str, float] = {}
        self._press = ThreadSignal(self._on_press)
        # Keeps a fast device from filling the event queue.
        self._signalled = threading.Event()
        engine.controls.on_change = self._on_value
        for name, setting in (("midi", Settings.midi_device), ("osc", Settings.osc_address)):
            settings.follow(partial(self._use_setting, name, settings), setting)
            self._use_setting(name, settings)

    def _use_setting(self, name: str, settings: Settings) -> None:
        self.use(name, settings.midi_device if name == "midi" else settings.osc_address)

    def use(self, name: str, wanted: str) -> None:
        """Receive from now on from what `wanted` says ('midi': devices, 'osc': a port), '' for nothing."""
        self._messages.settled.emit(_about(name))
        if not wanted and name not in self._wanted:
            return
        self._wanted[name] = wanted
        self._jobs.run(
            partial(self._change, name), lambda _: None, lambda error: self._post(name, str(error))
        )

    def _change(self, name: str) -> None:
        """Apply the newest wish; on a thread."""
        from desktop.pipeline.automation.controller_input import controller_inputs

        with self._changing:
            wanted = self._wanted.get(name, "")
            if name in self._open and self._open[name][0] == wanted:
                return
            if name in self._open:
                self._open.pop(name)[1].close()
            if wanted:
                notify = partial(self._notice.send, name)
                opened = controller_inputs()[name].open(wanted, self._engine.controls, notify)
                self._open[name] = (wanted, opened)

    def _post(self, name: str, text: str) -> None:
        self._messages.post("error", text, about=_about(name))

    def _on_value(self, address: str, value: float) -> None:
        # On a thread of a device.
        if address in self.watched:
            before = self._before.get(address, 0.0)
            self._before[address] = value
            # Buttons of some programs send 1 each time and nothing when they are released.
            if value > _PRESSED and (before <= _PRESSED or before == value):
                self._press.send(address)
        if not self._signalled.is_set():
            self._signalled.set()
            self._moved.send()

    def _on_press(self, address: str) -> None:
        self.pressed.emit(address)

    def _wake(self) -> None:
        self._signalled.clear()
        # A frame that stays is drawn again with the new value.
        self._playback.woken.emit()

    def close(self) -> None:
        """Stop receiving."""
        self._engine.controls.on_change = lambda address, value: None
        self._wanted = {}
        with self._changing:
            for _, opened in self._open.values():
                opened.close()
            self._open = {}


def _about(name: str) -> str:
    return f"controllers/{name}"
