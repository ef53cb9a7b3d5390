"""Continuous time for files whose timestamps restart, jump or wrap, such as joined recordings and restarted
streams.

Packets are read once, undecoded, ahead of playback. Where timestamps break off, a new stretch begins, shifted
so that its frames, audio and subtitles continue the previous ones. A packet's stretch is found by its byte
position, since timestamps repeat. All readers use `FileClock.packets` and so share one file time.
"""

from __future__ import annotations

import logging
import threading
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final

import av
from av.stream import Discard, Disposition

log = logging.getLogger(__name__)

_BROKEN: Final = (av.FFmpegError, LookupError, ValueError, ArithmeticError)
# Formats whose timestamps may break off (ISO/IEC 13818-1, discontinuities) and can be entered at any byte.
_MPEG: Final = frozenset({"mpegts", "mpeg"})
# Decoding stamps never run back, presentation stamps by the frames a decoder holds (16 at 25 a second).
_BACK: Final = 0.1
_BACK_SHOWN: Final = 1.0
# A packet this far ahead of all others is a jump in MPEG streams, as in FFmpeg; elsewhere maybe a pause.
_AHEAD: Final = 10.0
_AHEAD_MEANT: Final = 60.0
# A stream that goes on within this has no part in a jump of another one.
_CONTINUES: Final = 0.5
# A stretch's first frame to be shown is among this many packets, the most that any codec reorders.
_REORDERED: Final = 16
# Reading at opening ends after so many seconds; the rest is read while the file plays.
_PATIENCE_MPEG: Final = 1.0
_PATIENCE: Final = 0.2
# How far to read ahead of a requested packet before its stream counts as ended, or the position as unread.
_AHEAD_BYTES: Final = 8 << 20
_FAR_BYTES: Final = 64 << 20
_ERRORS: Final = 50
# Places to enter an audio track at, in seconds; of frames it is their key frames.
_MARK_EVERY: Final = 0.5
# A parser begun inside a frame gives it the next one's timestamp; it is in step after this many packets.
_PACKETS_BEFORE: Final = 4
_MOST_SKIPPED: Final = 4000


@dataclass(frozen=True)
class Mark:
    """An entry point of a track.

    Attributes:
        time: file time of the packet there, in seconds.
        stamp: its presentation timestamp as written, in ticks; only a key frame matches if `is_key`.
        entry: the byte to seek to, some packets earlier.
        pos: the byte of the packet, or of the last one before it whose byte is known.
    """

    time: float
    stamp: int
    entry: int
    pos: int
    is_key: bool


@dataclass
class _Stretch:
    """A part of the file with continuous timestamps, while it is being read.

    Attributes:
        pos: the byte of its first packet.
        shift: seconds added to its timestamps.
        ended: the file time at which the previous part ended, audio and frames.
        pictures_ended: that of the frames; None until a frame of this stretch is read.
        first: the timestamp of its earliest frame, in seconds; until known, that of its earliest packet.
        looked_at: number of its frames examined for that.
    """

    pos: int = -1
    shift: float = 0.0
    low: float = inf
    high: float = -inf
    ended: float = -inf
    pictures_ended: float | None = None
    first: float = inf
    looked_at: int = 0

    def place(self) -> None:
        """Let it begin where the frames before it end, or the audio, where that goes on for longer."""
        resumes = self.ended
        if self.pictures_ended is not None and self.ended - self.pictures_ended <= _CONTINUES:
            resumes = self.pictures_ended
        self.shift = resumes - self.first


@dataclass(slots=True)
class _Stamp:
    """A packet's decoding, presentation and length as written, in seconds; ticks; byte position."""

    at: float
    shown: float
    length: float
    is_decoding: bool
    ticks: int
    pos: int
    entry: int
    is_key: bool


