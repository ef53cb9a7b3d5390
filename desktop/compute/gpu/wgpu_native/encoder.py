"""Command encoders of wgpu-native; wgpu-py's own for versions unknown to `version.py`."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Any, Final

from desktop.compute.gpu.native.encoder import encoder_type
from desktop.compute.gpu.wgpu_native import version
from desktop.compute.gpu.wgpu_native.library import library

if TYPE_CHECKING:
    import wgpu

TRANSLATES_WHEN_SUBMITTED: Final = False
"""Commands are translated for the driver in `finish` (2.7 us per dispatch on an H200's host)."""


def make_encoder(device: wgpu.GPUDevice) -> wgpu.GPUCommandEncoder:
    """Return a new command encoder of a device."""
    return native_encoder(device) if version.is_known() else device.create_command_encoder()


def discard(device: wgpu.GPUDevice, commands: wgpu.GPUCommandBuffer) -> None:
    """Free a command buffer never submitted; wgpu-native 29 does so only at its submission.

    Submitting to a lost device would end the process, so there the buffer is not freed.
    """
    import wgpu

    with contextlib.suppress(wgpu.GPUError, RuntimeError):
        # Raises if the device is lost, which would end the process at a submission.
        probe = device.create_command_encoder().finish()
        device.queue.submit([probe, commands])


def native_encoder(device: wgpu.GPUDevice) -> wgpu.GPUCommandEncoder:
    """Return an encoder made of native functions: for the known versions."""
    encoder: wgpu.GPUCommandEncoder = _type()(device)
    return encoder


@functools.cache
def _type() -> type[Any]:
    return encoder_type(library())
