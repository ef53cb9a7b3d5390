"""Video files, decoded ahead on their own thread and shown by presentation time.

`take` returns the due frame of a short queue and drops missed ones. Internal times are unwrapped: a loop's
next round counts on, without a gap. If there is audio, its clock leads (`_media`).
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from desktop.base.errors import LightloomError, SourceDamagedError, UsageError
from desktop.base.wording import Text, sentence
from desktop.media.file_clock import FileClock
from desktop.media.frame import Frame
from desktop.media.sources._between import Pair, PairThread
from desktop.media.sources._decoding import Hardware
from desktop.media.sources._still_header import is_animation, sniff
from desktop.media.sources._video_curves import VideoCurves
from desktop.media.sources._video_header import VIDEO_SUFFIXES, is_video
from desktop.media.sources._video_reader import Skip, VideoReader
from desktop.media.sources._video_sound import VideoSound
from desktop.media.sources._video_subtitles import VideoSubtitles
from desktop.media.sources.base import (
    FrameInterpolation,
    Reporter,
    SourceCapabilities,
    SourceInfo,
    SourceKind,
    SourceStats,
)

log = logging.getLogger(__name__)

SLOWEST, FASTEST = 0.25, 4.0

_QUEUE_FRAMES: Final = 6
_QUEUE_BYTES: Final = 64 * 1024 * 1024
# Later than the first, unreferenced frames are skipped; than the others (video, with audio), the clock waits.
_LATE: Final = 0.25
_TOO_LATE: Final = 2.0
_TOO_LATE_FOR_SOUND: Final = 8.0
# Sums of floats miss a seam by less.
_SEAM: Final = 1e-3
_JOIN_TIMEOUT: Final = 5.0
_IDLE_POLL: Final = 0.25
# How often the end of the audio behind the last frame is checked.
_SOUND_POLL: Final = 0.02


@dataclass(frozen=True)
class _Item:
    """A decoded frame, its display time on the unwrapped time line, and (`media`) on the file's line.
    `number` counts decoded frames; an interpolated one has the number of the frame after it.
    """

    frame: Frame
    at: float
    until: float
    round: int
    media: float
    number: int = 0
    is_made: bool = False


class VideoSource(Reporter):
    """A video file, as a `Seekable`.

    Args:
        hwaccel: 'auto', 'software', or a device type ('vaapi', 'cuda', 'videotoolbox', 'd3d11va', ...). If it
            fails, the software decoder is used, with the reason in `info.detail["decoder"]`.

    Attributes:
        on_notice: called on its thread with a note for the user.
        sound: its audio; silent until it has an output.
        curves: those of its audio; computed on demand.
        subtitles: its subtitles; none until a track is chosen.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        hwaccel: str = "auto",
        clock: Callable[[], float] = time.perf_counter,
        hardware: Hardware | None = None,
    ) -> None:
        self.path = Path(path)
        super().__init__(SourceInfo("video", self.path.name))
        self._hwaccel = hwaccel
        self._hardware = hardware
        self._clock = clock
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._reader: VideoReader | None = None
        self._closing = False
        self._is_idle = False
        # Time line.
        self._queue: deque[_Item] = deque()
        self._shown: _Item | None = None
        self._playing = True
        self._speed = 1.0
        # (unwrapped media time, clock) of one moment; None: the queue's head is shown as soon as it exists.
        self._anchor: tuple[float, float] | None = None
        self._held_at = 0.0
        self._loop: tuple[float, float] | None = None
        self._at_end = False
        # The file's time while the last frame stays and the audio goes on; None while frames follow.
        self._behind: float | None = None
        # Requests to the thread; `_request` counts them, so that frames decoded for older ones are discarded.
        self._seek_to: float | None = None
        self._step_by = 0
        self._request = 0
        # Of the thread alone.
        self._offset = 0.0
        self._round = 0
        self._end = 0.0
        self._decoded = 0
        self._taken = 0
        self._dropped = 0
        self._pairs = PairThread(self._changed, self._find_pair, self._insert_made)
        # The last decoded frame taken if the next follows it; the number of the last one tried for a pair.
        self._taken_last: _Item | None = None
        self._bridged = 0
        self._has_reported_damage = False
        self.sound = VideoSound(self.path, clock)
        self.curves = VideoCurves(self.path, lambda: self.sound.track)
        self.subtitles = VideoSubtitles(self.path)
        self.on_notice: Callable[[Text], None] = lambda text: None

    # -- what is known ---------------------------------------------------------------------------------------

    @property
    def stats(self) -> SourceStats:
        """Counters; `dropped` includes frames that were not decoded in order to catch up."""
        with self._changed:
            reader = self._reader
            skipped = reader.skipped if reader else 0
            damaged = reader.damaged if reader else 0
            return SourceStats(self._decoded, self._taken, self._dropped + skipped, damaged)

    @property
    def capabilities(self) -> SourceCapabilities:
        """All but controls, a live source's end and unreadable files."""
        return SourceCapabilities(
            timeline=self,
            audio=self.sound,
            curves=self.curves,
            subtitles=self.subtitles,
            decoding=self,
            interpolation=self,
            frames_from=self.frames_from,
            damage=self._damage,
        )

    @property
    def is_settled(self) -> bool:
        """True while its thread only waits for the clock or a request: the queue is full."""
        with self._changed:
            is_asked = self._seek_to is not None or self._step_by != 0
            return self._is_idle and not is_asked and not self._can_buffer_more()

    def decode_by(self, wanted: str) -> None:
        """Say who is to decode, before it is started; see `hwaccel`."""
        self._hwaccel = wanted

    @property
    def start_time(self) -> float:
        """File time of position 0, in seconds: where audio is to be cut to stay in step."""
        reader = self._reader
        return reader.facts.start_time if reader else 0.0

    @property
    def file_clock(self) -> FileClock | None:
        """The clock by which everything in the file is stamped; None until it is open."""
        return self._reader.clock if self._reader else None

    def _damage(self) -> tuple[Text, ...]:
        reader = self._reader
        return reader.damage if reader else ()

    @property
    def position(self) -> float:
        """Presentation time in seconds of the frame last taken; behind the last one, where the audio is."""
        if self._behind is not None:
            return self._behind
        return self._shown.frame.pts if self._shown else 0.0

    @property
    def playing(self) -> bool:
        """False while paused."""
        return self._playing

    @property
    def speed(self) -> float:
        """Factor of the normal speed."""
        return self._speed

    # -- the consumer's side ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Open the file and decode on a new thread; returns at once."""
        with self._changed:
            if self._thread is not None or self._closing:
                return
            self._state = "opening"
            self._thread = threading.Thread(target=self._run, name=f"video {self.path.name}", daemon=True)
            self._thread.start()

    def take(self, now: float) -> Frame | None:
        """Return the frame due at `now` (source's clock), or None if there is nothing new. Never blocks."""
        with self._changed:
            item = self._due(now)
            if item is None:
                self._check_end(now)
                return None
            self._shown = item
            self._behind = item.media if item.media > item.frame.pts + item.frame.duration else None
            self._taken += not item.is_made
            self._taken_last = self._taken_last if item.is_made else item
            due = now
            if self._anchor is None:
                self._anchor, self._held_at = (item.at, now), item.at
                self._speak()
            elif self._playing:
                due = self._anchor[1] + (item.at - self._anchor[0]) / self._speed
            self._changed.notify_all()
            return replace(item.frame, captured_at=due)

    def _due(self, now: float) -> _Item | None:
        if not self._queue:
            return None
        if self._anchor is None:
            return self._queue.popleft()
        if not self._playing:
            return None
        self._drop_late(now)
        return self._queue.popleft() if self._queue[0].at <= self._media(now) else None

    def _drop_late(self, now: float) -> None:
        """Drop frames whose successor is due as well."""
        media = self._media(now)
        while len(self._queue) > 1 and self._queue[1].at <= media:
            self._dropped += not self._queue[0].is_made
            self._queue.popleft()

    def _media(self, now: float) -> float:
        """Return the unwrapped media time at `now`."""
        if not self._playing or self._anchor is None:
            return self._held_at
        free = self._anchor[0] + (now - self._anchor[1]) * self._speed
        heard = self.sound.line_at(now, free)
        if heard is None:
            return free
        # So that it goes on from here should the audio end.
        self._anchor = (heard, now)
        return heard

    def _speak(self) -> None:
        """Let the audio follow the video."""
        runs = self._playing and self._anchor is not None and self._state != "ended"
        self.sound.change(running=runs, speed=self._speed)

    def _check_end(self, now: float) -> bool:
        """Enter 'ended' once the last frame has had its time; returns True if that happened now."""
        done = self._at_end and not self._queue and self._playing and self._anchor is not None
        if not done or self._state != "playing" or (at := self._media(now)) < self._end:
            return False
        if self._sound_goes_on(at - self._offset):
            return False
        self._state = "ended"
        self._speak()
        return True

    def _sound_goes_on(self, media: float) -> bool:
        """Let the last frame stay while there is audio behind it. A loop goes round with the frames."""
        if self._loop is not None or not self.sound.goes_on_behind(media):
            return False
        self._behind = media
        return True

    def play(self) -> None:
        """Go on; from the beginning (of the loop) after the end."""
        with self._changed:
            if self._state == "ended":
                self._request_seek(self._loop[0] if self._loop else 0.0)
            if not self._playing:
                self._playing = True
                if self._anchor is not None:
                    self._anchor = (self._held_at, self._clock())
            self._settle()

    def pause(self) -> None:
        """Hold the frame that is shown."""
        with self._changed:
            self._hold()
            self._settle()

    def _hold(self) -> None:
        if self._playing:
            media = self._media(self._clock())
            if self._shown is not None and self._behind is None:
                media = min(media, self._shown.until)
            self._held_at, self._playing = media, False
            # It goes on with the file's own frames.
            while self._queue and self._queue[0].is_made:
                self._queue.popleft()

    def _settle(self) -> None:
        """Set the state that the requests lead to, and wake the thread."""
        if self._state in ("playing", "paused", "ended"):
            self._state = "playing" if self._playing else "paused"
        self._speak()
        self._changed.notify_all()

    def seek(self, seconds: float) -> None:
        """Show the frame at `seconds`, clamped to both ends; returns at once. UsageError if not a number."""
        if not math.isfinite(seconds):
            raise UsageError(
                sentence(
                    "The time {seconds} is not a number of seconds; give one from 0 on.", seconds=seconds
                )
            )
        with self._changed:
            self._request_seek(seconds)
            self._settle()

    def _request_seek(self, seconds: float) -> None:
        self._seek_to = max(0.0, seconds)
        self._step_by = 0
        self._request += 1
        self._flush()
        self.sound.jump(self._seek_to, self._seek_to)

    def _flush(self) -> None:
        self._queue.clear()
        self._taken_last = None
        self._anchor = None
        self._at_end = False
        self._behind = None

    def step(self, frames: int) -> None:
        """Pause and go `frames` on (or back, if negative), from one end to the other at most."""
        with self._changed:
            self._hold()
            self._step_by += frames
            self._settle()

    def set_speed(self, factor: float) -> None:
        """Play at a factor of the normal speed; UsageError if it is outside 0.25 to 4."""
        if not SLOWEST <= factor <= FASTEST:
            raise UsageError(
                sentence(
                    "The speed {factor:g} is not between {slowest:g} and {fastest:g}; choose one that is.",
                    factor=factor,
                    slowest=SLOWEST,
                    fastest=FASTEST,
                )
            )
        with self._changed:
            if self._playing and self._anchor is not None:
                now = self._clock()
                self._anchor = (self._media(now), now)
            self._speed = factor
            self._settle()

    def set_loop(self, start: float | None, end: float | None, *, whole: bool = False) -> None:
        """Loop between two times (A-B), all (`whole`), or not at all (both None); UsageError if A >= B."""
        if start is None and end is None:
            loop = (0.0, math.inf) if whole else None
        else:
            loop = (max(0.0, start or 0.0), math.inf if end is None else end)
        if loop is not None and not loop[0] < loop[1]:
            raise UsageError(
                sentence("A loop's end must come after its start; set them the other way round.")
            )
        with self._changed:
            self._loop = loop
            position = self._seek_to if self._seek_to is not None else self.position
            if loop is not None and (self._state == "ended" or not loop[0] <= position < loop[1]):
                self._request_seek(loop[0])
            elif any(
                item.round != self._queue_round() or not self._inside(item, loop) for item in self._queue
            ):
                # What was decoded ahead belongs to another round than the new loop has.
                self._request_seek(position)
            if self._shown is not None and self._seek_to is None:
                self.sound.change(media=self._shown.media, at=self._shown.at)
            self.sound.change(loop=loop)
            if loop is not None:
                self._behind = None
            # Behind the last frame there is now the first one again.
            self._at_end = self._at_end and loop is None
            self._settle()

    def _queue_round(self) -> int:
        return self._shown.round if self._shown else self._queue[0].round

    @staticmethod
    def _inside(item: _Item, loop: tuple[float, float] | None) -> bool:
        return loop is None or item.frame.pts < loop[1]

    # -- frames between two ----------------------------------------------------------------------------------

    @property
    def interpolation(self) -> FrameInterpolation | None:
        """See `Interpolatable`."""
        return self._pairs.interpolation

    def interpolate_by(self, interpolation: FrameInterpolation | None) -> None:
        """See `Interpolatable`. Nothing is shown later for it: frames are decoded before they are due."""
        self._pairs.use(interpolation)
        with self._changed:
            self._queue = deque(item for item in self._queue if not item.is_made)
            self._bridged = self._queue[0].number if self._queue else self._bridged

    def _find_pair(self) -> Pair | None:
        """Return the next two decoded frames between which there is time to make some; each two once."""
        if not self._playing or self._anchor is None:
            return None
        now = self._media(self._clock())
        interpolation = self._pairs.interpolation
        lead = interpolation.lead * self._speed if interpolation is not None else 0.0
        for first, second in pairwise(item for item in (self._taken_last, *self._queue) if _is_decoded(item)):
            assert first is not None and second is not None
            if second.number <= self._bridged:
                continue
            self._bridged = second.number
            # A loop begins again behind its last frame; what would be too late is not begun.
            if first.round == second.round and first.at < second.at and now + lead < second.at:
                apart = (second.at - first.at) / self._speed
                return Pair(first.frame, second.frame, apart, (first, second))
        return None

    def _insert_made(self, pair: Pair, made: tuple[Frame, ...]) -> None:
        first, second = pair.ends
        place = next((n for n, item in enumerate(self._queue) if item is second), None)
        if place is None or not made:
            return
        step = (second.at - first.at) / (len(made) + 1)
        for n, frame in enumerate(made):
            at, media = first.at + step * (n + 1), first.media + step * (n + 1)
            item = _Item(frame, at, at + step, second.round, media, second.number, is_made=True)
            self._queue.insert(place + n, item)

    def frames(self) -> Generator[Frame]:
        """Yield every frame in order on the caller's thread; not together with `start`. Raises SourceError if
        the file cannot be opened, or no frame of it can be decoded.
        """
        yield from self.frames_from(0.0)

    def frames_from(self, seconds: float) -> Generator[Frame]:
        """As `frames`, from the frame whose presentation interval holds `seconds`."""
        reader = VideoReader(self.path, hwaccel=self._hwaccel, hardware=self._hardware)
        self._adopt(reader)
        try:
            if seconds > 0.0:
                # No frame is waited for: what can be known of the time stamps up to there is found out.
                reader.clock.patience = math.inf
                reader.seek(seconds)
            for frame in reader:
                self._report_decoder(reader)
                self._decoded += 1
                self._taken += 1
                yield frame
        finally:
            reader.close()

    def close(self) -> None:
        """Stop the thread and release the file. Twice is allowed."""
        with self._changed:
            self._closing = True
            self._state = "closed"
            self._queue.clear()
            reader, thread = self._reader, self._thread
            if reader is not None:
                reader.interrupt()
            self._changed.notify_all()
        self._pairs.close()
        self.sound.close()
        self.curves.close()
        self.subtitles.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_JOIN_TIMEOUT)

    # -- the thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        reader = None
        try:
            reader = VideoReader(self.path, hwaccel=self._hwaccel, hardware=self._hardware)
            self._adopt(reader)
            with self._changed:
                if not self._closing:
                    self._state = "playing" if self._playing else "paused"
            self._notify_change()
            self._serve(reader)
        except LightloomError as error:
            self._fail(error)
        except Exception as error:
            log.exception("reading %s", self.path)
            self._fail(
                SourceDamagedError(
                    sentence(
                        "{name} could not be read ({error}); try another copy of it.",
                        name=self.path.name,
                        error=error,
                    )
                )
            )
        finally:
            if reader is not None:
                reader.close()

    def _adopt(self, reader: VideoReader) -> None:
        facts = reader.facts
        self.subtitles.open(reader.subtitle_tracks, facts.start_time, reader.clock)
        self.curves.open(reader.sound_tracks, facts.start_time)
        with self._changed:
            self._reader = reader
            if not self._closing:
                self.sound.open(reader.sound_tracks, facts.start_time, reader.clock)
            self._info = SourceInfo(
                "video",
                self.path.name,
                facts.size,
                facts.rate,
                # What is not heard does not keep the last frame.
                max(facts.duration, facts.sound_end) if self.sound.has_output else facts.duration,
                seekable=True,
                detail=facts.detail,
            )

    def _fail(self, error: LightloomError) -> None:
        with self._changed:
            if not self._closing:
                self._error, self._state = error, "failed"
        self._notify_change()

    def _notify_change(self) -> None:
        if self.on_change is not None and not self._closing:
            self.on_change()

    def _serve(self, reader: VideoReader) -> None:
        while True:
            with self._changed:
                if self._closing:
                    return
                request, target, steps = self._request, self._seek_to, self._step_by
                idle = target is None and not steps and not self._can_buffer_more()
                self._is_idle = idle
                ended = idle and self._wait()
                if not idle:
                    self._seek_to, self._step_by = None, 0
            if ended:
                self._notify_change()
            if not idle:
                self._work(reader, request, target, steps)

    def _work(self, reader: VideoReader, request: int, target: float | None, steps: int) -> None:
        if target is not None:
            self._seek_reader(reader, target)
        if target is not None and not steps:
            # The requested frame is shown even if it lies beyond the end of a loop, which then begins again.
            self._append(self._held_until(self._produce(reader, wrap=False), target), request)
        elif steps > 0:
            self._step_on(reader, steps, request)
        elif steps < 0:
            self._step_back(reader, -steps, request)
        else:
            self._append(self._produce(reader), request)

    def _held_until(self, item: _Item | None, target: float) -> _Item | None:
        """Return the last frame as shown at a time behind it, where there is audio."""
        shown_until = item.frame.pts + item.frame.duration if item is not None else 0.0
        if item is None or self._loop is not None or not shown_until < target < self._info.duration:
            return item
        return replace(item, at=target, until=target, media=target) if self.sound.has_output else item

    def _can_buffer_more(self) -> bool:
        if self._at_end:
            return False
        if self._playing and self._anchor is not None:
            self._drop_late(self._clock())
        held = sum(item.frame.upload_bytes for item in self._queue)
        decoded = sum(not item.is_made for item in self._queue)
        return decoded < 2 or (decoded < _QUEUE_FRAMES and held < _QUEUE_BYTES)

    def _wait(self) -> bool:
        """Sleep until there is a request or space in the queue; return True if the clock has ended the video."""
        timeout = _IDLE_POLL
        now = self._clock()
        if self._playing and self._anchor is not None:
            due = self._queue[1].at if len(self._queue) > 1 else self._end
            least = 0.001 if self._behind is None else _SOUND_POLL
            timeout = min(max((due - self._media(now)) / self._speed, least), _IDLE_POLL)
        self._changed.wait(timeout)
        return self._check_end(self._clock())

    def _seek_reader(self, reader: VideoReader, seconds: float) -> None:
        reader.seek(seconds)
        self._offset, self._round = 0.0, 0

    def _produce(self, reader: VideoReader, *, wrap: bool = True) -> _Item | None:
        """Decode the next frame, over the seam of a loop if `wrap`; None at the end."""
        loop = self._loop if wrap else None
        frame = reader.read()
        self._report_decoder(reader)
        if frame is None:
            self._report_damage(reader)
            with self._changed:
                self.sound.change(end=self._end - self._offset)
        if loop is not None and (frame is None or frame.pts >= loop[1]):
            return self._wrap(reader, loop)
        if frame is None:
            return None
        return self._item(frame, frame.pts, loop)

    def _report_decoder(self, reader: VideoReader) -> None:
        """Tell once that the decoder is another one."""
        notice, reader.notice = reader.notice, None
        if notice is not None:
            detail = {**self._info.detail, "decoder": reader.decoder}
            self._info = replace(self._info, detail=detail)
            self.on_notice(notice)
            self._notify_change()

    def _report_damage(self, reader: VideoReader) -> None:
        """Tell once, at the end, what of the file could not be read."""
        if not self._has_reported_damage:
            self._has_reported_damage = True
            for note in reader.damage:
                self.on_notice(note)

    def _wrap(self, reader: VideoReader, loop: tuple[float, float]) -> _Item | None:
        reader.seek(loop[0])
        frame = reader.read()
        if frame is None:
            return None
        # The frame that holds A may begin before it; the round begins at A, where the last one ended.
        begin = max(frame.pts, loop[0])
        if self._end - self._offset > loop[1] + _SEAM:
            # A seek went beyond B: the frame there was shown until its end, which the audio cannot know.
            with self._changed:
                self.sound.jump(begin, self._end)
                self._speak()
        self._offset = self._end - begin
        self._round += 1
        return self._item(frame, begin, loop)

    def _item(self, frame: Frame, begin: float, loop: tuple[float, float] | None) -> _Item:
        end = max(begin, frame.pts + frame.duration)
        if loop is not None and frame.pts < loop[1]:
            end = min(end, loop[1])
        self._decoded += 1
        self._end = end + self._offset
        return _Item(frame, begin + self._offset, self._end, self._round, begin, self._decoded)

    def _append(self, item: _Item | None, request: int) -> None:
        with self._changed:
            if request != self._request or self._closing:
                return
            if item is None:
                self._at_end = True
                return
            self._queue.append(item)
            self._changed.notify_all()
        self._pace(item)
        self._notify_change()

    def _pace(self, item: _Item) -> None:
        """Catch up if decoding is slower than real time; if that is insufficient, let the clock wait."""
        with self._changed:
            if not self._playing or self._anchor is None or self._reader is None:
                return
            now = self._clock()
            lateness = (self._media(now) - item.at) / self._speed
            heard = self.sound.is_heard
            if lateness > (_TOO_LATE_FOR_SOUND if heard else _TOO_LATE):
                self._anchor = (item.at, now)
                self.sound.jump(item.media, item.at)
                self._speak()
            behind = heard and lateness > _TOO_LATE
            self._reader.skip(
                Skip.TO_KEYS if behind else Skip.UNREFERENCED if lateness > _LATE else Skip.NOTHING
            )

    def _step_on(self, reader: VideoReader, count: int, request: int) -> None:
        with self._changed:
            # A frame that waits to be shown at once counts as shown.
            base = self._queue.popleft() if self._anchor is None and self._queue else None
            items = [item for item in self._queue if not item.is_made]
        while len(items) < count and (item := self._produce(reader)) is not None:
            items.append(item)
        ended = len(items) < count
        # Past the last frame there is nothing to show: stay on it.
        rest = items[count - 1 :] or items[-1:] or ([base] if base else [])
        self._replace_queue(rest, request, at_end=ended)

    def _step_back(self, reader: VideoReader, count: int, request: int) -> None:
        with self._changed:
            base = self._queue[0] if self._anchor is None and self._queue else self._shown
        if base is None:
            return
        self._seek_reader(reader, reader.before(base.frame.pts, count))
        item = self._produce(reader, wrap=False)
        self._replace_queue([item] if item else [], request, at_end=False)

    def _replace_queue(self, items: list[_Item], request: int, *, at_end: bool) -> None:
        with self._changed:
            if request != self._request or self._closing:
                return
            self._queue = deque(items)
            self._taken_last = None
            self._at_end = at_end
            if items:
                self._anchor, self._behind = None, None
                self.sound.jump(items[0].media, items[0].at)
            self._speak()
        self._notify_change()


def _is_decoded(item: _Item | None) -> bool:
    return item is not None and not item.is_made


def _takes_file(path: Path, head: bytes) -> bool:
    if is_video(head):
        return True
    # Raw bit streams have no first bytes of their own.
    return is_animation(head) if sniff(head) else path.suffix.lower() in VIDEO_SUFFIXES and not path.is_dir()


SOURCE: Final = SourceKind(takes_file=_takes_file, open_file=lambda path, seconds: VideoSource(path))
