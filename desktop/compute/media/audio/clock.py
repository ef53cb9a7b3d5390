"""Which frame of a device is heard at a moment of the program's clock."""

from __future__ import annotations

from typing import Final

from desktop.compute.media.audio.samples import RATE

# A device's clock is off by 0.01 % or so, and a thread that waits for the interpreter is late by some ms: a small share of what is
# seen to be wrong is corrected each time, so that the picture neither drifts nor trembles.
_SHARE: Final = 0.05
# Further off, the device has stood still.
_JUMP: Final = 0.08


class DeviceClock:
    """A line through (frame, when it is heard), mended by each block that the device takes. Not safe for several threads."""

    def __init__(self) -> None:
        self._frame = 0
        self._at: float | None = None

    def forget(self) -> None:
        """Another device begins."""
        self._at = None

    def observe(self, frame: int, at: float) -> None:
        """Take in that `frame` will be heard `at`."""
        if self._at is None:
            self._frame, self._at = frame, at
            return
        expected = self._at + (frame - self._frame) / RATE
        error = at - expected
        self._at = at if abs(error) > _JUMP else expected + _SHARE * error
        self._frame = frame

    def frame_at(self, now: float) -> float | None:
        """Return the frame heard `now`, as if the device went on for ever; None if there is no device."""
        return None if self._at is None else self._frame + (now - self._at) * RATE
