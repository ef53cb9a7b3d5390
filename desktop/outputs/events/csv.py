"""A line of a CSV file for each event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from desktop.base.fields import File, Value
from desktop.base.files import open_regular
from desktop.base.wording import sentence
from desktop.outputs.csv_text import as_text, csv_line
from desktop.outputs.events._lines import LinesFile, check_lines_file, shown_path, user_path
from desktop.outputs.events.action import KEYS, EventAction, Note, Sink, Surroundings

# A text of numbers, of which the first may be below zero.
_NUMBERS: Final = ("box",)
_LONGEST_HEAD: Final = 4096


def _line(cells: Sequence[Any]) -> bytes:
    return csv_line(cells).encode()


class _Csv(Sink):
    def __init__(self, path: Path) -> None:
        self._keys = _columns_of(path)
        self._file = LinesFile(path, _line(self._keys))

    def deliver(self, note: Note) -> None:
        told = note.flat()
        self._file.append(_line([told[key] if key in _NUMBERS else as_text(told[key]) for key in self._keys]))

    def close(self) -> None:
        self._file.close()


def _columns_of(path: Path) -> tuple[str, ...]:
    """The columns of a file that an older version began, which had fewer; all that there are of any other."""
    try:
        with open_regular(path) as stream:
            found = tuple(stream.readline(_LONGEST_HEAD).decode().strip().split(","))
    except (OSError, ValueError):
        return KEYS
    return found if found == KEYS[: len(found)] else KEYS


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Csv:
    return _Csv(user_path(str(values["path"])))


def _check(values: Mapping[str, Value]) -> None:
    path = user_path(str(values["path"]))
    check_lines_file(path, _line(_columns_of(path)))


ACTION: Final = EventAction(
    id="csv",
    title=sentence("Write a line of CSV"),
    order=10,
    fields=(
        File(
            name="path",
            label=sentence("File"),
            help=sentence("Lines are added at its end; the first one has the columns' names."),
            required=True,
        ),
    ),
    open=_open,
    check=_check,
    target=lambda values: shown_path(str(values["path"])),
)
