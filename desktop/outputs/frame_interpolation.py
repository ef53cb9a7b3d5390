"""Frame interpolation of exported videos to a constant rate, with a network for new frames."""

from __future__ import annotations

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


class FrameInterpolator:
    """Resamples frames to a constant rate. Not thread-safe. `made` counts computed frames; `cuts` and `gaps`
    scene cuts and gaps of more than a second, where the nearest frame is repeated.
    """

    def __init__(self, fps: float, between: Between) -> None:
        """Begin; `fps` frames a second come out."""
        self._fps, self._between = fps, between
        self._last: Picture | None = None
        self._next = 0
        self.made = self.cuts = self.gaps = 0

    def add(self, picture: Picture) -> Iterator[Picture]:
        """Yield the frames up to the time of one that follows the one before."""
        last, self._last = self._last, picture
        if last is None or picture.pts <= last.pts:
            return
        apart = picture.pts - last.pts
        joins = self._joins(last, picture)
        while (at := self._next / self._fps) < picture.pts - _SAME * apart:
            yield self._picture(self._at((at - last.pts) / apart, last, picture, joins=joins), at)

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

    def end(self) -> Iterator[Picture]:
        """Yield what is left: the last frame, as long as it is shown."""
        if self._last is None:
            return
        shown = self._last.pts + (self._last.duration or 1 / self._fps)
        while self._next == 0 or (self._next + 0.5) / self._fps < shown:
            yield self._picture(self._last.pixels, self._next / self._fps)

    def _picture(self, pixels: np.ndarray, at: float) -> Picture:
        self._next += 1
        return replace(Picture(pixels, at), duration=1 / self._fps)
