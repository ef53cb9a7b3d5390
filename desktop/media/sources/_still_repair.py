"""Rewrite still files that FFmpeg's decoders would refuse: bytes to bytes, nothing is decoded."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

_SIGNATURE = 8
_CANVAS = 10
_ANIMATION = 16
_NOTES: Final = (b"iCCP", b"tEXt", b"zTXt", b"iTXt", b"eXIf")


def with_an_end(data: bytes) -> bytes:
    """Repair a truncated PNG: shorten its last chunk and add an end (W3C PNG, 5.3), so that it is decoded."""
    at = _SIGNATURE
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        if at + 12 + length > len(data):
            break
        at += 12 + length
    rest = data[at + 8 :]
    last = struct.pack(">I", len(rest)) + data[at + 4 : at + 8] + rest + bytes(4) if rest else b""
    # FFmpeg compares no checksums by default.
    return data[:at] + last + struct.pack(">I4sI", 0, b"IEND", 0xAE426082)


def without_notes(data: bytes) -> bytes:
    """Return a PNG or some chunks without profile, texts and EXIF, which FFmpeg unpacks without limit: 600 KB
    of them took 1.3 GB. `StillHeader` has the needed parts.
    """
    at = _SIGNATURE if data.startswith(b"\x89PNG") else 0
    parts = [data[:at]]
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if name not in _NOTES:
            parts.append(data[at : at + 12 + length])
        at += 12 + length
    return b"".join(parts)


Rectangle = tuple[int, int, int, int]
"""(left, top, width, height) in pixels."""


def first_of_animation(data: bytes) -> tuple[bytes, Rectangle | None]:
    """Return an animated WebP's first image as a WebP (RFC 9649, 2.7), and its position on the canvas.
    Without a frame, return the file unchanged, and None.
    """
    for name, body in _chunks(data, 12):
        if name == b"ANMF":
            parts = list(_chunks(body, _ANIMATION))
            size = body[6:12]
            alpha = 0x10 if any(part == b"ALPH" for part, _ in parts) else 0
            head = b"VP8X" + struct.pack("<IB3x", _CANVAS, alpha) + size
            inner = head + b"".join(
                part + struct.pack("<I", len(inside)) + inside + bytes(len(inside) % 2)
                for part, inside in parts
                if part in (b"ALPH", b"VP8 ", b"VP8L")
            )
            left, top, width, height = (int.from_bytes(body[at : at + 3], "little") for at in (0, 3, 6, 9))
            webp = b"RIFF" + struct.pack("<I", 4 + len(inner)) + b"WEBP" + inner
            return webp, (2 * left, 2 * top, width + 1, height + 1)
    return data, None


def _chunks(data: bytes, at: int) -> Iterator[tuple[bytes, bytes]]:
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2
