"""Open the adapter of a command, and report adapters that cannot be opened."""

from __future__ import annotations

from desktop.base import console
from desktop.base.errors import GpuError
from desktop.compute.gpu.device import Gpu


def open_gpu(name: str | None) -> Gpu:
    """Open the adapter of --adapter, or the best that works, reporting failures; raise GpuError if none."""
    gpu = Gpu.open(name)
    for note in gpu.notes:
        console.fail(f"{note} --adapter NAME chooses one; 'lightloom devices' lists them.")
    return gpu


def open_gpu_if_any(name: str | None) -> Gpu | None:
    """Like `open_gpu`, but return None if no name was given and no adapter can be opened; report failures."""
    try:
        return open_gpu(name)
    except GpuError as error:
        if name:
            raise
        console.fail(f"{error} The CPU computes instead.")
        return None
