"""Definition of an event's action: its fields, and a sink that performs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.base.fields import Field, Line, Value, checked
from desktop.base.printable import utf8
from desktop.base.wording import sentence
from desktop.vision.tracking.counts import Counts
from desktop.vision.tracking.events import EventSpec, Occurrence

if TYPE_CHECKING:
    from desktop.outputs.events.clip_buffer import ClipOrder

MOST_WAITING: Final = 1000
"""Maximum number of events queued while an action is postponed; more are dropped and counted."""


_WRITTEN: Final = ("snapshot", "clip")


class Postponed(Exception):
    """The action must wait `wait_s` seconds (0: unspecified); `reason` is a sentence without full stop, which ends
    with the advice to the user, if any.
    """

    def __init__(self, reason: str, wait_s: float = 0.0, advice: str = "") -> None:
        self.reason, self.wait_s = _advised(reason, advice), wait_s
        super().__init__(self.reason)


class Refused(Exception):
    """The action fails permanently; `reason` is a sentence without its full stop, which ends with the advice to
    the user, if any.
    """

    def __init__(self, reason: str, advice: str = "") -> None:
        self.reason = _advised(reason, advice)
        super().__init__(self.reason)


def _advised(reason: str, advice: str) -> str:
    return sentence("{reason}; {advice}", reason=reason, advice=advice) if advice else reason


@dataclass(frozen=True)
class Note:
    """An occurrence as an action receives it.

    Attributes:
        time: when it was detected.
        source: the name of the source.
        picture: waits for its frame, on any thread, once; uint8 [height, width, 4]. None if absent.
        clip: the frames before and after; None if no action needs them.
        file: where the action writes its file; None if it writes none, or no path is set.
        files: the files written for it, by action ('snapshot', 'clip'); they may appear later, or fail.
    """

    occurrence: Occurrence
    time: datetime
    source: str = ""
    picture: Callable[[], np.ndarray] | None = None
    clip: ClipOrder | None = None
    file: Path | None = None
    files: Mapping[str, Path] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """Return it as a JSON value; `KEYS` are its keys. A file's name that is not UTF-8 gets question marks."""
        document = (
            {"time": self.time.isoformat(timespec="milliseconds"), "source": self.source}
            | self.occurrence.json()
            | {kind: str(self.files[kind]) if kind in self.files else None for kind in _WRITTEN}
        )
        return {
            key: utf8(value).decode() if isinstance(value, str) else value for key, value in document.items()
        }

    def flat(self) -> dict[str, Any]:
        """Return it as `json`, for formats without lists: a box is four numbers separated by spaces."""
        return {
            key: " ".join(map(str, value)) if isinstance(value, list) else value
            for key, value in self.json().items()
        }


KEYS: Final = tuple(Note(Occurrence("", "", "enters", 0.0), datetime.now(UTC)).json())
"""The keys of every note, in order."""


@dataclass(frozen=True)
class Status:
    """Counts of all zones and lines of a source, and the events that have the action, each with that action alone."""

    source: str
    counts: tuple[Counts, ...]
    events: tuple[EventSpec, ...]


@dataclass(frozen=True)
class Surroundings:
    """Services for actions: `notify` shows a user's sentence, on any thread; a server may take `answer_s`
    seconds to respond; retries begin after `first_wait_s` seconds and become slower.
    """

    notify: Callable[[str], None]
    answer_s: float = 5.0
    first_wait_s: float = 0.5


class Sink(ABC):
    """Performs an action. Made, used and closed on one thread, which may block."""

    @abstractmethod
    def deliver(self, note: Note) -> None:
        """Perform the action. Raises Postponed to be called again with the same note, Refused to give up."""

    def show(self, status: Status) -> None:  # noqa: B027 (most perform events alone)
        """Publish the newest status; see `EventAction.wants_status`. Raises as `deliver`; retried by a newer one."""

    def give_up(self) -> None:  # noqa: B027 (most are done after each note)
        """Give up the note that was postponed last."""

    def close(self) -> None:  # noqa: B027 (most hold nothing open)
        """Release all resources, soon."""


@dataclass(frozen=True, kw_only=True)
class EventAction:
    """An action that an event can trigger.

    Attributes:
        id: its file's name, used in presets.
        title: its name in the window; a `sentence`.
        order: its position in lists.
        fields: its options.
        open: makes the sink from a value for each field; see `Sink`. Raises `Postponed` or `Refused`.
        check: raises Refused with the reason why the action could not be performed now, as far as that can be told
            without writing or sending anything.
        target: returns a short name of the destination (a file's name, a host), for sentences.
        most_waiting: maximum number of queued notes.
        wants_picture: returns from values whether its notes contain the frame; None if none does.
        most_pictures: maximum number of queued notes with the frame; further ones have none.
        wants_status: its sink receives the counts, also before an event.
        connection_key: returns from values what events with one sink have in common, though their other values
            differ; Refused for invalid values. None: all values.
        names_file: returns a note's file path from values, an occurrence and its time; None for no file.
        span: returns the seconds before and after the event of which its notes contain frames; None for none.
    """

    id: str
    title: str
    order: int
    fields: tuple[Field, ...]
    open: Callable[[Mapping[str, Value], Surroundings], Sink]
    target: Callable[[Mapping[str, Value]], str]
    check: Callable[[Mapping[str, Value]], None] = lambda values: None
    most_waiting: int = MOST_WAITING
    wants_picture: Callable[[Mapping[str, Value]], bool] | None = None
    most_pictures: int = MOST_WAITING
    wants_status: bool = False
    connection_key: Callable[[Mapping[str, Value]], Hashable] | None = None
    names_file: Callable[[Mapping[str, Value], Occurrence, datetime], Path] | None = None
    span: Callable[[Mapping[str, Value]], tuple[float, float]] | None = None

    def checked(self, values: Mapping[str, Any]) -> dict[str, Value]:
        """Return given or default values of all fields; UsageError if one is invalid or has no field."""
        return checked(self.fields, values, of=self.id)

    def missing(self, values: Mapping[str, Value]) -> str:
        """Return the label of a required field without a value, '' for none."""
        return next(
            (
                f.label
                for f in self.fields
                if isinstance(f, Line) and f.required and not str(values.get(f.name, f.default)).strip()
            ),
            "",
        )
