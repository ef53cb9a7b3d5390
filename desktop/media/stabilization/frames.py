"""The two passes: read the motion of all frames, then pass them on with their warps."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from desktop.base.errors import SourceUnsupportedError
from desktop.base.wording import sentence
from desktop.media.frame import Frame, Warp
from desktop.media.scene_cuts import Cut, CutFinder, luma_for_cuts
from desktop.media.small_luma import small_luma
from desktop.media.stabilization.path import MovedFrame, Stabilization
from desktop.media.stabilization.tracks import MotionTracker

# Longest side of the images in which motion is read: a hundredth of its pixel is a tenth of one at 4K.
_SIDE: Final = 384
MOST_FRAMES: Final = 2_000_000
"""Limit for one video: nine hours at 60 frames a second, 200 MB of motion."""
# Times of a second reading differ by rounding alone.
_SAME_S: Final = 1e-3


@dataclass(frozen=True)
class ReadMotion:
    """Motion of the frames of a video, in order, whose height is `aspect` times its width."""

    frames: tuple[MovedFrame, ...]
    aspect: float


class MotionReader:
    """Reads the motion of frames that are added in order."""

    def __init__(self) -> None:
        self._tracker, self._cuts = MotionTracker(), CutFinder()
        self._frames: list[MovedFrame] = []
        self._aspect = 1.0

    def add(self, frame: Frame) -> None:
        """Add a frame; SourceUnsupportedError for a format that cannot be read, or too many frames."""
        if len(self._frames) >= MOST_FRAMES:
            raise SourceUnsupportedError(
                sentence(
                    "The video has more than {most:,} frames, which are too many to stabilize at once; give "
                    "a part of it.",
                    most=MOST_FRAMES,
                )
            )
        width, height = frame.display_size
        self._aspect = height / max(width, 1)
        motion = self._tracker.add(small_luma(frame, _SIDE))
        self._frames.append(MovedFrame(frame.pts, motion))
        self._mark(self._cuts.add(luma_for_cuts(frame), frame.pts))

    def _mark(self, cuts: Iterable[Cut]) -> None:
        for cut in cuts:
            self._frames[cut.frame] = MovedFrame(cut.pts, None, is_cut=True)

    def end(self) -> ReadMotion:
        """Return the motion of all frames."""
        self._mark(self._cuts.end())
        return ReadMotion(tuple(self._frames), self._aspect)


def read_motion_of(frames: Iterable[Frame]) -> ReadMotion:
    """Return the motion of frames in order; raise as `MotionReader.add`."""
    reader = MotionReader()
    for frame in frames:
        reader.add(frame)
    return reader.end()


def stabilized(frames: Generator[Frame], found: Stabilization) -> Generator[Frame]:
    """Yield frames with their warps; SourceUnsupportedError for one whose motion was not read."""
    with closing(frames):
        for frame in frames:
            yield replace(frame, warp=_warp_at(found, frame.pts))


def _warp_at(found: Stabilization, pts: float) -> Warp | None:
    place = bisect_left(found.times, pts - _SAME_S)
    if place == len(found.times) or found.times[place] > pts + _SAME_S:
        raise SourceUnsupportedError(
            sentence(
                "The motion of the frame at {seconds:.3f} s is not known: the motion is of another video, or "
                "of another part; read it again without a motion file.",
                seconds=pts,
            )
        )
    return found.warps[place]
