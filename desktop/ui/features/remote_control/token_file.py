"""The token of remote control, in a file that the user alone can read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from desktop.base.errors import ControlError, UsageError
from desktop.base.files import reason
from desktop.base.wording import sentence
from desktop.serving.access import read_token
from desktop.serving.control.access import new_token

TOKEN_FILE: Final = "remote-control.token"
"""Its name, beside the settings."""


def stored_token(path: Path) -> str:
    """Return the token, which is made on first use. Raises ControlError if it can be neither read nor made."""
    if path.exists():
        try:
            return read_token(path)
        except UsageError:
            # Damaged, or edited to something short: replaced below.
            path.unlink(missing_ok=True)
    return renewed_token(path)


def renewed_token(path: Path) -> str:
    """Replace the token and return the new one. Raises ControlError if it cannot be written."""
    token = new_token()
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{token}\n")
        part.replace(path)
    except OSError as error:
        raise ControlError(
            sentence(
                "The code of remote control cannot be stored in {path}: {reason}; make the folder writable.",
                path=path,
                reason=reason(error),
            )
        ) from error
    return token
