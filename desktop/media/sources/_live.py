"""Base of cameras and network streams: a thread that opens, decodes, puts the newest frame in a slot, and
reconnects.

`NewestSlot` bounds latency after the decoder. Before it, packets pile up if decoding is too slow: `Backlog`
detects that reads no longer wait, and groups of frames are discarded. Timestamps do not tell: HTTP MJPEG has
none.
"""

from __future__ import annotations

import errno
import threading
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

import av
from av.video.reformatter import VideoReformatter

from desktop.base.clock import MACHINE_CLOCK, Clock
from desktop.base.errors import LightloomError, SourceError, StreamError
from desktop.base.wording import sentence
from desktop.media.frame import Frame
from desktop.media.sources._av_frames import StreamTraits, frame_from_av, stream_traits
from desktop.media.sources._between import InterpolatedSlot
from desktop.media.sources._live_sound import LiveSound
from desktop.media.sources.base import (
    FrameInterpolation,
    LiveStabilization,
    Reporter,
    SourceCapabilities,
    SourceEnd,
    SourceInfo,
    SourceStats,
    State,
)

# A read that takes longer than this waited for the sender: there is no backlog.
_WAITED = 0.002
# After this time without waiting, decoding is too slow for the sender.
_BEHIND_AFTER = 0.3
# `close` waits this long for a thread that may be blocked in the system and then ends at its next timeout.
_JOIN = 0.5
# The last frame of a recording begins before its end, and an audio track may be longer.
_SHORT_OF_END = 0.5
# Only damaged frames for this many seconds: the sender is at fault, not single packets.
_ONLY_BROKEN = 5.0
# A device that delivers nothing for this long counts as lost; asking for permission may take longer.
SILENCE = 3.0


class Backlog:
    """Detects from the duration of reads whether packets are piling up. Not thread-safe."""

    def __init__(self) -> None:
        self._caught_up_at = 0.0
        self._dropping = False
        self._until_key = False

    def skip(self, read_at: float, took: float, is_key: bool) -> bool:
        """Return True if the packet should be discarded: one read at `read_at` seconds, `took`
        seconds long; decoding can begin with it if `is_key`.
        """
        if took > _WAITED or not self._caught_up_at:
            self._caught_up_at = read_at
            if self._dropping:
                self._dropping, self._until_key = False, True
        elif read_at - self._caught_up_at > _BEHIND_AFTER:
            self._dropping = True
        if self._dropping:
            return True
        if self._until_key and is_key:
            self._until_key = False
        return self._until_key


