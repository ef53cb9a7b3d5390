"""The last pass: the frame, before/after split, masks and overlay, drawn into the texture that is shown."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import wgpu

from desktop.base.errors import DeviceLostError
from desktop.base.wording import sentence
from desktop.compute.gpu import webgpu
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.recording import Record
from desktop.compute.gpu.shader import read_shader
from desktop.pipeline.picture.color_mode import ColorMode
from desktop.pipeline.picture.mask_layer import MaskLayer
from desktop.vision.tasks.shapes import Mask

_VIEW_BYTES: Final = 96
_WORKGROUP: Final = (16, 8)
_LINE: Final = (1.0, 1.0, 1.0, 0.9)
DRAWN: Final = Bindings(
    (Binding.uniform("view"), Binding.sampler("picture_sampler"), Binding.texture("picture")),
    wgpu.ShaderStage.FRAGMENT,
)
PLACED: Final = Bindings(
    (
        Binding.uniform("view"),
        Binding.sampler("picture_sampler"),
        Binding.texture("picture"),
        Binding.storage_texture("target_texture", "rgba8unorm"),
    )
)


def _exported(texture_format: str) -> Bindings:
    return Bindings(
        (
            Binding.texture("picture"),
            Binding.storage_texture("exported", texture_format),
            Binding.texture("overlay"),
            Binding.uniform("place"),
            Binding.texture("masks"),
        )
    )


EXPORTED: Final = _exported("rgba8unorm")
# Colors under a low opacity keep their steps.
_MASKED: Final = "rgba16float"

ZoomMode = Literal["fit", "fill", "free"]


@dataclass(frozen=True)
class View:
    """Placement of the frame on the target.

    Attributes:
        mode: 'fit' (all of it visible), 'fill' (no border), 'free' (according to `zoom`).
        zoom: target pixels per frame pixel in mode 'free'; 1.0 is 1:1.
        center: point of the frame (0..1) at the middle of the target, in mode 'free'.
        split: before/after line as a fraction of the target's width; the unprocessed frame is left of it.
        mirrored: flip the shown frame left to right (exports are not flipped).
        checkered: show a checkerboard under transparent parts instead of black.
    """

    mode: ZoomMode = "fit"
    zoom: float = 1.0
    center: tuple[float, float] = (0.5, 0.5)
    split: float | None = None
    mirrored: bool = False
    checkered: bool = False
    background: tuple[float, float, float] = (0.07, 0.07, 0.08)


@dataclass(frozen=True)
class Placement:
    """Placement by a view: the frame's upper left corner on the target, and target pixels per frame pixel."""

    x: float
    y: float
    zoom: float

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """Return the frame's pixel coordinates under a point of the target (mirroring not counted)."""
        return (x - self.x) / self.zoom, (y - self.y) / self.zoom


def place(view: View, picture: tuple[int, int], target: tuple[int, int]) -> Placement:
    """Return the placement of a frame on a target, both sizes (width, height) in pixels."""
    width, height = max(picture[0], 1), max(picture[1], 1)
    ratios = (target[0] / width, target[1] / height)
    zoom = {"fit": min(ratios), "fill": max(ratios), "free": view.zoom}[view.mode]
    zoom = max(zoom, 1e-4)
    cx, cy = view.center if view.mode == "free" else (0.5, 0.5)
    x, y = target[0] / 2 - cx * width * zoom, target[1] / 2 - cy * height * zoom
    # At 1:1 and integer multiples texels must be aligned to pixels, or the frame is blurred by half a pixel.
    if zoom == int(zoom):
        x, y = round(x), round(y)
    return Placement(x, y, zoom)


Rectangle = tuple[int, int, int, int]


def _is_nearest(zoom: float) -> bool:
    # At 1:1, and where single pixels are enlarged enough to be visible, they must not be interpolated.
    return zoom >= 3.0 or zoom == 1.0


def _clip(x0: float, y0: float, x1: float, y1: float, size: tuple[int, int]) -> Rectangle:
    """Return the part of a rectangle visible on a target, as integers (x, y, width, height)."""
    left, top = (max(0, min(round(v), limit)) for v, limit in zip((x0, y0), size, strict=True))
    right, bottom = (max(0, min(round(v), limit)) for v, limit in zip((x1, y1), size, strict=True))
    return left, top, max(0, right - left), max(0, bottom - top)


def _visible_box(image: np.ndarray) -> Rectangle | None:
    """Return the bounding box (left, top, right, bottom) of pixels not fully transparent, or None."""
    visible = image[..., 3] > 0
    rows, columns = np.flatnonzero(visible.any(1)), np.flatnonzero(visible.any(0))
    if not rows.size:
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


