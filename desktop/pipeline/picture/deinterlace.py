"""Deinterlace planes before the color pass: chroma interpolated across two fields cannot be separated again.

Each frame gives one at the time of its earlier field; one per field would double every file's frames.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import wgpu

from desktop.base.resources import resource
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command
from desktop.media.frame import Fields, Frame, PixelFormat, Plane, PlaneFormat
from desktop.pipeline.picture.planes import PlaneLayout

_WORKGROUP: Final = (16, 8)

Write = Callable[[Plane, PlaneFormat, PlaneLayout, wgpu.GPUTexture], None]
"""Writes a plane into a texture: `Uploader`'s way."""


def can_deinterlace(layouts: Sequence[PlaneLayout]) -> bool:
    """Return whether planes that lie so can be made whole: those that are cut into bands cannot."""
    return all(layout.bands == 1 for layout in layouts)


class Deinterlacer:
    """Output `planes` of one format and size for the color pass, and `commands` to record before it."""

    def __init__(
        self,
        gpu: Gpu,
        pixel_format: PixelFormat,
        layouts: Sequence[PlaneLayout],
        current: Sequence[wgpu.GPUTexture],
    ) -> None:
        self._gpu = gpu
        self._format = pixel_format
        self._raw = tuple(layouts)
        self._source = resource("shaders", "color", "deinterlace.wgsl").read_text("utf-8")
        self._uniform = gpu.buffer(
            16, wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "interlaced frame"
        )
        self._written: Fields | None = None
        self.layouts = tuple(_writable_layout(layout) for layout in layouts)
        loaded = wgpu.TextureUsage.TEXTURE_BINDING
        self._before = [self._texture(layout, loaded | wgpu.TextureUsage.COPY_DST) for layout in layouts]
        self._after = [self._texture(layout, loaded | wgpu.TextureUsage.COPY_DST) for layout in layouts]
        self.planes = [
            self._texture(layout, loaded | wgpu.TextureUsage.STORAGE_BINDING) for layout in self.layouts
        ]
        self.commands = [self._command(place, texture) for place, texture in enumerate(current)]

    def upload(self, frame: Frame, fields: Fields, write: Write) -> None:
        """Write what is beside an interlaced frame, whose own planes are written already."""
        is_alone = fields.before is None or fields.after is None
        for planes, textures in ((fields.before, self._before), (fields.after, self._after)):
            if planes is None or is_alone:
                continue
            for plane, fmt, layout, texture in zip(
                planes, frame.format.planes, self._raw, textures, strict=True
            ):
                write(plane, fmt, layout, texture)
        said = Fields(fields.top_first, None, None if is_alone else ())
        if said != self._written:
            packed = struct.pack("<iiff", 0 if fields.top_first else 1, int(is_alone), self._top(), 0.0)
            self._gpu.queue.write_buffer(self._uniform, 0, packed)
            self._written = said

    def close(self) -> None:
        """Release the textures."""
        for texture in (*self._before, *self._after, *self.planes):
            texture.destroy()

    def _top(self) -> float:
        size = self._format.planes[0].bytes_per_component
        if size != 2:
            return 1.0  # 8 bits come as 0..1
        return 65535.0 if self._format.msb_aligned else float(2**self._format.bits - 1)

    def _texture(self, layout: PlaneLayout, usage: int) -> wgpu.GPUTexture:
        return self._gpu.device.create_texture(
            label="field", size=layout.size, format=layout.texture_format, usage=usage
        )

    def _command(self, place: int, current: wgpu.GPUTexture) -> Command:
        layout, whole = self._raw[place], self.layouts[place]
        kind = layout.sample_type
        bindings = Bindings(
            (
                Binding.uniform("u", "Interlaced"),
                Binding.texture("before", kind),
                Binding.texture("current", kind),
                Binding.texture("after", kind),
                Binding.storage_texture("whole", whole.texture_format),
            )
        )
        pipeline = self._gpu.compute_pipeline(
            "\n".join(bindings.declarations(0)) + "\n" + self._source,
            "main",
            label=f"deinterlace.wgsl ({layout.texture_format})",
            layouts=[bindings.layout(self._gpu)],
        )
        group = bindings.group(
            self._gpu,
            u=self._uniform,
            before=self._before[place],
            current=current,
            after=self._after[place],
            whole=self.planes[place],
        )
        across, down = _WORKGROUP
        return pipeline, (group,), (-(-layout.width // across), -(-layout.height // down), 1)


def _writable_layout(layout: PlaneLayout) -> PlaneLayout:
    """Return a plane's layout for shader output; formats of 8 or 16 bits are not writable everywhere."""
    channels = layout.texture_format[
        : layout.texture_format.index(next(filter(str.isdigit, layout.texture_format)))
    ]
    return replace(layout, texture_format=f"{channels}32float", texel_bytes=4 * len(channels))
