"""A command encoder whose passes are as cheap as native ones: in wgpu-py each takes some ten calls.

The methods that a frame uses call the native library with reused structures, without error queries and with
the interpreter's lock held (safe, see `recorder.py`); `finish` raises a pass's errors.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from desktop.compute.gpu.native.library import Library

if TYPE_CHECKING:
    import wgpu


_ROWS: Final = {"buffer", "offset", "bytes_per_row", "rows_per_image"}
_PART: Final = {"texture", "origin"}


def encoder_type(library: Library) -> type[Any]:
    """Return the class of a library's encoders; it is made for a device."""
    api: Any = library.api  # whose classes have no types
    ffi, lib = library.ffi, library.lib
    function, address = library.function, library.address
    pointer, u32, u64, f32 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_float

    begin_compute = function("wgpuCommandEncoderBeginComputePass", pointer, pointer, result=pointer)
    begin_render = function("wgpuCommandEncoderBeginRenderPass", pointer, pointer, result=pointer)
    resolve = function("wgpuCommandEncoderResolveQuerySet", pointer, pointer, u32, u32, pointer, u64)
    copy_to_texture = function("wgpuCommandEncoderCopyBufferToTexture", pointer, pointer, pointer, pointer)
    copy_buffer = function("wgpuCommandEncoderCopyBufferToBuffer", pointer, pointer, u64, pointer, u64, u64)
    end_compute = function("wgpuComputePassEncoderEnd", pointer)
    release_compute = function("wgpuComputePassEncoderRelease", pointer)
    end_render = function("wgpuRenderPassEncoderEnd", pointer)
    release_render = function("wgpuRenderPassEncoderRelease", pointer)
    set_pipeline = function("wgpuRenderPassEncoderSetPipeline", pointer, pointer)
    set_bind_group = function(
        "wgpuRenderPassEncoderSetBindGroup", pointer, u32, pointer, ctypes.c_size_t, pointer
    )
    set_scissor_rect = function("wgpuRenderPassEncoderSetScissorRect", pointer, u32, u32, u32, u32)
    set_viewport = function("wgpuRenderPassEncoderSetViewport", pointer, f32, f32, f32, f32, f32, f32)
    draw = function("wgpuRenderPassEncoderDraw", pointer, u32, u32, u32, u32)

    undefined = lib.WGPU_QUERY_SET_INDEX_UNDEFINED
    load_ops = {"clear": lib.WGPULoadOp_Clear, "load": lib.WGPULoadOp_Load}
    store_ops = {"store": lib.WGPUStoreOp_Store, "discard": lib.WGPUStoreOp_Discard}
    encoder_descriptor = ffi.new("WGPUCommandEncoderDescriptor *")
    buffer_descriptor = ffi.new("WGPUCommandBufferDescriptor *")
    plain_compute = ffi.new("WGPUComputePassDescriptor *")
    rows, texels, extent = (
        ffi.new(f"{kind} *")
        for kind in ("WGPUTexelCopyBufferInfo", "WGPUTexelCopyTextureInfo", "WGPUExtent3D")
    )
    texels.aspect = lib.WGPUTextureAspect_All
    copied = tuple(address(each) for each in (rows, texels, extent))
    # Structures of the timestamps of passes, by query set and the two indices: the same few each frame.
    kept: weakref.WeakKeyDictionary[Any, dict[tuple[int, int], tuple[Any, Any]]] = weakref.WeakKeyDictionary()

    def timed(writes: Mapping[str, Any]) -> tuple[Any, Any]:
        """Return the structure of a pass's timestamps, and that of a compute pass with them."""
        queries = writes["query_set"]
        of_set = kept.get(queries)
        if of_set is None:
            of_set = kept[queries] = {}
        key = (
            writes.get("beginning_of_pass_write_index", undefined),
            writes.get("end_of_pass_write_index", undefined),
        )
        found = of_set.get(key)
        if found is None:
            stamps = ffi.new("WGPUPassTimestampWrites *")
            stamps.querySet = queries._internal
            stamps.beginningOfPassWriteIndex, stamps.endOfPassWriteIndex = key
            descriptor = ffi.new("WGPUComputePassDescriptor *")
            descriptor.timestampWrites = stamps
            found = of_set[key] = (stamps, descriptor)
        return found

    class ComputePass(api.GPUComputePassEncoder):
        """Compute pass whose dispatches `recorder.py` records."""

        _internal: Any

        def end(self) -> None:
            end_compute(address(self._internal))

        def _release(self) -> None:
            if self._internal is not None:
                internal, self._internal = self._internal, None
                release_compute(address(internal))

    class RenderPass(api.GPURenderPassEncoder):
        """Render pass that draws into a target."""

        _internal: Any

        def __init__(self, internal: Any, device: Any) -> None:
            super().__init__("", internal, device)
            self._address = address(internal)

        def set_pipeline(self, pipeline: wgpu.GPURenderPipeline) -> None:
            set_pipeline(self._address, address(pipeline._internal))

        def set_bind_group(self, index: int, bind_group: wgpu.GPUBindGroup, *offsets: Any) -> None:
            if offsets:
                super().set_bind_group(index, bind_group, *offsets)
            else:
                set_bind_group(self._address, index, address(bind_group._internal), 0, None)

        def set_scissor_rect(self, x: int, y: int, width: int, height: int) -> None:
            set_scissor_rect(self._address, x, y, width, height)

        def set_viewport(
            self, x: float, y: float, width: float, height: float, min_depth: float, max_depth: float
        ) -> None:
            set_viewport(self._address, x, y, width, height, min_depth, max_depth)

        def draw(
            self, vertex_count: int, instance_count: int = 1, first_vertex: int = 0, first_instance: int = 0
        ) -> None:
            draw(self._address, vertex_count, instance_count, first_vertex, first_instance)

        def end(self) -> None:
            end_render(self._address)

        def _release(self) -> None:
            if self._internal is not None:
                self._internal = None
                release_render(self._address)

    class Encoder(api.GPUCommandEncoder):
        """wgpu-py's encoder, except for the methods that a frame calls."""

        def __init__(self, device: Any) -> None:
            internal = api.libf.wgpuDeviceCreateCommandEncoder(device._internal, encoder_descriptor)
            super().__init__("", internal, device)
            self._address = address(internal)

        def begin_compute_pass(
            self, *, label: str = "", timestamp_writes: Mapping[str, Any] | None = None
        ) -> Any:
            descriptor = plain_compute if timestamp_writes is None else timed(timestamp_writes)[1]
            begun = begin_compute(self._address, address(descriptor))
            return ComputePass(label, ffi.cast("WGPUComputePassEncoder", begun), self._device)

        def begin_render_pass(
            self,
            *,
            color_attachments: Sequence[Mapping[str, Any]],
            timestamp_writes: Mapping[str, Any] | None = None,
            **others: Any,
        ) -> Any:
            if others or len(color_attachments) != 1 or "resolve_target" in color_attachments[0]:
                return super().begin_render_pass(
                    color_attachments=color_attachments, timestamp_writes=timestamp_writes, **others
                )
            attachment, target = color_attachments[0], ffi.new("WGPURenderPassColorAttachment *")
            target.view = attachment["view"]._internal
            target.depthSlice = lib.WGPU_DEPTH_SLICE_UNDEFINED
            target.loadOp, target.storeOp = load_ops[attachment["load_op"]], store_ops[attachment["store_op"]]
            clear = target.clearValue
            clear.r, clear.g, clear.b, clear.a = attachment.get("clear_value", (0.0, 0.0, 0.0, 0.0))
            descriptor = ffi.new("WGPURenderPassDescriptor *")
            descriptor.colorAttachmentCount = 1
            descriptor.colorAttachments = target
            if timestamp_writes is not None:
                descriptor.timestampWrites = timed(timestamp_writes)[0]
            begun = begin_render(self._address, address(descriptor))
            return RenderPass(ffi.cast("WGPURenderPassEncoder", begun), self._device)

        def resolve_query_set(
            self,
            query_set: wgpu.GPUQuerySet,
            first_query: int,
            query_count: int,
            destination: wgpu.GPUBuffer,
            destination_offset: int,
        ) -> None:
            queries, target = address(query_set._internal), address(destination._internal)
            resolve(self._address, queries, first_query, query_count, target, destination_offset)

        def copy_buffer_to_buffer(
            self,
            source: wgpu.GPUBuffer,
            source_offset: int,
            destination: wgpu.GPUBuffer,
            destination_offset: int,
            size: int | None = None,
        ) -> None:
            if size is None:
                super().copy_buffer_to_buffer(source, source_offset, destination, destination_offset)
                return
            places = (
                address(source._internal),
                source_offset,
                address(destination._internal),
                destination_offset,
            )
            copy_buffer(self._address, *places, size)

        def copy_buffer_to_texture(
            self, source: Mapping[str, Any], destination: Mapping[str, Any], copy_size: Sequence[int]
        ) -> None:
            if not (source.keys() <= _ROWS and destination.keys() <= _PART):
                super().copy_buffer_to_texture(source, destination, copy_size)
                return
            rows.buffer, rows.layout.offset = source["buffer"]._internal, source.get("offset", 0)
            rows.layout.bytesPerRow, rows.layout.rowsPerImage = source["bytes_per_row"], copy_size[1]
            texels.texture = destination["texture"]._internal
            origin = texels.origin
            origin.x, origin.y, origin.z = destination.get("origin", (0, 0, 0))
            extent.width, extent.height, extent.depthOrArrayLayers = copy_size
            copy_to_texture(self._address, *copied)

        def finish(self, *, label: str = "") -> Any:
            if label:
                return super().finish(label=label)
            finished = api.libf.wgpuCommandEncoderFinish(self._internal, buffer_descriptor)
            return api.GPUCommandBuffer("", finished, self._device)

    return Encoder
