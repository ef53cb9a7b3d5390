"""Convert PyAV's decoded frames to `Frame`: formats, color, orientation.

Nothing is copied: a `Plane` holds the `av.VideoPlane`, which keeps the decoder's buffer alive. Exceptions:
formats that the color pass does not read (converted by libswscale to the nearest) and rows stored bottom-up.
"""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import av
import numpy as np
from av.video.format import names as ffmpeg_names  # type: ignore[attr-defined]
from av.video.reformatter import Interpolation, VideoReformatter

from desktop.base.errors import SourceDamagedError, SourceUnsupportedError
from desktop.base.wording import sentence
from desktop.media.containers import side_data
from desktop.media.frame import (
    ColorInfo,
    Frame,
    HdrMetadata,
    MasteringDisplay,
    Matrix,
    PixelFormat,
    Plane,
    PlaneFormat,
    Primaries,
    Range,
    Transfer,
)

# No texture is larger on any adapter, and a header that says more is nearly always a broken one.
MAX_DIMENSION: Final = 16384


def _planar(name: str, components: str, bits: int, shift_x: int, shift_y: int) -> PixelFormat:
    size = 1 if bits == 8 else 2
    planes = tuple(
        PlaneFormat(c, size, shift_x, shift_y) if c in "UV" else PlaneFormat(c, size) for c in components
    )
    return PixelFormat(name, planes, bits)


def _packed(name: str, components: str, bits: int = 8) -> PixelFormat:
    return PixelFormat(name, (PlaneFormat(components, 1 if bits == 8 else 2),), bits)


def _formats() -> dict[str, PixelFormat]:
    found: list[PixelFormat] = []
    for tag, shift_x, shift_y in (
        ("420", 1, 1),
        ("422", 1, 0),
        ("444", 0, 0),
        ("440", 0, 1),
        ("411", 2, 0),
        ("410", 2, 2),
    ):
        found.append(_planar(f"yuv{tag}p", "YUV", 8, shift_x, shift_y))
        found.append(_planar(f"yuvj{tag}p", "YUV", 8, shift_x, shift_y))
        found.append(_planar(f"yuva{tag}p", "YUVA", 8, shift_x, shift_y))
        for bits in (9, 10, 12, 14, 16):
            found.append(_planar(f"yuv{tag}p{bits}le", "YUV", bits, shift_x, shift_y))
            found.append(_planar(f"yuva{tag}p{bits}le", "YUVA", bits, shift_x, shift_y))
    for name, shift_x, shift_y in (("nv12", 1, 1), ("nv16", 1, 0), ("nv24", 0, 0)):
        found.append(PixelFormat(name, (PlaneFormat("Y"), PlaneFormat("UV", 1, shift_x, shift_y))))
    found.append(PixelFormat("nv21", (PlaneFormat("Y"), PlaneFormat("VU", 1, 1, 1))))
    for name, bits, shift_x, shift_y in (
        ("p010le", 10, 1, 1),
        ("p012le", 12, 1, 1),
        ("p016le", 16, 1, 1),
        ("p210le", 10, 1, 0),
    ):
        planes = (PlaneFormat("Y", 2), PlaneFormat("UV", 2, shift_x, shift_y))
        found.append(PixelFormat(name, planes, bits, msb_aligned=True))
    # Two pixels to a texel: the plane is half as wide as the frame and has its own shift.
    for name, order in (("yuyv422", "YUYV"), ("uyvy422", "UYVY"), ("yvyu422", "YVYU")):
        found.append(PixelFormat(name, (PlaneFormat(order, 1, 1, 0),)))
    found += [PixelFormat("ya8", (PlaneFormat("YA"),)), PixelFormat("ya16le", (PlaneFormat("YA", 2),), 16)]
    found.append(_planar("gray", "Y", 8, 0, 0))
    found += [_planar(f"gray{bits}le", "Y", bits, 0, 0) for bits in (9, 10, 12, 14, 16)]
    found += [_planar("gbrp", "GBR", 8, 0, 0), _planar("gbrap", "GBRA", 8, 0, 0)]
    for bits in (9, 10, 12, 14, 16):
        found += [_planar(f"gbrp{bits}le", "GBR", bits, 0, 0), _planar(f"gbrap{bits}le", "GBRA", bits, 0, 0)]
    for name in ("rgb24", "bgr24"):
        found.append(_packed(name, name[:3].upper()))
    for name in ("rgba", "bgra", "argb", "abgr"):
        found.append(_packed(name, name.upper()))
    for name in ("rgb0", "bgr0", "0rgb", "0bgr"):
        found.append(_packed(name, name.upper().replace("0", "X")))
    for name in ("rgb48le", "bgr48le", "rgba64le", "bgra64le"):
        found.append(_packed(name, name.rstrip("le0123456789").upper(), 16))
    for name, order in (("gbrpf32le", "GBR"), ("gbrapf32le", "GBRA"), ("grayf32le", "Y")):
        found.append(PixelFormat(name, tuple(PlaneFormat(c, 4) for c in order), 32))
    # The rules above name some combinations that FFmpeg does not have.
    return {f.name: f for f in found if f.name in ffmpeg_names}


