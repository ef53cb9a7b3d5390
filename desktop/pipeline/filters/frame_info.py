"""Frame information for filters: WGSL `frame`."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

FRAME_STRUCT: Final = "struct Frame { size: vec2f, time: f32, delta: f32, index: u32, reset: u32, scale: f32, lightloom_pad: f32 }"
FRAME_BYTES: Final = 32


@dataclass(frozen=True)
class FrameInfo:
    """Frame information for filters: `size` in pixels, `time` and `delta` (0 at first) in seconds.

    `index` counts from the last reset; at `reset` (a seek, a change of source) previous state is invalid.
    """

    size: tuple[int, int]
    time: float = 0.0
    delta: float = 0.0
    index: int = 0
    reset: bool = False

    def pack(self) -> bytes:
        """Return the 32 bytes of the WGSL `Frame`; `scale` (height / 1080) is for sizes to look alike."""
        return struct.pack(
            "<ffffIIff",
            *self.size,
            self.time,
            self.delta,
            self.index & 0xFFFFFFFF,
            self.reset,
            self.size[1] / 1080,
            0.0,
        )
