"""Make untrusted text (names in files, metadata, server messages) safe to print, log and show."""

from __future__ import annotations

import logging
import re
from typing import Final

# C0, DEL and C1 (ECMA-48) control a terminal; the bidirectional controls of UAX #9 reorder letters;
# separators begin new lines; lone surrogates stand for bytes that are not UTF-8.
_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def printable(text: str) -> str:
    """Return one line, escaping characters that control a terminal or mislead: '\\x1b', '\\u202e'."""
    return _UNSAFE.sub(_escape, text)


def utf8(text: str) -> bytes:
    """Return a text as UTF-8, with a question mark for a lone surrogate."""
    return text.encode("utf-8", "replace")


def printable_lines(text: str) -> str:
    """Return several lines of the program's own, each made `printable`."""
    return "\n".join(map(printable, text.split("\n")))


class PrintableFormatter(logging.Formatter):
    """Formats records of the log: messages as one printable line, tracebacks with their lines kept."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Format the line with the message."""
        record.message = printable(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: object) -> str:
        """Format a traceback, whose last line may quote a file."""
        return printable_lines(super().formatException(ei))  # type: ignore[arg-type]
