"""Fields: the options of an event's action or a live output, with their valid values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from desktop.base.errors import UsageError
from desktop.base.wording import joined, sentence

Value = str | bool | int | float
"""Value of a field."""
_LONGEST: Final = 2000


@dataclass(frozen=True, kw_only=True)
class Field:
    """An option: a form row in the window; for an action also a key in presets and zone files.

    Attributes:
        name: the key.
        label: the row's label; a `sentence`.
        help: its tool tip; a `sentence`.
        kind: 'file' and 'folder' are texts with a file dialog in the window. A 'secret' is never written to a
            preset.
        high: maximum of a 'number', whose minimum is 0.
        unit: shown after a 'number'.
        offers: returns suggestions for a 'text'; quick, called on any thread.
        kept: returns a text without the secrets that a user may have put into it, for storage.
        default: default value, of the field's type.
        choices: the values of a 'choice'.
        titles: labels of choices that differ from their stored values; sentences, or names that are the same
            in every language.
        required: a text that must not be empty.
    """

    name: str
    label: str
    help: str = ""
    kind: Literal["text", "file", "folder", "secret", "flag", "choice", "number"] = "text"
    default: Value = ""
    choices: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)
    required: bool = False
    high: float = 0.0
    unit: str = ""
    offers: Callable[[], tuple[str, ...]] | None = field(default=None, compare=False)
    kept: Callable[[str], str] = field(default=str, compare=False)

    def check(self, value: Any) -> Value:
        """Return a value of the field's type; raise UsageError if it is invalid."""
        if self.kind == "flag":
            if isinstance(value, bool):
                return value
            raise self._refused(value, sentence("true or false"))
        if self.kind == "number":
            # A NaN is neither above nor below.
            if isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= self.high:
                return float(value)
            raise self._refused(value, sentence("{low} to {high}", low="0", high=f"{self.high:g}"))
        if self.kind == "choice" and value not in self.choices:
            raise self._refused(value, joined(", ", self.choices))
        if not isinstance(value, str) or len(value) > _LONGEST or any(map(_is_unfit, value)):
            raise self._refused(value, sentence("a line of text"))
        return value

    def _refused(self, value: Any, allowed: str) -> UsageError:
        if self.kind == "secret":
            return UsageError(
                sentence("'{name}' cannot be that; give {allowed}.", name=self.name, allowed=allowed)
            )
        return UsageError(
            sentence(
                "'{name}' is {value}; give {allowed}.",
                name=self.name,
                value=str(value)[:40],
                allowed=allowed,
            )
        )


def _is_unfit(letter: str) -> bool:
    # Control characters and surrogates of undecodable file names: no preset can contain them.
    return letter < " " or "\ud800" <= letter <= "\udfff"


def checked(fields: Iterable[Field], values: Mapping[str, Any], *, of: str) -> dict[str, Value]:
    """Return a value for each field: the given ones, and the defaults of the others.

    Args:
        fields: all fields.
        values: by the fields' names.
        of: owner of the fields, for sentences.

    Raises:
        UsageError: a value is invalid, or there is no such field.
    """
    known = {each.name: each for each in fields}
    for name in values:
        if name not in known:
            raise UsageError(
                sentence("'{of}' has no '{name}'; choose one that it has.", of=of, name=str(name)[:40])
            )
    return {name: each.check(values.get(name, each.default)) for name, each in known.items()}
