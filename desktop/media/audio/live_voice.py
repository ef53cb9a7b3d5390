"""Audio of a live source, played as it arrives, delayed by a jitter buffer, never before its video. Drift of
the sender's clock is removed in one step with a fade once it is too large.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

import numpy as np

from desktop.media.audio.output import SoundOutput
from desktop.media.audio.samples import RATE, faded, silence

# Buffered length before playback starts, or resumes after an underrun.
_JITTER: Final = round(0.08 * RATE)
# Further behind the video than this, the audio catches up.
_BEHIND_S: Final = 0.4
_AHEAD_S: Final = 3.0
_MOST: Final = 5 * RATE


class LiveVoice:
    """Is given samples by a source's thread, and speaks to an output."""

    wants_device = True

    def __init__(self, output: SoundOutput) -> None:
        self._output = output
        self._lock = threading.Lock()
        self._queue: deque[tuple[float, np.ndarray]] = deque()
        self._queued = 0
        self._sounding = False
        # Time stamp of the newest frame, and when it came.
        self._picture: tuple[float, float] | None = None
        output.add(self)

    def show(self, pts: float, now: float) -> None:
        """A frame with this time stamp, in seconds, is shown now."""
        with self._lock:
            self._picture = (pts, now)

    def add(self, pts: float, samples: np.ndarray) -> None:
        """Take float32 [frames, 2] with the time stamp of the first."""
        with self._lock:
            self._queue.append((pts, samples))
            self._queued += len(samples)
            while self._queued > _MOST:
                self._drop_first()

    def clear(self) -> None:
        """Discard the buffer: the stream has restarted."""
        with self._lock:
            self._queue.clear()
            self._queued, self._picture = 0, None

    def _drop_first(self) -> None:
        _, samples = self._queue.popleft()
        self._queued -= len(samples)

    def render(self, first: int, frames: int) -> np.ndarray | None:
        """See `Speaking`."""
        with self._lock:
            begins = not self._sounding
            if begins and not self._may_begin():
                return None
            if self._catch_up():
                begins = True
            parts, filled = [], 0
            while filled < frames and self._queue:
                pts, samples = self._queue.popleft()
                part, rest = samples[: frames - filled], samples[frames - filled :]
                if len(rest):
                    self._queue.appendleft((pts + len(part) / RATE, rest))
                parts.append(part)
                filled += len(part)
            self._queued -= filled
            self._sounding = filled == frames
        said = np.concatenate(parts) if parts else silence(0)
        return np.concatenate([faded(said, begins=begins, ends=filled < frames), silence(frames - filled)])

    def _may_begin(self) -> bool:
        if self._queued < _JITTER:
            return False
        # Audio that is further ahead than any jitter has another clock than the video.
        return not -_AHEAD_S < self._lag() < 0.0

    def _lag(self) -> float:
        """Delay of the next audio against the video, in seconds; 0.0 without a frame."""
        if self._picture is None or not self._queue:
            return 0.0
        pts, at = self._picture
        return pts + self._output.now() - at - self._queue[0][0]

    def _catch_up(self) -> bool:
        if self._lag() < _BEHIND_S or self._queued < 2 * _JITTER:
            return False
        while self._queued > 2 * _JITTER:
            self._drop_first()
        return True

    def close(self) -> None:
        """Disconnect from the output."""
        self._output.remove(self)
