"""Adapters and devices of wgpu-native."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Final

import wgpu

from desktop.compute.gpu.matrices import MatrixConfiguration
from desktop.compute.gpu.wgpu_native import types

# Not `cooperative-matrix`: wgpu-native lists it, but cannot make a device with it (docs/facts.md).
REQUESTED_FEATURES: Final = (
    "shader-f16",
    "subgroup",
    "subgroup-barrier",
    "timestamp-query",
    "timestamp-query-inside-encoders",
    "timestamp-query-inside-passes",
    "float32-filterable",
    "immediates",
)


def listed() -> list[wgpu.GPUAdapter]:
    """Return the adapters of this machine in the library's own order: a GPU once for each of its backends."""
    types.prepare()
    return list(wgpu.gpu.enumerate_adapters_sync())


def open_device(
    adapter: wgpu.GPUAdapter, features: Sequence[str], limits: Mapping[str, int]
) -> wgpu.GPUDevice:
    """Make a device; see `Gpu.open` for `features`. Raises RuntimeError or wgpu.GPUError if refused."""
    has = [name for name in features if name in adapter.features]
    return adapter.request_device_sync(required_features=has, required_limits=dict(limits))


def matrices(adapter: wgpu.GPUAdapter, device: wgpu.GPUDevice) -> tuple[MatrixConfiguration, ...]:
    """Return none: devices with matrix products cannot be made (docs/facts.md)."""
    return ()


def refusals(device: wgpu.GPUDevice) -> contextlib.AbstractContextManager[None]:
    """Do nothing: errors of a compilation are raised by the call itself, in its thread."""
    return contextlib.nullcontext()
