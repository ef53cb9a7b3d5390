"""Frames of the sources of layers: those due at times of the main source, or a live source's newest."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Literal

from desktop.base.errors import LightloomError, SourceError
from desktop.base.wording import Text, sentence
from desktop.media.frame import Frame
from desktop.media.sources.base import Source, left_out
from desktop.pipeline.layers.kind import LayerMoment, LayerState, LayerTools

AtEnd = Literal["hold", "loop", "hide"]

_AHEAD: Final = 4
"""Frames that are decoded ahead."""
_FAR_S: Final = 2.0
"""Beyond this, a later time is sought instead of being decoded up to."""
_EPSILON: Final = 1e-3
"""Seconds by which times of different containers may differ: Matroska rounds them to milliseconds."""
_FIRST_FRAME_S: Final = 15.0


class TimedFrames:
    """Frames of a file by time, decoded on a thread. For the rendering thread."""

    anchor = 0.0
    has_own_size = False
    needs_results = False

    def __init__(
        self, open_it: Callable[[], Source], tools: LayerTools, *, offset: float = 0.0, at_end: AtEnd = "hold"
    ) -> None:
        """Open nothing yet; `offset` is the time of the source at the beginning of the main one, in seconds."""
        self._open, self._tools = open_it, tools
        self._offset, self._at_end = offset, at_end
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="layer")
        self._source: Source | None = None
        self._frames: Generator[Frame] | None = None
        self._ahead: deque[Future[Frame | None]] = deque()
        self._before: Frame | None = None  # what is due now, or was until others are decoded
        self._began = 0.0  # the time that the frames in `_ahead` began at
        self._is_stale = True  # `_before` was decoded before a jump
        self._end: float | None = None  # where the source ends, once that is known
        self._has_ended = False
        self._error: LightloomError | None = None

    # -- on the thread ---------------------------------------------------------------------------------------

    def _first(self, seconds: float) -> Frame | None:
        """Return the frame at a time of the source, and continue there; behind the last one, before that."""
        frame, back = self._started_at(seconds), 1.0
        while frame is None and seconds > 0.0:
            seconds, back = max(0.0, seconds - back), 4.0 * back
            frame = self._started_at(seconds)
        return frame

    def _started_at(self, seconds: float) -> Frame | None:
        if self._frames is not None:
            self._frames.close()
            self._frames = None
        if self._source is None:
            self._source = self._open()
        frames_from = self._source.capabilities.frames_from
        if frames_from is not None and seconds > 0.0:
            self._frames = frames_from(seconds)
        else:
            self._frames = self._source.frames()
        return self._next()

    def _next(self) -> Frame | None:
        return next(self._frames, None) if self._frames is not None else None

    def _release(self) -> None:
        if self._frames is not None:
            self._frames.close()
        if self._source is not None:
            self._source.close()

    # -- on the rendering thread -----------------------------------------------------------------------------

    @property
    def state(self) -> LayerState:
        """See `LayerContent`."""
        if self._error is not None:
            return "failed"
        if self._before is None:
            return "opening"
        return "ended" if self._has_ended and self._at_end != "loop" else "running"

    @property
    def error(self) -> LightloomError | None:
        """See `LayerContent`."""
        return self._error

    def _submit(self, read: Callable[[], Frame | None]) -> None:
        future = self._pool.submit(read)
        self._ahead.append(future)
        if not self._tools.wait:
            future.add_done_callback(lambda _: self._tools.wake())

    def _begin(self, seconds: float) -> None:
        for future in self._ahead:
            future.cancel()
        self._ahead.clear()
        self._began, self._is_stale, self._has_ended = seconds, True, False
        self._submit(lambda: self._first(seconds))

    def _length(self) -> float | None:
        source = self._source
        duration = source.info.duration if source is not None else 0.0
        return duration if duration > 0.0 else self._end

    def _target(self, pts: float) -> float | None:
        """Return the time of the source for one of the main source; None where it is not shown."""
        target, length = pts + self._offset, self._length()
        if target < 0.0:
            return None
        if length is None or length <= 0.0 or target < length - _EPSILON:
            return target
        if self._at_end == "loop":
            return math.fmod(target, length)
        return None if self._at_end == "hide" else length

    @property
    def damage(self) -> tuple[Text, ...]:
        """See `LayerContent`."""
        return left_out(self._source) if self._source is not None else ()

    def is_stale(self, moment: LayerMoment) -> bool:
        """See `LayerContent`."""
        if self._error is not None:
            return False
        if not self._ahead:
            return self._before is None
        if not self._ahead[0].done():
            return False
        target = self._target(moment.pts)
        following = self._ahead[0]
        if following.cancelled() or following.exception() is not None or self._is_stale or target is None:
            return True
        frame = following.result()
        return (frame is None and not self._has_ended) or (
            frame is not None and frame.pts <= target + _EPSILON
        )

    def frame(self, moment: LayerMoment) -> Frame | None:
        """See `LayerContent`."""
        try:
            found = self._frame(moment.pts)
        except LightloomError as error:
            self._error = error
            if self._tools.wait:
                raise
            return None
        return found

    def _frame(self, pts: float) -> Frame | None:
        if self._error is not None:
            return None
        if not self._ahead and self._before is None:
            self._begin(0.0)
        if self._source is None or (self._is_stale and self._before is None):
            # Its length must be known for a loop.
            if not self._tools.wait and not self._ahead[0].done():
                return None
            self._ahead[0].result()
        target = self._target(pts)
        if target is None:
            return None
        if self._must_seek(target):
            self._begin(target)
        self._advance(target)
        if self._at_end != "hold" and self._has_ended and self._end and self._length() == self._end <= target:
            # Only now is it known where it ends.
            return self._frame(pts) if self._at_end == "loop" else None
        return self._before

    def _must_seek(self, target: float) -> bool:
        if target < self._began - _EPSILON:
            return True
        if self._is_stale:
            return False
        before = self._before
        if before is not None and target < before.pts - _EPSILON:
            # At the beginning the first frame may begin later.
            return before.pts - self._began > _EPSILON or self._began > 0.0
        can_seek = self._source is not None and self._source.capabilities.frames_from is not None
        last = before.pts if before is not None else self._began
        return can_seek and not self._has_ended and target > last + _FAR_S

    def _advance(self, target: float) -> None:
        """Take in what is decoded, up to the frame that is due at a time of the source."""
        while self._ahead:
            following = self._ahead[0]
            if not self._tools.wait and not following.done():
                break
            frame = following.result()
            if frame is None:
                self._reached_end()
                break
            if not self._is_stale and frame.pts > target + _EPSILON:
                break
            self._ahead.popleft()
            self._before, self._is_stale = frame, False
            self._read_ahead()
        self._read_ahead()

    def _read_ahead(self) -> None:
        while len(self._ahead) < _AHEAD and not self._has_ended:
            self._submit(self._next)

    def _reached_end(self) -> None:
        self._ahead.clear()
        self._has_ended = True
        if self._before is None:
            raise SourceError(sentence("The layer's source has no frame; choose another file."))
        if self._end is None:
            self._end = self._before.pts + self._before.duration

    def close(self) -> None:
        """See `LayerContent`."""
        for future in self._ahead:
            future.cancel()
        self._pool.submit(self._release)
        self._pool.shutdown(wait=False)


class NewestFrames:
    """Frames of a camera or stream, the newest. For the rendering thread."""

    anchor = 0.0
    has_own_size = False
    needs_results = False

    def __init__(self, source: Source, tools: LayerTools) -> None:
        """Start the source."""
        self._source, self._tools = source, tools
        self._newest: Frame | None = None
        self._taken: Frame | None = None
        source.on_change = tools.wake
        source.start()

    @property
    def state(self) -> LayerState:
        """See `LayerContent`."""
        if self._source.state in ("failed", "lost"):
            return "failed"
        if self._source.state == "ended":
            return "ended"
        return "opening" if self._newest is None else "running"

    @property
    def error(self) -> LightloomError | None:
        """See `LayerContent`."""
        return self._source.error if self.state == "failed" else None

    @property
    def damage(self) -> tuple[Text, ...]:
        """See `LayerContent`."""
        return ()

    def is_stale(self, moment: LayerMoment) -> bool:
        """See `LayerContent`."""
        if self._taken is None:
            self._taken = self._source.take(time.perf_counter())
        return self._taken is not None

    def frame(self, moment: LayerMoment) -> Frame | None:
        """See `LayerContent`."""
        until = time.perf_counter() + _FIRST_FRAME_S
        while not self.is_stale(moment) and self._tools.wait and self._newest is None:
            if self.error is not None:
                raise self.error
            if time.perf_counter() > until:
                raise SourceError(
                    sentence(
                        "{name} has sent no image for {seconds:.0f} s; check that it is on, or leave its layer out.",
                        name=self._source.info.title,
                        seconds=_FIRST_FRAME_S,
                    )
                )
            time.sleep(0.005)
        if self._taken is not None:
            self._newest, self._taken = self._taken, None
        return self._newest

    def close(self) -> None:
        """See `LayerContent`."""
        self._source.on_change = None
        self._source.close()
