"""Scene cuts: all that a clip has, and none at fades, flashes, dissolves and fast pans."""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np
import pytest
from shots_rig import frame_of, texture, view, write_video

from desktop.__main__ import main
from desktop.media.scene_cuts import Cut, CutFinder, luma_for_cuts

RATE = 25


def _cuts(images: Iterable[np.ndarray]) -> list[Cut]:
    finder, found = CutFinder(), []
    for number, image in enumerate(images):
        found += finder.add(luma_for_cuts(frame_of(image, number / RATE)), number / RATE)
    return [*found, *finder.end()]


def _shot(seed: int, frames: int, speed: float = 2.0) -> list[np.ndarray]:
    """A slow pan with a little noise."""
    rng, still = np.random.default_rng(seed), texture(seed)
    noise = (rng.normal(0, 3, (180, 320, 3)) for _ in range(frames))
    return [
        np.clip(view(still, speed * (n - frames / 2), 0) + each, 0, 255).astype(np.uint8)
        for n, each in enumerate(noise)
    ]


def _scaled(images: list[np.ndarray], factors: np.ndarray) -> list[np.ndarray]:
    return [(image * factor).astype(np.uint8) for image, factor in zip(images, factors, strict=True)]


def test_all_cuts_are_found_at_their_frames():
    lengths = (20, 12, 30, 9, 25)
    images = [image for seed, length in enumerate(lengths) for image in _shot(seed, length)]
    assert [cut.frame for cut in _cuts(images)] == list(np.cumsum(lengths)[:-1])


def test_fades_dissolves_flashes_and_pans_are_no_cuts():
    down, up = np.linspace(1.0, 0.0, 20), np.linspace(0.0, 1.0, 20)
    faded = [*_scaled(_shot(1, 20), down), *_scaled(_shot(2, 20), up)]
    shares = np.linspace(0.0, 1.0, 25)
    dissolved = [
        (a * (1 - s) + b * s).astype(np.uint8)
        for a, b, s in zip(_shot(3, 25), _shot(4, 25), shares, strict=True)
    ]
    flashed = _shot(5, 40)
    for number in (10, 25, 26, 27):
        flashed[number] = np.full_like(flashed[number], 250)
    panned = _shot(6, 20, speed=14.0)
    for images in (faded, dissolved, flashed, panned):
        assert _cuts(images) == []


def test_a_cut_between_dark_shots_and_one_after_a_flash_are_found():
    dark = [*_scaled(_shot(1, 15), np.full(15, 0.25)), *_scaled(_shot(2, 15), np.full(15, 0.4))]
    assert [cut.frame for cut in _cuts(dark)] == [15]
    both = [*_shot(3, 20), *_shot(4, 20)]
    both[8] = np.full_like(both[8], 250)
    assert [cut.frame for cut in _cuts(both)] == [20]


def test_stills_and_single_frames_have_no_cuts():
    assert _cuts([]) == [] and _cuts([texture(1)]) == [] and _cuts([texture(1)] * 30) == []


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_the_command_writes_a_list(tmp_path, capsys, suffix):
    clip = write_video(tmp_path / "clip.mp4", [*_shot(1, 12), *_shot(2, 13)])
    target = tmp_path / f"cuts{suffix}"
    assert main(["cuts", str(clip), "-o", str(target)]) == 0
    assert capsys.readouterr().out.splitlines() == ["1 cut in 25 frames", str(target)]
    last = target.read_text().splitlines()[-1]
    found = (
        json.loads(last)
        if suffix == ".jsonl"
        else dict(zip(("frame", "time"), last.split(","), strict=False))
    )
    assert (int(found["frame"]), float(found["time"])) == (12, 0.48)


def test_the_command_prints_cuts_and_refuses_other_names(tmp_path, capsys):
    clip = write_video(tmp_path / "clip.mp4", [*_shot(1, 12), *_shot(2, 13)])
    assert main(["cuts", str(clip), "--range", "0.2-"]) == 0
    assert capsys.readouterr().out.splitlines() == ["frame 7 at 0.480 s", "1 cut in 20 frames"]
    assert main(["cuts", str(clip), "-o", str(tmp_path / "cuts.txt")]) == 2
    assert "choose one of .csv, .jsonl" in capsys.readouterr().err
