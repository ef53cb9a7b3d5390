"""A version of a network under a name: loaded and unloaded while the server runs, with its queue and threads."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from typing import Final

from desktop.base.errors import ServingError
from desktop.base.memory import give_back
from desktop.serving.session_pool import Loading, MakePools, ModelDescription, Pool, own_pool
from desktop.serving.statistics import ModelStatistics
from desktop.serving.tensors import Arrays
from desktop.serving.worker import RequestQueue, Waiting, Worker

log = logging.getLogger(__name__)

PLATFORM = "lightloom"
FIRST_VERSION: Final = "1"
"""The version of a model that is not in a repository."""
_MOMENT_S: Final = 5.0


@dataclass(frozen=True)
class Batching:
    """Batching of requests: after up to `delay_s` seconds; `warm` loads all batch sizes at once."""

    delay_s: float = 0.001
    warm: bool = False


@dataclass(frozen=True)
class ModelLimits:
    """Limits on the requests for one model.

    Attributes:
        queue: requests that wait for their turn.
        concurrency: requests that are read, wait or are computed; 0 for any number.
        answer_s: seconds that a request may take; None for those of the server.
    """

    queue: int = 128
    concurrency: int = 0
    answer_s: float | None = None


@dataclass(frozen=True)
class ModelOptions:
    """How a model is loaded, batched and limited. `pools`: makes what computes it."""

    loading: Loading
    batching: Batching = field(default_factory=Batching)
    limits: ModelLimits = field(default_factory=ModelLimits)
    pools: MakePools = own_pool


class ServedModel:
    """A served network. Use `load`, `unload` and `retire` on one thread; the rest is thread-safe.

    `was_unloaded`, set by the service: True if a client unloaded it and has not loaded it since.
    """

    def __init__(
        self,
        name: str,
        model: str,
        options: ModelOptions,
        version: str = FIRST_VERSION,
        statistics: ModelStatistics | None = None,
    ) -> None:
        """`model`: the name of a bundled network, or a path. `statistics`: of the model that it replaces."""
        self.name = name
        self.version = version
        self.statistics = statistics or ModelStatistics()
        self._model = model
        self._options = options
        self._description: ModelDescription | None = None
        self._queue: RequestQueue | None = None
        self._threads: tuple[threading.Thread, ...] = ()
        self._lives: Sequence[_Life] = ()
        self.was_unloaded = False
        self._users = 0
        self._unused = threading.Condition()

    @property
    def is_ready(self) -> bool:
        """Whether it is loaded."""
        return self._queue is not None

    @property
    def description(self) -> ModelDescription:
        """Description of the network. Raises ServingError if it was never loaded."""
        if self._description is None:
            raise ServingError("unavailable", f"The model '{self.name}' is not loaded.")
        return self._description

    @property
    def limits(self) -> ModelLimits:
        """Limits on its requests."""
        return self._options.limits

    @property
    def delay_s(self) -> float:
        """Seconds that a request may wait for others."""
        return self._options.batching.delay_s

    @property
    def largest(self) -> tuple[int, int] | None:
        """Bytes and elements of the largest request; None if sizes other than the batch are dynamic."""
        known = self.description
        rows = max(1, known.max_batch)
        shapes = [(s.shape[1:] if known.max_batch else s.shape, s.itemsize) for s in known.inputs]
        if any(-1 in shape for shape, _ in shapes):
            return None
        elements = [math.prod(shape) * rows for shape, _ in shapes]
        return sum(n * size for n, (_, size) in zip(elements, shapes, strict=True)), sum(elements)

    def load(self, on_wait: Callable[[], None] = lambda: None) -> None:
        """Load the network and wait for it; `on_wait` is called if that is slow. Raises LightloomError."""
        if self.is_ready:
            return
        begin: Future[RequestQueue | None] = Future()
        lives = [
            _Life(pool, self._options, begin, self.statistics)
            for pool in self._options.pools(self._model, self._options.loading)
        ]
        threads = tuple(
            threading.Thread(target=each.run, name=f"model {self.name}", daemon=True) for each in lives
        )
        for thread in threads:
            thread.start()
        opened = [each.opened for each in lives]
        if wait(opened, _MOMENT_S).not_done:
            on_wait()
        try:
            known = _common([each.result() for each in opened])
        except BaseException:
            begin.set_result(None)
            raise
        self._description = known
        # Here and not in each pool, of which there is one for each GPU.
        for note in known.notes:
            log.warning("%s", note)
        queue = RequestQueue(
            self.limits.queue, self._options.batching.delay_s, known.max_batch, self.statistics
        )
        self._queue, self._threads, self._lives = queue, threads, lives
        begin.set_result(queue)

    def begin_unload(self, *, gives_back: bool = True) -> None:
        """Take no more requests, and let its threads end once the pending ones are answered.

        With `gives_back` each of them then gives freed memory back to the system, which takes 40 ms and more.
        """
        for each in self._lives:
            each.gives_back = gives_back
        queue, self._queue = self._queue, None
        if queue is not None:
            queue.close()

    def unload(self, timeout: float | None = None) -> bool:
        """Answer pending requests and release everything; return False after `timeout` seconds."""
        if self._queue is not None:
            self.begin_unload()
        until = None if timeout is None else time.monotonic() + timeout
        for thread in self._threads:
            thread.join(None if until is None else max(0.0, until - time.monotonic()))
        self._threads = tuple(thread for thread in self._threads if thread.is_alive())
        return not self._threads

    def retire(self, timeout: float) -> bool:
        """Unload once the requests that began to use it are answered, or after `timeout` seconds.

        Return True if none was cut short. For a model that no further request can find.
        """
        with self._unused:
            is_unused = self._unused.wait_for(lambda: self._users == 0, timeout)
        return self.unload() and is_unused

    def begin_use(self) -> None:
        """Count a request from before it is read, until `end_use`.

        Raises ServingError if it was never loaded, or as many requests as it takes are under way.
        """
        _ = self.description
        most = self.limits.concurrency
        with self._unused:
            if most and self._users >= most:
                self.statistics.note_refusal("full")
                raise ServingError(
                    "full", f"{most} requests for the model '{self.name}' are under way; try again later."
                )
            self._users += 1

    def end_use(self) -> None:
        """Count a request as answered."""
        with self._unused:
            self._users -= 1
            self._unused.notify_all()

    def submit(self, feeds: Arrays, answer_s: float) -> Future[Arrays]:
        """Queue a request, with arrays of the types and shapes of `description`.

        Raises ServingError if the queue is full, there are too many rows, or the model is not loaded.
        """
        queue = self._queue
        if queue is None:
            raise ServingError("unavailable", f"The model '{self.name}' is not loaded; load it again.")
        rows, key = self._rows_of(feeds)
        waiting = Waiting(feeds, rows, key, time.monotonic() + answer_s)
        queue.put(waiting)
        return waiting.result

    def _rows_of(self, feeds: Arrays) -> tuple[int, object]:
        most = self.description.max_batch
        if not most:
            return 1, None
        rows = {len(array) for array in feeds.values()}
        if len(rows) > 1:
            raise ServingError(
                "invalid",
                f"The inputs of the model '{self.name}' have {sorted(rows)[:8]} rows; send the same number of each.",
            )
        if max(rows) > most:
            raise ServingError(
                "invalid",
                f"The model '{self.name}' takes {most} rows at a time, not {max(rows)}; send fewer, or raise "
                "--max-batch.",
            )
        return rows.pop(), tuple((name, feeds[name].shape[1:]) for name in sorted(feeds))


class _Life:
    """A thread of a model: everything of a pool, and of its GPU, happens on it.

    `opened` gets the network's description; then `begin` the queue to work on, or None to end. Where `gives_back`,
    freed memory is given back to the system at the end.
    """

    def __init__(
        self,
        pool: Pool,
        options: ModelOptions,
        begin: Future[RequestQueue | None],
        statistics: ModelStatistics,
    ) -> None:
        self.opened: Future[ModelDescription] = Future()
        self._pool = pool
        self._options = options
        self._begin = begin
        self._statistics = statistics
        self.gives_back = True

    def run(self) -> None:
        """Load, then work until the queue is closed."""
        try:
            try:
                known = self._pool.open()
                if self._options.batching.warm:
                    self._pool.warm()
            except BaseException as error:
                self.opened.set_exception(error)
                return
            self.opened.set_result(known)
            queue = self._begin.result()
            if queue is not None:
                Worker(queue, self._pool.run_again, self._statistics).work()
        finally:
            self._pool.close()
            if self.gives_back:
                give_back()


def _common(known: Sequence[ModelDescription]) -> ModelDescription:
    """Return the description of a network on all its devices: batches are those that each of them takes."""
    devices = ", ".join(dict.fromkeys(each.device for each in known))
    return replace(min(known, key=lambda each: each.max_batch), device=devices)