@dataclass(frozen=True)
class LaidOver:
    """Overlay: an image, uint8 [height, width, 4] R'G'B'A premultiplied, over masks, the first uppermost."""

    image: np.ndarray | None = None
    masks: tuple[Mask, ...] = ()


class _Overlay:
    """Visible part of an overlay: premultiplied rgba8unorm, None if empty, and its upper left pixel."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._image: np.ndarray | None = None
        self.texture: wgpu.GPUTexture | None = None
        self.at = (0, 0)

    def set(self, image: np.ndarray | None) -> None:
        """Take over an image, uint8 [height, width, 4]; the very one that is there already costs nothing."""
        if image is self._image:
            return
        self._image = image
        box = None if image is None else _visible_box(image)
        if image is None or box is None:
            self._drop()
            return
        left, top, right, bottom = box
        part = np.ascontiguousarray(image[top:bottom, left:right])
        height, width = part.shape[:2]
        if self.texture is None or (self.texture.width, self.texture.height) != (width, height):
            self._drop()
            usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
            self.texture = self._gpu.device.create_texture(
                label="overlay", size=(width, height, 1), format="rgba8unorm", usage=usage
            )
        self.at = (left, top)
        layout = {"bytes_per_row": width * 4, "rows_per_image": height}
        self._gpu.queue.write_texture({"texture": self.texture}, part, layout, (width, height, 1))

    def _drop(self) -> None:
        if self.texture is not None:
            self.texture.destroy()
            self.texture = None

    def close(self) -> None:
        """Release the texture."""
        self._image = None
        self._drop()


@dataclass(frozen=True)
class _Placing:
    """A prepared compute pass: the frame's texture, the target, and whether texels are not interpolated."""

    textures: tuple[wgpu.GPUTexture, wgpu.GPUTexture, bool]
    record: Record


