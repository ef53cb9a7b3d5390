"""Figures of the service: metrics of each source for Prometheus, and the document of /healthz."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from desktop.metrics.engine_reader import INFO, EngineReader
from desktop.metrics.family import Family, Reader, Reading
from desktop.metrics.queue_reader import QueueReader
from desktop.watch.process import SourceProcess, SourceStatus
from desktop.watch.supervisor import GOOD

_SOURCE: Final = ("source",)
UP: Final = Family("lightloom_watch_up", "gauge", "1 while a source delivers frames, else 0", _SOURCE)
RECEIVED: Final = Family(
    "lightloom_watch_frames_received_total", "counter", "Frames decoded or received", _SOURCE
)
DROPPED: Final = Family(
    "lightloom_watch_frames_dropped_total", "counter", "Frames that arrived too fast", _SOURCE
)
DAMAGED: Final = Family(
    "lightloom_watch_frames_damaged_total", "counter", "Frames that could not be decoded", _SOURCE
)
RECORDED: Final = Family(
    "lightloom_watch_frames_recorded_total", "counter", "Frames in complete segments", _SOURCE
)
RECOVERED: Final = Family(
    "lightloom_watch_frames_recovered_total",
    "counter",
    "Frames in segments that an earlier run or a failure had left unfinished",
    _SOURCE,
)
UNRECORDED: Final = Family(
    "lightloom_watch_frames_unrecorded_total", "counter", "Frames that could not be written", _SOURCE
)
LOST: Final = Family(
    "lightloom_watch_frames_lost",
    "gauge",
    "Frames of killed processes that are in no segment; fewer once the segment is completed",
    _SOURCE,
)
BREAKS: Final = Family("lightloom_watch_breaks_total", "counter", "How often the source broke off", _SOURCE)
RESTARTS: Final = Family(
    "lightloom_watch_restarts_total", "counter", "How often the source's process was started again", _SOURCE
)
UNDELIVERED: Final = Family(
    "lightloom_watch_events_undelivered_total",
    "counter",
    "Events whose delivery was given up, or that waited when their process was killed",
    _SOURCE,
)
AGE: Final = Family(
    "lightloom_watch_last_frame_age_seconds", "gauge", "Seconds since the last frame", _SOURCE
)
_OWN: Final = (
    UP,
    RECEIVED,
    DROPPED,
    DAMAGED,
    RECORDED,
    RECOVERED,
    UNRECORDED,
    LOST,
    BREAKS,
    RESTARTS,
    UNDELIVERED,
    AGE,
)
# The supervisor has no adapter, and those of the processes would be added up.
FORWARDED: Final = tuple(f for f in (*EngineReader.families, *QueueReader.families) if f is not INFO)
_SILENT_S: Final = 30.0


class WatchReader(Reader):
    """Reads the state of all sources, and what their processes report: there the label `lane` is the source's name."""

    families = (*_OWN, *FORWARDED)

    def __init__(self, processes: Callable[[], Sequence[SourceProcess]]) -> None:
        """`processes` returns the current ones, on any thread."""
        self._processes = processes

    def read(self) -> Iterator[Reading]:
        """See `Reader`."""
        for process in self._processes():
            yield from _readings(process.status)
            for reading in process.message.readings or ():
                yield _named(reading, process.spec.name)


def _named(reading: Reading, name: str) -> Reading:
    names = reading.family.labels
    return replace(
        reading,
        labels=tuple(
            name if label == "lane" else value for label, value in zip(names, reading.labels, strict=True)
        ),
    )


def _readings(status: SourceStatus) -> Iterator[Reading]:
    counts = status.counts
    values: tuple[tuple[Family, float], ...] = (
        (UP, status.state in GOOD),
        (RECEIVED, counts.received),
        (DROPPED, counts.dropped),
        (DAMAGED, counts.damaged),
        (RECORDED, counts.recorded),
        (RECOVERED, counts.recovered),
        (UNRECORDED, counts.unrecorded),
        (LOST, status.lost),
        (BREAKS, counts.breaks),
        (RESTARTS, status.restarts),
        (UNDELIVERED, counts.undelivered),
    )
    for family, value in values:
        yield Reading(family, value, (status.name,))
    if status.age_s is not None:
        yield Reading(AGE, status.age_s, (status.name,))


def health(statuses: Sequence[SourceStatus], silent_s: float) -> tuple[bool, bytes]:
    """Return whether the service works, and the document of /healthz, JSON.

    It works while its main loop runs and a source is live, or has not begun yet.
    """
    live = sum(status.state in GOOD for status in statuses)
    starting = any(status.state == "starting" for status in statuses)
    works = silent_s < _SILENT_S and (live > 0 or starting)
    state = "ok" if works and live == len(statuses) else "degraded" if works else "failed"
    document = {"status": state, "sources": [source_document(status) for status in statuses]}
    return works, json.dumps(document, indent=1).encode() + b"\n"


def source_document(status: SourceStatus) -> dict[str, Any]:
    """Return the state of a source as a JSON value."""
    counts = asdict(status.counts)
    age = None if status.age_s is None else round(status.age_s, 3)
    return {
        "name": status.name,
        "state": status.state,
        "error": status.error,
        "last_frame_age_s": age,
        "restarts": status.restarts,
        "frames": {
            name: counts[name]
            for name in ("received", "dropped", "damaged", "recorded", "recovered", "unrecorded")
        }
        | {"lost": status.lost},
        "breaks": counts["breaks"],
        "undelivered": counts["undelivered"],
    }
