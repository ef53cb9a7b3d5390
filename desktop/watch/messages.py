"""Messages from the process of a source to the supervisor: a line of JSON for each frame and change of state.

A pipe keeps what a killed process had written, so that the supervisor knows the frames of its last moment.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from desktop.metrics.family import Family, Reading
from desktop.pipeline.totals import BOUNDS, Histogram

LONGEST_LINE: Final = 1 << 20
_MOST_READINGS: Final = 5000


@dataclass(frozen=True)
class Counts:
    """Counters of a source since its process began.

    Attributes:
        received: frames that were decoded or received: dropped ones and those that were processed.
        dropped: frames that arrived while the one before was still being processed.
        damaged: frames that could not be decoded.
        recorded: frames in complete segments; in the message of a process, `recovered` of them are from segments
            that were left unfinished.
        unrecorded: frames that could not be written.
        breaks: how often the source broke off.
        undelivered: events whose delivery was given up, or that waited when the process was killed.
    """

    received: int = 0
    dropped: int = 0
    damaged: int = 0
    recorded: int = 0
    recovered: int = 0
    unrecorded: int = 0
    breaks: int = 0
    undelivered: int = 0

    @property
    def processed(self) -> int:
        """Frames that were not dropped."""
        return self.received - self.dropped

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Counts)))


def added_up(before: Counts, lost: int, counts: Counts) -> tuple[Counts, int]:
    """Return the counts of all processes of a source and its lost frames, with the counts of one more process.

    What that recovered was lost until then, except frames that were never counted as lost: those stay `recovered`,
    and are not in `recorded`.
    """
    found = min(counts.recovered, lost)
    others = counts.recovered - found
    return before + replace(counts, recorded=counts.recorded - others, recovered=others), lost - found


@dataclass(frozen=True)
class Message:
    """A report. `state`: 'starting', 'stopped', or that of the source; `error`: a sentence about it.
    `readings` are metrics; None for those of before. `waiting` events are still to be delivered.
    """

    counts: Counts
    state: str
    error: str = ""
    readings: tuple[Reading, ...] | None = None
    waiting: int = 0

    def line(self) -> bytes:
        """Return it as a line of JSON."""
        value: dict[str, Any] = {
            "counts": asdict(self.counts),
            "state": self.state,
            "error": self.error,
            "waiting": self.waiting,
        }
        if self.readings is not None:
            value["readings"] = [[r.family.name, list(r.labels), _number(r.value)] for r in self.readings]
        return json.dumps(value).encode() + b"\n"


def read_message(line: bytes, families: Iterable[Family]) -> Message | None:
    """Return the message of a line, None for a line that is none (a library's output)."""
    by_name = {family.name: family for family in families}
    try:
        value = json.loads(line)
        counts = Counts(**{name: int(number) for name, number in value["counts"].items()})
        readings = None
        if "readings" in value:
            readings = tuple(
                Reading(by_name[name], _value(number), tuple(map(str, labels)))
                for name, labels, number in value["readings"][:_MOST_READINGS]
                if name in by_name
            )
        waiting = int(value["waiting"])
        return Message(counts, str(value["state"]), str(value["error"]), readings, waiting)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _number(value: float | Histogram) -> Any:
    return [value.counts, value.total] if isinstance(value, Histogram) else float(value)


def _value(number: Any) -> float | Histogram:
    if not isinstance(number, list):
        return float(number)
    counts, total = number
    found = Histogram()
    if len(counts) != len(BOUNDS) + 1:
        raise ValueError
    found.counts, found.total = [int(count) for count in counts], float(total)
    return found
