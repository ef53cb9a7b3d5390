"""Audio of a file during playback: decoded ahead on a thread, and the master clock of its video.

The video sets the time line (`follow`) and reads the playback position (`line_at`); the device's thread takes
frames (`render`). The clock follows what the device plays: video and audio stay together and stall together.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.base.errors import LightloomError
from desktop.base.wording import Text, sentence
from desktop.media.audio.line import Line
from desktop.media.audio.output import SoundOutput
from desktop.media.audio.reader import SoundReader
from desktop.media.audio.samples import FADE, RATE, faded, silence
from desktop.media.audio.tempo import Tempo

log = logging.getLogger(__name__)

# Prepared ahead. Less starves while the interpreter is held; more delays a change of speed by as much.
_AHEAD: Final = RATE // 4
# Buffered length before playback starts after a jump.
_ENOUGH: Final = RATE // 20
_CHUNK: Final = 2048
# The video waits this long for audio that is late (a slow seek), then goes on by its own clock.
_PATIENCE: Final = 0.5
_MAX_SPANS: Final = 64
_JOIN_TIMEOUT: Final = 5.0

Opener = Callable[[int], SoundReader]


@dataclass(frozen=True)
class _Block:
    """Frames to play, and the position of the line where they begin."""

    samples: np.ndarray
    at: float
    speed: float


@dataclass(frozen=True)
class _Span:
    """Frames that a device has taken: their number there, and which part of the line they were."""

    first: int
    frames: int
    at: float
    speed: float


class Voice:
    """A file's voice. Thread-safe.

    `opens` opens a track on the voice's thread; `on_failure` gets the reason, once for each unplayable track.
    """

    def __init__(
        self,
        opens: Opener,
        track: int,
        output: SoundOutput,
        *,
        clock: Callable[[], float] = time.perf_counter,
        on_failure: Callable[[Text], None] | None = None,
    ) -> None:
        self._opens = opens
        self._track = track
        self._output = output
        self._now = clock
        self._on_failure = on_failure
        self._changed = threading.Condition()
        self._line = Line()
        self._queue: deque[_Block] = deque()
        self._queued = 0
        self._ready = False
        self._sounding = False
        self._tail: np.ndarray | None = None
        self._spans: deque[_Span] = deque(maxlen=_MAX_SPANS)
        self._stood = 0.0
        self._waiting_since: float | None = None
        self._retried_at = -math.inf
        self._joins = False
        # Where the thread restarts; `_epoch` counts restarts, so that samples made before one are discarded.
        self._restart_at: float | None = 0.0
        self._epoch = 0
        self._audible = True
        self._closing = False
        # Of the thread alone.
        self._reader: SoundReader | None = None
        self._read_track = -1
        self._tempo = Tempo(1.0)
        self._base = 0.0
        self._next = 0.0
        self._seam = False
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()
        output.add(self)

    # -- the video's side ------------------------------------------------------------------------------------

    @property
    def track(self) -> int | None:
        """The number of the track that is played; None for none."""
        return self._track if self._track >= 0 else None

    def use_track(self, index: int | None) -> None:
        """Switch to another track, or to none."""
        with self._changed:
            wanted = -1 if index is None else index
            if wanted == self._track:
                return
            # After a pause the audio has no position of its own: it continues at the video's.
            self._joins = self._joins or not self._audible
            self._track, self._audible = wanted, wanted >= 0
            self._begin_anew(self._place())

    def follow(self, line: Line) -> None:
        """Play this from now on. Returns at once."""
        with self._changed:
            before, self._line = self._line, line
            if line.serial != before.serial:
                self._stood = line.at
                self._joins = self._joins and not self._audible
                self._spans.clear()
                self._begin_anew(line.at)
            elif self._ahead_differs(before, line):
                self._begin_anew(self._place())
            if line.running and not before.running:
                self._waiting_since = None
                self._output.wake()
            self._changed.notify_all()

    def line_at(self, now: float, free: float) -> float | None:
        """Return the line position played at `now`, None if there is no audio. `free` is the position by the
        program's clock: audio continues there if the video did not wait for it.
        """
        with self._changed:
            if not (self._line.running and self._audible):
                return None
            if self._joins:
                self._joins, self._waiting_since, self._retried_at = False, -math.inf, now
                self._stood = free
                self._spans.clear()
                self._begin_anew(free)
                return None
            frame = self._output.frame_at(now)
            span = self._span_at(frame) if frame is not None else None
            if span is not None and frame is not None:
                heard = min(max(0.0, frame - span.first), span.frames)
                self._stood = span.at + heard / RATE * span.speed
                if frame <= span.first + span.frames:
                    self._waiting_since = None
                    return self._stood
            if self._waiting_since is None:
                self._waiting_since = now
            if now - self._waiting_since < _PATIENCE:
                return self._stood
            if self._restart_at is None and now - self._retried_at > _PATIENCE:
                self._retried_at, self._stood = now, free
                self._begin_anew(free)
            return None

    def goes_on_behind(self, media: float) -> bool:
        """Return whether the current track has, or may have, audio after a time of the file in seconds."""
        with self._changed:
            # One that was never opened in all that time is not waited for.
            if not self.wants_device or self._read_track < 0:
                return False
            reader = self._reader if self._read_track == self._track else None
        ends = reader.ends if reader is not None else None
        return ends is None or ends > media

    def _span_at(self, frame: float) -> _Span | None:
        for span in reversed(self._spans):
            if span.first <= frame:
                return span
        return None

    def _place(self) -> float:
        """Position at which the device continues."""
        if self._restart_at is not None:
            return self._restart_at
        return self._queue[0].at if self._queue else self._next

    def _ahead_differs(self, before: Line, line: Line) -> bool:
        place = self._place()
        old, new = before.stretch_at(place), line.stretch_at(place)
        return self._next > min(old.until, new.until) and old != new

    def _begin_anew(self, at: float) -> None:
        """Drop what was made ready, with a short fade, and make ready what begins at a place of the line."""
        if self._sounding and self._queue:
            head = np.concatenate([block.samples for block in self._queue])[:FADE]
            self._tail = faded(head, ends=True)
        self._queue.clear()
        self._queued = 0
        self._ready = self._sounding = False
        self._restart_at = at
        self._epoch += 1
        self._changed.notify_all()

    # -- the device's side -----------------------------------------------------------------------------------

    @property
    def wants_device(self) -> bool:
        """True while there is something to play."""
        return self._line.running and self._audible

    @property
    def ahead_s(self) -> float:
        """Seconds of audio that are decoded and were not given to a device yet."""
        return self._queued / RATE

    def render(self, first: int, frames: int) -> np.ndarray | None:
        """See `Speaking`."""
        with self._changed:
            tail, self._tail = self._tail, None
            if self._line.running and self._ready:
                out = self._speak(first, frames)
            elif self._sounding:
                out, self._sounding = self._fall_silent(frames), False
            else:
                out = None
        if tail is None:
            return out
        out = silence(frames) if out is None else out
        out[: len(tail)] += tail[:frames]
        return out

    def _speak(self, first: int, frames: int) -> np.ndarray:
        parts, filled = [], 0
        while filled < frames and self._queue:
            block = self._queue.popleft()
            part = block.samples[: frames - filled]
            self._spans.append(_Span(first + filled, len(part), block.at, block.speed))
            if len(part) < len(block.samples):
                rest = block.samples[len(part) :]
                self._queue.appendleft(_Block(rest, block.at + len(part) / RATE * block.speed, block.speed))
            parts.append(part)
            filled += len(part)
        self._queued -= filled
        said = np.concatenate(parts) if parts else silence(0)
        starved = filled < frames
        said = faded(said, begins=not self._sounding, ends=starved)
        self._sounding, self._ready = not starved, not starved
        self._changed.notify_all()
        return np.concatenate([said, silence(frames - filled)]) if starved else said

    def _fall_silent(self, frames: int) -> np.ndarray:
        """The beginning of what would come next, fading; it comes again when the audio goes on."""
        head = np.concatenate([block.samples for block in self._queue] or [silence(0)])[: min(FADE, frames)]
        return np.concatenate([faded(head, ends=True), silence(frames - len(head))])

    # -- the thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while self._await_work():
                try:
                    self._work()
                except LightloomError as error:
                    self._give_up(error.args[0])
        except Exception:
            log.exception("playing audio")
            self._give_up(sentence("Audio stopped because of an error; the video continues without it."))
        finally:
            if self._reader is not None:
                self._reader.close()

    def _await_work(self) -> bool:
        with self._changed:
            self._changed.wait_for(
                lambda: (
                    self._closing
                    or (self._audible and (self._restart_at is not None or self._queued < _AHEAD))
                )
            )
            return not self._closing

    def _work(self) -> None:
        with self._changed:
            line, epoch, track = self._line, self._epoch, self._track
            restart, self._restart_at = self._restart_at, None
            if restart is not None:
                self._next = restart
        reader = self._reader_of(track)
        if restart is not None:
            media = line.stretch_at(restart).media
            if media is not None:
                reader.seek(media)
            self._tempo, self._base, self._seam = Tempo(line.speed), restart, False
        elif line.speed != self._tempo.speed:
            at = self._heard_next()
            self._append(self._tempo.finish(), at, epoch)
            self._tempo, self._base = Tempo(line.speed), self._next
        self._advance(reader, line, epoch)

    def _reader_of(self, track: int) -> SoundReader:
        if self._reader is None or self._read_track != track:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
            self._reader = self._opens(track)
            self._read_track = track
            if (media := self._line.stretch_at(self._next).media) is not None:
                self._reader.seek(media)
        return self._reader

    def _advance(self, reader: SoundReader, line: Line, epoch: int) -> None:
        """Make the next part ready: up to a seam, where the audio falls to nothing and rises again."""
        stretch = line.stretch_at(self._next)
        left = (stretch.until - self._next) * RATE
        frames = _CHUNK if left > _CHUNK else max(1, round(left))
        if stretch.media is None:
            samples = silence(frames)
        else:
            if self._seam:
                reader.seek(stretch.media)
            samples = faded(reader.read(frames), begins=self._seam, ends=left <= _CHUNK)
        self._seam = left <= _CHUNK
        # At the exact position of a seam, so that rounding to frames does not accumulate over a loop.
        following = stretch.until if self._seam else self._next + frames / RATE
        at = self._heard_next()
        if self._append(self._tempo.feed(samples), at, epoch):
            self._next = following

    def _heard_next(self) -> float:
        """The place of the line that comes out of the tempo next."""
        return self._base + self._tempo.position / RATE

    def _append(self, samples: np.ndarray, at: float, epoch: int) -> bool:
        """Queue frames, unless the time line has changed meanwhile."""
        with self._changed:
            if epoch != self._epoch:
                return False
            if len(samples):
                self._queue.append(_Block(samples, at, self._tempo.speed))
                self._queued += len(samples)
            self._ready = self._ready or self._queued >= _ENOUGH
            return True

    def _give_up(self, why: Text) -> None:
        with self._changed:
            self._audible = False
            self._queue.clear()
            self._queued = 0
        if self._on_failure is not None and not self._closing:
            self._on_failure(why)

    def close(self) -> None:
        """Stop, and release the file. Twice is allowed."""
        self._output.remove(self)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(_JOIN_TIMEOUT)
