"""Measure the time of calls to a server, and the network connection's share of it."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from desktop.base.wording import sentence
from desktop.compute.nn.session import Calls
from desktop.net.inference.wire import (
    ASIDE_S,
    CallFailed,
    InferenceClient,
    InferenceResponse,
    ServerMeta,
    Spent,
)

log = logging.getLogger(__name__)

EXTENSION: Final = "statistics"
_MAX_CALLS: Final = 30
_EVERY_S: Final = 1.0


class CallTimes:
    """Mean times of the last calls. `measured` is for the calling thread, `calls` for any.

    A thread queries the server's statistics extension, if any: sums over all clients of this network, whose
    growth since the last query, divided by the number of inferences, is the mean.
    """

    def __init__(self, client: InferenceClient, said: ServerMeta) -> None:
        self._client = client
        self._lock = threading.Lock()
        self._totals: deque[float] = deque(maxlen=_MAX_CALLS)
        self._parts: deque[tuple[float, float, float]] = deque(maxlen=_MAX_CALLS)
        self._count, self._sum_ms = 0, 0.0
        # Between two queries: the times of our calls, the server's mean, and its share spent in the queue.
        self._shares: tuple[float, float, float] | None = None
        self._over = threading.Event()
        self._called = threading.Event()
        self._thread: threading.Thread | None = None
        if EXTENSION in said.extensions:
            self._thread = threading.Thread(target=self._follow, name="server statistics", daemon=True)
            self._thread.start()

    @contextmanager
    def measured(self) -> Iterator[Callable[[InferenceResponse], None]]:
        """Measure a call, counted once its answer is passed to the returned function."""
        began = time.perf_counter()
        answers: list[InferenceResponse] = []
        yield answers.append
        whole = (time.perf_counter() - began) * 1e3
        with self._lock:
            self._totals.append(whole)
            self._count, self._sum_ms = self._count + 1, self._sum_ms + whole
            for answer in answers:
                if (
                    answer.send_ms is not None
                    and answer.wait_ms is not None
                    and answer.receive_ms is not None
                ):
                    self._parts.append((answer.send_ms, answer.wait_ms, answer.receive_ms))
        self._called.set()

    def calls(self, away: str) -> Calls:
        """Return the statistics of the calls, including `away`."""
        with self._lock:
            if not self._totals:
                return Calls(away)
            whole = sum(self._totals) / len(self._totals)
            shares = self._shares
            parts = [sum(each) / len(self._parts) for each in zip(*self._parts, strict=True)]
        server_ms: float | None = None
        if shares is not None:
            # The server's mean includes other clients' inferences: it may exceed the times of our calls.
            lately, told, queue_ms = shares
            server_ms = min(told, lately)
            detail = sentence(
                "network and packing {network} ms, server {server} ms (queue {queue} ms) of {whole} ms",
                network=_ms(lately - server_ms),
                server=_ms(server_ms),
                queue=_ms(min(queue_ms, server_ms)),
                whole=_ms(lately),
            )
        elif parts:
            detail = sentence(
                "packed here {here} ms, sent {sent} ms, server and network {waited} ms, received "
                "{received} ms; "
                "the server does not tell its own time",
                here=_ms(max(0.0, whole - sum(parts))),
                sent=_ms(parts[0]),
                waited=_ms(parts[1]),
                received=_ms(parts[2]),
            )
        else:
            detail = sentence(
                "server, network and packing {whole} ms; the server does not tell its own time",
                whole=_ms(whole),
            )
        return Calls(away, whole, server_ms, detail)

    def _follow(self) -> None:
        before: Spent | None = None
        counted, summed = 0, 0.0
        while not self._over.wait(_EVERY_S):
            if not self._called.is_set():
                continue
            self._called.clear()
            try:
                now = self._client.statistics(ASIDE_S)
            except CallFailed as error:
                log.info("no statistics: %s", error.what)
                continue
            if now is None:
                return
            with self._lock:
                calls, took = self._count - counted, self._sum_ms - summed
                counted, summed = self._count, self._sum_ms
            if before is not None and now.count > before.count and calls:
                count = now.count - before.count
                queue = max(0, now.queue_ns - before.queue_ns) / count / 1e6
                work = max(0, now.compute_ns - before.compute_ns) / count / 1e6
                with self._lock:
                    self._shares = (took / calls, queue + work, queue)
            before = now

    def close(self) -> None:
        """Stop querying; a running query ends with the connection."""
        self._over.set()


def _ms(value: float) -> str:
    return f"{value:.1f}"
