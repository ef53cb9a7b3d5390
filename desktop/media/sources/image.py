"""Still images, decoded by FFmpeg. Samples stay as in the file (8 or 16 bit, alpha, gray, luma and chroma).
Not OpenCV: 126 MB, and 2.7 times the time for a JPEG of 12 megapixels. Not Pillow: no 16-bit color.
"""

from __future__ import annotations

import dataclasses
import io
import threading
import time
from collections.abc import Collection, Generator, Sequence
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
from av.video.reformatter import Colorspace
from numpy.typing import NDArray

from desktop.base.errors import (
    LightloomError,
    SourceDamagedError,
    SourceError,
    SourceNotFoundError,
    SourceUnsupportedError,
)
from desktop.base.files import read_regular, reason
from desktop.base.wording import Text, sentence
from desktop.media.containers import open_container, packet_of
from desktop.media.frame import ColorInfo, Frame, Plane, PlaneFormat, Primaries
from desktop.media.sources._av_frames import (
    FORMATS,
    MAX_DIMENSION,
    StreamTraits,
    frame_from_av,
    stream_traits,
)
from desktop.media.sources._still_header import StillHeader, StillKind, is_animation, read_header, sniff
from desktop.media.sources._still_repair import (
    Rectangle,
    first_of_animation,
    with_an_end,
    without_notes,
)
from desktop.media.sources._video_header import is_video
from desktop.media.sources.base import (
    NewestSlot,
    Reporter,
    SourceCapabilities,
    SourceInfo,
    SourceKind,
    SourceStats,
)

# A pixel takes some 40 bytes in the pipeline: 8.5 GB for 200 megapixels, from a file of maybe 30 KB.
LARGEST_PIXELS = 120_000_000
_ALIGNMENT: Final = 64  # decoders may round sides up
LARGEST_FILE = 1 << 30
# Of an image while it is decoded, filtered and copied out, at most.
_COPIES = 4
_LARGEST_DECODING = 3 << 30
_STRIP_ROWS = 256

# EXIF 2.32, tag 274 -> (mirrored left to right, then clockwise degrees).
_ORIENTATIONS = {
    1: (False, 0),
    2: (True, 0),
    3: (False, 180),
    4: (True, 180),
    5: (True, 270),
    6: (False, 90),
    7: (True, 90),
    8: (False, 270),
}
# Kinds that are one packet for one decoder of FFmpeg's; the others have a container around them.
_DECODERS: dict[StillKind, str] = {
    "png": "png",
    "jpeg": "mjpeg",
    "bmp": "bmp",
    "webp": "webp",
    "tiff": "tiff",
    "netpbm": "ppm",
    "hdr": "hdr",
}
_SIZED: tuple[StillKind, ...] = (*_DECODERS, "gif")


@dataclasses.dataclass(frozen=True)
class Still:
    """A decoded image, its description (label -> text), and sentences about missing parts of it."""

    frame: Frame
    detail: dict[str, str]
    notes: tuple[Text, ...] = ()


def load_image(path: Path) -> Still:
    """Decode a still image into the decoder's planes, with sRGB's transfer by default, and straight alpha.

    Raises:
        SourceNotFoundError: the file does not exist or may not be read.
        SourceUnsupportedError: it is no image, of an unsupported kind, or larger than `LARGEST_PIXELS`.
        SourceDamagedError: it cannot be decoded.
    """
    return _decoded(path, _read(path))


def decode_image(data: bytes, name: str, kinds: Collection[StillKind], most_pixels: int) -> Still:
    """Decode an image that is in memory as `load_image` does; `name` is for errors.

    Raises SourceUnsupportedError, before anything is decoded, for another kind or more pixels, and as
    `load_image`.
    """
    check_image(data, name, kinds, most_pixels)
    return _decoded(Path(name), data)


def check_image(data: bytes, name: str, kinds: Collection[StillKind], most_pixels: int) -> int:
    """Return the pixels of an encoded image by its header; raises as `decode_image`."""
    header = read_header(data)
    if header.kind not in kinds:
        raise SourceUnsupportedError(
            sentence(
                "{name} is no image of these kinds: {kinds}; convert it.", name=name, kinds=", ".join(kinds)
            )
        )
    if header.cut_off:
        raise SourceDamagedError(
            sentence("{name} is cut off, and a part of the image is missing; send the whole.", name=name)
        )
    pixels = header.width * header.height
    if pixels > most_pixels:
        raise SourceUnsupportedError(
            sentence(
                "{name} is {width} x {height} pixels, more than the {most:,} that are decoded here; scale it "
                "down.",
                name=name,
                width=header.width,
                height=header.height,
                most=most_pixels,
            )
        )
    return pixels


