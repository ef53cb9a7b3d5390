"""Sentences that can still be translated after they were put together.

What is computed raises and reports English sentences and never imports Qt. A `Text` is such a sentence that remembers the template and
the arguments it was made of: the command line and the log use it as the string it is, the window looks its template up in the user's
language and fills that in (`desktop.ui.language.translated`). `tasks.py translate` finds the templates in the source, so they must
stand there as literals.

Weighed: codes with a table of sentences elsewhere (a reader of the code would no longer see what is said), and gettext in
`desktop.compute` (two machineries for one window).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


class Text(str):
    """A sentence with the template and the arguments that it was made of.

    Attributes:
        template: as for `str.format`; of a number's sentence the plural form, with %n for the number.
        arguments: what was filled in, exceptions as what they say; texts among them are translated too.
        number: the number that decides between the forms of `template`, None where there is one form.
    """

    template: str
    arguments: Mapping[str, Any]
    number: int | None

    def __new__(cls, template: str, one: str, arguments: Mapping[str, Any], count: int | None) -> Text:
        # An exception would keep the frames that it passed through, and what is in them, for as long as the sentence is kept.
        arguments = {k: str(v) if isinstance(v, Exception) else v for k, v in arguments.items()}
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

    def mapped(self, change: Callable[[str], str]) -> Text:
        """Return the sentence with all texts that were filled in changed; numbers, and the sentence's own words, stay."""

        def of(value: Any) -> Any:
            if isinstance(value, Text):
                return value.mapped(change)
            return value if isinstance(value, (int, float)) else change(str(value))

        return Text(self.template, self._one, {k: of(v) for k, v in self.arguments.items()}, self.number)

    def __reduce__(self) -> tuple[type[Text], tuple[object, ...]]:
        return Text, (self.template, self._one, dict(self.arguments), self.number)

    _one: str


def sentence(template: str, /, **arguments: Any) -> Text:
    """Return `template.format(**arguments)` as a `Text`; literal braces are doubled."""
    return Text(template, template, arguments, None)


def plural(count: int, one: str, many: str, /, **arguments: Any) -> Text:
    """Return the form for a number, which %n stands for: `plural(n, "%n picture is lost.", "%n pictures are lost.")`."""
    return Text(many, one, arguments, count)


def counted(count: int, one: str, many: str = "") -> Text:
    """Return a number with its noun: '1 frame', '2 frames', '0 frames'; `many` is needed where it is not `one` with an s."""
    return Text(f"%n {many or one + 's'}", f"%n {one}", {}, count)


def joined(separator: str, parts: Iterable[str]) -> Text:
    """Return `separator.join(parts)`, each of which can still be translated."""
    named = {f"part{index}": part for index, part in enumerate(parts)}
    template = separator.replace("{", "{{").replace("}", "}}").join(f"{{{name}}}" for name in named)
    return Text(template, template, named, None)
