"""The adapter of a command, and what there is to be said of it."""

from __future__ import annotations

from desktop import console
from desktop.compute.gpu.device import Gpu
from desktop.errors import GpuError


def open_gpu(name: str | None) -> Gpu:
    """Open the adapter of --adapter, or the best one that lets itself be opened; say on standard error which others refused.

    Raises:
        GpuError: there is none, or each refused.
    """
    gpu = Gpu.open(name)
    for remark in gpu.remarks:
        console.fail(f"{remark} --adapter NAME chooses one; 'lightloom devices' lists them.")
    return gpu


def open_gpu_if_any(name: str | None) -> Gpu | None:
    """The same for what can do without: None where no name was given and no adapter can be opened; each that refused is told."""
    try:
        return open_gpu(name)
    except GpuError as error:
        if name:
            raise
        console.fail(f"{error} The CPU computes instead.")
        return None
