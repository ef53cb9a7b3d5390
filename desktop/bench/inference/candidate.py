"""The unit of the benchmark: one engine running one network."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

OWN: Final = "lightloom"
HOST: Final = "host to host"
TEXTURE: Final = "texture to buffer"
DEVICE: Final = "device only"


@dataclass(frozen=True)
class Candidate:
    """One engine running one network.

    Attributes:
        engine: e.g. 'lightloom', 'ncnn Vulkan'.
        precision: 'fp32' or 'fp16'.
        mode: 'host to host' (arrays), 'texture to buffer' (on the GPU, from a frame) or 'device only'.
        sample: runs it once and returns the time in milliseconds.
        load_seconds: from opening the file to the first result; None if prepared in another way.
    """

    engine: str
    precision: str
    mode: str
    sample: Callable[[], float]
    load_seconds: float | None = None
    memory_bytes: int | None = None
    close: Callable[[], None] = field(default=lambda: None)

    @property
    def name(self) -> str:
        """For tables and keys."""
        return f"{self.engine} {self.precision}, {self.mode}"


def wall(run: Callable[[], object]) -> Callable[[], float]:
    """Return a `sample` that measures the wall time of `run`, which returns when the result is ready."""

    def sample() -> float:
        begin = time.perf_counter()
        run()
        return (time.perf_counter() - begin) * 1e3

    return sample
