"""What one entry of the settings file is: its key and kind, and what the page of preferences says of it.

A setting is written once, as a line of `Settings`; the page, its search, and putting it back are made from that line. The kinds know how a
value is read, whatever stands in the file, and `preferences/editors.py` has an editor for each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar, overload

from PySide6.QtCore import QByteArray

from desktop.wording import Text, sentence

Value = TypeVar("Value")

Offer = tuple[str, str]
"""A value that can be chosen, and what it is called: a `sentence`, or a name that is the same in every language."""


# -- kinds -------------------------------------------------------------------------------------------------------------


class Kind(Protocol[Value]):
    """How a value is kept. What is read may be anything, because the file may have been edited: what does not fit gives the default."""

    @property
    def default(self) -> Value:
        """The value where nothing is kept."""

    def read(self, kept: object) -> Value:
        """Return the value of what the file has."""

    def write(self, value: Value) -> object:
        """Return what the file is to have."""


@dataclass(frozen=True)
class Flag:
    """On or off."""

    default: bool = False

    def read(self, kept: object) -> bool:
        """See `Kind`."""
        return kept == "true" if isinstance(kept, str) else self.default

    def write(self, value: bool) -> str:
        """See `Kind`."""
        return "true" if value else "false"


@dataclass(frozen=True)
class Answer:
    """Yes or no, or None until the user was asked."""

    default: bool | None = None

    def read(self, kept: object) -> bool | None:
        """See `Kind`."""
        return {"true": True, "false": False}.get(str(kept))

    def write(self, value: bool | None) -> str:
        """See `Kind`."""
        return "" if value is None else Flag().write(value)


@dataclass(frozen=True)
class Choice:
    """One of some words, the first by default; `offers` may be a function where it would take long to import what it is made of."""

    offers: tuple[Offer, ...] | Callable[[], tuple[Offer, ...]]

    @property
    def all(self) -> tuple[Offer, ...]:
        """What can be chosen."""
        return self.offers() if callable(self.offers) else self.offers

    @property
    def default(self) -> str:
        """See `Kind`."""
        return self.all[0][0]

    def read(self, kept: object) -> str:
        """See `Kind`."""
        return kept if isinstance(kept, str) and any(kept == value for value, _ in self.all) else self.default

    def write(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Found:
    """One of what this machine has now; what is kept may be gone, and is shown all the same.

    Attributes:
        empty: what '' is called, the default.
        offers: finds what there is, given the `Settings`.
        slow: it takes longer than a window may wait, and is called on a thread.
    """

    empty: str
    offers: Callable[[Any], Sequence[Offer]] = field(compare=False)
    slow: bool = False
    default: str = ""

    def read(self, kept: object) -> str:
        """See `Kind`."""
        return kept if isinstance(kept, str) else ""

    def write(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Folder:
    """The path of a folder, '' for the usual one.

    Attributes:
        usual: gives that.
        written: files are put there, so that it must be writable.
    """

    usual: Callable[[], Path] = field(compare=False)
    written: bool = True
    default: str = ""

    def path(self, value: str) -> Path:
        """Return the folder that a value stands for."""
        return Path(value) if value else self.usual()

    def read(self, kept: object) -> str:
        """See `Kind`."""
        return kept if isinstance(kept, str) and "\0" not in kept else ""

    def write(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Line:
    """A line of text.

    Attributes:
        empty: what stands there while it is empty.
        fault: says in one sentence why a text cannot be taken, '' where it can.
    """

    empty: str = ""
    fault: Callable[[str], str] = field(default=lambda _: "", compare=False)
    default: str = ""

    def read(self, kept: object) -> str:
        """See `Kind`."""
        return kept if isinstance(kept, str) and not self.fault(kept) else ""

    def write(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Number:
    """A number within limits.

    Attributes:
        scale: what is shown for 1.0: 100 shows a share in percent.
        unit: behind the number that is shown.
    """

    default: float
    low: float
    high: float
    step: float = 1.0
    decimals: int = 0
    scale: float = 1.0
    unit: str = ""

    def read(self, kept: object) -> float:
        """See `Kind`."""
        try:
            number = float(kept) if isinstance(kept, str) else self.default
        except ValueError:
            return self.default
        return number if self.low <= number <= self.high else self.default  # a NaN is neither

    def write(self, value: float) -> str:
        """See `Kind`."""
        return str(value)


@dataclass(frozen=True)
class Names:
    """A list that fills by itself, and can be emptied."""

    @property
    def default(self) -> list[str]:
        """See `Kind`."""
        return []

    def read(self, kept: object) -> list[str]:
        """See `Kind`."""
        try:
            value = json.loads(kept) if isinstance(kept, str) else []
        except (ValueError, RecursionError):
            return []
        return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []

    def write(self, value: list[str]) -> str:
        """See `Kind`."""
        return json.dumps(value)


@dataclass(frozen=True)
class State:
    """What the window knows how to read, and a user can only have forgotten."""

    @property
    def default(self) -> QByteArray:
        """See `Kind`."""
        return QByteArray()

    def read(self, kept: object) -> QByteArray:
        """See `Kind`."""
        return kept if isinstance(kept, QByteArray) else QByteArray()

    def write(self, value: QByteArray) -> QByteArray:
        """See `Kind`."""
        return value


@dataclass(frozen=True)
class Tables:
    """Values by name of each thing that has some; who reads them checks them. They can only be forgotten here.

    Attributes:
        most: how many things are remembered, the last.
    """

    most: int = 64

    @property
    def default(self) -> dict[str, dict[str, Any]]:
        """See `Kind`."""
        return {}

    def read(self, kept: object) -> dict[str, dict[str, Any]]:
        """See `Kind`."""
        try:
            value = json.loads(kept) if isinstance(kept, str) else {}
        except (ValueError, RecursionError):
            return {}
        found = value.items() if isinstance(value, dict) else ()
        return {name: values for name, values in list(found)[-self.most :] if isinstance(values, dict)}

    def write(self, value: dict[str, dict[str, Any]]) -> str:
        """See `Kind`."""
        return json.dumps(dict(list(value.items())[-self.most :]))


@dataclass(frozen=True)
class Moment:
    """When something was, in seconds since 1970; 0.0 for never. It can only be forgotten."""

    default: float = 0.0

    def read(self, kept: object) -> float:
        """See `Kind`."""
        return Number(0.0, 0.0, 1e12).read(kept)

    def write(self, value: float) -> str:
        """See `Kind`."""
        return str(value)


# -- sections ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A part of the page; one that is not among `SECTIONS` comes behind them.

    Attributes:
        title: a `sentence`.
    """

    title: Text


