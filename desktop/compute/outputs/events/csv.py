"""A line of a CSV file for each event."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from desktop.compute.outputs.events._lines import LinesFile, shown_path, user_path
from desktop.compute.outputs.events.action import KEYS, EventAction, Note, Surroundings
from desktop.compute.outputs.fields import Field
from desktop.compute.tracking.events import Value
from desktop.wording import sentence


def _line(cells: Sequence[Any]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode()


class _Csv:
    def __init__(self, path: Path) -> None:
        self._file = LinesFile(path, _line(KEYS))

    def deliver(self, note: Note) -> None:
        """See `Sink`."""
        self._file.append(_line(list(note.json().values())))

    def give_up(self) -> None:
        """See `Sink`."""

    def close(self) -> None:
        """See `Sink`."""
        self._file.close()


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Csv:
    return _Csv(user_path(str(values["path"])))


ACTION: Final = EventAction(
    id="csv",
    title=sentence("Write a line of CSV"),
    order=10,
    fields=(
        Field(
            name="path",
            label=sentence("File"),
            help=sentence("Lines are added at its end; the first one has the columns' names."),
            kind="file",
            required=True,
        ),
    ),
    open=_open,
    target=lambda values: shown_path(str(values["path"])),
)
