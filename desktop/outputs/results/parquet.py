"""Apache Parquet: the rows of the CSV, typed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from desktop.base.errors import ExportError
from desktop.base.printable import utf8
from desktop.base.version import extra_command
from desktop.base.wording import sentence
from desktop.outputs.detections import Row, rows_of
from desktop.outputs.result_format import About, Records, ResultFormat, write_with

if TYPE_CHECKING:
    import pyarrow

# Rows that are written at once: their columns are compressed together, and are in memory together.
_BATCH: Final = 20_000


class Parquet(ResultFormat):
    """One row an object, with the columns of the CSV; points and outlines are lists of pairs."""

    title = "Parquet"
    order = 30
    suffixes = (".parquet",)
    by_suffix = True

    def check(self, about: About, target: Path) -> None:
        """See `ResultFormat`: pyarrow writes it."""
        _pyarrow()

    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        return write_with(target, lambda stream: _write(records, stream))


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ExportError(
            sentence(
                "Parquet files are written by pyarrow, which is not installed; choose CSV, or install it: "
                "{command}.",
                command=extra_command("parquet"),
            )
        ) from error
    return pyarrow


def _schema(arrow: Any) -> pyarrow.Schema:
    pairs = arrow.list_(arrow.list_(arrow.float64(), 2))
    kinds = {
        **dict.fromkeys(("input", "file", "label"), arrow.string()),
        **dict.fromkeys(("frame", "index", "identity"), arrow.int64()),
        **dict.fromkeys(("width", "height"), arrow.int32()),
        **dict.fromkeys(("pts", "score", "left", "top", "right", "bottom"), arrow.float64()),
        **dict.fromkeys(("points", "outline"), pairs),
        "confidences": arrow.list_(arrow.float64()),
    }
    return arrow.schema([(name, kinds[name]) for name in Row.__dataclass_fields__])


def _write(records: Records, stream: BinaryIO) -> None:
    arrow = _pyarrow()
    schema = _schema(arrow)
    rows = (row for record in records() for row in rows_of(record))
    with arrow.parquet.ParquetWriter(stream, schema) as writer:
        for batch in _batches(rows):
            columns = {name: [_cell(getattr(row, name)) for row in batch] for name in schema.names}
            writer.write_table(arrow.table(columns, schema=schema))


def _batches(rows: Iterator[Row]) -> Iterator[tuple[Row, ...]]:
    while batch := tuple(itertools.islice(rows, _BATCH)):
        yield batch


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return utf8(value).decode()
    if isinstance(value, tuple):
        return [list(each) if isinstance(each, tuple) else each for each in value]
    return value


FORMAT: Final = Parquet()
