"""Upload a `Frame` to the working texture: raw planes, then one color pass. For the rendering thread.

The texture is rgba16float: display R'G'B', BT.709/sRGB primaries, sRGB transfer, 1.0 = SDR white, straight
alpha. docs/color.md derives the formulae of `shaders/color/color.wgsl`. Where HDR is kept, the texture holds
R'G'B' of PQ and HLG as coded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import wgpu

from desktop.base.errors import SourceUnsupportedError
from desktop.base.resources import resource
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.staging import StagedRows
from desktop.compute.gpu.webgpu import make_recorder
from desktop.media.conversion import WORKING_FORMAT, conversion_uniform, stretch_of, transfer_of
from desktop.media.frame import Fields, Frame, Plane, PlaneFormat
from desktop.pipeline.picture.deinterlace import Deinterlacer, can_deinterlace
from desktop.pipeline.picture.planes import PlaneLayout, format_source, plane_bindings, plane_layout
from desktop.pipeline.picture.staging import FrameStaging
from desktop.pipeline.picture.warping import Warper

_WORKGROUP: Final = (16, 8)


@dataclass(frozen=True)
class _Copy:
    """A copy of staged rows to a part of a texture; see `StagedRows.copy`."""

    rows: StagedRows
    skipped: int
    texture: wgpu.GPUTexture
    at: tuple[int, int]
    size: tuple[int, int]


class Uploader:
    """Plane textures, working texture and color pass, remade only for another format, size or transfer.

    Without `deinterlaces`, the two fields of a frame are shown interleaved, as stored. With `keeps_hdr`, PQ
    and HLG are neither tone-mapped nor clipped.
    """

    def __init__(self, gpu: Gpu) -> None:
        self.deinterlaces = True
        self.keeps_hdr = False
        self._gpu = gpu
        self._write_texture = gpu.texture_writer()
        # Two frames are in flight while the third is written.
        self._staging = FrameStaging(gpu, 3) if gpu.stages_uploads else None
        self._copies: list[_Copy] = []
        self._source = resource("shaders", "color", "color.wgsl").read_text("utf-8")
        self._uniform = gpu.buffer(
            176, wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "color conversion"
        )
        self._uniform_key: tuple[Any, ...] = ()
        self._layouts: tuple[PlaneLayout, ...] = ()
        # How the planes lie that the color pass reads: those, or what the deinterlacer makes of them.
        self._read: tuple[PlaneLayout, ...] = ()
        self._planes: list[wgpu.GPUTexture] = []
        self._deinterlacer: Deinterlacer | None = None
        self._texture: wgpu.GPUTexture | None = None
        self._warper: Warper | None = None  # made with the first warped frame of a size
        self._is_warped = False
        self._bind_group: wgpu.GPUBindGroup | None = None
        self._record = make_recorder(())
        self._textures_key: tuple[Any, ...] = ()
        self._pipeline_key: tuple[Any, ...] = ()
        self._bytes = 0

    @property
    def texture(self) -> wgpu.GPUTexture:
        """Working texture (rgba16float, `frame.display_size`), a new object per size; None before a frame.

        Warped frames are in a texture of their own.
        """
        return self._warper.texture if self._is_warped and self._warper is not None else self._texture

    @property
    def bytes_uploaded(self) -> int:
        """Bytes of pixels that the last frame moved."""
        return self._bytes

    def upload(self, frame: Frame) -> None:
        """Write the planes, whose memory is not used afterwards; raise SourceUnsupportedError if the frame
        exceeds the adapter's texture limit.
        """
        limit = self._gpu.limits["max-texture-dimension-2d"]
        if max(*frame.display_size, frame.width, frame.height) > limit:
            width, height = frame.display_size
            raise SourceUnsupportedError(
                sentence(
                    "The frame of {width} x {height} pixels is larger than this GPU's limit of {limit} a "
                    "side; scale it down first.",
                    width=width,
                    height=height,
                    limit=limit,
                )
            )
        self._prepare(frame, limit)
        self._copies = []
        if self._staging is not None and not self._is_staged(frame.planes[0]):
            frame = self._staging.stage(frame)
        for plane, fmt, layout, texture in zip(
            frame.planes, frame.format.planes, self._layouts, self._planes, strict=True
        ):
            self._write(plane, fmt, layout, texture)
        fields = self._fields(frame)
        if self._deinterlacer is not None and fields is not None:
            self._deinterlacer.upload(frame, fields, self._write)
        shape = (frame.width, frame.height, frame.rotation, frame.mirrored, frame.pixel_aspect)
        key = (frame.format, frame.color, frame.peak_nits, shape)
        if key != self._uniform_key:
            self._gpu.queue.write_buffer(self._uniform, 0, conversion_uniform(frame))
            self._uniform_key = key
        self._is_warped = frame.warp is not None
        if frame.warp is not None:
            if self._warper is None:
                self._warper = Warper(self._gpu, self._texture)
            self._warper.use(frame.warp)
        self._bytes = frame.upload_bytes

    def encode(self, encoder: wgpu.GPUCommandEncoder, **span: Any) -> None:
        """Record the color pass of the frame last uploaded; `span` times it (`FrameTimer.begin`)."""
        for copy in self._copies:
            copy.rows.copy(encoder, copy.skipped, copy.texture, copy.at, copy.size)
        compute_pass = encoder.begin_compute_pass(**span)
        if self._texture is not None:
            self._record(compute_pass)
            if self._is_warped and self._warper is not None:
                self._warper.record(compute_pass)
        compute_pass.end()

    def convert(self) -> None:
        """Submit the color pass of the frame last uploaded."""
        encoder = self._gpu.command_encoder()
        self.encode(encoder)
        self._gpu.queue.submit([encoder.finish()])

    def close(self) -> None:
        """Release the textures; `upload` makes them again."""
        for texture in self._planes:
            texture.destroy()
        self._drop_deinterlacer()
        self._copies = []
        if self._staging is not None:
            self._staging.close()
            self._staging = FrameStaging(self._gpu, 3)
        self._planes, self._textures_key, self._pipeline_key = [], (), ()
        self._bind_group = self._texture = self._warper = None
        self._record = make_recorder(())

    def _fields(self, frame: Frame) -> Fields | None:
        return frame.fields if self.deinterlaces else None

    def _drop_deinterlacer(self) -> None:
        if self._deinterlacer is not None:
            self._deinterlacer.close()
            self._deinterlacer = None

    def _prepare(self, frame: Frame, limit: int) -> None:
        sizes = tuple((plane.width, plane.height) for plane in frame.planes)
        key = (frame.format, sizes, frame.display_size, self._fields(frame) is not None)
        if key != self._textures_key:
            self._make_textures(frame, limit)
            self._textures_key, self._pipeline_key = key, ()
        pipeline_key = (self._transfer(frame), stretch_of(frame), frame.color.chroma_centered)
        if pipeline_key != self._pipeline_key:
            self._make_pipeline(frame)
            self._pipeline_key = pipeline_key

    def _make_textures(self, frame: Frame, limit: int) -> None:
        device = self._gpu.device
        layouts = tuple(
            plane_layout(plane, fmt, limit)
            for plane, fmt in zip(frame.planes, frame.format.planes, strict=True)
        )
        if any(layout.size[1] > limit for layout in layouts):
            raise SourceUnsupportedError(
                sentence(
                    "The frame of {width} x {height} pixels with three channels does not fit this GPU's "
                    "limit of {limit} a side; scale it down first.",
                    width=frame.width,
                    height=frame.height,
                    limit=limit,
                )
            )
        for texture in self._planes:
            texture.destroy()
        self._layouts = layouts
        self._planes = [
            device.create_texture(
                label=f"plane {i} ({frame.format.name})",
                size=layout.size,
                format=layout.texture_format,
                usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST,
            )
            for i, layout in enumerate(self._layouts)
        ]
        # The working texture outlives a change of format alone: others hold bind groups on it.
        if self._texture is None or tuple(self._texture.size[:2]) != frame.display_size:
            self._texture = device.create_texture(
                label="working texture",
                size=(*frame.display_size, 1),
                format=WORKING_FORMAT,
                usage=wgpu.TextureUsage.TEXTURE_BINDING
                | wgpu.TextureUsage.STORAGE_BINDING
                | wgpu.TextureUsage.COPY_SRC,
            )
            self._warper = None
        self._drop_deinterlacer()
        self._read, textures = layouts, self._planes
        if self._fields(frame) is not None and can_deinterlace(layouts):
            self._deinterlacer = Deinterlacer(self._gpu, frame.format, layouts, self._planes)
            self._read, textures = self._deinterlacer.layouts, self._deinterlacer.planes
        planes = {f"plane{i}": texture for i, texture in enumerate(textures)}
        self._bind_group = plane_bindings(self._read).group(
            self._gpu, u=self._uniform, working=self._texture, **planes
        )

    def _transfer(self, frame: Frame) -> int:
        return transfer_of(frame.color, keeps_hdr=self.keeps_hdr)

    def _make_pipeline(self, frame: Frame) -> None:
        stretch = stretch_of(frame)
        in_blocks = frame.format.chroma_shift == (1, 1) and not stretch
        pipeline = self._gpu.compute_pipeline(
            format_source(frame.format, self._read) + self._source,
            "blocks" if in_blocks else "main",
            label=f"color.wgsl ({frame.format.name})",
            layouts=[plane_bindings(self._read).layout(self._gpu)],
            constants={
                "TRANSFER": self._transfer(frame),
                "STRETCH": stretch,
                "COSITED": not frame.color.chroma_centered,
            },
        )
        width, height = (-(-frame.width // 2), -(-frame.height // 2)) if in_blocks else frame.display_size
        workgroups = (-(-width // _WORKGROUP[0]), -(-height // _WORKGROUP[1]), 1)
        before = self._deinterlacer.commands if self._deinterlacer is not None else []
        self._record = make_recorder([*before, (pipeline, (self._bind_group,), workgroups)])

    def _write(self, plane: Plane, fmt: PlaneFormat, layout: PlaneLayout, texture: wgpu.GPUTexture) -> None:
        texels = plane.width * len(fmt.components) * fmt.bytes_per_component // layout.texel_bytes
        for band in range(layout.bands):
            first = band * layout.width
            skipped, at = first * layout.texel_bytes, (0, band * layout.height)
            size = (min(layout.width, texels - first), plane.height)
            if self._is_staged(plane):
                self._copies.append(_Copy(plane.staged, skipped, texture, at, size))
            else:
                self._write_texture(texture, at, plane.data, skipped, plane.stride, size)

    def _is_staged(self, plane: Plane) -> bool:
        # A frame may have been staged by a device that was lost since.
        return plane.staged is not None and plane.staged.memory.is_of(self._gpu)


def uploaded(gpu: Gpu, frame: Frame) -> Uploader:
    """Return an uploader with the frame, as for sources; raise SourceUnsupportedError if too large."""
    uploader = Uploader(gpu)
    uploader.upload(frame)
    uploader.convert()
    return uploader
