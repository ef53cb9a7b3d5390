"""Audio recorded live: timed blocks of samples are written to a track next to the frames.

Blocks come from a device's thread; the recorder's thread writes. A pause becomes silence; audio off the clock
is cut or padded. On a stalled machine blocks seem late though nothing was lost, so a late one is placed by
its most punctual successor: its own time would insert silence and discard as much audio.
"""

from __future__ import annotations

import threading
from collections import deque
from fractions import Fraction
from typing import Any, Final

import av
import numpy as np

from desktop.media.audio.samples import RATE, faded, silence

# A device's thread is late by some ms: up to here its blocks simply follow each other.
_SLACK: Final = RATE // 25
# Audio awaited after a late block to tell a stalled device from its stalled thread; more than devices buffer.
_WATCHED: Final = RATE // 2
_BLOCK: Final = RATE
_BITS: Final = 192_000
# What a frame that takes long to encode may leave waiting.
_MOST_WAITING: Final = 30 * RATE


class LiveTrack:
    """A track of an `av.container.OutputContainer` whose header is not yet written.

    `encoder`: FFmpeg's name of it; '' for the usual one of the container.
    """

    def __init__(self, output: Any, encoder: str = "") -> None:
        self._output = output
        usual = "libopus" if output.format.name == "webm" else "aac"
        self._stream = output.add_stream(encoder or usual, rate=RATE)
        self._stream.layout = "stereo"
        self._stream.bit_rate = _BITS
        self._lock = threading.Lock()
        self._waiting: deque[tuple[int, np.ndarray]] = deque()
        self._held = 0
        self._written = 0

    def add(self, at: float, samples: np.ndarray) -> None:
        """Add float32 [frames, 2] at 48 kHz, heard `at` seconds after the first frame. Thread-safe, fast."""
        with self._lock:
            self._waiting.append((round(at * RATE), samples.copy()))
            self._held += len(samples)
            while self._held > _MOST_WAITING:
                self._held -= len(self._waiting.popleft()[1])

    def write_until(self, seconds: float) -> None:
        """Write the audio before a time, on the recorder's thread. Raises OSError or av.FFmpegError."""
        self._write_waiting(round(seconds * RATE), last=False)

    def _write_waiting(self, end: int, *, last: bool) -> None:
        while (entry := self._next(end, last=last)) is not None:
            off, samples = entry
            exact = not self._written
            if off > (0 if exact else _SLACK):
                self._fill(self._written + off)
                samples = faded(samples, begins=True)
            elif off < (0 if exact else -_SLACK):
                samples = samples[-off:]
            count = max(0, end - self._written)
            self._write(samples[:count])
            self._put_back(end, samples[count:])

    def fill_until(self, seconds: float) -> None:
        """Fill gaps before a time with silence: live viewers need not wait. Raises as `write_until`."""
        self._fill(round(seconds * RATE))

    def _next(self, end: int, *, last: bool) -> tuple[int, np.ndarray] | None:
        """Take the next block that plays before `end`, with its distance from the end of the written audio."""
        with self._lock:
            if not self._waiting or self._waiting[0][0] >= end:
                return None
            off = self._offset(known=last or end - self._waiting[0][0] > _WATCHED)
            if off is None:
                return None
            _, samples = self._waiting.popleft()
            self._held -= len(samples)
        return off, samples

    def _offset(self, *, known: bool) -> int | None:
        """Return the first block's distance from the written end; None to await more, unless `known`."""
        off = self._waiting[0][0] - self._written
        if off <= _SLACK and self._written:
            return off
        place = self._written
        for begin, samples in self._waiting:
            off = min(off, begin - place)
            place += len(samples)
            if place - self._written > _WATCHED:
                known = True
                break
        if not known:
            return None
        return max(0, off) if self._written else off

    def _put_back(self, begin: int, samples: np.ndarray) -> None:
        """Return the part of a block after the current end to the queue, for the next frame."""
        if len(samples):
            with self._lock:
                self._waiting.appendleft((begin, samples))
                self._held += len(samples)

    def _fill(self, until: int) -> None:
        while self._written < until:
            self._write(silence(min(_BLOCK, until - self._written)))

    def _write(self, samples: np.ndarray) -> None:
        if not len(samples):
            return
        # PyAV brings it to the encoder's format and frame size.
        data = np.ascontiguousarray(np.clip(samples, -1.0, 1.0)).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(data, format="flt", layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = RATE, self._written, Fraction(1, RATE)
        self._written += len(samples)
        for packet in self._stream.encode(frame):
            self._output.mux(packet)

    def finish(self, seconds: float) -> None:
        """Write the rest, up to the end of the frames. Raises OSError or av.FFmpegError."""
        end = round(seconds * RATE)
        self._write_waiting(end, last=True)
        self._fill(end)
        for packet in self._stream.encode(None):
            self._output.mux(packet)
