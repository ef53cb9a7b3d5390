"""Windows: RegisterHotKey, whose messages come to the thread that registered the key."""

from __future__ import annotations

import ctypes
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final

from desktop.base.errors import HotkeyError
from desktop.base.wording import sentence
from desktop.ui.features.hotkeys.chord import FUNCTION_KEYS, Chord
from desktop.ui.features.hotkeys.system import HotkeySystem, Lost, Pressed

log = logging.getLogger(__name__)

# Seconds in which the thread carries out a call; it has nothing else to do.
_ANSWER_S: Final = 2.0
_MODIFIERS: Final = {"Alt": 1, "Ctrl": 2, "Shift": 4, "Super": 8}
_NO_REPEAT: Final = 0x4000
_WM_QUIT, _WM_HOTKEY, _WM_APP = 0x12, 0x312, 0x8000
_VIRTUAL: Final = {
    **{"Space": 0x20, "PgUp": 0x21, "PgDown": 0x22, "End": 0x23, "Home": 0x24, "Left": 0x25, "Up": 0x26},
    **{"Right": 0x27, "Down": 0x28, "Insert": 0x2D, "Delete": 0x2E},
    **{key: 0x70 + number for number, key in enumerate(FUNCTION_KEYS)},
}


class _Message(ctypes.Structure):
    _fields_ = [
        ("window", ctypes.c_void_p),
        ("message", ctypes.c_uint),
        ("wparam", ctypes.c_size_t),
        ("lparam", ctypes.c_ssize_t),
        ("time", ctypes.c_uint32),
        ("x", ctypes.c_long),
        ("y", ctypes.c_long),
        ("private", ctypes.c_uint32),
    ]


class WindowsHotkeys:
    """A thread with a message loop, on which the keys are registered."""

    def __init__(self, pressed: Pressed, lost: Lost, libraries: Any = None) -> None:
        """Start the thread, on which both are called, see `HotkeySystem`; by default on the system's libraries.

        Raises HotkeyError.
        """
        system: Any = ctypes
        found = libraries or system.windll
        self._user, self._kernel = found.user32, found.kernel32
        self._pressed, self._lost = pressed, lost
        self._chords: dict[int, Chord] = {}
        self._number = 0
        self._due: queue.SimpleQueue[tuple[Callable[[], None], Future[None]]] = queue.SimpleQueue()
        self._ready = threading.Event()
        self._thread_id = 0
        self._thread = threading.Thread(target=self._run, name="hotkeys", daemon=True)
        self._thread.start()
        if not self._ready.wait(_ANSWER_S):
            raise _unanswered()

    def grab(self, chord: Chord) -> None:
        """Reserve a key. Raises HotkeyError."""
        self._call(lambda: self._register(chord))

    def release(self, chord: Chord) -> None:
        """Give a key back."""
        self._call(lambda: self._unregister(chord))

    def _call(self, work: Callable[[], None]) -> None:
        future: Future[None] = Future()
        self._due.put((work, future))
        if not self._user.PostThreadMessageW(self._thread_id, _WM_APP, 0, 0):
            future.cancel()
            raise _unanswered()
        try:
            future.result(_ANSWER_S)
        except TimeoutError as error:
            future.cancel()
            raise _unanswered() from error

    def close(self) -> None:
        """Give all keys back. Twice is allowed."""
        if self._thread.is_alive():
            self._user.PostThreadMessageW(self._thread_id, _WM_QUIT, 0, 0)
            self._thread.join(_ANSWER_S)

    # -- on its thread ---------------------------------------------------------------------------------------

    def _register(self, chord: Chord) -> None:
        self._number += 1
        modifiers = sum(_MODIFIERS[each] for each in chord.modifiers) | _NO_REPEAT
        key = _VIRTUAL[chord.key] if chord.key in _VIRTUAL else ord(chord.key)
        if not self._user.RegisterHotKey(None, self._number, modifiers, key):
            raise HotkeyError(
                sentence(
                    "Another program has the global shortcut {key}; choose another one, or end that program.",
                    key=str(chord),
                )
            )
        self._chords[self._number] = chord

    def _unregister(self, chord: Chord) -> None:
        for number, registered in tuple(self._chords.items()):
            if registered == chord:
                del self._chords[number]
                self._user.UnregisterHotKey(None, number)

    def _run(self) -> None:
        try:
            self._serve()
        except Exception:
            # With it the keys end, and nothing else.
            log.exception("the thread of the global shortcuts failed")
            self._lost(
                sentence("The global shortcuts have ended by a fault; start Lightloom again to use them.")
            )

    def _serve(self) -> None:
        message = _Message()
        # Makes the thread's message queue, without which nothing can be posted to it.
        self._user.PeekMessageW(ctypes.byref(message), None, 0, 0, 0)
        self._thread_id = self._kernel.GetCurrentThreadId()
        self._ready.set()
        while self._user.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            if message.message == _WM_HOTKEY and message.wparam in self._chords:
                self._pressed(self._chords[message.wparam])
            elif message.message == _WM_APP:
                self._carry_out()
        for chord in tuple(self._chords.values()):
            self._unregister(chord)

    def _carry_out(self) -> None:
        """Carry out the calls that wait; a message of one that could not be posted is missing."""
        while not self._due.empty():
            work, future = self._due.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                work()
            except HotkeyError as error:
                future.set_exception(error)
            except Exception:
                # The thread goes on for the other keys.
                log.exception("a call of the global shortcuts failed")
                future.set_exception(_unanswered())
            else:
                future.set_result(None)


def _unanswered() -> HotkeyError:
    return HotkeyError(
        sentence("Windows did not take the global shortcut in time; set it again, or start Lightloom again.")
    )


SYSTEM: Final = HotkeySystem(2, lambda platform: platform == "windows", WindowsHotkeys)
