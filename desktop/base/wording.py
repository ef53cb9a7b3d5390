"""Sentences that can be translated after formatting, raised and reported by code that never imports Qt.

A `Text` is an English string with its template and arguments: the command line and the log use the string,
the window translates the template and formats it again (`desktop.ui.kit.language.translated`). `tasks.py
translate` finds the templates in the source, so they must be literals.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Number
from typing import Any, Final


class Text(str):
    """A sentence with its template and arguments.

    Attributes:
        template: as for `str.format`; for a sentence with a number the plural form, with %n for it.
        arguments: converted by `str` unless they are texts or numbers; a `Text` is translated too.
        number: selects the form of `template`; None if there is one form.
    """

    template: str
    arguments: Mapping[str, Any]
    number: int | None

    def __new__(cls, template: str, one: str, arguments: Mapping[str, Any], count: int | None) -> Text:
        # Not the objects: they would stay alive (an exception its frames), and some cannot be pickled.
        arguments = {k: v if isinstance(v, (str, Number)) else str(v) for k, v in arguments.items()}
        form = one if count == 1 else template
        if count is not None:
            form = form.replace("%n", str(count))
        made = super().__new__(cls, form.format_map(arguments))
        made.template, made.arguments, made.number = template, arguments, count
        made._one = one
        return made

    def __str__(self) -> str:
        # Not a plain copy, so that `str(error)` of an exception that holds one is still a `Text`.
        return self

    @property
    def form(self) -> str:
        """The template for its number, in English."""
        return self._one if self.number == 1 else self.template

    def mapped(self, change: Callable[[str], str]) -> Text:
        """Return the sentence with `change` applied to all inserted texts; numbers and its own words stay."""

        def of(value: Any) -> Any:
            if isinstance(value, Text):
                return value.mapped(change)
            return value if isinstance(value, Number) else change(value)

        return Text(self.template, self._one, {k: of(v) for k, v in self.arguments.items()}, self.number)

    def __reduce__(self) -> tuple[type[Text], tuple[object, ...]]:
        return Text, (self.template, self._one, dict(self.arguments), self.number)

    _one: str

    def packed(self) -> list[object]:
        """Return a JSON value, from which `unpacked` restores the sentence."""
        arguments = {name: packed(value) for name, value in self.arguments.items()}
        return [self.template, self._one, arguments, self.number]


def packed(value: Any) -> Any:
    """Return a text, or an argument of one, as JSON takes it."""
    return value.packed() if isinstance(value, Text) else value


def unpacked(value: Any) -> str:
    """Return the text passed to `packed`, possibly in an untrusted process; raise ValueError if invalid."""
    try:
        return _unpacked(value) if isinstance(value, list) else _plain(value)
    except (AttributeError, LookupError, RecursionError, TypeError) as error:
        raise ValueError("not a text") from error


def _unpacked(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    template, one, arguments, number = value
    for form in (template, one):
        # A width of a thousand million would exhaust the memory, and attributes are not accessed.
        if any(not _FIELD.fullmatch(f"{n or 'none'}:{s or ''}{c or ''}") for _, n, s, c in _parse(form)):
            raise ValueError("not a template")
    given = {_plain(name): _unpacked(argument) for name, argument in arguments.items()}
    made = Text(_plain(template), _plain(one), given, number)
    if len(made) > _LONGEST:  # one that holds another ten times, which holds another ten times
        raise ValueError("too long")
    return made


_LONGEST: Final = 4000
_parse: Final = string.Formatter().parse
_FIELD: Final = re.compile(r"[a-z_][a-z0-9_]*:,?(\.[0-9])?[fg]?")


def _plain(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def sentence(template: str, /, **arguments: Any) -> Text:
    """Return `template.format(**arguments)` as a `Text`; literal braces are doubled."""
    return Text(template, template, arguments, None)


def plural(count: int, one: str, many: str, /, **arguments: Any) -> Text:
    """Return the form for a number, written as %n: `plural(n, "%n file is lost.", "%n files are lost.")`."""
    return Text(many, one, arguments, count)


def counted(count: int, one: str, many: str = "") -> Text:
    """Return a number with its noun: '1 frame', '2 frames'; `many` is needed if it is not `one` with an s."""
    return Text(f"%n {many or one + 's'}", f"%n {one}", {}, count)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names separated by commas: of more than `most`, only the first ones and the number of the others."""
    first = ", ".join(names[:most])
    count = len(names) - most
    return sentence("{names} and {count} more", names=first, count=count) if count > 0 else first


def joined(separator: str, parts: Iterable[str]) -> Text:
    """Return `separator.join(parts)`, each of which can still be translated."""
    named = {f"part{index}": part for index, part in enumerate(parts)}
    template = separator.replace("{", "{{").replace("}", "}}").join(f"{{{name}}}" for name in named)
    return Text(template, template, named, None)
