"""X11: keys are grabbed on the root window, over a connection of its own through libxcb.

Not Qt's connection: Qt does not pass on the errors of grabs, by which a key that another program has is recognized.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import select
import socket
import threading
from collections.abc import Iterator
from typing import Final

from desktop.base.errors import HotkeyError
from desktop.base.wording import sentence
from desktop.ui.features.hotkeys.chord import FUNCTION_KEYS, Chord
from desktop.ui.features.hotkeys.system import HotkeySystem, Lost, Pressed

_MASKS: Final = {"Shift": 1, "Ctrl": 4, "Alt": 8, "Super": 64}
_ALL: Final = 1 | 4 | 8 | 64
# Caps Lock and Num Lock are modifiers too: a grab is for one exact state.
_LOCKS: Final = (0, 2, 16, 18)
_KEY_PRESS: Final = 2
_MAPPING_NOTIFY: Final = 34
_ASYNCHRONOUS: Final = 1
_KEYSYMS: Final = {
    "Space": 0x20,
    **{"Home": 0xFF50, "Left": 0xFF51, "Up": 0xFF52, "Right": 0xFF53, "Down": 0xFF54},
    **{"PgUp": 0xFF55, "PgDown": 0xFF56, "End": 0xFF57, "Insert": 0xFF63, "Delete": 0xFFFF},
    **{key: 0xFFBE + number for number, key in enumerate(FUNCTION_KEYS)},
}
# Offsets in xcb_setup_t, xcb_get_keyboard_mapping_reply_t and xcb_key_press_event_t.
_MIN_KEYCODE, _MAX_KEYCODE = 34, 35
_PER_KEYCODE, _REPLY_SIZE = 1, 32
_DETAIL, _STATE = 1, 28


class _Cookie(ctypes.Structure):
    _fields_ = [("sequence", ctypes.c_uint)]


class _Screens(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(ctypes.c_uint32)), ("rem", ctypes.c_int), ("index", ctypes.c_int)]


def _load() -> tuple[ctypes.CDLL, ctypes.CDLL]:
    """Return libxcb and the C library, declared."""
    try:
        xcb = ctypes.CDLL(ctypes.util.find_library("xcb") or "libxcb.so.1")
        libc = ctypes.CDLL(None)
    except OSError as error:
        raise HotkeyError(
            sentence("Global shortcuts need libxcb, which cannot be loaded; install the package libxcb1.")
        ) from error
    pointer, byte = ctypes.c_void_p, ctypes.c_uint8
    for name, result, *arguments in (
        ("xcb_connect", pointer, ctypes.c_char_p, pointer),
        ("xcb_connection_has_error", ctypes.c_int, pointer),
        ("xcb_disconnect", None, pointer),
        ("xcb_get_setup", pointer, pointer),
        ("xcb_setup_roots_iterator", _Screens, pointer),
        ("xcb_get_keyboard_mapping", _Cookie, pointer, byte, byte),
        ("xcb_get_keyboard_mapping_reply", pointer, pointer, _Cookie, pointer),
        ("xcb_get_file_descriptor", ctypes.c_int, pointer),
        ("xcb_poll_for_event", pointer, pointer),
        ("xcb_request_check", pointer, pointer, _Cookie),
        ("xcb_flush", ctypes.c_int, pointer),
        ("xcb_ungrab_key", _Cookie, pointer, byte, ctypes.c_uint32, ctypes.c_uint16),
        ("xcb_grab_key_checked", _Cookie, pointer, byte, ctypes.c_uint32, ctypes.c_uint16, byte, byte, byte),
    ):
        function = getattr(xcb, name)
        function.restype, function.argtypes = result, arguments
    libc.free.argtypes = [pointer]
    return xcb, libc


class X11Hotkeys:
    """A connection with the keys that it grabbed."""

    def __init__(self, pressed: Pressed, lost: Lost) -> None:
        """Connect to the display; both are called on a thread, see `HotkeySystem`. Raises HotkeyError."""
        self._pressed, self._lost = pressed, lost
        self._xcb, self._libc = _load()
        self._connection = self._xcb.xcb_connect(None, None)
        if self._xcb.xcb_connection_has_error(self._connection):
            self._xcb.xcb_disconnect(self._connection)
            raise HotkeyError(
                sentence(
                    "The X display cannot be opened for global shortcuts; start Lightloom from a desktop."
                )
            )
        setup = self._xcb.xcb_get_setup(self._connection)
        self._root = int(self._xcb.xcb_setup_roots_iterator(setup).data[0])
        self._setup = setup
        self._keycodes = self._read_keycodes()
        self._grabbed: dict[tuple[int, int], Chord] = {}
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="hotkeys", daemon=True)
        self._thread.start()

    def _read_keycodes(self) -> dict[int, int]:
        """Return the keycode of each keysym; of several the first."""
        first, last = (ctypes.string_at(self._setup + at, 1)[0] for at in (_MIN_KEYCODE, _MAX_KEYCODE))
        count = last - first + 1
        cookie = self._xcb.xcb_get_keyboard_mapping(self._connection, first, count)
        reply = self._xcb.xcb_get_keyboard_mapping_reply(self._connection, cookie, None)
        found: dict[int, int] = {}
        if reply:
            each = ctypes.string_at(reply + _PER_KEYCODE, 1)[0]
            keysyms = (ctypes.c_uint32 * (count * each)).from_address(reply + _REPLY_SIZE)
            for index, keysym in enumerate(keysyms):
                found.setdefault(int(keysym), first + index // each)
            self._libc.free(reply)
        return found

    def grab(self, chord: Chord) -> None:
        """Reserve a key. Raises HotkeyError."""
        keycode = self._keycodes.get(_KEYSYMS[chord.key] if chord.key in _KEYSYMS else ord(chord.key.lower()))
        if keycode is None:
            raise HotkeyError(
                sentence("The keyboard has no key for {key}; choose another global shortcut.", key=str(chord))
            )
        mask = sum(_MASKS[each] for each in chord.modifiers)
        cookies = [
            self._xcb.xcb_grab_key_checked(
                self._connection, 0, self._root, mask | lock, keycode, _ASYNCHRONOUS, _ASYNCHRONOUS
            )
            for lock in _LOCKS
        ]
        errors = [self._xcb.xcb_request_check(self._connection, cookie) for cookie in cookies]
        for error in filter(None, errors):
            self._libc.free(error)
        if any(errors):
            self._ungrab(keycode, mask)
            raise HotkeyError(
                sentence(
                    "Another program has the global shortcut {key}; choose another one, or end that program.",
                    key=str(chord),
                )
            )
        self._grabbed[keycode, mask] = chord

    def release(self, chord: Chord) -> None:
        """Give a key back."""
        for (keycode, mask), grabbed in tuple(self._grabbed.items()):
            if grabbed == chord:
                del self._grabbed[keycode, mask]
                self._ungrab(keycode, mask)

    def _ungrab(self, keycode: int, mask: int) -> None:
        for lock in _LOCKS:
            self._xcb.xcb_ungrab_key(self._connection, keycode, self._root, mask | lock)
        self._xcb.xcb_flush(self._connection)

    # -- on its thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        descriptor = self._xcb.xcb_get_file_descriptor(self._connection)
        while True:
            is_other = False
            for event in self._events():
                kind = event[0] & 0x7F
                is_other = is_other or kind == _MAPPING_NOTIFY
                if kind == _KEY_PRESS:
                    state = int.from_bytes(event[_STATE : _STATE + 2], "little")
                    chord = self._grabbed.get((event[_DETAIL], state & _ALL))
                    if chord is not None:
                        self._pressed(chord)
            if self._xcb.xcb_connection_has_error(self._connection):
                self._lost(
                    sentence(
                        "The X display has ended the global shortcuts; start Lightloom again to use them."
                    )
                )
                return
            # Another layout has keys elsewhere; two keyboards with the same layout send these events too.
            if is_other and self._read_keycodes() != self._keycodes:
                self._lost("")
                return
            # xcb_request_check may read events into xcb's own queue: then only a timeout finds them.
            ready, _, _ = select.select([descriptor, self._woken], [], [], 0.5)
            if self._woken in ready:
                return

    def _events(self) -> Iterator[bytes]:
        while event := self._xcb.xcb_poll_for_event(self._connection):
            data = ctypes.string_at(event, 32)
            self._libc.free(event)
            yield data

    def close(self) -> None:
        """Give all keys back. Twice is allowed."""
        if self._connection is not None:
            self._wake.send(b"x")
            self._thread.join()
            self._xcb.xcb_disconnect(self._connection)
            self._connection = None
            self._wake.close()
            self._woken.close()


SYSTEM: Final = HotkeySystem(1, lambda platform: platform == "xcb", X11Hotkeys)
