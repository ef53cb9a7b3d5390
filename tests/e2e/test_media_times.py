"""Every picture once, at its time, with its sound: clips of many containers and codecs, joined, cut and
shifted, read and exported.

A row of `CASES` is a clip; it is written here, so what is right is known, and FFmpeg's own count of its
pictures is compared too.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from media_rig import (
    FPS,
    SOUND_RATE,
    Coding,
    Part,
    beeps_in,
    is_bright,
    look_at,
    loudest_tone,
    number_in,
    shift_stamps,
    write_joined,
    write_tones,
)
from sound_rig import Stage, beeps_of, flashes_of, write_flashes
from subtitle_rig import srt, write_video

from desktop.__main__ import main
from desktop.media.audio.reader import SoundReader, usual_track
from desktop.media.frame import Frame
from desktop.media.sources._video_file import open_file
from desktop.media.sources.video import VideoSource

# A container's unit of time (Matroska: 1 ms), several times; an eighth of a picture's time.
TIME_TOLERANCE = 0.005
# A packet of sound, or half of one where it is copied across a joint, and an encoder's delay where a
# container does not note it.
SOUND_TOLERANCE = 0.035

TS, TS_AC3 = Coding(".ts"), Coding(".ts", sound="ac3")
MPG = Coding(".mpg", "mpeg2video", "mp2")
MKV, FLV, AVI = Coding(".mkv"), Coding(".flv"), Coding(".avi", sound="mp2")
MP4 = Coding(".mp4")
FRAGMENTED = Coding(".mp4", muxing=(("movflags", "frag_keyframe+empty_moov+delay_moov+default_base_moof"),))
WRAP = 2**33 / 90000
B = Part(bframes=2)


@dataclass(frozen=True)
class Case:
    """A clip: how it is written, its parts, what is done to the file then."""

    coding: Coding
    parts: tuple[Part, ...] = (B,)
    change: Callable[[Path], None] = lambda path: None
    options: tuple[str, ...] = ()
    """Of `process`."""
    lost: tuple[int, int] = (0, 0)
    """From which picture up to which FFmpeg's demuxer tells decoders to throw them away."""
    tolerance: float = TIME_TOLERANCE


