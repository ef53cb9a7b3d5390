"""Read a subtitle track until the content at a requested time is known. One thread at a time.

A text file is read completely; of a video's track, half a minute before the requested time to some seconds
after. The video's packets are read along, to know how far the file was read.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import av
from av.stream import Discard

from desktop.base.errors import SourceDamagedError, SourceError
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.media.containers import open_container, packet_of
from desktop.media.file_clock import FileClock, Mark
from desktop.media.subtitles.ass_text import Style, read_event, styles_of
from desktop.media.subtitles.cues import Cue, CueList
from desktop.media.subtitles.pgs import PgsDecoder
from desktop.media.subtitles.tracks import SUFFIXES, as_utf8, read_text_file
from desktop.media.subtitles.vobsub import Head, read_subpicture

log = logging.getLogger(__name__)

_BROKEN: Final = (av.FFmpegError, LookupError, ValueError, TypeError, ArithmeticError, MemoryError)
# Muxers let words come some seconds before or behind the frames that they are shown on.
AHEAD: Final = 8.0
# What began so long before a jump's target is found, and still stands.
_BEFORE: Final = 30.0
# A target this close ahead is reached by reading on.
_NEAR: Final = 60.0
# Where neither the file nor what comes next says when a text goes.
_USUAL_LENGTH: Final = 5.0
_LONGEST: Final = 24 * 3600.0
_GIVE_UP: Final = 200
_INFINITE: Final = float("inf")

Take = Callable[[Any, float], None]


class SubtitleReader:
    """One open track, number `index` of a container that the reader closes; SourceDamagedError if unreadable.

    Args:
        origin: the file time, in seconds, of the video's time 0.
        opens: opens the file again; needed if its timestamps break off and its format cannot seek back.
        clock: the file's; None uses its timestamps unchanged.

    Attributes:
        is_guessed: some text was not UTF-8, and was read as Windows-1252.
    """

    def __init__(
        self,
        container: Any,
        index: int,
        origin: float = 0.0,
        title: str = "",
        *,
        opens: Callable[[], Any] | None = None,
        clock: FileClock | None = None,
    ) -> None:
        self._container, self._origin, self._title = container, origin, title
        self._index, self._opens, self._clock = index, opens, clock
        self.is_guessed = False
        self._interrupted = False
        try:
            self._begin()
        except _BROKEN as error:
            container.close()
            raise unreadable(title) from error

    @classmethod
    def of_file(cls, path: Path) -> SubtitleReader:
        """Open a text file; SourceError if it cannot be read, or has no subtitles."""
        text, guessed = read_text_file(path)
        try:
            container = open_container(io.BytesIO(text), format=SUFFIXES[path.suffix.lower()])
        except (*_BROKEN, OSError) as error:
            raise unreadable(path.name) from error
        reader = cls(container, 0, title=path.name)
        reader.is_guessed = guessed
        reader.read_all()
        if not len(reader.cues):
            reader.close()
            raise unreadable(path.name)
        return reader

    def _begin(self) -> None:
        self._stream = self._container.streams.subtitles[self._index]
        videos = [s for s in self._container.streams.video if s.codec_context is not None]
        self._video = videos[0] if videos else None
        for stream in self._container.streams:
            if stream not in (self._stream, self._video):
                stream.discard = Discard.all
        context = self._stream.codec_context
        self._codec = context.codec.canonical_name
        self._styles: dict[str, Style] = styles_of(context.extradata or b"") if self._codec == "ass" else {}
        size = self._video.codec_context if self._video is not None else context
        self._size = (size.width, size.height) if self._video is not None else (0, 0)
        self._pgs = PgsDecoder()
        self._head = Head.parse(context.extradata or b"") if self._codec == "dvd_subtitle" else None
        takes: dict[str, Take] = {
            "hdmv_pgs_subtitle": self._take_pgs,
            "dvd_subtitle": self._take_subpicture,
        }
        self._take = takes.get(self._codec, self._take_text)
        self._reset(0.0)

    def _reset(self, begin: float, mark: Mark | None = None) -> None:
        self._streams = [*([self._video] if self._video is not None else []), self._stream]
        self._packets = self._demuxed(mark)
        self.cues = CueList()
        self._from, self._to = begin, begin
        self._ended = False
        self._failures = 0
        self._pgs.reset()

    def _demuxed(self, mark: Mark | None = None) -> Iterator[Any]:
        if self._clock is None:
            packets: Iterator[Any] = self._container.demux(*self._streams)
            return packets
        return self._clock.packets(self._container, *self._streams, mark=mark)

    # -- requests --------------------------------------------------------------------------------------------

    def at(self, seconds: float) -> tuple[Cue, ...]:
        """Return what stands at a time, read on to it where need be."""
        self.read_to(seconds)
        return self.cues.at(seconds)

    def is_behind(self, seconds: float) -> bool:
        """Tell whether it is time to read on, or to go elsewhere, for what stands at a time."""
        return seconds < self._from or (not self._ended and self._to < seconds + AHEAD / 2)

    def read_to(self, seconds: float) -> None:
        """Read until it is known what stands at a time, and some seconds on."""
        if not (self._from <= seconds <= self._to + _NEAR or (self._ended and self._from <= seconds)):
            self._seek(seconds)
        while not self._ended and self._to < seconds + AHEAD and not self._interrupted:
            self._step()

    def read_all(self) -> None:
        """Read to the end."""
        while not self._ended and not self._interrupted:
            self._step()

    def interrupt(self) -> None:
        """Make a call that runs on another thread end at its next packet."""
        self._interrupted = True

    def close(self) -> None:
        """Release the file."""
        self._container.close()

    def _seek(self, seconds: float) -> None:
        begin = max(0.0, seconds - _BEFORE)
        stream = self._video or self._stream
        if self._clock is not None and self._clock.has_marks(stream.index, begin + self._origin):
            self._enter(self._clock, begin)
            return
        try:
            at = begin + self._origin
            written = at if self._clock is None else self._clock.as_written(at)
            ticks = int(written / float(stream.time_base))
            self._container.seek(ticks, stream=stream, backward=True)
        except _BROKEN as error:
            log.debug("%s: %s", self._title, error)
        self._reset(begin)

    def _enter(self, clock: FileClock, begin: float) -> None:
        """Go to a key frame at or before a time, else to the file's beginning."""
        stream = self._video or self._stream
        mark = clock.mark(stream.index, begin + self._origin)
        try:
            if mark is not None and clock.enter(self._container, mark):
                self._reset(begin, mark)
            elif self._opens is not None:
                self._container.close()
                self._container = self._opens()
                self._begin()
                self._reset(begin, mark)
        except (*_BROKEN, SourceError) as error:
            log.debug("%s: %s", self._title, error)
            self._end()

    # -- reading ---------------------------------------------------------------------------------------------

    def _step(self) -> None:
        """Read a packet."""
        try:
            packet = next(self._packets, None)
            if packet is None:
                self._end()
                return
            stamp = packet.dts if packet.pts is None else packet.pts
            if stamp is None or not packet.size:
                return
            at = float(stamp * packet.time_base) - self._origin
            if packet.stream.index == self._stream.index:
                self._take(packet, at)
                if self._video is None:
                    self._to = max(self._to, at)
            else:
                self._to = max(self._to, at)
            self._failures = 0
        except av.error.EOFError:
            self._end()
        except _BROKEN as error:
            self._failures += 1
            log.debug("%s: %s", self._title, error)
            if self._failures >= _GIVE_UP or isinstance(error, av.error.ExitError):
                self._end()
            elif self._clock is None:
                # An exception exhausts PyAV's iterator, but not a decoder's; a new one continues there too.
                self._packets = self._demuxed()

    def _end(self) -> None:
        self._ended = True
        self._to = _INFINITE

    def _end_of(self, packet: Any, at: float) -> float | None:
        """Return when a packet's content ends; None if before its beginning, infinity if not stated."""
        if not packet.duration:
            return _INFINITE
        length = float(packet.duration * packet.time_base)
        return at + length if 0.0 < length <= _LONGEST else None

    def _take_text(self, packet: Any, at: float) -> None:
        end = self._end_of(packet, at)
        if end is None:
            return
        end = min(end, at + _USUAL_LENGTH) if end == _INFINITE else end
        decoded = self._stream.codec_context.decode2(self._readable(packet))
        for rect in decoded or ():
            event = read_event(getattr(rect, "ass", b""), self._styles)
            if event is not None:
                self.cues.add(Cue(at, end, event.runs, on_top=event.on_top))

    def _readable(self, packet: Any) -> Any:
        """Return a packet whose text is UTF-8, which FFmpeg's decoders want."""
        data = bytes(packet)
        # Behind its length and the text, a packet of MPEG-4 has how it looks.
        cut = 2 + int.from_bytes(data[:2], "big") if self._codec == "mov_text" else len(data)
        text, guessed = as_utf8(data[2:cut] if self._codec == "mov_text" else data)
        if not guessed:
            return packet
        self.is_guessed = True
        if self._codec == "mov_text":
            text = len(text[:65_535]).to_bytes(2, "big") + text[:65_535]
        made = packet_of(text)
        made.pts, made.dts, made.duration = packet.pts, packet.dts, packet.duration
        made.time_base = packet.time_base
        return made

    def _take_pgs(self, packet: Any, at: float) -> None:
        shown = self._pgs.take(bytes(packet))
        if shown is None:
            return
        self.cues.end_open(at)
        if shown:
            self.cues.add(Cue(at, _INFINITE, bitmaps=shown))

    def _take_subpicture(self, packet: Any, at: float) -> None:
        assert self._head is not None
        found = read_subpicture(bytes(packet), self._head, self._size)
        self.cues.end_open(at)
        end = self._end_of(packet, at)
        if found is None or end is None:
            return
        if found.end is not None:
            end = at + found.end
        if end > at + found.start:
            self.cues.add(Cue(at + found.start, end, bitmaps=(found.bitmap,)))


def unreadable(name: str) -> SourceDamagedError:
    """Return what says that subtitles cannot be read."""
    return SourceDamagedError(
        sentence(
            "The subtitles of {name} cannot be read; choose other ones, or a .srt file.", name=printable(name)
        )
    )


def guessed_note(name: str) -> str:
    """Return what says that letters were guessed."""
    return sentence(
        "The subtitles of {name} are not UTF-8 and are read as Windows-1252; save them as UTF-8 if letters "
        "are wrong.",
        name=printable(name),
    )
