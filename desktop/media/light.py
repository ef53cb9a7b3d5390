"""Linear light of coded R'G'B' as arrays (docs/color.md): sRGB, PQ and HLG."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from desktop.media.conversion import HLG_PEAK_NITS

_LUMINANCE: Final = (0.2627, 0.6780, 0.0593)


def srgb_to_linear(code: NDArray[Any]) -> NDArray[Any]:
    """Return linear light of codes in 0..1 (IEC 61966-2-1)."""
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def pq_to_nits(code: NDArray[Any]) -> NDArray[Any]:
    """Return the cd/m2 of PQ codes in 0..1 (SMPTE ST 2084)."""
    e = code ** (32 / 2523)
    return 10000 * (np.maximum(e - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * e)) ** (16384 / 2610)


def hlg_to_scene(code: NDArray[Any]) -> NDArray[Any]:
    """Return scene light of HLG codes in 0..1 (BT.2100, table 5: inverse OETF)."""
    return np.where(code <= 0.5, code**2 / 3, (np.exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12)


def scene_to_nits(scene: NDArray[Any]) -> NDArray[Any]:
    """Return the cd/m2 of HLG's scene light, [..., 3], on a display of 1000 cd/m2 (OOTF, gamma 1.2)."""
    luminance = scene @ np.array(_LUMINANCE, scene.dtype)
    return HLG_PEAK_NITS * np.maximum(luminance, 1e-9)[..., None] ** 0.2 * scene
