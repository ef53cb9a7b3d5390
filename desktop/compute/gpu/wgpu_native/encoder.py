"""A command encoder whose passes are as cheap as native ones: in wgpu-py each takes some ten calls.

The methods that a frame uses call the native library with reused structures, without error queries and with
the interpreter's lock held (safe, see `recorder.py`); `finish` raises a pass's errors. For versions unknown
to `version.py` it is wgpu-py's encoder.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from desktop.compute.gpu.wgpu_native import version

if TYPE_CHECKING:
    import wgpu


def make_encoder(device: wgpu.GPUDevice) -> wgpu.GPUCommandEncoder:
    """Return a new command encoder of a device."""
    return native_encoder(device) if version.is_known() else device.create_command_encoder()


def discard(device: wgpu.GPUDevice, commands: wgpu.GPUCommandBuffer) -> None:
    """Free a command buffer never submitted; wgpu-native 29 does so only at its submission.

    Submitting to a lost device would end the process, so there the buffer is not freed.
    """
    import wgpu

    with contextlib.suppress(wgpu.GPUError, RuntimeError):
        # Raises if the device is lost, which would end the process at a submission.
        probe = device.create_command_encoder().finish()
        device.queue.submit([probe, commands])


def native_encoder(device: wgpu.GPUDevice) -> wgpu.GPUCommandEncoder:
    """Return an encoder made of native functions: for the known versions."""
    encoder: wgpu.GPUCommandEncoder = _encoder_type()(device)
    return encoder


@functools.cache
def _encoder_type() -> type[Any]:
    # Made with the first encoder: importing wgpu-py's backend before `types.prepare` would parse its header.
    from wgpu.backends.wgpu_native import _api
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    wgpu_py: Any = _api  # whose classes have no types
    pointer, u32, u64, f32 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_float

    def function(name: str, *arguments: Any, result: Any = None) -> Callable[..., Any]:
        kind = ctypes.PYFUNCTYPE(result, *arguments)  # which does not release the lock
        return kind(int(ffi.cast("uintptr_t", getattr(lib, name))))

    def address(thing: Any) -> int:
        return int(ffi.cast("uintptr_t", thing))

    begin_compute = function("wgpuCommandEncoderBeginComputePass", pointer, pointer, result=pointer)
    begin_render = function("wgpuCommandEncoderBeginRenderPass", pointer, pointer, result=pointer)
    resolve = function("wgpuCommandEncoderResolveQuerySet", pointer, pointer, u32, u32, pointer, u64)
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

    class ComputePass(wgpu_py.GPUComputePassEncoder):
        """Compute pass whose dispatches `recorder.py` records."""

        _internal: Any

        def end(self) -> None:
            end_compute(address(self._internal))

        def _release(self) -> None:
            if self._internal is not None:
                internal, self._internal = self._internal, None
                release_compute(address(internal))

    class RenderPass(wgpu_py.GPURenderPassEncoder):
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

    class Encoder(wgpu_py.GPUCommandEncoder):
        """wgpu-py's encoder, except for the methods that a frame calls."""

        def __init__(self, device: Any) -> None:
            internal = wgpu_py.libf.wgpuDeviceCreateCommandEncoder(device._internal, encoder_descriptor)
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

        def finish(self, *, label: str = "") -> Any:
            if label:
                return super().finish(label=label)
            finished = wgpu_py.libf.wgpuCommandEncoderFinish(self._internal, buffer_descriptor)
            return wgpu_py.GPUCommandBuffer("", finished, self._device)

    return Encoder
