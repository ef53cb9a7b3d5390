"""The audio of the video, or of an audio input."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from desktop.base.fields import Number, Selection
from desktop.base.wording import sentence
from desktop.media.audio.curves import HOP, AudioCurves, Curve
from desktop.media.audio.samples import RATE
from desktop.pipeline.automation.source import AutomationSource, Moment

_EVENTS: Final = ("onset", "beat")


def _followed(curve: Curve, seconds: float, release: float) -> float:
    """Return a curve's value at a time, which rises at once and falls by half in `release` seconds."""
    at = seconds * RATE / HOP
    if at < 0 or len(curve) == 0:
        return 0.0
    now = int(at)
    hops = release * RATE / HOP
    # After twelve halvings nothing is left.
    first = max(0, now - math.ceil(12 * hops))
    part = curve[first : now + 1]
    if len(part) == 0:
        return 0.0  # the track has ended
    ages = now - np.arange(first, first + len(part))
    fade = np.exp2(-ages / hops) if hops > 0 else (ages == 0)
    return float((part * fade).max())


def _since(audio: AudioCurves, kind: str, seconds: float) -> float | None:
    return audio.since(audio.onsets if kind == "onset" else audio.beats, seconds)


def _at(values: Mapping[str, Any], moment: Moment) -> float | None:
    audio, follow, release = moment.audio, values["follow"], values["release"]
    if audio is None:
        return None
    seconds = audio.time_of(moment.pts)
    if follow in _EVENTS:
        since = _since(audio, follow, seconds)
        strength = 0.0 if since is None else 2.0 ** (-since / release) if release > 0 else float(since < 0.02)
    else:
        curve = audio.level if follow == "level" else audio.bands[follow]
        strength = _followed(curve, seconds, release)
    return min(1.0, max(0.0, (strength - values["threshold"]) / max(1e-6, 1.0 - values["threshold"])))


SOURCE: Final = AutomationSource(
    id="audio",
    title=sentence("Audio"),
    help=sentence(
        "Follows the audio of the video or of an audio input: how loud it is, a frequency band, onsets or beats."
    ),
    order=30,
    fields=(
        Selection(
            "follow",
            "level",
            titles={
                "level": sentence("loudness"),
                "bass": sentence("bass (20 to 250 Hz)"),
                "mid": sentence("middle (250 to 2000 Hz)"),
                "treble": sentence("treble (2 to 16 kHz)"),
                "onset": sentence("onsets"),
                "beat": sentence("beats"),
            },
            label=sentence("Follow"),
            help=sentence("Loudness is in decibels, from -60 to 0. Onsets and beats are short pulses."),
        ),
        Number(
            "release",
            0.15,
            0.0,
            5.0,
            step=0.05,
            unit="s",
            label=sentence("Release"),
            help=sentence("Time in which it falls by half after a peak."),
        ),
        Number(
            "threshold",
            0.0,
            0.0,
            0.95,
            step=0.05,
            label=sentence("Threshold"),
            help=sentence("What is weaker than this is 0."),
        ),
    ),
    at=_at,
    needs=frozenset({"audio"}),
)
