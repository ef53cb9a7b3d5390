"""One service for a configuration: a second one would perform each event again and record to the same files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from desktop.base.errors import UsageError
from desktop.base.lock import take_lock
from desktop.base.paths import user_state_folder


def state_name(config: Path) -> str:
    """Return the name, without an extension, of files about a configuration in the folder for state."""
    return hashlib.sha256(os.fsencode(config)).hexdigest()[:16]


@contextmanager
def only_service(config: Path) -> Iterator[None]:
    """Hold the lock of a configuration inside the context; raise UsageError if another process of this user does.

    Where the folder for state cannot be written, nothing is locked: that is no reason not to watch.
    """
    path = user_state_folder() / "watch" / f"{state_name(config.resolve())}.lock"
    stream = None
    with suppress(OSError, ValueError):
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("ab")
    if stream is None:
        yield
        return
    with stream:
        if not take_lock(stream, required=False):
            raise UsageError(
                f"Another process watches with {config.name} already; stop it first, or send it SIGHUP after a change."
            )
        yield
