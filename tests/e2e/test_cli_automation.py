"""`lightloom process` with automations: exported frames against formulas and the audio of the clip."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from script_rig import color_finder
from sound_rig import write_flashes

from desktop.__main__ import main
from desktop.media.sources.video import VideoSource

FPS = 25


@pytest.fixture
def gray(tmp_path) -> Path:
    """A clip of 1 s with a flash."""
    path = tmp_path / "gray.mkv"
    write_flashes(path, seconds=1.0, every=9.0, sound=np.zeros(48000, np.float32))
    return path


def means(folder: Path, source: object, *arguments: object) -> np.ndarray:
    """Return the mean of each frame that `lightloom process` writes, in 0..1."""
    out = folder / "frames"
    out.mkdir(exist_ok=True)
    assert main(["process", str(source), "-o", str(out / "%04d.png"), *map(str, arguments)]) == 0
    return np.array([cv2.imread(str(file)).mean() / 255 for file in sorted(out.glob("*.png"))])


@pytest.mark.parametrize(
    ("automation", "expected"),
    [
        (
            "lfo(period=0.8,low=0.1,high=0.9)",
            lambda t: 0.1 + 0.8 * (0.5 - 0.5 * math.cos(2 * math.pi * t / 0.8)),
        ),
        ("lfo(shape=sawtooth,period=0.5)", lambda t: t / 0.5 - math.floor(t / 0.5 + 1e-9)),
        (
            "key_frames(0=1 0.4=0.2 0.8=1:hold)",
            lambda t: 1 - 2 * t if t < 0.4 else min(1.0, 0.2 + 2 * (t - 0.4)),
        ),
    ],
)
def test_exported_frames_follow_the_formula(tmp_path, gray, automation, expected):
    (tmp_path / "plain").mkdir()
    plain = means(tmp_path / "plain", gray)
    found = means(
        tmp_path,
        gray,
        "--filter",
        "brightness_contrast:brightness=1",
        "--automate",
        f"1.opacity={automation}",
    )
    share = np.array([expected(number / FPS) for number in range(len(found))])
    # The effect adds 1 to the frame, of which the share is mixed in; what is above 1 is cut off in the end.
    assert len(found) == FPS
    assert np.abs(found - np.minimum(plain + share, 1.0)).max() <= 1 / 255


def test_a_flash_follows_the_clicks_of_the_clip(tmp_path):
    """The exported video is as bright as its beeps are late, to 20 ms."""
    source, out = tmp_path / "clip.mkv", tmp_path / "out.mkv"
    clicks = np.zeros(48000 * 3, np.float32)
    times = [0.4, 1.0, 1.52, 2.2]
    for at in times:
        clicks[round(at * 48000) :][:480] = 0.7 * np.random.default_rng(1).uniform(-1, 1, 480)
    write_flashes(source, seconds=3.0, every=9.0, fps=100, sound=clicks)
    arguments = ["process", str(source), "-o", str(out), "--filter", "brightness_contrast:brightness=1"]
    assert main([*arguments, "--automate", "1.opacity=audio(follow=onset,release=0.05)"]) == 0
    video = VideoSource(out)
    seen = [
        (frame.pts, float(np.frombuffer(frame.planes[0].data, np.uint8).mean())) for frame in video.frames()
    ]
    video.close()
    levels = np.array([level for _, level in seen])
    # The picture of the clip itself flashes at 0.4 s.
    rising = [seen[n][0] for n in range(1, len(seen)) if levels[n] - levels[n - 1] > 40]
    for at in times:
        assert min(abs(at - time) for time in rising) <= 0.02, (at, rising)
    assert len(rising) <= len(times) + 1


@pytest.mark.parametrize(
    ("automation", "said"),
    [
        ("1.opacity=midi", "follows MIDI, which only the window receives"),
        ("1.opacity=osc", "follows OSC, which only the window receives"),
        ("1.opacity=detections", "follows what an analysis network finds, and there is none"),
        ("1.opacity=lfo(high=2)", "give a number from 0 to 1"),
        ("2.opacity=lfo", "is of the effect 2, and the chain has 1"),
    ],
)
def test_what_cannot_be_followed_ends_the_work_with_a_sentence(tmp_path, gray, capsys, automation, said):
    out = tmp_path / "out.png"
    assert main(["process", str(gray), "-o", str(out), "--filter", "sepia", "--automate", automation]) == 2
    printed = capsys.readouterr().err
    assert said in printed and printed.count("\n") == 1 and not out.exists()


def test_audio_that_is_not_there_ends_the_work(tmp_path, capsys):
    silent, picture, out = tmp_path / "silent.mkv", tmp_path / "a.png", tmp_path / "out.png"
    write_flashes(silent, seconds=0.4, tracks=0)
    cv2.imwrite(str(picture), np.zeros((16, 16, 3), np.uint8))
    more = ("--filter", "sepia", "--automate", "1.opacity=audio")
    assert main(["process", str(silent), "-o", str(out), *more]) == 1
    assert capsys.readouterr().err == "lightloom: silent.mkv has no audio; choose a video with audio.\n"
    assert main(["process", str(picture), "-o", str(out), *more]) == 1
    printed = capsys.readouterr().err
    assert "'sepia' follows the audio, which only a video file has" in printed and printed.count("\n") == 1
    assert not out.exists()


def test_a_filter_reads_the_audio_of_the_file(tmp_path, capsys):
    video, silent, out = tmp_path / "in.mkv", tmp_path / "silent.mkv", tmp_path / "out.mkv"
    tone = np.sin(2 * np.pi * 1000 * np.arange(19200) / 48000).astype(np.float32)
    write_flashes(video, seconds=0.4, every=9.0, sound=tone)
    write_flashes(silent, seconds=0.4, tracks=0)
    assert main(["process", str(silent), "-o", str(out), "--filter", "spectrum"]) == 1
    assert capsys.readouterr().err == "lightloom: silent.mkv has no audio; choose a video with audio.\n"
    assert main(["process", str(video), "-o", str(tmp_path / "no.mkv"), "--filter", "spotlight"]) == 2
    assert "'spotlight' reads what an analysis network finds" in capsys.readouterr().err
    bars = "spectrum:height=100,gap=0,color=#ff0000"
    assert main(["process", str(video), "-o", str(out), "--filter", bars]) == 0
    with av.open(str(out)) as container:
        found = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]
    assert max((frame[..., 0] - frame[..., 1] > 100).mean() for frame in found) > 0.05


def test_a_look_with_an_automation_of_detections(tmp_path):
    picture = np.full((64, 64, 3), 20, np.uint8)
    picture[16:32, 24:40] = (0, 0, 255)
    source, look = tmp_path / "in.png", tmp_path / "look.toml"
    cv2.imwrite(str(source), picture)
    look.write_text(
        """
        lightloom = 2
        [[filter]]
        name = "brightness_contrast"
        values = { brightness = 1.0 }
        [[filter.automation]]
        of = "opacity"
        source = "detections"
        values = { most = 2, classes = ["red"] }
        """
    )
    model = color_finder(tmp_path / "colors.onnx")
    out = tmp_path / "out.png"
    arguments = ["process", str(source), "-o", str(out), "--look", str(look), "--model", str(model)]
    # In a process of its own: the overlay makes Qt's application, and the window's tests have one of another kind.
    done = subprocess.run(
        [sys.executable, "-m", "desktop", *arguments, "--overlay"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert out.exists()


def test_pages_refuse_automations(tmp_path, capsys):
    look = tmp_path / "look.toml"
    look.write_text(
        'lightloom = 2\n[[filter]]\nname = "sepia"\n[[filter.automation]]\nof = "opacity"\nsource = "lfo"\n'
    )
    assert main(["export-web", str(look), "-o", str(tmp_path / "site")]) == 1
    assert "has automations, and the page cannot do that" in capsys.readouterr().err
