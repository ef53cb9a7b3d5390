"""The compiled loop of `recorder.py`, where the installation has one: `record.c` has its source."""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

LIBRARY: Final = Path(__file__).with_name("record.so")
"""The compiled library: `packaging/recorder.py` writes it to a checkout, and wheels contain it."""

_VERSION: Final = 1  # of record.c
_HEAD: Final = 64  # bytes of an ELF file's head


class Call(ctypes.Structure):
    """`struct call` of `record.c`."""

    _fields_ = (
        ("object", ctypes.c_void_p),
        ("kind", ctypes.c_uint32),
        ("x", ctypes.c_uint32),
        ("y", ctypes.c_uint32),
        ("z", ctypes.c_uint32),
    )


SET_PIPELINE, SET_BIND_GROUP, DISPATCH = range(3)


Loop = Callable[[int, int, int, int], None]
"""`lightloom_record` of `record.c`: (pass, first call, count of calls, functions), addresses but for the count.
The interpreter's lock is held.
"""


@functools.cache
def compiled_loop() -> Loop | None:
    """Return the loop that this installation has; None if it has none."""
    return load_loop(LIBRARY)


def load_loop(path: Path) -> Loop | None:
    """Return a library's loop; None if there is no library, or a damaged one or one of another version or processor."""
    try:
        if not _is_complete(path.read_bytes()):
            return None
        library = ctypes.PyDLL(str(path))
        if library.lightloom_record_version() != _VERSION:
            return None
        record: Any = library.lightloom_record
    except (OSError, AttributeError):
        return None
    pointer = ctypes.c_void_p
    record.argtypes, record.restype = (pointer, pointer, ctypes.c_size_t, pointer), None
    loop: Loop = record
    return loop


def _is_complete(data: bytes) -> bool:
    """Return True for an ELF file of 64 bits up to its last table: loading one that was cut ends the process."""
    if len(data) < _HEAD or data[:5] != b"\x7fELF\2":
        return False
    (tables_at,) = struct.unpack_from("=Q", data, 0x28)
    size, count = struct.unpack_from("=HH", data, 0x3A)
    return bool(tables_at and tables_at + size * count <= len(data))
