"""Count requests and runs of each model; figures are published from a `snapshot`."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from desktop.base.errors import RefusalKind

_MAX_RECENT: Final = 4096


@dataclass(frozen=True)
class RunTimes:
    """Seconds that a run spent joining its inputs, computing, and dividing its outputs."""

    input_s: float = 0.0
    infer_s: float = 0.0
    output_s: float = 0.0

    def __add__(self, other: RunTimes) -> RunTimes:
        """Return the sums."""
        return RunTimes(
            self.input_s + other.input_s, self.infer_s + other.infer_s, self.output_s + other.output_s
        )


@dataclass(frozen=True)
class BatchFigures:
    """Runs of a number of rows, without padding, and the sums of their times."""

    runs: int = 0
    times: RunTimes = field(default_factory=RunTimes)


@dataclass(frozen=True)
class ModelFigures:
    """A model's figures since it was first loaded. Times in seconds.

    Attributes:
        rows: answered rows: a request with a batch of 4 counts as 4.
        runs: runs of the network, each for one or more requests.
        refused: refused requests by kind (`ServingError.kind`), and the sum of the time until then.
        batches: runs by number of rows.
        queue_s: sum over requests of the time in the queue.
        compute: sums over requests of the times of their runs.
        latency_s: sum over requests, from arrival in the queue to the result.
        last_at: time of the last result, in seconds since 1970; 0 if there was none.
        recent_s: the latencies of the last 4096 requests, in order.
    """

    requests: int = 0
    rows: int = 0
    runs: int = 0
    refused: Mapping[RefusalKind, int] = field(default_factory=dict)
    refused_s: float = 0.0
    batches: Mapping[int, BatchFigures] = field(default_factory=dict)
    waiting: int = 0
    queue_s: float = 0.0
    compute: RunTimes = field(default_factory=RunTimes)
    latency_s: float = 0.0
    last_at: float = 0.0
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
        self._queue_s = self._latency_s = self._refused_s = self._last_at = 0.0
        self._compute = RunTimes()
        self._refused: Counter[RefusalKind] = Counter()
        self._batches: dict[int, BatchFigures] = {}
        self._recent: deque[float] = deque(maxlen=_MAX_RECENT)

    def note_waiting(self, count: int) -> None:
        """Set the number of queued requests."""
        self._waiting = count

    def note_refusal(self, kind: RefusalKind, seconds: float = 0.0) -> None:
        """Count a request without a result, after `seconds`."""
        with self._lock:
            self._refused[kind] += 1
            self._refused_s += seconds

    def note_run(self, rows: int, times: RunTimes) -> None:
        """Count a run of the network."""
        with self._lock:
            self._runs += 1
            before = self._batches.get(rows, BatchFigures())
            self._batches[rows] = BatchFigures(before.runs + 1, before.times + times)

    def note_response(self, rows: int, waited: float, latency: float, times: RunTimes) -> None:
        """Count a request with its result; `times` are those of its run."""
        with self._lock:
            self._requests += 1
            self._rows += rows
            self._queue_s += waited
            self._latency_s += latency
            self._compute += times
            self._last_at = time.time()
            self._recent.append(latency)

    def snapshot(self) -> ModelFigures:
        """Return the current figures."""
        with self._lock:
            return ModelFigures(
                requests=self._requests,
                rows=self._rows,
                runs=self._runs,
                refused=dict(self._refused),
                refused_s=self._refused_s,
                batches=dict(self._batches),
                waiting=self._waiting,
                queue_s=self._queue_s,
                compute=self._compute,
                latency_s=self._latency_s,
                last_at=self._last_at,
                recent_s=tuple(self._recent),
            )
