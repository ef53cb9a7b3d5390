"""Senders of live video that fail on demand, over loopback: HTTP, TCP, UDP, RTSP, and a camera's driver.

Each counts the frames that it has sent. The time of waits is that of a `Clock`, so that hours pass in minutes.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import av
import numpy as np

from desktop.base.clock import Clock
from desktop.media.sources._camera_backends import CameraInfo, CameraMode, Video4Linux

RATE: Final = 5
"""Frames a second, by the sender's clock."""
WRAP_S: Final = 2**33 / 90_000
"""Seconds after which time stamps of MPEG transport streams begin again."""
_FRAMES: Final = 120
_PACKET: Final = 188
_SEGMENT: Final = 7 * _PACKET
_SOON: Final = 0.02


@dataclass(frozen=True)
class Look:
    """Properties of what is sent: the codec, (width, height), the time stamp of the first frame in seconds, and the
    number of the stream in its container.
    """

    codec: str = "mpeg2video"
    size: tuple[int, int] = (96, 64)
    begin: float = 0.0
    stream: int = 256


def _pictures(size: tuple[int, int]) -> Iterator[av.VideoFrame]:
    columns = np.arange(size[0])[None, :] + np.zeros((size[1], 1), int)
    for number in range(_FRAMES):
        gray = ((columns * 2 + number * 5) % 256).astype(np.uint8)
        yield av.VideoFrame.from_ndarray(gray, "gray").reformat(format="yuv420p")


@lru_cache(maxsize=32)
def transport_stream(look: Look) -> tuple[bytes, ...]:
    """Return MPEG-TS packets, those of each frame together."""
    sink = io.BytesIO()
    chunks: list[bytes] = []
    options = {
        "flush_packets": "1",
        "mpegts_start_pid": str(look.stream),
        "tables_version": str(look.stream % 32),
    }
    with av.open(sink, "w", format="mpegts", options=options) as out:
        stream = out.add_stream(look.codec, rate=RATE)
        stream.width, stream.height, stream.pix_fmt = *look.size, "yuv420p"
        context = stream.codec_context
        context.max_b_frames, context.gop_size = 0, RATE
        if look.codec == "libx264":
            stream.options = {"tune": "zerolatency", "preset": "ultrafast"}
        at = 0
        for number, picture in enumerate(_pictures(look.size)):
            picture.pts = number + round(look.begin * RATE)
            for packet in stream.encode(picture):
                out.mux(packet)
                # An encoder may return a frame only when it is given the next one.
                chunks.append(sink.getvalue()[at:])
                at += len(chunks[-1])
    return tuple(chunks)


@lru_cache(maxsize=4)
def _jpegs(size: tuple[int, int]) -> tuple[bytes, ...]:
    context = av.CodecContext.create("mjpeg", "w")
    context.width, context.height, context.pix_fmt = *size, "yuvj420p"
    context.time_base = Fraction(1, RATE)
    found: list[bytes] = []
    for number, picture in enumerate(_pictures(size)):
        full = picture.reformat(format="yuvj420p")
        full.pts = number
        found += [bytes(packet) for packet in context.encode(full)]
    return tuple(found)


class Reset(Exception):
    """The connection is to be reset."""


