"""`.cube` look-up tables (Adobe, "Cube LUT Specification" 1.0, 2013)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base.errors import FilterError
from desktop.base.files import read_regular, reason, text_lines
from desktop.base.wording import sentence

_MAX_BYTES: Final = 64 << 20
_MAX_SIZE_3D: Final = 129
# What a working texture's 16-bit floats hold, and what they tell apart near 0.
_MAX_BOUND: Final = 65504.0
_MIN_WIDTH: Final = 1e-6


@dataclass(frozen=True)
class CubeLut:
    """3D table: float32 [blue, green, red, 3] of output R'G'B', with `size` lattice points on each axis."""

    table: np.ndarray
    size: int


def _identity(size: int) -> CubeLut:
    axis = np.linspace(0.0, 1.0, size, dtype=np.float32)
    blue, green, red = np.meshgrid(axis, axis, axis, indexing="ij")
    return CubeLut(np.stack([red, green, blue], axis=-1), size)


IDENTITY: Final = _identity(2)


def _resample_domain(table: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    # The shader indexes 0..1; a table for another domain is resampled to it once, trilinearly.
    size = table.shape[0]
    out = table
    for axis, channel in ((2, 0), (1, 1), (0, 2)):
        at = (np.linspace(0, 1, size) - low[channel]) / (high[channel] - low[channel]) * (size - 1)
        at = np.clip(at, 0, size - 1)
        below = np.minimum(at.astype(int), size - 2)
        weight = (at - below).reshape([-1 if i == axis else 1 for i in range(4)])
        out = np.take(out, below, axis) * (1 - weight) + np.take(out, below + 1, axis) * weight
    return out.astype(np.float32)


def _from_1d(rows: np.ndarray) -> np.ndarray:
    # Expand a 1D table to 3D: 65 points keep the error below 1/1000 for smooth curves.
    size = 65
    axis = np.linspace(0, 1, size)
    at = np.linspace(0, 1, len(rows))
    red, green, blue = (np.interp(axis, at, rows[:, c]).astype(np.float32) for c in range(3))
    out = np.empty((size, size, size, 3), np.float32)
    out[..., 0], out[..., 1], out[..., 2] = red, green[:, None], blue[:, None, None]
    return out


def parse_cube(text: str, name: str) -> CubeLut:
    """Parse the text of a `.cube` file, 1D or 3D; raise FilterError with the line of the fault."""
    size, dims = 0, 0
    low, high = np.zeros(3), np.ones(3)
    numbers = array("f")  # a quarter of a list's memory; the file may hold millions
    for number, line in enumerate(text_lines(text), 1):
        words = line.split("#", 1)[0].split()
        if not words or words[0] == "TITLE":
            continue
        try:
            if words[0] in ("LUT_3D_SIZE", "LUT_1D_SIZE"):
                size, dims = int(words[1]), int(words[0][4])
            elif words[0] == "DOMAIN_MIN":
                low = np.array([float(w) for w in words[1:4]])
            elif words[0] == "DOMAIN_MAX":
                high = np.array([float(w) for w in words[1:4]])
            elif words[0] in ("LUT_3D_INPUT_RANGE", "LUT_1D_INPUT_RANGE"):
                # DaVinci Resolve's way to write a domain that is the same for all channels.
                low, high = (np.full(3, float(words[i])) for i in (1, 2))
            elif words[0][0].isalpha():
                continue
            else:
                red, green, blue = words
                numbers.extend((float(red), float(green), float(blue)))
        except (ValueError, IndexError, OverflowError) as error:
            raise FilterError(
                sentence(
                    "{name}, line {number}: '{words}' is not part of a .cube table; correct it in a text "
                    "editor.",
                    name=name,
                    number=number,
                    words=line.strip()[:60],
                )
            ) from error
        if len(numbers) > 3 * _MAX_SIZE_3D**3:
            raise FilterError(
                sentence(
                    "{name} holds more colors than a table of {max_size_3d} points a side; it is not usable.",
                    name=name,
                    max_size_3d=_MAX_SIZE_3D,
                )
            )
    rows = np.frombuffer(numbers, np.float32).reshape(-1, 3) if numbers else np.empty((0, 3), np.float32)
    return _build(size, dims, low, high, rows, name)


def _build(size: int, dims: int, low: np.ndarray, high: np.ndarray, data: np.ndarray, name: str) -> CubeLut:
    limit = _MAX_SIZE_3D if dims == 3 else 65536
    if not dims or not 2 <= size <= limit:
        raise FilterError(
            sentence(
                "{name} has no LUT_3D_SIZE from 2 to {max_size_3d}, so it is not a usable .cube file; "
                "export it again.",
                name=name,
                max_size_3d=_MAX_SIZE_3D,
            )
        )
    if len(data) != size**dims:
        raise FilterError(
            sentence(
                "{name} holds {count} colors where its size asks for {expected}; the file is cut off or "
                "damaged.",
                name=name,
                count=len(data),
                expected=size**dims,
            )
        )
    if not (np.abs(data) <= _MAX_BOUND).all():  # false for NaN too
        raise FilterError(
            sentence(
                "{name} holds colors that are no numbers from -{bound} to {bound}; the file is damaged.",
                name=name,
                bound=f"{_MAX_BOUND:g}",
            )
        )
    if not _is_domain(low, high):
        raise FilterError(
            sentence(
                "{name} has a DOMAIN_MIN and DOMAIN_MAX that are not three numbers each from "
                "-{max_bound:g} to {max_bound:g}, the second at least {min_width:g} above the first; "
                "correct them in a text editor.",
                name=name,
                max_bound=_MAX_BOUND,
                min_width=_MIN_WIDTH,
            )
        )
    table = data.reshape(size, size, size, 3) if dims == 3 else _from_1d(data)
    if (low != 0).any() or (high != 1).any():
        table = _resample_domain(table, low, high)
    return CubeLut(table, table.shape[0])


def _is_domain(low: np.ndarray, high: np.ndarray) -> bool:
    # Infinite bounds, or bounds so close that they divide to infinity, would give NaN in the table.
    if low.shape != (3,) or high.shape != (3,):
        return False
    bounded = (np.abs(low) <= _MAX_BOUND).all() and (np.abs(high) <= _MAX_BOUND).all()
    return bool(bounded and (high - low >= _MIN_WIDTH).all())


def load_cube(path: Path) -> CubeLut:
    """Read a `.cube` file; raise FilterError if it cannot be read or is not a table."""
    try:
        data = read_regular(path, _MAX_BYTES)
    except (OSError, ValueError) as error:
        raise FilterError(
            sentence(
                "The table {path} cannot be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    return parse_cube(data.decode("utf-8-sig", errors="replace"), path.name)
