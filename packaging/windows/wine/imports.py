"""Imports of a library of 64-bit Windows. (binutils' objdump leaves libraries out where the table is in one
section and the names in another.)
"""

from __future__ import annotations

import struct
from typing import Final

# No library comes near: a table that has no end is not read for ever.
MOST: Final = 100_000
_PE32_PLUS: Final = 0x20B
_BY_NUMBER: Final = 1 << 63


class NotALibrary(ValueError):
    """The file is no library of 64-bit Windows, or is broken."""


def read_imports(data: bytes) -> dict[str, set[str]]:
    """Read the imported names by library, in lower case; what is imported by number alone is left out.

    Raises:
        NotALibrary: `data` is something else.
    """
    try:
        return _Library(data).imports()
    except (struct.error, IndexError, ValueError) as error:
        raise NotALibrary(str(error)) from error


class _Library:
    def __init__(self, data: bytes) -> None:
        self._data = data
        (header,) = self._at("<I", 0x3C)
        if data[:2] != b"MZ" or data[header : header + 4] != b"PE\0\0":
            raise NotALibrary("no program of Windows")
        count, optional = self._at("<H", header + 6)[0], self._at("<H", header + 20)[0]
        if self._at("<H", header + 24)[0] != _PE32_PLUS:
            raise NotALibrary("not for 64-bit Windows")
        # The second of the tables that the optional header lists.
        self._table = self._at("<I", header + 24 + 112 + 8)[0]
        first = header + 24 + optional
        # Virtual size, virtual address, size in the file, place in the file.
        self._sections = [self._at("<IIII", first + 40 * index + 8) for index in range(count)]

    def _at(self, form: str, place: int) -> tuple[int, ...]:
        return struct.unpack_from(form, self._data, place)

    def _place(self, address: int) -> int:
        for size, begin, stored, place in self._sections:
            if begin <= address < begin + max(size, stored):
                return address - begin + place
        raise NotALibrary(f"address {address:#x} is in no section")

    def _name(self, address: int) -> str:
        place = self._place(address)
        return self._data[place : self._data.index(b"\0", place)].decode("ascii")

    def imports(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        if not self._table:
            return found
        place = self._place(self._table)
        for index in range(MOST):
            names, _, _, library, addresses = self._at("<IIIII", place + 20 * index)
            if not library:
                break
            found.setdefault(self._name(library).lower(), set()).update(self._names(names or addresses))
        return found

    def _names(self, address: int) -> set[str]:
        found = set()
        place = self._place(address)
        for index in range(MOST):
            (entry,) = self._at("<Q", place + 8 * index)
            if not entry:
                break
            if not entry & _BY_NUMBER:
                # A hint of two bytes comes before the name.
                found.add(self._name(entry + 2))
        return found
