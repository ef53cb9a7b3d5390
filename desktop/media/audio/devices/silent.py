"""Null device that takes frames in real time and reports them, for machines without audio and for tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from desktop.media.audio.device import DeviceKind, Pull
from desktop.media.audio.samples import RATE

_PERIOD: Final = RATE // 100


class SilentDevice:
    """Takes 10 ms at a time: the n-th frame counts as played n / 48000 s after the first.

    `heard` gets each block and its playback time. Unless `threaded`, frames are taken only in `advance`.
    """

    name = ""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.perf_counter,
        heard: Callable[[float, np.ndarray], None] | None = None,
        threaded: bool = True,
    ) -> None:
        self._clock = clock
        self._heard = heard
        self._threaded = threaded
        self._pull: Pull | None = None
        self._begun = 0.0
        self._taken = 0
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, pull: Pull, lost: Callable[[], None]) -> None:
        """Begin to take frames; it is never lost."""
        self._pull, self._begun, self._taken = pull, self._clock(), 0
        if self._threaded:
            self._thread = threading.Thread(target=self._run, name="silent device", daemon=True)
            self._thread.start()

    def advance(self, now: float) -> None:
        """Take all frames that are heard before `now`."""
        while self._pull is not None and (at := self._begun + self._taken / RATE) < now:
            samples = self._pull(_PERIOD, at)
            self._taken += _PERIOD
            if self._heard is not None:
                self._heard(at, samples)

    def _run(self) -> None:
        while not self._closing.wait(_PERIOD / RATE):
            self.advance(self._clock())

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        self._pull = None
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()


DEVICE: Final = DeviceKind(names=lambda: [""], open=lambda name: SilentDevice())
