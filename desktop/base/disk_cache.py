"""Cache of values that are slow to compute and the same at each start; unreadable ones are recomputed."""

from __future__ import annotations

import hashlib
import logging
import marshal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from desktop.base.files import replace_file

log = logging.getLogger(__name__)

_CHECK: Final = hashlib.sha256().digest_size


def cached(folder: Path, name: str, depends_on: str, make: Callable[[], Any]) -> Any:
    """Return a value from the cache, or compute and cache it; `name` is also that of its only file.

    Args:
        depends_on: everything the value depends on, besides the interpreter, which fixes marshal's format.
        make: computes the value, of plain types: no code is stored or run on reading.
    """
    owner = f"{sys.implementation.cache_tag} {depends_on}"
    file = folder / f"{name}-{hashlib.sha256(owner.encode()).hexdigest()[:16]}"
    found = _read(file)
    if found is not None:
        return marshal.loads(found)
    value = make()
    _store(file, name, marshal.dumps(value))
    return value


def _read(file: Path) -> memoryview | None:
    """The bytes of a file, if it is whole."""
    try:
        data = memoryview(file.read_bytes())
    except OSError:
        return None
    return data[_CHECK:] if hashlib.sha256(data[_CHECK:]).digest() == data[:_CHECK] else None


def _store(file: Path, name: str, data: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, (hashlib.sha256(data).digest(), data))
        for old in file.parent.glob(f"{name}-*"):
            if old != file:
                old.unlink(missing_ok=True)
    except OSError as error:
        log.info("%s is not kept in %s: %s", name, file, error)
