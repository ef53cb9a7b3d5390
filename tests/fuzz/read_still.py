"""Still images: what their first bytes say, and their decoding by OpenCV and FFmpeg."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from random import Random

import cv2
import numpy as np
from PIL import Image

from desktop.media.sources.file_kinds import classify_drop
from desktop.media.sources.image import load_image
from fuzz.harness import Finding, Harness
from fuzz.material import shared, written

_SIDES = (0, 1, 2, 255, 256, 4096, 8192, 10_000, 14_000, 16_384, 16_385, 65_535, 2**31 - 1, 2**32 - 1)


def _read(data: bytes, folder: Path) -> None:
    path = written(folder / "picture", data)
    classify_drop(path)
    frame = load_image(path).frame
    if not (
        0 < frame.width <= 16384
        and 0 < frame.height <= 16384
        and all(plane.stride > 0 for plane in frame.planes)
    ):
        raise Finding("a frame without a size")


def _seeds(folder: Path) -> list[bytes]:
    random = np.random.default_rng(1)
    made = []
    for dtype, most in ((np.uint8, 255), (np.uint16, 65535)):
        for channels in (1, 3, 4):
            picture = random.integers(0, most, (12, 16, channels), dtype)
            for suffix in (".png", ".jpg", ".webp", ".tiff", ".bmp", ".ppm", ".pgm", ".jp2", ".gif"):
                try:
                    done, encoded = cv2.imencode(suffix, picture)
                except cv2.error:
                    continue
                if done:  # not every format takes every depth
                    made.append(encoded.tobytes())
    made.append(cv2.imencode(".hdr", random.random((12, 16, 3), np.float32))[1].tobytes())
    made.append(cv2.imencode(".tiff", random.random((12, 16, 3), np.float32))[1].tobytes())
    # A profile, an orientation and text: JPEG, PNG, WebP, TIFF and AVIF carry them each in its own way.
    exif = Image.Exif()
    exif[274] = 6
    exif[270] = "a text"
    for kind in ("JPEG", "PNG", "WEBP", "TIFF", "AVIF", "GIF", "ICO", "DDS"):
        out = io.BytesIO()
        try:
            Image.fromarray(random.integers(0, 255, (48, 64, 3), np.uint8)).save(out, kind, exif=exif)
        except (KeyError, OSError, ValueError):
            continue
        made.append(out.getvalue())
    return (
        made
        + shared("images/samples/*", "images/*", "repro/*.avif", "video/corrupt/*.avif", largest=60_000)[:80]
    )


def _mutate(data: bytes, random: Random) -> bytes | None:
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    chunks = _chunks(data)
    if not chunks:
        return None
    at = random.randrange(len(chunks)) if random.random() < 0.5 else 0
    name, body = chunks[at]
    if name == b"IHDR" and len(body) == 13:
        width, height, *rest = struct.unpack(">IIBBBBB", body)
        side = random.choice(_SIDES)
        width, height = random.choice(((side, side), (side, height), (width, side)))
        if random.random() < 0.5:
            rest[0], rest[1] = random.choice(
                ((8, 2), (16, 6), (16, 2), (8, 6), (1, 0), (8, 3), (16, 0), (8, 4), (32, 7))
            )
        if random.random() < 0.1:
            rest[4] ^= 1
        body = struct.pack(">IIBBBBB", width, height, *rest)
    elif body:
        place = random.randrange(len(body))
        body = body[:place] + bytes((random.randrange(256),)) * random.randrange(4) + body[place + 1 :]
    chunks[at] = (name, body)
    if random.random() < 0.2:
        chunks.insert(
            random.randrange(len(chunks)),
            random.choice(
                (
                    chunks[at],
                    (b"tRNS", b"\0" * 6),
                    (b"acTL", b"\0" * 8),
                    (b"iCCP", b"x\0\0" + zlib.compress(bytes(300))),
                )
            ),
        )
    return data[:8] + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 8
    while at + 12 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        found.append((name, data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"\x89PNG\r\n\x1a\n",
        b"IHDR",
        b"acTL",
        b"iCCP",
        b"eXIf",
        b"\xff\xd8\xff\xe1",
        b"Exif\0\0",
        b"ICC_PROFILE\0",
        b"II*\0",
        b"MM\0*",
        b"RIFF",
        b"WEBPVP8X",
        b"VP8L",
        b"ftypavif",
        b"ftypmif1",
        b"#?RADIANCE\n",
        b"-Y 10 +X 10\n",
        b"P6 ",
        b"P7\nWIDTH 9\nHEIGHT 9\n",
        b"ENDHDR\n",
        b"desc",
        b"mluc",
        b"\xff\x4f\xff\x51",
        b"8BPS",
        b"DDS ",
        b"qoif",
        b"\x01\x01\x00\x03",
        b"\x01\x15\x00\x03",
    ),
    _mutate,
    # A picture may take 2 GiB (docs/sources.md).
    memory_mb=2600,
    seconds=30.0,
)
