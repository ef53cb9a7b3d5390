"""List the monitors and windows of an X server. Captures no frames.

Requests are encoded as in "X Window System Protocol", "The X Resize, Rotate and Reflect Extension" 1.5,
"Composite Extension" and "Extended Window Manager Hints" 1.5, and sent through libxcb, as in Qt's xcb plugin.
Not Xlib (a vanished window ends the process), xcffib (no wheels) or python-xlib (no release since 2022).
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from desktop.media.sources._screen_values import Box

_GET_ATTRIBUTES, _GET_GEOMETRY, _QUERY_TREE, _INTERN_ATOM, _ATOM_NAME, _GET_PROPERTY = 3, 14, 15, 16, 17, 20
_TRANSLATE, _QUERY_EXTENSION = 40, 98
_REDIRECT_WINDOW, _GET_MONITORS = 1, 42
_VIEWABLE: Final = 2
# Maximum title length, in units of four bytes.
_LONGEST: Final = 256
_MOST_WINDOWS: Final = 1024


class X11Error(OSError):
    """The server refused a request (such as for a window that is gone), or the connection is lost."""


class _Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class _Request(ctypes.Structure):
    _fields_ = (
        ("count", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("opcode", ctypes.c_uint8),
        ("is_void", ctypes.c_uint8),
    )


@dataclass(frozen=True)
class Output:
    """A monitor as RandR describes it."""

    name: str
    primary: bool
    box: Box


def _library() -> Any:
    xcb = ctypes.CDLL("libxcb.so.1")
    pointer = ctypes.c_void_p
    for name, result, arguments in (
        ("xcb_connect", pointer, (ctypes.c_char_p, ctypes.POINTER(ctypes.c_int))),
        ("xcb_connection_has_error", ctypes.c_int, (pointer,)),
        ("xcb_disconnect", None, (pointer,)),
        ("xcb_get_setup", pointer, (pointer,)),
        ("xcb_generate_id", ctypes.c_uint32, (pointer,)),
        (
            "xcb_send_request",
            ctypes.c_uint,
            (pointer, ctypes.c_int, ctypes.POINTER(_Vector), ctypes.POINTER(_Request)),
        ),
        ("xcb_wait_for_reply", pointer, (pointer, ctypes.c_uint, ctypes.POINTER(pointer))),
        ("xcb_request_check", pointer, (pointer, _Cookie)),
    ):
        function = getattr(xcb, name)
        function.restype, function.argtypes = result, arguments
    return xcb


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class Display:
    """A connection to the X server `name` (":0"). Thread-safe.

    Raises:
        X11Error: there is no such server, it refuses this user, or libxcb is missing.
    """

    def __init__(self, name: str) -> None:
        try:
            self._xcb = _library()
            self._free = ctypes.CDLL(None).free
        except (OSError, AttributeError) as error:
            raise X11Error("no libxcb") from error
        self._free.argtypes = (ctypes.c_void_p,)
        number = ctypes.c_int(0)
        self._connection = self._xcb.xcb_connect(name.encode("utf-8", "replace"), ctypes.byref(number))
        self._close = weakref.finalize(self, self._xcb.xcb_disconnect, self._connection)
        # At exit the system closes it: a thread still waiting for a reply would otherwise read freed memory.
        self._close.atexit = False
        self._screen = number.value
        if not self.is_alive:
            self._close()
            raise X11Error("no server")

    @property
    def is_alive(self) -> bool:
        """False once the connection is lost."""
        return self._close.alive and not self._xcb.xcb_connection_has_error(self._connection)

    def close(self) -> None:
        """Close the connection, also on deletion. Not while another thread sends a request."""
        self._close()

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- protocol --------------------------------------------------------------------------------------------

    def request(self, opcode: int, data: int, body: bytes) -> bytes:
        """Send a request and return its reply; X11Error if the server returns an error or is gone. `data` is
        the second byte (an extension's minor opcode), `body` what follows the first four.
        """
        sequence = self._send(opcode, data, body, is_void=False)
        refused = ctypes.c_void_p()
        reply = self._xcb.xcb_wait_for_reply(self._connection, sequence, ctypes.byref(refused))
        if refused.value or not reply:
            self._free(refused)
            raise X11Error(f"request {opcode} was refused")
        try:
            size = 32 + 4 * struct.unpack("=I", ctypes.string_at(reply + 4, 4))[0]
            return ctypes.string_at(reply, size)
        finally:
            self._free(reply)

    def send_checked(self, opcode: int, data: int, body: bytes) -> None:
        """Send a request without a reply, and wait until it is processed. Raises as `request`."""
        sequence = self._send(opcode, data, body, is_void=True)
        refused = self._xcb.xcb_request_check(self._connection, _Cookie(sequence))
        if refused:
            self._free(refused)
            raise X11Error(f"request {opcode} was refused")
        if not self.is_alive:
            raise X11Error("the server is gone")

    def _send(self, opcode: int, data: int, body: bytes, *, is_void: bool) -> int:
        if not self._close.alive:
            raise X11Error("the connection is closed")
        # libxcb writes the opcode and the length, and needs two free entries before the first part.
        padded = bytes((0, data, 0, 0)) + body + bytes(-len(body) % 4)
        buffer = ctypes.create_string_buffer(padded, len(padded))
        vectors = (_Vector * 3)()
        vectors[2] = _Vector(ctypes.addressof(buffer), len(padded))
        first = ctypes.cast(ctypes.addressof(vectors) + 2 * ctypes.sizeof(_Vector), ctypes.POINTER(_Vector))
        checked = 1
        return int(
            self._xcb.xcb_send_request(
                self._connection, checked, first, ctypes.byref(_Request(1, None, opcode, is_void))
            )
        )

    def new_id(self) -> int:
        """Return an id for a new resource."""
        return int(self._xcb.xcb_generate_id(self._connection))

    def extension(self, name: bytes) -> int | None:
        """Return an extension's opcode, None if the server lacks it."""
        reply = self.request(_QUERY_EXTENSION, 0, struct.pack("=HH", len(name), 0) + name)
        return reply[9] if reply[8] else None

    def atom(self, name: bytes) -> int:
        """Return the number of an atom."""
        return int(
            struct.unpack_from(
                "=I", self.request(_INTERN_ATOM, 0, struct.pack("=HH", len(name), 0) + name), 8
            )[0]
        )

    # -- queries ---------------------------------------------------------------------------------------------

    @cached_property
    def root(self) -> int:
        """The root window."""
        setup: int = self._xcb.xcb_get_setup(self._connection)
        size = 8 + 4 * struct.unpack("=H", ctypes.string_at(setup + 6, 2))[0]
        data = ctypes.string_at(setup, size)
        vendor, formats = struct.unpack_from("=H", data, 24)[0], data[29]
        place = 40 + vendor + -vendor % 4 + 8 * formats
        for _ in range(self._screen):
            place = _after_screen(data, place)
        return int(struct.unpack_from("=I", data, place)[0])

    def outputs(self) -> list[Output]:
        """Return the active monitors in the server's order; the whole desktop if it lists none."""
        randr = self.extension(b"RANDR")
        whole = Output("", True, self.box(self.root))
        if randr is None:
            return [whole]
        reply = self.request(randr, _GET_MONITORS, struct.pack("=IBxxx", self.root, 1))
        found, place = [], 32
        for _ in range(struct.unpack_from("=I", reply, 12)[0]):
            name, primary, _, outputs, x, y, width, height = struct.unpack_from("=IBBHhhHH", reply, place)
            found.append(Output(self._atom_name(name), bool(primary), Box(x, y, width, height)))
            place += 24 + 4 * outputs
        return [output for output in found if output.box.width and output.box.height] or [whole]

    def _atom_name(self, atom: int) -> str:
        reply = self.request(_ATOM_NAME, 0, struct.pack("=I", atom))
        length = struct.unpack_from("=H", reply, 8)[0]
        return reply[32 : 32 + length].decode("latin-1")

    def windows(self) -> list[int]:
        """Return the window manager's windows, lowest first; without one, the root's named children."""
        listed = self._numbers(self.root, b"_NET_CLIENT_LIST_STACKING") or self._numbers(
            self.root, b"_NET_CLIENT_LIST"
        )
        return listed or [window for window in self._children() if self.title(window)]

    def _children(self) -> Iterator[int]:
        reply = self.request(_QUERY_TREE, 0, struct.pack("=I", self.root))
        for window in struct.unpack_from(f"={struct.unpack_from('=H', reply, 16)[0]}I", reply, 32):
            if self.is_viewable(window):
                yield window

    def title(self, window: int) -> str:
        """Return a window's title, '' for one that has none or is gone."""
        named = self._property(window, b"_NET_WM_NAME")
        return (
            named.decode("utf-8", "replace")
            if named
            else self._property(window, b"WM_NAME").decode("latin-1")
        )

    def owner(self, window: int) -> int:
        """Return the process id that a window states, 0 for none."""
        return next(iter(self._numbers(window, b"_NET_WM_PID")), 0)

    def is_viewable(self, window: int) -> bool:
        """Return True if a window is shown: neither minimized nor on another desktop nor gone."""
        try:
            return self.request(_GET_ATTRIBUTES, 0, struct.pack("=I", window))[26] == _VIEWABLE
        except X11Error:
            return False

    def box(self, window: int) -> Box:
        """Return the position and size of a window, without its frame; X11Error if it is gone."""
        shape = self.request(_GET_GEOMETRY, 0, struct.pack("=I", window))
        width, height = struct.unpack_from("=HH", shape, 16)
        root = struct.unpack_from("=I", shape, 8)[0]
        x, y = struct.unpack_from(
            "=hh", self.request(_TRANSLATE, 0, struct.pack("=IIhh", window, root, 0, 0)), 12
        )
        return Box(x, y, width, height)

    def store_complete_image(self, window: int) -> None:
        """Have the server store a window's complete image, including covered parts, while this connection
        lasts. Compositing desktops do so anyway. Ignored if unsupported.
        """
        composite = self.extension(b"Composite")
        if composite is not None:
            # A server accepts no other request of the extension before its version was queried.
            self.request(composite, 0, struct.pack("=II", 0, 4))
            self.send_checked(composite, _REDIRECT_WINDOW, struct.pack("=IBxxx", window, 0))

    def _numbers(self, window: int, name: bytes) -> list[int]:
        data = self._property(window, name, _MOST_WINDOWS)
        return [number for (number,) in struct.iter_unpack("=I", data[: len(data) // 4 * 4])]

    def _property(self, window: int, name: bytes, longest: int = _LONGEST) -> bytes:
        try:
            reply = self.request(
                _GET_PROPERTY, 0, struct.pack("=IIIII", window, self.atom(name), 0, 0, longest)
            )
        except X11Error:
            return b""
        length = struct.unpack_from("=I", reply, 16)[0] * (reply[1] // 8)
        return reply[32 : 32 + length]


def _after_screen(data: bytes, place: int) -> int:
    # SCREEN, then its depths, each with its visuals.
    depths, place = data[place + 39], place + 40
    for _ in range(depths):
        place += 8 + 24 * int(struct.unpack_from("=H", data, place + 2)[0])
    return place
