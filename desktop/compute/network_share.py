"""How much of a frame's GPU time networks may take, so that slow ones never slow the pictures."""

from __future__ import annotations

from typing import Final

_SHARE: Final = 0.75
"""Of the time between two pictures; the rest is for the window system, other programs and jitter."""
_UNMEASURED: Final = 0.5
"""The same where an adapter tells no times, for networks alone."""
_LEAST: Final = 0.25
"""The same beside a chain that takes nearly all: without it a network of some hundred steps would have no result for seconds."""
_TURN: Final = 0.1
"""Of a frame's figure in the smoothed one: a hiccup changes little, another chain is felt within half a second."""


class NetworkShare:
    """What is left of the time between two pictures beside uploads, filters and drawing, as the last frames took it.

    A fixed half for each network was the rule before: a diffusion network of some 20 ms had 15 results a second at 60 pictures a second
    on an H100 and 9 at 30; and half of 17 ms beside a chain of 12 is more than there is.
    """

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._others_ms: float | None = None
        self._networks = 1

    def took(self, others_ms: float, networks: int) -> None:
        """A frame has come back.

        Args:
            others_ms: GPU time of all in it but networks.
            networks: how many networks had a part of it.
        """
        before = self._others_ms
        self._others_ms = others_ms if before is None else before + _TURN * (others_ms - before)
        self._networks = max(networks, 1)

    def of(self, interval_ms: float) -> float:
        """Return the milliseconds that each network may take of a frame, where pictures are `interval_ms` apart."""
        if self._others_ms is None:
            return _UNMEASURED * interval_ms
        left = _SHARE * interval_ms - self._others_ms
        return max(left, _LEAST * interval_ms) / self._networks
