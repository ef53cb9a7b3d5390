"""A way for audio to leave the program, as `devices/` has one file for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

Pull = Callable[[int, float], np.ndarray]
"""Return the next frames, given the number and the playback time (`time.perf_counter()`) of the first. Never
blocks or raises.
"""


class AudioDevice(Protocol):
    """A device that plays float32 [frames, 2] at 48 kHz. It takes frames from a thread of its own."""

    @property
    def name(self) -> str:
        """The system's name of it."""

    def start(self, pull: Pull, lost: Callable[[], None]) -> None:
        """Begin to take frames; `lost` is called once, from any thread, if the device goes away.

        Raises:
            SoundDeviceError: it does not begin.
        """

    def close(self) -> None:
        """Stop at once, and let the device go. Twice is allowed."""


@dataclass(frozen=True)
class DeviceKind:
    """A kind of device, defined as DEVICE in the module of that name.

    Attributes:
        names: returns the present devices, by the names that `open` accepts.
        open: opens one of them, '' for the system's default.
    """

    names: Callable[[], list[str]]
    open: Callable[[str], AudioDevice]
