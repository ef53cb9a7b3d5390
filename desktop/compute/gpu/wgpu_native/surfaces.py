"""Check whether an adapter can present to a window's surface."""

from __future__ import annotations

from typing import Any

import wgpu

from desktop.compute.gpu.wgpu_native import version


def can_present(context: Any, adapter: wgpu.GPUAdapter) -> bool:
    """Return True if an adapter can present to a surface; configuring one that cannot aborts the process.

    wgpu-py invents formats for a surface without any, so a native library of known version is queried.
    """
    surface = getattr(getattr(context, "_wgpu_context", None), "_surface_id", None)
    if surface is None or not version.is_known():
        return str(adapter.info["backend_type"]) != "OpenGL"
    from wgpu.backends.wgpu_native import ffi, lib

    capabilities = ffi.new("WGPUSurfaceCapabilities *")
    status = lib.wgpuSurfaceGetCapabilities(surface, adapter._internal, capabilities)
    takes = status == lib.WGPUStatus_Success and capabilities.formatCount > 0
    lib.wgpuSurfaceCapabilitiesFreeMembers(capabilities[0])
    return bool(takes)
