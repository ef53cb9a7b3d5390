"""What an action of an event is: its fields, and a sink that carries it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from desktop.compute.tracking.events import Happening
from desktop.fields import Field, Value, checked

if TYPE_CHECKING:
    from desktop.compute.outputs.events.film import ClipOrder

MOST_WAITING: Final = 1000
"""How many events wait for an action that cannot be carried out now; what is more is not delivered, and counted."""


_WRITTEN: Final = ("snapshot", "clip")


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


@dataclass(frozen=True)
class Note:
    """A happening as an action gets it.

    Attributes:
        happening: what happened.
        time: when it was noticed.
        source: the name of what plays.
        picture: waits for the picture that was shown then, on any thread, once; None where no action wants it or there is none. uint8
            [height, width, 4].
        clip: the pictures before and after; None where no action wants them.
        file: where the action is to write what it makes; None where it writes nothing of its own, or nobody has said.
        files: what is written of the happening, by the action ('snapshot', 'clip'): it may come a moment later than the note, or fail.
    """

    happening: Happening
    time: datetime
    source: str = ""
    picture: Callable[[], np.ndarray] | None = None
    clip: ClipOrder | None = None
    file: Path | None = None
    files: Mapping[str, Path] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """Return it as JSON takes it; `KEYS` are its keys."""
        return (
            {"time": self.time.isoformat(timespec="milliseconds"), "source": self.source}
            | self.happening.json()
            | {kind: str(self.files[kind]) if kind in self.files else None for kind in _WRITTEN}
        )

    def flat(self) -> dict[str, Any]:
        """Return it as `json`, for what holds no lists: the four numbers of a box are a text, with a space between them."""
        return {
            key: " ".join(map(str, value)) if isinstance(value, list) else value
            for key, value in self.json().items()
        }


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
        names_file: tells of values, a happening and its time where the file of a note goes; None where it writes no file for each.
        span: of values, how many seconds before and after the event its notes have the pictures of; None for none.
    """

    id: str
    title: str
    order: int
    fields: tuple[Field, ...]
    open: Callable[[Mapping[str, Value], Surroundings], Sink]
    target: Callable[[Mapping[str, Value]], str]
    most_waiting: int = MOST_WAITING
    wants_picture: bool = False
    names_file: Callable[[Mapping[str, Value], Happening, datetime], Path] | None = None
    span: Callable[[Mapping[str, Value]], tuple[float, float]] | None = None

    def checked(self, values: Mapping[str, Any]) -> dict[str, Value]:
        """Return a value for each field: the given ones, and the defaults of the others.

        Raises:
            UsageError: a value is none that its field takes, or there is no such field.
        """
        return checked(self.fields, values, of=self.id)

    def missing(self, values: Mapping[str, Value]) -> str:
        """Return the label of a field that has to be filled in first, '' where nothing is missing."""
        return next((f.label for f in self.fields if f.required and not values.get(f.name, f.default)), "")
