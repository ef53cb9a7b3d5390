"""Read which item of an AVIF or HEIC file is its image, and the image's orientation: `irot` and `imir` (ISO/IEC
23008-12, 6.5.10, 6.5.12). FFmpeg reports neither of these. EXIF orientation in such files is to be ignored (23008-12,
A.2.1).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

_MOST_BOXES: Final = 4096
# (clockwise degrees, mirrored left to right before that) -> EXIF 2.32, tag 274.
_ORIENTATIONS: Final = {
    (0, False): 1,
    (0, True): 2,
    (180, False): 3,
    (180, True): 4,
    (270, True): 5,
    (90, False): 6,
    (90, True): 7,
    (270, False): 8,
}

Box = tuple[bytes, bytes]
"""A box's type and its content."""


def primary_item(data: bytes) -> tuple[int, bytes]:
    """Return id and type (b"av01", b"grid", ...) of the item that is the image; (0, b"") if that is not stated.
    struct.error or IndexError if damaged.
    """
    inside = list(_boxes(_first(_boxes(data), b"meta")[4:]))
    wanted = _primary_item(_first(iter(inside), b"pitm"))
    content = _first(iter(inside), b"iinf")
    if not content:
        return wanted, b""
    # The number of entries has 16 bits in version 0 and 32 later, an entry's id up to version 2 and from 3 on.
    for name, entry in _boxes(content[6 if content[0] == 0 else 8 :]):
        if name != b"infe" or entry[0] < 2:
            continue
        layout = ">H2x4s" if entry[0] == 2 else ">I2x4s"
        number, kind = struct.unpack_from(layout, entry, 4)
        if number == wanted:
            return wanted, kind
    return wanted, b""


def item_orientation(data: bytes) -> int | None:
    """Return the image's EXIF orientation (tag 274) or None; struct.error or IndexError if damaged."""
    meta = _first(_boxes(data), b"meta")
    inside = list(_boxes(meta[4:]))
    properties = list(_boxes(_first(iter(inside), b"iprp")))
    kinds = list(_boxes(_first(iter(properties), b"ipco")))
    item = _primary_item(_first(iter(inside), b"pitm"))
    turn, mirror = None, None
    for index in _associated(_first(iter(properties), b"ipma"), item):
        name, content = kinds[index - 1] if 0 < index <= len(kinds) else (b"", b"")
        if name == b"irot":
            turn = content[0] & 3
        elif name == b"imir":
            mirror = content[0] & 1
    return None if turn is None and mirror is None else _orientation(turn or 0, mirror)


def _orientation(quarters: int, mirror: int | None) -> int:
    """Turn counter-clockwise by quarters, then mirror vertically (0) or horizontally (1): MIAF, 7.3.6.7."""
    if mirror is None:
        return _ORIENTATIONS[-90 * quarters % 360, False]
    # A flip after a turn equals one before the opposite turn; a vertical flip a horizontal one turned by 180.
    return _ORIENTATIONS[(90 * quarters + (180 if mirror == 0 else 0)) % 360, True]


def _boxes(data: bytes) -> Iterator[Box]:
    """Yield the boxes of a sequence (ISO/IEC 14496-12, 4.2)."""
    at = 0
    for _ in range(_MOST_BOXES):
        if at + 8 > len(data):
            return
        size, name = struct.unpack_from(">I4s", data, at)
        head = 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, at + 8)
            head = 16
        elif size == 0:
            size = len(data) - at
        if size < head:
            return
        yield name, data[at + head : at + size]
        at += size


def _first(boxes: Iterator[Box], wanted: bytes) -> bytes:
    return next((content for name, content in boxes if name == wanted), b"")


def _primary_item(content: bytes) -> int:
    if not content:
        return 0
    return int(struct.unpack_from(">I" if content[0] else ">H", content, 4)[0])


def _associated(content: bytes, item: int) -> list[int]:
    """Return the numbers, from 1, of the properties of an item, in their order."""
    if not content:
        return []
    version, wide = content[0], content[3] & 1
    (count,) = struct.unpack_from(">I", content, 4)
    at = 8
    for _ in range(min(count, _MOST_BOXES)):
        (number,) = struct.unpack_from(">I" if version else ">H", content, at)
        at += 4 if version else 2
        length = content[at]
        at += 1
        step = 2 if wide else 1
        if number == item:
            packed = [
                int.from_bytes(content[at + k * step : at + (k + 1) * step], "big") for k in range(length)
            ]
            return [value & (0x7FFF if wide else 0x7F) for value in packed]
        at += length * step
    return []