class Feed:
    """The frames of a sender, at its pace; a fault is a method, called on any thread. `is_altered`: a connection
    had damaged frames, or those of another codec or stream, whose beginnings a receiver cannot tell.
    """

    def __init__(self, clock: Clock, *, jpegs: bool = False) -> None:
        self._clock, self._jpegs = clock, jpegs
        self._look = Look()
        self._at = 0
        self._chunks(self._look)
        self._counters: dict[int, int] = {}
        self._damaged = self._hurried = 0
        self._is_stalled = threading.Event()
        self._ends: Exception | bool = False
        self.is_altered = False
        self.stop = threading.Event()

    def change(self, look: Look) -> None:
        """Send another picture, codec or time from the next frame on, without a word about it."""
        self.is_altered = self.is_altered or (look.codec, look.stream) != (
            self._look.codec,
            self._look.stream,
        )
        self._chunks(look)
        self._look, self._at = look, 0

    def _chunks(self, look: Look) -> tuple[bytes, ...]:
        """Return the frames of a look. They are kept; the first time takes longer than a receiver waits where its
        clock is fast, so that nobody connects before that.
        """
        return _jpegs(look.size) if self._jpegs else transport_stream(look)

    @property
    def look(self) -> Look:
        """Properties of what is sent."""
        return self._look

    def damage(self, frames: int) -> None:
        """Overwrite or lose parts of the next frames."""
        self._damaged, self.is_altered = frames, True

    def hurry(self, frames: int) -> None:
        """Send the next frames at once, as after a pause of the network."""
        self._hurried = frames

    def end(self, *, reset: bool = False) -> None:
        """End the connection after the next frame: properly, or by a reset."""
        self._ends = Reset() if reset else True

    def stall(self) -> None:
        """Send nothing until `resume`, or a new connection."""
        self._is_stalled.set()

    def resume(self) -> None:
        """Send again."""
        self._is_stalled.clear()

    def begin(self) -> None:
        """Begin a connection."""
        self._at, self._ends, self._counters, self.is_altered = 0, False, {}, self._damaged > 0
        self.resume()

    def frames(self, is_gone: Callable[[], bool]) -> Iterator[bytes]:
        """Yield the bytes of each frame when it is due, until the connection ends; Reset if it is to break."""
        while not self.stop.is_set():
            if self._hurried:
                self._hurried -= 1
            else:
                self._clock.wait(self.stop, 1 / RATE)
            while self._is_stalled.is_set() and not self.stop.is_set():
                time.sleep(_SOON / 4)
                if is_gone():
                    return
            if isinstance(self._ends, Reset):
                raise self._ends
            if self._ends or self.stop.is_set():
                return
            yield self._next()

    def _next(self) -> bytes:
        chunks = self._chunks(self._look)
        chunk = bytearray(chunks[self._at % len(chunks)])
        self._at += 1
        if not self._jpegs:
            self._number(chunk)
        if self._damaged:
            self._damaged -= 1
            # The middle of a frame, and for MPEG a packet that is missing.
            middle = len(chunk) // 2
            chunk[middle : middle + 60] = bytes(60)
            if not self._jpegs and len(chunk) > _PACKET:
                del chunk[-_PACKET:]
        return bytes(chunk)

    def _number(self, chunk: bytearray) -> None:
        """Continue the packets' counters: a change of time alone loses nothing."""
        for at in range(0, len(chunk), _PACKET):
            stream = (chunk[at + 1] & 31) << 8 | chunk[at + 2]
            if chunk[at + 3] & 0x10:
                count = self._counters.get(stream, -1) + 1 & 15
                chunk[at + 3] = chunk[at + 3] & 0xF0 | count
                self._counters[stream] = count


@dataclass
class Connection:
    """What became of a connection between two times of `time.perf_counter()`: the frames sent, and whether all of them
    must have arrived.
    """

    begun: float
    ended: float = 0.0
    sent: int = 0
    is_whole: bool = False


