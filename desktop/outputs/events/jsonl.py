"""A line of JSON for each event."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from desktop.base.fields import File, Value
from desktop.base.wording import sentence
from desktop.outputs.events._lines import LinesFile, check_lines_file, shown_path, user_path
from desktop.outputs.events.action import EventAction, Note, Sink, Surroundings


def _is_event(line: bytes) -> bool:
    """Return whether this action wrote a line, in any version; other files are never appended to."""
    begin = b'{"time": "'
    return line[: len(begin)] == begin


class _JsonLines(Sink):
    def __init__(self, path: Path) -> None:
        self._file = LinesFile(path, b"", _is_event)

    def deliver(self, note: Note) -> None:
        self._file.append(json.dumps(note.json(), ensure_ascii=False).encode() + b"\n")

    def close(self) -> None:
        self._file.close()


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _JsonLines:
    return _JsonLines(user_path(str(values["path"])))


def _check(values: Mapping[str, Value]) -> None:
    check_lines_file(user_path(str(values["path"])), b"", _is_event)


ACTION: Final = EventAction(
    id="jsonl",
    title=sentence("Write a line of JSON"),
    order=20,
    fields=(
        File(
            name="path",
            label=sentence("File"),
            help=sentence("Lines are added at its end, one object each."),
            required=True,
        ),
    ),
    open=_open,
    check=_check,
    target=lambda values: shown_path(str(values["path"])),
)
