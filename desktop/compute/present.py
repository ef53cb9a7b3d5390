"""The last pass: the picture, before/after split and overlay, drawn into the texture that is shown."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import wgpu

from desktop.compute.gpu import Gpu
from desktop.compute.shader import read_shader

_VIEW_BYTES: Final = 64
_MIRRORED, _OVERLAY, _NEAREST = 1, 2, 4

ZoomMode = Literal["fit", "fill", "free"]


@dataclass(frozen=True)
class View:
    """How the picture lies on the target.

    Attributes:
        mode: 'fit' (all of it visible), 'fill' (no border), 'free' (`zoom` counts).
        zoom: target pixels for one picture pixel in mode 'free'; 1.0 is 1:1.
        center: point of the picture (0..1) at the middle of the target, in mode 'free'.
        split: before/after line as a share of the target's width, None for no split. Left of it stands the picture before the chain.
        mirrored: flip the shown picture left to right (exports are not flipped).
        background: R'G'B' around the picture.
    """

    mode: ZoomMode = "fit"
    zoom: float = 1.0
    center: tuple[float, float] = (0.5, 0.5)
    split: float | None = None
    mirrored: bool = False
    background: tuple[float, float, float] = (0.07, 0.07, 0.08)


@dataclass(frozen=True)
class Placement:
    """Where a view puts the picture: its left upper corner on the target, and target pixels for a picture pixel."""

    x: float
    y: float
    zoom: float

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """Return the picture's pixel coordinates under a point of the target (mirroring not counted)."""
        return (x - self.x) / self.zoom, (y - self.y) / self.zoom


def place(view: View, picture: tuple[int, int], target: tuple[int, int]) -> Placement:
    """Return where a picture of a size lies on a target of a size, both (width, height) in pixels."""
    width, height = max(picture[0], 1), max(picture[1], 1)
    ratios = (target[0] / width, target[1] / height)
    zoom = {"fit": min(ratios), "fill": max(ratios), "free": view.zoom}[view.mode]
    zoom = max(zoom, 1e-4)
    cx, cy = view.center if view.mode == "free" else (0.5, 0.5)
    x, y = target[0] / 2 - cx * width * zoom, target[1] / 2 - cy * height * zoom
    # At 1:1 and whole multiples texels must stand on pixels, or the picture is blurred by half a pixel.
    if zoom == int(zoom):
        x, y = round(x), round(y)
    return Placement(x, y, zoom)


