"""`process --on` and `analyze --on` with processes of this machine, which are killed, and so is their driver."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time

import cv2
import numpy as np
import psutil
import pytest
from spread_rig import make_clip, pictures_of, sound_of
from tiny_models import square_detector

from desktop.__main__ import main

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system"),
    pytest.mark.timeout(1200),  # nineteen processes start, which takes 20 s on two idle cores
]


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """Five short clips, of which the first falls into two pieces and has sound."""
    folder = tmp_path_factory.mktemp("clips")
    make_clip(folder / "1.mp4", 40, gop=20, seed=1, sound=True)
    for number in range(2, 6):
        make_clip(folder / f"{number}.mp4", 6 + number, seed=number)
    return folder


def start(*arguments):
    command = [sys.executable, "-m", "desktop", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def process(clips, out, *on):
    out.mkdir(exist_ok=True)
    filters = ("--filter", "sharpen", "--piece-seconds", "0.7")
    return start("process", clips, "-o", out / "%s.mkv", "--codec", "ffv1", *filters, *on)


def until(driver, condition):
    end = time.monotonic() + 400
    while not (found := condition()):
        assert driver.poll() is None, driver.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def pieces_at_work(driver):
    try:
        return [child for child in psutil.Process(driver.pid).children() if "--piece" in child.cmdline()]
    except psutil.Error:
        return []


def done_lines(folder):
    try:
        lines = (folder / "all.mkv.pieces" / "done.jsonl").read_text().splitlines()
    except OSError:
        return []
    return [json.loads(line) for line in lines[1:]]


def test_a_worker_and_a_driver_are_killed_and_the_files_are_the_same(clips, tmp_path, capsys):
    # Two workers, of which one is killed in the middle.
    driver = process(clips, tmp_path / "two", "--on", "processes:2")
    until(driver, lambda: found if len(found := pieces_at_work(driver)) == 2 else None)[0].kill()
    printed, said = driver.communicate(timeout=400)
    assert driver.returncode == 0, said
    assert "status -9" in said and "1 given once more" in said and "5 clips in 6 pieces" in said
    names = [f"{number}.mkv" for number in range(1, 6)]
    assert sorted(line.rsplit("/", 1)[-1] for line in printed.splitlines()) == names
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == names

    # One worker, whose driver is killed, and then begun again.
    driver = process(clips, tmp_path / "one", "--on", "processes:1")
    until(driver, lambda: len([line for line in done_lines(tmp_path / "one") if "piece" in line]) >= 2)
    orphans = pieces_at_work(driver)
    driver.kill()
    driver.communicate()
    psutil.wait_procs(orphans, timeout=60)
    assert not any(orphan.is_running() for orphan in orphans)
    before = [line["sha256"] for line in done_lines(tmp_path / "one") if "piece" in line]
    driver = process(clips, tmp_path / "one", "--on", "processes:1")
    printed, said = driver.communicate(timeout=400)
    assert driver.returncode == 0, said
    assert f"{len(before)} were done before" in said
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()

    # Nothing is lost, nothing is twice: the pictures, times and sound of a run that was never cut.
    direct = tmp_path / "direct.mkv"
    command = ["process", str(clips / "1.mp4"), "-o", str(direct), "--codec", "ffv1", "--filter", "sharpen"]
    assert main(command) == 0
    assert pictures_of(tmp_path / "two" / "1.mkv") == pictures_of(direct)
    assert sound_of(tmp_path / "two" / "1.mkv") == sound_of(direct)
    for number in range(2, 6):
        assert len(pictures_of(tmp_path / "two" / f"{number}.mkv")) == 6 + number
    capsys.readouterr()


def test_what_is_seen_in_pieces_is_what_is_seen_at_once(clips, tmp_path, capsys):
    model = str(square_detector(tmp_path / "squares.onnx"))
    inputs = [str(clips / "1.mp4"), str(clips / "2.mp4")]
    network = ["--model", model, "--score", "0.05"]
    assert main(["analyze", *inputs, "-o", str(tmp_path / "direct.jsonl"), *network]) == 0
    on = ["--on", "processes:2", "--piece-seconds", "0.7"]
    assert main(["analyze", *inputs, "-o", str(tmp_path / "pieces.jsonl"), *network, *on]) == 0
    assert "2 clips in 3 pieces" in capsys.readouterr().err
    found = (tmp_path / "pieces.jsonl").read_text()
    assert found == (tmp_path / "direct.jsonl").read_text() and len(found.splitlines()) == 48
    assert any(json.loads(line)["things"] for line in found.splitlines())
    assert not list(tmp_path.glob("*.pieces"))


def test_an_image_that_cannot_be_read_is_reported_and_ends_with_status_1(tmp_path, capsys):
    """As without --on (docs/results.md)."""
    images = tmp_path / "images"
    images.mkdir()
    for number in range(3):
        cv2.imwrite(str(images / f"{number}.png"), np.full((48, 64, 3), 60 * number, np.uint8))
    (images / "1.png").write_bytes(b"neither")
    model = str(square_detector(tmp_path / "squares.onnx"))
    for on in ((), ("--on", "processes:1")):
        out = tmp_path / "seen.jsonl"
        assert main(["analyze", str(images), "-o", str(out), "--model", model, *on]) == 1
        said = capsys.readouterr().err
        assert "1.png is left out" in said and len(out.read_text().splitlines()) == 2
        # A run that is resumed does not repeat what was reported before.
        assert ("1 piece is incomplete: parts of an input" in said) == bool(on)
    each = ["process", str(images), "-o", str(tmp_path / "%s.mkv"), "--filter", "sharpen"]
    assert main([*each, "--on", "processes:1"]) == 1
    assert "1.png" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.glob("*.mkv")) == ["0.mkv", "2.mkv"]


def test_what_is_typed_wrongly_or_missing_ends_in_a_sentence(clips, tmp_path, capsys):
    out = str(tmp_path / "out.mp4")
    clip = str(clips / "2.mp4")
    for arguments, said in (
        (["process", clip, "-o", out, "--on", "elsewhere"], "nowhere that Lightloom can run on"),
        (["process", clip, clip, "-o", out], "Several inputs are for --on"),
        (
            ["process", str(clips), "-o", str(tmp_path / "%s.mp4"), "--on", "processes:1", "--report", "r"],
            "--report",
        ),
        (["process", clip, str(clips / "3.mp4"), "-o", out, "--on", "processes:1"], "%s"),
        (
            [
                "analyze",
                clip,
                "-o",
                str(tmp_path / "r.jsonl"),
                "--model",
                "classifier",
                "--on",
                "x",
                "--events",
            ],
            "--events",
        ),
    ):
        assert main(arguments) == 2
        assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    # What cannot be opened is told of; an older output stays.
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no video at all")
    (tmp_path / "out.mp4").write_bytes(b"older")
    assert main(["process", str(broken), "-o", out, "--on", "processes:1"]) == 1
    assert "broken.mp4" in capsys.readouterr().err
    assert (tmp_path / "out.mp4").read_bytes() == b"older" and not list(tmp_path.glob("*.pieces"))


def test_lines_of_a_playlist_that_are_left_out_are_reported_and_end_with_status_1(clips, tmp_path, capsys):
    listed = tmp_path / "mine.m3u8"
    listed.write_text(f"#EXTM3U\n{clips / '2.mp4'}\nother.m3u8\n")
    arguments = ["process", str(listed), "-o", str(tmp_path / "out.mp4"), "--on", "processes:1"]
    assert main(arguments) == 1
    assert "1 line of mine.m3u8 is left out: it names another list" in capsys.readouterr().err
    assert (tmp_path / "out.mp4").exists()


def test_a_chain_that_remembers_is_left_whole_and_said(clips, tmp_path, capsys):
    out = tmp_path / "trails.mkv"
    clip = str(clips / "1.mp4")
    chain = ["--codec", "ffv1", "--filter", "motion_trails"]
    on = ["--on", "processes:1", "--piece-seconds", "0.7"]
    assert main(["process", clip, "-o", str(out), *chain, *on]) == 0
    said = capsys.readouterr().err
    assert "Left whole (the filter motion_trails depends on earlier frames): 1.mp4" in said
    assert "1 clip in 1 piece" in said
    direct = tmp_path / "direct.mkv"
    assert main(["process", clip, "-o", str(direct), *chain]) == 0
    assert pictures_of(out) == pictures_of(direct) and sound_of(out) == sound_of(direct)


def test_a_folder_that_is_deleted_meanwhile_is_told_of_and_nothing_is_promised(clips, tmp_path):
    driver = process(clips, tmp_path / "gone", "--on", "processes:1")
    until(driver, lambda: done_lines(tmp_path / "gone"))
    shutil.rmtree(tmp_path / "gone")
    _, said = driver.communicate(timeout=400)
    assert driver.returncode != 0 and "Traceback" not in said
    assert str(tmp_path / "gone") in said and "goes on" not in said
