"""The error that a translation ends with: the line and what it uses."""

from __future__ import annotations

from desktop.base.errors import FilterError
from desktop.base.wording import Text, sentence


def fault(line: int, what: Text) -> FilterError:
    """Return the error for half a sentence about a line, counted from 1."""
    return FilterError(sentence("Line {line}: {what}.", line=line, what=what), line)
