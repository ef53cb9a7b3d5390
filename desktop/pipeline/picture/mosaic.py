"""Combine source pipelines' textures on one target, so that a slow tile costs the others only this pass."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import wgpu

from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.shader import read_shader

MOST_TILES: Final = 4
_TILE: Final = Bindings((Binding.texture("tile"),), wgpu.ShaderStage.FRAGMENT)
# The most common aspect ratio.
_USUAL_SHAPE: Final = (16, 9)


@dataclass(frozen=True)
class Area:
    """A part of a target, in whole pixels."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point of the target is inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@functools.lru_cache(maxsize=16)
def areas(count: int, size: tuple[int, int], gap: int) -> tuple[Area, ...]:
    """Return the tiles' areas in pixels, by row, with a `gap` around each; two go where they are larger."""
    if count == 1:
        return (Area(0, 0, *size),)
    columns = 2 if count > 2 or _largest(size, (2, 1)) >= _largest(size, (1, 2)) else 1
    rows = -(-count // columns)
    lefts, tops = _cuts(size[0], columns, gap), _cuts(size[1], rows, gap)
    found = [Area(x, y, width, height) for y, height in tops for x, width in lefts]
    return tuple(found[:count])


def _largest(size: tuple[int, int], parts: tuple[int, int]) -> float:
    """Return the size of a usual frame on a part of a target."""
    return min(side / part / usual for side, part, usual in zip(size, parts, _USUAL_SHAPE, strict=True))


def _cuts(length: int, parts: int, gap: int) -> list[tuple[int, int]]:
    """Divide a length into parts with gaps around them; return (begin, length) of each, length at least 1."""
    ends = [gap + round((length - gap) * part / parts) for part in range(parts + 1)]
    return [(begin, max(1, end - gap - begin)) for begin, end in pairwise(ends)]


class Mosaic:
    """Textures for the tiles, and the pass that draws them. For one `Gpu` and targets of one format."""

    def __init__(self, gpu: Gpu, target_format: str, frame: tuple[float, float, float]) -> None:
        """Make it; `frame` is the color (R'G'B') around the tile in use."""
        self.gpu = gpu
        self.target_format = target_format
        self._tiles = self._pipeline("draw_tile", {})
        colors = dict(zip(("red", "green", "blue"), frame, strict=True))
        self._frame = self._pipeline("draw_frame", colors)
        self._areas: tuple[Area, ...] = ()
        self._textures: tuple[wgpu.GPUTexture, ...] = ()
        self._groups: tuple[wgpu.GPUBindGroup, ...] = ()

    def _pipeline(self, entry: str, constants: dict[str, float]) -> wgpu.GPURenderPipeline:
        device = self.gpu.device
        module = self.gpu.shader_module(read_shader("present", "mosaic.wgsl"), "mosaic.wgsl")
        return device.create_render_pipeline(
            label=entry,
            layout=device.create_pipeline_layout(bind_group_layouts=[_TILE.layout(self.gpu)]),
            vertex={"module": module, "entry_point": "vertex"},
            primitive={"topology": "triangle-list"},
            fragment={
                "module": module,
                "entry_point": entry,
                "constants": constants,
                "targets": [{"format": self.target_format}],
            },
        )

    def lay_out(self, places: Sequence[Area]) -> bool:
        """Give each tile a texture of its area's size; return True if they were replaced and are empty."""
        if tuple(places) == self._areas:
            return False
        self._release()
        self._areas = tuple(places)
        usage = wgpu.TextureUsage
        self._textures = tuple(
            self.gpu.device.create_texture(
                label="tile",
                size=(area.width, area.height, 1),
                format=self.target_format,
                usage=usage.RENDER_ATTACHMENT | usage.TEXTURE_BINDING | usage.COPY_SRC,
            )
            for area in places
        )
        self._groups = tuple(_TILE.group(self.gpu, tile=texture) for texture in self._textures)
        return True

    @property
    def count(self) -> int:
        """Number of tiles in the layout."""
        return len(self._areas)

    def texture(self, number: int) -> wgpu.GPUTexture:
        """Return a tile's texture."""
        return self._textures[number]

    def compose(
        self,
        target: wgpu.GPUTexture,
        used: int | None,
        margin: int,
        background: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> None:
        """Draw all tiles on a target of the laid-out size; tile `used` gets a border of `margin` pixels."""
        encoder = self.gpu.command_encoder()
        attachment: dict[str, Any] = {
            "view": target.create_view(),
            "load_op": "clear",
            "store_op": "store",
            "clear_value": (*background, 1.0),
        }
        render_pass = encoder.begin_render_pass(color_attachments=[attachment])
        if used is not None:
            self._draw_frame(render_pass, used, margin, (target.width, target.height))
        render_pass.set_pipeline(self._tiles)
        for area, group in zip(self._areas, self._groups, strict=True):
            render_pass.set_viewport(area.x, area.y, area.width, area.height, 0.0, 1.0)
            render_pass.set_bind_group(0, group)
            render_pass.draw(3)
        render_pass.end()
        self.gpu.queue.submit([encoder.finish()])

    def _draw_frame(
        self, render_pass: wgpu.GPURenderPassEncoder, number: int, margin: int, size: tuple[int, int]
    ) -> None:
        area = self._areas[number]
        left, top = max(0, area.x - margin), max(0, area.y - margin)
        right = min(size[0], area.x + area.width + margin)
        bottom = min(size[1], area.y + area.height + margin)
        render_pass.set_pipeline(self._frame)
        render_pass.set_viewport(left, top, right - left, bottom - top, 0.0, 1.0)
        render_pass.set_bind_group(0, self._groups[number])
        render_pass.draw(3)

    def _release(self) -> None:
        for texture in self._textures:
            texture.destroy()
        self._textures, self._groups, self._areas = (), (), ()

    def close(self) -> None:
        """Release the textures."""
        self._release()