@dataclass
class _Track:
    """State of one stream.

    Attributes:
        base: seconds per tick.
        stretches, starts: its parts, and the byte at which each begins for this stream.
        last, ends: start and end of its last packet, as written, in seconds; `ends` is None in a new stretch.
        is_decoding: `last` is a decoding timestamp.
        shown: end of its latest frame, as written, in seconds.
        untimed: duration of frames without a timestamp that follow it.
        pos, recent: the byte of its last packet, and of some before it.
        held: a packet whose timestamp does not continue; the next one tells whether it alone is wrong.
    """

    base: float
    is_video: bool
    stretches: list[_Stretch]
    starts: list[int] = field(default_factory=lambda: [-1])
    last: float = 0.0
    is_decoding: bool = False
    ends: float | None = None
    shown: float = -inf
    untimed: float = 0.0
    pos: int = -1
    recent: deque[int] = field(default_factory=lambda: deque(maxlen=_PACKETS_BEFORE))
    held: _Stamp | None = None
    marks: list[tuple[_Stamp, _Stretch]] = field(default_factory=list)

    @property
    def stretch(self) -> _Stretch:
        """The one that is being read."""
        return self.stretches[-1]

    def stretch_at(self, pos: int) -> _Stretch:
        """Return the one that a byte is in."""
        return self.stretches[bisect_right(self.starts, pos) - 1]


