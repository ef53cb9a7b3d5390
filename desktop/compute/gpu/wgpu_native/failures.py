"""Detect the loss of a device from error messages, as wgpu-py does not implement `GPUDevice.lost_async`."""

from __future__ import annotations

import logging
import re
import threading
from typing import Final

from desktop.compute.gpu.wgpu_native import version
from desktop.compute.gpu.wgpu_native.messages import gpu_reason

# 'Parent device is lost'
_LOSS: Final = re.compile(r"\bdevice (is |was )?lost\b", re.IGNORECASE)
# 'The WGPU device was lost (unknown):', and the driver's message in the lines below
_LOGGED: Final = re.compile(r"\bdevice was lost(?: \((?P<reason>[\w-]*)\))?", re.IGNORECASE)
_OWN_DOING: Final = "destroyed"


def is_loss(error: BaseException) -> bool:
    """Return True if an error of wgpu was caused by the loss of the device.

    Only the last line of causes counts (any, for unknown versions): others may hold a user's file names.
    """
    if not version.is_known():
        return "lost" in str(error).lower()
    return _LOSS.search(gpu_reason(error)) is not None


class LossWatch(logging.Handler):
    """Watches wgpu-py's log until `close` for the loss of any device, but not the closing of a `Gpu`."""

    def __init__(self, device: object = None) -> None:
        super().__init__(logging.WARNING)
        self._lost = threading.Event()
        logging.getLogger("wgpu").addHandler(self)

    @property
    def is_lost(self) -> bool:
        """Return True once a loss was logged; on any thread."""
        return self._lost.is_set()

    def is_loss(self, error: BaseException) -> bool:
        """Return True if an error was caused by the loss of the device."""
        return self.is_lost or is_loss(error)

    def emit(self, record: logging.LogRecord) -> None:
        found = _LOGGED.search(record.getMessage())
        if found is not None and (found["reason"] or "").lower() != _OWN_DOING:
            self._lost.set()

    def close(self) -> None:
        """Stop watching."""
        logging.getLogger("wgpu").removeHandler(self)
        super().close()
