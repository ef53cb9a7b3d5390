"""A file server on the loopback that behaves as it is told to, request by request."""

from __future__ import annotations

import contextlib
import hashlib
import re
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from desktop.vision.models.library.catalogue import Entry


def entry_of(data: bytes, name: str = "net", **values: object) -> Entry:
    """A catalogue's entry for some bytes; its address is never asked, the mirror is."""
    fields = {
        "id": name,
        "title": "The net",
        "task": "classification",
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "licence": "MIT",
        "source": "https://example.invalid/net",
        "addresses": ("https://example.invalid/net.onnx",),
    }
    return Entry(**{**fields, **values})


@dataclass
class Request:
    """What was asked for."""

    path: str
    range: str
    if_range: str
    status: int = 0


class Handler(BaseHTTPRequestHandler):
    """One request; `reply` may be called by a behavior, with a part of the truth."""

    protocol_version = "HTTP/1.1"
    server: FileServer

    def do_GET(self) -> None:
        asked = Request(self.path, self.headers.get("Range", ""), self.headers.get("If-Range", ""))
        behave = self.server.take(asked)
        self.asked = asked
        self.close_connection = True
        with contextlib.suppress(ConnectionError, TimeoutError):
            behave(self)

    def do_CONNECT(self) -> None:
        """Be a proxy: pass bytes on in both directions until one side ends."""
        self.server.take(Request(self.path, "", ""))
        host, _, port = self.path.rpartition(":")
        with socket.create_connection((host, int(port)), 5) as other:
            self.wfile.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            sides = {self.connection: other, other: self.connection}
            while True:
                for ready in select.select(list(sides), [], [], 5)[0]:
                    data = ready.recv(1 << 16)
                    if not data:
                        self.close_connection = True
                        return
                    sides[ready].sendall(data)

    def log_message(self, *_: object) -> None:
        pass

    def send_response(self, code: int, message: str | None = None) -> None:
        self.asked.status = code
        super().send_response(code, message)

    @property
    def wanted(self) -> tuple[int, int] | None:
        """The bytes asked for, first and last, where ranges are served and If-Range holds."""
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.asked.range)
        if not found or not self.server.ranges:
            return None
        if self.asked.if_range and self.asked.if_range != self.server.etag:
            return None
        last = int(found[2]) if found[2] else len(self.server.data) - 1
        return int(found[1]), min(last, len(self.server.data) - 1)

    def head(self, **headers: str | None) -> bytes:
        """Send the head of a right answer, with some headers changed (None: left out); return the right body."""
        data, wanted = self.server.data, self.wanted
        body = data if wanted is None else data[wanted[0] : wanted[1] + 1]
        fields: dict[str, str | None] = {"Content-Length": str(len(body))}
        if self.server.etag:
            fields["ETag"] = self.server.etag
        if wanted is not None:
            fields["Content-Range"] = f"bytes {wanted[0]}-{wanted[1]}/{len(data)}"
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        self.send_response(200 if wanted is None else 206)
        for name, value in fields.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        return body

    def slowly(self, body: bytes, chunk: int = 1 << 16) -> None:
        """Send a body at the server's pace."""
        for at in range(0, len(body), chunk):
            self.wfile.write(body[at : at + chunk])
            if self.server.pause_s:
                time.sleep(self.server.pause_s)


Behavior = Callable[[Handler], None]


def serve(handler: Handler) -> None:
    """Serve well."""
    handler.slowly(handler.head())


def drop_after(count: int) -> Behavior:
    """A right answer that breaks off after some bytes of the body."""

    def behave(handler: Handler) -> None:
        handler.wfile.write(handler.head()[:count])

    return behave


def stall_after(count: int) -> Behavior:
    """A right answer that stops after some bytes, the connection open."""

    def behave(handler: Handler) -> None:
        handler.wfile.write(handler.head()[:count])
        handler.wfile.flush()
        handler.server.release.wait(300)

    return behave


def trickle(handler: Handler) -> None:
    """A byte now and then: never silent for long, never done."""
    for byte in handler.head():
        handler.wfile.write(bytes((byte,)))
        handler.wfile.flush()
        if handler.server.release.wait(0.1):
            return


def answer(status: int, **headers: str) -> Behavior:
    """An answer without a file."""

    def behave(handler: Handler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": "0", **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()

    return behave


def changed(**headers: str | None) -> Behavior:
    """The right body under a head with some headers changed."""

    def behave(handler: Handler) -> None:
        handler.slowly(handler.head(**headers))

    return behave


@dataclass
class _Script:
    behaviors: list[Behavior] = field(default_factory=list)
    then: Behavior = serve


class FileServer(ThreadingHTTPServer):
    """Serves `data` under every path: each request takes the next behavior of the script, then `then`.

    Attributes:
        etag: the entity tag, '' for none.
        ranges: whether ranges are honored.
        pause_s: pause after every 64 KiB.
        release: ends the stalls.
        asked: the requests so far.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, data: bytes, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.scheme = "http" if tls is None else "https"
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.data = data
        self.etag = '"one"'
        self.ranges = True
        self.pause_s = 0.0
        self.release = threading.Event()
        self.asked: list[Request] = []
        self._script = _Script()
        self._lock = threading.Lock()
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def script(self, *behaviors: Behavior, then: Behavior = serve) -> None:
        with self._lock:
            self._script = _Script(list(behaviors), then)

    def take(self, asked: Request) -> Behavior:
        with self._lock:
            self.asked.append(asked)
            return self._script.behaviors.pop(0) if self._script.behaviors else self._script.then

    def handle_error(self, *_: object) -> None:
        pass

    @property
    def address(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_port}"

    def close(self) -> None:
        self.release.set()
        self.shutdown()
        self.server_close()
