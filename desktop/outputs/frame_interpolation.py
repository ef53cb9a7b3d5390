"""Frame interpolation of exported videos: to a constant rate, or for slow motion."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.media.scene_cuts import is_cut
from desktop.outputs.frames import Picture
from desktop.pipeline.running.interpolation.network import LONGEST_S

Between = Callable[[np.ndarray, np.ndarray, float], np.ndarray]
"""(first, second, position from 0 to 1) -> the frame between two, all uint8 [height, width, 4] R'G'B'A."""

# Nearer than this to a frame's own time, that frame is written: a thousandth of the time between two.
_SAME: Final = 1e-3


class Interpolator(ABC):
    """Makes frames between others. Not thread-safe. `made` counts computed frames; `cuts` and `gaps` scene cuts
    and gaps of more than a second, where the nearest frame is repeated.
    """

    def __init__(self, between: Between) -> None:
        self._between = between
        self._last: Picture | None = None
        self.made = self.cuts = self.gaps = 0

    @abstractmethod
    def add(self, picture: Picture) -> Iterator[Picture]:
        """Yield the frames up to the time of one that follows the one before."""

    @abstractmethod
    def end(self) -> Iterator[Picture]:
        """Yield what is left: the last frame, as long as it is shown."""

    def _joins(self, first: Picture, second: Picture) -> bool:
        """Tell whether frames are made between two; count where not."""
        if second.pts - first.pts > LONGEST_S:
            self.gaps += 1
            return False
        if is_cut(first.pixels, second.pixels):
            self.cuts += 1
            return False
        return True

    def _at(self, position: float, first: Picture, second: Picture, *, joins: bool) -> np.ndarray:
        if position <= _SAME:
            return first.pixels
        if not joins:
            return first.pixels if position < 0.5 else second.pixels
        self.made += 1
        return self._between(first.pixels, second.pixels, position)


class FrameInterpolator(Interpolator):
    """Resamples frames to a constant rate."""

    def __init__(self, fps: float, between: Between) -> None:
        """Begin; `fps` frames a second come out."""
        super().__init__(between)
        self._fps = fps
        self._next = 0

    def add(self, picture: Picture) -> Iterator[Picture]:
        last, self._last = self._last, picture
        if last is None or picture.pts <= last.pts:
            return
        apart = picture.pts - last.pts
        joins = self._joins(last, picture)
        while (at := self._next / self._fps) < picture.pts - _SAME * apart:
            yield self._picture(self._at((at - last.pts) / apart, last, picture, joins=joins), at)

    def end(self) -> Iterator[Picture]:
        if self._last is None:
            return
        shown = self._last.pts + (self._last.duration or 1 / self._fps)
        while self._next == 0 or (self._next + 0.5) / self._fps < shown:
            yield self._picture(self._last.pixels, self._next / self._fps)

    def _picture(self, pixels: np.ndarray, at: float) -> Picture:
        self._next += 1
        return replace(Picture(pixels, at), duration=1 / self._fps)


class SlowMotion(Interpolator):
    """Slows frames down by a factor k: N frames become k (N - 1) + 1, at k times their times; between two frames
    the new ones are as far apart as the two were.
    """

    def __init__(self, factor: int, between: Between) -> None:
        """Begin; `factor` is 2 or more."""
        super().__init__(between)
        self._factor = factor

    def add(self, picture: Picture) -> Iterator[Picture]:
        last, self._last = self._last, picture
        if last is None:
            return
        apart = picture.pts - last.pts
        joins = apart > 0 and self._joins(last, picture)
        for number in range(self._factor if apart > 0 else 1):
            pixels = self._at(number / self._factor, last, picture, joins=joins)
            yield Picture(pixels, last.pts * self._factor + apart * number, apart)

    def end(self) -> Iterator[Picture]:
        if self._last is not None:
            yield replace(self._last, pts=self._last.pts * self._factor)


def blended(first: np.ndarray, second: np.ndarray, position: float) -> np.ndarray:
    """Return a mix of two frames, uint8 [height, width, 4]: a `Between` that needs no network."""
    share = round(position * 256)
    mixed = first.astype(np.uint16) * (256 - share) + second.astype(np.uint16) * share
    return ((mixed + 128) >> 8).astype(np.uint8)
