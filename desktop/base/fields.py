"""Fields: settable values with their type, bounds, default and texts.

The window has an editor for each type (`desktop/ui/forms/editors/`); the command line, presets and the
tables of the documentation read the same declaration.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from desktop.base.errors import LightloomError, UsageError
from desktop.base.nearest import nearest
from desktop.base.wording import Text, joined, sentence

Value = str | bool | int | float
"""Value of a field that is no list."""

Option = tuple[Any, str]
"""A value that can be chosen, and its label: a `sentence`, or a name that is the same in every language."""

_Spec = TypeVar("_Spec", bound=Any)


@dataclass(frozen=True)
class Field(ABC):
    """A value that a user sets: a form row in the window, and a key of a file or of the command line.

    Attributes:
        label, help: the row's label and tool tip; each a `sentence`.
        default: default value, of the field's type.
        unit: shown after a number.
        when: (other field, values) pairs; unmet, this one has no effect and is hidden.
    """

    name: str
    default: Any = None
    min: float = 0.0
    max: float = 1.0
    step: float = 0.0
    unit: str = ""
    choices: tuple[str, ...] = ()
    label: str = ""
    help: str = ""
    when: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    editor: ClassVar[str]
    summary: ClassVar[str] = ""
    longest: ClassVar[int] = 2000

    @property
    @abstractmethod
    def expects(self) -> Text:
        """Valid values, in words."""

    @abstractmethod
    def convert(self, value: Any) -> Any:
        """Return a value in the field's type; raise TypeError, ValueError or OverflowError if invalid."""

    @property
    def values(self) -> str:
        """Valid values, for a table of the documentation."""
        return self.summary

    @property
    def options(self) -> tuple[Option, ...]:
        """The values of a list of choices, with their labels."""
        return tuple((choice, choice) for choice in self.choices)

    def check(self, value: Any) -> Any:
        """Return a value of the field's type; raise UsageError if it is invalid."""
        try:
            return self.convert(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise self.refused(*self.stated(value)) from error

    def stated(self, value: Any) -> tuple[str, Text]:
        """Return an invalid value as it stands in a file, and what to give instead."""
        if isinstance(value, str) and self.is_quoted(value):
            return f'"{value[:40]}"', sentence("it without quotation marks")
        return str(value).lower() if isinstance(value, bool) else str(value), self.expects

    def is_quoted(self, text: str) -> bool:
        """Return True for a text that says a value of another type: a number or flag in quotation marks."""
        return False

    def parse(self, text: str) -> Any:
        """Return the value of a text from the command line; raise LightloomError as `check` does."""
        return self.check(text)

    def refused(self, value: Any, expects: Text) -> LightloomError:
        """Return the error for an invalid value."""
        return UsageError(
            sentence(
                "'{name}' is {value}; give {allowed}.",
                name=self.name,
                value=str(value)[:40],
                allowed=expects,
            )
        )


class Flag(Field):
    """A boolean."""

    editor = "switch"
    summary = "flag"

    @property
    def expects(self) -> Text:
        return sentence("true or false")

    def convert(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError
        return value

    def parse(self, text: str) -> bool:
        return bool(self.check({"true": True, "false": False}.get(str(text), text)))

    def is_quoted(self, text: str) -> bool:
        return text in ("true", "false")


@dataclass(frozen=True)
class Number(Field):
    """A number from `min` to `max`.

    Attributes:
        has_slider: with a slider beside the entry.
        scale: displayed value of 1.0; 100 shows a percentage.
        whole: an integer.
    """

    has_slider: bool = True
    scale: float = 1.0

    editor = "number"
    whole: ClassVar[bool] = False

    @property
    def expects(self) -> Text:
        return sentence("{low} to {high}", low=_plain(self.min), high=_plain(self.max))

    @property
    def values(self) -> str:
        return f"{_plain(self.min)} to {_plain(self.max)} {self.unit}".rstrip()

    def convert(self, value: Any) -> float:
        # A NaN is neither above nor below.
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.min <= value <= self.max:
            raise ValueError
        return float(value)

    def parse(self, text: str) -> Any:
        try:
            number = int(text) if self.whole else float(text)
        except (TypeError, ValueError):
            return self.check(text)
        return self.check(number)

    def is_quoted(self, text: str) -> bool:
        try:
            return self.convert(int(text) if self.whole else float(text)) is not None
        except (TypeError, ValueError, OverflowError):
            return False


class Integer(Number):
    """An integer from `min` to `max`."""

    whole = True

    def convert(self, value: Any) -> int:
        if type(value) is not int or not self.min <= value <= self.max:
            raise ValueError
        return value


@dataclass(frozen=True)
class Selection(Field):
    """One of `choices`, by default the keys of `titles`.

    Attributes:
        titles: labels that differ from values: sentences, or untranslated names.
    """

    titles: Mapping[str, str] = field(default_factory=dict, hash=False)

    editor = "choice"

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", self.choices or tuple(self.titles))

    @property
    def options(self) -> tuple[Option, ...]:
        return tuple((choice, self.titles.get(choice, choice)) for choice in self.choices)

    @property
    def expects(self) -> Text:
        return joined(", ", self.choices)

    @property
    def values(self) -> str:
        return ", ".join(self.choices)

    def convert(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise ValueError
        return value


@dataclass(frozen=True)
class Line(Field):
    """A line of text, not empty if `required`.

    Attributes:
        storable: returns it without secrets that it may contain.
        placeholder: shown while it is empty; a `sentence`.
        verify: raises UsageError for an invalid text.
    """

    default: str = ""
    required: bool = False
    storable: Callable[[str], str] = field(default=str, compare=False)
    placeholder: str = ""
    verify: Callable[[str], object] = field(default=str, compare=False)

    editor = "text"
    summary = "text"

    @property
    def expects(self) -> Text:
        return sentence("a line of text")

    def convert(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) > self.longest or any(map(_is_unfit, value)):
            raise ValueError
        self.verify(value)
        return value


@dataclass(frozen=True)
class Suggested(Line):
    """A line of text; `suggestions` returns suggestions and must be quick, as any thread may call it."""

    suggestions: Callable[[], tuple[str, ...]] = field(default=tuple, compare=False)

    editor = "suggested"


@dataclass(frozen=True)
class Available(Line):
    """One of the values that are available at the moment; another one is kept.

    Attributes:
        empty: label of '', the default.
        available: returns the others, given the object that has the fields' values.
        slow: `available` blocks; call it on a thread.
    """

    empty: str = ""
    available: Callable[[Any], Sequence[Option]] = field(default=lambda _: (), compare=False)
    slow: bool = False

    editor = "choice"

    @property
    def options(self) -> tuple[Option, ...]:
        return (("", self.empty),)


class Secret(Line):
    """A line of text that is never stored in a preset, nor shown."""

    summary = "secret"

    def refused(self, value: Any, expects: Text) -> LightloomError:
        """See `Field`; does not name the value."""
        return UsageError(
            sentence("'{name}' cannot be that; give {allowed}.", name=self.name, allowed=expects)
        )


class File(Line):
    """The path of a file that is written."""

    editor = "path"
    summary = "file"


@dataclass(frozen=True)
class Folder(Line):
    """The path of a folder.

    Attributes:
        usual: returns the folder that '' stands for.
        written: it must be writable.
    """

    usual: Callable[[], Path | None] = field(default=lambda: None, compare=False)
    written: bool = True

    editor = "path"
    summary = "folder"


class Names(Field):
    """Names, as of classes."""

    editor = "names"
    summary = "names"

    @property
    def expects(self) -> Text:
        return sentence('a list of names, such as ["person"]')

    def convert(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
            raise TypeError
        return tuple(value)

    def parse(self, text: str) -> tuple[str, ...]:
        """See `Field`: names with commas between them."""
        return tuple(name.strip() for name in text.split(",") if name.strip())


def _is_unfit(letter: str) -> bool:
    # Control characters and surrogates of undecodable file names: no preset can contain them.
    return letter < " " or "\ud800" <= letter <= "\udfff"


def _plain(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"


def checked(fields: Iterable[Field], values: Mapping[str, Any], *, of: str) -> dict[str, Any]:
    """Return a value for each field: the given ones by name, and the defaults of the others.

    Raise UsageError, naming the owner `of`, if a value is invalid or there is no such field.
    """
    known = {each.name: each for each in fields}
    for name in values:
        if name not in known:
            told = {"of": of, "name": str(name)[:40]}
            raise UsageError(
                sentence("'{of}' has no '{name}'; did you mean '{near}'?", **told, near=near)
                if (near := nearest(str(name), known))
                else sentence("'{of}' has no '{name}'; it has: {names}.", **told, names=", ".join(known))
                if known
                else sentence("'{of}' has no '{name}', nor other settings; leave it out.", **told)
            )
    return {name: each.check(values.get(name, each.default)) for name, each in known.items()}


def with_value(spec: _Spec, fields: Mapping[str, Field], name: str, value: Any, *, of: Text) -> _Spec:
    """Return a frozen dataclass with another value of a field, as a preset or the command line states it.

    Raise UsageError, with `of` for what the fields set up, for an unknown name or an invalid value.
    """
    field = fields.get(name)
    if field is None:
        if near := nearest(str(name), fields):
            raise UsageError(
                sentence(
                    "'{name}' is no setting of {owner}; did you mean '{near}'?",
                    name=str(name)[:40],
                    owner=of,
                    near=near,
                )
            )
        raise UsageError(
            sentence(
                "'{name}' is no setting of {owner}; there are: {names}.",
                name=str(name)[:40],
                owner=of,
                names=", ".join(fields),
            )
        )
    try:
        return replace(spec, **{name: field.convert(value)})
    except (TypeError, ValueError, OverflowError) as error:
        shown, allowed = field.stated(value)
        raise UsageError(
            sentence(
                "'{name}' of {owner} is {value}; give {allowed}.",
                name=name,
                owner=of,
                value=shown[:40],
                allowed=allowed,
            )
        ) from error
