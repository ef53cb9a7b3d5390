"""Comma-separated values (RFC 4180): one row a thing, or a word about the whole picture."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from desktop.compute.outputs.result_format import About, Records, ResultFormat, tidy, utf8, write_chunks
from desktop.compute.outputs.things import Row, rows_of
from desktop.wording import sentence

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
COLUMNS: Final = tuple(f.name for f in fields(Row))


class Csv(ResultFormat):
    """A header and one row a thing, in UTF-8; points and outlines are JSON in their cell, what is not known is an empty one."""

    title = "CSV"
    order = 20
    suffixes = (".csv",)
    by_suffix = True

    def remark(self, about: About) -> str:
        """A class whose name a spreadsheet would take for a formula.

        Weighed: an apostrophe or a tab before it, as OWASP advises for files that people open in spreadsheets. Every other reader would
        have another name than the network's, and not all spreadsheets heed it; pandas, pyarrow and Python's own writer leave names alone.
        """
        for label in about.labels:
            if label.startswith(_FORMULA):
                return sentence(
                    "A spreadsheet takes the class '{name}' for a formula; import the file's names as text.",
                    name=label[:40],
                )
        return ""

    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        """See `ResultFormat`."""
        return write_chunks(target, _lines(records))


def _lines(records: Records) -> Iterator[bytes]:
    yield _line(COLUMNS)
    for record in records():
        for row in rows_of(record):
            yield _line([_cell(getattr(row, name)) for name in COLUMNS])


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return json.dumps(tidy(value)) if value else ""
    return "" if value is None else value


def _line(cells: Any) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return utf8(text.getvalue())


FORMAT: Final = Csv()
