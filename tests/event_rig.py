"""Receivers of events for tests: a broker with the part of MQTT 3.1.1 that a publisher needs, and an HTTP
server.
"""

from __future__ import annotations

import getpass
import re
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from waiting import LIMIT_S

from desktop.pipeline.engine import Engine
from desktop.vision.tasks.classification import Classification
from desktop.vision.tracking.events import Occurrence
from desktop.vision.tracking.scene import TrackedResult

_CONNECT, _PUBLISH, _SUBSCRIBE, _PINGREQ, _DISCONNECT = 1, 3, 8, 12, 14
_RETAIN = 1


def happen(engine: Engine, *occurrences: Occurrence) -> None:
    """Tell an engine's listeners what happened in a frame in which nothing was seen."""
    tracked_result = TrackedResult(Classification(()), 0.0, (16, 9), (), occurrences=occurrences)
    for listener in tuple(engine.on_tracked_result):
        listener(tracked_result)


class SmallBroker:
    """Takes connections and QoS 1 messages (MQTT 3.1.1, sections 3.1 to 3.4, 3.8 and 3.12 to 3.14), and sends
    what it retains to subscribers; `refuses` is a return code of CONNACK.
    """

    def __init__(self, port: int = 0, refuses: int = 0) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self.retained: dict[str, bytes] = {}
        self.users: list[bytes] = []
        self._refuses = refuses
        self._server = socket.create_server(("127.0.0.1", port))
        self.port = self._server.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        stream = connection.makefile("rb")
        try:
            while head := stream.read(1):
                length = shift = 0
                while (byte := stream.read(1)[0]) & 0x80:
                    length |= (byte & 0x7F) << shift
                    shift += 7
                body = stream.read(length | byte << shift)
                kind = head[0] >> 4
                if kind == _CONNECT:
                    self.users.append(body)
                    connection.sendall(bytes((0x20, 2, 0, self._refuses)))
                elif kind == _PUBLISH:
                    (size,) = struct.unpack_from(">H", body)
                    topic, number, payload = body[2 : 2 + size], body[2 + size : 4 + size], body[4 + size :]
                    self.messages.append((topic.decode(), payload))
                    if head[0] & _RETAIN:
                        self._retain(topic.decode(), payload)
                    connection.sendall(b"\x40\x02" + number)
                elif kind == _SUBSCRIBE:
                    connection.sendall(b"\x90\x03" + body[:2] + b"\x00")
                    self._send_retained(connection, body[4:-1].decode())
                elif kind == _PINGREQ:
                    connection.sendall(b"\xd0\x00")
                elif kind == _DISCONNECT:
                    return
        except (OSError, IndexError):
            return

    def _retain(self, topic: str, payload: bytes) -> None:
        if payload:
            self.retained[topic] = payload
        else:
            self.retained.pop(topic, None)

    def _send_retained(self, connection: socket.socket, pattern: str) -> None:
        fits = re.compile("[^/]+".join(map(re.escape, pattern.split("+"))))
        for topic, payload in tuple(self.retained.items()):
            if fits.fullmatch(topic):
                name = topic.encode("utf-8", "surrogateescape")
                body = struct.pack(">H", len(name)) + name + payload
                length = bytes((len(body) & 0x7F | 0x80, len(body) >> 7 & 0x7F | 0x80, len(body) >> 14))
                connection.sendall(bytes((_PUBLISH << 4 | _RETAIN,)) + length + body)

    def close(self) -> None:
        """End, with all connections."""
        # While the thread waits in `accept`, closing alone leaves the port taken.
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self.disconnect()

    def disconnect(self) -> None:
        """End all connections."""
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()


class Requests:
    """An HTTP server that answers with `status` or sends on to an address, keeps what it is sent, and can
    stall.
    """

    def __init__(self) -> None:
        self.status = 200
        self.sends_on_to = ""
        self.retry_after = ""
        self.stalls = threading.Event()
        self.released = threading.Event()
        self.taken: list[tuple[str, str, bytes, str | None]] = []
        rig = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if rig.stalls.is_set():
                    rig.released.wait(LIMIT_S)
                    return
                rig.taken.append((self.command, self.path, body, self.headers.get("Authorization")))
                self.send_response(302 if rig.sends_on_to else rig.status)
                if rig.sends_on_to:
                    self.send_header("Location", rig.sends_on_to)
                if rig.retry_after:
                    self.send_header("Retry-After", rig.retry_after)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST = _answer

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """End."""
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def mosquitto() -> str | None:
    """Return where the broker mosquitto is, None where it is not installed."""
    return shutil.which("mosquitto") or next(
        (path for path in ("/usr/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto") if Path(path).exists()),
        None,
    )


@contextmanager
def mosquitto_on(port: int, folder: Path) -> Iterator[None]:
    """Run mosquitto within."""
    program = mosquitto()
    assert program is not None
    settings = folder / "mosquitto.conf"
    lines = [f"listener {port} 127.0.0.1", "allow_anonymous true"]
    # It remembers who has subscribed, and may write into the folder.
    lines += ["persistence true", f"persistence_location {folder}/", f"user {getpass.getuser()}"]
    settings.write_text("\n".join(lines) + "\n")
    process = subprocess.Popen(
        [program, "-c", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(LIMIT_S)
