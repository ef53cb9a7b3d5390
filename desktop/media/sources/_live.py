"""Base of cameras and network streams: a thread that opens, decodes, puts the newest frame in a slot, and
reconnects. Another thread reads the packets (`_packet_reader.py`).

`NewestSlot` bounds latency after the decoder. Before it, packets pile up if decoding is too slow: `Backlog`
detects that reads no longer wait, and groups of frames are discarded. Timestamps do not tell: HTTP MJPEG has
none.
"""

from __future__ import annotations

import errno
import logging
import math
import threading
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import av
from av.video.reformatter import VideoReformatter

from desktop.base.clock import MACHINE_CLOCK, Clock
from desktop.base.errors import LightloomError, SourceError, StreamError
from desktop.base.wording import sentence
from desktop.media.frame import Frame
from desktop.media.sources._av_frames import StreamTraits, TraitsOfFrames, frame_from_av
from desktop.media.sources._between import InterpolatedSlot
from desktop.media.sources._live_sound import LiveSound
from desktop.media.sources._packet_reader import PacketReader
from desktop.media.sources.base import (
    DropReason,
    FrameInterpolation,
    LiveStabilization,
    Reporter,
    SourceCapabilities,
    SourceEnd,
    SourceInfo,
    SourceStats,
    State,
)

log = logging.getLogger(__name__)

# A decoded frame of PyAV, its traits, its seconds in the stream, its arrival, what converts it.
_Picture = tuple[Any, StreamTraits, float, float, VideoReformatter]

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
# Other streams but no video for this many seconds, as for a read that waits.
_NO_VIDEO = 5.0
# So many packets without a frame, over `_ONLY_BROKEN` seconds: the sender has changed to what the decoder takes
# without an error, and without a frame. Before the first one it may wait longer for a key frame.
_NO_FRAME, _NO_FIRST_FRAME = 10, 20.0
# Time stamps that run ahead of the arrival of their frames by more than this many seconds have jumped.
_JUMP = 10.0
# Two frames never have the same time: results of the second would count as those of the first.
_LEAST_STEP = 0.001
# A device that delivers nothing for this long counts as lost; asking for permission may take longer.
SILENCE: Final = 3.0


class _OwnFaultError(Exception):
    """A fault of this program while it handles a decoded frame; the cause is what was raised."""


