"""Determine an adapter's free memory, which WebGPU does not report, to refuse oversized networks."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

from desktop.base.trials import free_memory
from desktop.compute.gpu.device import AdapterInfo

_NVML: Final = "nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1"
_MOST_NAME: Final = 96


class _Memory(ctypes.Structure):
    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]


def free_memory_of(adapter: AdapterInfo | None) -> int | None:
    """Return the free bytes where an adapter computes; None if unknown.

    Main memory unless the GPU is discrete; NVIDIA's by https://docs.nvidia.com/deploy/nvml-api/.
    """
    if adapter is None or adapter.kind in ("software", "integrated"):
        return free_memory()
    try:
        library = ctypes.CDLL(_NVML)
        return _free_by_nvml(library, adapter.name)
    except (OSError, AttributeError):  # no such library, or one without these functions
        return None


def _free_by_nvml(library: Any, name: str) -> int | None:
    if library.nvmlInit_v2() != 0:
        return None
    try:
        count = ctypes.c_uint()
        library.nvmlDeviceGetCount_v2(ctypes.byref(count))
        found = (_free_of_card(library, index, name) for index in range(count.value))
        return max((free for free in found if free is not None), default=None)
    finally:
        library.nvmlShutdown()


def _free_of_card(library: Any, index: int, name: str) -> int | None:
    card, said, memory = ctypes.c_void_p(), ctypes.create_string_buffer(_MOST_NAME), _Memory()
    if library.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(card)) != 0:
        return None
    if (
        library.nvmlDeviceGetName(card, said, _MOST_NAME) != 0
        or said.value.decode("utf-8", "replace") != name
    ):
        return None
    if library.nvmlDeviceGetMemoryInfo(card, ctypes.byref(memory)) != 0:
        return None
    return int(memory.free)
