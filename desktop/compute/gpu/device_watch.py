"""Is the device still there?"""

from __future__ import annotations

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import LossWatch
from desktop.errors import DeviceLostError
from desktop.wording import sentence


class DeviceWatch:
    """Watches one device from when it is made until `close`."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._watch = LossWatch(gpu.device)

    def is_lost(self) -> bool:
        """True if the device is known to be gone; for any thread."""
        return self._watch.is_lost

    def is_loss(self, error: wgpu.GPUError) -> bool:
        """True if an error comes of the device's being gone."""
        return self._watch.is_loss(error)

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
        self._watch.close()
