"""A network under a name: loaded and unloaded while the server runs, with its queue and its thread."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from typing import Final

from desktop.base.errors import LightloomError, ModelError, ServingError
from desktop.base.memory import give_back
from desktop.serving.session_pool import Loading, ModelDescription, SessionPool, run_again
from desktop.serving.statistics import ModelStatistics
from desktop.serving.tensors import Arrays, shown
from desktop.serving.worker import RequestQueue, Waiting, Worker

PLATFORM = "lightloom"
VERSION = "1"
_MOMENT_S: Final = 5.0


@dataclass(frozen=True)
class Batching:
    """Batching of requests: after up to `delay_s` seconds; `warm` loads all batch sizes at once."""

    delay_s: float = 0.001
    warm: bool = False


class ServedModel:
    """A served network. Use `load`, `unload` and `close` on one thread; the rest is thread-safe."""

    def __init__(self, name: str, model: str, loading: Loading, batching: Batching, queue_limit: int) -> None:
        """`model`: the name of a bundled network, or a path."""
        self.name = name
        self.statistics = ModelStatistics()
        self._model = model
        self._loading = loading
        self._batching = batching
        self._queue_limit = queue_limit
        self._description: ModelDescription | None = None
        self._queue: RequestQueue | None = None
        self._worker: Worker | None = None
        self._thread: threading.Thread | None = None

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

    def check_loaded(self) -> None:
        """Raise ServingError if the network was never loaded."""
        _ = self.description

    @property
    def delay_s(self) -> float:
        """Seconds that a request may wait for others."""
        return self._batching.delay_s

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
        loaded: Future[RequestQueue] = Future()
        thread = threading.Thread(target=self._live, args=(loaded,), name=f"model {self.name}", daemon=True)
        thread.start()
        if not wait([loaded], _MOMENT_S).done:
            on_wait()
        self._queue = loaded.result()
        self._thread = thread

    def unload(self, timeout: float | None = None) -> bool:
        """Answer pending requests and release everything; return False after `timeout` seconds."""
        queue, thread = self._queue, self._thread
        self._queue = None
        if queue is not None:
            queue.close()
        if thread is not None:
            thread.join(timeout)
            if thread.is_alive():
                return False
            self._thread = None
        return True

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
        if len(rows) > 1 or max(rows) > most:
            raise ServingError(
                "invalid",
                f"The inputs of the model '{self.name}' have the same batch, of {most} at most, not "
                f"{sorted(rows)[:8]}.",
            )
        return rows.pop(), tuple((name, feeds[name].shape[1:]) for name in sorted(feeds))

    def _live(self, loaded: Future[RequestQueue]) -> None:
        """The thread: everything of the GPU that belongs to this model happens here."""
        pool = SessionPool(self._model, self._loading)
        try:
            try:
                self._description = known = pool.open()
                if self._batching.warm:
                    pool.warm()
                queue = RequestQueue(
                    self._queue_limit, self._batching.delay_s, known.max_batch, self.statistics
                )
                self._worker = worker = Worker(queue, lambda feeds: run_again(pool, feeds), self.statistics)
            except BaseException as error:
                loaded.set_exception(error)
                return
            loaded.set_result(queue)
            worker.work()
        finally:
            pool.close()
            give_back()


class Models:
    """The models of a server, by their names."""

    def __init__(self, models: dict[str, ServedModel]) -> None:
        self._models = models

    @property
    def all(self) -> tuple[ServedModel, ...]:
        """In the order in which they were named."""
        return tuple(self._models.values())

    def find(self, name: str, version: str = "") -> ServedModel:
        """Return a model, of which there is one version. Raises ServingError for unknown names, versions."""
        model = self._models.get(name)
        if model is None:
            raise ServingError("missing", f"There is no model '{shown(name)}' here.")
        if version not in ("", VERSION):
            raise ServingError(
                "missing", f"The model '{name}' has the version {VERSION} alone, not '{shown(version)}'."
            )
        return model

    def load(
        self,
        on_wait: Callable[[ServedModel, int], None] = lambda *_: None,
        on_loaded: Callable[[ServedModel], None] = lambda _: None,
    ) -> None:
        """Load all models in turn. `on_wait` receives a slow one and its number from 1, `on_loaded` each.

        Raises LightloomError if one cannot be loaded, after closing the others.
        """
        try:
            for number, model in enumerate(self.all, 1):
                model.load(partial(on_wait, model, number))
                on_loaded(model)
        except LightloomError as error:
            self.close(None)
            raise ModelError(f"The model '{model.name}' is not served: {error}") from error

    def close(self, timeout: float | None) -> bool:
        """Unload all; False if one was still running after `timeout` seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        ended = [
            model.unload(None if until is None else max(0.0, until - time.monotonic())) for model in self.all
        ]
        return all(ended)


def models_of(named: dict[str, str], loading: Loading, batching: Batching, queue_limit: int) -> Models:
    """Make the unloaded models of a mapping from served names to networks."""
    return Models({n: ServedModel(n, model, loading, batching, queue_limit) for n, model in named.items()})
