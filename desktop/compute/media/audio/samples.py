"""What sound is while it is played: float32 [frames, 2] at 48 kHz, left and right, full scale at 1."""

from __future__ import annotations

from typing import Final

import numpy as np

RATE: Final = 48_000
CHANNELS: Final = 2
# 5 ms: shorter is heard as a click, longer as a hole.
FADE: Final = RATE // 200


def silence(frames: int) -> np.ndarray:
    """Return `frames` of nothing."""
    return np.zeros((frames, CHANNELS), np.float32)


def faded(samples: np.ndarray, *, begins: bool = False, ends: bool = False) -> np.ndarray:
    """Return a copy that rises from nothing at its beginning, or falls to nothing at its end, within 5 ms."""
    out = samples.copy()
    length = min(FADE, len(out))
    ramp = np.linspace(0.0, 1.0, length, endpoint=False, dtype=np.float32)[:, None]
    if begins and length:
        out[:length] *= ramp
    if ends and length:
        out[-length:] *= ramp[::-1]
    return out