class FileClock:
    """Maps a file's timestamps to one continuous time. Thread-safe.

    Args:
        opens: opens the file's container; called once. The clock closes it.
        patience: seconds for reading ahead at once, by default for a waiting caller; may be changed.
    """

    def __init__(self, opens: Callable[[], Any], patience: float | None = None) -> None:
        self._lock = threading.Lock()
        self._container: Any = opens()
        self._root = self._newest = _Stretch()
        self._tracks: dict[int, _Track] = {}
        self._video: _Track | None = None
        self._bad: set[tuple[int, int, int]] = set()
        self._now = 0.0
        self._pos = -1
        self._packets_end = 0
        self._settling = 0
        self._is_complete = False
        self._errors = 0
        self.is_mpeg = self._container.format.name in _MPEG
        try:
            self._begin()
            usual = _PATIENCE_MPEG if self.is_mpeg else _PATIENCE
            self.patience = usual if patience is None else patience
            self._read_for(self.patience)
        except BaseException:
            self._container.close()
            raise

    def _begin(self) -> None:
        streams = self._container.streams
        pictures = [s for s in streams.video if not s.disposition & Disposition.attached_pic]
        video = next((s for s in pictures if s.codec_context is not None), None)
        for stream in (*((video,) if video is not None else ()), *streams.audio):
            base = float(stream.time_base or 0)
            if base > 0:
                self._tracks[stream.index] = _Track(base, stream is video, [self._root])
        if video is not None:
            self._video = self._tracks.get(video.index)
        for stream in streams:
            if stream.index not in self._tracks:
                stream.discard = Discard.all
        # With frames listed in the header (an edit list may cut off some), times are sums of durations.
        listed = video is not None and 0 < video.frames <= 2 * len(video.index_entries)
        header = (self._container.duration or 0) / av.time_base
        self._ahead = _AHEAD if self.is_mpeg else max(_AHEAD_MEANT, header)
        self._packets: Iterator[Any] = iter(())
        if listed or not self._tracks:
            self._end()
        else:
            self._packets = self._container.demux(*(streams[index] for index in self._tracks))

    # -- queries ---------------------------------------------------------------------------------------------

    @property
    def is_straight(self) -> bool:
        """True if no stamp is shifted, as far as the file was read."""
        return self._newest is self._root

    @property
    def breaks(self) -> int:
        """Number of time stamp discontinuities in the part that was read."""
        with self._lock:
            starts = {
                id(s) for track in self._tracks.values() for s in track.stretches if s is not self._root
            }
            return len(starts)

    @property
    def end(self) -> float | None:
        """The file time at which the last frame ends, in seconds; None until the file is read to its end."""
        with self._lock:
            video = self._video
            if not self._is_complete or video is None or video.shown == -inf:
                return None
            return video.shown + video.stretch.shift

    @property
    def all_end(self) -> float | None:
        """File time of the last packet's end, in seconds; None until the file is read to its end."""
        with self._lock:
            ends = [t.ends + t.stretch.shift for t in self._tracks.values() if t.ends is not None]
            return max(ends) if self._is_complete and ends else None

    @property
    def packets_end(self) -> int | None:
        """The byte at which the last packet of any track ends, at least: the file's headers within a packet are not
        counted. None until the file is read to its end.
        """
        with self._lock:
            return self._packets_end if self._is_complete and self._packets_end > 0 else None

    def packets(self, container: Any, *streams: Any, mark: Mark | None = None, leave_out: int = 0) -> Packets:
        """Return the remaining packets of streams of `container`, an opening of this file, in file time.

        Args:
            mark: the target of `enter`; packets before it are skipped.
            leave_out: further packets to skip, after a seek without a mark; see `unsettled`.
        """
        return Packets(self, container, streams, mark, leave_out)

    @property
    def unsettled(self) -> int:
        """Number of packets after a seek without a mark that may have another packet's time stamp."""
        return _PACKETS_BEFORE if self.is_mpeg else 0

    def mark(self, index: int, seconds: float, back: int = 0) -> Mark | None:
        """Return a stream's last entry point at or before a file time, or the `back`-th earlier; or None."""
        with self._lock:
            track = self._tracks.get(index)
            if track is None:
                return None
            found = bisect_right(track.marks, seconds + 1e-6, key=_time_of) - 1 - back
            if found < 0:
                return None
            stamp, stretch = track.marks[found]
            return Mark(stamp.shown + stretch.shift, stamp.ticks, stamp.entry, stamp.pos, track.is_video)

    def has_marks(self, index: int, seconds: float) -> bool:
        """Return whether ambiguous timestamps require entering a stream at a mark for a file time."""
        with self._lock:
            if index not in self._tracks or (self.is_straight and not self.is_mpeg):
                return False
            if not self._is_complete and self._now < seconds + 1.0:
                self._read_for(self.patience, lambda: self._now >= seconds + 1.0)
            return self._is_complete or self._now >= seconds + 1.0

    def as_written(self, seconds: float) -> float:
        """Return the file's own timestamp for a file time beyond what was read, as far as predictable."""
        with self._lock:
            return seconds - self._newest.shift

    def enter(self, container: Any, mark: Mark) -> bool:
        """Seek an opening of this file to a mark; return False if its format cannot be entered there."""
        if not self.is_mpeg:
            return False
        container.seek(mark.entry, unsupported_byte_offset=True)
        return True

    def stamp(self, packet: Any, pos: int) -> Any:
        """Stamp a packet, whose byte is `pos`, in file time; returns the packet."""
        with self._lock:
            index = packet.stream.index
            track = self._tracks.get(index) or self._video
            if track is None:
                return packet
            self._read_behind(track, pos)
            if self.is_straight and not self._bad:
                return packet
            ticks = packet.pts if packet.dts is None else packet.dts
            if ticks is not None and (index, pos, ticks) in self._bad:
                packet.pts = packet.dts = None
                return packet
            shift = track.stretch_at(pos).shift
        if self._is_torn(packet, track.base):
            if _has_place(packet):
                packet.dts = None
            else:
                packet.pts = None
        if shift:
            ticks = round(shift / float(packet.time_base))
            packet.pts = None if packet.pts is None else packet.pts + ticks
            packet.dts = None if packet.dts is None else packet.dts + ticks
        return packet

    def close(self) -> None:
        """Read no further. What is known stays known. Twice is allowed."""
        with self._lock:
            self._end()

    # -- reading ---------------------------------------------------------------------------------------------

    def _end(self) -> None:
        self._packets = iter(())
        if self._container is not None:
            self._container.close()
            self._container = None

    def _read_for(self, patience: float, enough: Callable[[], bool] = lambda: False) -> None:
        until = time.monotonic() + patience
        while self._container is not None and not enough():
            self._read()
            if time.monotonic() > until:
                return

    def _read_behind(self, track: _Track, pos: int) -> None:
        """Read until it is known which stretch a packet of a track is in."""
        while self._container is not None and not self._is_known(track, pos):
            self._read()

    def _is_known(self, track: _Track, pos: int) -> bool:
        if pos - self._pos > _FAR_BYTES or self._pos - pos > _AHEAD_BYTES:
            return True
        # A stretch is placed when its first frames are known, and where all that came before it ended.
        is_placed = self._settling == 0 and all(
            each.pos >= self._newest.pos for each in self._tracks.values()
        )
        return track.pos > pos and track.held is None and (is_placed or pos < self._newest.pos)

    def _read(self) -> None:
        """Take in one packet."""
        try:
            packet = next(self._packets, None)
        except _BROKEN as error:
            self._errors += 1
            if self._errors >= _ERRORS or isinstance(error, (av.error.ExitError, av.error.EOFError)):
                packet = None
            else:
                self._packets = self._container.demux(
                    *(self._container.streams[index] for index in self._tracks)
                )
                return
        if packet is None:
            self._is_complete = True
            self._settling = 0
            for track in self._tracks.values():
                self._release(track)
            self._end()
        elif packet.size:
            index = packet.stream.index
            self._take(index, self._tracks[index], packet)

    def _take(self, index: int, track: _Track, packet: Any) -> None:
        if _has_place(packet):
            track.pos = packet.pos
            track.recent.append(packet.pos)
            self._pos = max(self._pos, packet.pos)
            self._packets_end = max(self._packets_end, packet.pos + packet.size)
        ticks = packet.pts if packet.dts is None else packet.dts
        if ticks is None:
            return
        at = ticks * track.base
        shown = at if packet.pts is None else packet.pts * track.base
        if self._is_torn(packet, track.base):
            if _has_place(packet):
                at = shown
            else:
                # The last frame before the break: it is shown behind all others.
                shown = at
                track.untimed += min((packet.duration or 0) * track.base, _AHEAD)
        stamp = _Stamp(
            at,
            shown,
            min((packet.duration or 0) * track.base, _AHEAD),
            packet.dts is not None,
            ticks if packet.pts is None else packet.pts,
            track.pos,
            track.recent[0] if track.recent else 0,
            packet.is_keyframe,
        )
        self._assign_stretch(index, track, stamp)

    def _is_torn(self, packet: Any, base: float) -> bool:
        """Next to a break, FFmpeg derives an unwritten timestamp of a packet from those on the other side."""
        both = packet.pts is not None and packet.dts is not None
        return both and abs(packet.pts - packet.dts) * base > _AHEAD

    def _assign_stretch(self, index: int, track: _Track, stamp: _Stamp) -> None:
        """Add a packet to its track's stretch, or begin another one if the next packet confirms the break."""
        held, track.held = track.held, None
        if self._continues(track, stamp):
            if held is not None:
                self._reject(index, held)
            if self._belongs_to_newest(track, stamp):
                self._begin_stretch(track, stamp)
            self._add(track, stamp)
        elif held is not None and self._follows(held, stamp):
            self._begin_stretch(track, held)
            self._add(track, held)
            self._add(track, stamp)
        else:
            if held is not None:
                self._reject(index, held)
            track.held = stamp

    def _release(self, track: _Track) -> None:
        """The file ends behind a packet whose stamp is in doubt: it is believed."""
        if track.held is not None:
            self._begin_stretch(track, track.held)
            self._add(track, track.held)
            track.held = None

    def _reject(self, index: int, stamp: _Stamp) -> None:
        self._bad.add((index, stamp.pos, round(stamp.at / self._tracks[index].base)))

    def _continues(self, track: _Track, stamp: _Stamp) -> bool:
        if track.ends is None:
            return True
        in_order = stamp.is_decoding and track.is_decoding
        if stamp.at - track.last < -(_BACK if in_order else _BACK_SHOWN):
            return False
        delta = stamp.at - track.ends
        # A stream may pause while the others go on.
        return delta <= self._ahead or stamp.at + track.stretch.shift <= self._now + self._ahead

    def _follows(self, before: _Stamp, stamp: _Stamp) -> bool:
        return -_BACK_SHOWN <= stamp.at - before.at <= self._ahead

    def _belongs_to_newest(self, track: _Track, stamp: _Stamp) -> bool:
        """A stream that comes upon a new stretch, having been silent before it, is in it."""
        newest = self._newest
        if track.stretch is newest or stamp.pos < newest.pos or not self._is_near(newest, stamp):
            return False
        return track.ends is None or stamp.at - track.ends > _CONTINUES

    def _is_near(self, stretch: _Stretch, stamp: _Stamp) -> bool:
        return stretch.low - _AHEAD <= stamp.at <= stretch.high + _AHEAD

    def _begin_stretch(self, track: _Track, stamp: _Stamp) -> None:
        stretch = self._newest
        if track.stretch is stretch or not self._is_near(stretch, stamp):
            stretch = self._newest = _Stretch(stamp.pos, first=stamp.at)
            self._settling = _REORDERED if self._video is not None else 0
        ended = track.shown + track.untimed if track.is_video else track.ends or 0.0
        ended += track.stretch.shift
        if stretch is not self._root:
            stretch.ended = max(stretch.ended, ended)
            if track.is_video:
                stretch.pictures_ended, stretch.first = ended, inf
                self._settling = _REORDERED
            else:
                stretch.place()
        track.stretches.append(stretch)
        track.starts.append(stamp.pos)
        track.ends, track.shown, track.untimed = None, -inf, 0.0

    def _add(self, track: _Track, stamp: _Stamp) -> None:
        stretch = track.stretch
        stretch.low, stretch.high = min(stretch.low, stamp.at), max(stretch.high, stamp.at)
        track.last, track.ends = stamp.at, stamp.at + stamp.length
        track.is_decoding = stamp.is_decoding
        track.shown = max(track.shown, stamp.shown + stamp.length)
        if track.is_video:
            self._settling -= self._settling > 0
            if stretch.pictures_ended is not None and stretch.looked_at < _REORDERED:
                stretch.looked_at += 1
                stretch.first = min(stretch.first, stamp.shown)
                stretch.place()
        self._now = max(self._now, stamp.shown + stamp.length + stretch.shift)
        if stamp.is_key if track.is_video else self._is_due(track, stamp):
            track.marks.append((stamp, stretch))

    def _is_due(self, track: _Track, stamp: _Stamp) -> bool:
        if not track.marks:
            return True
        last, stretch = track.marks[-1]
        return stretch is not track.stretch or stamp.shown - last.shown >= _MARK_EVERY