class Sender:
    """A server of one client at a time, by 'ts' or 'mjpeg' over HTTP, 'tcp', or 'rtsp'. `connections` has
    those that have ended since `take_connections`.
    """

    def __init__(self, kind: str, clock: Clock) -> None:
        self.kind = kind
        self.feed = Feed(clock, jpegs=kind == "mjpeg")
        self.refusal = b""
        self.sent = 0
        self._connections: list[Connection] = []
        self._lock = threading.Lock()
        self._is_away = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._run, name=f"sender {kind}", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """The address of the stream."""
        scheme = self.kind if self.kind in ("rtsp", "tcp") else "http"
        return f"{scheme}://127.0.0.1:{self._port}" + ("" if self.kind == "tcp" else "/live")

    def take_connections(self) -> list[Connection]:
        """Return the connections that have ended, each once."""
        with self._lock:
            found, self._connections = self._connections, []
        return found

    def go_away(self) -> None:
        """End the connection and accept none."""
        self._is_away.set()
        self.feed.end()

    def come_back(self) -> None:
        """Accept connections again."""
        self._is_away.clear()

    def close(self) -> None:
        """End."""
        self.feed.stop.set()
        self._thread.join()
        self._listener.close()

    def _run(self) -> None:
        while not self.feed.stop.is_set():
            if self._is_away.is_set():
                self._listener.close()
                while self._is_away.is_set() and not self.feed.stop.is_set():
                    time.sleep(_SOON / 4)
                self._listener = socket.create_server(("127.0.0.1", self._port))
            self._listener.settimeout(_SOON)
            try:
                client, _ = self._listener.accept()
            except TimeoutError:
                continue
            client.settimeout(2.0)
            self._serve(client)

    def _is_asked_for(self) -> bool:
        return bool(select.select([self._listener], [], [], 0)[0])

    def _serve(self, client: socket.socket) -> None:
        connection = Connection(time.perf_counter())
        self.feed.begin()
        try:
            if self._greet(client):
                self._send(client, connection)
                if not self.feed.stop.is_set() and not _is_gone(client):
                    client.shutdown(socket.SHUT_WR)
                    connection.is_whole = not self.feed.is_altered
                    _drain(client)
        except Reset:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass  # the client went away
        finally:
            client.close()
            connection.ended = time.perf_counter()
            with self._lock:
                self._connections.append(connection)

    def _greet(self, client: socket.socket) -> bool:
        """Answer requests until frames are due; return False if there are to be none."""
        if self.kind == "tcp":
            return True
        lines = client.makefile("rb")
        if self.kind == "rtsp":
            return self._greet_rtsp(client, lines)
        while (line := lines.readline()).strip():
            pass
        if not line:
            return False
        if self.refusal:
            client.sendall(self.refusal)
            client.shutdown(socket.SHUT_WR)
            _drain(client)
            return False
        content = "video/mp2t" if self.kind == "ts" else "multipart/x-mixed-replace; boundary=frame"
        client.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {content}\r\nConnection: close\r\n\r\n".encode())
        return True

    def _greet_rtsp(self, client: socket.socket, lines: Any) -> bool:
        while request := lines.readline().decode().split():
            headers: dict[str, str] = {}
            while (line := lines.readline().decode().strip()) != "":
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            extra, body = "", ""
            if request[0] == "OPTIONS":
                extra = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
            elif request[0] == "DESCRIBE":
                body = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=soak\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track1\r\n"
                extra = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
            elif request[0] == "SETUP":
                extra = f"Transport: {headers['transport']}\r\n"
            status = "200 OK" if not self.refusal else "503 Service Unavailable"
            client.sendall(
                f"RTSP/1.0 {status}\r\nCSeq: {headers['cseq']}\r\nSession: 1\r\n{extra}\r\n{body}".encode()
            )
            if request[0] == "PLAY":
                return not self.refusal
        return False

    def _send(self, client: socket.socket, connection: Connection) -> None:
        sequence = 0
        for data in self.feed.frames(lambda: _is_gone(client) or self._is_asked_for()):
            if self._is_asked_for():
                # The client has given this connection up, even if it still reads.
                raise Reset
            if self.kind == "mjpeg":
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                data = head.encode() + data + b"\r\n"
            elif self.kind == "rtsp":
                parts = []
                for at in range(0, len(data), _SEGMENT):
                    stamp = int(time.perf_counter() * 90_000) & 0xFFFFFFFF
                    rtp = (
                        struct.pack(">BBHII", 0x80, 33, sequence & 0xFFFF, stamp, 1)
                        + data[at : at + _SEGMENT]
                    )
                    parts.append(b"$\0" + struct.pack(">H", len(rtp)) + rtp)
                    sequence += 1
                data = b"".join(parts)
            client.sendall(data)
            self.sent += 1
            connection.sent += 1


