"""Reads packets on a thread of its own, so that a read that never returns holds up neither frames nor `close`.

FFmpeg's own timeouts do not suffice: a driver may hang, and PyAV skips packets of streams that appeared after
the opening (a restarted sender numbers them anew) without returning, for as long as such packets arrive.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import av

from desktop.base.clock import Clock

# Packets that wait for the decoder.
_AHEAD: Final = 4
_POLL_S: Final = 0.1


@dataclass(frozen=True)
class Read:
    """A packet with the times before and after its reading; None, or an error, at the end of the connection."""

    packet: Any
    asked: float
    arrived: float
    error: Exception | None = None


class PacketReader:
    """Owns a container of PyAV (or an object with its `streams`, `demux` and `close`), and reads all its streams.

    `video` is its first video stream. It is looked up once: FFmpeg changes the type of a stream while it reads, if a
    restarted sender announces another one under the same number, and then there may be no video stream any more.
    `idle` is called on the reading thread, with the time of the last packet, where a device has no new data; it
    waits a moment, or raises.
    """

    def __init__(self, container: Any, clock: Clock, name: str, idle: Callable[[float], None]) -> None:
        self.container = container
        self.video = container.streams.video[0]
        self._clock, self._idle = clock, idle
        self._reads: queue.Queue[Read] = queue.Queue(_AHEAD)
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._has_ended = self._is_left = False
        # Packets of the video that found no place in the queue.
        self._unplaced = 0
        self._thread = threading.Thread(target=self._run, name=f"{name} packets", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def get(self) -> Read | None:
        """Return the next packet or the end; None if there is neither within a tenth of a second."""
        try:
            return self._reads.get(timeout=_POLL_S)
        except queue.Empty:
            return None

    def close(self) -> int:
        """Close the container, or leave that to a thread that still reads; return the number of packets of the
        first video stream that were read and not taken.
        """
        self._stopping.set()
        # First: a thread that waits for a place in the queue counts its packet itself.
        if self._thread.is_alive():
            self._thread.join(_POLL_S)
        left = self._unplaced
        while not self._reads.empty():
            left += self._is_video(self._reads.get().packet)
        with self._lock:
            self._is_left = self._thread.is_alive() and not self._has_ended
        if not self._is_left:
            self.container.close()
        return left

    def _run(self) -> None:
        try:
            for read in self._read_all():
                self._put(read)
        except Exception as error:
            # Handed over whole, and raised on the thread that takes the packets.
            self._put(Read(None, 0.0, 0.0, error))
        with self._lock:
            self._has_ended = True
            is_left = self._is_left
        if is_left:
            self.container.close()

    def _read_all(self) -> Iterator[Read]:
        wanted = tuple(self.container.streams)
        packets = self.container.demux(*wanted)
        last = self._clock.now()
        while not self._stopping.is_set():
            asked = self._clock.now()
            try:
                packet = next(packets)
            except av.error.BlockingIOError:
                # A device without new data (avfoundation); the exception exhausts PyAV's iterator.
                self._idle(last)
                packets = self.container.demux(*wanted)
                continue
            except (av.error.EOFError, StopIteration):
                yield Read(None, last, last)
                return
            last = self._clock.now()
            yield Read(packet, asked, last)

    def _put(self, read: Read) -> None:
        while not self._stopping.is_set():
            try:
                self._reads.put(read, timeout=_POLL_S / 4)
            except queue.Full:
                continue
            return
        self._unplaced += self._is_video(read.packet)

    def _is_video(self, packet: Any) -> bool:
        # The end of a stream is an empty packet.
        is_frame = packet is not None and packet.size > 0
        return is_frame and packet.stream.index == self.video.index
