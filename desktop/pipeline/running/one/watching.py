"""Read back, some frames later, whether images are similar to that of the last result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.readback import ReadbackRing
from desktop.compute.nn.session import SimilarityTest

if TYPE_CHECKING:
    import wgpu

_BYTES: Final = 4
_SLOTS: Final = 3


class Watch:
    """Reads a session's similarity tests (4 bytes per image) without blocking. For the rendering thread.

    A similar frame needs only the session's first `dispatches`; `is_still` is the newest test's result.
    """

    def __init__(self, gpu: Gpu, test: SimilarityTest, on_news: Callable[[], None]) -> None:
        """Start the thread that waits; it calls `on_news`, which must only wake another thread."""
        self._test = test
        self._ring = ReadbackRing(gpu, _SLOTS, _BYTES)
        self._ring.on_arrival = on_news
        self._generation = 0
        self.dispatches = test.dispatches
        self.is_still = False

    def update(self) -> None:
        """Accept the test results that arrived."""
        for arrival in self._ring.arrivals():
            if arrival.note == self._generation:
                self.is_still = bool(np.frombuffer(arrival.data, np.uint32)[0])

    def encode(self, encoder: wgpu.GPUCommandEncoder) -> Callable[[], None] | None:
        """Record a test result's copy; return what to call after submission, or None if too many wait."""
        slot = self._ring.take()
        if slot is None:
            return None
        encoder.copy_buffer_to_buffer(self._test.buffer, self._test.offset, slot.buffer, 0, _BYTES)
        generation = self._generation
        return lambda: self._ring.submitted(slot, generation, _BYTES)

    def discard_results(self) -> None:
        """Discard results in flight: the next frame is processed."""
        self._generation += 1
        self.is_still = False

    def close(self) -> None:
        """Stop the thread."""
        self._ring.close()