def _decoded(path: Path, data: bytes) -> Still:
    header = read_header(data)
    _check(path, header)
    decoder = _DECODERS.get(header.kind)
    try:
        still = (
            _from_container(path, data, header)
            if decoder is None
            else _from_packet(path, data, header, decoder)
        )
    except MemoryError as error:
        raise SourceError(
            sentence("There is no memory for {name}; scale it down.", name=path.name)
        ) from error
    mirrored, rotation = _ORIENTATIONS[header.orientation]
    frame = dataclasses.replace(
        still.frame, mirrored=mirrored, rotation=rotation, captured_at=time.perf_counter()
    )
    if header.orientation != 1:
        still.detail["orientation"] = f"EXIF {header.orientation}"
    if not header.cut_off:
        return Still(frame, still.detail)
    note = sentence(
        "{name} is cut off, and a part of the image is missing; try another copy of it.", name=path.name
    )
    return Still(frame, still.detail, (note,))


def size_of(path: Path) -> tuple[int, int]:
    """Return an image's displayed (width, height), by its header if possible. Raises as `load_image`."""
    header = read_header(_read(path))
    _check(path, header)
    if not (header.width and header.height):
        return load_image(path).frame.display_size
    turned = _ORIENTATIONS[header.orientation][1] in (90, 270)
    return (header.height, header.width) if turned else (header.width, header.height)


def _read(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST_FILE)
    except FileNotFoundError:
        raise SourceNotFoundError(sentence("There is no file {path}: check its name.", path=path)) from None
    except (OSError, ValueError) as error:
        raise SourceNotFoundError(
            sentence(
                "{name} can't be read: {reason}; check its name and permissions.",
                name=path.name,
                reason=reason(error),
            )
        ) from error


def _check(path: Path, header: StillHeader) -> None:
    if header.kind == "":
        raise SourceUnsupportedError(
            sentence(
                "{name} is not an image in a format that Lightloom reads; convert it to PNG.", name=path.name
            )
        )
    if header.kind == "heic":
        raise SourceUnsupportedError(
            sentence(
                "{name} is a HEIC image, which no decoder here takes: convert it to JPEG or AVIF.",
                name=path.name,
            )
        )
    if header.kind in _SIZED and not (header.width and header.height):
        raise SourceDamagedError(
            sentence("{name} is damaged: its header has no size; try another copy of it.", name=path.name)
        )
    if header.unsupported:
        raise SourceUnsupportedError(
            sentence(
                "{name} is {format} {foreign}, which is not decoded here: save it as PNG.",
                name=path.name,
                format=header.kind.upper(),
                foreign=header.unsupported,
            )
        )
    check_size(path.name, header.width, header.height, header.pixel_bytes)


def check_size(name: str, width: int, height: int, pixel_bytes: int = 4) -> None:
    """Raise SourceUnsupportedError if over `MAX_DIMENSION`, `LARGEST_PIXELS` or the decoding memory."""
    pixels = width * height
    if max(width, height) > MAX_DIMENSION:
        limit = sentence("it is longer than {limit:,} pixels along a side", limit=MAX_DIMENSION)
    elif pixels > LARGEST_PIXELS:
        limit = sentence(
            "that is {megapixels:,.0f} megapixels, more than {most}",
            megapixels=pixels / 1e6,
            most=LARGEST_PIXELS // 1_000_000,
        )
    elif pixels * pixel_bytes * _COPIES > _LARGEST_DECODING:
        need = pixels * pixel_bytes * _COPIES / (1 << 30)
        limit = sentence(
            "decoding it may take {need:,.1f} GiB of memory, more than {most}",
            need=need,
            most=_LARGEST_DECODING >> 30,
        )
    else:
        return
    raise SourceUnsupportedError(
        sentence(
            "{name} is {width} x {height} pixels and is not opened, because {limit}; scale it down.",
            name=name,
            width=width,
            height=height,
            limit=limit,
        )
    )


