"""A TOML table of a header, read key by key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from desktop.base.errors import FilterError
from desktop.base.printable import printable
from desktop.base.wording import sentence

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


def _printable(value: Any) -> Any:
    if isinstance(value, list):
        return [_printable(item) for item in value]
    return printable(value) if isinstance(value, str) else value


class Table:
    """A TOML table that names the file, and whatever is left over, in its complaints."""

    def __init__(self, data: Mapping[str, Any], where: str, line: Callable[[], int] = lambda: 1) -> None:
        """Begin; `line` returns the line of the file at which the table begins."""
        # Every text in it is shown somewhere.
        self._data = {key: _printable(value) for key, value in data.items()}
        self._where, self._line = where, line

    def fail(self, what: str) -> FilterError:
        """Return the error that says what is wrong with this table, in half a sentence."""
        return FilterError(sentence("{where}: {what}.", where=self._where, what=what), self._line())

    def take(self, key: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        """Remove a key and return its value or `default`; raise FilterError if missing or of a wrong type."""
        if key not in self._data:
            if default is None:
                raise self.fail(sentence("'{key}' is missing", key=key))
            return default
        value = self._data.pop(key)
        wrong_bool = isinstance(value, bool) and kind in (float, int, (int, float))
        if kind is float:
            kind = (int, float)
        if wrong_bool or not isinstance(value, kind):
            raise self.fail(sentence("'{key}' has the wrong type", key=key))
        # What a 32-bit float holds; a TOML number may be infinite, or hundreds of digits long.
        if isinstance(value, (int, float)) and (value > 3.4e38 or value < -3.4e38):
            raise self.fail(sentence("'{key}' is not a number that can be used", key=key))
        return value

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def name(self, key: str) -> str:
        """Remove a key and return its value, a valid WGSL name; raise FilterError if missing or invalid."""
        value = str(self.take(key, str))
        if not _NAME.fullmatch(value):
            raise self.fail(
                sentence("{key} '{value}' must be lower-case letters, digits and '_'", key=key, value=value)
            )
        return value

    def pair(self, key: str, limit: int) -> tuple[int, int] | None:
        """Remove a key and return two integers from 1 to `limit`, or None; raise FilterError otherwise."""
        value = self.take(key, list, [])
        if not value:
            return None
        if len(value) != 2 or not all(type(v) is int and 0 < v <= limit for v in value):
            raise self.fail(
                sentence("'{key}' must be two whole numbers from 1 to {limit}", key=key, limit=limit)
            )
        return (value[0], value[1])

    def done(self) -> None:
        """Raise FilterError if keys are left."""
        if self._data:
            raise self.fail(sentence("'{key}' is not known here", key=next(iter(self._data))))
