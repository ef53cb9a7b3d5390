"""Is the device still there? What its log, its errors and its read-backs say of it."""

from __future__ import annotations

import logging
import threading

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.errors import DeviceLostError
from desktop.wording import sentence


class _LossLog(logging.Handler):
    """Hears wgpu-py say that the device was lost: the log is the only place where it does (docs/facts.md)."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lost = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage().lower()
        # "Destroyed" is our own doing: another `Gpu` of this process was closed.
        if "device was lost" in text and "(destroyed)" not in text:
            self.lost.set()


class DeviceWatch:
    """Watches one device from when it is made until `close`."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._log = _LossLog()
        logging.getLogger("wgpu").addHandler(self._log)

    def is_lost(self) -> bool:
        """True if the device is known to be gone; for any thread."""
        return self._log.lost.is_set()

    def is_loss(self, error: wgpu.GPUError) -> bool:
        """True if an error comes of the device's being gone."""
        return self.is_lost() or "lost" in str(error).lower()

    def error(self) -> DeviceLostError:
        """Return what to raise once it is gone."""
        return DeviceLostError(
            sentence(
                "The GPU {name} stopped working; its driver was reset or it was unplugged.",
                name=self._gpu.adapter.name,
            )
        )

    def close(self) -> None:
        """Stop to listen."""
        logging.getLogger("wgpu").removeHandler(self._log)
