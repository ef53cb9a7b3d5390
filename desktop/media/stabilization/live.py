"""Stabilization of live sources, which waits for a few frames to come."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import SourceUnsupportedError
from desktop.media.frame import Frame
from desktop.media.scene_cuts import CutWatch
from desktop.media.small_luma import small_luma
from desktop.media.sources.base import LiveStabilization
from desktop.media.stabilization.path import needed_zoom, values_of, warp_of
from desktop.media.stabilization.tracks import MotionTracker

AHEAD: Final = 10
"""Frames that the usual delay comprises."""

LIVE_ZOOM: Final = 1.1
"""Constant enlargement, since frames to come are unknown: what moves farther is moved as far as that allows."""

# Smaller than for files, whose motion is read once: this is done between two frames of a camera.
_SIDE: Final = 256


OnUnreadable = Callable[[SourceUnsupportedError], None]


def _ignore(_: SourceUnsupportedError) -> None:
    return None


@dataclass(frozen=True)
class _Waiting:
    frame: Frame
    place: NDArray[np.float64]
    shot: int


class LiveStabilizer(LiveStabilization):
    """Frames with their warps, `ahead` frames later. For the source's thread; `delay` for any.

    The path at a frame is that of a straight line fitted to twice as many frames before and as many after it as are
    waited for, with Gaussian weights: pans of constant speed stay.
    """

    def __init__(self, ahead: int = AHEAD, on_unreadable: OnUnreadable = _ignore) -> None:
        """Wait for `ahead` frames; `on_unreadable` is called with the first frame's error of a format that is not
        readable, whose frames are passed on as they are.
        """
        self._ahead = ahead
        self._on_unreadable = on_unreadable
        self._is_readable = True
        self._delay = 0.0
        self.cut()

    def cut(self) -> None:
        self._tracker, self._watch = MotionTracker(), CutWatch()
        self._waiting: deque[_Waiting] = deque(maxlen=3 * self._ahead + 1)
        # Number of the frames in `_waiting` that were not returned yet.
        self._held = 0
        self._place, self._shot = np.zeros(4), 0

    @property
    def delay(self) -> float:
        return self._delay

    def add(self, frame: Frame) -> Iterable[Frame]:
        try:
            motion = self._tracker.add(small_luma(frame, _SIDE))
            is_cut = self._watch.add(frame)
        except SourceUnsupportedError as error:
            if self._is_readable:
                self._on_unreadable(error)
            self._is_readable = False
            self._delay = 0.0
            return (*self.end(), frame)
        self._is_readable = True
        if is_cut:
            self._shot += 1
        elif motion is not None:
            self._place = self._place + values_of(motion)
        self._waiting.append(_Waiting(frame, self._place, self._shot))
        self._held += 1
        if self._held <= self._ahead:
            return ()
        self._delay = frame.captured_at - self._waiting[-1 - self._ahead].frame.captured_at
        return (self._next(),)

    def end(self) -> Iterator[Frame]:
        """Yield the frames that wait for others, and start anew."""
        while self._held:
            yield self._next()
        self.cut()

    def _next(self) -> Frame:
        at = len(self._waiting) - self._held
        self._held -= 1
        frame, place, shot = self._waiting[at].frame, self._waiting[at].place, self._waiting[at].shot
        near = [(n - at, each.place) for n, each in enumerate(self._waiting) if each.shot == shot]
        offset = place - _smooth_place(near, self._ahead)
        width, height = frame.display_size
        aspect = height / max(width, 1)
        needed = needed_zoom(offset[None], aspect)
        if needed > LIVE_ZOOM:
            offset = offset * ((LIVE_ZOOM - 1.0) / (needed - 1.0))
        return replace(frame, warp=warp_of(offset, LIVE_ZOOM))


def stabilized_live(frames: Generator[Frame], on_unreadable: OnUnreadable) -> Generator[Frame]:
    """Yield all frames with their warps, each when enough of those after it are there; see `LiveStabilizer`."""
    stabilizer = LiveStabilizer(on_unreadable=on_unreadable)
    with closing(frames):
        for frame in frames:
            yield from stabilizer.add(frame)
        yield from stabilizer.end()


def _smooth_place(near: list[tuple[int, NDArray[np.float64]]], ahead: int) -> NDArray[np.float64]:
    """Return the value at 0 of a line fitted to (number of the frame, place)."""
    x = np.array([number for number, _ in near], np.float64)
    weights = np.exp(-0.5 * (x / ahead) ** 2)
    s0, s1, s2 = weights.sum(), (weights * x).sum(), (weights * x * x).sum()
    determinant = s0 * s2 - s1 * s1
    if determinant > 1e-6 * s0 * s0:
        weights = weights * (s2 - s1 * x) / determinant
    else:
        weights = weights / s0
    return np.asarray(weights @ np.array([place for _, place in near]))
