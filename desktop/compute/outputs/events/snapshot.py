"""The picture as a PNG file for each event."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from desktop.compute.outputs.events._lines import user_path
from desktop.compute.outputs.events.action import EventAction, Field, Note, Refused, Surroundings
from desktop.compute.outputs.still import write_image
from desktop.compute.tracking.events import Value
from desktop.errors import LightloomError
from desktop.files import reason
from desktop.paths import user_pictures_folder
from desktop.wording import sentence

# A picture of 4K has 33 MB, and waits in memory.
_MOST_WAITING: Final = 4
_LONGEST_NAME: Final = 160
_UNFIT: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')


class _Snapshots:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def deliver(self, note: Note) -> None:
        """See `Sink`. A picture can be waited for once, so nothing is tried again."""
        if note.picture is None:
            raise Refused(sentence("there was no picture"))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_image(note.picture(), self._free_path(note))
        except LightloomError as error:
            raise Refused(str(error).rstrip(".")) from error
        except (OSError, ValueError) as error:
            raise Refused(
                sentence("{path} cannot be written: {reason}", path=self._folder, reason=reason(error))
            ) from error

    def _free_path(self, note: Note) -> Path:
        """A name that nothing has: what happened, and when on this machine's clock."""
        told = note.happening
        # 80 letters are up to 320 bytes, and most file systems take names of 255.
        name = told.event.encode()[:_LONGEST_NAME].decode(errors="ignore")
        stem = _UNFIT.sub("_", f"{name} {note.time.astimezone():%Y-%m-%d %H.%M.%S.%f}")
        path, number = self._folder / f"{stem}.png", 1
        while path.exists():
            number += 1
            path = self._folder / f"{stem} {number}.png"
        return path

    def give_up(self) -> None:
        """See `Sink`."""

    def close(self) -> None:
        """See `Sink`."""


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Snapshots:
    folder = str(values["folder"])
    return _Snapshots(user_path(folder) if folder else user_pictures_folder() / "Lightloom")


ACTION: Final = EventAction(
    id="snapshot",
    title=sentence("Save a snapshot"),
    order=30,
    fields=(
        Field(
            name="folder",
            label=sentence("Folder"),
            help=sentence("Empty: the folder of all snapshots."),
            kind="folder",
        ),
    ),
    open=_open,
    target=lambda values: Path(str(values["folder"])).name,
    most_waiting=_MOST_WAITING,
    wants_picture=True,
)