CASES = {
    "mp4": Case(MP4),
    "mov": Case(Coding(".mov")),
    "mkv": Case(MKV),
    "webm vp9": Case(Coding(".webm", "libvpx-vp9", "libopus"), (Part(),)),
    "avi mpeg4": Case(Coding(".avi", "mpeg4", "mp2"), (Part(),)),
    "avi h264 with B-frames": Case(AVI),
    "avi h264 with more of them": Case(AVI, (Part(bframes=4, gop=25),)),
    "ts": Case(TS),
    "ts mpeg2": Case(Coding(".ts", "mpeg2video", "mp2")),
    "mpg": Case(MPG, (Part(3.0, bframes=2),)),
    "flv": Case(FLV),
    "begins late": Case(MKV, (Part(origin=7.0),)),
    "two joined": Case(TS, (B, B)),
    "three joined, encoded": Case(TS_AC3, (B, B, B), options=("--audio", "encode")),
    "three joined, copied": Case(TS_AC3, (B, B, B)),
    "a jump forward": Case(TS, (Part(origin=100.0, bframes=2), Part(origin=5000.0, bframes=2))),
    "a jump back": Case(TS, (Part(origin=5000.0, bframes=2), Part(origin=100.0, bframes=2))),
    "a jump back by less than a minute": Case(TS, (Part(origin=50.0), Part(origin=20.0))),
    "several jumps": Case(TS, tuple(Part(1.2, at, bframes=1) for at in (40.0, 9000.0, 10.0, 70000.0))),
    "other codings on both sides": Case(TS, (Part(bframes=3), Part(bframes=0, gop=5))),
    "the clock of 33 bits wraps": Case(TS, (Part(3.0, WRAP - 3.0, bframes=2),)),
    "it wraps, and is joined": Case(TS, (Part(origin=WRAP - 2.4), Part(origin=30.0))),
    "joined program streams": Case(MPG, (Part(2.0, bframes=2), Part(2.0, bframes=2))),
    "joined Matroska": Case(MKV, (B, B)),
    "joined fragments": Case(FRAGMENTED, (Part(), Part()), lost=(40, 50)),
    "joined flash": Case(FLV, (B, Part(bframes=2))),
    "joined WebM": Case(Coding(".webm", "libvpx", "libopus"), (Part(), Part())),
    "flash that jumps": Case(FLV, (B, Part(origin=5000.0, bframes=2))),
    "an overlap of half a second": Case(TS, (Part(origin=50.0), Part(origin=51.1))),
    "program streams that jump": Case(MPG, (Part(2.0, 3.0, bframes=2), Part(2.0, 900.0, bframes=2))),
    "pictures alone, joined": Case(Coding(".ts", sound=""), (B, B)),
    "only the pictures jump": Case(TS, (Part(3.2),), lambda path: shift_stamps(path, 0xE0, 100.0, 40)),
    "only the pictures jump back": Case(
        TS, (Part(3.2, 50.0),), lambda path: shift_stamps(path, 0xE0, -20.0, 40)
    ),
    "one picture's stamp is wrong": Case(
        TS, (Part(3.2, 50.0),), lambda path: shift_stamps(path, 0xE0, -20.0, 40, 1)
    ),
    "sound goes on for longer": Case(MP4, (Part(sound=(0.0, 4.0)),)),
    "sound begins before the picture": Case(MP4, (Part(origin=1.5, sound=(-1.5, 1.6)),)),
    "it does so in a transport stream": Case(TS, (Part(origin=9.5, sound=(-1.5, 2.4)),)),
    "it does so in Matroska": Case(MKV, (Part(origin=1.0, sound=(-1.0, 3.4)),)),
    "sound begins later and ends earlier": Case(MKV, (Part(3.2, sound=(0.3, 2.4)),)),
    "joined with sound that goes on": Case(TS, (Part(sound=(0.0, 2.8)), Part()), tolerance=0.025),
}  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A case's file, its pictures' numbers, and the time at which each belongs."""

    case: Case
    path: Path
    numbers: list[int]
    times: np.ndarray


@pytest.fixture(scope="module", params=CASES)
def made(request, tmp_path_factory) -> Made:
    case = CASES[request.param]
    path = write_joined(tmp_path_factory.mktemp("times"), case.coding, case.parts)
    case.change(path)
    times, begin = [], 0.0
    for part in case.parts:
        times += [begin + index / FPS for index in range(round(part.seconds * FPS))]
        # Where sound goes on behind the last picture, so does the file.
        rest = part.sound[1] - part.seconds if part.sound else 0.0
        begin += part.seconds + (rest if rest > 0.5 else 0.0)
    kept = [n for n in range(len(times)) if not case.lost[0] <= n < case.lost[1]]
    return Made(case, path, kept, np.array(times)[kept])


def luma_of(frame: Frame) -> np.ndarray:
    plane = frame.planes[0]
    return np.frombuffer(memoryview(plane.data), np.uint8)[: plane.stride * plane.height].reshape(
        -1, plane.stride
    )


def test_each_picture_comes_once_and_at_its_time(made):
    frames = [(frame.pts, number_in(luma_of(frame))) for frame in VideoSource(made.path).frames()]
    assert [number for _, number in frames] == made.numbers
    assert len(frames) == len(look_at(made.path).pictures)
    np.testing.assert_allclose([at for at, _ in frames], made.times, atol=made.case.tolerance)


def test_seeks_find_the_picture_of_a_time(made):
    rng = random.Random(5)
    source = VideoSource(made.path)
    for _ in range(6):
        wanted = rng.randrange(len(made.times))
        following = made.times[wanted + 1] if wanted + 1 < len(made.times) else made.times[wanted] + 0.04
        frames = source.frames_from((made.times[wanted] + following) / 2)
        frame = next(frames)
        assert number_in(luma_of(frame)) == made.numbers[wanted]
        assert frame.pts == pytest.approx(made.times[wanted], abs=made.case.tolerance)
        frames.close()


def test_sound_is_in_step_from_any_place(made):
    if not made.case.coding.sound:
        return
    source = VideoSource(made.path)
    flashes = [at for at in flashes_in(source) if is_heard(at, made)]
    assert flashes
    reader = SoundReader(lambda: open_file(made.path), 0, source.start_time, clock=source.file_clock)
    seconds = float(made.times[-1]) + 0.5
    for begin in (0.0, seconds / 2, seconds / 5):
        reader.seek(begin)
        samples = reader.read(round((seconds - begin) * SOUND_RATE))[:, 0]
        beeps = beeps_in([(begin, samples, SOUND_RATE)])
        check_in_step(
            [at for at in beeps if at > begin + 0.05], [at for at in flashes if at > begin + 0.05], made
        )
    reader.close()


def flashes_in(source: VideoSource) -> list[float]:
    seen = [(frame.pts, is_bright(luma_of(frame))) for frame in source.frames()]
    return [b[0] for a, b in itertools.pairwise(seen) if b[1] and not a[1]]


def check_in_step(beeps, flashes, made: Made) -> None:
    """Every flash that had sound has its beep."""
    apart = [
        min((abs(beep - flash) for beep in beeps), default=9.0) for flash in flashes if is_heard(flash, made)
    ]
    assert max(apart, default=0.0) <= SOUND_TOLERANCE, (beeps, flashes)


def is_heard(at: float, made: Made) -> bool:
    first = made.case.parts[0]
    if len(made.case.parts) > 1 or not first.sound:
        return True
    return first.sound[0] <= at < first.sound[1] - 0.1


def test_an_export_has_them_all(made, tmp_path):
    out = tmp_path / ("out.mkv" if made.case.coding.sound == "libopus" else "out.mp4")
    assert main(["process", str(made.path), "-o", str(out), *made.case.options]) == 0
    seen = look_at(out)
    assert seen.numbers == made.numbers
    np.testing.assert_allclose(seen.times - seen.times[0], made.times, atol=made.case.tolerance)
    if made.case.coding.sound:
        lead = max(0.0, -(made.case.parts[0].sound or (0.0,))[0])
        flashes = [at for at in seen.flashes if is_heard(at - seen.times[0], made)]
        check_in_step(seen.beeps, flashes, made)
        last = made.case.parts[-1]
        end = made.times[-1] + 0.04 + lead + max(0.0, (last.sound[1] - last.seconds) if last.sound else 0.0)
        assert seen.sound[1] - seen.sound[0] >= end - 0.2 or last.sound
        assert seen.times[0] == pytest.approx(lead, abs=0.05)


def test_a_part_of_a_joined_recording_is_that_part(tmp_path):
    path = write_joined(tmp_path, TS_AC3, (B, B, B))
    assert main(["process", str(path), "-o", str(tmp_path / "out.mp4"), "--range", "1.2-3.6"]) == 0
    seen = look_at(tmp_path / "out.mp4")
    assert seen.numbers == list(range(30, 90))
    np.testing.assert_allclose(seen.times, np.arange(60) / FPS, atol=TIME_TOLERANCE)
    flashes = [at for at in seen.flashes if at > 0.05]
    assert len(flashes) == 2
    for flash in flashes:
        assert min(abs(beep - flash) for beep in seen.beeps) <= SOUND_TOLERANCE


def test_a_joined_recording_plays_in_step(tmp_path):
    part, path = tmp_path / "part.ts", tmp_path / "joined.ts"
    write_flashes(part, seconds=2.4, codec="ac3", origin=10.0)
    path.write_bytes(part.read_bytes() * 3)
    stage = Stage(path)
    try:
        assert stage.source.info.duration == pytest.approx(7.2, abs=0.01)
        stage.play(4.0)
        stage.source.seek(5.0)
        stage.play(2.0)
        beeps, flashes = beeps_of(stage.heard), flashes_of(stage.seen)
    finally:
        stage.close()
    # At 0.4, 1.4, 2.8 and 3.8, and behind the seek at 5.2 and 6.2.
    assert len(flashes) == 6
    for flash in flashes:
        assert np.abs(beeps - flash).min() <= 0.06


def test_subtitles_are_in_step_behind_a_joint(tmp_path):
    part, path = tmp_path / "part.mkv", tmp_path / "joined.mkv"
    write_video(part, [("srt", srt().encode())])
    path.write_bytes(part.read_bytes() * 2)
    source = VideoSource(path)
    frames = source.frames()
    next(frames)
    reader = source.subtitles.reader_of(source.subtitles.tracks[0])
    for seconds, said in (
        (0.7, "First"),
        (4.7, "First"),
        (7.3, "Third"),
        (2.5, ""),
        (4.7, "First"),
        (3.2, "Third"),
    ):
        assert " ".join(cue.text for cue in reader.at(seconds)) == said
    reader.close()
    frames.close()


def test_the_default_sound_track_is_carried_over_and_another_one_if_asked(tmp_path, capsys):
    path = tmp_path / "two.mkv"
    write_tones(path, {"eng": (880.0, False), "ger": (440.0, True)})
    for options, tone_hz in (((), 440.0), (("--audio-track", "1"), 880.0), (("--audio-track", "ger"), 440.0)):
        assert main(["process", str(path), "-o", str(tmp_path / "out.mp4"), *options]) == 0
        assert loudest_tone(tmp_path / "out.mp4") == pytest.approx(tone_hz, abs=2.0)
    source = VideoSource(path)
    frames = source.frames()
    next(frames)
    assert usual_track(source.sound.tracks) == 1
    frames.close()
    assert main(["process", str(path), "-o", str(tmp_path / "out.mp4"), "--audio-track", "fra"]) == 2
    assert "1: eng" in capsys.readouterr().err


@pytest.mark.parametrize("rate", [3.0, 7.5, 25.0, 60.0])
def test_at_another_rate_each_tick_shows_the_nearest_picture(tmp_path, rate):
    path = write_joined(tmp_path, MP4, (Part(2.0),))
    assert main(["process", str(path), "-o", str(tmp_path / "out.mp4"), f"--fps={rate}"]) == 0
    seen = look_at(tmp_path / "out.mp4")
    assert len(seen.pictures) == round(2.0 * rate)
    for tick, (at, number, _) in enumerate(seen.pictures):
        assert at == pytest.approx(tick / rate, abs=TIME_TOLERANCE)
        assert abs(number / FPS - tick / rate) <= 0.5 / FPS + 1e-6 or number == 49
