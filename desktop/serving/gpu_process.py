"""The process for one GPU: it computes what the server sends, each network on a thread of its own."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Listener

from desktop.base.errors import LightloomError
from desktop.base.interrupt import SIGNALS
from desktop.base.memory import give_back
from desktop.compute.gpu.device import Gpu
from desktop.serving.faults import loading_fault
from desktop.serving.gpu_channel import (
    Channel,
    Failed,
    Open,
    Ran,
    Request,
    Response,
    Run,
    layout_of,
    receive_arrays,
    send_arrays,
)
from desktop.serving.session_pool import Loading, SessionPool
from desktop.serving.tensors import Arrays

log = logging.getLogger(__name__)


def compute_for_server(open_gpu: Callable[[], Gpu | None]) -> int:
    """Compute until standard input ends, which has an address to listen on and a key, a line each.

    Signals are ignored: the server gets them too, and first completes what it has begun.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    address, key = (sys.stdin.buffer.readline().decode().strip() for _ in range(2))
    listener = Listener(address, authkey=bytes.fromhex(key))
    threading.Thread(target=_accept, args=(listener, open_gpu), daemon=True).start()
    while sys.stdin.buffer.read(1):
        pass
    listener.close()
    # Not by the interpreter's end, which would wait for a thread that is stuck in a driver.
    os._exit(0)


def _accept(listener: Listener, open_gpu: Callable[[], Gpu | None]) -> None:
    while True:
        connection = listener.accept()
        threading.Thread(target=_Network(connection, open_gpu).run, daemon=True).start()


class _Network:
    """A network of the server. Everything of its GPU happens on the thread that calls `run`."""

    def __init__(self, connection: Channel, open_gpu: Callable[[], Gpu | None]) -> None:
        self._connection = connection
        self._open_gpu = open_gpu
        self._pool: SessionPool | None = None

    def run(self) -> None:
        """Respond until the server closes the connection."""
        try:
            while True:
                response, arrays = self._response(self._connection.recv())
                self._connection.send(response)
                send_arrays(self._connection, arrays)
                del arrays  # or the last outputs would stay in memory until the next ones come
        except (EOFError, OSError):
            log.debug("the server closed a connection")
        finally:
            if self._pool is not None:
                self._pool.close()
            self._connection.close()
            give_back()

    def _response(self, request: Request) -> tuple[Response, Arrays]:
        feeds = receive_arrays(self._connection, request.layout) if isinstance(request, Run) else {}
        try:
            return self._computed(request, feeds)
        except LightloomError as error:
            return Failed.of(error), {}
        except (ArithmeticError, LookupError, MemoryError, RuntimeError, TypeError, ValueError) as error:
            if isinstance(request, Open):
                return Failed.of(loading_fault(error)), {}
            log.exception("a network failed", exc_info=error)
            text = f"The network failed ({type(error).__name__}); the server's log has more."
            return Failed("refusal", text), {}

    def _computed(self, request: Request, feeds: Arrays) -> tuple[Response, Arrays]:
        if isinstance(request, Open):
            loading = Loading(
                self._open_gpu, request.backend, request.precision, request.max_batch, request.memory_bytes
            )
            self._pool = SessionPool(request.model, loading)
            return self._pool.open(), {}
        assert self._pool is not None, "a network is opened first"
        if isinstance(request, Run):
            outputs = self._pool.run_again(feeds)
            return Ran(layout_of(outputs)), outputs
        self._pool.warm()
        return None, {}
