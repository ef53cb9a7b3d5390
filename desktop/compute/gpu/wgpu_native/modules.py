"""Shader modules with fewer checks than WebGPU requires, for which wgpu-py has no method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.compute.gpu.checks import Checks
from desktop.compute.gpu.wgpu_native import version

if TYPE_CHECKING:
    import wgpu


def make_module(device: wgpu.GPUDevice, code: str, label: str, checks: Checks) -> wgpu.GPUShaderModule:
    """Compile WGSL with these checks, or all for unknown versions; raise wgpu.GPUError if invalid."""
    if checks == Checks.ALL or not version.is_known():
        return device.create_shader_module(code=code, label=label)
    return _trusted(device, code, label, checks)


def _trusted(device: Any, code: str, label: str, checks: Checks) -> wgpu.GPUShaderModule:
    from wgpu.backends.wgpu_native import _api
    from wgpu.backends.wgpu_native._ffi import ffi

    wgpu_py: Any = _api  # whose classes have no types
    text, name = (wgpu_py.to_c_string_view(each) for each in (code, label))  # which keep the bytes alive
    source = ffi.new("WGPUShaderSourceWGSL *")
    source.chain.sType = wgpu_py.lib.WGPUSType_ShaderSourceWGSL
    source.code = text
    descriptor = ffi.new("WGPUShaderModuleDescriptor *")
    descriptor.nextInChain = ffi.cast("WGPUChainedStruct *", source)
    descriptor.label = name
    flags = 0
    if Checks.INDICES in checks:
        flags |= wgpu_py.lib.WGPUShaderRuntimeChecks_BoundsChecks
    if Checks.LOOPS in checks:
        flags |= wgpu_py.lib.WGPUShaderRuntimeChecks_ForceLoopBounding
    # Through wgpu-py's own function table, which raises the library's errors.
    made = wgpu_py.libf.wgpuDeviceCreateShaderModuleTrusted(device._internal, descriptor, flags)
    module: wgpu.GPUShaderModule = wgpu_py.GPUShaderModule(label, made, device)
    return module
