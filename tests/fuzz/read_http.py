"""Answers of a server to a download: whatever it sends, and however slowly, the download ends.

An input is what the server sends on each connection, in turn, divided by `%%`. A part that begins with `~` is
sent but for its last bytes, which are then sent again and again without end.
"""

from __future__ import annotations

import contextlib
import hashlib
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop.base.errors import DownloadError
from desktop.vision.models.library.access import Access
from desktop.vision.models.library.catalogue import Entry
from desktop.vision.models.library.download import Download
from fuzz.harness import Finding, Harness

_BODY = bytes(range(256)) * 4
_STALL_S = 0.1
_ENDLESS_S = 12.0
# Of a server's thread: its stack counts against the limit on memory, and those of some inputs linger.
_STACK = 1 << 18


def _start(work: Callable[..., None], *arguments: Any) -> None:
    """Start a thread with a small stack. The size is the process's: the tests' own threads keep theirs."""
    before = threading.stack_size(_STACK)
    try:
        threading.Thread(target=work, args=arguments, daemon=True).start()
    finally:
        threading.stack_size(before)


class _Server:
    """Answers each connection with the next part."""

    def __init__(self, parts: list[bytes]) -> None:
        self._parts = parts
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._over = threading.Event()
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        _start(self._serve)

    def _serve(self) -> None:
        count = 0
        while not self._over.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            part = self._parts[min(count, len(self._parts) - 1)]
            count += 1
            _start(self._answer, connection, part)

    def _answer(self, connection: socket.socket, part: bytes) -> None:
        with contextlib.suppress(OSError), connection:
            connection.settimeout(0.5)
            connection.recv(1 << 16)
            if not part.startswith(b"~"):
                connection.sendall(part)
                return
            connection.sendall(part[1:])
            until = time.monotonic() + _ENDLESS_S
            while time.monotonic() < until and not self._over.wait(0.02):
                # A whole line where the part ends in one ("100 Continue" again and again), else its last
                # byte.
                connection.sendall(part[1:] if part.endswith(b"\n") else part[-1:])

    def close(self) -> None:
        self._over.set()
        # Closing alone does not wake the thread that waits in accept.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def _read(data: bytes, folder: Path) -> None:
    server = _Server(data.split(b"%%") or [b""])
    entry = Entry(
        "net",
        "The net",
        "classification",
        len(_BODY),
        hashlib.sha256(_BODY).hexdigest(),
        "MIT",
        "https://x/",
        ("https://x/net.onnx",),
    )
    access = Access(mirror=server.address, stall_s=_STALL_S, attempts=2, backoff_s=0.001, connections=2)
    ended = threading.Event()
    download = Download(entry, folder, access)
    failure: list[BaseException] = []

    def work() -> None:
        try:
            download.run()
        except BaseException as error:
            failure.append(error)
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    try:
        if not ended.wait(8.0):
            download.stop()
            raise Finding("a server keeps a download for ever")
        target = folder / entry.file_name
        if target.exists() and target.read_bytes() != _BODY:
            raise Finding("a file that is not the one wanted has its name")
        if failure and not (
            isinstance(failure[0], DownloadError) and "asks to come back" not in str(failure[0])
        ):
            raise failure[0]
        if failure:
            raise failure[0]
    finally:
        server.close()


def _seeds(folder: Path) -> list[bytes]:
    head = b'HTTP/1.1 200 OK\r\nContent-Length: 1024\r\nETag: "a"\r\n\r\n'
    some = b'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1023/1024\r\nContent-Length: 1024\r\nETag: "a"\r\n\r\n'
    rest = b'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 512-1023/1024\r\nContent-Length: 512\r\nETag: "a"\r\n\r\n'
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n" + _BODY + b"\r\n0\r\n\r\n"
    return [
        head + _BODY,
        some + _BODY,
        some + _BODY[:512] + b"%%" + rest + _BODY[512:],
        chunked,
        b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n%%" + head + _BODY,
        b"HTTP/1.1 503 Busy\r\nRetry-After: 0\r\n\r\n%%" + head + _BODY,
        b"HTTP/1.1 416 No\r\n\r\n",
        b"HTTP/1.1 404 Not Found\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + head + _BODY,
        b"HTTP/1.0 200 OK\r\n\r\n" + _BODY,
        b"HTTP/1.1 301 X\r\nLocation: ftp://[::/\r\n\r\n",
    ]


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"~",
        b"~HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 ",
        b"~HTTP/1.1 200 OK\r\nX: ",
        b"%%",
        b"\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n",
        b"~HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0",
        b"Content-Length: ",
        b"Content-Range: bytes ",
        b"Location: ",
        b'ETag: W/"',
        b"Retry-After: ",
        b"Content-Encoding: gzip\r\n",
        b"0\r\n",
        b"ffffffffffffffff\r\n",
        b"-1\r\n",
        b"\xff\xfe",
        b"X: y\r\n",
        b"Fri, 31 Dec 9999 23:59:59 GMT",
    ),
    memory_mb=1000,
    largest=1 << 16,
)
