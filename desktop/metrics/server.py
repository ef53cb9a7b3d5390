"""HTTP server for scraping metrics, with limits on connections, request sizes, durations and CPU time.

`start_http_server` of prometheus_client limits neither threads nor time, and accepts heads of 6 MiB.
"""

from __future__ import annotations

import contextlib
import errno
import io
import logging
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from desktop.base.addresses import LOOPBACK
from desktop.base.errors import MetricsError
from desktop.base.files import reason
from desktop.base.wording import sentence
from desktop.metrics.address import Address
from desktop.net.loopback import is_loopback, without_port

log = logging.getLogger(__name__)

App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Health = Callable[[], tuple[bool, bytes]]
"""Returns whether the program works, and a JSON document about it; called on a serving thread."""

MOST_CONNECTIONS: Final = 4
MOST_HEAD_BYTES: Final = 8192
_SILENCE_S: Final = 5.0
_POLL_S: Final = 0.1
# CPU share of all requests, of one core. A scrape of a few hundred series takes 5 ms.
_SHARE: Final = 0.05
_BURST_S: Final = 0.25
_ACCEPT_S: Final = 0.0002


_NO_VERSION: Final = re.compile(r"version=(?!\d{1,4}(?:\.\d{1,4}){0,3}\s*(?:[;,]|$))", re.ASCII)
"""Invalid versions in Accept, which crash prometheus_client. Such headers are removed: plain text is sent."""


class _TooLong(Exception):
    """The head of a request is longer than `MOST_HEAD_BYTES`."""


class _Limited(io.RawIOBase):
    """Stream of the first `MOST_HEAD_BYTES` bytes of a connection."""

    def __init__(self, raw: Any) -> None:
        self._raw, self._left = raw, MOST_HEAD_BYTES

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, into: Any) -> int | None:
        """Read as `io.RawIOBase` does; raise _TooLong beyond the limit."""
        if self._left <= 0:
            raise _TooLong
        count: int | None = self._raw.readinto(memoryview(into)[: self._left])
        self._left -= count or 0
        return count


class _Handler(WSGIRequestHandler):
    """One request: a head of bounded length, no body, nothing on standard error."""

    timeout = _SILENCE_S
    rbufsize = 0

    def setup(self) -> None:
        """Wrap the connection's stream to limit what is read."""
        super().setup()
        self.rfile = io.BufferedReader(_Limited(self.rfile))
        # `send_error` reads these, also if the first line is too long.
        self.requestline, self.request_version, self.command = "", "HTTP/1.0", ""

    def handle(self) -> None:
        """Respond to the request, with status 431 if its head is too long."""
        try:
            super().handle()
        except _TooLong:
            self.send_error(431)

    def get_stderr(self) -> Any:
        """Return a stream that discards what wsgiref prints about errors."""
        return io.StringIO()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, as scrapes come every few seconds."""


class Budget:
    """Token bucket of CPU seconds: refills at 5 % of a core, holds at most 0.25 s."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left, self._at = _BURST_S, clock()
        self._lock = threading.Lock()

    def spend(self, seconds: float) -> None:
        """Deduct CPU seconds."""
        with self._lock:
            self._left -= seconds

    def has_some(self) -> bool:
        """Return whether more than 0 s is left."""
        with self._lock:
            now = self._clock()
            self._left = min(_BURST_S, self._left + _SHARE * (now - self._at))
            self._at = now
            return self._left > 0.0


@dataclass(frozen=True)
class Patience:
    """Time limits of a connection, in seconds: `while_full_s` applies while others wait.

    `deadline_s` is Prometheus's default scrape timeout.
    """

    deadline_s: float = 10.0
    while_full_s: float = 1.0