@contextmanager
def _own_faults() -> Iterator[None]:
    """Raise _OwnFaultError for errors that, while a stream is read, would be those of its sender."""
    try:
        yield
    except (av.FFmpegError, OSError, ValueError) as error:
        raise _OwnFaultError from error


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
        self._tally = _Tally()
        self._count = 0
        self._broken_since: float | None = None
        self._sound: LiveSound | None = None
        self._stabilization: LiveStabilization | None = None
        self._end: SourceEnd | None = None
        self.until_end = False

    @property
    def stats(self) -> SourceStats:
        """Counters; packets discarded undecoded count as dropped. Consistent once the source is closed."""
        stats, tally = self._slot.stats, self._tally
        drops: dict[DropReason, int] = {
            "late": stats.drops.get("late", 0),
            "backlog": tally.skipped,
            "damaged": tally.damaged,
            "interrupted": tally.interrupted,
            "closed": stats.drops.get("closed", 0) + tally.closed,
        }
        return SourceStats(
            stats.decoded + tally.yielded,
            stats.taken + tally.yielded,
            stats.dropped + tally.skipped,
            tally.damaged,
            tally.received,
            drops,
        )

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
                reader = self._reader_of(self._open())
                try:
                    container = reader.container
                    paced = self._paced(container)
                    length = (container.duration or 0) / av.time_base if paced else 0.0
                    yield from self._every(reader, line, paced)
                finally:
                    self._end_connection(reader)
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

    def _every(self, reader: PacketReader, line: _TimeLine, paced: bool) -> Generator[Frame]:
        line.reopened(paced)
        with closing(self._decode(reader, None)) as decoded:
            for original, picture in decoded:
                frame = line.timed(original)
                self._go_live(reader, frame, picture)
                self._tally.yielded += 1
                yield frame

    def _go_live(self, reader: PacketReader, frame: Frame, picture: Any) -> None:
        if self._state != "live" or frame.display_size != self._info.size:
            self._describe(reader, frame, picture)
        if self._state != "live":
            self._set_state("live")

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

    def _own_fault(self, error: BaseException) -> SourceError:
        """Return the error for a fault of this program: nothing is wrong with the sender."""
        return SourceError(
            sentence(
                "Reading {title} stopped by a fault of Lightloom's own ({error}); report it with the log file.",
                title=self._info.title,
                error=type(error).__name__,
            )
        )

    def _changed(self) -> SourceError:
        """Return the error for a sender that has begun to send other streams."""
        return StreamError(
            sentence("{title} sends other streams than before; open it again.", title=self._info.title)
        )

    def _paced(self, container: Any) -> bool:
        """Return True if packets may arrive faster than their timestamps and must be delayed."""
        return False

    def _rate(self, reader: PacketReader) -> float:
        """Return the nominal frames per second, 0.0 if unknown."""
        return float(reader.video.average_rate or reader.video.guessed_rate or 0)

    def _time_scale(self, reader: PacketReader) -> float:
        """Return what the times of the container's frames are multiplied by."""
        return 1.0

    def _assumption(self, reader: PacketReader) -> str:
        """Return `SourceInfo.assumption`."""
        return ""

    def _detail(self, container: Any) -> dict[str, str]:
        """Return entries of `SourceInfo.detail` that only the subclass knows."""
        return {}

    def _run(self) -> None:
        line = _TimeLine()
        while not self._closing.is_set():
            try:
                reader = self._reader_of(self._open())
                try:
                    paced = self._paced(reader.container)
                    self._deliver(reader, line, paced)
                finally:
                    self._end_connection(reader)
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
            except Exception as error:
                # A fault of the program must not end the thread unnoticed: the source would stay live for ever.
                log.exception("reading %s", self._info.title)
                self._set_state("failed", self._own_fault(error.__cause__ or error))
                return

    def _deliver(self, reader: PacketReader, line: _TimeLine, paced: bool) -> None:
        backlog = None if paced else Backlog()
        due = _Pacer(self._clock) if backlog is None else None
        self._slot.cut()
        line.reopened(paced)
        steady = _Steadying()
        try:
            with closing(self._decode(reader, backlog)) as decoded:
                for original, picture in decoded:
                    frame = line.timed(original)
                    is_over = due is not None and self._clock.wait(self._closing, due.wait(frame.pts))
                    if is_over or self._closing.is_set():
                        self._tally.closed += 1
                        return
                    with _own_faults():
                        for shown in steady.add(frame, self._stabilization):
                            self._slot.put(shown)
                        if self._sound is not None and picture.time is not None:
                            self._sound.show(picture.time, later=self._slot.delay + steady.delay)
                        self._go_live(reader, frame, picture)
                        self._notify()
        finally:
            self._tally.give_up(steady.lost + steady.waiting, is_closing=self._closing.is_set())

    def _decode(self, reader: PacketReader, backlog: Backlog | None) -> Generator[tuple[Frame, Any]]:
        """Yield frames with the frames that they wrap."""
        for picture, traits, seconds, arrived, reformatter in self._pictures_of(reader, backlog):
            self._tally.decoded += 1
            yield self._wrap(picture, traits, seconds, arrived, reformatter), picture

    def _reader_of(self, container: Any) -> PacketReader:
        # A connection that broke off within a frame ended with a damaged one.
        self._broken_since = None
        return PacketReader(container, self._clock, self._kind, self._idle)

    def _end_connection(self, reader: PacketReader) -> None:
        self._tally.received += reader.close()
        self._tally.settle(is_closing=self._closing.is_set())

    def _pictures_of(self, reader: PacketReader, backlog: Backlog | None) -> Iterator[_Picture]:
        """Yield decoded frames with their traits, their time in it and their time of arrival.

        Raises TimeoutError where only other streams of the container still arrive, and as `_undecodable`.
        """
        container, clock = reader.container, self._clock
        stream = reader.video
        # Frame threading would delay output by one frame per thread.
        stream.thread_type = "SLICE"
        if self._sound is not None:
            self._sound.open(container)
        watch = _Watch(clock.now())
        traits, first, reformatter = TraitsOfFrames(stream), None, VideoReformatter()
        scale = self._time_scale(reader)
        for packet, asked, arrived in self._packets(reader):
            if packet is not None and packet.stream.index != stream.index:
                if backlog is not None:
                    # Waiting for audio counts as waiting too.
                    backlog.skip(arrived, arrived - asked, False)
                if self._sound is not None:
                    self._sound.take(container, packet)
                watch.check_video(arrived)
                continue
            if packet is not None and packet.size:
                self._tally.received += 1
                if backlog is not None and backlog.skip(arrived, arrived - asked, packet.is_keyframe):
                    self._tally.skipped += 1
                    continue
            pictures = self._pictures(packet) if packet is not None else _held_by_decoder(stream)
            for picture in pictures:
                given = picture.time
                seconds = given * scale if given is not None and math.isfinite(given) else arrived
                first = seconds if first is None else first
                yield picture, traits.of(picture), seconds - first, arrived, reformatter
            # Not when it arrived: the reader may have taken its time.
            if watch.is_without_frames(bool(pictures), clock.now()):
                raise self._undecodable()

    def _packets(self, reader: PacketReader) -> Iterator[tuple[Any, float, float]]:
        """Yield packets of all streams, with the times before and after each was read; None for what the decoder
        still holds when a connection breaks. All streams: audio that goes on would hide that the video has
        stopped.
        """
        reader.start()
        since = last = self._clock.now()
        while not self._closing.is_set():
            read = reader.get()
            if read is None:
                self._wait_longer(self._clock.now() - since)
                continue
            if read.error is not None:
                yield None, last, last
                # PyAV does not know streams that appear after the opening.
                raise self._changed() if isinstance(read.error, LookupError) else read.error
            if read.packet is None:
                return
            last = read.arrived
            yield read.packet, read.asked, read.arrived
            since = self._clock.now()

    def _wait_longer(self, waited: float) -> None:
        """Called several times a second while no packet comes, for `waited` seconds so far; may raise."""

    def _idle(self, heard: float) -> None:
        if self._state != "asking" and self._clock.now() - heard > SILENCE:
            raise TimeoutError(errno.ETIMEDOUT, "no frame")
        self._clock.wait(self._closing, _WAITED)

    def _pictures(self, packet: Any) -> list[Any]:
        """Return the decoded frames of a packet; of an empty one those that the decoder still holds."""
        try:
            # Not left to FFmpeg's "discardcorrupt", which counts nothing.
            pictures = None if packet.is_corrupt else packet.decode()
        except av.error.EOFError:
            return []
        except (av.FFmpegError, LookupError, ValueError, ArithmeticError):
            pictures = None
        if pictures is None:
            # A damaged packet does not end a stream: decoding recovers at the next key frame.
            self._tally.damaged += 1
            now = self._clock.now()
            self._broken_since = self._broken_since or now
            if now - self._broken_since > _ONLY_BROKEN:
                self._broken_since = None
                raise self._undecodable()
            return []
        if pictures:
            self._broken_since = None
        return list(pictures)

    def _wrap(
        self, picture: Any, traits: StreamTraits, pts: float, arrived: float, reformatter: VideoReformatter
    ) -> Frame:
        index, self._count = self._count, self._count + 1
        return frame_from_av(
            picture, traits=traits, pts=pts, captured_at=arrived, index=index, reformatter=reformatter
        )

    def _describe(self, reader: PacketReader, frame: Frame, picture: Any) -> None:
        detail = {
            "codec": reader.video.codec_context.codec.canonical_name,
            "pixel format": picture.format.name,
            "decoder": "software",
            "color": f"{frame.color.matrix}, {frame.color.range}",
            **self._detail(reader.container),
        }
        self._info = SourceInfo(
            self._kind,
            self._info.title,
            frame.display_size,
            self._rate(reader),
            live=True,
            reconnects=not self._paced(reader.container),
            detail=detail,
            assumption=self._assumption(reader),
        )

    def _set_state(self, state: State, error: LightloomError | None = None) -> None:
        if self._closing.is_set():
            return
        self._error = error
        self._state = state
        self._notify()

    def _notify(self) -> None:
        self._notify_change()


