"""Fade from the image that was shown before a change of the setup to the images after it."""

from __future__ import annotations

import time

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.pipeline.picture.upload import WORKING_FORMAT


class Fading:
    """Keeps a copy of the image to fade from, and the share of the new one. For the rendering thread.

    In batch work the time is that of the frames, so that exports are the same each time; else it is the clock's, as
    a paused video fades too.
    """

    def __init__(self, gpu: Gpu, *, wait: bool) -> None:
        self._gpu, self._wait = gpu, wait
        self._seconds = 0.0
        self._begun: float | None = None
        self.texture: wgpu.GPUTexture | None = None

    @property
    def is_on(self) -> bool:
        """True from `begin` until the new image is shown alone."""
        return self.texture is not None

    def begin(self, shown: wgpu.GPUTexture, seconds: float) -> None:
        """Copy the image that is shown (rgba16float), in a submit of its own, and fade from it."""
        self.end()
        size = (shown.width, shown.height)
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
        self.texture = self._gpu.device.create_texture(
            label="faded", size=(*size, 1), format=WORKING_FORMAT, usage=usage
        )
        encoder = self._gpu.command_encoder()
        encoder.copy_texture_to_texture({"texture": shown}, {"texture": self.texture}, (*size, 1))
        self._gpu.queue.submit([encoder.finish()])
        self._seconds, self._begun = seconds, None

    def share(self, pts: float, size: tuple[int, int]) -> float:
        """Return the share of the new image, of a size, at a frame's time in seconds; it ends at 1."""
        now = pts if self._wait else time.perf_counter()
        if self._begun is None:
            self._begun = now
        passed = now - self._begun
        texture = self.texture
        has_size = texture is not None and (texture.width, texture.height) == size
        # After a jump back, or with another size, there is nothing to fade from.
        if not has_size or not 0.0 <= passed < self._seconds:
            self.end()
            return 1.0
        return passed / self._seconds

    def end(self) -> None:
        """Release the copy."""
        if self.texture is not None:
            self.texture.destroy()
            self.texture = None
