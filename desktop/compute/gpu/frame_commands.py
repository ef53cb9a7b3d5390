"""The command encoder of a frame, which changes where a part of the frame is submitted early."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.compute.gpu.device import Gpu

if TYPE_CHECKING:
    import wgpu


class FrameCommands:
    """The commands of a frame: `encoder` is the one to record into; it changes once a part was submitted."""

    def __init__(self, gpu: Gpu, encoder: wgpu.GPUCommandEncoder) -> None:
        self._gpu = gpu
        self.encoder = encoder

    def submit_part(self) -> None:
        """Submit the commands recorded so far, and continue with a new encoder."""
        recorded, self.encoder = self.encoder, self._gpu.command_encoder()
        self._gpu.queue.submit([recorded.finish()])
