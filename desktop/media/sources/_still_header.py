"""Parse the header of a still image: format, size, orientation, color profile, animation. Nothing is decoded.

The size is read first, so that a few bytes cannot request gigabytes. Formats: PNG (W3C PNG 3rd edition), JPEG
(ITU-T T.81, EXIF 2.32), GIF 89a, BMP, WebP (RFC 9649), TIFF 6.0, Netpbm, Radiance HDR, AVIF, HEIC.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from desktop.base.wording import sentence
from desktop.media.sources._avif_header import item_orientation, primary_item

StillKind = Literal["png", "jpeg", "gif", "bmp", "webp", "tiff", "netpbm", "hdr", "avif", "heic", "other", ""]

StillAlpha = Literal["straight", "premultiplied", "none"]

_PROFILE_LIMIT = 16 << 20
_TIFF_TYPES = {1: "B", 3: "H", 4: "I", 7: "B"}
# Tags that are read, with their maximum number of values: a directory of 65,535 long tags would take minutes.
_TIFF_TAGS = {
    256: 1,
    257: 1,
    258: 16,
    259: 1,
    262: 1,
    274: 1,
    277: 1,
    322: 1,
    338: 16,
    339: 16,
    34675: _PROFILE_LIMIT,
}


@dataclass(frozen=True)
class StillHeader:
    """The header of a still image.

    Attributes:
        kind: the file format, '' if it is not known to be an image.
        width, height: coded size in pixels, 0 if unknown.
        orientation: EXIF tag 274, 1 to 8.
        animated: further images follow, which are not shown; also the pages of a TIFF.
        profile: name of the embedded ICC profile, '' for none.
        cut_off: the file is truncated (PNG and JPEG; their decoders fill in the rest silently).
        unsupported: a feature that the decoder would get wrong or cannot decode, e.g. "in tiles"; '' for
            none.
        alpha: meaning of the fourth sample (in gray images, the second); 'none' if it is something else, such as
            infrared.
        item: id of the item that is the image, in formats whose files may also have thumbnails; 0 if unknown.
    """

    kind: StillKind
    width: int = 0
    height: int = 0
    orientation: int = 1
    profile: str = ""
    animated: bool = False
    cut_off: bool = False
    unsupported: str = ""
    alpha: StillAlpha = "straight"
    pixel_bytes: int = 4
    item: int = 0


def read_header(data: bytes) -> StillHeader:
    """Read the header of an image file; a damaged header yields what could be read, with the size 0."""
    kind = sniff(data)
    reader = _READERS.get(kind)
    if reader is None:
        return StillHeader(kind)
    try:
        return reader(data)
    except (struct.error, IndexError, ValueError, zlib.error):
        return StillHeader(kind)


def is_animation(head: bytes) -> bool:
    """Return True for an animation that FFmpeg decodes as a video: GIF, PNG and AVIF, not WebP."""
    kind = sniff(head)
    return kind in ("gif", "png", "avif") and read_header(head).animated


def sniff(data: bytes) -> StillKind:
    """Detect the format from a file's first bytes (32 are enough)."""
    for start, kind in _MAGIC:
        if data.startswith(start):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if re.match(rb"P[1-7]\s", data):
        return "netpbm"
    if data[4:8] == b"ftyp":
        brand = data[8:12]
        if brand in (b"avif", b"avis"):
            return "avif"
        if brand in (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"):
            return "avif" if b"avif" in data[16:64] else "heic"
    return ""


_MAGIC: tuple[tuple[bytes, StillKind], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"BM", "bmp"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"#?RADIANCE", "hdr"),
    (b"#?RGBE", "hdr"),
    (b"\0\0\0\x0cjP  \r\n\x87\n", "other"),
    (b"\xff\x4f\xff\x51", "other"),
    (b"8BPS", "other"),
    (b"DDS ", "other"),
    (b"qoif", "other"),
    (b"\0\0\x01\0", "other"),
)


def _png(data: bytes) -> StillHeader:
    width, height, depth, color = struct.unpack_from(">IIBB", data, 16)
    # Gray stays gray; a palette, and gray with alpha, become R, G, B, A.
    pixel_bytes = {0: 1, 2: 3}.get(color, 4) * (2 if depth == 16 else 1)
    orientation, profile, animated, at = 1, "", False, 8
    cut_off = True
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if name == b"acTL":
            animated = struct.unpack_from(">I", body)[0] > 1
        elif name == b"iCCP" and not profile:
            packed = body.split(b"\0", 1)[1][1:]
            profile = _profile_name(zlib.decompressobj().decompress(packed, _PROFILE_LIMIT))
        elif name == b"eXIf":
            orientation = _exif_orientation(body)
        elif name == b"IEND":
            cut_off = False
            break
        at += 12 + length
    return StillHeader("png", width, height, orientation, profile, animated, cut_off, pixel_bytes=pixel_bytes)


