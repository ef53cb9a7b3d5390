"""Perform the actions of events, each on its own thread, so that no frame waits for I/O. A postponed one is
retried after growing delays. Lost notes (queue full, refused, given up, program end) are reported.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base.errors import UsageError
from desktop.base.fields import Value
from desktop.base.wording import Text, plural, sentence
from desktop.outputs.events import event_actions
from desktop.outputs.events._names import numbered
from desktop.outputs.events.action import (
    MOST_WAITING,
    EventAction,
    Note,
    Postponed,
    Refused,
    Sink,
    Status,
    Surroundings,
)
from desktop.outputs.events.clip_buffer import ClipBuffer
from desktop.outputs.events.event_log import LoggedEvent
from desktop.vision.tracking.counts import Counts
from desktop.vision.tracking.events import ActionSpec, EventSpec, Occurrence

log = logging.getLogger(__name__)

GIVE_UP_S: Final = 300.0
"""Maximum time for the attempts to deliver a note, in seconds."""
_LONGEST_WAIT_S: Final = 30.0
_CLOSING_S: Final = 2.0
# For what is under way when that is over.
_ENDING_S: Final = 1.0
# Counts change with every frame.
_STATUS_EVERY_S: Final = 0.5

_Key = tuple[str, Hashable]
_Picture = Callable[[], np.ndarray]


@dataclass(frozen=True)
class Trouble:
    """State of a failed action: a sentence for the user, '' once it works again and nothing was lost."""

    about: str
    text: str


class Delivery:
    """Performs one action, for all events that have it; `undelivered` counts notes lost for good."""

    def __init__(
        self,
        action: EventAction,
        values: Mapping[str, Value],
        surroundings: Surroundings,
        report: Callable[[Trouble], None],
        give_up_s: float = GIVE_UP_S,
    ) -> None:
        """Begin; `report` is called on the delivery's thread."""
        self.action = action
        self.undelivered = 0
        self.values, self._surroundings, self._report = values, surroundings, report
        self._give_up_s = give_up_s
        self._about = f"event {action.id} {action.target(values)}"
        self._notes: deque[Note] = deque()
        self._changed = threading.Condition()
        self._closing_at: float | None = None
        self._reason = ""
        self._reported_state: tuple[str, int] = ("", 0)
        self._status: Status | None = None
        self._status_at = self._status_wait = 0.0
        self._thread = threading.Thread(target=self._run, name=f"event {action.id}", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Number of notes that wait."""
        return len(self._notes)

    def can_queue(self) -> bool:
        """Return whether the queue has room for another note."""
        return len(self._notes) < self.action.most_waiting

    def can_queue_picture(self) -> bool:
        """Return whether another note may contain the frame, which waits in memory."""
        return (
            self.can_queue()
            and sum(note.picture is not None for note in tuple(self._notes)) < self.action.most_pictures
        )

    def show(self, status: Status) -> None:
        """Have a status published, unless a newer one follows before; never waits."""
        with self._changed:
            if self._closing_at is None:
                self._status = status
                self._changed.notify()

    def put(self, note: Note) -> None:
        """Have a note delivered; never waits."""
        with self._changed:
            if self._closing_at is None and self.can_queue():
                self._notes.append(note)
            else:
                self._lose(note, sentence("too many wait"))
            self._changed.notify()

    def close(self, within_s: float = _CLOSING_S) -> None:
        """Deliver queued notes within `within_s` seconds and discard the rest. `join` waits for that."""
        with self._changed:
            ends = time.monotonic() + within_s
            self._closing_at = ends if self._closing_at is None else min(ends, self._closing_at)
            self._changed.notify()

    def join(self, timeout_s: float) -> None:
        """Wait for the end, for so long at most: a sink may hang."""
        self._thread.join(max(0.0, timeout_s))
        with self._changed:
            self._lose_all(sentence("Lightloom ended"))

    def is_idle(self) -> bool:
        """Return whether all queued notes were delivered or lost."""
        return not self._notes

    def has_ended(self) -> bool:
        """Return whether it has stopped."""
        return not self._thread.is_alive()

    # -- on its thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        sink: Sink | None = None
        while (job := self._next()) is not None:
            sink = self._show(job, sink) if isinstance(job, Status) else self._deliver(job, sink)
        with self._changed:
            self._lose_all(sentence("Lightloom ended"))
        self._report_state()
        if sink is not None:
            sink.close()

    def _next(self) -> Note | Status | None:
        """Wait for the next note, which stays first in the queue, or for a status. None at the end."""
        while True:
            with self._changed:
                if self._is_over():
                    return None
                if (status := self._due_status()) is not None:
                    return status
                if self._notes:
                    return self._notes[0]
                if self._closing_at is not None:
                    return None
            # Without holding the lock: the callback may take long, and `put` must not wait.
            self._report_state()
            with self._changed:
                if not self._notes and self._closing_at is None:
                    left = self._status_at - time.monotonic()
                    self._changed.wait(None if self._status is None else max(0.0, left))

    def _due_status(self) -> Status | None:
        """Return the status to publish now: the last one at the end, unless that would only fail again."""
        is_due = time.monotonic() >= self._status_at or (self._closing_at is not None and not self._reason)
        status = self._status if is_due else None
        if status is not None or self._closing_at is not None:
            self._status = None
        return status

    def _show(self, status: Status, sink: Sink | None) -> Sink | None:
        """Publish a status; one that is postponed is tried again later, behind the notes that wait."""
        self._status_at = time.monotonic() + _STATUS_EVERY_S
        sink, failure = self._perform(sink, lambda sink: sink.show(status))
        if failure is None:
            self._reason, self._status_wait = "", 0.0
        else:
            self._reason = failure.reason
        if isinstance(failure, Postponed):
            wait = max(self._surroundings.first_wait_s, self._status_wait * 2, failure.wait_s)
            self._status_wait = min(_LONGEST_WAIT_S, wait)
            self._status_at = time.monotonic() + self._status_wait
            with self._changed:
                self._status = self._status or status
        self._report_state()
        return sink

    def _perform(
        self, sink: Sink | None, perform: Callable[[Sink], None]
    ) -> tuple[Sink | None, Postponed | Refused | None]:
        """Open the sink unless it is open, and use it; return it, and why that failed."""
        try:
            sink = sink or self.action.open(self.values, self._surroundings)
            perform(sink)
        except (Postponed, Refused) as failure:
            return sink, failure
        except Exception as error:
            # An error of an action must not end its thread, which would silently lose the queued notes.
            log.exception("carrying out '%s'", self.action.id)
            return sink, Refused(str(error) or type(error).__name__)
        return sink, None

    def _is_over(self) -> bool:
        return self._closing_at is not None and time.monotonic() >= self._closing_at

    def _deliver(self, note: Note, sink: Sink | None) -> Sink | None:
        """Carry the action out for a note, however often it takes; return the sink."""
        begun, wait = time.monotonic(), self._surroundings.first_wait_s
        while not self._is_over():
            sink, failure = self._perform(sink, lambda sink: sink.deliver(note))
            if not isinstance(failure, Postponed):
                self._done(note, lost=None if failure is None else failure.reason)
                break
            self._reason = failure.reason
            self._report_state()
            left = self._give_up_s - (time.monotonic() - begun)
            if left <= 0:
                self._done(note, lost=failure.reason)
                if sink is not None:
                    sink.give_up()
                break
            # Limited, as a server may request a wait of years.
            self._pause(min(max(wait, failure.wait_s), left))
            wait = min(_LONGEST_WAIT_S, wait * 2)
        return sink

    def _done(self, note: Note, lost: str | None = None) -> None:
        with self._changed:
            # Gone already where `join` did not wait for this.
            if self._notes and self._notes[0] is note:
                self._notes.popleft()
                if lost is not None:
                    self._lose(note, lost)
        if lost is None:
            self._reason = ""
        else:
            self._report_state()

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        with self._changed:
            while (left := until - time.monotonic()) > 0 and not self._is_over():
                closing = self._closing_at
                self._changed.wait(
                    left if closing is None else min(left, max(0.0, closing - time.monotonic()))
                )

    # -- what is not delivered -------------------------------------------------------------------------------

    def _lose(self, note: Note, reason: str) -> None:
        self.undelivered += 1
        if not self._reason:
            self._reason = reason
        if note.clip is not None:
            note.clip.forsake(reason)
        document = json.dumps(note.json(), ensure_ascii=False)
        log.warning("not delivered to %s (%s): %s", self.action.target(self.values), reason, document)

    def _lose_all(self, reason: str) -> None:
        while self._notes:
            self._lose(self._notes.popleft(), reason)

    def _report_state(self) -> None:
        """Report the state if it has changed."""
        state = (self._reason, self.undelivered)
        if state != self._reported_state:
            self._reported_state = state
            self._report(Trouble(self._about, self._text()))

    def _text(self) -> str:
        if not self._reason:
            return (
                plural(
                    self.undelivered,
                    "{title}: it works again; %n event was not delivered, the log has it.",
                    "{title}: it works again; %n events were not delivered, the log has them.",
                    title=self.action.title,
                )
                if self.undelivered
                else ""
            )
        told = {"title": self.action.title, "reason": self._reason}
        if self.undelivered:
            return plural(
                self.undelivered,
                "{title}: {reason}. %n event was not delivered; the log has it.",
                "{title}: {reason}. %n events were not delivered; the log has them.",
                **told,
            )
        return sentence("{title}: {reason}. Events wait, and it is tried again.", **told)


class Deliveries:
    """Performs the actions of events, shared if equal. `use`, `take` and `close` are for one thread, and do
    not block. `clip_buffer` gets the frames for clips, while it needs them.
    """

    def __init__(
        self,
        surroundings: Surroundings,
        report: Callable[[Trouble], None],
        *,
        wait: bool = False,
        clip_buffer: ClipBuffer | None = None,
    ) -> None:
        """Start; `report` is called on any thread. `wait` is for batch work: clips omit no frame."""
        self._surroundings, self._report = surroundings, report
        self.clip_buffer = clip_buffer or ClipBuffer(wait=wait)
        self._by_action: dict[_Key, Delivery] = {}
        # By name of their event; a delivery's key takes too long to be computed for each frame.
        self._actions: dict[str, tuple[tuple[_Key, ActionSpec], ...]] = {}
        # Actions that receive counts, and the events that have them.
        self._status_actions: dict[_Key, tuple[ActionSpec, tuple[EventSpec, ...]]] = {}
        # Those of events that are not wanted any more, and what those of them lost that have ended.
        self._ending: list[Delivery] = []
        self._lost_before = 0
        self._lost_unfit = 0
        self._unfit: set[_Key] = set()
        self._given: deque[Path] = deque(maxlen=MOST_WAITING)

    def use(self, events: Iterable[EventSpec]) -> None:
        """Carry out the actions of these from now on; what waits for others is still delivered."""
        enabled = {event.name: event for event in events if event.enabled}
        self._actions = {
            name: tuple((_key(spec), spec) for spec in event.actions) for name, event in enabled.items()
        }
        self._status_actions = {}
        for name, event in enabled.items():
            for key, spec in self._actions[name]:
                if _wants_status(spec):
                    first, others = self._status_actions.get(key, (spec, ()))
                    # Of the event's actions the one that the sink performs.
                    self._status_actions[key] = first, (*others, replace(event, actions=(spec,)))
        self._lost_before += sum(delivery.undelivered for delivery in self._ending if delivery.has_ended())
        self._ending = [delivery for delivery in self._ending if not delivery.has_ended()]
        wanted = {key: spec for actions in self._actions.values() for key, spec in actions}
        for key in self._by_action.keys() - wanted.keys():
            delivery = self._by_action.pop(key)
            delivery.close(GIVE_UP_S)
            self._ending.append(delivery)
        spans = (span for spec in wanted.values() if (span := _span(spec)) is not None)
        self.clip_buffer.use(max((before for before, _ in spans), default=None))

    def show_counts(self, counts: tuple[Counts, ...], source: str = "") -> None:
        """Pass a result's counts, of all zones and lines, to the actions that publish them."""
        for key, (spec, events) in self._status_actions.items():
            if (delivery := self._delivery(key, spec)) is not None:
                delivery.show(Status(source, counts, events))

    def take(
        self,
        occurrences: Sequence[Occurrence],
        source: str = "",
        export: Callable[[], _Picture | None] = lambda: None,
    ) -> tuple[LoggedEvent, ...]:
        """Queue the actions for a frame's occurrences; `export` begins to fetch it, called only if needed.
        Return the occurrences with the files that actions will write, or may fail to.
        """
        now = datetime.now(UTC)
        logged: list[LoggedEvent] = []
        for occurrence in occurrences:
            notes = [
                (delivery, self._note(delivery, key, spec, Note(occurrence, now, source), export))
                for key, spec in self._actions.get(occurrence.event, ())
                if (delivery := self._delivery(key, spec)) is not None
            ]
            # Each gets the files of the others.
            files: dict[str, Path] = {}
            for delivery, note in notes:
                if note.file is not None:
                    files.setdefault(delivery.action.id, note.file)
            for delivery, note in notes:
                delivery.put(replace(note, files=files))
            logged.append(LoggedEvent(occurrence, now, source, files.get("snapshot"), files.get("clip")))
        return tuple(logged)

    def _note(
        self,
        delivery: Delivery,
        key: _Key,
        spec: ActionSpec,
        note: Note,
        export: Callable[[], _Picture | None],
    ) -> Note:
        """A note with what one action needs."""
        # One frame a note: it can be waited for once. None for a note that finds no room.
        wants = delivery.action.wants_picture
        is_wanted = wants is not None and wants(delivery.action.checked(spec.values))
        picture = export() if is_wanted and delivery.can_queue_picture() else None
        if picture is not None:
            note = replace(note, picture=picture, file=self._file(delivery, note))
        if (span := _span(spec)) is not None:
            order = self.clip_buffer.order(key, note.occurrence.pts, *span)
            # A clip that is made longer has its name.
            order.file = order.file or self._file(delivery, note)
            note = replace(note, clip=order, file=order.file)
        return note

    def _file(self, delivery: Delivery, note: Note) -> Path | None:
        """Return the path for a note's file, without disk access; two at one moment differ."""
        name = delivery.action.names_file
        if name is None:
            return None
        try:
            path = numbered(name(delivery.values, note.occurrence, note.time), self._given.__contains__)
        except Refused:  # which the action says itself
            return None
        self._given.append(path)
        return path

    def _delivery(self, key: _Key, spec: ActionSpec) -> Delivery | None:
        if key not in self._by_action:
            action = event_actions().get(spec.kind)
            if action is None or (missing := action.missing(spec.values)):
                self._report_unfit(key, spec, "" if action is None else missing)
                self._lost_unfit += 1
                return None
            values = action.checked(spec.values)
            self._by_action[key] = Delivery(action, values, self._surroundings, self._report)
        return self._by_action[key]

    def _report_unfit(self, key: _Key, spec: ActionSpec, missing: str) -> None:
        if key in self._unfit:
            return
        self._unfit.add(key)
        text = (
            sentence(
                "An event's action '{kind}' is not done: its field '{field}' is empty.",
                kind=spec.kind,
                field=missing,
            )
            if missing
            else sentence("An event's action '{kind}' is not known and is not done.", kind=spec.kind)
        )
        self._report(Trouble(f"event {spec.kind}", text))

    @property
    def waiting(self) -> int:
        """Number of notes that wait."""
        return sum(delivery.waiting for delivery in (*tuple(self._by_action.values()), *self._ending))

    @property
    def undelivered(self) -> int:
        """Number of notes whose delivery was given up."""
        still = sum(delivery.undelivered for delivery in (*self._by_action.values(), *self._ending))
        return self._lost_before + self._lost_unfit + still

    def is_idle(self) -> bool:
        """Return whether the queue is empty."""
        return all(delivery.is_idle() for delivery in (*self._by_action.values(), *self._ending))

    def close(self, within_s: float = _CLOSING_S) -> int:
        """Deliver queued notes within this time and end; return how many were lost in total."""
        self.clip_buffer.end()
        every = [*self._by_action.values(), *self._ending]
        for delivery in every:
            delivery.close(within_s)
        ends = time.monotonic() + within_s + _ENDING_S
        for delivery in every:
            delivery.join(ends - time.monotonic())
        return self.undelivered


def _span(spec: ActionSpec) -> tuple[float, float] | None:
    """Return the seconds before and after an event of which an action needs frames; None if it needs none."""
    action = event_actions().get(spec.kind)
    if action is None or action.span is None:
        return None
    return action.span(action.checked(spec.values))


def _wants_status(spec: ActionSpec) -> bool:
    action = event_actions().get(spec.kind)
    return action is not None and action.wants_status and not action.missing(spec.values)


def _key(spec: ActionSpec) -> _Key:
    """Return what actions have in common that one delivery performs."""
    action, values = event_actions().get(spec.kind), spec.values
    # An action that is not known, or has invalid values, is reported when it is to be performed.
    with suppress(UsageError, Refused):
        if action is not None:
            # A value that is left out is the default.
            values = action.checked(values)
            if action.connection_key is not None:
                return spec.kind, action.connection_key(values)
    return spec.kind, tuple(sorted(values.items()))


def summary(undelivered: int) -> Text:
    """Return the sentence at the end of a command that could not deliver all."""
    return plural(
        undelivered,
        "%n event was not delivered; the log has it.",
        "%n events were not delivered; the log has them.",
    )
