"""The audio of a network stream: its packets come between those of the video."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any, Final

import av

from desktop.base.wording import sentence
from desktop.media.audio.convert import MOST_CHANNELS, RATES, Converter
from desktop.media.audio.live_voice import LiveVoice
from desktop.media.audio.output import SoundOutput
from desktop.media.audio.reader import TrackInfo, tracks_of
from desktop.media.audio.samples import RATE

log = logging.getLogger(__name__)

_BROKEN: Final = (av.FFmpegError, LookupError, ValueError, TypeError, ArithmeticError)
_GIVE_UP: Final = 100
# It is not audible that audio is earlier or later than its video by less.
_NOTICEABLE: Final = 0.02


class LiveSound:
    """Silent until it was given an output, before the source is opened; then where the stream has a track."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._lock = threading.Lock()
        self._output: SoundOutput | None = None
        self._voice: LiveVoice | None = None
        self._requested: int | None = 0
        self._failures = 0
        self._is_reported = False
        self._converter = Converter()
        self._next = self._later = 0.0
        self._stream: Any = None
        self.tracks: tuple[TrackInfo, ...] = ()

    def use(self, output: SoundOutput) -> None:
        """Be heard there, from the next time that the stream is opened."""
        self._output = output

    @property
    def has_listener(self) -> bool:
        """True if there is a listener: the audio of a stream is read only then."""
        return self._output is not None

    @property
    def track(self) -> int | None:
        """The number of the track that is heard, None for none."""
        return self._requested if self.tracks else None

    def use_track(self, index: int | None) -> None:
        """Hear another track from now on, or none."""
        with self._lock:
            self._requested, self._failures, self._converter = index, 0, Converter()
            self._is_reported = False
        if self._voice is not None:
            self._voice.clear()

    # -- the source's thread ---------------------------------------------------------------------------------

    def open(self, container: Any) -> None:
        """A stream was opened, whose packets follow."""
        if self._output is None:
            return
        self.tracks = tracks_of(container)
        self._converter, self._failures = Converter(), 0
        if any(track.index == self._requested and not track.is_readable for track in self.tracks):
            self._give_up()
        if self.tracks and self._voice is None:
            self._voice = LiveVoice(self._output)
        if self._voice is not None:
            self._voice.clear()

    def take(self, container: Any, packet: Any) -> None:
        """Take a packet, which is of one of its tracks or of another stream."""
        with self._lock:
            voice, wanted = self._voice, self._requested
            if voice is None or wanted is None or self._failures >= _GIVE_UP:
                return
            streams = container.streams.audio
            context = packet.stream.codec_context
            if wanted >= len(streams) or streams[wanted].index != packet.stream.index or context is None:
                return
            # Of audio that begins later than what is read to detect the format, 0 is known until it is decoded.
            if (context.sample_rate and context.sample_rate not in RATES) or context.channels > MOST_CHANNELS:
                self._give_up()
                return
            try:
                self._decode(voice, packet)
                self._failures = 0
            except _BROKEN as error:
                self._fail(error)

    def _decode(self, voice: LiveVoice, packet: Any) -> None:
        for frame in packet.decode():
            at = self._next if frame.pts is None else float(frame.pts * frame.time_base)
            for samples in self._converter.convert(frame):
                voice.add(at, samples)
                at += len(samples) / RATE
            self._next = at

    def _fail(self, error: BaseException) -> None:
        self._failures += 1
        log.debug("%s: %s", self._title, error)
        if self._failures == _GIVE_UP:
            self._give_up()

    def _give_up(self) -> None:
        """Decode no more audio of this connection, and say so."""
        self._failures = _GIVE_UP
        # Once, and not for each connection.
        if self._output is not None and not self._is_reported:
            self._is_reported = True
            self._output.notify(
                sentence(
                    "The audio of {name} cannot be decoded and is left out; set another audio codec in the camera or "
                    "sender.",
                    name=self._title,
                )
            )

    def show(self, seconds: float, later: float = 0.0) -> None:
        """A frame with this time stamp was put in the slot, and is shown so many seconds later."""
        if self._voice is None:
            return
        if abs(later - self._later) > _NOTICEABLE:
            self._later = later
            self._voice.clear()  # it begins again, in step
        self._voice.show(seconds, time.perf_counter() + self._later)

    def close(self) -> None:
        """Be heard no more."""
        if self._voice is not None:
            self._voice.close()
