"""Command encoders through wgpudawn's public methods, which do not query errors after each call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import wgpu


def make_encoder(device: wgpu.GPUDevice) -> wgpu.GPUCommandEncoder:
    """Return a new command encoder of a device."""
    return device.create_command_encoder()


def discard(device: wgpu.GPUDevice, commands: wgpu.GPUCommandBuffer) -> None:
    """Free a command buffer that was never submitted: Dawn does so by itself when nothing references it."""
