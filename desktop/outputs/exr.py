"""OpenEXR images: half floats in linear light, ZIP compression (OpenEXR's "File Layout", version 2)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from desktop.media.conversion import CHROMATICITIES, D65, SDR_WHITE_NITS
from desktop.media.light import hlg_to_scene, pq_to_nits, scene_to_nits, srgb_to_linear
from desktop.outputs.deep_frames import unit_values
from desktop.outputs.transparency import is_opaque
from desktop.outputs.video_color import VideoColor

_MAGIC: Final = struct.pack("<2I", 20000630, 2)
_HALF: Final = 1
_ZIP_16_LINES: Final = 3
_LINES: Final = 16
_PQ, _HLG = 16, 18
_PRIMARIES: Final = {1: "bt709", 9: "bt2020", 12: "p3"}


def exr_image(picture: NDArray[Any], color: VideoColor) -> bytes:
    """Return an image, uint8 or float16 [height, width, 4] R'G'B'A, as an OpenEXR file.

    Its pixels are linear light in the primaries of `color`, premultiplied by alpha; an opaque image has no alpha.
    1.0 is SDR white, or 203 cd/m2 of HDR, on the display that docs/color.md describes for HLG.
    """
    values = unit_values(picture)
    light = _light(values[..., :3], color.transfer)
    opaque = is_opaque(picture)
    if not opaque:
        light = light * values[..., 3:]
    # In the alphabetical order of their names, which the format demands.
    planes = [*([] if opaque else [values[..., 3]]), light[..., 2], light[..., 1], light[..., 0]]
    lines = np.stack(planes, axis=1).astype("<f2")  # [height, channels, width]
    height, width = picture.shape[:2]
    header = _header((width, height), "BGR" if opaque else "ABGR", color)
    blocks = [_block(first, lines[first : first + _LINES]) for first in range(0, height, _LINES)]
    return b"".join([header, *_offsets(len(header), blocks), *blocks])


def _light(codes: NDArray[np.float32], transfer: int) -> NDArray[np.float32]:
    tables = {_PQ: _pq_table, _HLG: _hlg_table}
    table = tables.get(transfer, _srgb_table)()
    # Without NaN and the sign of zero, which have other bits.
    halves = (np.fmax(np.fmin(codes, 1.0), 0.0) + np.float32(0.0)).astype(np.float16)
    light = table[halves.view(np.uint16)]
    return (scene_to_nits(light) / SDR_WHITE_NITS).astype(np.float32) if transfer == _HLG else light


def _half_floats() -> NDArray[np.float64]:
    """Return the half floats from 0 to 1, by their bits."""
    return np.arange(0x3C00 + 1, dtype=np.uint16).view(np.float16).astype(np.float64)


@lru_cache(maxsize=1)
def _srgb_table() -> NDArray[np.float32]:
    return srgb_to_linear(_half_floats()).astype(np.float32)


@lru_cache(maxsize=1)
def _pq_table() -> NDArray[np.float32]:
    return (pq_to_nits(_half_floats()) / SDR_WHITE_NITS).astype(np.float32)


@lru_cache(maxsize=1)
def _hlg_table() -> NDArray[np.float32]:
    return hlg_to_scene(_half_floats()).astype(np.float32)


def _header(size: tuple[int, int], channels: str, color: VideoColor) -> bytes:
    window = struct.pack("<4i", 0, 0, size[0] - 1, size[1] - 1)
    rows = b"".join(name.encode() + b"\0" + struct.pack("<iB3x2i", _HALF, 0, 1, 1) for name in channels)
    points = (*CHROMATICITIES[_PRIMARIES.get(color.primaries, "bt709")], D65)
    white = [("whiteLuminance", "float", struct.pack("<f", SDR_WHITE_NITS))] if color.is_hdr else []
    attributes = [
        ("channels", "chlist", rows + b"\0"),
        ("chromaticities", "chromaticities", struct.pack("<8f", *(each for xy in points for each in xy))),
        ("compression", "compression", bytes([_ZIP_16_LINES])),
        ("dataWindow", "box2i", window),
        ("displayWindow", "box2i", window),
        ("lineOrder", "lineOrder", b"\0"),
        ("pixelAspectRatio", "float", struct.pack("<f", 1.0)),
        ("screenWindowCenter", "v2f", struct.pack("<2f", 0.0, 0.0)),
        ("screenWindowWidth", "float", struct.pack("<f", 1.0)),
        *white,
    ]
    written = b"".join(
        name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value
        for name, kind, value in attributes
    )
    return _MAGIC + written + b"\0"


def _offsets(header: int, blocks: list[bytes]) -> Iterator[bytes]:
    at = header + 8 * len(blocks)
    for block in blocks:
        yield struct.pack("<Q", at)
        at += len(block)


def _block(first: int, lines: NDArray[np.float16]) -> bytes:
    """Return up to 16 lines with their head: bytes of low and high significance apart, differences, deflated."""
    raw = np.frombuffer(lines.tobytes(), np.uint8)
    parted = np.concatenate([raw[::2], raw[1::2]])
    differences = parted.copy()
    differences[1:] = parted[1:] - parted[:-1] + np.uint8(128)
    packed = zlib.compress(differences.tobytes(), 4)
    data = packed if len(packed) < raw.size else raw.tobytes()
    return struct.pack("<2i", first, len(data)) + data
