"""Comma-separated values (RFC 4180): one row an object, or a word about the whole image."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from desktop.base.printable import utf8
from desktop.base.wording import sentence
from desktop.outputs.csv_text import as_text, csv_line, is_formula
from desktop.outputs.detections import Row, rows_of
from desktop.outputs.result_format import About, Records, ResultFormat, tidy, write_chunks

COLUMNS: Final = tuple(f.name for f in fields(Row))


class Csv(ResultFormat):
    """A header and a row per object, UTF-8; points and outlines are JSON, unknown values empty cells. Names
    that a spreadsheet would parse as formulas are prefixed with an apostrophe.
    """

    title = "CSV"
    order = 20
    suffixes = (".csv",)
    by_suffix = True

    def note(self, about: About) -> str:
        """A class whose name has an apostrophe before it in the file."""
        for label in filter(is_formula, about.labels):
            return sentence(
                "The class '{name}' has an apostrophe before it in the file, so that a spreadsheet does "
                "not take it for a formula.",
                name=label[:40],
            )
        return ""

    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        return write_chunks(target, _lines(records))


def _lines(records: Records) -> Iterator[bytes]:
    yield _line(COLUMNS)
    for record in records():
        for row in rows_of(record):
            yield _line([_cell(getattr(row, name)) for name in COLUMNS])


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return json.dumps(tidy(value)) if value else ""
    return "" if value is None else as_text(value)


def _line(cells: Sequence[Any]) -> bytes:
    return utf8(csv_line(cells, "\r\n"))


FORMAT: Final = Csv()
