"""Clips for runs on many workers, and what is in videos by PyAV alone."""

from __future__ import annotations

import hashlib
from pathlib import Path

import av
import numpy as np


def make_clip(path: Path, pictures: int, *, gop: int = 10, seed: int = 0, sound: bool = False) -> Path:
    """A video of 64 x 64 at 25 pictures a second with B-frames and a key frame every `gop` pictures, each of
    them another one.
    """
    noise = np.random.default_rng(seed).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        stream.codec_context.gop_size = gop
        stream.options = {"bf": "2", "qscale": "2"}
        track = container.add_stream("mp2", rate=48000) if sound else None
        for number in range(pictures):
            picture = np.ascontiguousarray(np.roll(noise, 3 * number, axis=1))
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
        if track is not None:
            tone = (np.sin(np.arange(pictures * 1920) * 0.05) * 8000).astype(np.int16)[None]
            frame = av.AudioFrame.from_ndarray(np.repeat(tone, 2, axis=1), format="s16", layout="stereo")
            frame.rate = 48000
            container.mux(track.encode(frame))
            container.mux(track.encode(None))
    return path


def pictures_of(path: Path) -> list[tuple[float, str]]:
    """The time and the hash of each decoded picture."""
    with av.open(str(path)) as container:
        return [
            (
                round(float(frame.pts * frame.time_base), 6),
                hashlib.sha256(frame.to_ndarray(format="rgb24").tobytes()).hexdigest(),
            )
            for frame in container.decode(video=0)
        ]


def sound_of(path: Path) -> list[tuple[float, str]]:
    """The time and the hash of each packet of sound."""
    with av.open(str(path)) as container:
        return [
            (
                round(float(packet.pts * packet.time_base), 3),
                hashlib.sha256(bytes(packet)).hexdigest(),
            )
            for packet in container.demux(audio=0)
            if packet.size
        ]


def key_times(path: Path) -> list[float]:
    """The times of the key frames, by the decoder."""
    with av.open(str(path)) as container:
        return [float(frame.pts * frame.time_base) for frame in container.decode(video=0) if frame.key_frame]
