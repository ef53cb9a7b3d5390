"""Map the program's clock to the frames of an audio device."""

from __future__ import annotations

from typing import Final

from desktop.media.audio.samples import RATE

# Clocks are off by 0.01 %, threads by some ms: small corrections avoid both drift and jitter.
_SHARE: Final = 0.05
# With a larger error the device has stalled.
_JUMP: Final = 0.08


class DeviceClock:
    """Linear fit of (frame, time of playback) to each block that the device takes. Not thread-safe."""

    def __init__(self) -> None:
        self._frame = 0
        self._at: float | None = None

    def reset(self) -> None:
        """Reset for another device."""
        self._at = None

    def observe(self, frame: int, at: float) -> None:
        """Add the observation that `frame` will be heard `at`."""
        if self._at is None:
            self._frame, self._at = frame, at
            return
        expected = self._at + (frame - self._frame) / RATE
        error = at - expected
        self._at = at if abs(error) > _JUMP else expected + _SHARE * error
        self._frame = frame

    def frame_at(self, now: float) -> float | None:
        """Return the frame heard `now`, extrapolated without limit; None if there is no device."""
        return None if self._at is None else self._frame + (now - self._at) * RATE
