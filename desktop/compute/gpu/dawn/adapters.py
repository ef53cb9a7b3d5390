"""Adapters and devices of Dawn."""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import wgpu

from desktop.compute.gpu.matrices import MatrixConfiguration

MATRICES: Final = "chromium-experimental-subgroup-matrix"
REQUESTED_FEATURES: Final = ("shader-f16", "subgroups", "timestamp-query", "float32-filterable", MATRICES)

# Pipelines are compiled and maps awaited on several threads; by default Dawn allows one, unchecked.
_ALWAYS: Final = ("implicit-device-synchronization",)
# The first is needed for experimental features, the second for f16 on NVIDIA.
_INSTANCE_TOGGLES: Final = ("allow_unsafe_apis", "vulkan_enable_f16_on_nvidia")
_BACKENDS: Final = ("Vulkan", "Metal", "D3D12", "D3D11", "OpenGL", "OpenGLES")
_SUBGROUPS: Final = {0x10DE: 32}  # NVIDIA's have one size
# Otherwise timestamps have a resolution of 100 us, as protection against timing attacks by web pages.
_NOT_ON_DEVICES: Final = ("timestamp_quantization",)


@functools.cache
def extras() -> Any:
    """Return Dawn's extensions of WebGPU; the first call makes the process's instance, with its options."""
    found = importlib.import_module("wgpudawn.backends.dawn.extras")
    found.set_instance_extras(enable_toggles=_INSTANCE_TOGGLES)
    return found


def listed(api: Any = None, extensions: Any = None) -> list[wgpu.GPUAdapter]:
    """Return the adapters of this machine in Dawn's order, a GPU once per backend. Each makes one device.

    Not `enumerate_adapters_sync`: it merges GPUs of one name (wgpudawn 0.32) and omits backends. A GPU that
    two manifests of a driver list counts once.
    """
    extensions = extensions or extras()
    # Not a default of the parameter: importing Dawn replaces `wgpu.gpu`, and the object before merges equal GPUs.
    api = api or wgpu.gpu
    every = getattr(api, "_enumerate_all_adapters", None)
    if every is None:
        return list(api.enumerate_adapters_sync())
    found: dict[object, wgpu.GPUAdapter] = {}
    for adapter in every():
        if adapter.info["backend_type"] in _BACKENDS:
            properties = extensions.get_adapter_properties(adapter)
            found.setdefault(_identity(adapter, properties), adapter)
    return list(found.values())


def _identity(adapter: wgpu.GPUAdapter, properties: Mapping[str, Any]) -> object:
    """Return a key that identifies a GPU and its backend; the adapter itself if it has none (Metal)."""
    told = properties.get("vulkan_uuids", {}).get("device_uuid") or properties.get("d3d", {}).get("luid")
    return (adapter.info["backend_type"], adapter.info["device"], told) if told else id(adapter)


def open_device(
    adapter: wgpu.GPUAdapter, features: Sequence[str], limits: Mapping[str, int]
) -> wgpu.GPUDevice:
    """Make a device for several threads; see `Gpu.open`. Raises RuntimeError or wgpu.GPUError if refused."""
    has = [name for name in features if name in adapter.features]
    return extras().request_device_sync(
        adapter,
        required_features=[*_ALWAYS, *has],
        required_limits=dict(limits),
        disable_toggles=_NOT_ON_DEVICES,
    )


def matrices(adapter: wgpu.GPUAdapter, device: wgpu.GPUDevice) -> tuple[MatrixConfiguration, ...]:
    """Return the adapter's distinct matrix products in its order; none if the feature is not enabled."""
    if MATRICES not in device.features:
        return ()
    listed = extras().get_adapter_properties(adapter).get("subgroup_matrix_configs", ())
    threads = _subgroup_of(adapter)
    found = (
        MatrixConfiguration(
            str(each["component_type"]),
            str(each["result_component_type"]),
            int(each["m"]),
            int(each["n"]),
            int(each["k"]),
            threads,
        )
        for each in listed
    )
    return tuple(dict.fromkeys(found))


def _subgroup_of(adapter: wgpu.GPUAdapter) -> int:
    """Return a subgroup's threads, by vendor (wgpudawn 0.32 always reports 4 to 128); 0 if not known."""
    return _SUBGROUPS.get(int(adapter.info.get("vendor_id", 0)), 0)


@contextlib.contextmanager
def refusals(device: wgpu.GPUDevice) -> Iterator[None]:
    """Collect the errors of a compilation and raise the first as `wgpu.GPUError` at the end of the block.

    Otherwise any thread's next call would raise them, as wgpudawn has one list of errors for all threads.
    Dawn's error scopes belong to a thread.
    """
    kinds = ("internal", "validation")
    for kind in kinds:
        device.push_error_scope(kind)
    found = []
    try:
        yield
    finally:
        found = [device.pop_error_scope_async().sync_wait() for _ in kinds]
    for error in found:
        if error is not None:
            raise error
