"""Read a video file in order, on the caller's thread: open, decode, timestamp, seek.

The file is untrusted: damaged packets are counted and skipped, and every wait is bounded.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
from av.stream import Discard
from av.video.reformatter import VideoReformatter

from desktop.base.errors import SourceDamagedError, SourceError, SourceUnsupportedError
from desktop.base.paths import user_cache_folder
from desktop.base.wording import Text, plural, sentence
from desktop.media.audio.reader import tracks_of
from desktop.media.containers import packet_of
from desktop.media.file_clock import FileClock, Mark
from desktop.media.frame import Frame
from desktop.media.sources._alpha import AlphaDecoder, has_alpha, leaves_out_alpha
from desktop.media.sources._av_frames import (
    StreamTraits,
    TraitsOfFrames,
    check_size,
    frame_from_av,
)
from desktop.media.sources._decoding import Decision, Hardware, Trials, decide, title_of
from desktop.media.sources._display_order import DisplayOrder
from desktop.media.sources._fields import FieldOrder, with_fields
from desktop.media.sources._still_repair import without_notes
from desktop.media.sources._video_facts import VideoFacts, detail_of
from desktop.media.sources._video_file import check_path, open_file, video_stream
from desktop.media.subtitles.tracks import subtitle_tracks_of

log = logging.getLogger(__name__)

# What PyAV raises for broken data: FFmpeg's errors, and LookupError for a stream that a demuxer invented.
_BROKEN: Final = (av.FFmpegError, LookupError, ValueError, ArithmeticError)
# From the beginning of opening to the first frame, both waits together.
_OPEN_TIMEOUT: Final = 4.5
_FIRST_PICTURE_ERRORS: Final = 100
_DEMUX_ERRORS: Final = 50
# The largest frame of any level of AV1, the most generous codec (AV1 specification, A.3).
_MOST_PIXELS: Final = 16384 * 8704
# Rates beyond these are a container's time unit (FLV says 1000), not frames a second.
_SLOWEST_RATE, _FASTEST_RATE = Fraction(1, 100), Fraction(480)
_DEFAULT_RATE: Final = Fraction(25)
# A stamp that jumps further ahead than this, and further than the file is long, is wrong.
_LONGEST_GAP: Final = 60.0
# A video that ends this much before its header's end is truncated: a share of its length, bounds in seconds.
_CUT_SHARE: Final = 0.02
_CUT_LEAST, _CUT_MOST = 0.25, 1.0
# A file's end without packets of known streams is reported if it is longer: in bytes, and as a share of the file.
_UNREAD_LEAST, _UNREAD_SHARE = 200_000, 0.05
# A packet is damaged if none of so many behind it is a key frame.
_TORN_AT_JOINT: Final = 2
# After so many frames without a usable stamp, reading starts at the file's beginning, as times depend on it.
_MADE_UP: Final = 3
# A target this close ahead is reached by decoding on.
_NEAR: Final = 0.5
# A seek that lands too late (a sparse index, dependent frames) is repeated from further back.
_BACK_OFF: Final = (0.0, 0.5, 2.0, 8.0, 30.0, 120.0, 600.0)


class Skip(Enum):
    """FFmpeg's name for the frames that are not decoded."""

    NOTHING = "DEFAULT"
    UNREFERENCED = "NONREF"
    TO_KEYS = "NONKEY"


