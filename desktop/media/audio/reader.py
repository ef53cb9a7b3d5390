"""Read an audio track of a file as 48 kHz stereo on the video's time line. One thread at a time. The file is
untrusted. Silence replaces missing or broken audio, so that later audio stays in step.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import av
import numpy as np
from av.stream import Discard, Disposition

from desktop.base.errors import SoundError
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.media.audio.convert import MOST_CHANNELS, RATES, Converter
from desktop.media.audio.samples import RATE, silence
from desktop.media.file_clock import FileClock, Mark

log = logging.getLogger(__name__)

_BROKEN: Final = (av.FFmpegError, LookupError, ValueError, TypeError, ArithmeticError, MemoryError)
# Timestamps in files are rounded to their container's time unit: gaps up to this are ignored.
_SLACK: Final = RATE // 40
# A decoder needs what comes before (an MP3's bit reservoir, an AAC window).
_BEFORE: Final = 0.2
_BACK_OFF: Final = (_BEFORE, 2.0, 10.0)
# So many packets in a row without audio, and the track is given up.
_GIVE_UP: Final = 200


@dataclass(frozen=True)
class TrackInfo:
    """An audio track.

    Attributes:
        index: its number among the audio tracks, from 0.
        name: description for a list: language, title, codec, channels.
        language: as in the file ('ger', 'en-US'), '' if unknown.
        is_readable: it can be decoded here.
    """

    index: int
    name: str
    language: str = ""
    is_default: bool = False
    is_readable: bool = True


def tracks_of(container: Any) -> tuple[TrackInfo, ...]:
    """Return the audio tracks of an open file."""
    return tuple(_track(stream, index) for index, stream in enumerate(container.streams.audio))


def _track(stream: Any, index: int) -> TrackInfo:
    return TrackInfo(
        index,
        _name(stream, index),
        printable(stream.metadata.get("language", "")[:80]),
        bool(stream.disposition & Disposition.default),
        stream.codec_context is not None,
    )


def usual_track(tracks: Sequence[TrackInfo]) -> int | None:
    """Return the default track's number, else the first's (decodable ones first); None if there is none."""
    best = min(tracks, key=lambda track: (not track.is_readable, not track.is_default), default=None)
    return None if best is None else best.index


def find_audio_track(wanted: str, tracks: Sequence[TrackInfo]) -> int | None:
    """Return the index of the track with a number (from 1) or a language; None if there is none."""
    by_number = [track.index for track in tracks if str(track.index + 1) == wanted.strip()]
    by_language = [track.index for track in tracks if track.language.lower() == wanted.strip().lower() != ""]
    return next(iter(by_number + by_language), None)


def _name(stream: Any, index: int) -> str:
    context = stream.codec_context
    parts = [stream.metadata.get("title", ""), stream.metadata.get("language", "")]
    if context is not None:
        parts += [context.name, context.layout.name]
    said = ", ".join(part for part in parts if part and part != "und")
    return printable(f"{index + 1}: {said}" if said else f"{index + 1}")


class SoundReader:
    """One open track, number `index`; SourceError if nothing can be decoded, or the file has gone.

    `origin` is the file time, in seconds, of the video's time 0; `clock` the file's, None to make one.
    """

    def __init__(
        self,
        open_file: Callable[[], Any],
        index: int,
        origin: float,
        title: str = "",
        clock: FileClock | None = None,
    ) -> None:
        self._open_file, self._index = open_file, index
        self._clock = clock or FileClock(open_file)
        self._origin = origin
        self._title = title
        self._ends: float | None = None
        self._open()
        self._begins = self._decoded[0][0]

    def _open(self) -> None:
        self._container = self._open_file()
        try:
            self._begin()
        except SoundError:
            self._container.close()
            raise
        except (*_BROKEN, OSError) as error:
            self._container.close()
            raise self._no_sound() from error

    def _begin(self) -> None:
        self._stream = self._container.streams.audio[self._index]
        context = self._stream.codec_context
        # Of audio that begins later than what is read to detect the format, 0 is known until it is decoded.
        if context is None or (context.sample_rate and context.sample_rate not in RATES):
            raise self._no_sound()
        if context.channels > MOST_CHANNELS:
            raise self._no_sound()
        for stream in self._container.streams:
            if stream.index != self._stream.index:
                stream.discard = Discard.all
        self._reset(0)
        self._fill()
        if not self._decoded:
            raise self._no_sound()

    def _no_sound(self) -> SoundError:
        return SoundError(
            sentence(
                "The audio of {name} cannot be decoded, so it plays silently; convert the file to hear it.",
                name=self._title,
            )
        )

    def _reset(self, position: int, mark: Mark | None = None) -> None:
        self._packets: Iterator[Any] = self._clock.packets(self._container, self._stream, mark=mark)
        self._decoded: deque[tuple[int, np.ndarray]] = deque()
        self._converter = Converter()
        self._next: int | None = None
        self._position = position
        self._ended = False
        self._failures = 0

    # -- decoding --------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Decode until there is something, or nothing any more."""
        while not self._decoded and not self._ended:
            try:
                packet = next(self._packets, None)
                if packet is None:
                    self._end()
                    return
                for frame in packet.decode():
                    self._take(frame)
                self._failures = 0
            except av.error.EOFError:
                self._end()
            except _BROKEN as error:
                self._count_failure(error)

    def _end(self) -> None:
        self._ended = True
        if self._next is not None:
            self._ends = self._next / RATE
        elif self._ends is None:
            # It was entered behind its end.
            self._ends = self._position / RATE

    def _count_failure(self, error: BaseException) -> None:
        self._failures += 1
        log.debug("%s: %s", self._title, error)
        if self._failures >= _GIVE_UP or isinstance(error, av.error.ExitError):
            self._end()

    def _take(self, frame: Any) -> None:
        stamp = None if frame.pts is None else round((frame.pts * frame.time_base - self._origin) * RATE)
        converted = self._converter.convert(frame)
        if self._converter.changed:
            self._next = None
        for samples in converted:
            begin = self._placed(stamp)
            self._next, stamp = begin + len(samples), None
            self._decoded.append((begin, samples))

    def _placed(self, stamp: int | None) -> int:
        """Return where samples begin: after the previous ones, unless their timestamp clearly differs."""
        expected = self._next
        if expected is None:
            return self._position if stamp is None else stamp
        return expected if stamp is None or abs(stamp - expected) <= _SLACK else stamp

    # -- reading ---------------------------------------------------------------------------------------------

    @property
    def ends(self) -> float | None:
        """End of the audio on the video's time line, in seconds; None until the track was read to its end."""
        return self._ends

    def read(self, frames: int) -> np.ndarray:
        """Return the next `frames`, silence where there is nothing."""
        out = silence(frames)
        filled = 0
        while filled < frames:
            self._fill()
            if not self._decoded:
                break
            begin, samples = self._decoded[0]
            gap = begin - (self._position + filled)
            if gap >= frames - filled:
                break
            if gap > 0:
                filled += gap
                continue
            rest = samples[-gap : -gap + frames - filled]
            out[filled : filled + len(rest)] = rest
            filled += len(rest)
            if -gap + len(rest) >= len(samples):
                self._decoded.popleft()
        self._position += frames
        return out

    def seek(self, seconds: float) -> None:
        """Make the next `read` begin at a video time. Raises SourceError if the file has gone or broke."""
        target = round(max(0.0, seconds) * RATE)
        by_mark = self._clock.has_marks(self._stream.index, seconds + self._origin)
        for back in _BACK_OFF:
            if target - back * RATE <= max(0, self._begins):
                break
            if self._enter(seconds - back, target) if by_mark else self._land(seconds - back, target):
                return
        if by_mark or not self._clock.is_straight:
            self._open_at(target)
        else:
            self._rewind(target)

    def _enter(self, seconds: float, target: int) -> bool:
        """Go to a mark before `target`; False if there is none."""
        mark = self._clock.mark(self._stream.index, seconds + self._origin)
        if mark is None:
            return False
        if not self._clock.enter(self._container, mark):
            self._open_at(target)
        self._reset(target, mark)
        self._fill()
        return not self._decoded or self._decoded[0][0] <= target

    def _open_at(self, target: int) -> None:
        self._container.close()
        self._open()
        self._position = target

    def _rewind(self, target: int) -> None:
        # To the stream's own beginning: some demuxers refuse a time before it.
        start = float((self._stream.start_time or 0) * self._stream.time_base)
        if not self._land(start - self._origin, target):
            self._open_at(target)

    def _land(self, seconds: float, target: int) -> bool:
        """Seek to before `target`; return False if the file's index leads behind it."""
        try:
            ticks = int(self._clock.as_written(seconds + self._origin) / self._stream.time_base)
            self._container.seek(ticks, stream=self._stream, backward=True)
        except _BROKEN:
            return False
        self._reset(target)
        self._fill()
        return not self._decoded or self._decoded[0][0] <= target

    def close(self) -> None:
        """Release the file."""
        self._packets = iter(())
        self._decoded.clear()
        self._container.close()
