"""Inputs that a filter can request besides the image: the audio, the mask of its stage, and objects."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from desktop.media.audio.spectrum import BINS
from desktop.vision.tasks.shapes import Extents

INPUTS: Final = ("audio", "mask", "tracks")
"""Names of the inputs, which are also those in WGSL."""
INPUT_NEEDS: Final[Mapping[str, frozenset[str]]] = {
    "audio": frozenset({"audio", "spectrum"}),
    "tracks": frozenset({"results"}),
}
"""Data that a frame must provide for each input, named as in `AutomationSource.needs`; 'spectrum' stands for
audio curves that store samples."""

AUDIO_FORMAT: Final = "r16float"
AUDIO_SIZE: Final = (BINS, 2)
MAX_TRACKS: Final = 32
TRACKS_STRUCT: Final = (
    "struct Track { box: vec4f, velocity: vec2f, score: f32, label: i32, identity: u32, lightloom_pad_a: u32, "
    "lightloom_pad_b: u32, lightloom_pad_c: u32 }\n"
    "struct Tracks { count: u32, age: f32, lightloom_pad_a: u32, lightloom_pad_b: u32, "
    f"items: array<Track, {MAX_TRACKS}> }}"
)
_HEAD_BYTES: Final = 16
_TRACK_BYTES: Final = 48
TRACKS_BYTES: Final = _HEAD_BYTES + MAX_TRACKS * _TRACK_BYTES


@dataclass(frozen=True)
class Track:
    """An object in a frame.

    Attributes:
        box: (left, top, right, bottom) as fractions of the frame.
        velocity: of the box's center, in fractions of the frame per second; 0 without tracking.
        score: 0..1; 1 if the network gives none.
        label: number of the class.
        identity: number of the track; 0 without tracking.
    """

    box: Extents
    velocity: tuple[float, float] = (0.0, 0.0)
    score: float = 1.0
    label: int = 0
    identity: int = 0


@dataclass(frozen=True)
class InputValues:
    """Values of a frame's inputs.

    Attributes:
        audio: float32 [2, BINS] of `spectrum_at`; None for silence.
        tracks: objects, the largest first.
        age: seconds by which the result that they are from is older than the frame.
    """

    audio: NDArray[np.float32] | None = None
    tracks: tuple[Track, ...] = ()
    age: float = 0.0

    def audio_texels(self) -> bytes:
        """Return the texels of the audio texture: the spectrum, then the waveform."""
        audio = np.zeros((2, BINS), np.float32) if self.audio is None else self.audio
        return audio.astype(np.float16).tobytes()

    def packed_tracks(self) -> bytes:
        """Return the `Tracks` uniform."""
        tracks = self.tracks[:MAX_TRACKS]
        packed = b"".join(
            struct.pack("<7fiI12x", *t.box, *t.velocity, t.score, t.label, t.identity) for t in tracks
        )
        return (struct.pack("<If8x", len(tracks), self.age) + packed).ljust(TRACKS_BYTES, b"\0")


def _stand_in() -> InputValues:
    at = np.arange(BINS)
    spectrum = 0.85 * np.exp(-at / 160) * (0.75 + 0.25 * np.cos(at / 9))
    audio = np.stack([spectrum, 0.6 * np.sin(at / 20)]).astype(np.float32)
    return InputValues(audio, (Track((0.35, 0.2, 0.65, 0.9), identity=1),))


STAND_IN: Final = _stand_in()
"""Inputs of previews, which have neither audio nor results: a falling spectrum, and an object in the middle."""
FULL: Final = InputValues(
    np.ones((2, BINS), np.float32),
    tuple(Track((0.0, 0.0, 1.0, 1.0), identity=n + 1) for n in range(MAX_TRACKS)),
)
"""Inputs that are as large as they can be, for trials."""
