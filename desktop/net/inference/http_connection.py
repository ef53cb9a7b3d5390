"""A persistent HTTP/1.1 connection: each request has an overall deadline, each response a size limit.

Not tritonclient.http: its timeouts apply to single reads, it reads responses of any size, and needs gevent.
"""

from __future__ import annotations

import contextlib
import http.client
import select
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from typing import Final

from desktop.base.wording import sentence
from desktop.net.deadline import Deadline
from desktop.net.inference.address import RemoteAddress
from desktop.net.inference.wire import CallFailed, malformed, too_large, too_late
from desktop.net.socket_connect import connect

_CHUNK: Final = 1 << 18
_CONNECT_S: Final = 3.0


@dataclass(frozen=True)
class Reply:
    """Response, with ms to send the request, until the header arrived, and to receive the rest."""

    status: int
    headers: Message
    body: bytes
    send_ms: float
    wait_ms: float
    receive_ms: float


class HttpConnection:
    """A connection, opened on demand and reused. `request` on one thread at a time, `abort` on any."""

    def __init__(self, address: RemoteAddress, headers: Mapping[str, str]) -> None:
        self._address = address
        self._headers = {"User-Agent": "Lightloom", "Accept-Encoding": "identity", **headers}
        self._connection: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self._deadline: Deadline | None = None
        self._context: ssl.SSLContext | None = None
        self._lock = threading.Lock()
        self._aborted = False

    def request(
        self,
        path: str,
        body: Sequence[bytes] | None = None,
        headers: Mapping[str, str] = {},
        *,
        limit: int,
        timeout_s: float,
    ) -> Reply:
        """Get a path, or post `body` to it, and return the response, whatever its status.

        Raise CallFailed: no connection, no response in time, or one that is too large or not HTTP.
        """
        deadline = Deadline(timeout_s)
        with self._lock:
            self._deadline = deadline
            if self._aborted:
                deadline.cut()
        is_open, done = False, False
        try:
            connection = self._connected(deadline, timeout_s)
            is_open = True
            reply = self._exchange(connection, path, body, {**self._headers, **headers}, limit)
            if deadline.passed:
                raise TimeoutError  # a connection that was shut looks like one that ended
            done = True
            return reply
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._meaning(error, late=deadline.passed, is_open=is_open) from error
        finally:
            deadline.stop()
            if not done:
                self.close()

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        body: Sequence[bytes] | None,
        headers: Mapping[str, str],
        limit: int,
    ) -> Reply:
        began = time.perf_counter()
        connection.putrequest("GET" if body is None else "POST", path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(sum(map(len, body))))
        connection.endheaders()
        for part in body or ():
            connection.send(part)
        sent = time.perf_counter()
        with contextlib.closing(connection.getresponse()) as response:
            answered = time.perf_counter()
            data = _read(response, limit)
            received = time.perf_counter()
            reply = Reply(
                response.status,
                response.headers,
                data,
                (sent - began) * 1e3,
                (answered - sent) * 1e3,
                (received - answered) * 1e3,
            )
            if response.will_close:
                self.close()
        return reply

    def _connected(self, deadline: Deadline, timeout_s: float) -> http.client.HTTPConnection:
        if self._connection is not None and self._socket is not None:
            # The server may have closed it, or sent unrequested data, which does not answer the next request.
            if not select.select([self._socket], [], [], 0)[0]:
                deadline.watch(self._socket)
                return self._connection
            self.close()
        address = (self._address.host, self._address.port)
        connection = http.client.HTTPConnection(*address, timeout=timeout_s)
        connection.auto_open = 0
        # Created here: the connection would not expose it to the deadline before the TLS handshake is done.
        sock = connect(address, min(timeout_s, _CONNECT_S), deadline)
        connection.sock = sock
        self._connection = connection
        # Of the plain socket, which TLS takes away; of each request's deadline it is the handle.
        self._socket = sock.dup()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._address.is_secure:
            self._context = self._context or ssl.create_default_context()
            connection.sock = self._context.wrap_socket(sock, server_hostname=self._address.host)
        connection.sock.settimeout(timeout_s)
        return connection

    def _meaning(self, error: Exception, *, late: bool, is_open: bool) -> CallFailed:
        if self._aborted:
            return CallFailed(sentence("the call was ended"))
        if late:
            return too_late()
        if isinstance(error, ssl.SSLCertVerificationError):
            return CallFailed(
                sentence(
                    "its certificate is not valid ({verify_message})", verify_message=error.verify_message
                )
            )
        if isinstance(error, ssl.SSLError):
            return CallFailed(sentence("no encrypted connection comes about"))
        if not is_open:
            return CallFailed(
                sentence("it cannot be reached ({reason})", reason=_reason(error)), untouched=True
            )
        if isinstance(error, http.client.RemoteDisconnected | ConnectionError):
            return CallFailed(sentence("the connection broke"))
        if isinstance(error, TimeoutError):
            return too_late()
        if isinstance(error, http.client.HTTPException | ValueError):
            return malformed()
        return CallFailed(sentence("the connection broke ({reason})", reason=_reason(error)))

    def abort(self) -> None:
        """End the request that is under way, and all later ones."""
        with self._lock:
            self._aborted = True
            if self._deadline is not None:
                self._deadline.cut()

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        connection, handle = self._connection, self._socket
        self._connection = self._socket = None
        for each in (connection, handle):
            if each is not None:
                each.close()


def _read(response: http.client.HTTPResponse, limit: int) -> bytes:
    """The body of an answer, if it is no longer than it may be."""
    if response.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise malformed()  # it was not requested, and what it would become is not bounded
    if (response.length or 0) > limit:
        raise too_large(limit)
    data = bytearray()
    while chunk := response.read1(_CHUNK):
        data += chunk
        if len(data) > limit:
            raise too_large(limit)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return bytes(data)


def _reason(error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        return sentence("its name is not known on this network")
    if isinstance(error, TimeoutError):
        return sentence("no answer")
    text = getattr(error, "strerror", None) or type(error).__name__
    return str(text)[:80]
