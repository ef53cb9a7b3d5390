"""Scene cuts: frames at which another shot begins, found by the differences of small luma images.

`CutFinder` compares the difference of two frames with those around it, as PySceneDetect's AdaptiveDetector
does, and reads some frames ahead, so that a flash is no cut. Fades and dissolves are none: they have no frame
at which another shot begins. `is_cut` compares two frames alone, for what cannot wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from desktop.media.frame import Frame
from desktop.media.small_luma import small_luma

Luma = NDArray[np.float32]

# Mean difference of luma that begins another scene, as in PySceneDetect's ContentDetector.
_CUT: Final = 27.0
_COARSE: Final = 64
_LUMA: Final = np.array((0.299, 0.587, 0.114), np.float32)

# Longest side of the images that are compared: coarse, so that noise and small motion average out.
_SIDE: Final = 48
# Of AdaptiveDetector: frames on each side, and by how much a difference exceeds their mean.
_AROUND: Final = 2
_SPIKE: Final = 3.0
# The least difference of a cut, on the scale 0..255; between two dark shots it is small.
_LEAST: Final = 10.0
# What is back as it was within so many seconds was a flash; cuts are at least as far apart.
_FLASH_S: Final = 0.3
_MOST_AHEAD: Final = 16
# Frames are alike if they differ by less than this share of the difference at the cut.
_ALIKE: Final = 0.5


def is_cut(first: np.ndarray, second: np.ndarray) -> bool:
    """True if a scene ends between two images, [height, width, 3 or 4] R'G'B', uint8 or float32 in 0..1."""
    if first.shape != second.shape:
        return True
    step = max(1, min(first.shape[:2]) // _COARSE)
    white = 255.0 if first.dtype == np.uint8 else 1.0
    a, b = (picture[::step, ::step, :3] @ _LUMA for picture in (first, second))
    return is_cut_of_luma(a * (255.0 / white), b * (255.0 / white))


def is_cut_of_luma(first: Luma, second: Luma) -> bool:
    """Return True if two small luma images, 0 to 255, are of different shots."""
    return _difference(first, second) > _CUT


def _difference(first: Luma, second: Luma) -> float:
    return 255.0 if first.shape != second.shape else float(np.abs(first - second).mean())


@dataclass(frozen=True)
class Cut:
    """The first frame of another shot: its number from 0 in what was read, its time in seconds.

    `difference` is the mean difference of luma from the frame before, 0 to 255.
    """

    frame: int
    pts: float
    difference: float


@dataclass(frozen=True)
class _Compared:
    number: int
    pts: float
    luma: Luma
    difference: float


class CutWatch:
    """Notices cuts as frames are added, without waiting for the frames after: also at some flashes."""

    def __init__(self) -> None:
        self._last: Luma | None = None

    def add(self, frame: Frame) -> bool:
        """Return whether a scene ends before a frame; raise as `small_luma`."""
        last, self._last = self._last, luma_for_cuts(frame)
        return last is not None and is_cut_of_luma(last, self._last)

    def clear(self) -> None:
        """Compare the next frame with none: it is of another source or time."""
        self._last = None


class CutFinder:
    """Finds the cuts of frames that are added in order. Cuts are known `_FLASH_S` later."""

    def __init__(self) -> None:
        self._compared: deque[_Compared] = deque(maxlen=2 * _MOST_AHEAD + 1)
        self._count = self._decided = 0
        self._last_cut = -np.inf

    def add(self, luma: Luma, pts: float) -> Iterator[Cut]:
        """Add a frame's small luma image, float32 [height, width] in 0..255; yield the cuts now known."""
        before = self._compared[-1].luma if self._compared else luma
        self._compared.append(_Compared(self._count, pts, luma, _difference(before, luma)))
        self._count += 1
        while self._decided < self._count and self._is_ripe(self._decided):
            yield from self._decide()

    def end(self) -> Iterator[Cut]:
        """Yield the cuts among the last frames."""
        while self._decided < self._count:
            yield from self._decide()

    def _is_ripe(self, number: int) -> bool:
        """Return whether enough frames after one are there."""
        newest, ahead = self._compared[-1], self._count - 1 - number
        return ahead >= _MOST_AHEAD or (ahead >= _AROUND and newest.pts - self._place(number).pts > _FLASH_S)

    def _place(self, number: int) -> _Compared:
        return self._compared[number - self._compared[0].number]

    def _decide(self) -> Iterator[Cut]:
        compared = self._place(self._decided)
        self._decided += 1
        if (
            compared.pts - self._last_cut > _FLASH_S
            and self._is_spike(compared)
            and not self._is_flash(compared)
        ):
            self._last_cut = compared.pts
            yield Cut(compared.number, compared.pts, compared.difference)

    def _is_spike(self, compared: _Compared) -> bool:
        around = [
            each.difference
            for each in self._compared
            if 0 < abs(each.number - compared.number) <= _AROUND and each.number
        ]
        usual = sum(around) / len(around) if around else 0.0
        return compared.number > 0 and compared.difference >= max(_LEAST, _SPIKE * usual)

    def _is_flash(self, compared: _Compared) -> bool:
        """Return whether a frame soon after resembles the one before, or the other way round."""
        limit = _ALIKE * compared.difference
        before = self._place(compared.number - 1)
        return any(
            _difference(before.luma if each.number > compared.number else compared.luma, each.luma) < limit
            for each in self._compared
            if abs(each.pts - compared.pts) <= _FLASH_S
            and each.number not in (before.number, compared.number)
        )


def luma_for_cuts(frame: Frame) -> Luma:
    """Return the image of a frame that `CutFinder.add` takes; raise as `small_luma`."""
    return small_luma(frame, _SIDE)
