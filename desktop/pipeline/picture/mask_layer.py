"""Masks in the colors of their classes, at the target's resolution: equal in the window and in a file."""

from __future__ import annotations

import colorsys
import struct
from collections.abc import Sequence
from itertools import groupby
from typing import Final

import wgpu

from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.shader import read_shader
from desktop.vision.tasks.shapes import Mask

Rectangle = tuple[float, float, float, float]
"""(left, top, right, bottom)"""

_AREA: Final = struct.Struct("<4f4f4fI3I")
_MOST_GROUPS: Final = 8
_BINDINGS: Final = Bindings(
    (
        Binding.read_only("areas"),
        Binding.uniform("drawn_on"),
        Binding.texture("masks", "unfilterable-float", "2d-array"),
    ),
    wgpu.ShaderStage.VERTEX | wgpu.ShaderStage.FRAGMENT,
)


def class_color(number: int) -> tuple[float, float, float]:
    """Return R'G'B' in 0..1 of a class, as its outline has it: bright colors, hues by the golden angle."""
    return colorsys.hsv_to_rgb((0.12 + number * 0.381966) % 1.0, 0.62, 1.0)


class MaskLayer:
    """Draws masks into targets of one texture format. For the rendering thread; one `encode` a submit."""

    def __init__(self, gpu: Gpu, target_format: str) -> None:
        self._gpu = gpu
        device = gpu.device
        module = gpu.shader_module(read_shader("present", "masks.wgsl"), "masks.wgsl")
        over = {"src_factor": "one", "dst_factor": "one-minus-src-alpha", "operation": "add"}
        self._pipeline = device.create_render_pipeline(
            label="masks.wgsl",
            layout=device.create_pipeline_layout(bind_group_layouts=[_BINDINGS.layout(gpu)]),
            vertex={"module": module, "entry_point": "vertex"},
            primitive={"topology": "triangle-list"},
            fragment={
                "module": module,
                "entry_point": "fragment",
                "targets": [{"format": target_format, "blend": {"color": over, "alpha": over}}],
            },
        )
        usage = wgpu.BufferUsage
        self._drawn_on = gpu.buffer(16, usage.UNIFORM | usage.COPY_DST, "masks' target")
        self._areas: wgpu.GPUBuffer | None = None
        self._groups: dict[int, tuple[wgpu.GPUTexture, wgpu.GPUBindGroup]] = {}

    def draw(
        self,
        render_pass: wgpu.GPURenderPassEncoder,
        masks: Sequence[Mask],
        picture: Rectangle,
        target: tuple[int, int],
    ) -> None:
        """Record masks, the first uppermost, into a pass with one attachment of size `target` in the layer's
        format. `picture` is the frame's position in pixels, with left and right swapped if it is mirrored.
        """
        if not masks:
            return
        drawn = masks[::-1]
        self._write(drawn, picture, target)
        render_pass.set_pipeline(self._pipeline)
        first = 0
        for _, same in groupby(drawn, key=lambda mask: id(mask.texture)):
            of_texture = list(same)
            render_pass.set_bind_group(0, self._group(of_texture[0].texture))
            render_pass.draw(6, len(of_texture), 0, first)
            first += len(of_texture)

    def draw_alone(
        self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUTexture, masks: Sequence[Mask]
    ) -> None:
        """Record a pass that draws masks alone, as premultiplied R'G'B'A, on a target of the frame's size."""
        width, height = target.width, target.height
        attachment = {"view": target.create_view(), "load_op": "clear", "store_op": "store"}
        render_pass = encoder.begin_render_pass(
            color_attachments=[{**attachment, "clear_value": (0, 0, 0, 0)}]
        )
        self.draw(render_pass, masks, (0.0, 0.0, float(width), float(height)), (width, height))
        render_pass.end()

    def _write(self, masks: Sequence[Mask], picture: Rectangle, target: tuple[int, int]) -> None:
        left, top, right, bottom = picture

        def across(x: float) -> float:
            return left + x * (right - left)

        def down(y: float) -> float:
            return top + y * (bottom - top)

        data = b"".join(
            _AREA.pack(
                *(across(mask.left), down(mask.top), across(mask.right), down(mask.bottom)),
                *mask.part,
                *class_color(mask.index),
                mask.level,
                *(mask.layer, 0, 0, 0),
            )
            for mask in masks
        )
        usage = wgpu.BufferUsage
        if self._areas is None or self._areas.size < len(data):
            self._groups.clear()
            self._areas = self._gpu.buffer(2 * len(data), usage.STORAGE | usage.COPY_DST, "masks")
        self._gpu.queue.write_buffer(self._areas, 0, data)
        self._gpu.queue.write_buffer(self._drawn_on, 0, struct.pack("<4f", *target, 0.0, 0.0))

    def _group(self, texture: wgpu.GPUTexture) -> wgpu.GPUBindGroup:
        cached = self._groups.get(id(texture))
        if cached is None or cached[0] is not texture:
            if len(self._groups) >= _MOST_GROUPS:
                self._groups.clear()
            group = _BINDINGS.group(self._gpu, areas=self._areas, drawn_on=self._drawn_on, masks=texture)
            # The texture is referenced by its group: an id() is a key only while its object lives.
            cached = self._groups[id(texture)] = (texture, group)
        return cached[1]

    def release_textures(self) -> None:
        """Release references to the textures that were drawn."""
        self._groups.clear()

    def close(self) -> None:
        """Release all resources."""
        self._groups.clear()
        self._areas = None
