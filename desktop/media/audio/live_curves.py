"""Curves of audio that is being heard, from what has been heard so far."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import SoundDeviceError
from desktop.base.wording import Text, sentence
from desktop.media.audio.curves import (
    AROUND,
    BANDS,
    HOP,
    LEAST_GAP,
    WINDOW,
    AudioCurves,
    HopReader,
    loudness,
    tempo_of,
)
from desktop.media.audio.microphone import InputOpener, microphone_listening, open_input
from desktop.media.audio.samples import RATE
from desktop.media.audio.spectrum import EDGE, SPECTRUM_WINDOW, halved

_SECOND: Final = RATE // HOP
# An automation's longest release, of 5 s, has halved what is left out of it twelve times.
_KEPT: Final = 60 * _SECOND
# Beats are those of the last eight seconds, and known for the next two.
_TEMPO: Final = 8 * _SECOND
_AHEAD: Final = 2 * _SECOND
_LEAST_ONSETS: Final = 4
_LEAST_GAP: Final = round(LEAST_GAP * RATE / HOP)
_AROUND: Final = round(AROUND * RATE / HOP)
# The most samples at once that are read: those of a device that stood still are worth nothing.
_MOST: Final = RATE // 2
# An input that gives nothing for so long is at a stop, such as after suspending it.
_STOPPED_S: Final = 0.5


class LiveCurveMaker:
    """Makes curves of the last minute of samples that come in pieces, in order. For one thread.

    An onset is where the flux exceeds what it was before, a beat is expected from the beats before.
    """

    def __init__(self) -> None:
        self._hops = HopReader()
        # So many that spectra have their window from the beginning.
        self._rest = np.zeros(WINDOW - HOP, np.float32)
        self._recent = np.zeros(2 * SPECTRUM_WINDOW + 2 * EDGE, np.float32)
        self._powers = np.zeros((1 + len(BANDS), _KEPT))
        self._flux = np.zeros(_KEPT, np.float32)
        self._heard = 0
        self._onsets: list[int] = []
        self._beats: list[float] = []
        self._tempo = 0.0

    def add(self, samples: NDArray[np.float32]) -> None:
        """Add samples at 48 kHz in -1..1: float32 [n, channels]."""
        mono = np.nan_to_num(samples[-_MOST:].mean(axis=1, dtype=np.float32), posinf=0.0, neginf=0.0)
        self._recent = np.concatenate([self._recent, mono])[-len(self._recent) :]
        self._rest = np.concatenate([self._rest, mono])
        while len(self._rest) >= WINDOW:
            self._add_hop(*self._hops.read(self._rest[:WINDOW]))
            self._rest = self._rest[HOP:]

    def _add_hop(self, powers: list[float], flux: float) -> None:
        self._powers[:, :-1] = self._powers[:, 1:]
        self._powers[:, -1] = powers
        self._flux[:-1] = self._flux[1:]
        self._flux[-1] = flux
        self._heard += 1
        before = self._flux[-1 - _AROUND : -1]
        strongest = float(self._flux[-_TEMPO:].max())
        stands_out = flux > float(before.mean()) * 1.5 + 0.02 + 0.1 * strongest
        last = self._onsets[-1] if self._onsets else -_LEAST_GAP
        # What is heard first is no onset.
        if stands_out and self._heard > _AROUND and self._heard - last >= _LEAST_GAP:
            first = self._heard - _KEPT
            self._onsets = [each for each in self._onsets if each > first] + [self._heard]
        if self._heard % _SECOND == 0:
            self._expect_beats()

    def _expect_beats(self) -> None:
        """Replace the beats to come: at the tempo of the last seconds, where the flux was strongest."""
        now, first = self._heard, self._heard - _KEPT
        self._beats = [beat for beat in self._beats if first < beat <= now]
        recent = [each for each in self._onsets if each > now - _TEMPO]
        heard = self._flux[-min(now, _TEMPO) :]
        self._tempo = tempo_of(heard) if len(recent) >= _LEAST_ONSETS else 0.0
        if self._tempo == 0.0:
            return
        period = 60.0 * _SECOND / self._tempo
        ages = np.arange(len(heard))[::-1]
        # The tempo is not exact: what was heard last says the most about when the next beat is.
        weights = heard * np.exp2(-ages / (2 * _SECOND))
        strength = np.bincount((ages % period).astype(int), weights)
        around = strength + 0.5 * (np.roll(strength, 1) + np.roll(strength, -1))
        beat = now - float(np.argmax(around)) + period
        last = self._beats[-1] if self._beats else -period
        while beat < now + _AHEAD:
            if beat - last >= period / 2:
                self._beats.append(beat)
            beat += period

    @property
    def heard(self) -> int:
        """Number of hops heard."""
        return self._heard

    def curves(self, *, stores_samples: bool = False) -> AudioCurves:
        """Return the curves of the last minute, read at its end."""
        kept = min(self._heard, _KEPT)
        levels = [loudness(powers) for powers in self._powers[:, _KEPT - kept :]]
        first = self._heard - kept + 1
        return AudioCurves(
            level=levels[0],
            bands=dict(zip(BANDS, levels[1:], strict=True)),
            onsets=(np.array(self._onsets, np.float64) - first) / _SECOND,
            beats=(np.array(self._beats, np.float64) - first) / _SECOND,
            tempo=self._tempo,
            samples=halved(self._recent)[:SPECTRUM_WINDOW] if stores_samples else None,
            # In the middle of the newest hop, where rounding cannot leave it.
            now=(kept - 0.5) / _SECOND,
        )


class LiveCurves:
    """Curves of an audio input, as `PlayedCurves`, which is open from `listen` to `stop`. Thread-safe.

    Attributes:
        opens: opens an input by its name, '' for the system's default.
        stores_samples: the curves are to have samples, for spectra.
        on_change: called on another thread when more was heard, or nothing will be; must only wake others.
    """

    def __init__(
        self, opens: InputOpener = open_input, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.opens = opens
        self.stores_samples = False
        self.on_change: Callable[[], None] = lambda: None
        self._clock = clock
        self._lock = threading.Lock()
        self._name: str | None = None
        self._end: Callable[[], None] = lambda: None
        self._maker = LiveCurveMaker()
        self._made: tuple[int, bool, AudioCurves] | None = None
        self._last = 0.0
        self._failure: SoundDeviceError | None = None

    @property
    def name(self) -> str | None:
        """The input that is open, '' for the default; None if none is."""
        return self._name

    def listen(self, name: str) -> None:
        """Open an input, on a thread; nothing if it is open, or could not be opened, already."""
        if name == self._name:
            return
        self.stop()
        maker = LiveCurveMaker()
        with self._lock:
            self._name, self._maker = name, maker

        def add(_at: float, samples: NDArray[np.float32]) -> None:
            with self._lock:
                if self._maker is not maker:
                    return
                maker.add(samples)
                self._last = self._clock()
            self.on_change()

        def fail(why: Text) -> None:
            with self._lock:
                if self._maker is not maker:
                    return
                self._failure = SoundDeviceError(why)
            self.on_change()

        gone = sentence("The audio input was disconnected, so effects do not follow it; choose another one.")
        opens = self.opens
        connect = microphone_listening(fail, lambda listener, lost: opens(name, listener, lost), gone)
        self._end = connect(add)

    def stop(self) -> None:
        """Let the input go. Twice is allowed."""
        self._end()
        with self._lock:
            self._name, self._failure, self._made = None, None, None
            self._maker = LiveCurveMaker()
            self._end = lambda: None

    @property
    def current(self) -> AudioCurves | None:
        """The curves of what was heard; None before, after a failure, and while the input is at a stop."""
        with self._lock:
            maker, wants = self._maker, self.stores_samples
            is_heard = maker.heard > 0 and self._clock() - self._last < _STOPPED_S
            if self._failure is not None or not is_heard:
                return None
            if self._made is None or self._made[:2] != (maker.heard, wants):
                self._made = (maker.heard, wants, maker.curves(stores_samples=wants))
            return self._made[2]

    @property
    def failure(self) -> SoundDeviceError | None:
        """Reason why nothing is heard; None if unknown."""
        return self._failure
