"""Spectrum and waveform of an audio track at a time, for filters that read the audio.

Computed from stored samples alone, so that a time has the same values live, after a seek and in an export.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from desktop.media.audio.samples import RATE

BINS: Final = 512
"""Values of a spectrum, from 0 to HIGHEST, and samples of a waveform."""
STORED_RATE: Final = RATE // 2
"""Rate of the stored samples, in Hz."""
HIGHEST: Final = STORED_RATE / 2
"""Frequency in Hz at which a spectrum ends."""

SPECTRUM_WINDOW: Final = 2 * BINS
"""Samples at STORED_RATE that a spectrum is computed from."""
_FLOOR: Final = -80.0  # decibels that read 0
_TAPS: Final = 63
EDGE: Final = _TAPS // 2
"""Samples at 48 kHz that halving the rate needs on either side."""


def _half_band() -> NDArray[np.float32]:
    """Return a low-pass filter that leaves out what half the rate cannot hold: a windowed sinc."""
    at = np.arange(_TAPS) - _TAPS // 2
    kernel = np.sinc(at / 2) * np.hanning(_TAPS + 2)[1:-1]
    return (kernel / kernel.sum()).astype(np.float32)


_KERNEL: Final = _half_band()


def halved(samples: NDArray[np.float32]) -> NDArray[np.int16]:
    """Return samples at STORED_RATE of mono ones at 48 kHz, of which EDGE on either side are left out."""
    kept = np.convolve(samples, _KERNEL, "valid")[::2]
    return np.round(np.clip(kept, -1, 1) * 32767).astype(np.int16)


class SampleStore:
    """Stores a track's samples as 16-bit mono at STORED_RATE: 48 KB a second. For one thread."""

    def __init__(self) -> None:
        self._rest = np.zeros(EDGE, np.float32)
        self._parts: list[NDArray[np.int16]] = []

    def add(self, samples: NDArray[np.float32]) -> None:
        """Add mono samples at 48 kHz in -1..1: float32 [n]."""
        joined = np.concatenate([self._rest, samples])
        if len(joined) >= _TAPS:
            self._parts.append(halved(joined))
            joined = joined[2 * len(self._parts[-1]) :]
        self._rest = joined

    def finish(self) -> NDArray[np.int16]:
        """Return all samples."""
        self.add(np.zeros(EDGE, np.float32))
        return np.concatenate([np.zeros(0, np.int16), *self._parts])


def spectrum_at(samples: NDArray[np.int16], seconds: float) -> NDArray[np.float32]:
    """Return float32 [2, BINS]: the spectrum about a time in 0..1, decibels of a sine from -80 to 0, and the
    waveform about it in -1..1. Before the beginning and after the end there is silence.
    """
    middle = round(seconds * STORED_RATE) if np.isfinite(seconds) else -SPECTRUM_WINDOW
    window = np.zeros(SPECTRUM_WINDOW, np.float32)
    first = middle - SPECTRUM_WINDOW // 2
    begin, end = max(0, first), min(len(samples), first + SPECTRUM_WINDOW)
    if begin < end:
        window[begin - first : end - first] = samples[begin:end] / np.float32(32767)
    shape = np.hanning(SPECTRUM_WINDOW).astype(np.float32)
    amplitude = np.abs(np.fft.rfft(window * shape))[:BINS] * (2.0 / float(shape.sum()))
    decibels = 20 * np.log10(np.maximum(amplitude, 1e-6))
    spectrum = np.clip(1 - decibels / _FLOOR, 0, 1)
    waveform = window[SPECTRUM_WINDOW // 4 : SPECTRUM_WINDOW // 4 + BINS]
    return np.stack([spectrum, waveform]).astype(np.float32)
