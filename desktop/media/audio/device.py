"""A way for audio to leave the program, as `devices/` has one file for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

Pull = Callable[[int, float], np.ndarray]
"""Return frames from a number and playback time (`time.perf_counter()`) on. Never blocks or raises."""


class AudioDevice(Protocol):
    """A device that plays float32 [frames, 2] at 48 kHz. It takes frames from a thread of its own."""

    @property
    def name(self) -> str:
        """The system's name of it."""

    def start(self, pull: Pull, lost: Callable[[], None]) -> None:
        """Begin, or raise SoundDeviceError; `lost` is called once, on any thread, if the device goes away."""

    def close(self) -> None:
        """Stop at once, and let the device go. Twice is allowed."""


@dataclass(frozen=True)
class DeviceKind:
    """A kind of device (DEVICE in its module); `open` takes one of `names()`, '' for the default."""

    names: Callable[[], list[str]]
    open: Callable[[str], AudioDevice]
