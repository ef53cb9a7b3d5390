"""Detect the loss of a device."""

from __future__ import annotations

import wgpu

from desktop.base.errors import DeviceLostError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import LossWatch


class DeviceWatch:
    """Watches a device from construction until `close`."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._watch = LossWatch(gpu.device)

    def is_lost(self) -> bool:
        """Return True if the device is known to be lost; for any thread."""
        return self._watch.is_lost

    def is_loss(self, error: wgpu.GPUError) -> bool:
        """Return True if an error was caused by the loss of the device."""
        return self._watch.is_loss(error)

    def error(self) -> DeviceLostError:
        """Return the error to raise for a lost device."""
        return DeviceLostError(
            sentence(
                "The GPU {name} stopped working; its driver was reset or it was unplugged.",
                name=self._gpu.adapter.name,
            )
        )

    def close(self) -> None:
        """Stop watching."""
        self._watch.close()