def _from_packet(path: Path, data: bytes, header: StillHeader, decoder: str) -> Still:
    if header.kind == "png":
        data = without_notes(with_an_end(data) if header.cut_off else data)
    place = None
    if header.animated and header.kind == "webp":
        data, place = first_of_animation(data)
    try:
        context = av.CodecContext.create(decoder, "r")
        assert isinstance(context, av.VideoCodecContext)
        # The decoder reads sizes itself, and of more than one place: a larger one than the header's, which was
        # checked, is refused. Each thread would hold an image.
        most = (header.width + _ALIGNMENT) * (header.height + _ALIGNMENT) if header.width else LARGEST_PIXELS
        context.options = {"max_pixels": str(min(most, LARGEST_PIXELS))}
        context.thread_count = 1
        picture = next((p for packet in (packet_of(data), None) for p in context.decode(packet)), None)
    except (av.FFmpegError, OSError, ValueError):
        picture = None
    expected = (header.width, header.height) if place is None else place[2:]
    if picture is None or (header.width and (picture.width, picture.height) != expected):
        raise SourceDamagedError(
            sentence(
                "{name} is damaged or of a variant that can't be decoded: open and save it with an image "
                "editor.",
                name=path.name,
            )
        )
    if picture.format.name in ("rgbf32le", "gbrpf32le"):
        return _of_light(picture, header)
    if place is not None and place != (0, 0, header.width, header.height):
        picture = _on_canvas(picture, place, (header.width, header.height))
    # What a decoder attaches (EXIF, profiles) has been read from the header.
    traits = StreamTraits(chroma_centered=header.kind in ("jpeg", "webp"), attachments=False)
    frame = frame_from_av(picture, traits=traits)
    detail: dict[str, str] = {}
    if frame.format.has_alpha and header.alpha == "none":
        frame = _opaque(frame)
        detail["transparency"] = sentence("its last sample is not declared as transparency and is left out")
    elif frame.format.has_alpha and header.alpha == "premultiplied":
        frame = _straight(frame)
    color = _still_color(frame.color, header)
    if header.kind == "webp" and frame.format.is_yuv:
        color = dataclasses.replace(color, matrix="bt601")  # RFC 9649, 2.5; FFmpeg leaves it open
    frame = dataclasses.replace(frame, color=color)
    return Still(frame, _describe(header, frame.format.name, color.primaries) | detail)


def _opaque(frame: Frame) -> Frame:
    """Return a frame whose alpha component, which is not declared as one, is ignored."""
    planes = tuple(
        dataclasses.replace(plane, components=plane.components.replace("A", "X"))
        for plane in frame.format.planes
    )
    return dataclasses.replace(frame, format=dataclasses.replace(frame.format, planes=planes))


