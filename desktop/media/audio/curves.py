"""Curves of an audio track over time: its level, frequency bands, onsets and beats, for effects that follow it.

Computed from samples alone, on hops of 10 ms, so that a time has the same values each time it is read.
Onsets are peaks of the spectral flux (Bello et al., "A Tutorial on Onset Detection in Music Signals", 2005); beats
follow them at the tempo of their autocorrelation (Ellis, "Beat Tracking by Dynamic Programming", 2007).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from desktop.media.audio.samples import RATE
from desktop.media.audio.spectrum import STORED_RATE, SampleStore, spectrum_at

HOP: Final = RATE // 100
"""Samples from value to value of a curve: 10 ms."""
BANDS: Final[Mapping[str, tuple[float, float]]] = {
    "bass": (20.0, 250.0),
    "mid": (250.0, 2000.0),
    "treble": (2000.0, 16000.0),
}
"""Frequency bands in Hz."""

WINDOW: Final = 2048
"""Samples that a value of a curve is computed from."""
# Decibels below full scale that are shown as 0.
_FLOOR: Final = -60.0
AROUND: Final = 0.1
"""Seconds on either side over which a peak of the flux must stand out."""
LEAST_GAP: Final = 0.05
"""Seconds from onset to onset."""
_SLOWEST, _FASTEST, _USUAL = 60.0, 180.0, 120.0

Curve = NDArray[np.float32]
"""float32 [hops]."""


@dataclass(frozen=True)
class AudioCurves:
    """Curves of a track from its time 0.

    Attributes:
        level: loudness in 0..1: decibels of the RMS from -60 to 0.
        bands: the same for each of BANDS.
        onsets: times of onsets, in seconds, ascending.
        beats: times of beats, in seconds, ascending; empty without a tempo.
        tempo: beats per minute; 0 if there are too few onsets.
        samples: for `spectrum`; None unless they were stored.
        now: for live audio, the time at which every frame reads them; None for that of the frame. `samples` are
            then those around it alone.
    """

    level: Curve
    bands: Mapping[str, Curve]
    onsets: NDArray[np.float64]
    beats: NDArray[np.float64]
    tempo: float
    samples: NDArray[np.int16] | None = None
    now: float | None = None

    def time_of(self, pts: float) -> float:
        """Return the time at which a frame of a presentation time reads them."""
        return pts if self.now is None else self.now

    def spectrum(self, pts: float) -> NDArray[np.float32] | None:
        """Return `spectrum_at` the time of a frame; None without samples."""
        if self.samples is None:
            return None
        return spectrum_at(self.samples, pts if self.now is None else len(self.samples) / STORED_RATE / 2)

    @property
    def seconds(self) -> float:
        """How long they are."""
        return len(self.level) * HOP / RATE

    def since(self, times: NDArray[np.float64], seconds: float) -> float | None:
        """Return the seconds since the last of `times` (ascending) at the time `seconds`; None before the first."""
        index = int(np.searchsorted(times, seconds + 1e-9))
        return seconds - float(times[index - 1]) if index else None


class HopReader:
    """Reads what curves are made of from windows of WINDOW samples, one a hop, in order. For one thread."""

    def __init__(self) -> None:
        self._window = np.hanning(WINDOW).astype(np.float32)
        self._before: NDArray[np.float32] | None = None
        frequencies = np.fft.rfftfreq(WINDOW, 1 / RATE)
        self._masks = [(frequencies >= a) & (frequencies < b) for a, b in BANDS.values()]

    def read(self, samples: NDArray[np.float32]) -> tuple[list[float], float]:
        """Return the power in all and in each of BANDS, 1 for a full-scale sine, and the spectral flux."""
        windowed = samples * self._window
        spectrum = np.abs(np.fft.rfft(windowed)).astype(np.float32)
        # Scaled so that a full-scale sine reads 0 dB, as on audio meters.
        scale = 2.0 / float((self._window**2).sum())
        power = spectrum**2 * (2.0 * scale / WINDOW)
        powers = [float((windowed**2).sum()) * scale, *(float(power[mask].sum()) for mask in self._masks)]
        compressed = np.log1p(1000.0 * spectrum / WINDOW)
        rise = compressed - self._before if self._before is not None else compressed * 0
        self._before = compressed
        return powers, float(np.maximum(rise, 0).mean())


class CurveMaker:
    """Makes curves of samples that come in pieces, in order. For one thread."""

    def __init__(self, *, stores_samples: bool = False) -> None:
        """Begin; `stores_samples`: spectra are needed too, which takes 48 KB a second."""
        self._store = SampleStore() if stores_samples else None
        self._rest = np.zeros(WINDOW // 2, np.float32)  # so that a hop is in the middle of its window
        self._hops = HopReader()
        # Eight bytes a value: four hours have 60 MB.
        self._powers = {name: array("d") for name in ("level", *BANDS)}
        self._flux = array("d")

    def add(self, samples: NDArray[np.float32]) -> None:
        """Add samples at 48 kHz in -1..1: float32 [n, channels]."""
        mono = samples.mean(axis=1, dtype=np.float32)
        if self._store is not None:
            self._store.add(mono)
        self._append(mono)

    def _append(self, mono: NDArray[np.float32]) -> None:
        self._rest = np.concatenate([self._rest, mono])
        while len(self._rest) >= WINDOW:
            powers, flux = self._hops.read(self._rest[:WINDOW])
            for series, power in zip(self._powers.values(), powers, strict=True):
                series.append(power)
            self._flux.append(flux)
            self._rest = self._rest[HOP:]

    def finish(self) -> AudioCurves:
        """Return the curves of all samples."""
        self._append(np.zeros(WINDOW // 2, np.float32))
        levels = {name: loudness(np.array(powers)) for name, powers in self._powers.items()}
        flux = np.array(self._flux, np.float32)
        onsets = _onsets(flux)
        tempo = tempo_of(flux) if len(onsets) >= 4 else 0.0
        beats = _beats(flux, tempo) if tempo else np.zeros(0)
        samples = self._store.finish() if self._store is not None else None
        return AudioCurves(levels.pop("level"), levels, onsets, beats, tempo, samples)


def loudness(power: NDArray[np.float64]) -> Curve:
    """Return powers as decibels from -60 to 0 in 0..1."""
    decibels = 10 * np.log10(np.maximum(power, 1e-12))
    return np.clip(1 - decibels / _FLOOR, 0, 1).astype(np.float32)


def _onsets(flux: Curve) -> NDArray[np.float64]:
    """Return the times of peaks of the flux that stand out of what is around them."""
    if len(flux) == 0:
        return np.zeros(0)
    around = max(1, round(AROUND * RATE / HOP))
    padded = np.pad(flux, around)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * around + 1)
    threshold = windows.mean(axis=1) * 1.5 + 0.02 + 0.1 * float(flux.max())
    is_peak = (flux >= windows.max(axis=1)) & (flux > threshold)
    times = np.flatnonzero(is_peak) * HOP / RATE
    kept: list[float] = []
    for time in times:
        if not kept or time - kept[-1] >= LEAST_GAP:
            kept.append(float(time))
    # The flux peaks when the onset is a quarter of a window after its center, where the window is steepest.
    return np.array(kept) + WINDOW / 4 / RATE


def tempo_of(flux: Curve) -> float:
    """Return the tempo in beats per minute by the autocorrelation of the flux."""
    centered = flux - flux.mean()
    size = 1 << (2 * len(centered) - 1).bit_length()
    spectrum = np.fft.rfft(centered, size)
    correlation = np.fft.irfft(np.abs(spectrum) ** 2, size)[: len(centered)]
    per_minute = 60.0 * RATE / HOP
    lags = np.arange(int(per_minute / _FASTEST), min(int(per_minute / _SLOWEST) + 1, len(correlation)))
    if len(lags) == 0:
        return 0.0
    # Multiples of the period correlate alike; listeners prefer a tempo near 120.
    preference = np.exp(-0.5 * np.log2(per_minute / lags / _USUAL) ** 2)
    return float(per_minute / lags[int(np.argmax(correlation[lags] * preference))])


def _beats(flux: Curve, tempo: float) -> NDArray[np.float64]:
    """Return the times of beats: the path through the flux with the best sum of strength and regularity."""
    period = 60.0 * RATE / HOP / tempo
    strength = flux / max(float(flux.std()), 1e-9)
    score = strength.astype(np.float64)
    before = np.full(len(flux), -1)
    steps = np.arange(-round(2 * period), -round(period / 2) + 1)
    penalty = -100.0 * np.log(-steps / period) ** 2
    for at in range(len(flux)):
        places = at + steps
        valid = places >= 0
        if valid.any():
            options = np.where(valid, score[np.maximum(places, 0)] + penalty, -np.inf)
            best = int(np.argmax(options))
            score[at] += options[best]
            before[at] = places[best]
    path = [int(len(flux) - round(period) + np.argmax(score[len(flux) - round(period) :]))]
    while before[path[-1]] >= 0:
        path.append(int(before[path[-1]]))
    return np.array(path[::-1]) * HOP / RATE + WINDOW / 4 / RATE
