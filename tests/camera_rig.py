"""A network camera that does what cameras do to whoever reads them: closes, resets, stalls, restarts, changes
its size.
"""

from __future__ import annotations

import base64
import contextlib
import socket
import struct
import threading

import cv2
import numpy as np

_REFUSAL = b"HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=camera\r\nContent-Length: 0\r\n\r\n"
_HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


class Camera:
    """Sends MJPEG over HTTP on a port that it keeps over restarts.

    Attributes:
        connections: how many it has taken so far.
        refused: how many of them had another login.
        sent: how many pictures it has sent so far, to all of them.
        picture: uint8 [height, width, 3] R'G'B', what it sends from now on.
        login: 'name:password' that it asks for; '' for none.
        address: of the stream.
    """

    def __init__(self, picture: np.ndarray, rate: float = 25.0) -> None:
        self.picture = picture
        self.connections = self.refused = self.sent = 0
        self.login = ""
        self._wait = 1.0 / rate
        self._stalls = threading.Event()
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._listener: socket.socket | None = None
        self._port = 0
        self.start()
        self.address = f"http://127.0.0.1:{self._port}/mjpeg"

    def start(self) -> None:
        """Listen, again after `stop`."""
        self._stalls.clear()
        self._listener = socket.create_server(("127.0.0.1", self._port))
        self._port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def stop(self) -> None:
        """Listen no more, and close what is open: a camera that is switched off."""
        listener, self._listener = self._listener, None
        if listener is not None:
            # Linux' accept waits on after a close alone; Windows has none that shuts down what only listens.
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self.close()

    def close(self) -> None:
        """End each connection in good order."""
        for connection in self._taken():
            with contextlib.suppress(OSError):  # the other side was first
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def reset(self) -> None:
        """Break each connection off."""
        for connection in self._taken():
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

    def stall(self) -> None:
        """Keep connections open and send nothing more, until `start`, `close` or `reset`."""
        self._stalls.set()

    def go_on(self) -> None:
        """Send again."""
        self._stalls.clear()

    def encoded(self) -> bytes:
        """Return the next picture as it is sent."""
        data = cv2.imencode(".jpg", self.picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 95])[1]
        return bytes(data.tobytes())

    def _taken(self) -> list[socket.socket]:
        with self._lock:
            taken, self._open = self._open, []
        return taken

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self._lock:
                self._open.append(connection)
            self.connections += 1
            threading.Thread(target=self._send, args=(connection,), daemon=True).start()

    def _send(self, connection: socket.socket) -> None:
        pause = threading.Event()
        try:
            request = connection.recv(65536)
            if self.login and base64.b64encode(self.login.encode()) not in request:
                self.refused += 1
                connection.sendall(_REFUSAL)
                connection.close()
                return
            connection.sendall(_HEAD)
            while not pause.wait(self._wait):
                if self._stalls.is_set():
                    continue
                data = self.encoded()
                part = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                connection.sendall(part.encode() + data + b"\r\n")
                self.sent += 1
        except OSError:
            return  # closed here, or by whoever read it