FORMATS: Final[dict[str, PixelFormat]] = _formats()
"""Every pixel format whose planes are uploaded as they are, by FFmpeg's name."""

# AVCOL_SPC_*, AVCOL_TRC_* and AVCOL_PRI_* have the code points of ITU-T H.273, tables 4, 3 and 2.
_MATRICES: Final[dict[int, Matrix]] = {
    0: "rgb", 1: "bt709", 4: "fcc", 5: "bt601", 6: "bt601", 7: "smpte240m", 8: "ycgco", 9: "bt2020", 10: "bt2020",
}  # fmt: skip
_NOT_HONORED: Final = {
    10: sentence("constant luminance is read as non-constant"),
    11: sentence("SMPTE ST 2085 is read as the default matrix"),
    12: sentence("a matrix derived from the primaries is read as the default one"),
    13: sentence("a constant luminance matrix is read as the default one"),
    14: sentence("ICtCp is read as the default matrix"),
    15: sentence("IPT-C2 is read as the default matrix"),
}
_TRANSFERS: Final[dict[int, Transfer]] = {8: "linear", 13: "srgb", 16: "pq", 18: "hlg"}
_PRIMARIES: Final[dict[int, Primaries]] = {
    1: "bt709", 5: "bt601-625", 6: "bt601-525", 7: "bt601-525", 9: "bt2020", 11: "p3", 12: "p3",
}  # fmt: skip
_HDR_TRANSFERS: Final = (16, 18)
_UNSPECIFIED: Final = 2
# The end of PQ's scale.
_MOST_NITS: Final = 10_000
_FULL_RANGE: Final = 2
_LIMITED_RANGE: Final = 1

# PyAV does not expose H.273's chroma location; these codecs center chroma (ISO/IEC 11172-2, JFIF).
_CENTERED_CODECS: Final = frozenset(
    {"mjpeg", "mjpegb", "ljpeg", "jpegls", "mpeg1video", "h261", "h263", "webp", "svq1", "svq3"}
)

# The most frames that a codec holds back to reorder them.
_REORDERED: Final = 16

# Their color profiles have a dictionary, which PyAV 18 and then FFmpeg free: the process would crash.
_FATAL_ATTACHMENTS: Final = frozenset({"png", "apng"})


@dataclass(frozen=True)
class StreamTraits:
    """Properties of all frames of a stream that a decoded frame does not carry.

    Attributes:
        rotation: clockwise degrees, for frames without a display matrix.
        mirrored: flip before that rotation.
        chroma_centered: chroma lies between the luma samples (MPEG-1, JPEG).
        attachments: whether to read the frames' side data.
    """

    rotation: int = 0
    mirrored: bool = False
    pixel_aspect: Fraction = field(default=Fraction(1))
    chroma_centered: bool = False
    attachments: bool = True


def stream_traits(stream: Any) -> StreamTraits:
    """Read the traits of an `av.VideoStream`."""
    return StreamTraits(
        pixel_aspect=sane_aspect(stream.sample_aspect_ratio),
        chroma_centered=stream.codec_context.name in _CENTERED_CODECS,
        attachments=stream.codec_context.name not in _FATAL_ATTACHMENTS,
    )


class TraitsOfFrames:
    """The traits of each frame of a stream: broadcasts change the shape of pixels (4:3 to 16:9) within one.

    A pixel aspect that only the container states, or that it states differently from the stream, is kept.
    """

    def __init__(self, stream: Any, before: TraitsOfFrames | None = None) -> None:
        """`before`: those of an earlier opening of the same file, which began at its first frame."""
        self._context = stream.codec_context
        self._traits = stream_traits(stream)
        self._follows_decoder: bool | None = before._follows_decoder if before is not None else None
        self._stated: Fraction | None = None
        self._waiting = 0

    def restart(self) -> None:
        """Note that the next frame does not follow the one before: a seek."""
        self._stated = None

    def of(self, frame: Any) -> StreamTraits:
        """Return the traits of the next frame that the decoder has returned."""
        stated = sane_aspect(self._context.sample_aspect_ratio)
        if self._follows_decoder is None:
            self._follows_decoder = stated == self._traits.pixel_aspect
        if not self._follows_decoder:
            return self._traits
        if stated == self._stated:
            self._waiting = 0
        elif self._stated is None or frame.key_frame or self._waiting == _REORDERED:
            self._stated, self._waiting = stated, 0
            self._traits = replace(self._traits, pixel_aspect=stated)
        else:
            # The decoder holds frames back, and has read the new shape before it returns the first frame with it.
            self._waiting += 1
        return self._traits


def sane_aspect(aspect: Fraction | None) -> Fraction:
    """Return the aspect of a pixel, or 1 where it is unknown, zero or beyond 1:16 (a broken header)."""
    if not aspect or aspect <= 0 or not Fraction(1, 16) <= aspect <= 16:
        return Fraction(1)
    return Fraction(aspect)


def orientation(matrix: tuple[int, ...]) -> tuple[int, bool]:
    """Split a display matrix (ISO/IEC 14496-12, 8.2.2.3: nine integers, 16.16 and 2.30 fixed point, by rows a
    b u, c d v, x y w) into clockwise degrees (0, 90, 180 or 270) and a flip that comes before.
    """
    a, b, _, c, d = matrix[:5]
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    turns = round(math.degrees(math.atan2(b, a)) / 90) if a or b else 0
    return turns % 4 * 90, mirrored


def _orientation_of(attached: Iterable[Any]) -> tuple[int, bool] | None:
    for item in attached:
        if item.type.name == "DISPLAYMATRIX" and len(data := bytes(item)) >= 36:
            return orientation(struct.unpack("=9i", data[:36]))
    return None


def _default_matrix(width: int, height: int) -> Matrix:
    # What players do with untagged video: high definition is BT.709, anything less BT.601.
    return "bt709" if height >= 720 or width >= 1280 else "bt601"


def color_of(frame: Any, pixel_format: PixelFormat, *, chroma_centered: bool = False) -> ColorInfo:
    """Resolve a frame's color: H.273 code points if given, otherwise as players do. These assume BT.709 from
    720 lines or 1280 columns on, else BT.601; limited range for YUV, full for gray. RGB is always full.
    """
    is_rgb = "R" in "".join(plane.components for plane in pixel_format.planes)
    matrix = (
        "rgb" if is_rgb else _MATRICES.get(int(frame.colorspace), _default_matrix(frame.width, frame.height))
    )
    if matrix == "rgb" and pixel_format.is_yuv:
        matrix = _default_matrix(frame.width, frame.height)
    stated = int(frame.color_range)
    value_range: Range = "limited" if pixel_format.is_yuv else "full"
    if is_rgb or stated == _FULL_RANGE or pixel_format.name.startswith("yuvj"):
        value_range = "full"
    elif stated == _LIMITED_RANGE:
        value_range = "limited"
    return ColorInfo(
        matrix=matrix,
        range=value_range,
        transfer=_TRANSFERS.get(int(frame.color_trc), "sdr"),
        primaries=_primaries(int(frame.color_primaries), int(frame.color_trc)),
        chroma_centered=chroma_centered,
    )


def _primaries(code: int, transfer: int) -> Primaries:
    if code != _UNSPECIFIED:
        return _PRIMARIES.get(code, "bt709")
    # BT.2100 defines PQ and HLG with these alone. Others need explicit primaries: many files are mislabeled.
    return "bt2020" if transfer in _HDR_TRANSFERS else "bt709"