class LiveSource(Reporter):
    """Base of live sources: thread, state, slot.

    A subclass's `_open` returns an input container of PyAV (or an object with its `streams`, `demux` and
    `close`); `_failed` sets the state, and returns the seconds until the next attempt, None to give up.
    """

    def __init__(self, kind: str, title: str, clock: Clock = MACHINE_CLOCK) -> None:
        super().__init__(SourceInfo(kind, title, live=True, reconnects=True))
        self._kind, self._clock = kind, clock
        self._slot = InterpolatedSlot()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._skipped = 0
        self._count = 0
        self._arrived = 0.0
        self._broken_since: float | None = None
        self._sound: LiveSound | None = None
        self._stabilization: LiveStabilization | None = None
        self._end: SourceEnd | None = None
        self.until_end = False

    @property
    def stats(self) -> SourceStats:
        """Counters; packets discarded undecoded count as dropped."""
        stats = self._slot.stats
        return SourceStats(stats.decoded, stats.taken, stats.dropped + self._skipped, stats.damaged)

    def start(self) -> None:
        """Start opening on the source's thread."""
        if self._thread is None and not self._closing.is_set():
            self._set_state("opening")
            self._thread = threading.Thread(target=self._run, name=self._kind, daemon=True)
            self._thread.start()

    def take(self, now: float) -> Frame | None:
        """Return the newest frame once."""
        return self._slot.take_at(now)

    @property
    def capabilities(self) -> SourceCapabilities:
        """Live, with frame interpolation, and with audio where a subclass has it."""
        return SourceCapabilities(live=self, interpolation=self, stabilization=self, audio=self._sound)

    @property
    def interpolation(self) -> FrameInterpolation | None:
        """See `Interpolatable`."""
        return self._slot.interpolation

    def interpolate_by(self, interpolation: FrameInterpolation | None) -> None:
        """See `Interpolatable`; frames are then delayed by up to one interval plus the processing time."""
        self._slot.interpolate_by(interpolation)

    @property
    def stabilization(self) -> LiveStabilization | None:
        """See `Stabilizable`."""
        return self._stabilization

    def stabilize_by(self, stabilization: LiveStabilization | None) -> None:
        """See `Stabilizable`."""
        self._stabilization = stabilization

    def close(self) -> None:
        """Stop the thread (or `frames` on any) and release the device; waits for half a second at most."""
        self._closing.set()
        self._slot.close()
        if self._thread is not None:
            self._thread.join(_JOIN)
        if self._sound is not None:
            self._sound.close()
        self._end = self._end or SourceEnd("canceled")
        self._state = "closed"

    @property
    def end(self) -> SourceEnd | None:
        """Reason for delivering no more frames; None while it does, or may again."""
        return self._end

    def frames(self) -> Generator[Frame]:
        """Yield every frame in order, with timestamps that continue after a disconnect and reopening.

        Raises:
            SourceError: it cannot be opened, or disconnected for good; `end` has the reason.
        """
        line = _TimeLine()
        self._end = None
        self._set_state("opening")
        while not self._closing.is_set():
            paced, length = False, 0.0
            try:
                container = self._open()
                try:
                    paced = self._paced(container)
                    length = (container.duration or 0) / av.time_base if paced else 0.0
                    yield from self._every(container, line)
                finally:
                    container.close()
                error: Exception = self._ended()
                has_ended = True
            except (SourceError, av.FFmpegError, OSError, ValueError) as raised:
                error = raised
                has_ended = self._is_end(raised) and line.reaches(length)
            if self._closing.is_set():
                break
            wait = self._failed(error) if line.has_begun and not paced else None
            if has_ended and line.has_begun and (wait is None or self.until_end):
                self._finish(SourceEnd("end", None if paced else self._at_end(error)))
                return
            # A source reopened at once, on purpose, was not interrupted.
            if wait is None or (wait and self.until_end):
                raise self._given_up(error, line.has_begun) from None
            self._clock.wait(self._closing, wait)

    def _finish(self, end: SourceEnd) -> None:
        self._end = end
        self._set_state("ended", end.error)

    def _given_up(self, error: Exception, has_begun: bool) -> SourceError:
        reason = self._broken(error) if has_begun else self._sentence(error)
        self._end = SourceEnd("broken" if has_begun else "refused", reason)
        self._set_state("failed", reason)
        return reason

    def _every(self, container: Any, line: _TimeLine) -> Generator[Frame]:
        line.reopened()
        for frame, picture in self._decode(container, None):
            frame = line.timed(frame)
            if self._state != "live" or frame.display_size != self._info.size:
                self._describe(container, frame, picture)
            if self._state != "live":
                self._set_state("live")
            yield frame

    def _is_end(self, error: Exception) -> bool:
        """Return True for an error that can mean a regular end of the stream."""
        return False

    def _at_end(self, error: Exception) -> SourceError:
        """Return the error for a source that ended and is not reopened."""
        return self._sentence(error)

    def _broken(self, error: Exception) -> SourceError:
        """Return the error for a source that disconnected and is not reopened."""
        return self._sentence(error)

    def _open(self) -> Any:
        raise NotImplementedError

    def _failed(self, error: Exception) -> float | None:
        raise NotImplementedError

    def _sentence(self, error: Exception) -> SourceError:
        """Return the error to report for an exception while reading."""
        raise NotImplementedError

    def _ended(self) -> SourceError:
        """Return the error for a live sender that ended."""
        raise NotImplementedError

    def _undecodable(self) -> SourceError:
        """Return the error for a sender whose frames can no longer be decoded."""
        return StreamError(
            sentence(
                "{title} sends frames that cannot be decoded: check what it sends.", title=self._info.title
            )
        )

    def _paced(self, container: Any) -> bool:
        """Return True if packets may arrive faster than their timestamps and must be delayed."""
        return False

    def _detail(self, container: Any) -> dict[str, str]:
        """Return entries of `SourceInfo.detail` that only the subclass knows."""
        return {}

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                container = self._open()
                paced = self._paced(container)
                try:
                    self._deliver(container, paced)
                finally:
                    container.close()
                if paced or self._closing.is_set():
                    self._set_state("ended")
                    return
                raise self._ended()
            except (SourceError, av.FFmpegError, OSError, ValueError) as error:
                if self._closing.is_set():
                    return
                wait = self._failed(error)
                if wait is None:
                    return
                self._clock.wait(self._closing, wait)

    def _deliver(self, container: Any, paced: bool) -> None:
        backlog = None if paced else Backlog()
        due = _Pacer(self._clock) if backlog is None else None
        self._slot.cut()
        if self._stabilization is not None:
            self._stabilization.cut()
        for frame, picture in self._decode(container, backlog):
            if due is not None and self._clock.wait(self._closing, due.wait(frame.pts)):
                return
            if self._closing.is_set():
                return
            self._arrived = frame.captured_at
            stabilization = self._stabilization
            for shown in (frame,) if stabilization is None else stabilization.add(frame):
                self._slot.put(shown)
            if self._sound is not None and picture.time is not None:
                waits = stabilization.delay if stabilization is not None else 0.0
                self._sound.show(picture.time, later=self._slot.delay + waits)
            if self._state != "live" or frame.display_size != self._info.size:
                self._describe(container, frame, picture)
            if self._state != "live":
                self._set_state("live")
            self._notify()

    def _decode(self, container: Any, backlog: Backlog | None) -> Iterator[tuple[Frame, Any]]:
        """Yield frames with the frames that they wrap."""
        stream = container.streams.video[0]
        # Frame threading would delay output by one frame per thread.
        stream.thread_type = "SLICE"
        wanted = [stream, *(self._sound.open(container) if self._sound is not None else ())]
        packets = container.demux(*wanted)
        heard = self._clock.now()
        traits, first, reformatter = stream_traits(stream), None, VideoReformatter()
        while not self._closing.is_set():
            asked = self._clock.now()
            try:
                packet = next(packets)
            except av.error.BlockingIOError:
                # A device without new data (avfoundation); the exception exhausts PyAV's iterator.
                self._idle(heard)
                packets = container.demux(*wanted)
                continue
            except (av.error.EOFError, StopIteration):
                return
            arrived = heard = self._clock.now()
            if self._sound is not None and packet.stream.index != stream.index:
                if backlog is not None:
                    # Waiting for audio counts as waiting too.
                    backlog.skip(arrived, arrived - asked, False)
                self._sound.take(container, packet)
                continue
            if backlog is not None and backlog.skip(arrived, arrived - asked, packet.is_keyframe):
                self._skipped += 1
                continue
            for picture in self._pictures(packet):
                seconds = picture.time or 0.0
                first = seconds if first is None else first
                yield self._wrap(picture, traits, seconds - first, arrived, reformatter), picture

    def _idle(self, heard: float) -> None:
        if self._state != "asking" and self._clock.now() - heard > SILENCE:
            raise TimeoutError(errno.ETIMEDOUT, "no frame")
        self._clock.wait(self._closing, _WAITED)

    def _pictures(self, packet: Any) -> list[Any]:
        try:
            pictures = packet.decode()
        except av.error.EOFError:
            return []
        except av.FFmpegError:
            # A damaged packet does not end a stream: decoding recovers at the next key frame.
            self._slot.count_damaged()
            now = self._clock.now()
            self._broken_since = self._broken_since or now
            if now - self._broken_since > _ONLY_BROKEN:
                self._broken_since = None
                raise self._undecodable() from None
            return []
        if pictures:
            self._broken_since = None
        return pictures

    def _wrap(
        self, picture: Any, traits: StreamTraits, pts: float, arrived: float, reformatter: VideoReformatter
    ) -> Frame:
        index, self._count = self._count, self._count + 1
        return frame_from_av(
            picture, traits=traits, pts=pts, captured_at=arrived, index=index, reformatter=reformatter
        )

    def _describe(self, container: Any, frame: Frame, picture: Any) -> None:
        stream = container.streams.video[0]
        detail = {
            "codec": stream.codec_context.codec.canonical_name,
            "pixel format": picture.format.name,
            "decoder": "software",
            "color": f"{frame.color.matrix}, {frame.color.range}",
            **self._detail(container),
        }
        rate = float(stream.average_rate or stream.guessed_rate or 0)
        self._info = SourceInfo(
            self._kind,
            self._info.title,
            frame.display_size,
            rate,
            live=True,
            reconnects=not self._paced(container),
            detail=detail,
        )

    def _set_state(self, state: State, error: LightloomError | None = None) -> None:
        if self._closing.is_set():
            return
        self._error = error
        self._state = state
        self._notify()

    def _notify(self) -> None:
        self._notify_change()


class _Pacer:
    """Delays a recording that a server sends as fast as it can."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start: float | None = None

    def wait(self, pts: float) -> float:
        """Return the seconds until the frame is due."""
        now = self._clock.now()
        if self._start is None or pts < 0:
            self._start = now - pts
        return max(0.0, min(self._start + pts - now, 2.0))


class _TimeLine:
    """Continues the timestamps of frames after a reconnect: each connection's own begin at 0."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._last = self._last_at = 0.0
        self._is_new = False
        self.has_begun = False

    def reopened(self) -> None:
        """Start a connection: the next frame is its first."""
        self._is_new = True

    def reaches(self, length: float) -> bool:
        """Return True if the last frame is the end of a recording of this length in seconds, if known."""
        return self._last > length - _SHORT_OF_END

    def timed(self, frame: Frame) -> Frame:
        """Return a frame with its time in the continuous time line."""
        if self._is_new and self.has_begun:
            self._offset = self._last + max(frame.captured_at - self._last_at, 0.0) - frame.pts
        self._is_new, self.has_begun = False, True
        frame = replace(frame, pts=frame.pts + self._offset) if self._offset else frame
        self._last, self._last_at = frame.pts, frame.captured_at
        return frame