class VideoReader:
    """A video file, read in presentation order. One thread at a time, except `interrupt`.

    Raises:
        SourceUnsupportedError: no video, no decoder, or frames that are too large.
        SourceNotFoundError, SourceDamagedError: no such file; no frame can be decoded.
    """

    def __init__(
        self,
        path: Path,
        *,
        hwaccel: str = "auto",
        trials: Trials | None = None,
        hardware: Hardware | None = None,
    ) -> None:
        check_path(path)
        self._hardware = hardware or Hardware()
        self._trials = trials or Trials(user_cache_folder() / "decoding.json")
        self.notice: Text | None = None
        self.path = path
        self.damaged = 0
        self.skipped = 0
        self._since_torn: int | None = None
        self._shown_until = 0.0
        self._interrupted = False
        self._deadline = time.monotonic() + _OPEN_TIMEOUT
        self._reformatter = VideoReformatter()
        self._decoded: deque[Any] = deque()
        # Pictures with their times and traits.
        self._pending: deque[tuple[Any, float, StreamTraits]] = deque()
        self._traits_of_frames: TraitsOfFrames | None = None
        self._index = 0
        self._skipping = Skip.NOTHING
        self._made_up = 0
        self._irregular = False
        self._origin: Fraction | None = None
        self._decoder = "software"
        self._device: str | None = None
        self._alpha: AlphaDecoder | None = None
        self._open(hwaccel)
        try:
            self._prime()
        except SourceError:
            self.close()
            raise

    # -- opening ---------------------------------------------------------------------------------------------

    def _open(self, hwaccel: str) -> None:
        self._container = open_file(self.path)
        try:
            self.clock = FileClock(lambda: open_file(self.path))
        except BaseException:
            self._container.close()
            raise
        try:
            self._stream = video_stream(self._container, self.path)
            decision = (
                Decision(None, "software (the only one that decodes transparency)")
                if has_alpha(self._stream)
                else decide(hwaccel, self.path, self._stream, self._trials, hardware=self._hardware)
            )
            self._device, self._decoder = decision.device, decision.reason
            # A trial took its time, which is not the file's.
            self._deadline = time.monotonic() + _OPEN_TIMEOUT
            if self._device is not None:
                self._open_hardware(self._device)
            self._begin()
        except BaseException:
            self.close()
            raise

    def _open_hardware(self, device: str) -> None:
        try:
            container = self._hardware.open(self.path, device)
            stream = video_stream(container, self.path)
        except (SourceError, av.FFmpegError, RuntimeError, NotImplementedError) as error:
            # The demuxer has just read the file, so the device failed: an error about the file would mislead.
            cause = error.__cause__ or error
            reason = getattr(cause, "strerror", None) or cause
            log.info(
                "%s: %s is not available (%s), so it is decoded in software", self.path.name, device, reason
            )
            self._device, self._decoder = None, f"software ({device} is not available on this machine)"
            return
        self._container.close()
        self._container, self._stream = container, stream

    def _reopen(self) -> None:
        self._container.close()
        self._container = (
            self._hardware.open(self.path, self._device) if self._device else open_file(self.path)
        )
        self._stream = video_stream(self._container, self.path)
        self._begin()

    def _begin(self) -> None:
        context = self._stream.codec_context
        if context.width and context.height:
            check_size(context.width, context.height)
        if context.width * context.height > _MOST_PIXELS:
            raise SourceUnsupportedError(
                sentence(
                    "The frame of {width} x {height} pixels is larger than any video codec's levels "
                    "allow; the file is damaged or must be scaled down.",
                    width=context.width,
                    height=context.height,
                )
            )
        if has_alpha(self._stream):
            self._open_alpha()
        context.options = {"max_pixels": str(_MOST_PIXELS)}
        self._packs_notes = context.name in ("png", "apng")
        if self._packs_notes and context.extradata:
            context.extradata = without_notes(context.extradata)
        self._stream.thread_type = "AUTO"
        self.sound_tracks = tracks_of(self._container)
        self.subtitle_tracks = subtitle_tracks_of(self._container)
        # One length for everything, subtitles too, which are not read here.
        self._whole_duration = self._container.duration or 0
        self._counts_all = all(stream.type in ("video", "audio") for stream in self._container.streams)
        for stream in self._container.streams:
            if stream.index != self._stream.index:
                # Packets of audio are not even read.
                stream.discard = Discard.all
        self._traits_of_frames = TraitsOfFrames(self._stream, self._traits_of_frames)
        self._field_order = FieldOrder(context.name)
        self._time_base = Fraction(self._stream.time_base or Fraction(1, 1000))
        rates = (self._stream.average_rate, self._stream.guessed_rate, _DEFAULT_RATE)
        self._rate = next(rate for rate in rates if rate and _SLOWEST_RATE <= rate <= _FASTEST_RATE)
        # Read here: behind `close` PyAV's streams point to memory that was freed.
        length = self._stream.duration
        self._stream_end = ((self._stream.start_time or 0) + length) * self._time_base if length else None
        self._reset()

    def _open_alpha(self) -> None:
        try:
            self._alpha = AlphaDecoder(self._stream, {"max_pixels": str(_MOST_PIXELS)})
        except (ValueError, av.FFmpegError):
            self.notice = sentence(
                "{name} has transparency, which this build of FFmpeg does not decode; it is shown without "
                "it.",
                name=self.path.name,
            )

    def _reset(self, mark: Mark | None = None, *, unsettled: bool = False) -> None:
        if self._alpha is not None:
            self._alpha.flush()
        if self._traits_of_frames is not None:
            self._traits_of_frames.restart()
        self._packets = self.clock.packets(
            self._container, self._stream, mark=mark, leave_out=self.clock.unsettled if unsettled else 0
        )
        self._order = DisplayOrder(self._stream) if self._container.format.name == "avi" else None
        self._decoded = deque()
        self._pending = deque()
        # The frame before the next one, which an interlaced one asks for.
        self._passed: Any | None = None
        self._last: float | None = None
        # The time of a first frame that has no stamp; behind a seek it is unknown.
        self._unstamped = 0.0
        self._at_end = False

    def _prime(self) -> None:
        self._fill()
        if not self._pending:
            raise SourceDamagedError(
                sentence("No frame in {name} can be decoded; try another copy of it.", name=self.path.name)
            )
        picture, _, traits = self._pending[0]
        first = frame_from_av(picture, traits=traits)
        check_size(*first.display_size)
        if self._device is not None and not self._hardware.is_used(self._stream.codec_context):
            self._decoder = f"software ({self._device} does not take this stream)"
        self.facts = VideoFacts(
            size=first.display_size,
            rate=float(self._rate),
            duration=self._duration(),
            start_time=float(self._origin or 0),
            sound_end=self._sound_end(),
            detail=detail_of(
                self._container,
                self._stream,
                picture,
                first,
                float(self._rate),
                self._decoder,
                self.clock.breaks,
            ),
        )
        if leaves_out_alpha(self._container, self._stream) and self._alpha is None:
            self.facts.detail["transparency"] = sentence(
                "its transparency is not decoded, so the video is opaque"
            )

    def _duration(self) -> float:
        if self.clock.end is not None and (self.clock.is_mpeg or not self.clock.is_straight):
            return max(0.0, self.clock.end - float(self._origin or 0))
        if self._stream_end is not None:
            return self._from_first(self._stream_end)
        if self._container.duration:
            start = self._container.start_time or 0
            return self._from_first(Fraction(start + self._container.duration, av.time_base))
        return 0.0

    def _from_first(self, end: Fraction) -> float:
        """Return a time of the file in seconds from the first frame, 0 at least."""
        return max(0.0, float(end - (self._origin or 0)))

    def _sound_end(self) -> float:
        if self.clock.is_mpeg or not self.clock.is_straight:
            ends = self.clock.all_end or 0.0
        else:
            ends = max(
                (
                    float(((stream.start_time or 0) + stream.duration) * stream.time_base)
                    for stream in self._container.streams.audio
                    if stream.duration
                ),
                default=0.0,
            )
        return max(0.0, ends - float(self._origin or 0)) if self._container.streams.audio else 0.0

    @property
    def decoder(self) -> str:
        """Decoder in use, with the reason."""
        return self._decoder

    @property
    def damage(self) -> tuple[Text, ...]:
        """Sentences on damage found so far: positions that could not be decoded, and an early end."""
        notes = []
        if self.damaged:
            notes.append(
                plural(
                    self.damaged,
                    "{name} is damaged in %n place: frames are missing or wrong there; try another copy of "
                    "it.",
                    "{name} is damaged in %n places: frames are missing or wrong there; try another copy "
                    "of it.",
                    name=self.path.name,
                )
            )
        if not self._at_end or self._pending:
            return tuple(notes)
        reached = self._reached()
        if (stated := self._stated_end()) is not None and self._falls_short(reached, stated):
            notes.append(
                sentence(
                    "{name} ends after {reached:.2f} s, although its header states {stated:.2f} s: "
                    "it was cut off, or is "
                    "damaged; try another copy of it.",
                    name=self.path.name,
                    reached=reached,
                    stated=stated,
                )
            )
        elif stated is None and self.clock.end is not None and not self.skipped:
            end = self.clock.end - float(self._origin or 0)
            if self._falls_short(self._shown_until, end):
                notes.append(
                    sentence(
                        "{name} has no frame that can be decoded after {reached:.2f} s, although it goes on until "
                        "{end:.2f} s: its codec changes there, or it is damaged; split it there into two files.",
                        name=self.path.name,
                        reached=self._shown_until,
                        end=end,
                    )
                )
        if self._has_unread_end():
            notes.append(
                sentence(
                    "{name} goes on after {reached:.2f} s without the streams that it begins with: split it there into two "
                    "files if another recording follows, or try another copy of it.",
                    name=self.path.name,
                    reached=reached,
                )
            )
        return tuple(notes)

    def _has_unread_end(self) -> bool:
        """Return whether a large part of an MPEG file, at its end, has no packets of the streams at its beginning: joined
        recordings may number their streams differently, and PyAV skips those that it does not know. Or nothing there
        can be read, as in a recorder's file whose space was reserved.
        """
        end = self.clock.packets_end if self.clock.is_mpeg else None
        if end is None:
            return False
        try:
            size = self.path.stat().st_size
        except OSError:
            return False
        return size - end > max(_UNREAD_LEAST, _UNREAD_SHARE * size)

    def _falls_short(self, reached: float, end: float) -> bool:
        """Return whether a time is too far from the end, both in seconds from the first frame."""
        return end - reached > min(max(_CUT_SHARE * end, _CUT_LEAST, float(2 / self._rate)), _CUT_MOST)

    def _stated_end(self) -> float | None:
        """Return the end according to the file's header, in seconds from the first frame; None if unknown."""
        if self.clock.is_mpeg or not self.clock.is_straight:
            return None  # guessed from the stamps, not stated
        if self._stream_end is not None:
            return self._from_first(self._stream_end)
        if self._counts_all and self._whole_duration:
            # Matroska counts from its time 0, FLV from the first frame: the earlier end of the two.
            return float(Fraction(self._whole_duration, av.time_base) - (self._origin or 0))
        return None

    def _reached(self) -> float:
        """Return where the frames end, and all else if the header states one end for everything."""
        ends = None if self._stream_end is not None else self.clock.all_end
        if ends is None:
            return self._shown_until
        return max(self._shown_until, ends - float(self._origin or 0))

    # -- decoding --------------------------------------------------------------------------------------------

    def _next_packet(self) -> Any | None:
        errors = 0
        while not self._interrupted:
            try:
                packet = next(self._packets, None)
                self._count_torn(packet)
                return packet
            except _BROKEN as error:
                # A broken stretch of the container: the demuxer may find its way further on.
                log.debug("%s: %s", self.path.name, error)
                self.damaged += 1
                errors += 1
                if errors >= _DEMUX_ERRORS or isinstance(error, av.error.ExitError):
                    return None
        return None

    def _count_torn(self, packet: Any | None) -> None:
        """Count a packet reported as incomplete, once the next packets show that no recordings were joined
        there. At a join, one of the last two packets is reported though complete, and a key frame follows.
        """
        if packet is None or packet.is_keyframe:
            self._since_torn = None
        elif self._since_torn is not None:
            self._since_torn += 1
            if self._since_torn == _TORN_AT_JOINT:
                self.damaged, self._since_torn = self.damaged + 1, None
        if packet is not None and packet.is_corrupt and self._since_torn is None:
            self._since_torn = 0

    def _next_picture(self) -> Any | None:
        errors = 0
        while not self._decoded:
            if self._at_end or self._interrupted:
                return None
            packet = self._next_packet()
            if packet is None:
                self._at_end = True
                return None
            try:
                pictures = self._decode(packet)
            except EOFError:
                self._at_end = True
                return None
            except _BROKEN as error:
                log.debug("%s: %s", self.path.name, error)
                if self._device is not None:
                    # The file's fault or the device's: software, which reads the same place again, will show.
                    self._fall_back(error)
                    continue
                self.damaged += 1
                errors += 1
                if errors >= _FIRST_PICTURE_ERRORS and self._origin is None:
                    self._at_end = True
                    return None
                continue
            if not pictures and self._skipping is not Skip.NOTHING:
                self.skipped += 1
            self.damaged += sum(picture.is_corrupt for picture in pictures)
            self._decoded.extend(pictures)
            if self._origin is None and not self._decoded and time.monotonic() > self._deadline:
                # A frame is available: stopping here would end the video after it on a busy machine.
                self._at_end = True
        return self._decoded.popleft()

    def _fall_back(self, error: BaseException) -> None:
        """Go on in software behind the frame that was decoded last, so that none is left out."""
        device, last, kept, passed = title_of(self._device or ""), self._last, self._pending, self._passed
        log.warning("%s: %s failed (%s)", self.path.name, device, error)
        self._device, self._decoder = None, f"software ({device} failed)"
        self.notice = sentence(
            "{device} failed while it decoded {name}; it goes on in software.",
            device=device,
            name=self.path.name,
        )
        self._reopen()
        if last is not None:
            self._go_behind(last)
        self._last, self._pending, self._passed = last, kept, passed

    def _go_behind(self, last: float) -> None:
        """Make the frame after time `last` the next one, read from before it, else from the beginning."""
        marked = self._is_marked(last)
        for attempt in () if self._irregular else range(len(_BACK_OFF)):
            if not self._enter(last, attempt, marked=marked):
                break
            first = self._next_picture()
            if first is None or self._stamp(first) > last:
                continue
            self._pass_to(last)
            return
        self._reopen()
        self._pass_to(last)

    def _pass_to(self, last: float) -> None:
        while (picture := self._next_picture()) is not None:
            if self._stamp(picture) > last:
                self._decoded.appendleft(picture)
                return

    def _decode(self, packet: Any) -> list[Any]:
        if self._order is None:
            return self._pictures_of(packet)
        self._order.send(packet)
        pictures = self._pictures_of(packet)
        for picture in pictures:
            picture.pts = self._order.stamp_of(picture, skipping=self._skipping is not Skip.NOTHING)
        return pictures

    def _pictures_of(self, packet: Any) -> list[Any]:
        if self._alpha is not None:
            return self._alpha.decode(packet)
        if not self._packs_notes or not packet.size:
            return list(packet.decode())
        kept = packet_of(without_notes(bytes(packet)))
        kept.pts, kept.dts, kept.duration = packet.pts, packet.dts, packet.duration
        kept.time_base = packet.time_base
        kept.is_keyframe = packet.is_keyframe  # without it, FFmpeg adds the frame before
        return list(self._stream.codec_context.decode(kept))

    def _stamp(self, picture: Any) -> float:
        """Return the time from the beginning, derived from the rate if the file's own is unusable."""
        if self._origin is None:
            self._origin = picture.pts * self._time_base if picture.pts is not None else Fraction(0)
            self._irregular = picture.pts is None
        stamp = None if picture.pts is None else float(picture.pts * self._time_base - self._origin)
        last = self._last
        if last is None:
            stamp = self._unstamped if stamp is None else stamp
        elif stamp is None or stamp <= last or stamp - last > max(_LONGEST_GAP, self._duration()):
            # One extra frame must not delay all others: a delay of less than a frame is caught up.
            is_late = stamp is not None and 0.0 <= last - stamp < float(1 / self._rate)
            self._last = last + float((Fraction(1, 2) if is_late else 1) / self._rate)
            self._made_up += 1
            self._irregular = self._irregular or self._made_up >= _MADE_UP
            return self._last
        self._last, self._made_up = stamp, 0
        return stamp

    def _fill(self) -> None:
        """Decode until the next frame and the one after it, whose stamp ends it, are there."""
        while len(self._pending) < 2:
            picture = self._next_picture()
            if picture is None:
                return
            assert self._traits_of_frames is not None
            self._pending.append((picture, self._stamp(picture), self._traits_of_frames.of(picture)))

    def read(self) -> Frame | None:
        """Return the next frame with the time until its successor, or None at the end. Raises SourceError if
        it is too large, or its format cannot be converted.
        """
        self._fill()
        if not self._pending:
            return None
        picture, pts, traits = self._pending.popleft()
        duration = self._pending[0][1] - pts if self._pending else self._last_duration(picture)
        self._shown_until = pts + duration
        index, self._index = self._index, self._index + 1
        before, self._passed = self._passed, picture
        frame = frame_from_av(
            picture,
            traits=traits,
            pts=pts,
            duration=duration,
            index=index,
            reformatter=self._reformatter,
        )
        if not picture.interlaced_frame:
            return frame
        after = self._pending[0][0] if self._pending else None
        beside = [
            frame_from_av(other, traits=traits, reformatter=self._reformatter) if other is not None else None
            for other in (before, after)
        ]
        return with_fields(frame, beside[0], beside[1], self._field_order)

    def _last_duration(self, picture: Any) -> float:
        stated = float(picture.duration * self._time_base) if picture.duration else 0.0
        return stated if 0.0 < stated <= _LONGEST_GAP else float(1 / self._rate)

    def skip(self, skip: Skip) -> None:
        """Leave out frames (to catch up), or decode all again."""
        if skip is not self._skipping:
            self._stream.codec_context.skip_frame = skip.value
            if self._alpha is not None:
                self._alpha.skip(skip.value)
            self._skipping = skip

    # -- seeking ---------------------------------------------------------------------------------------------

    def seek(self, seconds: float) -> None:
        """Make the next `read` return the frame whose interval [pts, next pts) holds `seconds`, clamped to
        both ends. Raises SourceError if the file has gone or broke.
        """
        self.skip(Skip.NOTHING)
        self._fill()
        near = self._pending and self._pending[0][1] <= seconds < self._pending[0][1] + _NEAR
        if not near:
            self._land(seconds)
        while len(self._pending) == 2 and self._pending[1][1] <= seconds:
            self._passed = self._pending.popleft()[0]
            self._fill()

    def _land(self, seconds: float) -> None:
        """Go to a frame at or before `seconds`, as near as the file's index allows."""
        if not self._irregular:
            target = min(seconds, self._duration() or seconds)
            marked = self._is_marked(target)
            for attempt in range(len(_BACK_OFF)):
                if self._interrupted or not self._enter(target, attempt, marked=marked):
                    break
                self._fill()
                if self._pending and self._pending[0][1] <= seconds:
                    return
        self._rewind()

    def _is_marked(self, seconds: float) -> bool:
        return self.clock.has_marks(self._stream.index, seconds + float(self._origin or 0))

    def _enter(self, seconds: float, attempt: int, *, marked: bool) -> bool:
        """Seek to before `seconds`, further back each attempt; return False at the beginning."""
        if marked:
            at = seconds + float(self._origin or 0)
            return self._enter_mark(self.clock.mark(self._stream.index, at, attempt))
        back = _BACK_OFF[attempt]
        return seconds - back > 0.0 and self._jump(seconds - back)

    def _enter_mark(self, mark: Mark | None) -> bool:
        if mark is None:
            return False
        try:
            if not self.clock.enter(self._container, mark):
                self._reopen()
        except _BROKEN:
            return False
        self._reset(mark)
        self._unstamped = math.inf
        return True

    def _jump(self, seconds: float) -> bool:
        written = self.clock.as_written(seconds + float(self._origin or 0))
        try:
            # A sum of floats that misses a key frame's tick would lead to the one before.
            ticks = int(written / float(self._time_base) + 1e-3)
            self._container.seek(ticks, stream=self._stream, backward=True)
        except _BROKEN:
            return False
        self._reset(unsettled=seconds > 0.0)
        self._unstamped = math.inf
        return True

    def _rewind(self) -> None:
        # Jumping to 0 is quicker than opening anew, but only where it really lands on the first frame.
        if not self._irregular and self.clock.is_straight and self._jump(0.0):
            self._fill()
            if self._pending and self._pending[0][1] <= 0.0:
                return
        self._reopen()
        self._fill()

    def before(self, pts: float, count: int) -> float:
        """Return the presentation time of the `count`-th frame before the one at `pts`, the first's at most."""
        span = max(1.0, 2.0 * count / float(self._rate))
        while not self._interrupted:
            start = max(0.0, pts - span)
            self.seek(start)
            stamps: deque[float] = deque(maxlen=count)
            while self._pending and self._pending[0][1] < pts:
                stamps.append(self._pending[0][1])
                self._pending.popleft()
                self._fill()
            if len(stamps) == count or start == 0.0:
                return stamps[0] if stamps else 0.0
            span *= 4.0
        return pts

    def interrupt(self) -> None:
        """Make a decode or seek that runs on another thread end at its next packet."""
        self._interrupted = True

    def close(self) -> None:
        """Release the file."""
        self._pending.clear()
        self._decoded.clear()
        self.clock.close()
        self._container.close()

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame
