"""What an action of an event is: its fields, and a sink that carries it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, Protocol

import numpy as np

from desktop.compute.tracking.events import Happening, Value
from desktop.errors import UsageError
from desktop.wording import joined, sentence

_LONGEST: Final = 2000
MOST_WAITING: Final = 1000
"""How many events wait for an action that cannot be carried out now; what is more is not delivered, and counted."""


class Postponed(Exception):
    """It could not be done now; `reason` is a sentence without its full stop. `wait_s` is what was asked for, 0 for nothing."""

    def __init__(self, reason: str, wait_s: float = 0.0) -> None:
        self.reason, self.wait_s = reason, wait_s
        super().__init__(reason)


class Refused(Exception):
    """It will not be done, and trying again is no use; `reason` is a sentence without its full stop."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, kw_only=True)
class Field:
    """One thing to be said for an action: a row in the window, a key in presets and files of zones.

    Attributes:
        name: the key.
        label: the row's name; a `sentence`.
        help: its tool tip; a `sentence`.
        kind: 'file' and 'folder' are texts that the window lets the user look for. A 'secret' is never written to a preset.
        default: where nothing is said; its type is the field's.
        choices: of a 'choice'.
        required: a text that must not be empty.
    """

    name: str
    label: str
    help: str = ""
    kind: Literal["text", "file", "folder", "secret", "flag", "choice"] = "text"
    default: Value = ""
    choices: tuple[str, ...] = ()
    required: bool = False

    def check(self, value: Any) -> Value:
        """Return a value of the field's type.

        Raises:
            UsageError: it is none.
        """
        if self.kind == "flag":
            if isinstance(value, bool):
                return value
            raise self._refused(value, sentence("true or false"))
        if self.kind == "choice" and value not in self.choices:
            raise self._refused(value, joined(", ", self.choices))
        if not isinstance(value, str) or len(value) > _LONGEST or any(map(_is_unfit, value)):
            raise self._refused(value, sentence("a line of text"))
        return value

    def _refused(self, value: Any, allowed: str) -> UsageError:
        return UsageError(
            sentence(
                "The action's '{name}' is {value}; give {allowed}.",
                name=self.name,
                value=str(value)[:40],
                allowed=allowed,
            )
        )


def _is_unfit(letter: str) -> bool:
    # Controls, and what Python makes of bytes that are no UTF-8 in a file's name: no preset can hold them.
    return letter < " " or "\ud800" <= letter <= "\udfff"


@dataclass(frozen=True)
class Note:
    """A happening as an action gets it.

    Attributes:
        happening: what happened.
        time: when it was noticed.
        source: the name of what plays.
        picture: waits for the picture that was shown then, on any thread, once; None where no action wants it or there is none. uint8
            [height, width, 4].
    """

    happening: Happening
    time: datetime
    source: str = ""
    picture: Callable[[], np.ndarray] | None = None

    def json(self) -> dict[str, Any]:
        """Return it as JSON takes it; `KEYS` are its keys."""
        return {
            "time": self.time.isoformat(timespec="milliseconds"),
            "source": self.source,
        } | self.happening.json()


KEYS: Final = tuple(Note(Happening("", "", "enters", 0.0), datetime.now(UTC)).json())
"""The keys of every note, in their order."""


@dataclass(frozen=True)
class Surroundings:
    """What actions may need of the program.

    Attributes:
        notify: shows a sentence to the user; called on any thread.
    """

    notify: Callable[[str], None]


class Sink(Protocol):
    """Carries an action out. Made, used and closed on one thread, which may wait."""

    def deliver(self, note: Note) -> None:
        """Do it for one note. After a `Postponed` the same note is given again.

        Raises:
            Postponed: not now.
            Refused: never.
        """

    def give_up(self) -> None:
        """The note that was postponed last is not tried again."""

    def close(self) -> None:
        """Release what it holds, soon."""


@dataclass(frozen=True, kw_only=True)
class EventAction:
    """Something that can be done about an event.

    Attributes:
        id: its file's name, which presets have.
        title: what the window calls it; a `sentence`.
        order: its place where they are offered.
        fields: what there is to be said.
        open: makes what carries it out, of a value for each field; see `Sink`. Raises `Postponed` or `Refused`.
        target: tells in a word where it goes (a file's name, a host), for sentences.
        most_waiting: how many notes may wait for it.
        wants_picture: its notes come with the picture.
    """

    id: str
    title: str
    order: int
    fields: tuple[Field, ...]
    open: Callable[[Mapping[str, Value], Surroundings], Sink]
    target: Callable[[Mapping[str, Value]], str]
    most_waiting: int = MOST_WAITING
    wants_picture: bool = False

    def checked(self, values: Mapping[str, Any]) -> dict[str, Value]:
        """Return a value for each field: the given ones, and the defaults of the others.

        Raises:
            UsageError: a value is none that its field takes, or there is no such field.
        """
        for name in values:
            if name not in {field.name for field in self.fields}:
                raise UsageError(
                    sentence(
                        "The action '{action}' has no '{name}'; choose one that it has.",
                        action=self.id,
                        name=str(name)[:40],
                    )
                )
        return {field.name: field.check(values.get(field.name, field.default)) for field in self.fields}

    def missing(self, values: Mapping[str, Value]) -> str:
        """Return the label of a field that has to be filled in first, '' where nothing is missing."""
        return next((f.label for f in self.fields if f.required and not values.get(f.name, f.default)), "")
