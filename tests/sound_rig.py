"""Clips that flash and beep at the same moments, and what measures how far apart the two are when a clip is
played.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from waiting import until

from desktop.media.audio.devices.silent import SilentDevice
from desktop.media.audio.output import SoundOutput
from desktop.media.audio.samples import RATE
from desktop.media.sources.video import VideoSource

BEEP_S = 0.1
DARK, BRIGHT = 30, 220


def tone(rate: int, seconds: float, beeps: list[float], frequency: float = 1000.0) -> np.ndarray:
    """Return float32 [samples]: silence with beeps of 0.1 s that begin at once."""
    out = np.zeros(round(rate * seconds), np.float32)
    wave = 0.5 * np.cos(2 * np.pi * frequency * np.arange(round(BEEP_S * rate)) / rate).astype(np.float32)
    for at in beeps:
        begin = round(at * rate)
        out[begin : begin + len(wave)] = wave[: max(0, len(out) - begin)]
    return out


def clicks(times: np.ndarray, seconds: float) -> np.ndarray:
    """Return float32 [samples, 2]: clicks of 10 ms over faint noise."""
    rng = np.random.default_rng(0)
    samples = rng.normal(0, 1e-3, (round(seconds * RATE), 2)).astype(np.float32)
    for time in times:
        begin = round(time * RATE)
        samples[begin : begin + 480] += rng.normal(0, 0.3, (480, 1)).astype(np.float32)
    return samples


def write_flashes(
    path: Path,
    *,
    seconds: float = 8.0,
    fps: int = 25,
    every: float = 1.0,
    rate: int = 48000,
    layout: str = "stereo",
    codec: str = "pcm_s16le",
    sound_from: float = 0.0,
    sound_until: float | None = None,
    sound: np.ndarray | None = None,
    tracks: int = 1,
    origin: float = 0.0,
) -> list[float]:
    """Write a clip with a bright picture and a beep from 0.4 s on every `every` seconds; return when, from
    its beginning.
    """
    marks = [float(at) for at in np.arange(0.4, seconds - BEEP_S, every)]
    until = seconds if sound_until is None else sound_until
    samples = tone(rate, seconds, marks) if sound is None else sound
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=fps, options={"preset": "ultrafast", "g": str(fps), "bf": "0"})
        video.width = video.height = 32
        video.pix_fmt = "yuv420p"
        audio = [out.add_stream(codec, rate=rate, layout=layout) for _ in range(tracks)]
        pictures = range(round(seconds * fps))
        for index in pictures:
            at = index / fps
            lit = any(mark - 1e-6 <= at < mark + BEEP_S - 1e-6 for mark in marks)
            frame = av.VideoFrame(32, 32, "yuv420p")
            for number, plane in enumerate(frame.planes):
                plane.update(bytes([(BRIGHT if lit else DARK) if number == 0 else 128]) * plane.buffer_size)
            frame.pts, frame.time_base = round((at + origin) * 90000), Fraction(1, 90000)
            out.mux(video.encode(frame))
        out.mux(video.encode(None))
        for number, stream in enumerate(audio):
            size = stream.codec_context.frame_size or 1024
            channels = len(stream.layout.channels)
            for begin in range(round(sound_from * rate), round(until * rate), size):
                part = samples[begin : min(begin + size, round(until * rate))]
                if not len(part):
                    break
                data = np.repeat(part[None], channels, 0) * (1.0 if number == 0 else 0.25)
                frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(data), format="fltp", layout=layout)
                frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
                frame.pts = begin + round(origin * rate)
                out.mux(stream.encode(frame))
            out.mux(stream.encode(None))
    return marks


def decoded(path: Path, seconds: float = 20.0) -> np.ndarray:
    """The first audio track as FFmpeg decodes it: float32 [samples], from the time of the first picture on."""
    with av.open(str(path)) as container:
        begins = float(next(container.decode(video=0)).time)
    # Opened anew: a seek to the beginning leaves out what an encoder's delay puts before it, and with it the
    # first 20 ms.
    with av.open(str(path)) as container:
        out = np.zeros(round(seconds * RATE), np.float32)
        for frame in container.decode(audio=0):
            samples = frame.to_ndarray()
            mono = samples[0] if frame.format.is_planar else samples.reshape(-1, 2)[:, 0]
            at = round((float(frame.time) - begins) * RATE)
            if at < 0:
                mono, at = mono[-at:], 0
            out[at : at + len(mono)] = mono
        return out


class Clock:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Stage:
    """A video and a silent device on a clock that is turned by hand: what is seen and heard is known to the
    time, on the busiest machine.

    The clock stands while a thread has work to do, so that a slow machine does not starve what is measured.
    """

    def __init__(self, path: Path, *, step: float = 0.004, audible: bool = True) -> None:
        self.clock = Clock()
        self.heard: list[tuple[float, np.ndarray]] = []
        self.seen: list[tuple[float, float, bool]] = []  # when, which time of the file, bright
        self.notices: list[str] = []
        self.device = SilentDevice(
            clock=self.clock, heard=lambda at, block: self.heard.append((at, block.copy())), threaded=False
        )
        self.output = SoundOutput(opens=lambda choice: self.device, clock=self.clock)
        self.output.on_notice = self.notices.append
        self.source = VideoSource(path, hwaccel="none", clock=self.clock)
        if audible:
            self.source.sound.use(self.output)
        self.step = step
        self.waits_for_sound = True
        self.source.start()
        until(lambda: self.source.state not in ("idle", "opening"))

    def settled(self) -> bool:
        """True if no thread has anything to do before the clock goes on."""
        sound = self.source.sound
        sounds = not self.waits_for_sound or not sound.is_heard or sound.ahead_s >= 0.2
        return sounds and (self.source.is_settled or self.source.state == "failed")

    def play(self, seconds: float) -> None:
        """Turn the clock on, in small steps."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            until(self.settled)
            self.clock.now += self.step
            if self.source.sound.is_heard:
                until(lambda: self.output.has_device)
            self.device.advance(self.clock.now)
            self.look()

    def look(self) -> None:
        """Take the picture that is due."""
        frame = self.source.take(self.clock.now)
        if frame is not None:
            bright = np.frombuffer(memoryview(frame.planes[0].data), np.uint8)[:16].mean() > 128
            self.seen.append((self.clock.now, frame.pts, bool(bright)))

    def sound(self) -> tuple[float, np.ndarray]:
        """When the device began, and everything that it took."""
        return self.heard[0][0], np.concatenate([block for _, block in self.heard])

    def close(self) -> None:
        self.source.close()
        self.output.close()


def beginnings(on: np.ndarray, gap: int) -> np.ndarray:
    """Return the indices at which something begins that was not there for `gap` samples."""
    at = np.flatnonzero(on)
    return at[np.r_[True, np.diff(at) > gap]] if len(at) else at


def beeps_of(heard: list[tuple[float, np.ndarray]]) -> np.ndarray:
    """Return when the beeps began that a device has taken: blocks with the time of each one's first frame."""
    times = np.concatenate([at + np.arange(len(block)) / RATE for at, block in heard])
    loud = np.concatenate([np.abs(block[:, 0]) > 0.1 for _, block in heard])
    return times[beginnings(loud, RATE // 25)]


def flashes_of(seen: list[tuple[float, float, bool]]) -> np.ndarray:
    """Return when dark turned to bright."""
    return np.array(
        [
            now
            for (now, _, bright), (_, _, before) in zip(seen[1:], seen, strict=False)
            if bright and not before
        ]
    )
