"""Metric families and readers, as plain values without a library."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from desktop.pipeline.totals import Histogram


@dataclass(frozen=True)
class Family:
    """A metric, following Prometheus's conventions (https://prometheus.io/docs/practices/naming/).

    Attributes:
        name: with its base unit, and `_total` for a counter.
        kind: a counter only grows until the program ends or its object restarts. An untyped one has a name
            that others prescribe: a counter without `_total`.
        labels: names of its labels. Each set of values is a permanent time series, so readers bound them.
    """

    name: str
    kind: Literal["counter", "gauge", "histogram", "untyped"]
    help: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """A current value. `labels` are the values of the family's labels; equal readings are summed."""

    family: Family
    value: float | Histogram
    labels: tuple[str, ...] = ()


class Reader(Protocol):
    """A provider of metrics."""

    @property
    def families(self) -> tuple[Family, ...]:
        """All families that `read` may return; they are listed even without values."""

    def read(self) -> Iterable[Reading]:
        """Return the current values. Called on serving threads, one at a time; never waits for a frame."""


def added(readings: Iterable[Reading]) -> dict[Family, dict[tuple[str, ...], float | Histogram]]:
    """Return the readings by family and labels, with those of equal labels added up."""
    found: dict[Family, dict[tuple[str, ...], float | Histogram]] = {}
    for reading in readings:
        rows = found.setdefault(reading.family, {})
        before = rows.get(reading.labels)
        rows[reading.labels] = reading.value if before is None else _sum(before, reading.value)
    return found


def _sum(one: float | Histogram, other: float | Histogram) -> float | Histogram:
    if isinstance(one, Histogram) or isinstance(other, Histogram):
        assert isinstance(one, Histogram) and isinstance(other, Histogram)
        both = Histogram()
        both.counts = [a + b for a, b in zip(one.counts, other.counts, strict=True)]
        both.total = one.total + other.total
        return both
    return one + other
