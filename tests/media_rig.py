"""Clips whose every picture has its number in it, and flashes with its beeps; joined, shifted and damaged as
recordings are.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.stream import Disposition
from sound_rig import tone

FPS = 25
SOUND_RATE = 48000
# 8 blocks of 16 x 16 for the bits of the number, and a row below them that flashes.
WIDTH, HEIGHT = 128, 64
_DARK, _BRIGHT = 40, 210


@dataclass(frozen=True)
class Part:
    """A recording.

    Attributes:
        seconds: of its pictures.
        origin: time of its first picture as it is written.
        sound: when its sound begins and ends, in seconds from the first picture; None for the pictures' own
            time, () for no sound.
        bframes, gop: of the encoder.
        size: of its pictures.
    """

    seconds: float = 1.6
    origin: float = 0.0
    sound: tuple[float, float] | tuple[()] | None = None
    bframes: int = 0
    gop: int = 10


@dataclass(frozen=True)
class Coding:
    """How a clip is written: codecs by FFmpeg's names ('' for no sound), options of the muxer."""

    suffix: str
    video: str = "libx264"
    sound: str = "aac"
    muxing: tuple[tuple[str, str], ...] = ()


def _picture(number: int, bright: bool) -> np.ndarray:
    luma = np.full((HEIGHT, WIDTH), _DARK, np.uint8)
    for bit in range(8):
        luma[:16, bit * 16 : bit * 16 + 16] = _BRIGHT if number >> bit & 1 else _DARK
    luma[32:] = _BRIGHT if bright else _DARK
    return luma


def number_in(luma: np.ndarray) -> int:
    """Return the number in a picture's luma, uint8 [height, width]."""
    return sum(int(luma[4:12, bit * 16 + 4 : bit * 16 + 12].mean() > 125) << bit for bit in range(8))


def is_bright(luma: np.ndarray) -> bool:
    """Return whether a picture flashes."""
    return bool(luma[36:60, 8:120].mean() > 125)


def marks_of(part: Part) -> list[float]:
    """Return when flashes and beeps begin in a part, in seconds from its first picture."""
    last = part.sound[1] if part.sound else part.seconds
    return [0.4 + 0.8 * k for k in range(int((max(last, part.seconds) - 0.4) / 0.8) + 1)]


def write_part(path: Path, coding: Coding, part: Part, first: int = 0) -> None:
    """Write a recording; its pictures are numbered from `first` on."""
    marks = marks_of(part)
    begin, end = (0.0, part.seconds) if part.sound is None else part.sound or (0.0, 0.0)
    with av.open(str(path), "w", options=dict(coding.muxing)) as out:
        options = {"g": str(part.gop), "bf": str(part.bframes)}
        if coding.video == "libx264":
            options |= {"preset": "ultrafast", "b-pyramid": "none", "sc_threshold": "0"}
        video = out.add_stream(coding.video, rate=FPS, options=options)
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        video.bit_rate = 800_000
        sound = (
            out.add_stream(coding.sound, rate=SOUND_RATE, layout="stereo") if coding.sound and end else None
        )
        items: list[tuple[float, int, object, object]] = []
        for index in range(round(part.seconds * FPS)):
            at = index / FPS
            bright = any(mark - 1e-6 <= at < mark + 0.1 - 1e-6 for mark in marks)
            frame = av.VideoFrame(WIDTH, HEIGHT, "yuv420p")
            frame.planes[0].update(
                _padded(_picture((first + index) % 256, bright), frame.planes[0].line_size)
            )
            for plane in frame.planes[1:]:
                plane.update(bytes([128]) * plane.buffer_size)
            frame.pts, frame.time_base = round((at + part.origin) * 90000), Fraction(1, 90000)
            items.append((at, 0, video, frame))
        if sound is not None:
            items += _sound_frames(sound, marks, begin, end, part.origin)
        for _, _, stream, frame in sorted(items, key=lambda item: item[:2]):
            out.mux(stream.encode(frame))
        for stream in (video, sound):
            if stream is not None:
                out.mux(stream.encode(None))