WINDOW: Final = Section(sentence("Window"))
SNAPSHOTS: Final = Section(sentence("Snapshots"))
RECORDINGS: Final = Section(sentence("Recordings and exports"))
PLAYBACK: Final = Section(sentence("Playback and sound"))
OUTPUT: Final = Section(sentence("Clean output"))
NETWORKS: Final = Section(sentence("Networks"))
REMEMBERED: Final = Section(sentence("Remembered"))
SECTIONS: Final = (WINDOW, SNAPSHOTS, RECORDINGS, PLAYBACK, OUTPUT, NETWORKS, REMEMBERED)


# -- the entry ---------------------------------------------------------------------------------------------------------


class Keeper(Protocol):
    """The file; see `Settings`."""

    def kept(self, key: str) -> object:
        """Return what the file has under a key, None for nothing."""

    def keep(self, setting: AnySetting, value: object) -> None:
        """Keep what a setting wrote, None to let it be as it comes."""


class Setting(Generic[Value]):
    """One entry of the settings file, as an attribute of `Settings`.

    Attributes:
        key: in the file.
        kind: how it is read, written and edited.
        section, title, help: where and how it stands on the page; sentences.
        at_once: False for what the next start follows; True where somebody follows it (`Settings.follow`) or reads it when it counts.
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

    def __set_name__(self, owner: type[Keeper], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, settings: None, owner: type[Keeper]) -> Setting[Value]: ...

    @overload
    def __get__(self, settings: Keeper, owner: type[Keeper]) -> Value: ...

    def __get__(self, settings: Keeper | None, owner: type[Keeper]) -> Value | Setting[Value]:
        return self if settings is None else self.kind.read(settings.kept(self.key))

    def __set__(self, settings: Keeper, value: Value) -> None:
        # What is as it comes is not kept, so that a later version's default counts, and nobody has to tell "off" from "never touched".
        is_default = value == self.kind.default
        settings.keep(self, None if is_default else self.kind.write(value))

    def put_back(self, settings: Keeper) -> None:
        """Let it be as it comes."""
        settings.keep(self, None)

    def is_default(self, settings: Keeper) -> bool:
        """Tell whether it is as it comes."""
        return bool(self.__get__(settings, type(settings)) == self.kind.default)


AnySetting = Setting[Any]
