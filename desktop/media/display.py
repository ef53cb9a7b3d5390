"""Convert a small or still frame to displayable R'G'B' on the CPU: libswscale, then NumPy for HDR."""

from __future__ import annotations

import av
import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import SourceUnsupportedError
from desktop.base.wording import sentence
from desktop.media.coded import BT601, FULL, LIMITED, MATRICES, as_av
from desktop.media.conversion import (
    DEFAULT_PEAK_NITS,
    HLG_PEAK_NITS,
    SDR_WHITE_NITS,
    gamut_matrix,
    nits_to_pq,
)
from desktop.media.frame import Frame
from desktop.media.light import hlg_to_scene, pq_to_nits, scene_to_nits, srgb_to_linear


def rgb_of(frame: Frame) -> NDArray[np.uint8]:
    """Return a frame as uint8 [height, width, 3], R'G'B', upright, square pixels, HDR not tone-mapped. Raises
    SourceUnsupportedError if its format is unsupported or memory is insufficient.
    """
    width, height = frame.display_size
    return _coded(frame, (width, height), "rgb24")


def small_rgb(frame: Frame, bounds: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a frame as uint8 [height, width, 3], BT.709 R'G'B', upright, square pixels, within (width,
    height).

    HDR becomes SDR after scaling: edges between bright and dark get darker. Drops alpha. Raises as `rgb_of`.
    """
    width, height = frame.display_size
    scale = min(bounds[0] / width, bounds[1] / height, 1.0)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    color = frame.color
    if color.transfer in ("sdr", "srgb") and color.primaries not in ("bt2020", "p3"):
        return _coded(frame, size, "rgb24")
    code = _coded(frame, size, "rgb48le").astype(np.float64) / 65535
    light = _light(code, color.transfer, frame.peak_nits or DEFAULT_PEAK_NITS)
    light = np.clip(light @ gamut_matrix(color.primaries).T, 0, 1)
    shown = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(shown * 255).astype(np.uint8)


def _light(code: NDArray[np.float64], transfer: str, peak: float) -> NDArray[np.float64]:
    """Return linear light in the frame's primaries, 1.0 = SDR white, HDR tone-mapped (docs/color.md)."""
    if transfer == "linear":
        return code
    if transfer == "pq":
        return _tone_mapped(pq_to_nits(code), peak)
    if transfer == "hlg":
        return _tone_mapped(scene_to_nits(hlg_to_scene(code)), HLG_PEAK_NITS)
    return srgb_to_linear(code)


def _tone_mapped(nits: NDArray[np.float64], peak: float) -> NDArray[np.float64]:
    """BT.2390's knee on the largest of R, G, B; the others keep their ratio to it."""
    brightest = np.maximum(nits.max(axis=-1), 1e-6)
    source, target = nits_to_pq(max(peak, SDR_WHITE_NITS)), nits_to_pq(SDR_WHITE_NITS)
    y = (np.minimum(brightest, 10000) / 10000) ** (2610 / 16384)
    code = ((3424 / 4096 + 2413 / 128 * y) / (1 + 2392 / 128 * y)) ** (2523 / 32)
    e1, most = np.minimum(code / source, 1), target / source
    knee = 1.5 * most - 0.5
    t = np.clip((e1 - knee) / max(1 - knee, 1e-9), 0, 1)
    bent = (
        (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (3 * t**2 - 2 * t**3) * most
    )
    e2 = e1 if most >= 1 else np.where(e1 < knee, e1, bent)
    return nits * (pq_to_nits(e2 * source) / brightest)[..., None] / SDR_WHITE_NITS


def _coded(frame: Frame, size: tuple[int, int], name: str) -> NDArray:
    """Return coded R'G'B', upright, of a displayed size (width, height); `name`: the result's pix_fmt."""
    picture = as_av(frame)
    width, height = size if frame.rotation in (0, 180) else size[::-1]
    matrix = MATRICES.get(frame.color.matrix, BT601)
    try:
        shown = picture.reformat(
            width,
            height,
            name,
            src_colorspace=matrix,
            dst_colorspace=matrix,
            src_color_range=FULL if frame.color.range == "full" else LIMITED,
            dst_color_range=FULL,
        )
        pixels = shown.to_ndarray()
    except (av.FFmpegError, ValueError, MemoryError) as error:
        raise SourceUnsupportedError(
            sentence("The image cannot be shown ({reason}); convert it to PNG.", reason=error)
        ) from error
    if frame.mirrored:
        pixels = pixels[:, ::-1]
    return np.ascontiguousarray(np.rot90(pixels, -frame.rotation // 90))
