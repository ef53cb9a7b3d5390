"""Write pixels to textures, as `GPUQueue.write_texture` does, with reused structures for speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.compute.gpu.recording import WriteTexture, write_public
from desktop.compute.gpu.wgpu_native import version

if TYPE_CHECKING:
    import wgpu


STAGES_UPLOADS: Final = False
"""`write_texture` takes as long as the copy into staging memory (1.1 ms at 3840x2160, H200)."""


def make_writer(queue: wgpu.GPUQueue) -> WriteTexture:
    """Return a function that writes into textures of a queue's device; for one thread."""
    return write_native(queue) if version.is_known() else write_public(queue)


def write_native(queue: Any) -> WriteTexture:
    """Return `make_writer`'s function, made of native functions: for the known versions."""
    from wgpu.backends.wgpu_native import _api, _helpers
    from wgpu.backends.wgpu_native._ffi import ffi

    wgpu_py: Any = _api
    destination, layout, extent = (
        ffi.new(f"{kind} *")
        for kind in ("WGPUTexelCopyTextureInfo", "WGPUTexelCopyBufferLayout", "WGPUExtent3D")
    )
    destination.aspect = wgpu_py.lib.WGPUTextureAspect_All
    extent.depthOrArrayLayers = 1
    origin = destination.origin
    # It queries errors, and releases the interpreter's lock while it copies.
    write_texture = wgpu_py.libf.wgpuQueueWriteTexture

    def write(
        texture: wgpu.GPUTexture,
        at: tuple[int, int],
        data: Any,
        offset: int,
        bytes_per_row: int,
        size: tuple[int, int],
    ) -> None:
        destination.texture = texture._internal
        origin.x, origin.y = at
        layout.offset, layout.bytesPerRow, layout.rowsPerImage = offset, bytes_per_row, size[1]
        extent.width, extent.height = size
        memory, address = _helpers.get_memoryview_and_address(data)
        write_texture(
            queue._internal, destination, ffi.cast("uint8_t *", address), memory.nbytes, layout, extent
        )

    return write