def _straight(frame: Frame) -> Frame:
    """Return a frame whose colors are premultiplied by its alpha, with straight alpha."""
    formats = frame.format.planes
    arrays = tuple(map(_samples, frame.planes, formats))
    opacity = next(
        array[..., -1:] for array, fmt in zip(arrays, formats, strict=True) if fmt.components.endswith("A")
    )
    most = int(np.iinfo(opacity.dtype).max)
    # In strips: 32 bits of all of it would double the memory.
    for row in range(0, len(opacity), _STRIP_ROWS):
        alpha = np.maximum(opacity[row : row + _STRIP_ROWS].astype(np.uint32), 1)
        for array, fmt in zip(arrays, formats, strict=True):
            colors = array[row : row + _STRIP_ROWS, :, : len(fmt.components.rstrip("A"))]
            colors[...] = np.minimum((colors.astype(np.uint32) * most + alpha // 2) // alpha, most)
    planes = tuple(Plane(array, array.strides[0], array.shape[1], array.shape[0]) for array in arrays)
    return dataclasses.replace(frame, planes=planes)


def _samples(plane: Plane, fmt: PlaneFormat) -> NDArray:
    """Return a plane's samples without gaps between rows: rows, columns, components."""
    count = len(fmt.components)
    rows = np.frombuffer(plane.data, np.uint8)[: plane.stride * plane.height].reshape(plane.height, -1)
    used = np.ascontiguousarray(rows[:, : plane.width * count * fmt.bytes_per_component])
    return used.view(f"<u{fmt.bytes_per_component}").reshape(plane.height, plane.width, count)


def _on_canvas(picture: av.VideoFrame, place: Rectangle, size: tuple[int, int]) -> av.VideoFrame:
    """Return an animation's first frame at its position on the transparent canvas (RFC 9649, 2.7.1.1)."""
    left, top, width, height = place
    if picture.format.is_rgb is False:
        picture.colorspace = Colorspace.ITU601  # RFC 9649, 2.5
    rgba = picture.to_ndarray(format="rgba")[: size[1] - top, : size[0] - left]
    canvas = np.zeros((size[1], size[0], 4), np.uint8)
    canvas[top : top + height, left : left + width] = rgba
    return av.VideoFrame.from_ndarray(canvas, format="rgba")


def _still_color(color: ColorInfo, header: StillHeader) -> ColorInfo:
    """Fill in what a still that says nothing, or nothing else, means: sRGB, and its profile's primaries."""
    transfer = "srgb" if color.transfer == "sdr" else color.transfer
    primaries = _primaries(header.profile) if header.profile else color.primaries
    return dataclasses.replace(color, transfer=transfer, primaries=primaries)


def _of_light(picture: av.VideoFrame, header: StillHeader) -> Still:
    """Turn an image of linear light in floating point into sRGB of 16 bits."""
    # rgbf32le or gbrpf32le. Not by libswscale, which goes through 16 bits.
    coded = _encode(picture.to_ndarray())
    height, width, _ = coded.shape
    name = "rgb48le"
    primaries = _primaries(header.profile)
    color = ColorInfo("rgb", "full", "srgb", primaries, chroma_centered=True)
    detail = _describe(header, name, primaries) | {"range": "floating point, clipped to 0..1"}
    plane = Plane(coded, coded.strides[0], width, height)
    return Still(Frame((plane,), FORMATS[name], width, height, color), detail)


def _encode(linear: NDArray) -> NDArray[np.uint16]:
    """Convert linear floating-point light to 16-bit sRGB (IEC 61966-2-1), clipped at 1."""
    coded = np.empty(linear.shape, np.uint16)
    # In strips: the steps of the formula would hold the image in floating point five times.
    for row in range(0, len(linear), _STRIP_ROWS):
        coded[row : row + _STRIP_ROWS] = _encode_strip(linear[row : row + _STRIP_ROWS])
    return coded


def _encode_strip(linear: NDArray) -> NDArray[np.uint16]:
    light = np.clip(np.nan_to_num(linear.astype(np.float32)), 0, 1)
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(coded * 65535).astype(np.uint16)


def _from_container(path: Path, data: bytes, header: StillHeader) -> Still:
    try:
        # Its own bytes only: no playlist or image sequence may lead to other files.
        with open_container(io.BytesIO(data), "r") as container:
            if not container.streams.video:
                raise SourceUnsupportedError(
                    sentence("{name} has no image in it; choose another file.", name=path.name)
                )
            stream = _stream_of(container.streams.video, header)
            if stream.codec_context is None:
                raise SourceUnsupportedError(
                    sentence("No decoder here reads the image in {name}: convert it.", name=path.name)
                )
            check_size(path.name, stream.codec_context.width, stream.codec_context.height)
            stream.codec_context.options = {"max_pixels": str(LARGEST_PIXELS)}
            picture = next(container.decode(stream), None)
            if picture is None:
                raise SourceDamagedError(
                    sentence(
                        "{name} is damaged: there is no complete image in it; try another copy of it.",
                        name=path.name,
                    )
                )
            frame = frame_from_av(picture, traits=stream_traits(stream))
            frame = dataclasses.replace(frame, color=_still_color(frame.color, header))
            detail = _describe(header, frame.format.name, frame.color.primaries)
            if any(map(_is_alpha, container.streams.video)):
                opaque, frame = frame, _with_alpha(frame, data)
                if frame is opaque:
                    detail["transparency"] = sentence(
                        "its transparency is not decoded, so the video is opaque"
                    )
            return Still(frame, detail | {"pixel format": frame.format.name})
    except (av.FFmpegError, OSError, ValueError, LookupError, ArithmeticError) as error:
        why = getattr(error, "strerror", None) or error
        raise SourceDamagedError(
            sentence(
                "{name} is damaged or of a variant that can't be decoded ({why}); try another copy of it.",
                name=path.name,
                why=why,
            )
        ) from error


def _stream_of(streams: Sequence[Any], header: StillHeader) -> Any:
    """Return the stream with the image: AVIF may have a thumbnail before it, and an icon has several sizes."""
    of_item = next((each for each in streams if header.item and each.id == header.item), None)
    if of_item is not None or header.kind != "other":
        return of_item or streams[0]
    contexts = ((each.codec_context, each) for each in streams)
    sizes = [(each, context.width * context.height) for context, each in contexts if context is not None]
    return max(sizes, key=lambda pair: pair[1])[0] if sizes else streams[0]


def _is_alpha(stream: Any) -> bool:
    """Return whether a stream is AVIF's auxiliary alpha image, by its name in FFmpeg's demuxer."""
    return stream.metadata.get("title") == "Alpha"


def _with_alpha(frame: Frame, data: bytes) -> Frame:
    """Return an AVIF image with its auxiliary alpha image, or alone if they do not match."""
    wanted = FORMATS.get(frame.format.name.replace("yuv", "yuva", 1).replace("gbr", "gbra", 1))
    with open_container(io.BytesIO(data), "r") as container:
        stream = next(filter(_is_alpha, container.streams.video))
        stream.codec_context.options = {"max_pixels": str(LARGEST_PIXELS)}
        picture = next(container.decode(stream), None)
        if wanted is None or not wanted.has_alpha or picture is None:
            return frame
        alpha = frame_from_av(picture)
    fits = (alpha.width, alpha.height) == (frame.width, frame.height) and alpha.format.bits == wanted.bits
    if not fits or alpha.format.name[:4] != "gray":
        return frame
    return dataclasses.replace(frame, format=wanted, planes=(*frame.planes, alpha.planes[0]))


def _describe(header: StillHeader, pixels: str, primaries: Primaries) -> dict[str, str]:
    detail = {"format": header.kind, "pixel format": pixels, "decoder": "software"}
    if header.profile:
        known = primaries != "bt709" or "srgb" in header.profile.lower()
        detail["color profile"] = header.profile if known else f"{header.profile} (shown as sRGB)"
    if header.cut_off:
        detail["damaged"] = "cut off, a part of the image is missing"
    if header.animated:
        detail["animation"] = sentence("only the first image is shown")
    return detail


def _primaries(profile: str) -> Primaries:
    name = profile.lower()
    if "display p3" in name:
        return "p3"
    return "bt2020" if "2020" in name else "bt709"


class ImageSource(Reporter):
    """One still image. `take` returns its frame once, and again after `refresh`. For one consumer thread."""

    def __init__(self, path: Path) -> None:
        super().__init__(SourceInfo("image", path.name))
        self._path = path
        self._slot = NewestSlot()
        self._still: Still | None = None
        self._damage: tuple[Text, ...] = ()
        self._thread: threading.Thread | None = None

    @property
    def stats(self) -> SourceStats:
        """Counters."""
        return self._slot.stats

    @property
    def capabilities(self) -> SourceCapabilities:
        """Reports of damage."""
        return SourceCapabilities(damage=lambda: self._damage)

    def start(self) -> None:
        """Begin to decode on the source's thread."""
        if self._thread is None and self._state == "idle":
            self._state = "opening"
            self._thread = threading.Thread(target=self._run, name="image", daemon=True)
            self._thread.start()

    def take(self, now: float) -> Frame | None:
        """Return the image once."""
        return self._slot.take()

    def refresh(self) -> None:
        """Have `take` return the image again, e.g. after the GPU was lost."""
        if self._still is not None and self._state == "live":
            self._slot.put(self._still.frame)
            self._notify()

    def frames(self) -> Generator[Frame]:
        """Yield the one image."""
        still = load_image(self._path)
        self._damage = still.notes
        self._info = dataclasses.replace(self._info, detail=still.detail)
        yield still.frame

    def close(self) -> None:
        """Wait for the decoder, which can't be interrupted, and let the image go."""
        if self._thread is not None:
            self._thread.join()
        self._still, self._state = None, "closed"

    def _run(self) -> None:
        try:
            still = load_image(self._path)
        except LightloomError as error:
            self._error, self._state = error, "failed"
        except MemoryError:
            self._error = SourceError(
                sentence("There is no memory for {name}: scale it down.", name=self._path.name)
            )
            self._state = "failed"
        else:
            self._still, self._damage = still, still.notes
            self._info = SourceInfo("image", self._path.name, still.frame.display_size, detail=still.detail)
            self._slot.put(still.frame)
            self._state = "live"
        self._notify()

    def _notify(self) -> None:
        self._notify_change()


def _takes_file(path: Path, head: bytes) -> bool:
    return not is_video(head) and bool(sniff(head)) and not is_animation(head)


SOURCE: Final = SourceKind(takes_file=_takes_file, open_file=lambda path, seconds: ImageSource(path))
