"""Buffer of the last seconds of frames, for clips of events.

A thread scales each frame to at most 1920 pixels a side and stores it as JPEG, for as long as clips need and
up to 256 MB. With three frames queued further live ones are dropped: the display never waits. Not raw frames
(5 s of 1080p: 1.2 GB) or H.264, which could only begin at a key frame.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace

from desktop.base.errors import LightloomError
from desktop.media.containers import packet_of

log = logging.getLogger(__name__)

MOST_BYTES: Final = 256 << 20
LONGEST_S: Final = 60.0
"""Of a clip: an event after that begins another one."""
_LONGEST_SIDE: Final = 1920
_AHEAD: Final = 3
# Results come later than their frames, and a sink's thread begins a moment after them.
_SLACK_S: Final = 3.0
# In batch work the frames wait for a clip that is being written and more than so many behind.
_BEHIND: Final = 64
# Nearly lossless (2 of FFmpeg's 1 to 31, in its units), since the clip's encoder follows.
_QUALITY: Final = {"flags": "+qscale", "qmin": "1", "global_quality": str(2 * 118)}
# Time stamps of files are rounded.
_ROUNDING_S: Final = 0.002


@dataclass(frozen=True)
class Shot:
    """A buffered frame: its number, its presentation time in seconds, JPEG, and (width, height) in pixels."""

    number: int
    pts: float
    jpeg: bytes
    size: tuple[int, int]


class ClipOrder:
    """A requested clip; events that occur while it is being written extend it. Thread-safe."""

    def __init__(self, clip_buffer: ClipBuffer, start: float, end: float, position: int) -> None:
        self._clip_buffer = clip_buffer
        self.start, self.end = start, end
        self.position = position  # of the shot that is written next
        self.stops_at: int | None = None  # of the first shot that does not follow those before it
        self.is_open = True
        self.is_begun = False
        self.file: Path | None = None
        self.failure = ""

    def begin(self) -> bool:
        """Take it on; False where another event that it is of has done so."""
        before, self.is_begun = self.is_begun, True
        return not before

    def shots(self) -> Iterator[Shot]:
        """Yield its frames, waiting for future ones; see `ClipBuffer`."""
        return self._clip_buffer.shots_of(self)

    def forsake(self, failure: str) -> None:
        """Give up an event of the clip, which is then not written, unless already being written."""
        if not self.is_begun:
            self.drop(failure)

    def drop(self, failure: str) -> None:
        """It is written no further: for a reason, or '' where it is whole."""
        self.failure = failure
        self._clip_buffer.close_order(self)


class ClipBuffer:
    """Keeps the last frames. `add` and `use` are for the thread that renders."""

    def __init__(
        self, *, wait: bool = False, most_bytes: int = MOST_BYTES, longest_s: float = LONGEST_S
    ) -> None:
        """Start. An event later than `longest_s` begins another clip; `wait`: drop no frame (batch work)."""
        self._wait = wait
        self._most_bytes, self._longest_s = most_bytes, longest_s
        self._seconds: float | None = None
        self._shots: deque[Shot] = deque()
        self._bytes = self._next = 0
        self._cut_at = 0  # number of the first shot that follows the last cut
        self._orders: list[ClipOrder] = []
        self._latest: dict[Hashable, ClipOrder] = {}
        self._incoming: deque[tuple[Callable[[], np.ndarray], float]] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._thread: threading.Thread | None = None

    def use(self, seconds: float | None) -> None:
        """Keep so many seconds; None for nothing."""
        with self._changed:
            self._seconds = seconds
            self._trim()
        if seconds is not None and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="film", daemon=True)
            self._thread.start()

    @property
    def wants(self) -> bool:
        """True if a frame should be added: clips may be requested, and there is room for it."""
        can_buffer = self._wait or len(self._incoming) < _AHEAD
        return self._seconds is not None and not self._ended and can_buffer

    @property
    def waiting(self) -> int:
        """Number of frames that wait to be stored."""
        return len(self._incoming)

    @property
    def buffered_bytes(self) -> int:
        """Number of bytes in the buffer."""
        return self._bytes

    def add(self, picture: Callable[[], np.ndarray], pts: float) -> None:
        """Store a frame. `picture` waits for it, on the video's thread, once: uint8 [height, width, 4]. A
        `pts` in seconds that is not later than the previous one marks a cut.
        """
        with self._changed:
            while self._wait and not self._ended and (len(self._incoming) >= _AHEAD or self._is_behind()):
                self._changed.wait(0.5)
            self._incoming.append((picture, pts))
            self._changed.notify_all()

    def _is_behind(self) -> bool:
        # A clip that is not begun may wait for one of the same action, which needs frames to come.
        return any(order.is_begun and self._next - order.position > _BEHIND for order in self._orders)

    def cut(self) -> None:
        """Note a discontinuity: clips end there, and later ones begin after it."""
        with self._changed:
            # What waits to be kept came before it.
            self._cut(self._next + len(self._incoming))

    def _cut(self, at: int) -> None:
        for order in self._orders:
            if order.stops_at is None:
                order.stops_at = at
        self._latest.clear()
        self._cut_at = max(at, self._cut_at)
        self._trim()
        self._changed.notify_all()

    def end(self) -> None:
        """No frame comes any more; clips end with what there is."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(2.0)
        with self._changed:
            self._cut(self._next)

    # -- clips -----------------------------------------------------------------------------------------------

    def order(self, key: Hashable, at: float, before: float, after: float) -> ClipOrder:
        """Request a clip around a time; an unfinished one with the same `key` is extended up to the limit."""
        with self._changed:
            last = self._latest.get(key)
            if last is not None and last.is_open and 0.0 <= at + after - last.start <= self._longest_s:
                last.end = max(last.end, at + after)
                return last
            start = at - before - _ROUNDING_S
            coming = max(self._next, self._cut_at)
            position = next((shot.number for shot in self._shots if self._is_after(shot, start)), coming)
            made = ClipOrder(self, start, at + after + _ROUNDING_S, position)
            if self._ended:
                made.stops_at = self._next
            self._orders.append(made)
            self._latest[key] = made
            return made

    def _is_after(self, shot: Shot, start: float) -> bool:
        return shot.number >= self._cut_at and shot.pts >= start

    def shots_of(self, order: ClipOrder) -> Iterator[Shot]:
        """See `ClipOrder.shots`."""
        while (shot := self._take(order)) is not None:
            yield shot

    def _take(self, order: ClipOrder) -> Shot | None:
        with self._changed:
            while True:
                index = order.position - self._shots[0].number if self._shots else 0
                # What was dropped for want of memory is passed over.
                shot = self._shots[max(0, index)] if index < len(self._shots) else None
                if self._is_over(order, shot):
                    self._close(order)
                    return None
                if shot is not None and shot.pts < order.start:
                    # It waited to be kept when the clip was ordered.
                    order.position = shot.number + 1
                    continue
                if shot is not None:
                    order.position = shot.number + 1
                    self._trim()
                    self._changed.notify_all()
                    return shot
                self._changed.wait(0.5)

    def _is_over(self, order: ClipOrder, shot: Shot | None) -> bool:
        number = order.position if shot is None else shot.number
        if order.stops_at is not None and number >= order.stops_at:
            return True
        return shot is not None and shot.pts > order.end

    def close_order(self, order: ClipOrder) -> None:
        """See `ClipOrder.drop`."""
        with self._changed:
            self._close(order)

    def _close(self, order: ClipOrder) -> None:
        order.is_open = False
        if order in self._orders:
            self._orders.remove(order)
        self._trim()
        self._changed.notify_all()

    def _trim(self) -> None:
        """Let go of what no clip can want any more, and of the oldest where all is too much."""
        needed = min((order.position for order in self._orders), default=self._next)
        newest = self._shots[-1].pts if self._shots else 0.0
        oldest = newest - self._seconds - _SLACK_S if self._seconds is not None else math.inf

        def is_expired(shot: Shot) -> bool:
            return shot.number < needed and (shot.number < self._cut_at or shot.pts < oldest)

        while self._shots and (self._bytes > self._most_bytes or is_expired(self._shots[0])):
            self._bytes -= len(self._shots.popleft().jpeg)

    # -- on its thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        encoder = _Encoder()
        while (item := self._wait_for_picture()) is not None:
            picture, pts = item
            try:
                jpeg, size = encoder.encode(picture())
            except Exception as error:
                # Keep the thread alive after any error: without it no clip is written and commands wait forever.
                is_own_fault = not isinstance(error, LightloomError | av.FFmpegError | ValueError | OSError)
                log.warning("a frame of a clip is missing: %s", error, exc_info=is_own_fault)
                with self._changed:
                    self._incoming.popleft()
                    self._discard_one()
                    self._changed.notify_all()
                continue
            self._store(jpeg, pts, size)

    def _wait_for_picture(self) -> tuple[Callable[[], np.ndarray], float] | None:
        with self._changed:
            while not self._incoming:
                if self._ended:
                    return None
                self._changed.wait()
            return self._incoming[0]

    def _discard_one(self) -> None:
        """A frame that waited gets no number: a cut that counted on it is one earlier."""
        for order in self._orders:
            if order.stops_at is not None and order.stops_at > self._next:
                order.stops_at -= 1
        if self._cut_at > self._next:
            self._cut_at -= 1

    def _store(self, jpeg: bytes, pts: float, size: tuple[int, int]) -> None:
        with self._changed:
            self._incoming.popleft()
            last = self._shots[-1] if self._shots else None
            if last is not None and (not pts > last.pts or size != last.size):
                self._cut(self._next)
            self._shots.append(Shot(self._next, pts, jpeg, size))
            self._next += 1
            self._bytes += len(jpeg)
            self._trim()
            self._changed.notify_all()


