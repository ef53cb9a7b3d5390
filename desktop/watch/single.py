"""One service for a configuration: a second one would perform each event again and record to the same files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from desktop.base.errors import UsageError
from desktop.base.files import reason
from desktop.base.lock import take_lock
from desktop.base.paths import user_state_folder


def state_path(config: Path, suffix: str) -> Path:
    """Return the path of a file about a configuration in the folder for state. It belongs to the configuration's
    name, not to the file that a link leads to: that is another one after a change of a mounted configuration.
    """
    name = hashlib.sha256(os.fsencode(os.path.normpath(config.absolute()))).hexdigest()[:16]
    return user_state_folder() / "watch" / f"{name}{suffix}"


@contextmanager
def only_service(config: Path, report: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of a configuration inside the context; raise UsageError if another process of this user does.

    Where nothing can be locked, `report` gets a sentence: that is no reason not to watch.
    """
    path = state_path(config, ".lock")
    with ExitStack() as held:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            is_only = take_lock(held.enter_context(path.open("ab")))
        except (OSError, ValueError) as error:
            is_only = True
            report(
                f"{path} cannot be locked: {reason(error)}; a second service with {config.name} would not be "
                "refused. Set LIGHTLOOM_STATE to a folder that can be written."
            )
        if not is_only:
            raise UsageError(
                f"Another process watches with {config.name} already; stop it first, or send it SIGHUP after a change."
            )
        yield