class Presenter:
    """Draws into targets of one texture format. One render pass a frame; bind groups change only when a texture does."""

    def __init__(self, gpu: Gpu, target_format: str) -> None:
        self._gpu = gpu
        device = gpu.device
        self.target_format = target_format
        self._layout = device.create_bind_group_layout(entries=self._entries())
        code = read_shader("present", "present.wgsl")
        module = gpu.shader_module(code, "present.wgsl")
        self._pipeline = device.create_render_pipeline(
            label="present",
            layout=device.create_pipeline_layout(bind_group_layouts=[self._layout]),
            vertex={"module": module, "entry_point": "vertex"},
            primitive={"topology": "triangle-list"},
            fragment={"module": module, "entry_point": "fragment", "targets": [{"format": target_format}]},
        )
        self._uniform = gpu.buffer(_VIEW_BYTES, wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "view")
        self._written = b""
        self._sampler = device.create_sampler(mag_filter="linear", min_filter="linear")
        self._overlay = self._overlay_texture(1, 1)
        self._has_overlay = False
        self._bound: tuple[Any, Any] | None = None
        self._group: Any = None

    @staticmethod
    def _entries() -> list[dict[str, Any]]:
        both = wgpu.ShaderStage.FRAGMENT
        texture = {"sample_type": "float", "view_dimension": "2d"}
        return [
            {"binding": 0, "visibility": both, "buffer": {"type": "uniform"}},
            {"binding": 1, "visibility": both, "sampler": {"type": "filtering"}},
            *({"binding": i, "visibility": both, "texture": texture} for i in (2, 3, 4)),
        ]

    def _overlay_texture(self, width: int, height: int) -> Any:
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
        return self._gpu.device.create_texture(
            label="overlay", size=(width, height, 1), format="rgba8unorm", usage=usage
        )

    def set_overlay(self, image: np.ndarray | None) -> None:
        """Take over what is drawn above the picture: uint8 [height, width, 4], R'G'B'A premultiplied, one texel a target pixel."""
        self._has_overlay = image is not None
        if image is None:
            return
        height, width = image.shape[:2]
        if (self._overlay.width, self._overlay.height) != (width, height):
            self._overlay.destroy()
            self._overlay = self._overlay_texture(width, height)
            self._bound = None
        layout = {"bytes_per_row": width * 4, "rows_per_image": height}
        self._gpu.queue.write_texture(
            {"texture": self._overlay}, np.ascontiguousarray(image), layout, (width, height, 1)
        )

    def _write_view(self, view: View, picture: tuple[int, int], target: tuple[int, int]) -> None:
        at = place(view, picture, target)
        nearest = at.zoom >= 3.0 or at.zoom == 1.0
        flags = _MIRRORED * view.mirrored | _OVERLAY * self._has_overlay | _NEAREST * nearest
        split = -1.0 if view.split is None else view.split * target[0]
        scale = 1 / at.zoom
        data = struct.pack(
            "<7fI8f",
            at.x,
            at.y,
            scale,
            scale,
            *picture,
            split,
            flags,
            *view.background,
            1.0,
            1.0,
            1.0,
            1.0,
            0.9,
        )
        if data != self._written:
            self._gpu.queue.write_buffer(self._uniform, 0, data)
            self._written = data

    def encode(
        self,
        encoder: Any,
        target: Any,
        processed: Any,
        original: Any,
        picture: tuple[int, int],
        view: View,
        **span: Any,
    ) -> None:
        """Record the drawing of a picture.

        Args:
            encoder: the frame's command encoder.
            target: the texture to draw into.
            processed: the chain's result, and `original` its source (working textures).
            picture: the picture's size in pixels, for 1:1 (the size of `original`).
            view: how it lies on the target.
            span: what `FrameTimer.begin` returned.
        """
        self._write_view(view, picture, (target.width, target.height))
        if self._bound != (processed, original):
            self._group = self._bind(processed, original)
            self._bound = (processed, original)
        attachment = {
            "view": target.create_view(),
            "load_op": "clear",
            "store_op": "store",
            "clear_value": (0, 0, 0, 1),
        }
        render_pass = encoder.begin_render_pass(color_attachments=[attachment], **span)
        render_pass.set_pipeline(self._pipeline)
        render_pass.set_bind_group(0, self._group)
        render_pass.draw(3)
        render_pass.end()

    def encode_empty(self, encoder: Any, target: Any, view: View, **span: Any) -> None:
        """Record the drawing of the background and the overlay alone, before there is a picture."""
        # The overlay's own 1x1-or-larger texture stands in for a picture of no size, which nothing samples.
        self.encode(encoder, target, self._overlay, self._overlay, (0, 0), view, **span)

    def _bind(self, processed: Any, original: Any) -> Any:
        resources = [
            {"buffer": self._uniform},
            self._sampler,
            *(t.create_view() for t in (processed, original, self._overlay)),
        ]
        entries = [{"binding": i, "resource": r} for i, r in enumerate(resources)]
        return self._gpu.device.create_bind_group(layout=self._layout, entries=entries)

    def close(self) -> None:
        """Release the overlay and the uniform."""
        self._overlay.destroy()
        self._uniform.destroy()
        self._group = self._bound = None


