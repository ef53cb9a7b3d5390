"""The token of remote control, in a file that the user alone can read."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from desktop.base.errors import ControlError, UsageError
from desktop.base.files import move_over, read_regular, reason
from desktop.base.wording import sentence
from desktop.serving.access import read_token
from desktop.serving.control.access import new_token

TOKEN_FILE: Final = "remote-control.token"
"""Its name, beside the settings."""
_LARGEST: Final = 1 << 16


@dataclass(frozen=True)
class StoredToken:
    """A token, and what the user must know about its file, '' for nothing."""

    text: str = field(repr=False)
    warning: str = ""


def stored_token(path: Path) -> StoredToken:
    """Return the token, which is made on first use; a damaged one is replaced.

    Others than the user are kept from reading the file. Raises ControlError if it can be neither read nor made.
    """
    try:
        read_regular(path, _LARGEST)
        was_open = os.name == "posix" and bool(path.stat().st_mode & 0o077)
        if was_open:
            path.chmod(0o600)
    except (FileNotFoundError, NotADirectoryError):
        return StoredToken(renewed_token(path))
    except (OSError, ValueError) as error:
        raise ControlError(
            sentence(
                "The code of remote control cannot be read from {path}: {reason}; delete the file, then a new "
                "code is made.",
                path=path,
                reason=reason(error),
            )
        ) from error
    try:
        token = read_token(path)
    except UsageError:
        said = sentence(
            "The code of remote control in {path} was damaged, and there is a new one; give it to all clients.",
            path=path,
        )
        return StoredToken(renewed_token(path), said)
    if not was_open:
        return StoredToken(token)
    return StoredToken(
        token,
        sentence(
            "Other users of this computer could read the code of remote control in {path}; make a new code if "
            "they must not have it.",
            path=path,
        ),
    )


def renewed_token(path: Path) -> str:
    """Replace the token and return the new one. Raises ControlError if it cannot be written."""
    token = new_token()
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{token}\n")
        move_over(part, path)
    except OSError as error:
        raise ControlError(
            sentence(
                "The code of remote control cannot be stored in {path}: {reason}; make the folder writable.",
                path=path,
                reason=reason(error),
            )
        ) from error
    return token
