"""Is a device gone? wgpu-py tells it in words only: it does not implement `GPUDevice.lost_async`, and errors of a lost device are
validation errors. This reads those words, so that all else gets a flag.
"""

from __future__ import annotations

import logging
import re
import threading
from typing import Final

from desktop.compute.gpu.wgpu_native import version
from desktop.compute.gpu.wgpu_native.messages import gpu_reason

# 'Parent device is lost'
_LOSS: Final = re.compile(r"\bdevice (is |was )?lost\b", re.IGNORECASE)
# 'The WGPU device was lost (unknown):' and the driver's words in the lines below
_LOGGED: Final = re.compile(r"\bdevice was lost(?: \((?P<reason>[\w-]*)\))?", re.IGNORECASE)
_OWN_DOING: Final = "destroyed"


def is_loss(error: BaseException) -> bool:
    """True if an error of wgpu's comes of the device's being gone.

    Only the last line of its causes counts: those before it have labels in them, which may be a user's file names. Of another version
    than the one that is known the word alone is enough: a device that is made anew for nothing is better than one that is waited for.
    """
    if not version.is_known():
        return "lost" in str(error).lower()
    return _LOSS.search(gpu_reason(error)) is not None


class LossWatch(logging.Handler):
    """Hears wgpu-py log that a device was lost, from when it is made until `close`. Of whichever device of the process: it does not say.

    That a `Gpu` of this process was closed is not a loss.
    """

    def __init__(self, device: object = None) -> None:
        super().__init__(logging.WARNING)
        self._lost = threading.Event()
        logging.getLogger("wgpu").addHandler(self)

    @property
    def is_lost(self) -> bool:
        """True once it was said; on any thread."""
        return self._lost.is_set()

    def is_loss(self, error: BaseException) -> bool:
        """True if an error comes of the device's being gone."""
        return self.is_lost or is_loss(error)

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        found = _LOGGED.search(record.getMessage())
        if found is not None and (found["reason"] or "").lower() != _OWN_DOING:
            self._lost.set()

    def close(self) -> None:
        """Listen no more."""
        logging.getLogger("wgpu").removeHandler(self)
        super().close()
