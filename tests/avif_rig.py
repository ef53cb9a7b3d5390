"""AVIF files of several items, as cameras and editors write them, around images that Pillow encodes."""

from __future__ import annotations

import io
import struct

from PIL import Image


def box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(content), name) + content


def full_box(name: bytes, content: bytes, version: int = 0, flags: int = 0) -> bytes:
    return box(name, struct.pack(">I", version << 24 | flags) + content)


def _encoded(image: Image.Image) -> tuple[bytes, bytes]:
    """Return the coded image and its box `av1C`."""
    file = io.BytesIO()
    image.save(file, "AVIF", quality=95)
    data = file.getvalue()
    at = data.index(b"av1C") - 4
    length = struct.unpack_from(">I", data, at)[0]
    return data[data.index(b"mdat") + 4 :], data[at : at + length]


def _file(
    images: list[Image.Image],
    first: int,
    primary: int,
    references: bytes,
    kind: bytes = b"",
    grid: bytes = b"",
) -> bytes:
    """Return a file whose images are items from `first` on; item 1 is of `kind`, with the content `grid`, if given."""
    coded = [_encoded(image) for image in images]
    numbers = range(first, first + len(images))
    infos = full_box(b"infe", struct.pack(">HH4sx", 1, 0, kind), 2) if kind else b""
    infos += b"".join(full_box(b"infe", struct.pack(">HH4sx", n, 0, b"av01"), 2) for n in numbers)
    count = len(images) + bool(kind)
    properties, links = b"", b""
    for place, (number, image, (_, config)) in enumerate(zip(numbers, images, coded, strict=True)):
        properties += full_box(b"ispe", struct.pack(">II", *image.size)) + config
        links += struct.pack(">HBBB", number, 2, 2 * place + 1, 0x80 | 2 * place + 2)
    if kind:
        properties += full_box(b"ispe", struct.pack(">II", *struct.unpack(">HH", grid[4:])))
        links = struct.pack(">HBB", 1, 1, 2 * len(images) + 1) + links
    described = box(b"iprp", box(b"ipco", properties) + full_box(b"ipma", struct.pack(">I", count) + links))
    head = box(b"ftyp", b"avif" + bytes(4) + b"avifmif1miaf")

    def meta(at: int) -> bytes:
        places = struct.pack(">HHHHII", 1, 1, 0, 1, 0, len(grid)) if kind else b""
        for number, (data, _) in zip(numbers, coded, strict=True):
            places += struct.pack(">HHHHII", number, 0, 0, 1, at, len(data))
            at += len(data)
        return full_box(
            b"meta",
            full_box(b"hdlr", struct.pack(">I4s13x", 0, b"pict"))
            + full_box(b"pitm", struct.pack(">H", primary))
            + full_box(b"iloc", struct.pack(">BBH", 0x44, 0, count) + places, 1)
            + full_box(b"iinf", struct.pack(">H", count) + infos)
            + full_box(b"iref", references)
            + described
            + (box(b"idat", grid) if grid else b""),
        )

    begins = len(head) + len(meta(0)) + 8
    return head + meta(begins) + box(b"mdat", b"".join(data for data, _ in coded))


def tiled_avif(tiles: list[Image.Image], columns: int) -> bytes:
    """Return a file whose image is a grid of tiles of one size, row by row."""
    rows = len(tiles) // columns
    width, height = tiles[0].size
    grid = struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, columns * width, rows * height)
    parts = struct.pack(f">HH{len(tiles)}H", 1, len(tiles), *range(2, 2 + len(tiles)))
    return _file(tiles, 2, 1, box(b"dimg", parts), b"grid", grid)


def avif_with_thumbnail(thumbnail: Image.Image, image: Image.Image) -> bytes:
    """Return a file whose thumbnail stands before its image."""
    return _file([thumbnail, image], 1, 2, box(b"thmb", struct.pack(">HHH", 1, 1, 2)))
