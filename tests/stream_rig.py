"""Receivers of streams on this machine, and pictures and sound that are sent at the pace of a clock."""

from __future__ import annotations

import socket
import threading
import time

import av
import numpy as np
import psutil
from waiting import LIMIT_S, until

SIZE = (160, 96)
RATE = 25.0
COLORS = ((220, 40, 40), (40, 200, 60), (40, 60, 220), (230, 220, 60))


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(type=kind) as each:
        each.bind(("127.0.0.1", 0))
        return each.getsockname()[1]


def quarters(colors=COLORS, size=SIZE):
    """A picture with a color in each quarter."""
    width, height = size
    out = np.full((height, width, 4), 255, np.uint8)
    for index, color in enumerate(colors):
        top, left = index // 2 * height // 2, index % 2 * width // 2
        out[top : top + height // 2, left : left + width // 2, :3] = color
    return out


def quarters_of(pixels):
    """The color in the middle of each quarter, float [4, 3]."""
    height, width = pixels.shape[:2]
    found = []
    for index in range(4):
        y, x = (2 * (index // 2) + 1) * height // 4, (2 * (index % 2) + 1) * width // 4
        found.append(pixels[y - 4 : y + 4, x - 4 : x + 4, :3].mean((0, 1)))
    return np.array(found)


class Receiver:
    """Receives a stream by PyAV on a thread until it ends, has so many seconds of both pictures and sound, or
    is told to go.
    """

    def __init__(self, address, options=None, *, format=None, seconds=1e9, port=None):
        self.pictures, self.sound, self.error, self.codecs = [], [], None, {}
        self._address, self._format, self._seconds = address, format, seconds
        self._options = {"analyzeduration": "500000", **(options or {})}
        self._leave = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        if port is not None:
            until(lambda: port in self._ports() or not self.thread.is_alive(), "nobody listens")

    @staticmethod
    def _ports():
        return {each.laddr.port for each in psutil.Process().net_connections("inet") if each.laddr}

    def _run(self):
        try:
            with av.open(
                self._address, options=self._options, format=self._format, timeout=(LIMIT_S, LIMIT_S)
            ) as container:
                for packet in container.demux():
                    self.codecs.setdefault(
                        packet.stream.type, packet.stream.codec_context.codec.canonical_name
                    )
                    for frame in packet.decode():
                        if isinstance(frame, av.VideoFrame):
                            self.pictures.append((frame.time, frame.to_ndarray(format="rgb24")))
                        else:
                            self.sound.append((frame.time, frame.to_ndarray()[0]))
                    if self._leave.is_set() or self._has_both():
                        return
        except (av.FFmpegError, OSError) as error:  # FLV of a sender that goes ends with one
            self.error = error

    def _has_both(self):
        return all(kept and kept[-1][0] >= self._seconds for kept in (self.pictures, self.sound))

    def leave(self):
        self._leave.set()
        self.thread.join(LIMIT_S)


class Sender:
    """Gives a sink pictures, and sound where it is wanted, on a thread, until it is told to stop."""

    def __init__(self, sink, picture_of, sound_of=None, rate=RATE):
        self.error = None
        self._sink, self._picture_of, self._sound_of, self._rate = sink, picture_of, sound_of, rate
        self._stop = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        begun, index = time.perf_counter(), 0
        try:
            while not self._stop.is_set():
                at = begun + index / self._rate
                if self._sound_of is not None:
                    self._sink.send_audio(self._sound_of(index), at)
                self._sink.write(self._picture_of(index), at)
                index += 1
                time.sleep(max(0.0, begun + index / self._rate - time.perf_counter()))
        except Exception as error:
            self.error = error

    def stop(self):
        self._stop.set()
        self.thread.join(LIMIT_S)
        self._sink.close()
