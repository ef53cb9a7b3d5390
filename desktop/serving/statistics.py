"""Count requests and runs of each model; figures are published from a `snapshot`."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from desktop.base.errors import RefusalKind

_MAX_RECENT: Final = 4096


@dataclass(frozen=True)
class ModelFigures:
    """A model's figures since it was first loaded. Times in seconds.

    Attributes:
        rows: answered rows: a request with a batch of 4 counts as 4.
        runs: runs of the network, each for one or more requests.
        refused: refused requests by kind (`ServingError.kind`).
        batches: number of runs by number of rows, without padding.
        queue_s, compute_s: sums of the time that requests were queued, and of the time of runs.
        latency_s: sum over requests, from arrival in the queue to the result.
        recent_s: the latencies of the last 4096 requests, in order.
    """

    requests: int = 0
    rows: int = 0
    runs: int = 0
    refused: Mapping[RefusalKind, int] = field(default_factory=dict)
    batches: Mapping[int, int] = field(default_factory=dict)
    waiting: int = 0
    queue_s: float = 0.0
    compute_s: float = 0.0
    latency_s: float = 0.0
    recent_s: tuple[float, ...] = ()

    def quantile(self, share: float) -> float:
        """Return the quantile `share` (0..1) of the recent latencies, in seconds; 0 if there are none."""
        ordered = sorted(self.recent_s)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class ModelStatistics:
    """Thread-safe counters."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests = self._rows = self._runs = self._waiting = 0
        self._queue_s = self._compute_s = self._latency_s = 0.0
        self._refused: Counter[RefusalKind] = Counter()
        self._batches: Counter[int] = Counter()
        self._recent: deque[float] = deque(maxlen=_MAX_RECENT)

    def note_waiting(self, count: int) -> None:
        """Set the number of queued requests."""
        self._waiting = count

    def note_refusal(self, kind: RefusalKind) -> None:
        """Count a request without a result."""
        with self._lock:
            self._refused[kind] += 1

    def note_run(self, rows: int, seconds: float) -> None:
        """Count a run of the network."""
        with self._lock:
            self._runs += 1
            self._batches[rows] += 1
            self._compute_s += seconds

    def note_response(self, rows: int, waited: float, latency: float) -> None:
        """Count a request with its result."""
        with self._lock:
            self._requests += 1
            self._rows += rows
            self._queue_s += waited
            self._latency_s += latency
            self._recent.append(latency)

    def snapshot(self) -> ModelFigures:
        """Return the current figures."""
        with self._lock:
            return ModelFigures(
                requests=self._requests,
                rows=self._rows,
                runs=self._runs,
                refused=dict(self._refused),
                batches=dict(self._batches),
                waiting=self._waiting,
                queue_s=self._queue_s,
                compute_s=self._compute_s,
                latency_s=self._latency_s,
                recent_s=tuple(self._recent),
            )
