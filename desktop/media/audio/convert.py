"""Decoded frames of any kind become 48 kHz stereo."""

from __future__ import annotations

from typing import Any, Final

import av
import numpy as np
from av.audio.resampler import AudioResampler

from desktop.media.audio.samples import CHANNELS, RATE

RATES: Final = range(1_000, 768_001)
MOST_CHANNELS: Final = 64
# No codec has frames of this length; a packet of 100 MB that states 1 kHz would become 38 GB.
_LONGEST_S: Final = 30
# FFmpeg gives a graph of filters a thread per core, which no filter of audio uses, and PyAV 19 frees a graph only
# when cycles are collected: seeks, or a file whose format changes at each frame, left 8 MiB of stack per thread.
_ONE_THREAD: Final[dict[str, Any]] = {"threads": 1} if int(av.__version__.split(".")[0]) >= 19 else {}


def make_resampler(format_: Any, layout: Any, rate: int, frame_size: int | None = None) -> AudioResampler:
    """Make PyAV's resampler to a format, without threads where PyAV allows that (from 19 on)."""
    return AudioResampler(format_, layout, rate, frame_size, **_ONE_THREAD)


class Converter:
    """Layout and rate may change on the way: each change gets a resampler of its own."""

    def __init__(self) -> None:
        self._resampler: AudioResampler | None = None
        self._kind: tuple[str, str, int] | None = None
        self.changed = False

    def convert(self, frame: Any) -> list[np.ndarray]:
        """Return the samples of an `av.AudioFrame` as blocks of float32 [frames, 2]. `changed`: its format
        differs from the last one's. Raises av.FFmpegError or ValueError if it cannot be converted.
        """
        kind = (frame.format.name, frame.layout.name, frame.sample_rate)
        self.changed = kind != self._kind
        if frame.sample_rate not in RATES or frame.samples > _LONGEST_S * frame.sample_rate:
            return []
        if self._resampler is None or self.changed:
            self._resampler, self._kind = make_resampler("flt", "stereo", RATE), kind
        frame.pts = None
        return [_finite(out) for out in self._resampler.resample(frame)]


def _finite(frame: Any) -> np.ndarray:
    samples = frame.to_ndarray().reshape(-1, CHANNELS)
    return np.nan_to_num(samples, nan=0.0, posinf=0.0, neginf=0.0)