@lru_cache(maxsize=256)
def nearest_format(name: str) -> str:
    """Return the directly uploaded format to which `name` is converted (itself if none is needed)."""
    if name in FORMATS:
        return name
    if name.endswith("be") and f"{name[:-2]}le" in FORMATS:
        return f"{name[:-2]}le"
    if name.startswith("xyz"):
        # libswscale would convert it to luma and chroma by BT.601's matrix, at any size.
        return "rgb48le"
    source = av.VideoFormat(name)
    bits = max((component.bits for component in source.components), default=8)
    alpha = any(component.is_alpha for component in source.components) or source.has_palette
    if source.is_rgb or source.has_palette or source.is_bayer:
        return _nearest_rgb(bits, alpha)
    if len(source.components) == 1 and not alpha:
        return "gray" if bits <= 8 else "gray16le"
    return _nearest_yuv(_chroma_shift(source), bits, alpha)


def _nearest_rgb(bits: int, alpha: bool) -> str:
    if bits > 8:
        return "rgba64le" if alpha else "rgb48le"
    return "rgba" if alpha else "rgb24"


def _nearest_yuv(chroma_shift: tuple[int, int], bits: int, alpha: bool) -> str:
    tag = {(1, 1): "420", (1, 0): "422", (0, 0): "444"}.get(chroma_shift, "444")
    depth = "" if bits <= 8 else f"{next((b for b in (10, 12) if bits <= b), 16)}le"
    if not alpha:
        return f"yuv{tag}p{depth}"
    chosen = f"yuva{tag}p{depth}"
    return chosen if chosen in av.video.frame.supported_np_pix_fmts else f"yuva444p{depth and '16le'}"


