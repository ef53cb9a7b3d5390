"""Check whether an adapter can present to a window's surface."""

from __future__ import annotations

from typing import Any

import wgpu

from desktop.compute.gpu.wgpu_native import version


def can_present(context: Any, adapter: wgpu.GPUAdapter) -> bool:
    """Tell whether the surface of a rendercanvas context takes an adapter's pictures; configuring one that does not aborts the process.

    wgpu-py hides the answer: where the surface names no format, it makes up those of a surface that works. So the library itself is
    asked, and where its insides are not known the kind of adapter decides: OpenGL's are found without a window, and draw into none.
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