def _has_place(packet: Any) -> bool:
    """True for a packet with a header of its own in the file, and so with a presentation stamp of its own."""
    return packet.pos is not None and packet.pos >= 0


def _time_of(mark: tuple[_Stamp, _Stretch]) -> float:
    return mark[0].shown + mark[1].shift


class Packets:
    """Iterates over packets in file time, even after an exception; an empty packet ends each stream."""

    def __init__(
        self, clock: FileClock, container: Any, streams: Sequence[Any], mark: Mark | None, leave_out: int
    ) -> None:
        """Use `FileClock.packets`."""
        self._clock, self._container, self._streams = clock, container, streams
        self._mark, self._leave_out = mark, leave_out
        self._skipped = 0
        self._places: dict[int, int] = {}
        self._raw: Iterator[Any] = container.demux(*streams)

    def __iter__(self) -> Packets:
        return self

    def __next__(self) -> Any:
        while True:
            try:
                packet = next(self._raw)
            except StopIteration:
                raise
            except BaseException:
                # PyAV's iterator is used up by an exception; a new one goes on behind it.
                self._raw = self._container.demux(*self._streams)
                raise
            index = packet.stream.index
            if _has_place(packet):
                self._places[index] = packet.pos
            pos = self._places.get(index, -1)
            if not packet.size:
                return packet
            if self._mark is not None and not self._is_at(self._mark, packet, pos):
                if packet.has_sidedata("new_extradata"):
                    # From here on the decoder needs these headers.
                    return self._clock.stamp(packet, pos)
                self._skipped += 1
                if self._clock.is_mpeg and self._skipped > _MOST_SKIPPED:
                    raise StopIteration
                continue
            self._mark = None
            if self._leave_out > 0:
                self._leave_out -= 1
                continue
            return self._clock.stamp(packet, pos)

    def _is_at(self, mark: Mark, packet: Any, pos: int) -> bool:
        if pos < mark.pos or packet.stream.index != self._streams[0].index:
            return False
        stamp = packet.dts if packet.pts is None else packet.pts
        return not mark.is_key or (packet.is_keyframe and stamp == mark.stamp)