def _chroma_shift(source: Any) -> tuple[int, int]:
    return (
        (64 // max(1, source.chroma_width(64))).bit_length() - 1,
        (64 // max(1, source.chroma_height(64))).bit_length() - 1,
    )


def convert_if_needed(frame: Any, reformatter: VideoReformatter | None = None) -> Any:
    """Return the frame in a format that the color pass reads, converted by libswscale if necessary."""
    target = nearest_format(frame.format.name)
    if target == frame.format.name:
        return frame
    converter = reformatter or VideoReformatter()
    quality = Interpolation.BICUBIC | Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INT
    return converter.reformat(frame, format=target, interpolation=quality)


def check_size(width: int, height: int, limit: int = MAX_DIMENSION) -> None:
    """Raise SourceUnsupportedError if a side is longer than `limit`, SourceDamagedError if one is zero."""
    if width <= 0 or height <= 0:
        raise SourceDamagedError(sentence("The frame has no size; the file is damaged, try another copy."))
    if max(width, height) > limit:
        raise SourceUnsupportedError(
            sentence(
                "The frame of {width} x {height} pixels is larger than the {limit} x {limit} that can be "
                "shown; scale it down first.",
                width=width,
                height=height,
                limit=limit,
            )
        )


def color_note(frame: Any) -> str | None:
    """Return what the color pass cannot honor in a frame's color description, as a phrase, or None."""
    return _NOT_HONORED.get(int(frame.colorspace))


def peak_nits(attached: Iterable[Any]) -> float:
    """Return the brightest level in a frame's side data, in cd/m2; 0.0 if absent. MaxCLL (CTA-861.3), else
    the mastering display's maximum (SMPTE ST 2086).
    """
    mastered = 0.0
    for item in attached:
        data = bytes(item)
        if item.type.name == "CONTENT_LIGHT_LEVEL" and len(data) >= 8:
            level = struct.unpack_from("=I", data)[0]
            if level:
                return float(min(level, 10000))
        elif item.type.name == "MASTERING_DISPLAY_METADATA" and len(data) >= 88:
            # AVMasteringDisplayMetadata: eight chromaticities, minimum and maximum, rationals of two ints.
            numerator, denominator = struct.unpack_from("=2i", data, 72)
            if denominator > 0 and numerator > 0:
                mastered = min(numerator / denominator, 10000.0)
    return mastered


def hdr_metadata(attached: Iterable[Any]) -> HdrMetadata:
    """Return the static HDR metadata in a frame's side data; values that no display has count as unknown."""
    mastering, levels = None, (0, 0)
    for item in attached:
        data = bytes(item)
        if item.type.name == "CONTENT_LIGHT_LEVEL" and len(data) >= 8:
            levels = struct.unpack_from("=2I", data)
        elif item.type.name == "MASTERING_DISPLAY_METADATA" and len(data) >= 88:
            mastering = _mastering_display(data)
    max_cll, max_fall = (min(level, _MOST_NITS) for level in levels)
    return HdrMetadata(mastering, max_cll, max_fall)


def _mastering_display(data: bytes) -> MasteringDisplay | None:
    """Parse an AVMasteringDisplayMetadata: ten rationals of two ints, and which of them are set."""
    numbers = struct.unpack_from("=22i", data)
    if not (numbers[20] and numbers[21]) or any(below <= 0 for below in numbers[1:20:2]):
        return None
    red_x, red_y, green_x, green_y, blue_x, blue_y, white_x, white_y, darkest, brightest = (
        above / below for above, below in zip(numbers[:20:2], numbers[1:20:2], strict=True)
    )
    is_sane = all(0.0 <= each <= 1.0 for each in (red_x, red_y, green_x, green_y, blue_x, blue_y))
    if not is_sane or not (0.0 < white_y <= 1.0 and 0.0 <= darkest < brightest <= _MOST_NITS):
        return None
    primaries = ((red_x, red_y), (green_x, green_y), (blue_x, blue_y))
    return MasteringDisplay(primaries, (white_x, white_y), darkest, brightest)


def _plane(av_plane: Any, width: int, height: int) -> Plane:
    stride = av_plane.line_size
    if stride >= 0:
        return Plane(av_plane, stride, width, height)
    # Bottom-up rows (some AVI and screen codecs) are copied: a texture upload has no negative stride.
    rows = np.frombuffer(av_plane, np.uint8).reshape(-1, -stride)
    return Plane(np.ascontiguousarray(rows[::-1]), -stride, width, height)


def planes_of(frame: Any, pixel_format: PixelFormat) -> tuple[Plane, ...]:
    """Return the planes of an `av.VideoFrame`, where they are."""
    return tuple(
        _plane(av_plane, -(-frame.width >> fmt.shift_x), -(-frame.height >> fmt.shift_y))
        for av_plane, fmt in zip(frame.planes, pixel_format.planes, strict=False)
    )


def frame_from_av(
    av_frame: Any,
    *,
    traits: StreamTraits | None = None,
    pts: float = 0.0,
    duration: float = 0.0,
    captured_at: float | None = None,
    index: int = 0,
    reformatter: VideoReformatter | None = None,
) -> Frame:
    """Wrap a decoded frame without copying its planes.

    Args:
        av_frame: an `av.VideoFrame` in system memory.
        traits: the properties of all frames of the stream (`stream_traits`).
        pts: presentation time in seconds from the source's beginning.
        duration: seconds until the next frame, 0.0 if unknown.
        captured_at: `time.perf_counter()` of its arrival; now, if None.
        reformatter: reused by the caller, as creating a libswscale context takes time.

    Raises:
        SourceUnsupportedError: larger than `MAX_DIMENSION`, or a format that libswscale cannot convert.
        SourceDamagedError: no pixels.
    """
    traits = traits or StreamTraits()
    check_size(av_frame.width, av_frame.height)
    attached = side_data(av_frame) if traits.attachments else ()
    oriented = _orientation_of(attached) or (traits.rotation, traits.mirrored)
    try:
        ready = convert_if_needed(av_frame, reformatter)
    except (av.FFmpegError, ValueError) as error:
        raise SourceUnsupportedError(
            sentence(
                "The pixel format {name} cannot be read; convert the video to yuv420p first.",
                name=av_frame.format.name,
            )
        ) from error
    pixel_format = FORMATS[ready.format.name]
    color = color_of(ready, pixel_format, chroma_centered=traits.chroma_centered)
    return Frame(
        planes=planes_of(ready, pixel_format),
        format=pixel_format,
        width=ready.width,
        height=ready.height,
        color=color,
        rotation=oriented[0],
        mirrored=oriented[1],
        pixel_aspect=traits.pixel_aspect,
        pts=pts,
        duration=duration,
        captured_at=time.perf_counter() if captured_at is None else captured_at,
        index=index,
        peak_nits=peak_nits(attached) if color.transfer == "pq" else 0.0,
        hdr=hdr_metadata(attached) if color.is_hdr else HdrMetadata(),
    )
