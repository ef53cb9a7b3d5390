"""Transfer a file's audio track to a video that is being written: packets are copied, or else encoded.

Timestamps of files repeat, run backwards or are missing, which muxers refuse: they are made strictly
increasing. Other errors in the audio end the audio, not the video, and are listed in `notes`.
"""

from __future__ import annotations

import errno
import io
import itertools
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

import av
import numpy as np

from desktop.base.wording import sentence
from desktop.media.audio.convert import make_resampler
from desktop.media.audio.reader import tracks_of, usual_track
from desktop.media.containers import av_reason, open_container
from desktop.media.file_clock import FileClock

log = logging.getLogger(__name__)

# PyAV's errors for a broken track: refused frames are ValueError or TypeError, invented streams LookupError.
_BROKEN: Final = (av.FFmpegError, ValueError, TypeError, LookupError, ArithmeticError)
# The output's own errors, which are the video's too.
_DISK: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EPIPE, errno.EBADF, errno.EACCES}
)
# What players take, by FFmpeg's container name; its MP4 muxer writes more (PCM). Matroska: everything.
_MPEG4_SOUND: Final = frozenset({"aac", "mp3", "ac3", "eac3", "opus", "flac", "alac"})
_COPIED: Final[dict[str, frozenset[str]]] = {
    "mp4": _MPEG4_SOUND,
    "mov": _MPEG4_SOUND,
    "webm": frozenset({"opus", "vorbis"}),
}
# What the rest is encoded to; AAC in the others.
_ENCODED: Final = {"webm": "libopus"}
# QuickTime's muxer knows one code of a language only, of ISO 639-2/B or /T.
_QUICKTIME_LANGUAGES: Final = {
    **{"deu": "ger", "fre": "fra", "nld": "dut", "zho": "chi", "cze": "ces", "ell": "gre", "swe": "sve"},
    **{"rum": "ron", "slo": "slk", "fas": "per", "hye": "arm", "kat": "geo", "mkd": "mac", "msa": "may"},
    **{"mya": "bur", "sqi": "alb", "eus": "baq", "cym": "wel", "bod": "tib"},
}
_TRIED_PACKETS: Final = 12
_RATE: Final = 48_000
# Packets with repeated timestamps are put one after another, within this distance of their timestamps.
_DRIFT_S: Final = Fraction(1, 10)
# Stamps in milliseconds repeat a part of a packet that is no longer than this.
_SLACK_S: Final = Fraction(1, 500)
SOUND_LEAD: Final = 0.1
"""Seconds that a track may start before its video (an encoder's priming) without delaying it."""


@dataclass(frozen=True)
class SoundForecast:
    """Plan of transferring a file's audio.

    Attributes:
        tracks: the names of the file's tracks; one, number `track` (from 0), is transferred.
        codec: its codec, by FFmpeg's name; '' if none here decodes it.
        way: 'none' for a file without audio.
        lead: seconds that the audio begins before the first frame.
    """

    tracks: tuple[str, ...] = ()
    track: int = 0
    codec: str = ""
    way: Literal["none", "copied", "encoded", "left out"] = "none"
    lead: float = 0.0


def foresee_sound(
    path: Path,
    container: str,
    options: Mapping[str, str],
    mode: str,
    *,
    track: int | None = None,
    begins: float | None = None,
) -> SoundForecast:
    """Return how `SoundTrack` (same arguments) will treat a file's audio; none if it cannot be opened.
    `begins` is the file time of the first frame, in seconds, if it is the file's first.
    """
    try:
        with open_container(str(path), options={"protocol_whitelist": "file"}) as source:
            tracks = tracks_of(source)
            number = usual_track(tracks) if track is None else track
            if number is None or number >= len(tracks):
                return SoundForecast()
            stream = source.streams.audio[number]
            context = stream.codec_context
            codec = context.codec.canonical_name if context is not None else ""
            way: Literal["copied", "encoded", "left out"] = "left out"
            if mode != "encode" and can_be_copied(container, options, path, stream, number):
                way = "copied"
            elif context is not None and mode != "copy":
                way = "encoded"
            lead = 0.0
            if begins is not None and stream.start_time is not None and way != "left out":
                lead = begins - float(stream.start_time * stream.time_base)
            names = tuple(each.name for each in tracks)
            return SoundForecast(names, number, codec, way, lead if lead > SOUND_LEAD else 0.0)
    except (*_BROKEN, OSError):
        return SoundForecast()