def _jpeg(data: bytes) -> StillHeader:
    width = height = 0
    orientation, chunks = 1, {}
    end = 2
    for marker, at, body in _jpeg_segments(data):
        end = at
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = _exif_orientation(body[6:])
        elif marker == 0xE2 and body.startswith(b"ICC_PROFILE\0"):
            chunks[body[12]] = body[14:]
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", body, 1)
    profile = _profile_name(b"".join(chunks[k] for k in sorted(chunks)))
    # Anything may follow the end marker; one inside a thumbnail is in a segment, before the image's own data.
    return StillHeader("jpeg", width, height, orientation, profile, cut_off=b"\xff\xd9" not in data[end:])


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield marker, position of the next segment and content of each segment before the image's data."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xDA or marker == 0xD9:
            return
        length = struct.unpack_from(">H", data, at + 2)[0]
        yield marker, at + 2 + length, data[at + 4 : at + 2 + length]
        at += 2 + length


def _gif(data: bytes) -> StillHeader:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    at = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
    pictures = 0
    while at < len(data) and pictures < 2:
        block = data[at]
        if block == 0x21:
            at += 2
        elif block == 0x2C:
            pictures += 1
            packed = data[at + 9]
            at += 11 + (3 << ((packed & 7) + 1) if packed & 0x80 else 0)
        else:
            break
        while at < len(data) and data[at]:
            at += 1 + data[at]
        at += 1
    return StillHeader("gif", width, height, animated=pictures > 1)


def _bmp(data: bytes) -> StillHeader:
    if struct.unpack_from("<I", data, 14)[0] == 12:
        width, height = struct.unpack_from("<HH", data, 18)
    else:
        width, height = struct.unpack_from("<ii", data, 18)
    return StillHeader("bmp", abs(width), abs(height))


def _webp(data: bytes) -> StillHeader:
    width = height = 0
    orientation, profile, animated, at = 1, "", False, 12
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        body = data[at + 8 : at + 8 + length]
        if name == b"VP8X":
            animated = bool(body[0] & 0x02)
            width, height = (1 + int.from_bytes(body[k : k + 3], "little") for k in (4, 7))
        elif name == b"VP8 " and not width:
            width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", body, 6))
        elif name == b"VP8L" and not width:
            bits = struct.unpack_from("<I", body, 1)[0]
            width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        elif name == b"ICCP":
            profile = _profile_name(body)
        elif name == b"EXIF":
            orientation = _exif_orientation(body.removeprefix(b"Exif\0\0"))
        at += 8 + length + length % 2
    return StillHeader("webp", width, height, orientation, profile, animated)


