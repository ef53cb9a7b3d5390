"""The path of a camera, smoothed, and the warps that follow from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from desktop.media.frame import Warp
from desktop.media.stabilization.tracks import Motion

Edges = Literal["crop", "mirror"]
EDGES: Final[tuple[Edges, ...]] = ("crop", "mirror")
LEAST_SECONDS: Final = 0.1
MOST_SECONDS: Final = 10.0
MOST_ZOOM: Final = 1.4
"""Enlargement up to which edges are cropped; what is beyond them then is mirrored."""

# What moves no pixel by more than this in all of a shot, in widths of the frame, is noise: half a pixel at 1080p.
# What a still camera took stays as it is.
_NOTHING: Final = 3e-4


@dataclass(frozen=True)
class MovedFrame:
    """Motion of a frame since the one before; None if unknown, or if a shot begins with it (`is_cut`)."""

    pts: float
    motion: Motion | None
    is_cut: bool = False


@dataclass(frozen=True)
class Stabilization:
    """Warps of frames in order, their times, and the largest zoom; `mirrored` shots needed more than is cropped."""

    times: tuple[float, ...]
    warps: tuple[Warp | None, ...]
    zoom: float
    mirrored: int


def stabilization(
    frames: Sequence[MovedFrame], aspect: float, seconds: float, edges: Edges = "crop"
) -> Stabilization:
    """Return the warps that leave only motion slower than `seconds`; `aspect` is height by width.

    The path is smoothed by a Gaussian whose standard deviation is half of that, in each shot by itself.
    """
    warps: list[Warp | None] = []
    zooms, corner = [1.0], math.hypot(0.5, aspect / 2)
    begins = [0, *(n for n, frame in enumerate(frames) if n and frame.is_cut), len(frames)]
    for begin, end in pairwise(begins):
        offsets = _offsets(frames[begin:end], seconds)
        if np.abs(offsets * (1.0, 1.0, corner, corner)).max(initial=0.0) < _NOTHING:
            warps += [None] * (end - begin)
            continue
        zoom = needed_zoom(offsets, aspect) if edges == "crop" else 1.0
        zooms.append(zoom)
        warps += [warp_of(offset, min(zoom, MOST_ZOOM)) for offset in offsets]
    mirrored = sum(zoom > MOST_ZOOM for zoom in zooms)
    times = tuple(frame.pts for frame in frames)
    return Stabilization(times, tuple(warps), min(max(zooms), MOST_ZOOM), mirrored)


def _offsets(frames: Sequence[MovedFrame], seconds: float) -> NDArray[np.float64]:
    """Return what each frame is off its smoothed path: [frames, 4], as the values of a `Motion`."""
    steps = np.array([values_of(frame.motion) if n else (0.0,) * 4 for n, frame in enumerate(frames)])
    if len(frames) < 2:
        return np.zeros((len(frames), 4))
    path = steps.reshape(-1, 4).cumsum(0)
    rate = (len(frames) - 1) / max(frames[-1].pts - frames[0].pts, 1e-6)
    return path - _smoothed(path, seconds / 2 * rate)


def values_of(motion: Motion | None) -> tuple[float, float, float, float]:
    """Return a motion's values; zeros if it is unknown."""
    return (0.0,) * 4 if motion is None else (motion.x, motion.y, motion.angle, motion.scale)


def _smoothed(path: NDArray[np.float64], deviation: float) -> NDArray[np.float64]:
    """Return a path smoothed by a Gaussian, in frames; beyond its ends it goes on as before, mirrored about them."""
    reach = max(1, min(math.ceil(3 * deviation), len(path) - 1))
    before = 2 * path[0] - path[reach:0:-1]
    after = 2 * path[-1] - path[-2 : -reach - 2 : -1]
    longer = np.concatenate((before, path, after))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(deviation, 1e-6)) ** 2)
    weights /= weights.sum()
    return np.stack([np.convolve(column, weights, "valid") for column in longer.T], 1)


def needed_zoom(offsets: NDArray[np.float64], aspect: float) -> float:
    """Return the least enlargement at which no corner of frames, [frames, 4], reads beyond the edges."""
    corners = np.array([(x, y) for x in (-0.5, 0.5) for y in (-aspect / 2, aspect / 2)]).T
    x, y, angle, scale = offsets.T
    growth = np.exp(scale)
    turned = np.stack(
        (
            growth[:, None] * (np.cos(angle)[:, None] * corners[0] - np.sin(angle)[:, None] * corners[1]),
            growth[:, None] * (np.sin(angle)[:, None] * corners[0] + np.cos(angle)[:, None] * corners[1]),
        ),
        1,
    )
    space = np.stack((0.5 - np.abs(x), aspect / 2 - np.abs(y)), 1)
    needed = np.abs(turned).max(2) / np.maximum(space, 1e-6)
    return max(1.0, float(needed.max()))


def warp_of(offset: NDArray[np.float64], zoom: float) -> Warp:
    """Return the warp that takes back what a frame is off its path, [4], and enlarges it."""
    x, y, angle, scale = offset.tolist()
    growth = math.exp(scale) / zoom
    cosine, sine = growth * math.cos(angle), growth * math.sin(angle)
    return Warp((cosine, -sine, x), (sine, cosine, y))