@dataclass
class _Tally:
    """Number of frames that came to each end; written by the source's thread.

    Attributes:
        received: coded frames from the sender.
        skipped: discarded undecoded, because decoding was too slow.
        damaged: not decodable.
        decoded: those that the decoder returned.
        interrupted, closed: lost with a connection or device; on their way when the source was closed.
        yielded: passed to the reader of `frames`.
    """

    received: int = 0
    skipped: int = 0
    damaged: int = 0
    decoded: int = 0
    interrupted: int = 0
    closed: int = 0
    yielded: int = 0
    _undecoded: int = 0

    def settle(self, *, is_closing: bool) -> None:
        """End a connection: the frames that are neither decoded nor dropped will not be."""
        left = self.received - self.skipped - self.damaged - self.decoded - self._undecoded
        # A packet may hold several frames.
        self.received += max(0, -left)
        self._undecoded += max(0, left)
        self.give_up(max(0, left), is_closing=is_closing)

    def give_up(self, frames: int, *, is_closing: bool) -> None:
        """Count frames that will not be delivered."""
        if is_closing:
            self.closed += frames
        else:
            self.interrupted += frames


class _Watch:
    """Notices a connection that goes on without its video: times are those of its clock, in seconds."""

    def __init__(self, now: float) -> None:
        self._heard = self._shown = now
        self._has_shown = False
        self._empty = 0

    def check_video(self, now: float) -> None:
        """Raise TimeoutError where only other streams have arrived for a while."""
        if now - self._heard > _NO_VIDEO:
            raise TimeoutError(errno.ETIMEDOUT, "no video")

    def is_without_frames(self, has_frames: bool, now: float) -> bool:
        """Return True if packets of the video have given no frame for a while, this one included."""
        self._heard = now
        if has_frames:
            self._shown, self._has_shown, self._empty = now, True, 0
            return False
        self._empty += 1
        limit = _ONLY_BROKEN if self._has_shown else _NO_FIRST_FRAME
        return self._empty > _NO_FRAME and now - self._shown > limit