def _tiff(data: bytes) -> StillHeader:
    tags = dict(_tiff_tags(data))
    profile = _profile_name(bytes(tags.get(34675, ())))
    width, height, orientation = (
        tags.get(tag, (default,))[0] for tag, default in ((256, 0), (257, 0), (274, 1))
    )
    unsupported = _unsupported_tiff_feature(tags)
    channels = max(3, tags.get(277, (1,))[0])
    bits = max(tags.get(258, (1,)))
    return StillHeader(
        "tiff",
        width,
        height,
        orientation if 1 <= orientation <= 8 else 1,
        profile,
        animated=_has_more_pages(data),
        unsupported=unsupported,
        # TIFF 6.0, tag 338; files without it mean straight alpha.
        alpha=_TIFF_ALPHA.get(tags.get(338, (2,))[0], "straight"),
        pixel_bytes=channels * max(1, -(-bits // 8)),
    )


_TIFF_ALPHA: dict[int, StillAlpha] = {0: "none", 1: "premultiplied", 2: "straight"}

# Bits of TIFF 6.0's tag 254: a smaller version of another image in the file, a mask for one.
_SMALLER, _MASK = 1, 4
_MOST_DIRECTORIES = 64

# TIFF 6.0, tag 259: none, CCITT (1D, group 3, group 4), LZW, Deflate (both codes), PackBits.
_TIFF_COMPRESSIONS = (1, 2, 3, 4, 5, 8, 32946, 32773)


def _has_more_pages(data: bytes) -> bool:
    """Return whether a TIFF has an image behind the first one that is neither its thumbnail nor its mask, or did before
    it was cut off.
    """
    order = "<" if data[:2] == b"II" else ">"
    try:
        start = _directory_after(data, struct.unpack_from(order + "I", data, 4)[0], order)
        for _ in range(_MOST_DIRECTORIES):
            if not start:
                return False
            (count,) = struct.unpack_from(order + "H", data, start)
            # Tags are in ascending order, and this is one of the first.
            places = range(start + 2, start + 2 + 12 * min(count, 8), 12)
            entries = (struct.unpack_from(order + "HHII", data, at) for at in places)
            if not next((value for tag, _, _, value in entries if tag == 254), 0) & (_SMALLER | _MASK):
                return True
            start = _directory_after(data, start, order)
    except struct.error:
        return True  # a directory that the file refers to is not whole
    return False


def _directory_after(data: bytes, start: int, order: str) -> int:
    """Return the place of the next directory; 0 for none, also where a writer has left the number out."""
    (count,) = struct.unpack_from(order + "H", data, start)
    place = start + 2 + 12 * count
    return int.from_bytes(data[place : place + 4], "little" if order == "<" else "big")


def _unsupported_tiff_feature(tags: dict[int, tuple[int, ...]]) -> str:
    """Return a feature that FFmpeg's TIFF decoder does not support, or decodes silently to wrong colors."""
    bits, samples = tags.get(258, (1,)), tags.get(277, (1,))[0]
    if 322 in tags:
        return sentence("in tiles")
    if tags.get(259, (1,))[0] not in _TIFF_COMPRESSIONS:
        return sentence("with JPEG or another format inside")
    if tags.get(262, (1,))[0] not in (0, 1, 2, 3, 5):
        return sentence("in YCbCr or Lab")
    if tags.get(339, (1,))[0] == 3 and (bits[0] != 32 or samples != 3):
        return sentence("with floating-point samples other than 32-bit color")
    return ""


def _netpbm(data: bytes) -> StillHeader:
    if data.startswith(b"P7"):
        sides = [re.search(rb"\n" + name + rb"\s+(\d+)", data[:512]) for name in (b"WIDTH", b"HEIGHT")]
        width, height = (int(side[1]) if side else 0 for side in sides)
        return StillHeader("netpbm", width, height, pixel_bytes=8)
    words = re.sub(rb"#[^\n]*\n", b" ", data[:4096]).split()
    return StillHeader("netpbm", int(words[1]), int(words[2]), pixel_bytes=6)


def _hdr(data: bytes) -> StillHeader:
    size = re.search(rb"\n[-+]Y (\d+) [-+]X (\d+)\n", data[:65536])
    return StillHeader("hdr", int(size[2]), int(size[1]), pixel_bytes=12) if size else StillHeader("hdr")


def _avif(data: bytes) -> StillHeader:
    length = struct.unpack_from(">I", data)[0]
    brands = {data[at : at + 4] for at in range(8, min(length, 256), 4) if at != 12}
    item, kind = primary_item(data)
    return StillHeader(
        "avif",
        orientation=item_orientation(data) or 1,
        animated=b"avis" in brands,
        # FFmpeg gives each tile as an image of its own.
        unsupported=sentence("in tiles") if kind == b"grid" else "",
        item=item,
    )


def _exif_orientation(data: bytes) -> int:
    try:
        value = dict(_tiff_tags(data)).get(274, (1,))[0]
    except (struct.error, IndexError):
        return 1
    return value if 1 <= value <= 8 else 1


def _tiff_tags(data: bytes) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the integer tags of the first directory of a TIFF stream that are in `_TIFF_TAGS`, each once."""
    order = "<" if data[:2] == b"II" else ">"
    start = struct.unpack_from(order + "I", data, 4)[0]
    count = struct.unpack_from(order + "H", data, start)[0]
    seen: set[int] = set()
    for k in range(count):
        at = start + 2 + 12 * k
        tag, kind, number = struct.unpack_from(order + "HHI", data, at)
        code, most = _TIFF_TYPES.get(kind), _TIFF_TAGS.get(tag, 0)
        if code is None or not 0 < number <= most or tag in seen:
            continue
        seen.add(tag)
        layout = f"{order}{number}{code}"
        place = at + 8 if struct.calcsize(layout) <= 4 else struct.unpack_from(order + "I", data, at + 8)[0]
        if place + struct.calcsize(layout) <= len(data):
            yield tag, struct.unpack_from(layout, data, place)


def _profile_name(profile: bytes) -> str:
    """Return the description of an ICC profile (ICC.1:2022, 9.2.41; version 2: 'desc', version 4: 'mluc')."""
    if len(profile) < 132:
        return ""
    try:
        for k in range(min(struct.unpack_from(">I", profile, 128)[0], 100)):
            name, at, size = struct.unpack_from(">4sII", profile, 132 + 12 * k)
            if name == b"desc":
                return _text_tag(profile[at : at + size])
    except struct.error:
        pass
    return "unnamed"


def _text_tag(tag: bytes) -> str:
    if tag[:4] == b"mluc":
        size, at = struct.unpack_from(">II", tag, 20)
        text = tag[at : at + size].decode("utf-16-be", "replace")
    else:
        size = struct.unpack_from(">I", tag, 8)[0]
        text = tag[12 : 12 + size].decode("latin-1")
    return re.sub(r"[^\x20-\x7e\xa0-\uffff]", "", text)[:80] or "unnamed"


_READERS = {
    "png": _png,
    "jpeg": _jpeg,
    "gif": _gif,
    "bmp": _bmp,
    "webp": _webp,
    "tiff": _tiff,
    "netpbm": _netpbm,
    "hdr": _hdr,
    "avif": _avif,
}
