"""Parameters of the color pass (`shaders/color/color.wgsl`) for a frame; docs/color.md has the formulae."""

from __future__ import annotations

import struct
from typing import Final

import numpy as np

from desktop.media.frame import ColorInfo, Frame, PixelFormat

WORKING_FORMAT: Final = "rgba16float"
"""Texture format of the working texture."""

SDR_WHITE_NITS: Final = 203.0
"""HDR reference white (BT.2408, table 1), shown as SDR white."""

DEFAULT_PEAK_NITS: Final = 1000.0
"""Peak of a PQ stream that declares none: what most of them are mastered for."""

HLG_PEAK_NITS: Final = 1000.0
"""Peak of the display that HLG is shown as on (BT.2100)."""

# ITU-T H.273, table 4: K_R and K_B.
_LUMA: Final = {
    "bt601": (0.299, 0.114),
    "bt709": (0.2126, 0.0722),
    "bt2020": (0.2627, 0.0593),
    "fcc": (0.30, 0.11),
    "smpte240m": (0.212, 0.087),
}

CHROMATICITIES: Final = {
    "bt709": ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060)),
    "bt2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    "p3": ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
}
"""Chromaticities of red, green and blue (ITU-T H.273, table 2)."""

D65: Final = (0.3127, 0.3290)
"""Chromaticity of their white."""

_PASS, _GAMUT, _PQ, _HLG, _LINEAR, _CODED = range(6)


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
    """Return the 3x4 float64 matrix from texture codes (c, c, c, 1) to R'G'B' (H.273, 8.3, equations 20 to
    31). 8-bit planes are read as 0..1, 16-bit ones as integers, float planes unchanged.
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

    columns = np.stack([xyz(point) for point in CHROMATICITIES[primaries]], axis=1)
    return columns * np.linalg.solve(columns, xyz(D65))


def gamut_matrix(primaries: str) -> np.ndarray:
    """Return the 3x3 float64 matrix of linear light from `primaries` to BT.709's (SMPTE RP 177). BT.601's are
    left unchanged, as in players: they differ little, and files are often tagged wrong.
    """
    if primaries not in ("bt2020", "p3"):
        return np.eye(3)
    return np.linalg.solve(_rgb_to_xyz("bt709"), _rgb_to_xyz(primaries))


def nits_to_pq(nits: float) -> float:
    """Return the PQ code of a level in cd/m2 (SMPTE ST 2084)."""
    y = (min(max(nits, 0.0), 10000.0) / 10000.0) ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * y) / (1.0 + 2392 / 128 * y)) ** (2523 / 32)


def transfer_of(color: ColorInfo, *, keeps_hdr: bool = False) -> int:
    """Return the shader's `TRANSFER`: which transfer function and primaries to undo; none of PQ and HLG if
    `keeps_hdr`.
    """
    if keeps_hdr and color.is_hdr:
        return _CODED
    if color.transfer in ("pq", "hlg", "linear"):
        return {"pq": _PQ, "hlg": _HLG, "linear": _LINEAR}[color.transfer]
    return _GAMUT if color.primaries in ("bt2020", "p3") else _PASS


def stretch_of(frame: Frame) -> int:
    """Return the shader's `STRETCH`: 0 for square pixels, 1 to stretch the width, 2 the height."""
    return 0 if frame.pixel_aspect == 1 else 1 if frame.pixel_aspect > 1 else 2


def _square_size(frame: Frame) -> tuple[int, int]:
    """Return the size in square pixels before rotation."""
    width, height = frame.display_size
    return (height, width) if frame.rotation in (90, 270) else (width, height)


def _turn(frame: Frame) -> tuple[tuple[int, int, int, int], tuple[int, int]]:
    """Return the 2x2 matrix and shift from an output pixel to the one before flip and clockwise rotation."""
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
    """Return the map from a pixel to a chroma sample: (scale x, scale y, offset x, offset y). Left-cosited
    chroma (H.264 figure 6-1) shares its column with an even luma column.
    """
    shift_x, shift_y = frame.format.chroma_shift
    across, down = 2.0**-shift_x, 2.0**-shift_y
    centered = frame.color.chroma_centered
    return across, down, (across - 1.0) / 2.0 if centered else 0.0, (down - 1.0) / 2.0


def conversion_uniform(frame: Frame) -> bytes:
    """Pack the `Conversion` of `shaders/color/color.wgsl` (176 bytes, little endian) for a frame."""
    rows = code_matrix(frame.color, frame.format)
    gamut = np.hstack([gamut_matrix(frame.color.primaries), np.zeros((3, 1))])
    peak = HLG_PEAK_NITS if frame.color.transfer == "hlg" else frame.peak_nits or DEFAULT_PEAK_NITS
    width, height = _square_size(frame)
    per_output = frame.width / width if stretch_of(frame) == 1 else frame.height / height
    turn, shift = _turn(frame)
    return struct.pack(
        "<12f12f4f4f4i4i",
        *rows.ravel(),
        *gamut.ravel(),
        *_chroma_map(frame),
        _alpha_scale(frame.format),
        nits_to_pq(max(peak, SDR_WHITE_NITS)),
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
