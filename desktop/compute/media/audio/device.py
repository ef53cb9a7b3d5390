"""A way for sound to leave the program, as `devices/` has one file for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

Pull = Callable[[int, float], np.ndarray]
"""Asks for the next frames: their number, and when the first of them will be heard (`time.perf_counter()`). Never blocks, never fails."""


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
    """What a file of `devices/` says of itself, as DEVICE; its name is the file's.

    Attributes:
        names: the devices that there are now, each by the name that `open` takes.
        open: opens one of them, '' for the one that the system has chosen.
    """

    names: Callable[[], list[str]]
    open: Callable[[str], AudioDevice]
