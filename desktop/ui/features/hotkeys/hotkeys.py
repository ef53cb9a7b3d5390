"""Reserve the keys of the settings, and act when they are pressed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from desktop.base.errors import HotkeyError
from desktop.base.wording import sentence
from desktop.ui.features.hotkeys.chord import Chord, read_chord
from desktop.ui.features.hotkeys.settings import HotkeySettings
from desktop.ui.features.hotkeys.system import HotkeySystem, OpenSystem, find_system
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.set_list.set_list import SetList
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import Failures, Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.workspace import Workspace

Actions = Mapping[str, Callable[[], object]]
_ABOUT: Final = "hotkeys"


def window_actions(workspace: Workspace) -> Actions:
    """Return what the settings' keys do, by the settings' names."""
    pictures, set_list = workspace.get(Pictures), workspace.get(SetList)
    return {
        HotkeySettings.hotkey_play.name: workspace.playback.toggle,
        HotkeySettings.hotkey_record.name: pictures.toggle_recording,
        HotkeySettings.hotkey_snapshot.name: pictures.snapshot,
        HotkeySettings.hotkey_undo.name: workspace.edits.undo,
        HotkeySettings.hotkey_next_look.name: lambda: set_list.step(1),
        HotkeySettings.hotkey_previous_look.name: lambda: set_list.step(-1),
    }


class Hotkeys(QObject):
    """The keys that are reserved; the system is opened with the first one."""

    def __init__(
        self,
        settings: Settings,
        messages: Messages,
        actions: Actions,
        parent: QObject,
        find: Callable[[str], HotkeySystem | None] = find_system,
    ) -> None:
        """Make it; `find` returns the session's system."""
        super().__init__(parent)
        self._settings, self._actions, self._find = HotkeySettings(settings), actions, find
        self._failures = Failures(messages)
        self._system: OpenSystem | None = None
        self._grabbed: dict[Chord, str] = {}
        self._pressed = ThreadSignal(self._on_pressed)
        self._lost = ThreadSignal(self._on_lost)
        for setting in HotkeySettings.all():
            settings.follow(self.refresh, setting)
        self.refresh()

    def refresh(self) -> None:
        """Reserve the keys of the settings; each that cannot be reserved is reported."""
        wanted: dict[Chord, str] = {}
        faults: dict[str, str] = {}
        for setting in HotkeySettings.all():
            text = setting.__get__(self._settings, HotkeySettings)
            about = f"{_ABOUT}/{setting.name}"
            if not text:
                faults[about] = ""
                continue
            chord = read_chord(text)
            if chord in wanted:
                faults[about] = sentence(
                    "The global shortcut {key} is set for two actions; change '{setting}'.",
                    key=str(chord),
                    setting=setting.field.label,
                )
            else:
                wanted[chord] = setting.name
        for chord in self._grabbed.keys() - wanted.keys():
            if self._system is not None:
                self._system.release(chord)
            del self._grabbed[chord]
        for chord, name in wanted.items():
            faults[f"{_ABOUT}/{name}"] = self._grab(chord, name)
        self._failures.update(faults)

    def _grab(self, chord: Chord, name: str) -> str:
        """Reserve a key for an action; return why not, '' if it is reserved."""
        if chord not in self._grabbed:
            try:
                self._opened().grab(chord)
            except HotkeyError as error:
                return str(error)
        self._grabbed[chord] = name
        return ""

    def _opened(self) -> OpenSystem:
        if self._system is None:
            system = self._find(QGuiApplication.platformName())
            if system is None:
                raise HotkeyError(
                    sentence(
                        "This system has no global shortcuts that Lightloom knows; use remote control instead."
                    )
                )
            self._system = system.open(self._pressed.send, self._lost.send)
        return self._system

    def _on_pressed(self, chord: Chord) -> None:
        name = self._grabbed.get(chord)
        if name is not None:
            self._actions[name]()

    def _on_lost(self, reason: str) -> None:
        """Report that the keys stopped working; without a reason reserve them again."""
        self.close()
        if reason:
            self._failures.update({_ABOUT: reason})
        else:
            self.refresh()

    def close(self) -> None:
        """Give all keys back."""
        self._grabbed = {}
        if self._system is not None:
            self._system.close()
            self._system = None
