"""Controls of a Video4Linux2 camera, by ioctl ("Video for Linux API", linux/videodev2.h,
linux/v4l2-controls.h). Not VIDIOC_QUERY_EXT_CTRL: older drivers lack it, and cameras have no other controls.
"""

from __future__ import annotations

import errno
import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from desktop.base.fields import Flag, Integer, Selection
from desktop.base.wording import Text, sentence
from desktop.media.sources._camera_controls import CameraControl, automatic_of
from desktop.media.v4l2 import Node, c_text

G_CTRL: Final = 0xC008561B
S_CTRL: Final = 0xC008561C
QUERYCTRL: Final = 0xC0445624
QUERYMENU: Final = 0xC02C5625

_QUERYCTRL = struct.Struct("=II32s4iI8x")
_QUERYMENU = struct.Struct("=II32s4x")
_MENU_VALUE = struct.Struct("=q")
_CONTROL = struct.Struct("=Ii")

_INTEGER, _BOOLEAN, _MENU, _INTEGER_MENU = 1, 2, 3, 9
_KNOWN_TYPES: Final = (_INTEGER, _BOOLEAN, _MENU, _INTEGER_MENU)
_DISABLED, _GRABBED, _READ_ONLY, _INACTIVE, _WRITE_ONLY = 0x01, 0x02, 0x04, 0x10, 0x40
_NEXT: Final = 0x80000000
# A driver that never says "no more", or a menu from 0 to 4294967295, must not hold the program.
_MOST_CONTROLS, _MOST_ENTRIES = 256, 256

_USER, _CAMERA = 0x00980900, 0x009A0900
_KNOWN: Final[dict[int, tuple[str, Text]]] = {
    _USER + 0: ("brightness", sentence("Brightness")),
    _USER + 1: ("contrast", sentence("Contrast")),
    _USER + 2: ("saturation", sentence("Saturation")),
    _USER + 3: ("hue", sentence("Hue")),
    _USER + 12: ("auto_white_balance", sentence("Auto white balance")),
    _USER + 14: ("red_balance", sentence("Red balance")),
    _USER + 15: ("blue_balance", sentence("Blue balance")),
    _USER + 16: ("gamma", sentence("Gamma")),
    _USER + 18: ("auto_gain", sentence("Auto gain")),
    _USER + 19: ("gain", sentence("Gain")),
    _USER + 24: ("power_line_frequency", sentence("Power-line frequency")),
    _USER + 25: ("auto_hue", sentence("Auto hue")),
    _USER + 26: ("white_balance", sentence("White balance")),
    _USER + 27: ("sharpness", sentence("Sharpness")),
    _USER + 28: ("backlight_compensation", sentence("Backlight compensation")),
    _CAMERA + 1: ("auto_exposure", sentence("Auto exposure")),
    _CAMERA + 2: ("exposure_time", sentence("Exposure time")),
    _CAMERA + 3: ("exposure_rate", sentence("Exposure may slow the rate")),
    _CAMERA + 8: ("pan", sentence("Pan")),
    _CAMERA + 9: ("tilt", sentence("Tilt")),
    _CAMERA + 10: ("focus", sentence("Focus")),
    _CAMERA + 12: ("auto_focus", sentence("Auto focus")),
    _CAMERA + 13: ("zoom", sentence("Zoom")),
}


class Query(NamedTuple):
    """The result of VIDIOC_QUERYCTRL for a control."""

    number: int
    type: int
    name: str
    low: int
    high: int
    step: int
    default: int
    flags: int


def parse_query(data: bytes | bytearray) -> Query:
    """Read a `struct v4l2_queryctrl` (68 bytes)."""
    number, kind, name, *rest = _QUERYCTRL.unpack(data)
    return Query(number, kind, c_text(name), *rest)


def parse_entry(data: bytes | bytearray, kind: int) -> str:
    """Read a `struct v4l2_querymenu` (44 bytes): an entry's name, of an integer menu its number."""
    name = _QUERYMENU.unpack(data)[2]
    return str(_MENU_VALUE.unpack_from(name)[0]) if kind == _INTEGER_MENU else c_text(name)


class Controls(Node):
    """An open node and its controls. A second one beside that which streams: V4L2 lets any set them."""

    def read(self) -> tuple[CameraControl, ...]:
        """Return all controls that a user can set, in the driver's order; OSError if the device is gone."""
        found = [self._control(name, query) for name, query in self._named()]
        values = {control.name: control.value for control in found}
        return tuple(replace(one, automatic=automatic_of(one.name, values)) for one in found)

    def write(self, control: str, value: int) -> int:
        """Set a control, return the accepted value. Raises OSError: EINVAL, ERANGE, EACCES, EBUSY, ENODEV."""
        number = next((query.number for name, query in self._named() if name == control), None)
        if number is None:
            raise OSError(errno.EINVAL, control)
        return int(_CONTROL.unpack(self._call_ioctl(S_CTRL, bytearray(_CONTROL.pack(number, value))))[1])

    def _queries(self) -> Iterator[Query]:
        number = 0
        for _ in range(_MOST_CONTROLS):
            request = bytearray(_QUERYCTRL.pack(number | _NEXT, 0, b"", 0, 0, 0, 0, 0))
            try:
                query = parse_query(self._call_ioctl(QUERYCTRL, request))
            except OSError as error:
                if error.errno in (errno.EINVAL, errno.ENOTTY):  # no more, or a driver without controls
                    return
                raise
            if query.number <= number:  # a driver that goes in circles
                return
            number = query.number
            if query.type in _KNOWN_TYPES and not query.flags & _DISABLED and query.low <= query.high:
                yield query

    def _named(self) -> Iterator[tuple[str, Query]]:
        """Yield controls with ids; a duplicate or non-Latin name is replaced by the control's number."""
        taken = {name for name, _ in _KNOWN.values()} | {""}
        for query in self._queries():
            name = _KNOWN[query.number][0] if query.number in _KNOWN else _slug(query.name)
            if query.number not in _KNOWN and name in taken:
                name = f"control_{query.number:08x}"
            taken.add(name)
            yield name, query

    def _control(self, name: str, query: Query) -> CameraControl:
        label = _KNOWN[query.number][1] if query.number in _KNOWN else query.name or name
        locked = bool(query.flags & (_GRABBED | _READ_ONLY | _INACTIVE))
        field: Flag | Integer | Selection
        if query.type == _BOOLEAN:
            field = Flag(name, bool(query.default), label=label)
        elif query.type == _INTEGER:
            default = min(max(query.default, query.low), query.high)
            field = Integer(name, default, query.low, query.high, max(query.step, 1), label=label)
        else:
            menu = dict(self._menu(query))
            field = Selection(name, str(query.default), choices=tuple(menu), titles=menu, label=label)
            locked = locked or not menu
        return CameraControl(field, self._value(query), locked=locked)

    def _value(self, query: Query) -> int:
        if query.flags & _WRITE_ONLY:
            return query.default
        try:
            return int(
                _CONTROL.unpack(self._call_ioctl(G_CTRL, bytearray(_CONTROL.pack(query.number, 0))))[1]
            )
        except OSError as error:
            if error.errno == errno.ENODEV:
                raise
            return query.default

    def _menu(self, query: Query) -> Iterator[tuple[str, str]]:
        for index in range(max(query.low, 0), min(query.high, query.low + _MOST_ENTRIES) + 1):
            answer = self._next(QUERYMENU, bytearray(_QUERYMENU.pack(query.number, index, b"")))
            if answer is not None:  # a hole
                yield str(index), parse_entry(answer, query.type)


def _slug(name: str) -> str:
    # As v4l2-ctl makes names.
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