def _is_gone(client: socket.socket) -> bool:
    """Return True if the other side has closed the connection; what it sends otherwise is discarded."""
    readable, _, _ = select.select([client], [], [], 0)
    try:
        return bool(readable) and not client.recv(4096)
    except OSError:
        return True


def _drain(client: socket.socket) -> None:
    """Wait until the other side closes, so that all that was sent arrives."""
    with contextlib.suppress(OSError):
        while client.recv(4096):
            pass


class Datagrams:
    """A sender of MPEG-TS in UDP datagrams, which sends whether anyone listens or not."""

    kind = "udp"

    def __init__(self, clock: Clock) -> None:
        self.feed = Feed(clock)
        self.refusal = b""
        self.sent = 0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._thread = threading.Thread(target=self._run, name="sender udp", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """The address to listen at."""
        return f"udp://127.0.0.1:{self._port}"

    def take_connections(self) -> list[Connection]:
        """Return nothing: there are no connections."""
        return []

    def go_away(self) -> None:
        """Send nothing."""
        self.feed.stall()

    def come_back(self) -> None:
        """Begin again, as a sender that was restarted."""
        self.feed.begin()

    def close(self) -> None:
        """End."""
        self.feed.stop.set()
        self._thread.join()

    def _run(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            for data in self.feed.frames(lambda: False):
                with contextlib.suppress(OSError):  # nobody listens
                    for at in range(0, len(data), _SEGMENT):
                        out.sendto(data[at : at + _SEGMENT], ("127.0.0.1", self._port))
                self.sent += 1


class Camera(Video4Linux):
    """A driver of one camera: FFmpeg's lavfi input delivers the frames. `failure` is raised for the next one,
    `refusal` at opening.
    """

    kind = "camera"

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.needs_permission = False
        self.feed = Feed(clock)
        self.sent = 0
        self.failure: Exception | None = None
        self.refusal: Exception | None = None
        self.device = 0
        self.is_plugged = True
        self.opened = self.closed = 0
        self._clock = clock

    def cameras(self) -> list[CameraInfo]:
        return [CameraInfo("usb:soak", "Soak Camera", f"/dev/video{self.device}")] if self.is_plugged else []

    def modes(self, camera: CameraInfo) -> list[CameraMode]:
        return [CameraMode(*self.feed.look.size, RATE, "yuv420p")]

    def open(self, camera: CameraInfo, mode: CameraMode | None) -> Any:
        if self.refusal is not None:
            raise self.refusal
        width, height = self.feed.look.size
        self.feed.begin()
        self.opened += 1
        return _Device(self, av.open(f"testsrc2=size={width}x{height}:rate={RATE}", format="lavfi"))

    def unplug(self) -> None:
        """Take the camera away."""
        self.is_plugged, self.failure = False, OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    def plug_in(self) -> None:
        """Bring it back, at another path."""
        self.device, self.failure, self.is_plugged = self.device + 1, None, True

    def come_back(self) -> None:
        """End what was wrong."""
        self.refusal = None
        self.feed.resume()
        self.plug_in()


class _Device:
    """A container of lavfi at the pace of the driver's clock."""

    def __init__(self, driver: Camera, container: Any) -> None:
        self._driver, self._container, self.streams = driver, container, container.streams

    def demux(self, *streams: Any) -> Iterator[Any]:
        driver = self._driver
        packets = self._container.demux(*streams)
        for _ in driver.feed.frames(lambda: False):
            if driver.failure is not None:
                raise driver.failure
            driver.sent += 1
            yield next(packets)

    def close(self) -> None:
        self._driver.closed += 1
        self._container.close()
