"""Values that take long to make and are the same at each start, kept in the cache folder.

A kept value is only a shorter way: where it cannot be read it is made, where it cannot be written it is made again the next time.
"""

from __future__ import annotations

import hashlib
import logging
import marshal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from desktop.files import replace_file

log = logging.getLogger(__name__)

_CHECK: Final = hashlib.sha256().digest_size


def kept(folder: Path, name: str, depends_on: str, make: Callable[[], Any]) -> Any:
    """Return the value that an earlier run left under a name, or make it and leave it there.

    Args:
        folder: where it is kept; made if need be.
        name: what it is; there is one file for it, whatever it depends on.
        depends_on: everything that another value would follow from. The interpreter is added here: marshal's form is its own.
        make: gives the value, of Python's plain types: no code is kept, and none is run on reading.
    """
    owner = f"{sys.implementation.cache_tag} {depends_on}"
    file = folder / f"{name}-{hashlib.sha256(owner.encode()).hexdigest()[:16]}"
    found = _read(file)
    if found is not None:
        return marshal.loads(found)
    value = make()
    _keep(file, name, marshal.dumps(value))
    return value


def _read(file: Path) -> memoryview | None:
    """The bytes of a file, if it is whole."""
    try:
        data = memoryview(file.read_bytes())
    except OSError:
        return None
    return data[_CHECK:] if hashlib.sha256(data[_CHECK:]).digest() == data[:_CHECK] else None


def _keep(file: Path, name: str, data: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, (hashlib.sha256(data).digest(), data))
        for old in file.parent.glob(f"{name}-*"):
            if old != file:
                old.unlink(missing_ok=True)
    except OSError as error:
        log.info("%s is not kept in %s: %s", name, file, error)