def _padded(luma: np.ndarray, stride: int) -> bytes:
    return np.pad(luma, ((0, 0), (0, stride - luma.shape[1]))).tobytes()


def _sound_frames(
    stream: object, marks: list[float], begin: float, end: float, origin: float
) -> Iterator[tuple[float, int, object, object]]:
    # From `begin` on, which may lie before the first picture.
    samples = tone(SOUND_RATE, end - begin, [mark - begin for mark in marks if begin <= mark < end])
    size = stream.codec_context.frame_size or 1024
    kind = stream.codec_context.format.name
    for at in range(0, len(samples), size):
        stereo = np.repeat(samples[at : at + size][None], 2, 0)
        if kind.startswith("s16"):
            stereo = (stereo * 32767).astype(np.int16)
        data = stereo if kind.endswith("p") else stereo.T.reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(data), format=kind, layout="stereo")
        frame.sample_rate, frame.time_base = SOUND_RATE, Fraction(1, SOUND_RATE)
        frame.pts = at + round((begin + origin) * SOUND_RATE)
        yield begin + at / SOUND_RATE, 1, stream, frame


def write_joined(folder: Path, coding: Coding, parts: tuple[Part, ...]) -> Path:
    """Write recordings one after the other into one file, as `cat` does; returns it."""
    joined, first = bytearray(), 0
    for number, part in enumerate(parts):
        path = folder / f"part{number}{coding.suffix}"
        write_part(path, coding, part, first)
        data = path.read_bytes()
        # An FLV's header comes once; then tags follow each other.
        joined += data[13:] if coding.suffix == ".flv" and number else data
        first += round(part.seconds * FPS)
    path = folder / f"joined{coding.suffix}"
    path.write_bytes(joined)
    return path


def shift_stamps(path: Path, kind: int, seconds: float, first: int, count: int | None = None) -> None:
    """Add to the time stamps of a transport stream's packets (PES) of one kind, leaving their order.

    Args:
        path: changed in place.
        kind: 0xE0 for pictures, 0xC0 for sound, as their stream ids begin.
        first, count: which of these packets, None for all that follow.
    """
    data, seen = bytearray(path.read_bytes()), 0
    for at in range(0, len(data) - 187, 188):
        if not data[at + 1] & 0x40:
            continue
        body = at + 4 + (data[at + 4] + 1 if data[at + 3] & 0x20 else 0)
        if data[body : body + 3] != b"\0\0\1" or data[body + 3] & 0xE0 != kind & 0xE0:
            continue
        if seen >= first and (count is None or seen < first + count):
            fields = {2: 1, 3: 2}.get(data[body + 7] >> 6, 0)
            for field in range(fields):
                _add(data, body + 9 + 5 * field, round(seconds * 90000))
        seen += 1
    path.write_bytes(data)


def _add(data: bytearray, at: int, ticks: int) -> None:
    """Add to a stamp of 33 bits, as ISO/IEC 13818-1, table 2-21, has it."""
    high, middle, low = data[at], data[at + 1] << 8 | data[at + 2], data[at + 3] << 8 | data[at + 4]
    stamp = ((high >> 1 & 7) << 30 | middle >> 1 << 15 | low >> 1) + ticks
    data[at] = high & 0xF1 | (stamp >> 30 & 7) << 1
    data[at + 1 : at + 3] = ((stamp >> 15 & 0x7FFF) << 1 | 1).to_bytes(2, "big")
    data[at + 3 : at + 5] = ((stamp & 0x7FFF) << 1 | 1).to_bytes(2, "big")


