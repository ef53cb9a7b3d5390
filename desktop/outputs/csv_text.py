"""CSV cells and lines of results and events, protected against formula injection: names come from untrusted
files, and `=HYPERLINK(...)` would be a formula. The apostrophe is OWASP's advice.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet read a cell as a formula."""


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet would read a text as a formula."""
    return text.startswith(_FORMULA)


def as_text(cell: Any) -> Any:
    """Return a cell, prefixed with an apostrophe if a spreadsheet would parse its text as a formula."""
    return f"'{cell}" if isinstance(cell, str) and is_formula(cell) else cell


def csv_line(cells: Sequence[Any], end: str = "\n") -> str:
    """Return a line of CSV (RFC 4180); quoted where needed."""
    text = io.StringIO()
    csv.writer(text, lineterminator=end).writerow(cells)
    return text.getvalue()
