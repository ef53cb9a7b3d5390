"""A frame in the chain: the texture that a stage reads, and its times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.base.errors import FilterError
from desktop.base.wording import sentence

if TYPE_CHECKING:
    import wgpu

    from desktop.compute.gpu.device import Gpu


@dataclass(frozen=True)
class Picture:
    """Frame on the GPU.

    Attributes:
        texture: its state at this point of the chain, rgba16float.
        original: its state before the chain; the same object at the beginning.
        captured_at: when it entered the program (`time.perf_counter`).
    """

    texture: wgpu.GPUTexture
    original: wgpu.GPUTexture
    pts: float
    captured_at: float = 0.0

    def as_in(self, texture: wgpu.GPUTexture) -> Picture:
        """Return the frame with another texture, further on in the chain."""
        # Not `replace`, which takes three times as long: this is for each frame.
        return Picture(texture, self.original, self.pts, self.captured_at)


def check_picture_size(gpu: Gpu, size: tuple[int, int]) -> None:
    """Raise FilterError if a frame exceeds the device's texture limit."""
    most = gpu.limits["max-texture-dimension-2d"]
    if max(size) > most:
        raise FilterError(
            sentence(
                "The image would have {width} x {height} pixels, and this GPU takes {most} a side; "
                "choose a smaller image, or a network that enlarges it less.",
                width=size[0],
                height=size[1],
                most=most,
            )
        )
