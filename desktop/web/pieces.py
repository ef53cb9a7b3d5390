"""Data in pieces of one size, a hashed file each: browsers load them in parallel and can resume."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

import numpy as np

PIECE_BYTES: Final = 4_000_000
"""Size of all but the last piece: small enough to verify early, 14 requests for 55 MB of weights."""

_ALIGNMENT: Final = 16
"""So that what begins in one piece goes on in the next at a whole word, which is what WebGPU writes."""

Write = Callable[[str, bytes], None]
"""Writes a file of the folder by its name."""


class Pieces:
    """One run of bytes, written as it grows; `table` ends it."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._held = bytearray()
        self._size = 0
        self._pieces: list[dict[str, Any]] = []
        self._places: dict[bytes, int] = {}

    def add(self, data: bytes | np.ndarray) -> int:
        """Append bytes unless they are present; return their offset, a multiple of 16."""
        data = data.tobytes() if isinstance(data, np.ndarray) else data
        at = self._places.setdefault(hashlib.sha256(data).digest(), self._size)
        if at != self._size:
            return at
        self._held += data + bytes(-len(data) % _ALIGNMENT)
        self._size += -(-len(data) // _ALIGNMENT) * _ALIGNMENT
        while len(self._held) >= PIECE_BYTES:
            self._put(bytes(self._held[:PIECE_BYTES]))
            del self._held[:PIECE_BYTES]
        return at

    def _put(self, data: bytes) -> None:
        digest = hashlib.sha256(data).hexdigest()
        name = f"pieces/{digest[:24]}.bin"
        self._write(name, data)
        self._pieces.append({"name": name, "bytes": len(data), "sha256": digest})

    def table(self) -> dict[str, Any]:
        """Write what is left and return the run: its `bytes` and `pieces`."""
        if self._held:
            self._put(bytes(self._held))
            self._held.clear()
        return {"bytes": self._size, "pieces": self._pieces}