class SoundTrack:
    """The track, open for copying. One thread at a time."""

    def __init__(
        self,
        path: Path,
        output: Any,
        offset: float | None,
        mode: str,
        track: int | None = None,
        *,
        keeps_disposition: bool = False,
    ) -> None:
        """Use `open`."""
        self._keeps_disposition = keeps_disposition
        self._mode = mode
        self._track = track
        self._file_clock: FileClock | None = None
        self._path = path
        self._output = output
        self._begins = offset
        self._offset = offset or 0.0
        self._early = SOUND_LEAD
        self._notes: list[str] = []
        self._source: Any = None
        self._target: Any = None
        self._resampler: Any = None
        self._kind: tuple[str, str, int] | None = None
        self._packets: Iterator[Any] = iter(())
        self._next: tuple[Any, Fraction] | None = None
        self._clock = Fraction(0)
        self._last: int | None = None
        self._heard_to: Fraction | None = None
        self._length = 0
        self._ended = False
        self._copied = False

    @classmethod
    def open(
        cls,
        path: Path,
        output: Any,
        offset: float | None,
        options: Mapping[str, str],
        *,
        mode: str = "auto",
        track: int | None = None,
        keeps_disposition: bool = False,
    ) -> SoundTrack | None:
        """Open the track and add it to the output, whose header is not yet written.

        Args:
            offset: file time at which the output begins, in seconds (`FileClock`); None for the file's
                beginning.
            options: of the output's muxer.
            mode: 'auto', 'copy' or 'encode', as `outputs.encoding.Encoding.sound`.
            track: its number among the file's, from 0; None for the default.
            keeps_disposition: it is the default track, a commentary and so on as in the file; for several tracks.

        Returns:
            None if the file has no audio; a track not `is_open` if it cannot be transferred (see `notes`).
        """
        sound = cls(path, output, offset, mode, track, keeps_disposition=keeps_disposition)
        try:
            sound._source = open_container(str(path), options={"protocol_whitelist": "file"})
        except (OSError, ValueError, av.FFmpegError):
            return None  # a folder, an address: it has no audio of its own
        if not sound._source.streams.audio:
            sound.close()
            return None
        try:
            sound._begin(options)
        except (*_BROKEN, OSError) as error:
            sound._give_up(sentence("cannot be carried over ({text})", text=av_reason(error)))
        return sound

    @property
    def is_open(self) -> bool:
        """True if there is a track in the output."""
        return self._target is not None

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on missing audio, with the reasons."""
        return tuple(self._notes)

    def _begin(self, options: Mapping[str, str]) -> None:
        number = usual_track(tracks_of(self._source)) or 0 if self._track is None else self._track
        stream = self._source.streams.audio[number]
        start = (self._source.start_time or 0) / av.time_base
        self._offset = start if self._begins is None else self._begins
        if self._offset - start > SOUND_LEAD:
            # A part of the file: earlier audio does not belong to it.
            self._early = 0.0
        self._file_clock = FileClock(
            lambda: open_container(str(self._path), options={"protocol_whitelist": "file"})
        )
        self._packets = self._file_clock.packets(self._source, stream)
        name = self._output.format.name
        self._copied = self._mode != "encode" and can_be_copied(name, options, self._path, stream, number)
        if self._copied:
            self._target = self._output.add_stream_from_template(stream)
            self._name_target(name, stream)
            return
        if stream.codec_context is None:
            self._give_up(sentence("is of a kind that no decoder here knows"))
            return
        if self._mode == "copy":
            self._give_up(
                sentence("is {codec}, which such files do not take", codec=stream.codec_context.name)
            )
            return
        self._target = self._output.add_stream(_ENCODED.get(name, "aac"), rate=_RATE)
        self._target.layout = "mono" if stream.codec_context.channels == 1 else "stereo"
        self._name_target(name, stream)

    def _name_target(self, container: str, stream: Any) -> None:
        """Carry the track's language and title over."""
        for key in ("language", "title"):
            if text := stream.metadata.get(key):
                text = (
                    _QUICKTIME_LANGUAGES.get(text, text) if container == "mov" and key == "language" else text
                )
                self._target.metadata[key] = text
        if self._keeps_disposition:
            self._target.disposition = stream.disposition

    def copy_until(self, seconds: float | None, end: float | None) -> None:
        """After the header, write packets before `seconds`, at the end before `end`; OSError for the disk."""
        limit = seconds if seconds is not None else end
        try:
            while self.is_open and (entry := self._peek()) is not None:
                packet, at = entry
                if limit is not None and at - self._offset >= limit:
                    break
                self._next = None
                if at - self._offset >= -max(
                    self._early, float((packet.duration or 0) * packet.time_base) / 2
                ):
                    self._write(packet, at)
            if seconds is None and self.is_open and not self._copied:
                self._encode(self._flushed())
                self._mux(self._target.encode(None))
        except _BROKEN as error:
            if getattr(error, "errno", None) in _DISK:
                raise
            self._give_up(
                sentence(
                    "is damaged and ends at {value:.1f} s ({text})",
                    value=float(self._clock) - self._offset,
                    text=av_reason(error),
                )
            )

    def _peek(self) -> tuple[Any, Fraction] | None:
        if self._next is None and not self._ended:
            packet = self._read()
            self._ended = packet is None
            if packet is not None:
                # A packet without a stamp (laced in Matroska) begins where the one before it ends.
                stamp = packet.pts if packet.pts is not None else packet.dts
                at = self._clock if stamp is None else stamp * packet.time_base
                self._clock = at + (packet.duration or 0) * packet.time_base
                self._next = (packet, at)
        return self._next

    def _read(self) -> Any:
        for packet in self._packets:
            if packet.size:
                return packet
        return None

    def _write(self, packet: Any, at: Fraction) -> None:
        if self._copied:
            self._copy(packet, at)
            return
        try:
            frames = packet.decode()
        except _BROKEN:  # a broken packet; those after it may be whole
            return
        for frame in frames:
            if frame.pts is None:
                frame.time_base = Fraction(1, frame.sample_rate)
                frame.pts = round(at / frame.time_base)
            kept = self._behind_the_last(frame)
            if kept is not None:
                self._encode(self._resampled(self._ended_in_time(kept)))

    @property
    def _may_overlap(self) -> bool:
        """True where the audio of one part of the file may go on behind the beginning of the next part."""
        return self._file_clock is not None and not self._file_clock.is_straight

    def _behind_the_last(self, frame: Any) -> Any | None:
        """Return a frame, or the part of it after the last one's end; None if there is none."""
        if not self._may_overlap or self._heard_to is None:
            return frame
        over = self._heard_to - frame.pts * frame.time_base
        samples = round(over * frame.sample_rate)
        if over <= _SLACK_S:
            return frame
        return _cut(frame, samples, frame.samples) if samples < frame.samples else None

    def _ended_in_time(self, frame: Any) -> Any:
        """Return a frame cut at its end timestamp: Vorbis's last packet is full even if its audio ends."""
        begin = frame.pts * frame.time_base
        over = Fraction(0) if self._heard_to is None else self._heard_to - begin
        surplus = round(over * frame.sample_rate)
        self._heard_to = max(begin, self._heard_to or begin) + Fraction(frame.samples, frame.sample_rate)
        if not (over > _SLACK_S and surplus < frame.samples and self._peek() is None):
            return frame
        return _cut(frame, 0, frame.samples - surplus)

    def _resampled(self, frame: Any) -> list[Any]:
        """Return frames for the encoder. Each change of layout or rate gets a new resampler."""
        frame.pts -= round(self._offset / frame.time_base)
        kind = (frame.format.name, frame.layout.name, frame.sample_rate)
        rest = self._flushed() if kind != self._kind else []
        if self._resampler is None:
            context = self._target.codec_context
            self._resampler = make_resampler(
                context.format, context.layout, _RATE, context.frame_size or None
            )
            self._kind = kind
        return [*rest, *self._resampler.resample(frame)]

    def _flushed(self) -> list[Any]:
        resampler, self._resampler = self._resampler, None
        return [] if resampler is None else list(resampler.resample(None))

    def _encode(self, frames: list[Any]) -> None:
        for frame in frames:
            stamp = round((frame.pts or 0) * frame.time_base * _RATE)
            frame.time_base = Fraction(1, _RATE)
            # Audio that would begin before the last has ended follows it.
            frame.pts = stamp if self._last is None else max(stamp, self._last)
            self._last = frame.pts + frame.samples
            self._mux(self._target.encode(frame))

    def _copy(self, packet: Any, at: Fraction) -> None:
        # Known since the header was written. Stamps that differ in the file's time base may be equal in this.
        base = self._target.time_base
        stamp = round((at - Fraction(self._offset)) / base)
        duration = round((packet.duration or 0) * packet.time_base / base)
        if self._last is not None and self._may_overlap and stamp < self._last + self._length - duration // 2:
            # Whole packets: one that mostly overlaps the last one is skipped.
            return
        if self._last is not None and stamp <= self._last:
            near = self._last + max(1, self._length)
            stamp = near if near - stamp <= _DRIFT_S / base else self._last + 1
        self._last, self._length = stamp, duration
        packet.pts = packet.dts = stamp
        packet.duration = duration
        packet.time_base = base
        packet.stream = self._target
        self._output.mux(packet)

    def _mux(self, packets: list[Any]) -> None:
        for packet in packets:
            self._output.mux(packet)

    def _give_up(self, why: str) -> None:
        self._notes.append(sentence("The audio of {name} {why}.", name=self._path.name, why=why))
        log.warning("%s", self._notes[-1])
        self._target = None

    def close(self) -> None:
        """Close the file that the track is read from."""
        self._packets = iter(())
        if self._file_clock is not None:
            self._file_clock.close()
        if self._source is not None:
            self._source.close()


