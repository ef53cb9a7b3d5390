"""Folders and names of files that are written for events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from desktop.base.fields import Folder, Value
from desktop.base.file_names import portable_name
from desktop.base.files import check_folder_writable, reason, remedy
from desktop.base.paths import user_pictures_folder
from desktop.base.wording import sentence
from desktop.outputs.events._lines import shown_path, user_path
from desktop.outputs.events.action import Refused

_LONGEST_NAME: Final = 160

FOLDER: Final = Folder(
    name="folder",
    label=sentence("Folder"),
    help=sentence("Empty: the folder of all snapshots."),
)
"""Field for the folder of the files that an action writes."""


def folder_of(values: Mapping[str, Value]) -> Path:
    """Return the folder in an action's values with `FOLDER`."""
    folder = str(values[FOLDER.name])
    return user_path(folder) if folder else user_pictures_folder() / "Lightloom"


def check_folder(values: Mapping[str, Value]) -> None:
    """Raise Refused if no file can be made in that folder, or where it would be made."""
    folder = folder_of(values)
    try:
        check_folder_writable(folder)
    except (OSError, ValueError) as error:
        raise Refused(
            sentence("{path} cannot be written: {reason}", path=folder, reason=reason(error)),
            remedy(error, "folder"),
        ) from error


def shown_folder(values: Mapping[str, Value]) -> str:
    """Return the whole path of that folder, as sentences name it."""
    return shown_path(str(values[FOLDER.name]) or str(user_pictures_folder() / "Lightloom"))


def safe_stem(name: str) -> str:
    """Return a file's name without extension for any system, of at most 160 bytes."""
    return portable_name(name, longest=_LONGEST_NAME)


def file_for(folder: Path, told: str, time: datetime, suffix: str) -> Path:
    """Return a file's path from an event's description and its local time, to the microsecond."""
    # 80 letters are up to 320 bytes, and most file systems take names of 255.
    return folder / f"{safe_stem(told)} {time.astimezone():%Y-%m-%d %H.%M.%S.%f}{suffix}"


def numbered(path: Path, is_taken: Callable[[Path], bool]) -> Path:
    """Return a path, with a number where it is taken."""
    found, number = path, 1
    while is_taken(found):
        number += 1
        found = path.with_name(f"{path.stem} {number}{path.suffix}")
    return found
