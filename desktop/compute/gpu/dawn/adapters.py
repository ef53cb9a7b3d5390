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
WANTED: Final = ("shader-f16", "subgroups", "timestamp-query", "float32-filterable", MATRICES)

# Pipelines are compiled and maps waited for on threads of their own; without it Dawn takes calls of one thread at a time, unchecked.
_ALWAYS: Final = ("implicit-device-synchronization",)
# Experimental features are offered with the first only, and f16 on NVIDIA with the second.
_INSTANCE_TOGGLES: Final = ("allow_unsafe_apis", "vulkan_enable_f16_on_nvidia")
_BACKENDS: Final = ("Vulkan", "Metal", "D3D12", "D3D11", "OpenGL", "OpenGLES")
_SUBGROUPS: Final = {0x10DE: 32}  # NVIDIA's are of one size
# Timestamps come in steps of 100 us else, so that no page can time a neighbor by them.
_NOT_ON_DEVICES: Final = ("timestamp_quantization",)


@functools.cache
def extras() -> Any:
    """Return what Dawn has beyond WebGPU; the process's instance is made at the first call, with what can be asked of it only then."""
    found = importlib.import_module("wgpudawn.backends.dawn.extras")
    found.set_instance_extras(enable_toggles=_INSTANCE_TOGGLES)
    return found


def listed() -> list[wgpu.GPUAdapter]:
    """Return the adapters of this machine, in Dawn's order: a GPU once for each of its backends. Each makes one device.

    Not `enumerate_adapters_sync`, which takes two GPUs of one name for one (wgpudawn 0.32). What it starts from has each of them, and the
    backends that it leaves out. The same GPU by two manifests of a driver is one.
    """
    extras()
    every = getattr(wgpu.gpu, "_enumerate_all_adapters", None)
    if every is None:
        return list(wgpu.gpu.enumerate_adapters_sync())
    found: dict[object, wgpu.GPUAdapter] = {}
    for adapter in every():
        if adapter.info["backend_type"] in _BACKENDS:
            found.setdefault(_identity(adapter), adapter)
    return list(found.values())


def _identity(adapter: wgpu.GPUAdapter) -> object:
    """What tells a GPU from all others, with its backend; itself where nothing does, as of Metal's."""
    properties = extras().get_adapter_properties(adapter)
    told = properties.get("vulkan_uuids", {}).get("device_uuid") or properties.get("d3d", {}).get("luid")
    return (adapter.info["backend_type"], adapter.info["device"], told) if told else id(adapter)


def open_device(
    adapter: wgpu.GPUAdapter, features: Sequence[str], limits: Mapping[str, int]
) -> wgpu.GPUDevice:
    """Make a device; features that the adapter lacks are left out, and calls from several threads are always allowed.

    Raises:
        RuntimeError: the driver refused.
        wgpu.GPUError: the same.
    """
    has = [name for name in features if name in adapter.features]
    return extras().request_device_sync(
        adapter,
        required_features=[*_ALWAYS, *has],
        required_limits=dict(limits),
        disable_toggles=_NOT_ON_DEVICES,
    )


def matrices(adapter: wgpu.GPUAdapter, device: wgpu.GPUDevice) -> tuple[MatrixConfiguration, ...]:
    """Return what the adapter lists, in its order, each once; none for a device that was made without the feature."""
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
    """Threads of a subgroup; 0 where they are not known. wgpudawn 0.32 gives 4 to 128 for every adapter, so this goes by the vendor."""
    return _SUBGROUPS.get(int(adapter.info.get("vendor_id", 0)), 0)


@contextlib.contextmanager
def refusals(device: wgpu.GPUDevice) -> Iterator[None]:
    """Around a compilation: its errors are raised at the end of the block, and nowhere else.

    wgpudawn has one list of errors for all threads, and each call of any of them raises what lies in it: a filter that does not compile
    would end the frame that another thread draws. Dawn's scopes are a thread's own.

    Raises:
        wgpu.GPUError: what was refused first.
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
