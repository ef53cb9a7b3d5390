"""Redact areas of a frame irreversibly: the chain, the window and all files get only redacted pixels.

Only mean colors of blocks remain: 'pixelate' shows them, 'blur' a cubic B-spline through them, nearly a
Gaussian blur of 0.65 blocks. Not a Gaussian blur of the frame: it can be partly inverted and costs more.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal

import wgpu

from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.shader import read_shader
from desktop.vision.tracking.hidden_area import FULL_FRAME, MOST_AREAS, HiddenArea

if TYPE_CHECKING:
    from desktop.compute.gpu.device import Gpu

RedactionKind = Literal["pixelate", "blur", "fill"]
_LEAST_BLOCK: Final = 4
_KINDS: Final[dict[RedactionKind, int]] = {"pixelate": 0, "blur": 1, "fill": 2}
_AREA: Final = struct.Struct("<4i2I2I4f4ffIfI")
_BOX, _ELLIPSE, _MASK = 0, 1, 2
_MEANS: Final = Bindings(
    (Binding.texture("picture"), Binding.read_only("areas"), Binding.storage("means", "array<vec4f>"))
)
_DRAWN: Final = Bindings(
    (
        Binding.read_only("areas"),
        Binding.read_only("means"),
        Binding.texture("covers", "unfilterable-float", "2d-array"),
        Binding.uniform("how"),
    ),
    wgpu.ShaderStage.VERTEX | wgpu.ShaderStage.FRAGMENT,
)


@dataclass(frozen=True)
class _Placed:
    """A place in pixels, within the frame, with its blocks."""

    area: HiddenArea
    box: tuple[int, int, int, int]
    blocks: tuple[int, int]


def placed(area: HiddenArea, size: tuple[int, int], blocks: int) -> _Placed | None:
    """Return an area's part inside a frame, with partly covered pixels, and its blocks; None if empty."""
    width, height = size
    # Clamped to the frame first: a network's values may exceed the range of the GPU's integers.
    left, right = (max(0.0, min(1.0, x)) * width for x in (area.left, area.right))
    top, bottom = (max(0.0, min(1.0, y)) * height for y in (area.top, area.bottom))
    x0, y0, x1, y1 = int(left), int(top), -int(-right // 1), -int(-bottom // 1)
    across, down = x1 - x0, y1 - y0
    if across <= 0 or down <= 0:
        return None
    side = max(max(across, down) / blocks, _LEAST_BLOCK)
    counts = (max(1, min(blocks, int(across / side + 0.5))), max(1, min(blocks, int(down / side + 0.5))))
    return _Placed(area, (x0, y0, x1, y1), counts)


class RedactionRenderer:
    """Hides places of frames. For the thread that renders; one `encode` a submission."""

    def __init__(self, gpu: Gpu, working_format: str) -> None:
        self._gpu, self._format = gpu, working_format
        device = gpu.device
        self._means_pipeline = gpu.compute_pipeline(
            read_shader("present", "veil_means.wgsl"),
            "main",
            label="veil_means.wgsl",
            layouts=[_MEANS.layout(gpu)],
        )
        module = gpu.shader_module(read_shader("present", "veil.wgsl"), "veil.wgsl")
        self._pipeline = device.create_render_pipeline(
            label="veil.wgsl",
            layout=device.create_pipeline_layout(bind_group_layouts=[_DRAWN.layout(gpu)]),
            vertex={"module": module, "entry_point": "vertex"},
            primitive={"topology": "triangle-list"},
            fragment={"module": module, "entry_point": "fragment", "targets": [{"format": working_format}]},
        )
        usage = wgpu.BufferUsage
        self._areas = gpu.buffer(MOST_AREAS * _AREA.size, usage.STORAGE | usage.COPY_DST, "hidden places")
        self._means: wgpu.GPUBuffer | None = None
        self._how = gpu.buffer(16, usage.UNIFORM | usage.COPY_DST, "how to hide")
        # Bound in place of a mask for areas without one.
        self._no_mask = device.create_texture(
            label="no mask", size=(1, 1, 1), format="r32float", usage=wgpu.TextureUsage.TEXTURE_BINDING
        )
        self._texture: wgpu.GPUTexture | None = None

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        picture: wgpu.GPUTexture,
        areas: Sequence[HiddenArea],
        kind: RedactionKind,
        blocks: int,
    ) -> wgpu.GPUTexture:
        """Record the redaction of `picture` (rgba16float, not modified); return the copy, one for each size.

        Blocks divide an area's longer side, each at least 4 pixels wide.
        """
        size = (picture.width, picture.height)
        target = self._target(size)
        encoder.copy_texture_to_texture({"texture": picture}, {"texture": target}, (*size, 1))
        wanted = areas if len(areas) <= MOST_AREAS else (FULL_FRAME,)
        # Neighbors of one mask texture are drawn at once.
        found = sorted(filter(None, (placed(area, size, blocks) for area in wanted)), key=_mask_key)
        if found:
            self._write(found, size, kind)
            self._take_means(encoder, picture, found)
            self._draw(encoder, target, found)
        return target

    def _target(self, size: tuple[int, int]) -> wgpu.GPUTexture:
        if self._texture is None or (self._texture.width, self._texture.height) != size:
            if self._texture is not None:
                self._texture.destroy()
            usage = wgpu.TextureUsage
            self._texture = self._gpu.device.create_texture(
                label="frame with hidden regions",
                size=(*size, 1),
                format=self._format,
                usage=usage.COPY_DST | usage.COPY_SRC | usage.RENDER_ATTACHMENT | usage.TEXTURE_BINDING,
            )
        return self._texture

    def _write(self, found: Sequence[_Placed], size: tuple[int, int], kind: RedactionKind) -> None:
        first = 0
        data = bytearray()
        for each in found:
            data += _AREA.pack(
                *each.box, *each.blocks, first, _shape(each.area), *_mask_fields(each.area, size)
            )
            first += each.blocks[0] * each.blocks[1]
        usage = wgpu.BufferUsage
        if self._means is None or self._means.size < first * 16:
            self._means = self._gpu.buffer(2 * first * 16, usage.STORAGE, "means of blocks")
        self._gpu.queue.write_buffer(self._areas, 0, bytes(data))
        self._gpu.queue.write_buffer(self._how, 0, struct.pack("<2f2I", *size, _KINDS[kind], 0))

    def _take_means(
        self, encoder: wgpu.GPUCommandEncoder, picture: wgpu.GPUTexture, found: Sequence[_Placed]
    ) -> None:
        most = max(each.blocks[0] * each.blocks[1] for each in found)
        compute_pass = encoder.begin_compute_pass()
        compute_pass.set_pipeline(self._means_pipeline)
        group = _MEANS.group(self._gpu, picture=picture, areas=self._areas, means=self._means)
        compute_pass.set_bind_group(0, group)
        compute_pass.dispatch_workgroups(most, len(found))
        compute_pass.end()

    def _draw(
        self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUTexture, found: Sequence[_Placed]
    ) -> None:
        attachment = {"view": target.create_view(), "load_op": "load", "store_op": "store"}
        render_pass = encoder.begin_render_pass(color_attachments=[attachment])
        render_pass.set_pipeline(self._pipeline)
        for texture, first, count in self._runs(found):
            group = _DRAWN.group(
                self._gpu, areas=self._areas, means=self._means, covers=texture, how=self._how
            )
            render_pass.set_bind_group(0, group)
            render_pass.draw(6, count, 0, first)
        render_pass.end()

    def _runs(self, found: Sequence[_Placed]) -> Iterator[tuple[wgpu.GPUTexture, int, int]]:
        """(mask texture, number of the first place, how many) of neighbors that have the same."""
        first = 0
        for _, same in groupby(found, key=_mask_key):
            of_texture = list(same)
            mask = of_texture[0].area.mask
            yield (self._no_mask if mask is None else mask.texture), first, len(of_texture)
            first += len(of_texture)

    def close(self) -> None:
        """Release all resources."""
        if self._texture is not None:
            self._texture.destroy()
        self._no_mask.destroy()
        self._areas.destroy()
        self._how.destroy()


def _mask_key(each: _Placed) -> int:
    return 0 if each.area.mask is None else id(each.area.mask.texture)


def _shape(area: HiddenArea) -> int:
    if area.mask is not None:
        return _MASK
    return _ELLIPSE if area.is_round else _BOX


def _mask_fields(area: HiddenArea, size: tuple[int, int]) -> tuple[float, ...]:
    """Return shader values of a mask (texture rectangle, position, level, layer, growth) or ellipse."""
    width, height = size
    mask = area.mask
    if mask is None:
        where = (area.left * width, area.top * height, area.right * width, area.bottom * height)
        return (0.0, 0.0, 1.0, 1.0, *where, 0.0, 0, 0.0, 0)
    where = (mask.left * width, mask.top * height, mask.right * width, mask.bottom * height)
    grow = area.grow * max(abs(where[2] - where[0]), abs(where[3] - where[1]))
    return (*mask.part, *where, mask.level, mask.layer, grow, 0)
