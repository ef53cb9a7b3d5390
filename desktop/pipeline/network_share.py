"""Limit the part of a frame's GPU time that networks may take, so that slow ones do not reduce the frame rate."""

from __future__ import annotations

from typing import Final

_SHARE: Final = 0.75
"""Fraction of the frame interval available; the rest is for the window system, other programs and jitter."""
_UNMEASURED: Final = 0.5
"""The same on an adapter without timestamps, for networks alone."""
_LEAST: Final = 0.25
"""The minimum beside a chain that takes nearly all: otherwise a network of some hundred dispatches would have no result for seconds."""
_TURN: Final = 0.1
"""Smoothing factor: an outlier changes little, another chain takes effect within half a second."""


class NetworkShare:
    """The time left in a frame interval beside uploads, filters and drawing, estimated from the last frames.

    The previous rule was a fixed half for each network: a diffusion network of some 20 ms had 15 results a second at 60 frames per second
    on an H100 and 9 at 30; and beside a chain of 12 ms, half of 17 ms is more than there is.
    """

    def __init__(self) -> None:
        """Start without measurements."""
        self._others_ms: float | None = None
        self._networks = 1

    def took(self, others_ms: float, networks: int) -> None:
        """Add the measurement of a finished frame.

        Args:
            others_ms: its GPU time without networks.
            networks: the number of networks that had a part of it.
        """
        before = self._others_ms
        self._others_ms = others_ms if before is None else before + _TURN * (others_ms - before)
        self._networks = max(networks, 1)

    def of(self, interval_ms: float) -> float:
        """Return the milliseconds per frame for each network, at a frame interval of `interval_ms`."""
        if self._others_ms is None:
            return _UNMEASURED * interval_ms
        left = _SHARE * interval_ms - self._others_ms
        return max(left, _LEAST * interval_ms) / self._networks