class MetricsServer(ThreadingMixIn, WSGIServer):
    """Serves on its own thread until `close`; excess connections wait in the system's queue."""

    daemon_threads = True
    # On Windows the option would let two programs have one port, and each get some of the requests.
    allow_reuse_address = os.name == "posix"

    def __init__(
        self, address: Address, app: App, patience: Patience | None = None, health: Health | None = None
    ) -> None:
        """Listen, without responding yet; `patience` are time limits of a connection, `health` serves /healthz.

        Raises MetricsError if the address is unknown or not of this machine, or the port taken or forbidden.
        """
        self._patience = patience or Patience()
        self._open: dict[Any, float] = {}
        self._lock = threading.Lock()
        self._budget = Budget()
        self._ending = False
        self._thread: threading.Thread | None = None
        try:
            info = socket.getaddrinfo(
                address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
            self.address_family, place = info[0][0], info[0][4]
            super().__init__((str(place[0]), int(place[1])), _Handler)
        except (OSError, UnicodeError) as error:
            raise _refusal(address, error) from error
        self.set_app(_guarded(app, health, local=is_loopback(address.host)))
        self.address = Address(address.host, int(self.server_address[1]))

    def server_bind(self) -> None:
        """Bind without the standard library's host name lookup, which may take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()

    def start(self) -> None:
        """Begin to respond, on a thread."""
        self._thread = threading.Thread(
            target=self.serve_forever, args=(_POLL_S,), name="metrics", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop, and cut off open connections."""
        self._ending = True
        if self._thread is not None:
            self.shutdown()
            self._thread.join(self._patience.deadline_s)
        self.server_close()
        self._cut_off(0.0)

    # -- on its thread ---------------------------------------------------------------------------------------

    def service_actions(self) -> None:
        """Cut off connections beyond their deadline; called several times a second."""
        self._cut_off(self._patience.deadline_s)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Respond on a thread, as soon as the number of connections and the CPU budget permit."""
        while not self._ending and not (self._budget.has_some() and len(self._open) < MOST_CONNECTIONS):
            is_full = len(self._open) >= MOST_CONNECTIONS
            self._cut_off(self._patience.while_full_s if is_full else self._patience.deadline_s)
            time.sleep(_POLL_S / 4)
        if self._ending:
            self.shutdown_request(request)
            return
        self._budget.spend(_ACCEPT_S)
        with self._lock:
            self._open[request] = time.monotonic()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Respond, and deduct the CPU time from the budget."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.pop(request, None)
            self._budget.spend(time.thread_time())

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log a client that disconnected or was cut off, instead of printing it."""
        log.debug("a connection for metrics ended early", exc_info=True)

    def _cut_off(self, after_s: float) -> None:
        now = time.monotonic()
        with self._lock:
            late = [request for request, begun in self._open.items() if now - begun >= after_s]
        for request in late:
            with contextlib.suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)


def _guarded(app: App, health: Health | None, *, local: bool) -> App:
    """Wrap an application: its two paths and /healthz only, failures logged; `local` restricts it to local host names."""

    def guarded(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if local and not is_loopback(without_port(environ.get("HTTP_HOST", LOOPBACK))):
            start_response("403 Forbidden", [("Content-Type", "text/plain")])
            return [b"These metrics are for this machine alone.\n"]
        if health is not None and environ.get("PATH_INFO") == "/healthz":
            works, document = health()
            status = "200 OK" if works else "503 Service Unavailable"
            start_response(status, [("Content-Type", "application/json"), ("Cache-Control", "no-store")])
            return [document]
        if environ.get("PATH_INFO") not in ("/", "/metrics"):
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [b"The metrics are at /metrics.\n"]
        if _NO_VERSION.search(environ.get("HTTP_ACCEPT", "")):
            del environ["HTTP_ACCEPT"]
        try:
            return app(environ, start_response)
        except Exception:
            log.exception("metrics could not be written")
            start_response("500 Internal Server Error", [("Content-Type", "text/plain")])
            return [b"The log of Lightloom has the details.\n"]

    return guarded


def is_free(address: Address) -> bool:
    """Return False if something listens at an address now; raise MetricsError as `MetricsServer` does otherwise."""
    try:
        info = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        with socket.socket(info[0][0], socket.SOCK_STREAM) as tried:
            if os.name == "posix":  # as the server does: connections of an earlier one may still be closing
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(info[0][4])
    except (OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            return False
        raise _refusal(address, error) from error
    return True


def _refusal(address: Address, error: OSError | UnicodeError) -> MetricsError:
    if isinstance(error, socket.gaierror | UnicodeError):
        return MetricsError(
            sentence(
                "Metrics cannot be served at {address}: the host is unknown; write 127.0.0.1.",
                address=address,
            )
        )
    if error.errno == errno.EADDRINUSE:
        return MetricsError(
            sentence(
                "Metrics cannot be served at {address}: another program has that port; choose another one.",
                address=address,
            )
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return MetricsError(
            sentence(
                "Metrics cannot be served at {address}: this machine has no such address; choose one of "
                "its own, or 127.0.0.1.",
                address=address,
            )
        )
    return MetricsError(
        sentence(
            "Metrics cannot be served at {address} ({reason}); choose another address.",
            address=address,
            reason=reason(error),
        )
    )