class Presenter:
    """Draws frame, split, masks and overlay in one render pass, for targets of one texture format.

    A frame alone is drawn by a compute pass where the target can be stored to.
    """

    def __init__(self, gpu: Gpu, target_format: str) -> None:
        self._gpu = gpu
        device = gpu.device
        self.target_format = target_format
        self._picture_pipeline = self._pipeline("draw_picture", {})
        over = {"src_factor": "one", "dst_factor": "one-minus-src-alpha", "operation": "add"}
        self._overlay_pipeline = self._pipeline("draw_overlay", {"blend": {"color": over, "alpha": over}})
        self._uniform = gpu.buffer(_VIEW_BYTES, wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "view")
        self._written = b""
        self._smooth = device.create_sampler(mag_filter="linear", min_filter="linear")
        self._nearest = device.create_sampler(mag_filter="nearest", min_filter="nearest")
        self._overlay = _Overlay(gpu)
        self._masks: MaskLayer | None = None  # made with the first mask
        self._groups: dict[tuple[int, bool], tuple[wgpu.GPUTexture, wgpu.GPUBindGroup]] = {}
        self._placing: _Placing | None = None  # made with the first target that can be stored to

    def _pipeline(self, entry: str, state: dict[str, Any]) -> wgpu.GPURenderPipeline:
        device = self._gpu.device
        module = self._gpu.shader_module(read_shader("present", "present.wgsl"), "present.wgsl")
        return device.create_render_pipeline(
            label=entry,
            layout=device.create_pipeline_layout(bind_group_layouts=[DRAWN.layout(self._gpu)]),
            vertex={"module": module, "entry_point": "vertex"},
            primitive={"topology": "triangle-list"},
            fragment={
                "module": module,
                "entry_point": entry,
                "targets": [{"format": self.target_format, **state}],
            },
        )

    def set_overlay(self, image: np.ndarray | None) -> None:
        """Set the overlay: uint8 [height, width, 4], R'G'B'A premultiplied, one texel per target pixel."""
        before = self._overlay.texture
        self._overlay.set(image)
        if before is not None and before is not self._overlay.texture:
            self._groups = {k: v for k, v in self._groups.items() if v[0] is not before}

    def _write_view(
        self, view: View, at: Placement, picture: tuple[int, int], split: float, covered: Rectangle
    ) -> None:
        scale = 1 / at.zoom
        left, top, width, height = covered
        data = struct.pack(
            "<24f",
            *(at.x, at.y, scale, scale),
            *picture,
            *(split, float(view.mirrored)),
            *self._overlay.at,
            *(float(view.checkered), 0.0),
            *_LINE,
            *(left, top, left + width, top + height),
            *(*view.background, 1.0),
        )
        if data != self._written:
            self._gpu.queue.write_buffer(self._uniform, 0, data)
            self._written = data

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        target: wgpu.GPUTexture,
        processed: wgpu.GPUTexture,
        original: wgpu.GPUTexture,
        picture: tuple[int, int],
        view: View,
        masks: Sequence[Mask] = (),
        **span: Any,
    ) -> None:
        """Record the drawing of the working textures `processed` (of size `picture`, for 1:1) and `original`.

        Masks lie over `processed`, the first uppermost; `span` is the result of `FrameTimer.begin`.
        """
        size = (target.width, target.height)
        at = place(view, picture, size)
        split = -1.0 if view.split is None else view.split * size[0]
        left, right, bottom = at.x, at.x + picture[0] * at.zoom, at.y + picture[1] * at.zoom
        self._write_view(view, at, picture, split, _clip(left, at.y, right, bottom, size))
        nearest = _is_nearest(at.zoom)
        is_alone = view.split is None and not masks and self._overlay.texture is None
        if is_alone and target.usage & wgpu.TextureUsage.STORAGE_BINDING:
            if self._masks is not None:
                self._masks.release_textures()
            self._place(encoder, target, processed, nearest, span)
            return
        render_pass = self._begin(encoder, target, view, span)
        render_pass.set_pipeline(self._picture_pipeline)
        self._draw(render_pass, processed, nearest, _clip(max(left, split), at.y, right, bottom, size))
        if view.split is not None:
            # An enlarged frame's original has fewer pixels for the same place.
            nearest = _is_nearest(at.zoom * picture[0] / original.width)
            self._draw(render_pass, original, nearest, _clip(left, at.y, min(right, split), bottom, size))
        if masks:
            ends = (right, at.y, left, bottom) if view.mirrored else (left, at.y, right, bottom)
            visible = _clip(max(left, split), at.y, right, bottom, size)
            self._draw_masks(render_pass, masks, ends, visible, size)
        elif self._masks is not None:
            self._masks.release_textures()
        self._draw_overlay(render_pass, size)
        render_pass.end()

    def _place(
        self,
        encoder: wgpu.GPUCommandEncoder,
        target: wgpu.GPUTexture,
        texture: wgpu.GPUTexture,
        nearest: bool,
        span: dict[str, Any],
    ) -> None:
        if self._placing is None or self._placing.textures != (texture, target, nearest):
            self._placing = self._placed(texture, target, nearest)
        compute_pass = encoder.begin_compute_pass(**span)
        self._placing.record(compute_pass)
        compute_pass.end()

    def _placed(self, texture: wgpu.GPUTexture, target: wgpu.GPUTexture, nearest: bool) -> _Placing:
        pipeline = self._gpu.compute_pipeline(
            read_shader("present", "present.wgsl"),
            "place_picture",
            label="place_picture",
            layouts=[PLACED.layout(self._gpu)],
        )
        group = PLACED.group(
            self._gpu,
            view=self._uniform,
            picture_sampler=self._nearest if nearest else self._smooth,
            picture=texture,
            target_texture=target,
        )
        across, down = _WORKGROUP
        workgroups = (-(-target.width // across), -(-target.height // down), 1)
        return _Placing((texture, target, nearest), webgpu.make_recorder([(pipeline, (group,), workgroups)]))

    def encode_empty(
        self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUTexture, view: View, **span: Any
    ) -> None:
        """Record the drawing of the background and the overlay alone, before there is a frame."""
        size = (target.width, target.height)
        self._write_view(view, Placement(0.0, 0.0, 1.0), (1, 1), -1.0, (0, 0, 0, 0))
        render_pass = self._begin(encoder, target, view, span)
        self._draw_overlay(render_pass, size)
        render_pass.end()

    @staticmethod
    def _begin(
        encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUTexture, view: View, span: dict[str, Any]
    ) -> wgpu.GPURenderPassEncoder:
        attachment = {
            "view": target.create_view(),
            "load_op": "clear",
            "store_op": "store",
            "clear_value": (*view.background, 1.0),
        }
        return encoder.begin_render_pass(color_attachments=[attachment], **span)

    def _draw(
        self,
        render_pass: wgpu.GPURenderPassEncoder,
        texture: wgpu.GPUTexture,
        nearest: bool,
        rectangle: Rectangle,
    ) -> None:
        if rectangle[2] and rectangle[3]:
            render_pass.set_scissor_rect(*rectangle)
            render_pass.set_bind_group(0, self._group(texture, nearest))
            render_pass.draw(3)

    def _draw_masks(
        self,
        render_pass: wgpu.GPURenderPassEncoder,
        masks: Sequence[Mask],
        ends: tuple[float, float, float, float],
        visible: Rectangle,
        size: tuple[int, int],
    ) -> None:
        if self._masks is None:
            self._masks = MaskLayer(self._gpu, self.target_format)
        if visible[2] and visible[3]:
            render_pass.set_scissor_rect(*visible)
            self._masks.draw(render_pass, masks, ends, size)

    def _draw_overlay(self, render_pass: wgpu.GPURenderPassEncoder, size: tuple[int, int]) -> None:
        texture, (x, y) = self._overlay.texture, self._overlay.at
        if texture is None:
            return
        render_pass.set_pipeline(self._overlay_pipeline)
        rectangle = _clip(x, y, x + texture.width, y + texture.height, size)
        self._draw(render_pass, texture, True, rectangle)

    def _group(self, texture: wgpu.GPUTexture, nearest: bool) -> wgpu.GPUBindGroup:
        key = (id(texture), nearest)
        cached = self._groups.get(key)
        if cached is None or cached[0] is not texture:
            if len(self._groups) > 8:
                self._groups.clear()
            group = DRAWN.group(
                self._gpu,
                view=self._uniform,
                picture_sampler=self._nearest if nearest else self._smooth,
                picture=texture,
            )
            # The texture is referenced by its group: an id() is a key only while its object lives.
            cached = self._groups[key] = (texture, group)
        return cached[1]

    def close(self) -> None:
        """Release the overlay and the uniform."""
        self._overlay.close()
        if self._masks is not None:
            self._masks.close()
        self._uniform.destroy()
        self._groups.clear()
        self._placing = None


class Exporter:
    """Reads working textures back as frames, several in flight (snapshots, files, batch work): uint8, or float16
    where `mode` is deep.
    """

    def __init__(self, gpu: Gpu, *, dither: bool = True, mode: ColorMode | None = None) -> None:
        """Make its pipeline; without `dither`, whatever `mode` has, colors are rounded."""
        self._gpu = gpu
        self.mode = mode or ColorMode()
        dithers = dither and self.mode.dither != "none"
        self._format = "rgba16float" if self.mode.is_deep else "rgba8unorm"
        self._bindings = _exported(self._format)
        self._pipeline = gpu.compute_pipeline(
            read_shader("present", "export.wgsl").replace("<rgba8unorm, write>", f"<{self._format}, write>"),
            "main",
            label="export.wgsl",
            layouts=[self._bindings.layout(gpu)],
            constants={
                "dither": float(dithers),
                "deep": self.mode.is_deep,
                "noise": self.mode.dither == "noise",
            },
        )
        self._texture: wgpu.GPUTexture | None = None
        self._overlay = _Overlay(gpu)
        self._masks: MaskLayer | None = None  # made with the first mask
        self._masked: wgpu.GPUTexture | None = None
        # A missing texel covers nothing.
        self._nothing = gpu.device.create_texture(
            label="no overlay", size=(1, 1, 1), format="rgba8unorm", usage=wgpu.TextureUsage.TEXTURE_BINDING
        )
        self._place = gpu.buffer(8, wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "place")
        self._free: list[wgpu.GPUBuffer] = []
        self._groups: dict[tuple[int, ...], tuple[tuple[wgpu.GPUTexture, ...], wgpu.GPUBindGroup]] = {}

    def _resize(self, width: int, height: int) -> None:
        if self._texture is not None and (self._texture.width, self._texture.height) == (width, height):
            return
        self._release()
        usage = wgpu.TextureUsage.STORAGE_BINDING | wgpu.TextureUsage.COPY_SRC
        self._texture = self._gpu.device.create_texture(
            label="export", size=(width, height, 1), format=self._format, usage=usage
        )

    def _group(self, source: wgpu.GPUTexture, masks: wgpu.GPUTexture) -> wgpu.GPUBindGroup:
        overlay = self._overlay.texture or self._nothing
        # Referenced by their group: an id() is a key only while its object lives.
        read = (source, overlay, masks)
        key = tuple(map(id, read))
        if key not in self._groups:
            if len(self._groups) > 4:
                self._groups.clear()
            group = self._bindings.group(
                self._gpu,
                picture=source,
                exported=self._texture,
                overlay=overlay,
                place=self._place,
                masks=masks,
            )
            self._groups[key] = (read, group)
        return self._groups[key][1]

    def _take_overlay(self, image: np.ndarray | None) -> None:
        before = (self._overlay.texture, self._overlay.at)
        self._overlay.set(image)
        if before[0] is not self._overlay.texture:
            self._groups.clear()  # of a texture that was destroyed
        if before[1] != self._overlay.at:
            self._gpu.queue.write_buffer(self._place, 0, struct.pack("<2i", *self._overlay.at))

    def begin(self, source: wgpu.GPUTexture, over: LaidOver) -> PendingPicture:
        """Submit the conversion and copy of a working texture with an overlay; the result comes later."""
        width, height = source.width, source.height
        self._resize(width, height)
        self._take_overlay(over.image)
        pixel_type: np.dtype[Any] = np.dtype(np.float16 if self.mode.is_deep else np.uint8)
        stride = (width * 4 * pixel_type.itemsize + 255) // 256 * 256  # required by copy_texture_to_buffer
        buffer = self._take_buffer(stride * height)
        encoder = self._gpu.command_encoder()
        masks = self._draw_masks(encoder, (width, height), over.masks) if over.masks else self._nothing
        compute_pass = encoder.begin_compute_pass()
        compute_pass.set_pipeline(self._pipeline)
        compute_pass.set_bind_group(0, self._group(source, masks))
        compute_pass.dispatch_workgroups(-(-width // 8), -(-height // 8))
        compute_pass.end()
        encoder.copy_texture_to_buffer(
            {"texture": self._texture},
            {"buffer": buffer, "bytes_per_row": stride, "rows_per_image": height},
            (width, height, 1),
        )
        self._gpu.queue.submit([encoder.finish()])
        return PendingPicture(
            self._gpu,
            buffer,
            buffer.map_async("READ_NOSYNC"),
            width,
            height,
            stride,
            self._free,
            pixel_type,
        )

    def _draw_masks(
        self, encoder: wgpu.GPUCommandEncoder, size: tuple[int, int], masks: Sequence[Mask]
    ) -> wgpu.GPUTexture:
        """Record the drawing of masks for a frame of a size, into a texture of their own."""
        if self._masked is None or (self._masked.width, self._masked.height) != size:
            if self._masked is not None:
                self._masked.destroy()
            self._masked = self._gpu.device.create_texture(
                label="masks",
                size=(*size, 1),
                format=_MASKED,
                usage=wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.TEXTURE_BINDING,
            )
        if self._masks is None:
            self._masks = MaskLayer(self._gpu, _MASKED)
        self._masks.draw_alone(encoder, self._masked, masks)
        return self._masked

    def _take_buffer(self, size: int) -> wgpu.GPUBuffer:
        for buffer in self._free:
            if buffer.size >= size:
                self._free.remove(buffer)
                return buffer
        return self._gpu.buffer(size, wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST, "export")

    def close(self) -> None:
        """Release textures and idle buffers."""
        self._release()
        self._overlay.close()
        if self._masks is not None:
            self._masks.close()
        if self._masked is not None:
            self._masked.destroy()
        self._nothing.destroy()
        self._place.destroy()

    def _release(self) -> None:
        if self._texture is not None:
            self._texture.destroy()
            self._texture = None
        for buffer in self._free:
            buffer.destroy()
        self._free.clear()
        self._groups.clear()


@dataclass
class PendingPicture:
    """A frame on its way from the GPU."""

    gpu: Gpu
    buffer: wgpu.GPUBuffer
    promise: wgpu.GPUPromise
    width: int
    height: int
    stride: int
    home: list[wgpu.GPUBuffer]
    pixel_type: np.dtype[Any]

    def result(self) -> np.ndarray:
        """Wait for the frame, uint8 or float16 [height, width, 4], R'G'B' with straight alpha; once only.

        Raise DeviceLostError, or StoppedError if the wait was ended (`Gpu.stopping`).
        """
        try:
            self.gpu.wait_for(self.promise)
            raw = np.frombuffer(self.buffer.read_mapped(0, self.stride * self.height, copy=False), np.uint8)
            rows = raw.reshape(self.height, self.stride)[:, : self.width * 4 * self.pixel_type.itemsize]
            picture = rows.copy().view(self.pixel_type).reshape(self.height, self.width, 4)
            self.buffer.unmap()
        except (RuntimeError, wgpu.GPUError) as error:
            raise DeviceLostError(
                sentence("A frame was lost with the GPU that held it; try again.")
            ) from error
        self.home.append(self.buffer)
        return picture


def check_drawing(gpu: Gpu) -> None:
    """Create and release a window's pipelines; raise GpuError, ShaderError or wgpu.GPUError if rejected."""
    with webgpu.refusals(gpu.device):
        Presenter(gpu, "bgra8unorm").close()