class Exporter:
    """Turns working textures into rgba8unorm pictures and reads them back, several in flight (snapshots, recordings, batch work)."""

    def __init__(self, gpu: Gpu, *, dither: bool = True) -> None:
        self._gpu = gpu
        device = gpu.device
        compute = wgpu.ShaderStage.COMPUTE
        self._layout = device.create_bind_group_layout(
            entries=[
                {
                    "binding": 0,
                    "visibility": compute,
                    "texture": {"sample_type": "float", "view_dimension": "2d"},
                },
                {
                    "binding": 1,
                    "visibility": compute,
                    "storage_texture": {
                        "access": "write-only",
                        "format": "rgba8unorm",
                        "view_dimension": "2d",
                    },
                },
            ]
        )
        self._pipeline = gpu.compute_pipeline(
            read_shader("present", "export.wgsl"),
            "main",
            label="export.wgsl",
            layouts=[self._layout],
            constants={"dither": float(dither)},
        )
        self._texture: Any = None
        self._free: list[Any] = []
        self._groups: dict[int, tuple[Any, Any]] = {}

    def _resize(self, width: int, height: int) -> None:
        if self._texture is not None and (self._texture.width, self._texture.height) == (width, height):
            return
        self.close()
        usage = wgpu.TextureUsage.STORAGE_BINDING | wgpu.TextureUsage.COPY_SRC
        self._texture = self._gpu.device.create_texture(
            label="export", size=(width, height, 1), format="rgba8unorm", usage=usage
        )

    def _group(self, source: Any) -> Any:
        cached = self._groups.get(id(source))
        if cached is None or cached[0] is not source:
            if len(self._groups) > 4:
                self._groups.clear()
            entries = [
                {"binding": 0, "resource": source.create_view()},
                {"binding": 1, "resource": self._texture.create_view()},
            ]
            cached = (source, self._gpu.device.create_bind_group(layout=self._layout, entries=entries))
            self._groups[id(source)] = cached
        return cached[1]

    def begin(self, source: Any) -> PendingPicture:
        """Submit the conversion and copy of a working texture; the picture is fetched later with `PendingPicture.result`."""
        width, height = source.width, source.height
        self._resize(width, height)
        stride = (width * 4 + 255) // 256 * 256  # copy_texture_to_buffer wants rows on multiples of 256 bytes
        buffer = self._take_buffer(stride * height)
        encoder = self._gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        compute_pass.set_pipeline(self._pipeline)
        compute_pass.set_bind_group(0, self._group(source))
        compute_pass.dispatch_workgroups(-(-width // 8), -(-height // 8))
        compute_pass.end()
        encoder.copy_texture_to_buffer(
            {"texture": self._texture},
            {"buffer": buffer, "bytes_per_row": stride, "rows_per_image": height},
            (width, height, 1),
        )
        self._gpu.queue.submit([encoder.finish()])
        return PendingPicture(buffer, buffer.map_async("READ_NOSYNC"), width, height, stride, self._free)

    def _take_buffer(self, size: int) -> Any:
        for buffer in self._free:
            if buffer.size >= size:
                self._free.remove(buffer)
                return buffer
        return self._gpu.buffer(size, wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST, "export")

    def close(self) -> None:
        """Release textures and idle buffers."""
        if self._texture is not None:
            self._texture.destroy()
            self._texture = None
        for buffer in self._free:
            buffer.destroy()
        self._free.clear()
        self._groups.clear()


@dataclass
class PendingPicture:
    """A picture on its way from the GPU."""

    buffer: Any
    promise: Any
    width: int
    height: int
    stride: int
    home: list[Any]

    def result(self) -> np.ndarray:
        """Wait for the picture; uint8 [height, width, 4], R'G'B' with straight alpha. Once only."""
        self.promise.sync_wait()
        raw = np.frombuffer(self.buffer.read_mapped(0, self.stride * self.height, copy=False), np.uint8)
        picture = (
            raw.reshape(self.height, self.stride)[:, : self.width * 4]
            .reshape(self.height, self.width, 4)
            .copy()
        )
        self.buffer.unmap()
        self.home.append(self.buffer)
        return picture
