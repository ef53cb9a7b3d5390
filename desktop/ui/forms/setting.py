"""Entries of the settings file: fields with a section of the preferences page."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar, overload

from PySide6.QtCore import QByteArray

from desktop.base.errors import LightloomError
from desktop.base.fields import Field, Integer, Number, Option
from desktop.base.wording import Text, sentence

Value = TypeVar("Value")
Converted = TypeVar("Converted", covariant=True)


# -- fields of settings alone --------------------------------------------------------------------------------


class Consent(Field):
    """Yes or no, or None until the user was asked."""

    editor = "choice"

    @property
    def options(self) -> tuple[Option, ...]:
        return (None, sentence("Ask me")), (True, sentence("Yes")), (False, sentence("No"))

    @property
    def expects(self) -> Text:
        return sentence("true or false")

    def convert(self, value: Any) -> bool | None:
        if value is not None and not isinstance(value, bool):
            raise TypeError
        return value

    def parse(self, text: str) -> bool | None:
        return {"true": True, "false": False}.get(str(text))


class Remembered(Field):
    """A value that the program keeps, as JSON; the user can only clear it."""

    editor = "remembered"

    @property
    def expects(self) -> Text:
        return sentence("a line of text")

    def parse(self, text: str) -> Any:
        try:
            return self.check(json.loads(text))
        except (TypeError, ValueError, RecursionError):
            return self.check(None)


@dataclass(frozen=True)
class Names(Remembered):
    """A list of names; `internal` ones have no meaning for the user."""

    default: list[str] = field(default_factory=list)
    internal: bool = False

    def convert(self, value: Any) -> list[str]:
        if not isinstance(value, list):
            raise TypeError
        return [name for name in value if isinstance(name, str)]


@dataclass(frozen=True)
class Tables(Remembered):
    """Values by name for objects such as cameras, validated by the reader; the newest `most` are kept."""

    default: dict[str, dict[str, Any]] = field(default_factory=dict)
    most: int = 64

    def convert(self, value: Any) -> dict[str, dict[str, Any]]:
        if not isinstance(value, dict):
            raise TypeError
        newest = list(value.items())[-self.most :]
        return {name: values for name, values in newest if isinstance(values, dict)}


@dataclass(frozen=True)
class State(Remembered):
    """State that only the window can interpret."""

    default: QByteArray = field(default_factory=QByteArray)

    def convert(self, value: Any) -> QByteArray:
        if not isinstance(value, QByteArray):
            raise TypeError
        return value

    def parse(self, text: Any) -> QByteArray:
        return QByteArray(self.check(text))


class Moment(Number):
    """A time in seconds since 1970; 0.0 for never."""

    editor = "remembered"


class Count(Integer):
    """A number that the program counts up; 'true', which version 0.1 stored, is 1."""

    editor = "remembered"

    def parse(self, text: str) -> int:
        return 1 if text == "true" else super().parse(text)


# -- sections ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A section of the page, with a `sentence` as its title; one not in `SECTIONS` comes last."""

    title: Text


WINDOW: Final = Section(sentence("Window"))
SNAPSHOTS: Final = Section(sentence("Snapshots"))
RECORDINGS: Final = Section(sentence("Recordings and exports"))
PLAYBACK: Final = Section(sentence("Playback and audio"))
OUTPUT: Final = Section(sentence("Clean output"))
NETWORKS: Final = Section(sentence("Networks"))
REMEMBERED: Final = Section(sentence("Remembered"))
SECTIONS: Final = (WINDOW, SNAPSHOTS, RECORDINGS, PLAYBACK, OUTPUT, NETWORKS, REMEMBERED)


# -- the entry -----------------------------------------------------------------------------------------------


class SettingsStore(Protocol):
    """The settings file; see `Settings`."""

    def stored(self, key: str) -> Any:
        """Return the value stored under a key, None if there is none."""

    def store(self, setting: AnySetting, value: object) -> None:
        """Store the value that a setting wrote, or None to remove it."""


class Converts(Protocol[Converted]):
    """A field with values of a type."""

    def convert(self, value: Any) -> Converted:
        """See `Field`."""


class Setting(Generic[Value]):
    """One entry of the settings file, as an attribute of `Settings`.

    Attributes:
        key: key in the file, the field's name.
        section: its place on the page.
        at_once: changes apply immediately, by `Settings.follow` or on use; False for the next start.
        name: that of the attribute.
    """

    def __init__(self, field: Converts[Value], section: Section, *, at_once: bool = True) -> None:
        assert isinstance(field, Field)
        self.field: Field = field
        self.key, self.section, self.at_once = field.name, section, at_once
        self.name = ""

    def __set_name__(self, owner: type[SettingsStore], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, settings: None, owner: type[SettingsStore]) -> Setting[Value]: ...

    @overload
    def __get__(self, settings: SettingsStore, owner: type[SettingsStore]) -> Value: ...

    def __get__(self, settings: SettingsStore | None, owner: type[SettingsStore]) -> Value | Setting[Value]:
        if settings is None:
            return self
        stored = settings.stored(self.key)
        value: Value = copy(self.field.default)
        if stored is not None:
            # The file may have been edited.
            with suppress(LightloomError):
                value = self.field.parse(_as_integer(stored) if isinstance(self.field, Integer) else stored)
        return value

    def __set__(self, settings: SettingsStore, value: Value) -> None:
        # Defaults are not stored, so that a later version's default applies.
        stored = value if isinstance(value, str | QByteArray) else json.dumps(value)
        settings.store(self, None if value == self.field.default else stored)

    def put_back(self, settings: SettingsStore) -> None:
        """Reset it to the default."""
        settings.store(self, None)

    def is_default(self, settings: SettingsStore) -> bool:
        """Return whether it has the default value."""
        return bool(self.__get__(settings, type(settings)) == self.field.default)


def _as_integer(stored: Any) -> Any:
    """Return '90' for '90.0', as version 0.1 stored integers."""
    return stored.removesuffix(".0") if isinstance(stored, str) else stored


AnySetting = Setting[Any]
