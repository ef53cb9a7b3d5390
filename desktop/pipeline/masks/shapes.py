"""Shapes of masks, and their coverage as a texture: drawn boxes, ellipses, masks of objects, outlines, strokes."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import wgpu

from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.shader import read_shader
from desktop.vision.tasks.shapes import Extents, Mask, Position

FORMAT: Final = "r8unorm"
_SHAPE: Final = struct.Struct("<4f4f4fIIIIff2f")
_FAR: Final = 1e3  # in sizes of the frame
_BOX, _ELLIPSE, _MASK, _OUTLINE, _STROKE = range(5)
_BINDINGS: Final = Bindings(
    (
        Binding.read_only("shapes"),
        Binding.read_only("points"),
        Binding.uniform("size"),
        Binding.texture("masks", "unfilterable-float", "2d-array"),
    ),
    wgpu.ShaderStage.VERTEX | wgpu.ShaderStage.FRAGMENT,
)


@dataclass(frozen=True)
class ObjectArea:
    """The place of an object in fractions of the frame: its box, the ellipse in it, or the object's mask."""

    extents: Extents
    is_round: bool = False
    mask: Mask | None = None


@dataclass(frozen=True)
class Outline:
    """A polygon (even-odd rule); its points are fractions of the frame."""

    points: tuple[Position, ...]


@dataclass(frozen=True)
class Stroke:
    """A line with round ends; `width` is in heights of the frame."""

    points: tuple[Position, ...]
    width: float


MaskShape = ObjectArea | Outline | Stroke


