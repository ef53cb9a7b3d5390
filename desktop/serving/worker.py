"""Queue a network's requests and run it on a thread; equal shapes are batched in order of arrival."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np

from desktop.base.errors import LightloomError, ServingError
from desktop.serving.statistics import ModelStatistics, RunTimes
from desktop.serving.tensors import Arrays

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Waiting:
    """A queued request.

    Attributes:
        rows: its batch size.
        key: requests with equal keys may be batched; None for one computed alone.
        until, arrived: its deadline and arrival (`time.monotonic`).
        result: receives the outputs, or a LightloomError.
    """

    feeds: Arrays
    rows: int
    key: object
    until: float
    arrived: float = field(default_factory=time.monotonic)
    result: Future[Arrays] = field(default_factory=Future)


class RequestQueue:
    """Bounded first-in, first-out queue; `take` returns requests that can be batched."""

    def __init__(self, limit: int, delay_s: float, max_rows: int, statistics: ModelStatistics) -> None:
        self._limit = limit
        self._delay_s = delay_s
        self._max_rows = max_rows
        self._statistics = statistics
        self._items: deque[Waiting] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, waiting: Waiting) -> None:
        """Queue a request. Raises ServingError if the queue is full or closed."""
        with self._changed:
            if self._closed:
                raise ServingError("unavailable", "The model is being unloaded; load it again.")
            if len(self._items) >= self._limit:
                raise ServingError("full", f"{self._limit} requests wait for this model; try again later.")
            self._items.append(waiting)
            self._statistics.note_waiting(len(self._items))
            # All: a thread that waits for more of its batch may have no use for this request.
            self._changed.notify_all()

    def take(self) -> list[Waiting] | None:
        """Wait for a request, and up to the batching delay for others; None once closed and empty."""
        with self._changed:
            while not self._items:
                if self._closed:
                    return None
                self._changed.wait()
            batch = [self._items.popleft()]
            self._fill(batch)
            self._statistics.note_waiting(len(self._items))
            return batch

    def _fill(self, batch: list[Waiting]) -> None:
        first = batch[0]
        rows = first.rows
        until = first.arrived + self._delay_s
        while first.key is not None and rows < self._max_rows:
            rows = self._join(batch, rows)
            left = until - time.monotonic()
            if rows >= self._max_rows or left <= 0 or self._closed:
                return
            self._changed.wait(left)

    def _join(self, batch: list[Waiting], rows: int) -> int:
        """Remove fitting requests from the queue; others keep their order."""
        left: deque[Waiting] = deque()
        for each in self._items:
            if each.key == batch[0].key and rows + each.rows <= self._max_rows:
                batch.append(each)
                rows += each.rows
            else:
                left.append(each)
        self._items = left
        return rows

    def close(self) -> None:
        """Accept no more requests; queued ones are still returned by `take`."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Worker:
    """Computes the requests of `queue` on the thread that calls `work`."""

    def __init__(
        self, queue: RequestQueue, run: Callable[[Arrays], Arrays], statistics: ModelStatistics
    ) -> None:
        self._queue = queue
        self._run = run
        self._statistics = statistics

    def work(self) -> None:
        """Compute until the queue is closed and empty."""
        while (batch := self._queue.take()) is not None:
            wanted = [each for each in batch if self._is_pending(each)]
            if wanted:
                self._compute(wanted)
            del batch, wanted  # or the last requests would stay in memory until the next ones come

    def _is_pending(self, waiting: Waiting) -> bool:
        if not waiting.result.set_running_or_notify_cancel():
            return False
        if time.monotonic() < waiting.until:
            return True
        waiting.result.set_exception(
            ServingError("late", "The request's time was over before its turn came; try again later.")
        )
        return False

    def _compute(self, batch: list[Waiting]) -> None:
        begun = time.monotonic()
        try:
            feeds = _joined(batch)
            joined = time.monotonic()
            outputs = self._run(feeds)
            computed = time.monotonic()
            parts = _parts(outputs, batch)
        except Exception as error:
            failure = error if isinstance(error, LightloomError) else _fault(error)
            for each in batch:
                each.result.set_exception(failure)
            return
        ended = time.monotonic()
        times = RunTimes(joined - begun, computed - joined, ended - computed)
        self._statistics.note_run(sum(each.rows for each in batch), times)
        for each, part in zip(batch, parts, strict=True):
            self._statistics.note_response(each.rows, begun - each.arrived, ended - each.arrived, times)
            each.result.set_result(part)


def _fault(error: Exception) -> LightloomError:
    """Convert a bug or unexplained backend failure; the traceback is logged, not sent to the client."""
    log.exception("a network failed", exc_info=error)
    return ServingError("failed", f"The network failed ({type(error).__name__}); the server's log has more.")


def _joined(batch: list[Waiting]) -> Arrays:
    if len(batch) == 1:
        return batch[0].feeds
    return {name: np.concatenate([each.feeds[name] for each in batch]) for name in batch[0].feeds}


def _parts(outputs: Arrays, batch: list[Waiting]) -> list[Arrays]:
    if len(batch) == 1:
        return [outputs]
    parts, start = [], 0
    for each in batch:
        parts.append({name: array[start : start + each.rows] for name, array in outputs.items()})
        start += each.rows
    return parts
