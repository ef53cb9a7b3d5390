"""Parts of a download: each request's byte range, the bytes that arrived, and the crash-safe state file."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeGuard

from desktop.base.files import read_regular, replace_file

PARALLEL_FROM: Final = 8 << 20
SMALLEST_PART: Final = 2 << 20
_MOST_STATE: Final = 1 << 16
_VERSION: Final = 1


@dataclass
class ByteRange:
    """The bytes from `start` to `stop`, of which `done` are on disk. Written by one thread at a time."""

    start: int
    stop: int
    done: int = 0

    @property
    def next(self) -> int:
        """The first byte that is missing."""
        return self.start + self.done

    @property
    def left(self) -> int:
        """The number of missing bytes."""
        return self.stop - self.next


def plan_parts(size: int, connections: int) -> list[ByteRange]:
    """Divide a file of `size` bytes into parts of nearly equal length, one a connection.

    Up to `PARALLEL_FROM` bytes it is one part: opening another connection takes longer than it saves.
    """
    count = 1 if size <= PARALLEL_FROM else max(1, min(connections, size // SMALLEST_PART))
    bounds = [size * index // count for index in range(count + 1)]
    return [ByteRange(start, stop) for start, stop in itertools.pairwise(bounds)]


def covers(parts: Sequence[ByteRange], size: int) -> bool:
    """Return True if the parts cover the file consecutively and none claims more bytes than it holds."""
    at = 0
    for part in parts:
        if part.start != at or part.stop <= part.start or not 0 <= part.done <= part.stop - part.start:
            return False
        at = part.stop
    return at == size


@dataclass
class Partial:
    """An unfinished download, from `address`; not resumable without a strong entity tag (`etag` is '')."""

    address: str
    etag: str = ""
    parts: list[ByteRange] = field(default_factory=list)

    @property
    def done(self) -> int:
        """Bytes on disk."""
        return sum(part.done for part in self.parts)

    def is_in(self, data: Path) -> bool:
        """Return True if a file is long enough for all bytes that this claims."""
        try:
            there = data.stat().st_size
        except OSError:
            return False
        return all(part.next <= there for part in self.parts if part.done)

    def save(self, path: Path, sha256: str) -> None:
        """Write the state, whose bytes must be on disk already; raise OSError if it cannot be written."""
        document = {
            "lightloom": _VERSION,
            "sha256": sha256,
            "address": self.address,
            "etag": self.etag,
            "parts": [[part.start, part.stop, part.done] for part in self.parts],
        }
        replace_file(path, [json.dumps(document).encode()])


def load_partial(path: Path, sha256: str, size: int) -> Partial | None:
    """Load a download's untrusted state (the checksum detects tampering); None if it cannot be resumed."""
    try:
        document: Any = json.loads(read_regular(path, _MOST_STATE))
    except (OSError, ValueError, RecursionError):
        return None
    if (
        not isinstance(document, dict)
        or document.get("lightloom") != _VERSION
        or document.get("sha256") != sha256
    ):
        return None
    address, etag, rows = document.get("address"), document.get("etag"), document.get("parts")
    if not isinstance(address, str) or not is_strong(etag):
        return None
    if not isinstance(rows, list) or not all(_is_row(row) for row in rows):
        return None
    parts = [ByteRange(*row) for row in rows]
    return Partial(address, etag, parts) if covers(parts, size) else None


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 3 and all(type(v) is int for v in row)


def is_strong(etag: Any) -> TypeGuard[str]:
    """Return True for a strong entity tag (RFC 9110 §8.8.3): quoted, no 'W/'. Only these identify bytes."""
    return (
        isinstance(etag, str)
        and 2 <= len(etag) <= 1024
        and etag[0] == etag[-1] == '"'
        and all(0x21 <= ord(c) < 0x7F for c in etag)
        and '"' not in etag[1:-1]
    )
