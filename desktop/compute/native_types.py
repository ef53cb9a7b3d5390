"""Makes the C types that wgpu-py will ask for known to cffi in one go.

cffi understands a type's text by parsing every typedef of wgpu's header anew in front of it: 12 to 15 ms for each of the 75 texts that
wgpu-py uses in its calls, which is half of the time from the start to the first picture, or to a network's first result. Parsed as the
arguments of one function, all together take as long as one. cffi keeps what it has parsed; its table is private to the version that
is there, and where it is not found the types are parsed one by one as ever.
"""

from __future__ import annotations

import re
from typing import Any, Final

_STRUCTS: Final = """
    AdapterInfo BindGroupDescriptor BindGroupEntry BindGroupLayoutDescriptor BindGroupLayoutEntry BlendComponent BlendState
    BufferBindingLayout BufferDescriptor BufferMapCallbackInfo ChainedStruct Color ColorTargetState CommandBufferDescriptor
    CommandEncoderDescriptor ComputePassDescriptor ComputePipelineDescriptor ComputeState ConstantEntry DeviceDescriptor DeviceExtras
    DeviceLostCallbackInfo Extent3D FragmentState InstanceDescriptor Limits MultisampleState NativeLimits Origin3D PassTimestampWrites
    PipelineLayoutDescriptor PrimitiveState PrimitiveStateExtras QuerySetDescriptor QueueDescriptor RenderPassColorAttachment
    RenderPassDescriptor RenderPipelineDescriptor RequestDeviceCallbackInfo SamplerBindingLayout SamplerDescriptor ShaderModuleDescriptor
    ShaderSourceWGSL StorageTextureBindingLayout StringView SurfaceConfiguration TexelCopyBufferInfo TexelCopyBufferLayout
    TexelCopyTextureInfo TextureBindingLayout TextureDescriptor TextureViewDescriptor UncapturedErrorCallbackInfo VertexState
"""
_ARRAYS: Final = """
    Adapter BindGroupEntry BindGroupLayout BindGroupLayoutEntry ColorTargetState CommandBuffer ConstantEntry FeatureName
    RenderPassColorAttachment
"""
_TEXTS: Final = (
    *(f"WGPU{name} *" for name in _STRUCTS.split()),
    *(f"WGPU{name}[]" for name in _ARRAYS.split()),
    "WGPUChainedStruct * ",
    "char []",
    "uint8_t []",
    "uint32_t []",
    "uint8_t *",
    "uintptr_t",
    "intptr_t",
    "void(WGPUDevice const *, WGPUDeviceLostReason, WGPUStringView, void *, void *)",
    "void(WGPUDevice const *, WGPUErrorType, WGPUStringView, void *, void *)",
    "void(WGPURequestDeviceStatus, WGPUDevice, WGPUStringView, void *, void *)",
    "void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)",
)


def prepare() -> None:
    """Let cffi parse them all. To be called before anything of wgpu is opened; a second call does nothing."""
    try:
        from wgpu.backends.wgpu_native._ffi import ffi

        known: dict[str, tuple[Any, bool]] = ffi._parsed_types
    except (ImportError, AttributeError):
        return
    missing = [text for text in _TEXTS if text not in known]
    if not missing:
        return
    # As arguments, arrays would become pointers: each type is asked for behind a pointer, and found as what that points to.
    arguments = ffi.typeof(f"void(*)({', '.join(_pointer_to(text) for text in missing)})").args
    for text, argument in zip(missing, arguments, strict=True):
        is_function = "(" in text
        known[text] = (argument if is_function else argument.item, is_function)


def _pointer_to(text: str) -> str:
    if text.endswith("[]"):
        return f"{text[:-2]}(*)[]"
    return re.sub(r"\(", "(*)(", text, count=1) if "(" in text else f"{text}*"