class _Steadying:
    """Passes the frames of a connection through the stabilization in use, and counts those that wait in it."""

    def __init__(self) -> None:
        self._used: LiveStabilization | None = None
        self.waiting = self.lost = 0

    def add(self, frame: Frame, stabilization: LiveStabilization | None) -> tuple[Frame, ...]:
        """Return the frames that wait for no other any more."""
        if stabilization is not self._used:
            self.lost, self.waiting, self._used = self.lost + self.waiting, 0, stabilization
            if stabilization is not None:
                stabilization.cut()
        if stabilization is None:
            return (frame,)
        # Before it is passed on: a frame with which that fails is lost too.
        self.waiting += 1
        shown = tuple(stabilization.add(frame))
        self.waiting -= len(shown)
        return shown

    @property
    def delay(self) -> float:
        """Seconds that frames wait."""
        return self._used.delay if self._used is not None else 0.0


def _held_by_decoder(stream: Any) -> list[Any]:
    """Return the frames that a stream's decoder still holds after a connection broke."""
    try:
        pictures = list(stream.decode(None))
    except (av.FFmpegError, LookupError, ValueError, ArithmeticError):
        return []
    for picture in pictures:
        # PyAV gives only those of packets one.
        picture.time_base = stream.time_base
    return pictures


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
    """Continuous times of frames: each connection's own begin at 0, and a sender's may jump or wrap."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._last = self._last_at = self._last_given = 0.0
        self._is_new = self._is_paced = False
        self.has_begun = False

    def reopened(self, paced: bool) -> None:
        """Start a connection: the next frame is its first. The times of a recording (`paced`) are kept."""
        self._is_new, self._is_paced = True, paced

    def reaches(self, length: float) -> bool:
        """Return True if the last frame is the end of a recording of this length in seconds, if known."""
        return self._last > length - _SHORT_OF_END

    def timed(self, frame: Frame) -> Frame:
        """Return a frame with its time in the continuous time line."""
        waited = max(frame.captured_at - self._last_at, _LEAST_STEP)
        if self.has_begun and (self._is_new or self._jumps(frame.pts, waited)):
            self._offset = self._last + waited - frame.pts
        self._is_new, self.has_begun = False, True
        self._last_given = frame.pts
        frame = replace(frame, pts=frame.pts + self._offset) if self._offset else frame
        self._last, self._last_at = frame.pts, frame.captured_at
        return frame

    def _jumps(self, given: float, waited: float) -> bool:
        step = given - self._last_given
        return not self._is_paced and (step <= 0.0 or step > waited + _JUMP)
