"""`process --stabilize`: residual motion by phase correlation, pans kept, stills unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from camera_rig import Camera
from shots_rig import texture, view, write_video

import lightloom
from desktop.__main__ import main

STILL = texture(3)
PAN = 1.5


def _luma(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="gray") for frame in container.decode(video=0)]


def _steps(images: Iterable[np.ndarray]) -> np.ndarray:
    """Return the motion between frames by phase correlation, an independent method: [frames - 1, 2] in pixels."""
    lumas = [image.astype(np.float32) for image in images]
    window = cv2.createHanningWindow(lumas[0].shape[::-1], cv2.CV_32F)
    return np.array([cv2.phaseCorrelate(a, b, window)[0] for a, b in pairwise(lumas)])


@pytest.fixture(scope="module")
def shaken(tmp_path_factory):
    """A pan, shaken and turned."""
    rng = np.random.default_rng(2)
    places = [
        (x + PAN * (n - 25), y, angle) for n, (x, y, angle) in enumerate(rng.normal(0, (4, 4, 0.6), (50, 3)))
    ]
    return write_video(
        tmp_path_factory.mktemp("clips") / "shaken.mp4", [view(STILL, *place) for place in places]
    )


def test_residual_motion_is_at_most_a_quarter_and_the_pan_is_kept(shaken, tmp_path, capsys):
    target, kept = tmp_path / "steady.mkv", tmp_path / "motion.json"
    command = ["process", str(shaken), "-o", str(target), "--stabilize", "1", "--codec", "ffv1"]
    assert main([*command, "--motion", str(kept)]) == 0
    assert "with 0 cuts, and enlarged by up to" in capsys.readouterr().err
    before, after = _steps(_luma(shaken)), _steps(_luma(target))
    assert len(after) == 49
    assert after.std(0).max() < before.std(0).min() / 4
    # The pan, enlarged as the frame is.
    assert PAN < -after.mean(0)[0] < 1.3 * PAN and abs(after.mean(0)[1]) < 0.3
    # The same motion again, from its file.
    first = _luma(target)
    assert main([*command, "--motion", str(kept)]) == 0
    assert "The motion is that of" in capsys.readouterr().err
    assert max(np.abs(a.astype(int) - b).max() for a, b in zip(first, _luma(target), strict=True)) <= 1
    assert len(json.loads(kept.read_text())["frames"]) == 50
    other = write_video(tmp_path / "other.mp4", [view(STILL, 0, 0)] * 50)
    assert main(["process", str(other), *command[2:], "--motion", str(kept)]) == 1
    assert "is that of another video" in capsys.readouterr().err


def test_a_still_video_stays_as_it_is(tmp_path):
    rng = np.random.default_rng(0)
    images = [
        np.clip(view(STILL, 0, 0) + rng.normal(0, 3, (180, 320, 3)), 0, 255).astype(np.uint8)
        for _ in range(12)
    ]
    clip = write_video(tmp_path / "still.mp4", images)
    for name, more in (("plain", []), ("stabilized", ["--stabilize", "1"])):
        assert (
            main(["process", str(clip), "-o", str(tmp_path / f"{name}.mkv"), "--codec", "ffv1", *more]) == 0
        )
    for first, second in zip(_luma(tmp_path / "plain.mkv"), _luma(tmp_path / "stabilized.mkv"), strict=True):
        assert np.abs(first.astype(int) - second).max() <= 1


def test_a_part_is_stabilized_by_its_own_motion(shaken, tmp_path, capsys):
    target = tmp_path / "part.mkv"
    options = ["--stabilize", "0.5", "--stabilize-edges", "mirror", "--range", "0.4-1.2"]
    assert main(["process", str(shaken), "-o", str(target), "--codec", "ffv1", *options]) == 0
    assert "enlarged by up to 0 %" in capsys.readouterr().err
    steps = _steps(_luma(target))
    assert len(steps) == 19 and steps.std(0).max() < _steps(_luma(shaken)).std(0).min() / 4


def test_a_live_source_is_stabilized_as_it_comes(tmp_path, capsys):
    camera, target = Camera(view(STILL, 0, 0)), tmp_path / "live.mkv"
    command = ["process", camera.address, "-o", str(target), "--max-frames", "14", "--codec", "ffv1"]
    try:
        assert main([*command, "--stabilize", "1"]) == 0
    finally:
        camera.stop()
    assert "wait for the next 10" in capsys.readouterr().err
    assert len(_luma(target)) == 14


def test_the_library_stabilizes_a_file(shaken):
    with lightloom.open(shaken, stabilize=1.0) as source:
        after = _steps(frame.array.mean(2) for frame in source)
    assert after.std(0).max() < _steps(_luma(shaken)).std(0).min() / 4
    for source, seconds in ((shaken, 11.0), ("screen", 1.0)):
        with pytest.raises(lightloom.errors.UsageError):
            lightloom.open(source, stabilize=seconds)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--motion", "m.json"], "add --stabilize"),
        (["--stabilize-edges", "crop"], "--stabilize-edges is about"),
        (["--stabilize", "1", "--motion", "m.txt"], "must end in .json"),
    ],
)
def test_options_that_mean_nothing_are_refused(shaken, tmp_path, capsys, options, text):
    assert main(["process", str(shaken), "-o", str(tmp_path / "out.mp4"), *options]) == 2
    assert text in capsys.readouterr().err
