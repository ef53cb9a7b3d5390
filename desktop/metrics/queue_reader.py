"""Metrics of output queues: recordings, live outputs, events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from desktop.metrics.family import Family, Reader, Reading

WAITING: Final = Family("lightloom_queue_length", "gauge", "Frames or events in an output queue", ("queue",))
LOST: Final = Family(
    "lightloom_queue_dropped_total", "counter", "Frames dropped, or events not delivered", ("queue",)
)


@dataclass(frozen=True)
class QueueState:
    """State of a queue, such as 'recording'; `dropped` counts its dropped items so far."""

    name: str
    waiting: int
    dropped: int


class QueueReader(Reader):
    """Reads the state of queues; `queues` returns the current ones, on any thread."""

    families = (WAITING, LOST)

    def __init__(self, queues: Callable[[], Iterable[QueueState]]) -> None:
        self._queues = queues

    def read(self) -> Iterator[Reading]:
        for queue in self._queues():
            yield Reading(WAITING, queue.waiting, (queue.name,))
            yield Reading(LOST, queue.dropped, (queue.name,))