def _cut(frame: Any, first: int, end: int) -> Any:
    """Return the samples of a frame from `first` up to `end`, as a frame."""
    channels = 1 if frame.format.is_planar else frame.layout.nb_channels
    samples = frame.to_ndarray()[:, first * channels : end * channels]
    cut = av.AudioFrame.from_ndarray(
        np.ascontiguousarray(samples), format=frame.format.name, layout=frame.layout.name
    )
    cut.sample_rate, cut.time_base = frame.sample_rate, frame.time_base
    cut.pts = frame.pts + round(Fraction(first, frame.sample_rate) / frame.time_base)
    return cut


def can_be_copied(container: str, options: Mapping[str, str], path: Path, stream: Any, number: int) -> bool:
    """Whether a container takes a file's audio track `number`, `stream`, as it is, and players play it there."""
    return _plays_in(container, stream) and _takes(container, options, path, number)


def _plays_in(container: str, stream: Any) -> bool:
    kinds = _COPIED.get(container)
    context = stream.codec_context
    return kinds is None or (context is not None and context.codec.canonical_name in kinds)


def _takes(container: str, options: Mapping[str, str], path: Path, number: int) -> bool:
    """Return whether a muxer accepts a file's audio, by trying in memory: no list of codecs tells."""
    try:
        with (
            open_container(str(path), options={"protocol_whitelist": "file"}) as source,
            open_container(io.BytesIO(), "w", format=container, options=dict(options)) as output,
        ):
            stream = source.streams.audio[number]
            target = output.add_stream_from_template(stream)
            output.start_encoding()  # a track without packets has a header too
            for count, packet in enumerate(itertools.islice(source.demux(stream), _TRIED_PACKETS)):
                if not packet.size:
                    break
                packet.pts = packet.dts = count * 10
                packet.time_base = Fraction(1, 100)
                packet.stream = target
                output.mux(packet)
            return True
    except (*_BROKEN, OSError) as error:
        log.info("%s does not take the audio of %s as it is: %s", container, path.name, error)
        return False
