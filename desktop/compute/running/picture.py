"""A picture on its way: the texture that a stage reads, and when it was captured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Picture:
    """A picture on the GPU.

    Attributes:
        texture: as it is at this point of the chain, rgba16float.
        original: as it was before the chain; the same object at its beginning.
        pts: presentation time in seconds.
        captured_at: when it entered the program (`time.perf_counter`).
    """

    texture: Any
    original: Any
    pts: float
    captured_at: float = 0.0
