"""A sentence shown to the user for each event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desktop.base.fields import Value
from desktop.base.wording import sentence
from desktop.outputs.events.action import EventAction, Note, Sink, Surroundings


class _Notifications(Sink):
    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings

    def deliver(self, note: Note) -> None:
        self._surroundings.notify(note.occurrence.text())


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Notifications:
    return _Notifications(surroundings)


ACTION: Final = EventAction(
    id="notification",
    title=sentence("Show a notification"),
    order=40,
    fields=(),
    open=_open,
    target=lambda values: "",
)
