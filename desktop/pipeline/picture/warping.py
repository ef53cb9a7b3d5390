"""Move a frame after its color pass, as its `Warp` says."""

from __future__ import annotations

import struct
from typing import Final

import wgpu

from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.shader import read_common, read_shader
from desktop.compute.gpu.webgpu import make_recorder
from desktop.media.conversion import WORKING_FORMAT
from desktop.media.frame import Warp

_WORKGROUP: Final = (16, 8)
_UNIFORM: Final = struct.Struct("<8f")
_BINDINGS: Final = Bindings(
    (
        Binding.texture("picture"),
        Binding.sampler("mirrored"),
        Binding.uniform("u", "Warp"),
        Binding.storage_texture("warped", WORKING_FORMAT),
    )
)


class Warper:
    """Warps one working texture into another of its size, `texture`, by what `record` adds to a compute pass."""

    def __init__(self, gpu: Gpu, picture: wgpu.GPUTexture) -> None:
        """Make it for frames in `picture` (rgba16float)."""
        self._gpu = gpu
        self._warp: Warp | None = None
        self._uniform = gpu.buffer(
            _UNIFORM.size, wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "warp of the frame"
        )
        self.texture = gpu.device.create_texture(
            label="warped texture",
            size=(picture.width, picture.height, 1),
            format=WORKING_FORMAT,
            usage=wgpu.TextureUsage.TEXTURE_BINDING
            | wgpu.TextureUsage.STORAGE_BINDING
            | wgpu.TextureUsage.COPY_SRC,
        )
        sampler = gpu.device.create_sampler(
            address_mode_u="mirror-repeat",
            address_mode_v="mirror-repeat",
            mag_filter="linear",
            min_filter="linear",
        )
        group = _BINDINGS.group(gpu, picture=picture, mirrored=sampler, u=self._uniform, warped=self.texture)
        text = "\n".join(
            (*_BINDINGS.declarations(0), read_common(("bicubic",)), read_shader("color", "warp.wgsl"))
        )
        pipeline = gpu.compute_pipeline(text, "main", label="warp.wgsl", layouts=[_BINDINGS.layout(gpu)])
        workgroups = (-(-picture.width // _WORKGROUP[0]), -(-picture.height // _WORKGROUP[1]), 1)
        self.record = make_recorder([(pipeline, (group,), workgroups)])

    def use(self, warp: Warp) -> None:
        """Set the warp of the next frame."""
        if warp != self._warp:
            self._gpu.queue.write_buffer(self._uniform, 0, _UNIFORM.pack(*warp.row_x, 0.0, *warp.row_y, 0.0))
            self._warp = warp
