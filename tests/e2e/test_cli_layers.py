"""`lightloom process` with layers, as the documentation writes it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run `process` in a folder."""
    command = [sys.executable, "-m", "desktop", "process", *options]
    path = str(Path(__file__).resolve().parents[2])
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        timeout=300,
    )


def test_a_counter_and_a_picture_in_the_picture_are_burned_in(tmp_path) -> None:
    red = np.full((20, 20, 4), (255, 0, 0, 255), np.uint8)
    Image.fromarray(red, "RGBA").save(tmp_path / "red.png")
    done = run(
        tmp_path,
        *("sample:320x180@10", "-o", "%02d.png", "--max-frames", "3", "--report", "r.json"),
        *("--layer", "text:value={frame},size=0.2,color=#00ff00,outline=0,background=#0000ff"),
        *("--layer", "image:path=red.png,x=0.5,y=0.5,width=0.25,height=0.25,fit=stretch"),
        *("--layer", "video:path=sample:160x90@5,x=0.75,y=0,width=0.25"),
        *("--layer-filter", "2=invert"),
    )
    assert done.returncode == 0, done.stderr
    first, second, third = (np.array(Image.open(tmp_path / f"{n:02}.png").convert("RGB")) for n in (1, 2, 3))
    # Text: letters on a blue ground as high as a fifth of the image and its margins, other ones in each frame.
    assert tuple(first[2, 2]) == (0, 0, 255)
    green = [np.argwhere((image[:50, :50] == (0, 255, 0)).all(2)) for image in (first, second, third)]
    assert all(len(found) > 20 for found in green)
    assert len({len(found) for found in green}) == 3
    # Image: inverted red, where it was put.
    assert (first[91:134, 161:239] == (0, 255, 255)).all()
    # Video: at five images a second, the second frame has the same as the first.
    corner = np.s_[:45, 240:]
    assert (first[corner] == second[corner]).all() and not (second[corner] == third[corner]).all()
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert [stage["name"] for stage in report["stages"] if stage["name"].startswith("layer ")] == [
        "layer 1",
        "layer 2",
        "layer 3",
    ]


def test_a_layer_that_cannot_be_drawn_ends_the_run(tmp_path) -> None:
    done = run(
        tmp_path, "sample:64x64", "-o", "out.mp4", "--max-frames", "2", "--layer", "video:path=gone.mp4"
    )
    assert done.returncode == 1
    assert "The layer 'gone.mp4' is not drawn. There is no file gone.mp4" in done.stderr
    assert not list(tmp_path.glob("out*"))


def test_looks_are_switched_and_faded_by_the_time_of_the_frames(tmp_path) -> None:
    Image.new("RGB", (64, 64), (200, 200, 200)).save(tmp_path / "gray.png")
    folder = tmp_path / "clip"
    folder.mkdir()
    for number in range(4):
        Image.new("RGB", (64, 64), (200, 200, 200)).save(folder / f"{number}.png")
    (tmp_path / "dark.toml").write_text('lightloom = 2\n[[filter]]\nname = "invert"\n', "utf-8")
    # An image of a folder is shown for three seconds.
    done = run(tmp_path, "clip", "-o", "%d.png", "--switch", "2.5=dark.toml", "--fade", "2")
    assert done.returncode == 0, done.stderr
    levels = [int(np.array(Image.open(tmp_path / f"{n}.png"))[5, 5, 0]) for n in (1, 2, 3, 4)]
    assert levels == [200, 200, 55, 55]
    refused = run(tmp_path, "clip", "-o", "x.png", "--switch", "dark.toml")
    assert refused.returncode == 2
    assert "'dark.toml' is not of the form TIME=LOOK" in refused.stderr


def test_a_text_that_counts_in_no_zone_is_refused(tmp_path) -> None:
    done = run(tmp_path, "sample:64x64", "-o", "out.mp4", "--layer", "text:value={zone:door}")
    assert done.returncode == 2
    assert "A text counts in the zone 'door'; the zones of --zones are: none." in done.stderr


def test_a_switch_after_the_end_is_named(tmp_path) -> None:
    Image.new("RGB", (64, 64), (200, 200, 200)).save(tmp_path / "gray.png")
    done = run(tmp_path, "gray.png", "-o", "x.png", "--switch", "9=monochrome")
    assert done.returncode == 0, done.stderr
    assert "The frames end before --switch at 9 s, which had no effect." in done.stderr


def test_a_look_that_hides_nothing_does_not_end_an_anonymization(tmp_path) -> None:
    done = run(
        tmp_path,
        *("sample:64x64", "-o", "x.mp4", "--model", "detector", "--anonymize", "all"),
        *("--switch", "0.5=monochrome"),
    )
    assert done.returncode == 2
    assert "a look of --switch has no anonymization" in done.stderr
    assert not list(tmp_path.glob("x*"))


def test_time_codes_count_in_the_rate_of_the_source(tmp_path) -> None:
    """The rate is the clip's own, not a default; `{frame}` of a part is counted from the beginning of the clip."""
    made = run(tmp_path, "sample:64x64@50", "-o", "clip.mp4", "--duration", "1.2")
    assert made.returncode == 0, made.stderr

    def shown(text: str, *part: str) -> np.ndarray:
        out = tmp_path / "shown.png"
        layer = f"text:value={text},x=0,y=0,size=0.3,background=#000000,outline=0"
        done = run(tmp_path, "clip.mp4", "-o", out.name, *part, "--max-frames", "1", "--layer", layer)
        assert done.returncode == 0, done.stderr
        return np.array(Image.open(out))[:18]

    part = ("--range", "0.9-1.1")
    assert (shown("{timecode}", *part) == shown("00:00:00:45", *part)).all()
    assert (shown("{frame} {fps}", *part) == shown("45 50", *part)).all()
    assert (shown("{frame}", *part) != shown("46", *part)).any()
