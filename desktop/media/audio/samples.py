"""Sample format during playback: float32 [frames, 2] at 48 kHz, left and right, full scale at 1."""

from __future__ import annotations

from typing import Final

import numpy as np

RATE: Final = 48_000
CHANNELS: Final = 2
# 5 ms: a shorter fade is heard as a click, a longer one as a gap.
FADE: Final = RATE // 200


def silence(frames: int) -> np.ndarray:
    """Return `frames` of silence."""
    return np.zeros((frames, CHANNELS), np.float32)


def faded(samples: np.ndarray, *, begins: bool = False, ends: bool = False) -> np.ndarray:
    """Return a copy that is faded in at its beginning, or out at its end, within 5 ms."""
    out = samples.copy()
    length = min(FADE, len(out))
    ramp = np.linspace(0.0, 1.0, length, endpoint=False, dtype=np.float32)[:, None]
    if begins and length:
        out[:length] *= ramp
    if ends and length:
        out[-length:] *= ramp[::-1]
    return out
