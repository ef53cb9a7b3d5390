"""Definition of a setting: its key, type and texts, from which the preferences page is built.

A type parses stored values, whatever the file contains; `preferences/editors.py` has an editor for each type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar, overload

from PySide6.QtCore import QByteArray

from desktop.base.wording import Text, sentence

Value = TypeVar("Value")

Offer = tuple[str, str]
"""A value that can be chosen, and its label: a `sentence`, or a name that is the same in every language."""


# -- kinds ---------------------------------------------------------------------------------------------------


class Kind(Protocol[Value]):
    """Storage of a value. Invalid values give the default, since the file may have been edited."""

    @property
    def default(self) -> Value:
        """The value if nothing is stored."""

    def read(self, stored: object) -> Value:
        """Return the value stored in the file."""

    def write(self, value: Value) -> object:
        """Return the representation stored in the file."""


@dataclass(frozen=True)
class Flag:
    """A boolean."""

    default: bool = False

    def read(self, stored: object) -> bool:
        """See `Kind`."""
        return stored == "true" if isinstance(stored, str) else self.default

    def write(self, value: bool) -> str:
        """See `Kind`."""
        return "true" if value else "false"


@dataclass(frozen=True)
class Consent:
    """Yes or no, or None until the user was asked."""

    default: bool | None = None

    def read(self, stored: object) -> bool | None:
        """See `Kind`."""
        return {"true": True, "false": False}.get(str(stored))

    def write(self, value: bool | None) -> str:
        """See `Kind`."""
        return "" if value is None else Flag().write(value)


@dataclass(frozen=True)
class Choice:
    """One of several strings, the first by default; `offers` may be a function if its imports are slow."""

    offers: tuple[Offer, ...] | Callable[[], tuple[Offer, ...]]

    @property
    def all(self) -> tuple[Offer, ...]:
        """The available values."""
        return self.offers() if callable(self.offers) else self.offers

    @property
    def default(self) -> str:
        """See `Kind`."""
        return self.all[0][0]

    def read(self, stored: object) -> str:
        """See `Kind`."""
        return (
            stored
            if isinstance(stored, str) and any(stored == value for value, _ in self.all)
            else self.default
        )

    def write(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class DynamicChoice:
    """One of the values available on this machine. A stored value is shown even if unavailable.

    `empty` is the label of '', the default; `slow` calls `offers` on a thread, since it blocks.
    """

    empty: str
    offers: Callable[[Any], Sequence[Offer]] = field(compare=False)
    slow: bool = False
    default: str = ""

    def read(self, stored: object) -> str:
        """See `Kind`."""
        return stored if isinstance(stored, str) else ""

    def write(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Folder:
    """The path of a folder, '' for the default that `usual` returns; `written`: it must be writable."""

    usual: Callable[[], Path] = field(compare=False)
    written: bool = True
    default: str = ""

    def path(self, value: str) -> Path:
        """Return the folder that a value stands for."""
        return Path(value) if value else self.usual()

    def read(self, stored: object) -> str:
        """See `Kind`."""
        return stored if isinstance(stored, str) and "\0" not in stored else ""

    def write(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Line:
    """A line of text; `fault` returns why one is invalid ('' if not), `empty` is the placeholder."""

    empty: str = ""
    fault: Callable[[str], str] = field(default=lambda _: "", compare=False)
    default: str = ""

    def read(self, stored: object) -> str:
        """See `Kind`."""
        return stored if isinstance(stored, str) and not self.fault(stored) else ""

    def write(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Number:
    """A number within limits; `scale` is the displayed value of 1.0: 100 shows a percentage."""

    default: float
    low: float
    high: float
    step: float = 1.0
    decimals: int = 0
    scale: float = 1.0
    unit: str = ""

    def read(self, stored: object) -> float:
        """See `Kind`."""
        try:
            number = float(stored) if isinstance(stored, str) else self.default
        except ValueError:
            return self.default
        return number if self.low <= number <= self.high else self.default  # a NaN is neither

    def write(self, value: float) -> str:
        """See `Kind`."""
        return str(value)


@dataclass(frozen=True)
class Names:
    """A list that the program fills and the user can clear."""

    @property
    def default(self) -> list[str]:
        """See `Kind`."""
        return []

    def read(self, stored: object) -> list[str]:
        """See `Kind`."""
        try:
            value = json.loads(stored) if isinstance(stored, str) else []
        except (ValueError, RecursionError):
            return []
        return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []

    def write(self, value: list[str]) -> str:
        """See `Kind`."""
        return json.dumps(value)


@dataclass(frozen=True)
class State:
    """State that only the window can interpret; the user can only clear it."""

    @property
    def default(self) -> QByteArray:
        """See `Kind`."""
        return QByteArray()

    def read(self, stored: object) -> QByteArray:
        """See `Kind`."""
        return stored if isinstance(stored, QByteArray) else QByteArray()

    def write(self, value: QByteArray) -> QByteArray:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Tables:
    """Values by name for objects such as cameras, validated on reading; the newest `most` are kept."""

    most: int = 64

    @property
    def default(self) -> dict[str, dict[str, Any]]:
        """See `Kind`."""
        return {}

    def read(self, stored: object) -> dict[str, dict[str, Any]]:
        """See `Kind`."""
        try:
            value = json.loads(stored) if isinstance(stored, str) else {}
        except (ValueError, RecursionError):
            return {}
        found = value.items() if isinstance(value, dict) else ()
        return {name: values for name, values in list(found)[-self.most :] if isinstance(values, dict)}

    def write(self, value: dict[str, dict[str, Any]]) -> str:
        """See `Kind`."""
        return json.dumps(dict(list(value.items())[-self.most :]))


@dataclass(frozen=True)
class Moment:
    """A time in seconds since 1970; 0.0 for never. The user can only clear it."""

    default: float = 0.0

    def read(self, stored: object) -> float:
        """See `Kind`."""
        return Number(0.0, 0.0, 1e12).read(stored)

    def write(self, value: float) -> str:
        """See `Kind`."""
        return str(value)


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

    def stored(self, key: str) -> object:
        """Return the value stored under a key, None if there is none."""

    def store(self, setting: AnySetting, value: object) -> None:
        """Store the value that a setting wrote, or None to remove it."""


class Setting(Generic[Value]):
    """One entry of the settings file, as an attribute of `Settings`.

    Attributes:
        kind: how it is read, written and edited.
        section, title, help: its place and texts on the page, as `sentence`s.
        at_once: changes apply immediately, by `Settings.follow` or on use; False for the next start.
        name: that of the attribute.
    """

    def __init__(
        self,
        key: str,
        kind: Kind[Value],
        section: Section,
        title: str,
        help: str = "",
        *,
        at_once: bool = True,
    ) -> None:
        self.key, self.kind, self.section = key, kind, section
        self.title, self.help, self.at_once = title, help, at_once
        self.name = ""

    def __set_name__(self, owner: type[SettingsStore], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, settings: None, owner: type[SettingsStore]) -> Setting[Value]: ...

    @overload
    def __get__(self, settings: SettingsStore, owner: type[SettingsStore]) -> Value: ...

    def __get__(self, settings: SettingsStore | None, owner: type[SettingsStore]) -> Value | Setting[Value]:
        return self if settings is None else self.kind.read(settings.stored(self.key))

    def __set__(self, settings: SettingsStore, value: Value) -> None:
        # Defaults are not stored, so that a later version's default applies.
        is_default = value == self.kind.default
        settings.store(self, None if is_default else self.kind.write(value))

    def put_back(self, settings: SettingsStore) -> None:
        """Reset it to the default."""
        settings.store(self, None)

    def is_default(self, settings: SettingsStore) -> bool:
        """Return whether it has the default value."""
        return bool(self.__get__(settings, type(settings)) == self.kind.default)


AnySetting = Setting[Any]