class ShapeRenderer:
    """Draws coverage of shapes. For the rendering thread; `ShapeTexture` keeps what was drawn."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu
        device = gpu.device
        module = gpu.shader_module(read_shader("present", "shapes.wgsl"), "shapes.wgsl")
        largest = {"src_factor": "one", "dst_factor": "one", "operation": "max"}
        self.pipeline = device.create_render_pipeline(
            label="shapes.wgsl",
            layout=device.create_pipeline_layout(bind_group_layouts=[_BINDINGS.layout(gpu)]),
            vertex={"module": module, "entry_point": "vertex"},
            primitive={"topology": "triangle-list"},
            fragment={
                "module": module,
                "entry_point": "fragment",
                "targets": [{"format": FORMAT, "blend": {"color": largest, "alpha": largest}}],
            },
        )
        # Bound in place of a mask for shapes without one.
        self.no_mask = device.create_texture(
            label="no mask", size=(1, 1, 1), format="r32float", usage=wgpu.TextureUsage.TEXTURE_BINDING
        )

    def close(self) -> None:
        """Release its resources."""
        self.no_mask.destroy()


class ShapeTexture:
    """The coverage of some shapes as a texture of the frame's size, drawn again when they change."""

    def __init__(self, renderer: ShapeRenderer) -> None:
        self._renderer = renderer
        self._drawn: tuple[tuple[MaskShape, ...], tuple[int, int]] | None = None
        self.texture: wgpu.GPUTexture | None = None
        self._buffers: list[wgpu.GPUBuffer] = []

    def draw(
        self, encoder: wgpu.GPUCommandEncoder, shapes: tuple[MaskShape, ...], size: tuple[int, int]
    ) -> wgpu.GPUTexture:
        """Record the drawing of shapes, if they differ from the last ones; return the texture, r8unorm."""
        # Each result overwrites the same mask texture, so equal shapes do not mean equal coverage.
        changes = any(isinstance(shape, ObjectArea) and shape.mask is not None for shape in shapes)
        if self.texture is not None and self._drawn == (shapes, size) and not changes:
            return self.texture
        device = self._renderer.gpu.device
        if self.texture is None or (self.texture.width, self.texture.height) != size:
            self._destroy_texture()
            usage = wgpu.TextureUsage
            self.texture = device.create_texture(
                label="shapes of a mask",
                size=(*size, 1),
                format=FORMAT,
                usage=usage.RENDER_ATTACHMENT | usage.TEXTURE_BINDING,
            )
        self._drawn = (shapes, size)
        self._record(encoder, self.texture, sorted(shapes, key=_mask_key), size)
        return self.texture

    def void(self) -> None:
        """Draw anew next time: what was recorded last was not submitted."""
        self._drawn = None

    def _record(
        self,
        encoder: wgpu.GPUCommandEncoder,
        target: wgpu.GPUTexture,
        shapes: Sequence[MaskShape],
        size: tuple[int, int],
    ) -> None:
        gpu = self._renderer.gpu
        data, points = bytearray(), bytearray()
        for shape in shapes:
            data += _packed(shape, size, len(points) // 8)
            points += b"".join(struct.pack("<2f", x * size[0], y * size[1]) for x, y in _points(shape))
        attachment = {"view": target.create_view(), "load_op": "clear", "store_op": "store"}
        render_pass = encoder.begin_render_pass(
            color_attachments=[{**attachment, "clear_value": (0, 0, 0, 0)}]
        )
        if shapes:
            buffers = [self._buffer(0, bytes(data)), self._buffer(1, bytes(points) or b"\0" * 8)]
            buffers.append(self._buffer(2, struct.pack("<2f2f", *size, 0.0, 0.0), uniform=True))
            render_pass.set_pipeline(self._renderer.pipeline)
            first = 0
            for _, same in groupby(shapes, key=_mask_key):
                of_texture = list(same)
                mask = _mask_of(of_texture[0])
                group = _BINDINGS.group(
                    gpu,
                    shapes=buffers[0],
                    points=buffers[1],
                    size=buffers[2],
                    masks=self._renderer.no_mask if mask is None else mask.texture,
                )
                render_pass.set_bind_group(0, group)
                render_pass.draw(6, len(of_texture), 0, first)
                first += len(of_texture)
        render_pass.end()

    def _buffer(self, index: int, data: bytes, *, uniform: bool = False) -> wgpu.GPUBuffer:
        usage = wgpu.BufferUsage
        kind = usage.UNIFORM if uniform else usage.STORAGE
        while len(self._buffers) <= index:
            self._buffers.append(self._renderer.gpu.buffer(len(data), kind | usage.COPY_DST, "shapes"))
        if self._buffers[index].size < len(data):
            # Not destroyed: commands of this frame may use it.
            self._buffers[index] = self._renderer.gpu.buffer(2 * len(data), kind | usage.COPY_DST, "shapes")
        self._renderer.gpu.queue.write_buffer(self._buffers[index], 0, data)
        return self._buffers[index]

    def _destroy_texture(self) -> None:
        if self.texture is not None:
            self.texture.destroy()
        self.texture, self._drawn = None, None

    def close(self) -> None:
        """Release its resources."""
        self._destroy_texture()
        for buffer in self._buffers:
            buffer.destroy()
        self._buffers.clear()


def _mask_of(shape: MaskShape) -> Mask | None:
    return shape.mask if isinstance(shape, ObjectArea) else None


def _mask_key(shape: MaskShape) -> int:
    mask = _mask_of(shape)
    return 0 if mask is None else id(mask.texture)


def _points(shape: MaskShape) -> tuple[Position, ...]:
    return () if isinstance(shape, ObjectArea) else shape.points


def _packed(shape: MaskShape, size: tuple[int, int], first: int) -> bytes:
    """Pack a shape as `Shape` in shapes.wgsl; positions in pixels."""
    width, height = size
    part, level, layer = (0.0, 0.0, 1.0, 1.0), 0.0, 0
    radius = 0.0
    if isinstance(shape, ObjectArea):
        # A network may give any finite value; far outside the frame all are alike, and float32 has bounds.
        left, top, right, bottom = (min(max(side, -_FAR), _FAR) for side in shape.extents)
        kind = _MASK if shape.mask is not None else _ELLIPSE if shape.is_round else _BOX
        if shape.mask is not None:
            part, level, layer = shape.mask.part, shape.mask.level, shape.mask.layer
    else:
        xs, ys = [x for x, _ in shape.points], [y for _, y in shape.points]
        left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
        kind = _OUTLINE if isinstance(shape, Outline) else _STROKE
        radius = 0.5 * shape.width * height if isinstance(shape, Stroke) else 0.0
    place = (left * width, top * height, right * width, bottom * height)
    margin = radius + 1.0
    # Within the frame, and without infinite values: the network's may be anything.
    box = (
        min(max(min(place[0], place[2]) - margin, 0.0), width),
        min(max(min(place[1], place[3]) - margin, 0.0), height),
        max(min(max(place[0], place[2]) + margin, width), 0.0),
        max(min(max(place[1], place[3]) + margin, height), 0.0),
    )
    count = len(_points(shape))
    return _SHAPE.pack(*box, *place, *part, kind, first, count, layer, level, radius, 0.0, 0.0)
