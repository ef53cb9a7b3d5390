"""Limit the share of a frame's GPU time for networks, so that slow ones do not reduce the frame rate."""

from __future__ import annotations

from typing import Final

_SHARE: Final = 0.75
"""Fraction of the frame interval available; the rest is for the window system, other programs and jitter."""
_UNMEASURED: Final = 0.5
"""The same on an adapter without timestamps, for networks alone."""
_LEAST: Final = 0.25
"""Minimum, even if the chain takes nearly all: large networks would otherwise give no result for seconds."""
_TURN: Final = 0.1
"""Smoothing factor: an outlier changes little, another chain takes effect within half a second."""


class NetworkShare:
    """Time left in a frame interval by uploads, filters and drawing, estimated from the last frames. Not a
    fixed half: at 30 frames per second a diffusion network of 20 ms would have 9 results per second (H100).
    """

    def __init__(self) -> None:
        """Start without measurements."""
        self._others_ms: float | None = None
        self._networks = 1

    def took(self, others_ms: float, networks: int) -> None:
        """Add a finished frame: its GPU time without networks, and the number of networks that ran in it."""
        before = self._others_ms
        self._others_ms = others_ms if before is None else before + _TURN * (others_ms - before)
        self._networks = max(networks, 1)

    def of(self, interval_ms: float) -> float:
        """Return the milliseconds per frame for each network, at a frame interval of `interval_ms`."""
        if self._others_ms is None:
            return _UNMEASURED * interval_ms
        left = _SHARE * interval_ms - self._others_ms
        return max(left, _LEAST * interval_ms) / self._networks
