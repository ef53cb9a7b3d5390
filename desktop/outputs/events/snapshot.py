"""The image as a PNG file for each event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from desktop.base.errors import LightloomError
from desktop.base.fields import Value
from desktop.base.files import reason, remedy
from desktop.base.wording import sentence
from desktop.outputs.events._names import FOLDER, check_folder, file_for, folder_of, numbered, shown_folder
from desktop.outputs.events.action import EventAction, Note, Refused, Sink, Surroundings
from desktop.outputs.still import write_image
from desktop.vision.tracking.events import Occurrence

# An image of 4K has 33 MB, and waits in memory.
_MOST_WAITING: Final = 4


class _Snapshots(Sink):
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def deliver(self, note: Note) -> None:
        """See `Sink`. An image can be waited for once, so nothing is tried again."""
        if note.picture is None:
            raise Refused(sentence("there was no frame"))
        try:
            file = note.file or numbered(_file(self._folder, note.occurrence, note.time), Path.exists)
            self._folder.mkdir(parents=True, exist_ok=True)
            write_image(note.picture(), file)
        except LightloomError as error:
            raise Refused(str(error).rstrip(".")) from error
        except (OSError, ValueError) as error:
            raise Refused(
                sentence("{path} cannot be written: {reason}", path=self._folder, reason=reason(error)),
                remedy(error, "folder"),
            ) from error


def _file(folder: Path, occurrence: Occurrence, time: datetime) -> Path:
    return file_for(folder, occurrence.event, time, ".png")


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Snapshots:
    return _Snapshots(folder_of(values))


ACTION: Final = EventAction(
    id="snapshot",
    title=sentence("Save a snapshot"),
    order=30,
    fields=(FOLDER,),
    open=_open,
    check=check_folder,
    target=shown_folder,
    most_waiting=_MOST_WAITING,
    wants_picture=lambda values: True,
    names_file=lambda values, occurrence, time: _file(folder_of(values), occurrence, time),
)
