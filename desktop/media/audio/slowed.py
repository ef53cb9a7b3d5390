"""Audio of a file at a lower speed and the same pitch, for slow motion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base.errors import SoundError, SourceError
from desktop.base.wording import sentence
from desktop.media.audio.reader import SoundReader, tracks_of, usual_track
from desktop.media.audio.samples import RATE
from desktop.media.audio.tempo import Tempo
from desktop.media.containers import open_container

_BLOCK: Final = 4096
_OPTIONS: Final = {"protocol_whitelist": "file"}


class SlowedAudio:
    """One track of a file; `until` yields its blocks in order. For one thread."""

    def __init__(self, reader: SoundReader, factor: int) -> None:
        """Slow down by `factor`, from the position of the reader on."""
        self._reader, self._factor = reader, factor
        self._tempo = Tempo(1.0 / factor)
        # The filter's first sample is that of a later time.
        self._next = self._tempo.position / RATE * factor

    @classmethod
    def open(
        cls, path: Path, track: int | None, factor: int, *, origin: float, begin: float
    ) -> SlowedAudio | None:
        """Open track number `track`, None for the usual one; None if there is none, as in a folder of images.

        `origin` is the file time of the video's time 0, `begin` the video's time at which the slowed audio
        begins, both in seconds. Raise SoundError if a track is there and cannot be decoded.
        """
        if not path.is_file():
            return None
        reader: SoundReader | None = None
        try:
            number = _usual_track(path) if track is None else track
            if number is None:
                return None
            reader = SoundReader(
                lambda: open_container(str(path), options=_OPTIONS), number, origin, path.name
            )
            if begin > 0.0:
                reader.seek(begin)
            return cls(reader, factor)
        except (OSError, ValueError, SourceError) as error:
            if reader is not None:
                reader.close()
            raise SoundError(
                sentence(
                    "The audio of {name} cannot be decoded, so the slow motion has none; convert the file to "
                    "keep it.",
                    name=path.name,
                )
            ) from error

    def until(self, seconds: float) -> Iterator[tuple[float, np.ndarray]]:
        """Yield (time, float32 [frames, 2] at 48 kHz) up to a time of the slowed audio; silence behind its end."""
        while self._next < seconds:
            samples = self._tempo.feed(self._reader.read(_BLOCK))
            if len(samples):
                yield self._next, samples
                self._next += len(samples) / RATE

    def close(self) -> None:
        """Close the file."""
        self._reader.close()


def _usual_track(path: Path) -> int | None:
    try:
        with open_container(str(path), options=_OPTIONS) as container:
            return usual_track(tracks_of(container))
    except ValueError:
        return None  # of no format that FFmpeg reads, such as an animated WebP: it has no audio