class _Encoder:
    """Makes JPEG of frames of one size after another."""

    def __init__(self) -> None:
        self._context: Any = None

    def encode(self, pixels: np.ndarray) -> tuple[bytes, tuple[int, int]]:
        """Return a frame as JPEG, made smaller where it is large, and its (width, height)."""
        height, width = pixels.shape[:2]
        scale = min(1.0, _LONGEST_SIDE / max(width, height))
        # Even sides, as all encoders of videos take.
        across, down = (max(2, round(side * scale / 2) * 2) for side in (width, height))
        size = (across, down)
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgba").reformat(
            across,
            down,
            format="yuvj420p",
            dst_colorspace=Colorspace.ITU601,
            dst_color_range=ColorRange.JPEG,
        )
        if self._context is None or (self._context.width, self._context.height) != size:
            self._context = av.CodecContext.create("mjpeg", "w")
            self._context.width, self._context.height = size
            self._context.pix_fmt = "yuvj420p"
            self._context.time_base = Fraction(1, 30)  # requested by every encoder
            self._context.thread_count = 1  # with more, they wait for further frames
            self._context.options = _QUALITY
        frame.pts = None
        return b"".join(bytes(packet) for packet in self._context.encode(frame)), size


class ShotDecoder:
    """Makes frames of shots again."""

    def __init__(self) -> None:
        self._context: Any = av.CodecContext.create("mjpeg", "r")
        self._context.thread_count = 1

    def decode(self, shot: Shot) -> np.ndarray:
        """Return a frame as uint8 [height, width, 4] R'G'B'A; av.FFmpegError if it cannot be decoded."""
        (frame,) = self._context.decode(packet_of(shot.jpeg))
        converted = frame.reformat(
            format="rgba", src_colorspace=Colorspace.ITU601, src_color_range=ColorRange.JPEG
        )
        return converted.to_ndarray()