@dataclass(frozen=True)
class Seen:
    """What an independent reader finds in a file: (time, number, bright) of each picture; when beeps begin;
    where its sound lies.
    """

    pictures: tuple[tuple[float, int, bool], ...]
    beeps: tuple[float, ...] = ()
    sound: tuple[float, float] = (0.0, 0.0)

    @property
    def numbers(self) -> list[int]:
        """The pictures' numbers."""
        return [number for _, number, _ in self.pictures]

    @property
    def times(self) -> np.ndarray:
        """When pictures are shown, in seconds."""
        return np.array([at for at, _, _ in self.pictures])

    @property
    def flashes(self) -> tuple[float, ...]:
        """When dark turns to bright."""
        pairs = itertools.pairwise(self.pictures)
        return tuple(b[0] for a, b in pairs if b[2] and not a[2])


def look_at(path: Path) -> Seen:
    """Decode a file by FFmpeg alone, in order, each stamp taken as it is."""
    with av.open(str(path)) as container:
        pictures = []
        for frame in container.decode(video=0):
            luma = frame.to_ndarray(format="gray")
            pictures.append((float(frame.time or 0.0), number_in(luma), is_bright(luma)))
    with av.open(str(path)) as container:
        if not container.streams.audio:
            return Seen(tuple(pictures))
        stream = container.streams.audio[0]
        blocks = []
        for frame in container.decode(stream):
            samples = frame.to_ndarray()
            mono = samples[0] if frame.format.is_planar else samples[0, :: frame.layout.nb_channels]
            if mono.dtype == np.int16:
                mono = mono / np.float32(32768)
            blocks.append((float(frame.time), mono, frame.sample_rate))
    return Seen(
        tuple(pictures), beeps_in(blocks), (blocks[0][0], blocks[-1][0] + len(blocks[-1][1]) / blocks[-1][2])
    )


def beeps_in(blocks: list[tuple[float, np.ndarray, int]]) -> tuple[float, ...]:
    """Return when beeps begin: blocks are (time of the first sample, samples, rate)."""
    times = np.concatenate([at + np.arange(len(mono)) / rate for at, mono, rate in blocks])
    loud = times[np.concatenate([np.abs(mono) > 0.15 for _, mono, _ in blocks])]
    if not len(loud):
        return ()
    return tuple(loud[np.r_[True, np.diff(loud) > 0.2]])


def write_tones(path: Path, tracks: dict[str, tuple[float, bool]]) -> None:
    """Write a second of pictures with sound tracks: language -> (frequency of its tone in Hz, whether it is
    the default).
    """
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=FPS, options={"preset": "ultrafast"})
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        sounds = []
        for language, (frequency, is_default) in tracks.items():
            stream = out.add_stream("aac", rate=SOUND_RATE, layout="mono")
            stream.metadata["language"] = language
            stream.disposition = Disposition.default if is_default else Disposition(0)
            sounds.append((stream, frequency))
        for index in range(FPS):
            frame = av.VideoFrame(WIDTH, HEIGHT, "gray")
            frame.planes[0].update(_padded(_picture(index, False), frame.planes[0].line_size))
            frame = frame.reformat(format="yuv420p")
            frame.pts, frame.time_base = index, Fraction(1, FPS)
            out.mux(video.encode(frame))
        out.mux(video.encode(None))
        for stream, frequency in sounds:
            wave = 0.5 * np.sin(2 * np.pi * frequency * np.arange(SOUND_RATE) / SOUND_RATE).astype(np.float32)
            for at in range(0, len(wave), 1024):
                block = av.AudioFrame.from_ndarray(wave[None, at : at + 1024], format="fltp", layout="mono")
                block.sample_rate, block.time_base, block.pts = SOUND_RATE, Fraction(1, SOUND_RATE), at
                out.mux(stream.encode(block))
            out.mux(stream.encode(None))


def loudest_tone(path: Path) -> float:
    """Return the frequency of a file's first sound track that is loudest, in Hz."""
    with av.open(str(path)) as container:
        blocks = [frame.to_ndarray()[0] for frame in container.decode(audio=0)]
    samples = np.concatenate(blocks)[2048 : 2048 + SOUND_RATE // 2]
    return float(np.abs(np.fft.rfft(samples * np.hanning(len(samples)))).argmax() * SOUND_RATE / len(samples))
