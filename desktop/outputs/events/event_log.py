"""Past events: their values, a filter, and a reader of those written as JSON lines (`jsonl.py`)."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from desktop.base.errors import LightloomError, SourceError
from desktop.base.files import open_regular, reason
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.outputs.events._names import safe_stem
from desktop.outputs.still import small_jpeg
from desktop.vision.tracking.events import WHENS, Occurrence

MOST_EVENTS: Final = 500
"""Maximum number of events that `read_events` returns."""
_TAIL_BYTES: Final = 4 << 20
_LONGEST_LINE: Final = 1 << 16
_LONGEST_TEXT: Final = 200
_LONGEST_PATH: Final = 4096
_YEARS: Final = range(1900, 9999)
"""Others cannot be converted to each time zone."""


@dataclass(frozen=True)
class LoggedEvent:
    """An occurrence, when it was detected, the title of its source, and the files written for it."""

    occurrence: Occurrence
    time: datetime
    source: str = ""
    snapshot: Path | None = None
    clip: Path | None = None


@dataclass(frozen=True)
class EventFilter:
    """Class, zone ('' for all) and begin (None for any) of the events that are shown."""

    label: str = ""
    zone: str = ""
    since: datetime | None = None

    def accepts(self, event: LoggedEvent) -> bool:
        """Return whether an event passes."""
        occurrence = event.occurrence
        return (
            self.label in ("", occurrence.label)
            and self.zone in ("", occurrence.zone)
            and (self.since is None or event.time >= self.since)
        )


def clip_stem(event: LoggedEvent) -> str:
    """Return the beginning of the name of an event's clip."""
    return safe_stem(f"{event.occurrence.event} {event.occurrence.zone}")


def snapshot_thumbnail(path: Path, longest: int, most_bytes: int) -> bytes:
    """Return a PNG file as JPEG of at most `longest` pixels a side; b'' if it cannot be read."""
    # Imports decoders, which the first event does not need.
    from desktop.media.thumbnails import thumbnail

    if path.suffix.lower() != ".png":
        return b""
    try:
        small = thumbnail(path, (longest, longest))
    except LightloomError:
        return b""
    if small is None:
        return b""
    opaque = np.full((*small.pixels.shape[:2], 1), 255, np.uint8)
    return small_jpeg(np.concatenate((small.pixels, opaque), axis=2), longest, most_bytes)


def read_events(path: Path) -> tuple[LoggedEvent, ...]:
    """Return the last events of a file of JSON lines, newest first, at most `MOST_EVENTS` of its last 4 MiB.

    Lines that are no events are left out. Raises SourceError for a file that cannot be read or has none.
    """
    try:
        with open_regular(path) as file:
            begin = max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES)
            file.seek(begin)
            lines = file.read(_TAIL_BYTES).split(b"\n")
    except (OSError, ValueError) as error:
        raise SourceError(
            sentence(
                "The events {path} cannot be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    found: list[LoggedEvent] = []
    # The first line may be the end of a longer one.
    for line in reversed(lines[1:] if begin else lines):
        event = _event_of(line) if len(line) <= _LONGEST_LINE else None
        if event is not None:
            found.append(event)
        if len(found) == MOST_EVENTS:
            break
    if not found:
        raise SourceError(
            sentence(
                "{name} has no events; choose a file that the action 'Write a line of JSON' has written.",
                name=path.name,
            )
        )
    return tuple(found)


def _event_of(line: bytes) -> LoggedEvent | None:
    try:
        document = json.loads(line)
        if not isinstance(document, dict):
            return None
        time = datetime.fromisoformat(str(document["time"])[:_LONGEST_TEXT])
        if time.year not in _YEARS:
            return None
        return LoggedEvent(
            _occurrence_of(document),
            time if time.tzinfo is not None else time.replace(tzinfo=UTC),
            _text(document, "source"),
            _path(document, "snapshot"),
            _path(document, "clip"),
        )
    except (KeyError, ValueError, RecursionError):
        return None


def _occurrence_of(document: Mapping[str, Any]) -> Occurrence:
    when = next((each for each in WHENS if each == document["when"]), None)
    pts = _number(document, "pts")
    if when is None or pts is None:
        raise ValueError
    identity, count = _number(document, "identity"), _number(document, "count")
    direction = document.get("direction")
    return Occurrence(
        _text(document, "event"),
        _text(document, "zone"),
        when,
        pts,
        _text(document, "class"),
        None if identity is None else int(identity),
        direction="forward" if direction == "forward" else "backward" if direction == "backward" else "",
        seconds=_number(document, "seconds") or 0.0,
        count=None if count is None else int(count),
    )


def _text(document: Mapping[str, Any], key: str) -> str:
    value = document.get(key)
    return printable(value[:_LONGEST_TEXT]) if isinstance(value, str) else ""


def _path(document: Mapping[str, Any], key: str) -> Path | None:
    value = document.get(key)
    is_path = isinstance(value, str) and 0 < len(value) <= _LONGEST_PATH and "\0" not in value
    return Path(value) if isinstance(value, str) and is_path else None


def _number(document: Mapping[str, Any], key: str) -> float | None:
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # an integer of hundreds of digits
        return None
    return number if math.isfinite(number) else None
