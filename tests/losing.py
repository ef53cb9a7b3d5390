"""Losing a device on purpose, as the library tells it."""

from __future__ import annotations

import logging

from desktop.base.webgpu import chosen
from desktop.compute.gpu.device import Gpu


def lose(gpu: Gpu) -> None:
    """Have it said that a device is lost. On wgpu-native only said: with a window, calls on one that is gone
    end the process.
    """
    if chosen().name == "dawn":
        gpu.device.destroy()
    else:
        logging.getLogger("wgpu").warning("The WebGPU device was lost (simulated)")
