"""From a `Frame` on the CPU to the working texture on the GPU: one upload of raw planes, one color pass.

The working texture is rgba16float: R'G'B' as a display takes it, BT.709/sRGB primaries, sRGB transfer, 0..1 with 1.0 = SDR
white, straight (not premultiplied) alpha. docs/color.md derives the formulae; `shaders/color/color.wgsl` computes them.

Not thread-safe: for the thread that renders.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.wgpu_native.recorder import make_recorder
from desktop.compute.media.frame import ColorInfo, Frame, PixelFormat, Plane, PlaneFormat
from desktop.errors import SourceUnsupportedError
from desktop.resources import resource
from desktop.wording import sentence

WORKING_FORMAT: Final = "rgba16float"
"""Texture format of the working texture."""

SDR_WHITE_NITS: Final = 203.0
"""HDR reference white (BT.2408, table 1), shown as SDR white."""

DEFAULT_PEAK_NITS: Final = 1000.0
"""Peak of a PQ stream that declares none: what most of them are mastered for."""

_HLG_PEAK_NITS: Final = 1000.0

# ITU-T H.273, table 4: K_R and K_B.
_LUMA: Final = {
    "bt601": (0.299, 0.114),
    "bt709": (0.2126, 0.0722),
    "bt2020": (0.2627, 0.0593),
    "fcc": (0.30, 0.11),
    "smpte240m": (0.212, 0.087),
}

# ITU-T H.273, table 2: chromaticities of red, green, blue; white is D65 for both.
_CHROMATICITIES: Final = {
    "bt709": ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060)),
    "bt2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    "p3": ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
}
_D65: Final = (0.3127, 0.3290)

_PASS, _GAMUT, _PQ, _HLG, _LINEAR = range(5)
_WORKGROUP: Final = (16, 8)


def matrix_to_rgb(name: str) -> np.ndarray:
    """Return the 3x3 float64 matrix from (E'Y, E'Cb, E'Cr) to (E'R, E'G, E'B) (ITU-T H.273, 8.3)."""
    if name == "rgb":
        return np.eye(3)
    if name == "ycgco":
        # Planes are Y, Cg, Co.
        return np.array([[1.0, -1.0, 1.0], [1.0, 1.0, 0.0], [1.0, -1.0, -1.0]])
    kr, kb = _LUMA[name]
    kg = 1.0 - kr - kb
    red, blue = 2.0 * (1.0 - kr), 2.0 * (1.0 - kb)
    return np.array([[1.0, 0.0, red], [1.0, -kb * blue / kg, -kr * red / kg], [1.0, blue, 0.0]])


def code_matrix(color: ColorInfo, pixel_format: PixelFormat) -> np.ndarray:
    """Return the 3x4 float64 matrix from (code, code, code, 1), as the textures deliver codes, to R'G'B'.

    8-bit planes arrive as 0..1, 16-bit ones as integers, float planes as they are (ITU-T H.273, 8.3, equations 20 to 25 and
    26 to 31 for the two ranges).
    """
    bits = pixel_format.bits
    size = pixel_format.planes[0].bytes_per_component
    top = float(2**bits - 1)
    if size == 4:
        return np.hstack([np.eye(3), np.zeros((3, 1))])
    # Texture value -> code of `bits` bits.
    unit = 255.0 if size == 1 else 2.0 ** (bits - 16) if pixel_format.msb_aligned else 1.0
    step = 2.0 ** (bits - 8)
    if color.range == "limited":
        scale, offset = 1.0 / (219.0 * step), -16.0 / 219.0
        chroma_scale, chroma_offset = 1.0 / (224.0 * step), -128.0 / 224.0
    else:
        scale, offset = 1.0 / top, 0.0
        chroma_scale, chroma_offset = 1.0 / top, -(2.0 ** (bits - 1)) / top
    if not pixel_format.is_yuv:
        return np.hstack([np.eye(3) * scale * unit, np.full((3, 1), offset)])
    matrix = matrix_to_rgb(color.matrix)
    scales = np.array([scale, chroma_scale, chroma_scale]) * unit
    offsets = np.array([offset, chroma_offset, chroma_offset])
    return np.hstack([matrix * scales, (matrix @ offsets)[:, None]])


def _rgb_to_xyz(primaries: str) -> np.ndarray:
    def xyz(xy: tuple[float, float]) -> np.ndarray:
        x, y = xy
        return np.array([x / y, 1.0, (1.0 - x - y) / y])

    columns = np.stack([xyz(point) for point in _CHROMATICITIES[primaries]], axis=1)
    return columns * np.linalg.solve(columns, xyz(_D65))


def gamut_matrix(primaries: str) -> np.ndarray:
    """Return the 3x3 float64 matrix of linear light from `primaries` to BT.709's (SMPTE RP 177).

    BT.601's two sets are left as they are, as players do: the difference to BT.709 is small, and files carry the wrong
    tag more often than the right one.
    """
    if primaries not in ("bt2020", "p3"):
        return np.eye(3)
    return np.linalg.solve(_rgb_to_xyz("bt709"), _rgb_to_xyz(primaries))


def _nits_to_pq(nits: float) -> float:
    y = (min(max(nits, 0.0), 10000.0) / 10000.0) ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * y) / (1.0 + 2392 / 128 * y)) ** (2523 / 32)


def _transfer(color: ColorInfo) -> int:
    if color.transfer in ("pq", "hlg", "linear"):
        return {"pq": _PQ, "hlg": _HLG, "linear": _LINEAR}[color.transfer]
    return _GAMUT if color.primaries in ("bt2020", "p3") else _PASS


def _stretch(frame: Frame) -> int:
    return 0 if frame.pixel_aspect == 1 else 1 if frame.pixel_aspect > 1 else 2


def _square_size(frame: Frame) -> tuple[int, int]:
    """Return the size in square pixels before rotation."""
    width, height = frame.display_size
    return (height, width) if frame.rotation in (90, 270) else (width, height)


def _turn(frame: Frame) -> tuple[tuple[int, int, int, int], tuple[int, int]]:
    """Return the integer map from an output pixel to the pixel before flip and clockwise rotation: 2x2 matrix, shift."""
    width, height = _square_size(frame)
    (xx, xy, x0), (yx, yy, y0) = {
        0: ((1, 0, 0), (0, 1, 0)),
        90: ((0, 1, 0), (-1, 0, height - 1)),
        180: ((-1, 0, width - 1), (0, -1, height - 1)),
        270: ((0, -1, width - 1), (1, 0, 0)),
    }[frame.rotation]
    if frame.mirrored:
        xx, xy, x0 = -xx, -xy, width - 1 - x0
    return (xx, xy, yx, yy), (x0, y0)


def _chroma_map(frame: Frame) -> tuple[float, float, float, float]:
    """Return the map from a pixel to a chroma sample, (scale x, scale y, offset x, offset y).

    Left-cosited chroma (H.264 figure 6-1, the default of MPEG-2 and later) shares its column with an even luma column; between
    rows it is always centered.
    """
    shift_x, shift_y = _chroma_shift(frame.format)
    across, down = 2.0**-shift_x, 2.0**-shift_y
    centered = frame.color.chroma_centered
    return across, down, (across - 1.0) / 2.0 if centered else 0.0, (down - 1.0) / 2.0


def _chroma_shift(pixel_format: PixelFormat) -> tuple[int, int]:
    for plane in pixel_format.planes:
        if "U" in plane.components:
            return plane.shift_x, plane.shift_y
    return 0, 0


def conversion_uniform(frame: Frame) -> bytes:
    """Pack the `Conversion` of `shaders/color/color.wgsl` (176 bytes, little endian) for a frame."""
    rows = code_matrix(frame.color, frame.format)
    gamut = np.hstack([gamut_matrix(frame.color.primaries), np.zeros((3, 1))])
    peak = _HLG_PEAK_NITS if frame.color.transfer == "hlg" else frame.peak_nits or DEFAULT_PEAK_NITS
    width, height = _square_size(frame)
    per_output = frame.width / width if _stretch(frame) == 1 else frame.height / height
    turn, shift = _turn(frame)
    return struct.pack(
        "<12f12f4f4f4i4i",
        *rows.ravel(),
        *gamut.ravel(),
        *_chroma_map(frame),
        _alpha_scale(frame.format),
        _nits_to_pq(max(peak, SDR_WHITE_NITS)),
        per_output,
        SDR_WHITE_NITS,
        *turn,
        *shift,
        frame.width,
        frame.height,
    )


def _alpha_scale(pixel_format: PixelFormat) -> float:
    if not pixel_format.has_alpha or pixel_format.planes[0].bytes_per_component != 2:
        return 1.0
    return 1.0 / (2**pixel_format.bits - 1)


# -- WGSL that depends on the pixel format ---------------------------------------------------------------------------------

_CHANNELS: Final = "rgba"
_FIRST_PLANE_BINDING: Final = 2


@dataclass(frozen=True)
class _Layout:
    """How a plane lies in its texture.

    A plane of three components has no texture format of its own: it is a one-channel texture three times as wide, cut into
    `bands` side by side columns that stand one below the other where that is wider than a texture may be.
    """

    texture_format: str
    texel_bytes: int
    width: int
    height: int
    bands: int = 1

    @property
    def size(self) -> tuple[int, int, int]:
        return self.width, self.height * self.bands, 1

    @property
    def sample_type(self) -> str:
        return "uint" if self.texture_format.endswith("uint") else "unfilterable-float"

    @property
    def wgsl_type(self) -> str:
        return "texture_2d<u32>" if self.sample_type == "uint" else "texture_2d<f32>"


def _plane_layout(plane: Plane, fmt: PlaneFormat, limit: int) -> _Layout:
    count = len(fmt.components)
    kind = {1: "8unorm", 2: "16uint", 4: "32float"}[fmt.bytes_per_component]
    if count != 3:
        name = {1: "r", 2: "rg", 4: "rgba"}[count] + kind
        return _Layout(name, count * fmt.bytes_per_component, plane.width, plane.height)
    total = plane.width * 3
    bands = -(-total // limit)
    return _Layout("r" + kind, fmt.bytes_per_component, -(-total // bands), plane.height, bands)


def _load(plane: int, at: str, channel: str) -> str:
    return f"f32(textureLoad(plane{plane}, {at}, 0).{channel})"


def _component(
    pixel_format: PixelFormat, layouts: tuple[_Layout, ...], letter: str, at: str = "p"
) -> str | None:
    """Return the WGSL that reads one component at the position `at`, or None if the format lacks it."""
    for index, (fmt, layout) in enumerate(zip(pixel_format.planes, layouts, strict=True)):
        channel = fmt.components.find(letter)
        if channel < 0:
            continue
        if len(fmt.components) == 3:
            return _load(index, f"packed({at} , {channel}, {layout.width}, {layout.height})", "r")
        if fmt.components.count("Y") == 2 and letter == "Y":
            second = fmt.components.rfind("Y")
            return f"f32(textureLoad(plane{index}, {at} / vec2i(2, 1), 0)[select({channel}, {second}, (p.x & 1) == 1)])"
        return _load(index, at, _CHANNELS[channel])
    return None


_PACKED = """fn packed(p: vec2i, channel: i32, width: i32, height: i32) -> vec2i {
    let x = p.x * 3 + channel;
    return vec2i(x % width, p.y + x / width * height);
}
"""


def _format_source(pixel_format: PixelFormat, layouts: tuple[_Layout, ...]) -> str:
    def read(letter: str, at: str = "p") -> str:
        return _component(pixel_format, layouts, letter, at) or "0.0"

    is_rgb = any("R" in plane.components for plane in pixel_format.planes)
    shift_x, shift_y = _chroma_shift(pixel_format)
    textures = "".join(
        f"@group(0) @binding({_FIRST_PLANE_BINDING + i}) var plane{i}: {layout.wgsl_type};\n"
        for i, layout in enumerate(layouts)
    )
    alpha = _component(pixel_format, layouts, "A") or "1.0"
    return (
        f"// Reads {pixel_format.name}.\n{textures}"
        f"const IS_RGB = {str(is_rgb).lower()};\n"
        f"const HAS_CHROMA = {str(pixel_format.is_yuv).lower()};\n"
        f"const SUBSAMPLED = {str(shift_x + shift_y > 0).lower()};\n"
        f"const CHROMA_SHIFT = vec2u({shift_x}u, {shift_y}u);\n{_PACKED}"
        f"fn luma(p: vec2i) -> f32 {{ return {read('Y')}; }}\n"
        f"fn chroma(c: vec2i) -> vec2f {{ return vec2f({read('U', 'c')}, {read('V', 'c')}); }}\n"
        f"fn rgb(p: vec2i) -> vec3f {{ return vec3f({read('R')}, {read('G')}, {read('B')}); }}\n"
        f"fn alpha(p: vec2i) -> f32 {{ return {alpha}; }}\n"
    )


# -- the uploader ------------------------------------------------------------------------------------------------------------


class Uploader:
    """Owns the plane textures, the working texture and the color pass.

    A frame costs one `write_texture` a plane and, when its color or orientation differs from the last one's, one small uniform
    write. Textures and bind group are made anew only when the format or a size changes, pipelines once per format and transfer.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._source = resource("shaders", "color", "color.wgsl").read_text("utf-8")
        self._uniform = gpu.buffer(
            176, wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "color conversion"
        )
        self._uniform_key: tuple[Any, ...] = ()
        self._layouts: tuple[_Layout, ...] = ()
        self._bind_layouts: dict[tuple[str, ...], Any] = {}
        self._planes: list[Any] = []
        self._texture: Any = None
        self._bind_group: Any = None
        self._record = make_recorder(())
        self._textures_key: tuple[Any, ...] = ()
        self._pipeline_key: tuple[Any, ...] = ()
        self._bytes = 0

    @property
    def texture(self) -> Any:
        """The working texture (`wgpu.GPUTexture`, rgba16float, `frame.display_size`); None before the first frame.

        A new object when the size changes; the same one otherwise.
        """
        return self._texture

    @property
    def bytes_uploaded(self) -> int:
        """Bytes of pixels that the last frame moved."""
        return self._bytes

    def upload(self, frame: Frame) -> None:
        """Write the planes; the frame's memory is not used after the call.

        Raises:
            SourceUnsupportedError: the picture is larger than a texture of this adapter may be.
        """
        limit = self._gpu.limits["max-texture-dimension-2d"]
        if max(*frame.display_size, frame.width, frame.height) > limit:
            width, height = frame.display_size
            raise SourceUnsupportedError(
                sentence(
                    "The picture of {width} x {height} pixels is larger than this GPU's limit of {limit} a side; "
                    "scale it down first.",
                    width=width,
                    height=height,
                    limit=limit,
                )
            )
        self._prepare(frame, limit)
        for plane, fmt, layout, texture in zip(
            frame.planes, frame.format.planes, self._layouts, self._planes, strict=True
        ):
            self._write(plane, fmt, layout, texture)
        shape = (frame.width, frame.height, frame.rotation, frame.mirrored, frame.pixel_aspect)
        key = (frame.format, frame.color, frame.peak_nits, shape)
        if key != self._uniform_key:
            self._gpu.queue.write_buffer(self._uniform, 0, conversion_uniform(frame))
            self._uniform_key = key
        self._bytes = frame.upload_bytes

    def encode(self, compute_pass: Any) -> None:
        """Record the color pass of the frame last uploaded into an open compute pass."""
        if self._texture is None:
            return
        self._record(compute_pass)

    def close(self) -> None:
        """Release the textures; `upload` makes them again."""
        for texture in self._planes:
            texture.destroy()
        self._planes, self._textures_key, self._pipeline_key = [], (), ()
        self._bind_group = self._texture = None
        self._record = make_recorder(())

    def _prepare(self, frame: Frame, limit: int) -> None:
        sizes = tuple((plane.width, plane.height) for plane in frame.planes)
        key = (frame.format, sizes, frame.display_size)
        if key != self._textures_key:
            self._make_textures(frame, limit)
            self._textures_key, self._pipeline_key = key, ()
        pipeline_key = (_transfer(frame.color), _stretch(frame))
        if pipeline_key != self._pipeline_key:
            self._make_pipeline(frame, *pipeline_key)
            self._pipeline_key = pipeline_key

    def _make_textures(self, frame: Frame, limit: int) -> None:
        device = self._gpu.device
        layouts = tuple(
            _plane_layout(plane, fmt, limit)
            for plane, fmt in zip(frame.planes, frame.format.planes, strict=True)
        )
        if any(layout.size[1] > limit for layout in layouts):
            raise SourceUnsupportedError(
                sentence(
                    "The picture of {width} x {height} pixels with three channels does not fit this GPU's limit of "
                    "{limit} a side; scale it down first.",
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
        entries = [
            {"binding": 0, "resource": {"buffer": self._uniform, "offset": 0, "size": self._uniform.size}},
            {"binding": 1, "resource": self._texture.create_view()},
        ]
        entries += [
            {"binding": _FIRST_PLANE_BINDING + i, "resource": texture.create_view()}
            for i, texture in enumerate(self._planes)
        ]
        self._bind_group = device.create_bind_group(layout=self._bind_layout(), entries=entries)

    def _bind_layout(self) -> Any:
        types = tuple(layout.sample_type for layout in self._layouts)
        if types not in self._bind_layouts:
            stage = wgpu.ShaderStage.COMPUTE
            entries: list[dict[str, Any]] = [
                {"binding": 0, "visibility": stage, "buffer": {"type": "uniform"}},
                {"binding": 1, "visibility": stage, "storage_texture": {"format": WORKING_FORMAT}},
            ]
            entries += [
                {"binding": _FIRST_PLANE_BINDING + i, "visibility": stage, "texture": {"sample_type": kind}}
                for i, kind in enumerate(types)
            ]
            self._bind_layouts[types] = self._gpu.device.create_bind_group_layout(entries=entries)
        return self._bind_layouts[types]

    def _make_pipeline(self, frame: Frame, transfer: int, stretch: int) -> None:
        pipeline = self._gpu.compute_pipeline(
            _format_source(frame.format, self._layouts) + self._source,
            "main",
            label=f"color.wgsl ({frame.format.name})",
            layouts=[self._bind_layout()],
            constants={"TRANSFER": transfer, "STRETCH": stretch},
        )
        width, height = frame.display_size
        workgroups = (-(-width // _WORKGROUP[0]), -(-height // _WORKGROUP[1]), 1)
        self._record = make_recorder([(pipeline, (self._bind_group,), workgroups)])

    def _write(self, plane: Plane, fmt: PlaneFormat, layout: _Layout, texture: Any) -> None:
        texels = plane.width * len(fmt.components) * fmt.bytes_per_component // layout.texel_bytes
        for band in range(layout.bands):
            first = band * layout.width
            self._gpu.queue.write_texture(
                {"texture": texture, "origin": (0, band * layout.height, 0)},
                plane.data,
                {
                    "offset": first * layout.texel_bytes,
                    "bytes_per_row": plane.stride,
                    "rows_per_image": plane.height,
                },
                (min(layout.width, texels - first), plane.height, 1),
            )


def uploaded(gpu: Gpu, frame: Frame) -> Uploader:
    """Return an uploader of its own whose texture holds the frame: through the color pass, so that a picture looks as it does as a source.

    Raises:
        SourceUnsupportedError: the picture is larger than a texture of this adapter may be.
    """
    uploader = Uploader(gpu)
    uploader.upload(frame)
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    uploader.encode(compute_pass)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    return uploader
