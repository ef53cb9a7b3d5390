"""A frame on the CPU as its source delivered it: raw planes and the data needed to color them on the GPU."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

Matrix = Literal["bt601", "bt709", "bt2020", "fcc", "smpte240m", "ycgco", "rgb"]
Range = Literal["limited", "full"]
Transfer = Literal["sdr", "pq", "hlg", "linear", "srgb"]
Primaries = Literal["bt709", "bt601-625", "bt601-525", "bt2020", "p3"]


@dataclass(frozen=True)
class PlaneFormat:
    """One plane of a `PixelFormat`.

    Attributes:
        components: the plane's channels, in order: 'Y', 'U', 'V', 'R', 'G', 'B', 'A', 'X' (ignored).
        bytes_per_component: 1 or 2 (little endian), or 4 for float32.
        shift_x, shift_y: log2 of the horizontal and vertical subsampling.
    """

    components: str
    bytes_per_component: int = 1
    shift_x: int = 0
    shift_y: int = 0


@dataclass(frozen=True)
class PixelFormat:
    """Layout of a frame's planes.

    Attributes:
        name: FFmpeg's pix_fmt, e.g. 'yuv420p10le'.
        bits: significant bits of a component.
        msb_aligned: True if they are the upper ones of the 16 (P010), False if the lower ones (yuv420p10le).
    """

    name: str
    planes: tuple[PlaneFormat, ...]
    bits: int = 8
    msb_aligned: bool = False

    @property
    def has_alpha(self) -> bool:
        """True if a plane carries opacity (straight, not premultiplied)."""
        return any("A" in plane.components for plane in self.planes)

    @property
    def is_yuv(self) -> bool:
        """True for luma and chroma, False for RGB and gray."""
        return any("U" in plane.components for plane in self.planes)

    @property
    def chroma_shift(self) -> tuple[int, int]:
        """By how many bits chroma is coarser across and down, (0, 0) where it is not."""
        return next(((p.shift_x, p.shift_y) for p in self.planes if "U" in p.components), (0, 0))


@dataclass(frozen=True)
class ColorInfo:
    """Conversion of code values to light (ITU-T H.273). The source has already resolved unspecified values."""

    matrix: Matrix = "bt709"
    range: Range = "limited"
    transfer: Transfer = "sdr"
    primaries: Primaries = "bt709"
    # Cosited chroma to the left (MPEG-2, H.264 default) or centered (MPEG-1, JPEG).
    chroma_centered: bool = False

    @property
    def is_hdr(self) -> bool:
        """True for PQ and HLG."""
        return self.transfer in ("pq", "hlg")


@dataclass(frozen=True)
class MasteringDisplay:
    """The display that a video was mastered on (SMPTE ST 2086).

    Attributes:
        primaries: chromaticities (x, y) of red, green and blue.
        white: chromaticity of its white.
        darkest, brightest: in cd/m2.
    """

    primaries: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
    white: tuple[float, float]
    darkest: float
    brightest: float


@dataclass(frozen=True)
class HdrMetadata:
    """Static metadata of HDR video: the mastering display, and the levels of its content (CTA-861.3) in cd/m2,
    0 if unknown: MaxCLL of a pixel, MaxFALL of a frame's average.
    """

    mastering: MasteringDisplay | None = None
    max_cll: int = 0
    max_fall: int = 0


@dataclass(frozen=True)
class Plane:
    """Bytes of one plane: `height` rows of `width` samples, `stride` bytes from row to row.

    `staged`: the same rows in memory that the GPU reads (`StagedRows`), None if they are not there.
    """

    # Any object with the buffer protocol: bytes, a NumPy array, an `av.VideoPlane`, a memoryview.
    data: Any
    stride: int
    width: int
    height: int
    staged: Any = None


@dataclass(frozen=True)
class Fields:
    """The two fields of an interlaced frame, captured in turn, with neighbors that supply missing lines.

    Attributes:
        top_first: the even lines are the earlier ones.
        before, after: planes of the neighbors, of the same format and size; None at a cut or an end.
    """

    top_first: bool = True
    before: tuple[Plane, ...] | None = None
    after: tuple[Plane, ...] | None = None


@dataclass(frozen=True)
class Warp:
    """Map from a position of the displayed frame to the one that is read: the rows of an affine matrix for
    (x, y, 1), in widths of the frame from its center, right and down. Beyond its edges the frame is mirrored.
    """

    row_x: tuple[float, float, float] = (1.0, 0.0, 0.0)
    row_y: tuple[float, float, float] = (0.0, 1.0, 0.0)

    def toward(self, other: Warp, share: float) -> Warp:
        """Return the warp between two, this one for a `share` of 0."""
        pairs = zip((*self.row_x, *self.row_y), (*other.row_x, *other.row_y), strict=True)
        a, b, c, d, e, f = (first + (second - first) * share for first, second in pairs)
        return Warp((a, b, c), (d, e, f))


@dataclass(frozen=True)
class Frame:
    """One frame with its raw planes, one for each of `format.planes`, color and time.

    Attributes:
        width, height: coded size in pixels, before rotation.
        rotation: clockwise degrees (0, 90, 180, 270) to turn it for display.
        mirrored: True to flip it left to right before the rotation (EXIF orientations 2, 4, 5, 7).
        pixel_aspect: width of a pixel over its height, before rotation.
        pts: presentation time in seconds from the source's beginning.
        duration: seconds until the next frame, 0.0 if unknown.
        captured_at: `time.perf_counter()` when it entered the program (camera: arrival; file: due time).
        index: number of the frame since the source was opened.
        peak_nits: brightest level that a PQ stream declares, 0 if unknown.
        hdr: static metadata of a PQ or HLG stream.
        warp: how it is moved before anything else, as for stabilization; None for not at all.
        follows: it continues the frame before; False for the images of a slide show.
    """

    planes: tuple[Plane, ...]
    format: PixelFormat
    width: int
    height: int
    color: ColorInfo = field(default_factory=ColorInfo)
    rotation: int = 0
    mirrored: bool = False
    pixel_aspect: Fraction = Fraction(1)
    pts: float = 0.0
    duration: float = 0.0
    captured_at: float = 0.0
    index: int = 0
    peak_nits: float = 0.0
    hdr: HdrMetadata = field(default_factory=HdrMetadata)
    fields: Fields | None = None
    warp: Warp | None = None
    follows: bool = True

    @property
    def display_size(self) -> tuple[int, int]:
        """(width, height) after rotation, in square pixels (enlarged only): the working texture's size."""
        aspect = self.pixel_aspect
        width, height = self.width, self.height
        if aspect > 1:
            width = round(width * aspect)
        elif aspect < 1:
            height = round(height / aspect)
        return (height, width) if self.rotation in (90, 270) else (width, height)

    @property
    def upload_bytes(self) -> int:
        """Bytes that an upload of this frame moves, padding of the rows not counted."""
        return sum(
            plane.width * plane.height * len(fmt.components) * fmt.bytes_per_component
            for plane, fmt in zip(self.planes, self.format.planes, strict=True)
        )


YUV420P = PixelFormat("yuv420p", (PlaneFormat("Y"), PlaneFormat("U", 1, 1, 1), PlaneFormat("V", 1, 1, 1)))
NV12 = PixelFormat("nv12", (PlaneFormat("Y"), PlaneFormat("UV", 1, 1, 1)))
RGBA = PixelFormat("rgba", (PlaneFormat("RGBA"),))
