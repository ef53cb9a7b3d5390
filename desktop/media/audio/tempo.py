"""Change speed at the same pitch, by FFmpeg's `atempo` (WSOLA), whose output is half a window (1024 frames)
early: corrected here to within 15 ms. Not `rubberband`: GPL, and in no wheel of PyAV.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final

import av
import av.filter
import numpy as np

from desktop.media.audio.samples import CHANNELS, RATE, silence

_HALF_WINDOW: Final = 1024
_BASE: Final = Fraction(1, RATE)


class Tempo:
    """Changes frames to `speed` times their pace; `position` counts input frames before the next output."""

    def __init__(self, speed: float) -> None:
        self.speed = speed
        self._given = 0
        self._lead = 0.0
        self._pushed = 0
        self._graph: Any = None if speed == 1.0 else self._build()

    @property
    def position(self) -> float:
        """See the class."""
        return self._given * self.speed + self._lead

    def _build(self) -> Any:
        # One filter takes 0.5 to 100 but leaves frames out beyond 2.
        count = max(1, math.ceil(abs(math.log2(self.speed)) - 1e-9))
        factor = self.speed ** (1 / count)
        graph = av.filter.Graph()
        # `atempo` uses no others, and they stay until cycles are collected (PyAV 19).
        graph.threads = 1
        last = graph.add_abuffer(sample_rate=RATE, format="flt", layout="stereo", time_base=_BASE)
        for stage in range(count):
            filtered = graph.add("atempo", f"{factor:.9f}")
            last.link_to(filtered)
            last = filtered
            self._lead += _HALF_WINDOW * factor**stage
        sink = graph.add("abuffersink")
        last.link_to(sink)
        graph.configure()
        return graph

    def feed(self, samples: np.ndarray) -> np.ndarray:
        """Take float32 [frames, 2], return what comes of it so far."""
        if self._graph is None:
            self._given += len(samples)
            return samples
        if not len(samples):
            return silence(0)
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(samples).reshape(1, -1), format="flt", layout="stereo"
        )
        frame.sample_rate, frame.pts, frame.time_base = RATE, self._pushed, _BASE
        self._pushed += len(samples)
        self._graph.push(frame)
        return self._drain()

    def finish(self) -> np.ndarray:
        """Return what is left inside; nothing can be fed afterwards."""
        if self._graph is None:
            return silence(0)
        self._graph.push(None)
        return self._drain()

    def _drain(self) -> np.ndarray:
        blocks = []
        while True:
            try:
                blocks.append(self._graph.pull().to_ndarray().reshape(-1, CHANNELS))
            except (av.error.BlockingIOError, av.error.EOFError):
                break
        out = np.concatenate(blocks) if blocks else silence(0)
        self._given += len(out)
        return out
