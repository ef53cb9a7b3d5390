"""Lengths and sizes as users write them ('10m', '500MB'), when a segment ends, and which segments are kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

from desktop.base.errors import UsageError
from desktop.base.wording import sentence

_SECONDS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES: Final = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_PART: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)([smhd])")
_SIZE: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?) ?([KMGT]B)", re.IGNORECASE)
_SHORTEST_S, _LONGEST_S = 1.0, 10 * 365 * 86400.0
_AHEAD: Final = timedelta(hours=1)
"""A segment may end that much later than now: its length is not measured by the clock."""
_SMALLEST, _LARGEST = 10**5, 10**15


def parse_duration(text: str) -> float:
    """Return the seconds of '90s', '10m', '1h30m', '7d'; raise UsageError if it is none, or not 1 s to 10 years."""
    parts = _PART.findall(text)
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in parts)
    if "".join(map("".join, parts)) != text or not _SHORTEST_S <= seconds <= _LONGEST_S:
        raise UsageError(
            sentence(
                "'{text}' is no length of time; write one such as 90s, 10m, 1h30m or 7d.", text=text[:40]
            )
        )
    return seconds


def parse_size(text: str) -> int:
    """Return the bytes of '500MB', '50GB' (powers of 1000); raise UsageError if it is none, or not 100 KB to 1 PB."""
    found = _SIZE.fullmatch(text)
    size = round(float(found[1]) * _BYTES[found[2].upper()]) if found is not None else 0
    if not _SMALLEST <= size <= _LARGEST:
        raise UsageError(sentence("'{text}' is no size; write one such as 500MB or 50GB.", text=text[:40]))
    return size


@dataclass(frozen=True)
class SegmentLimit:
    """When a segment ends: after `seconds`, or at `size` bytes; 0 for no such limit."""

    seconds: float = 0.0
    size: int = 0

    @classmethod
    def parse(cls, text: str) -> SegmentLimit:
        """Return the limit of '10m' or '500MB'; raise UsageError if it is neither."""
        if text.lower().endswith("b"):
            return cls(size=parse_size(text))
        try:
            return cls(seconds=parse_duration(text))
        except UsageError as error:
            raise UsageError(
                sentence(
                    "'{text}' is no length of a segment; write a time such as 10m, or a size such as 500MB.",
                    text=text[:40],
                )
            ) from error


class Stored(Protocol):
    """A complete segment on the disk."""

    @property
    def end(self) -> datetime:
        """When its last frame was recorded."""

    @property
    def size(self) -> int:
        """Its bytes."""


_Segment = TypeVar("_Segment", bound=Stored)


@dataclass(frozen=True)
class Retention:
    """Which complete segments of a recording stay: of the last `seconds`, up to `size` bytes; 0 for all."""

    seconds: float = 0.0
    size: int = 0

    def expired(self, segments: Iterable[_Segment], now: datetime) -> tuple[_Segment, ...]:
        """Return the segments to delete, oldest first; the newest one always stays.

        `segments` are in the order in which they were recorded: times of a clock that was wrong for a while would
        make new segments the oldest, which are deleted first.
        """
        ordered = tuple(segments)
        ends = _plausible_ends(ordered, now)[:-1]  # without that of the newest segment
        expired = {
            number
            for number, end in enumerate(ends)
            if self.seconds and (now - end).total_seconds() > self.seconds
        }
        total = sum(segment.size for number, segment in enumerate(ordered) if number not in expired)
        for number, segment in enumerate(ordered[:-1]):
            if self.size and total > self.size and number not in expired:
                expired.add(number)
                total -= segment.size
        return tuple(ordered[number] for number in sorted(expired))


def _plausible_ends(segments: Sequence[Stored], now: datetime) -> list[datetime]:
    """Return when each segment ended: not before the one that was recorded before it, and not in the future. The
    first ones of a clock that was ahead ended when the next plausible one did, or else now.
    """
    limit = now + _AHEAD
    latest = next((segment.end for segment in segments if segment.end <= limit), now)
    ends = []
    for segment in segments:
        if segment.end <= limit:
            latest = max(latest, segment.end)
        ends.append(latest)
    return ends
