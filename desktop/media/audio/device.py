"""A way for audio to leave the program, as `devices/` has one file for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

Pull = Callable[[int, float], np.ndarray]
"""Returns the next frames, given the number of the first and when it will be heard (`time.perf_counter()`). Never blocks or raises."""


class AudioDevice(Protocol):
    """A device that plays float32 [frames, 2] at 48 kHz. It takes frames from a thread of its own."""

    @property
    def name(self) -> str:
        """What the system calls it."""

    def start(self, pull: Pull, lost: Callable[[], None]) -> None:
        """Begin to take frames; `lost` is called once, from any thread, if the device goes away.

        Raises:
            SoundDeviceError: it does not begin.
        """

    def close(self) -> None:
        """Stop at once, and let the device go. Twice is allowed."""


@dataclass(frozen=True)
class DeviceKind:
    """Description of a device kind, as DEVICE in its module, whose name is the kind's.

    Attributes:
        names: returns the present devices, each by the name that `open` accepts.
        open: opens one of them, '' for the system's default.
    """

    names: Callable[[], list[str]]
    open: Callable[[str], AudioDevice]
