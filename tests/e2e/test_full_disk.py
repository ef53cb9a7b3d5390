"""A disk that is full in the middle of a video: what is on it plays, and is counted."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import av
import pytest

ROOT = Path(__file__).parents[2]
# A file that may not grow is, for whoever writes it, a disk that is full. Python ignores the signal that
# comes with it.
LIMITED = """
import resource, sys
from desktop.__main__ import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.exit(main(sys.argv[2:]))
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits on the size of files")


def played(path):
    """How many pictures are played; PyAV raises for what is damaged."""
    with av.open(str(path)) as container:
        return sum(1 for _ in container.decode(video=0))


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv", "webm"])
def test_what_reached_the_disk_plays_and_is_counted(tmp_path, suffix):
    output = tmp_path / f"out.{suffix}"
    command = ["process", "sample:320x180", "--max-frames", "200", "--crf", "12", "-o", str(output)]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "100000", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    told = re.search(r"What was done until then, (\d+) frames, is in (\S+)\.\n", done.stderr)
    assert told and Path(told[2]) == output, done.stderr
    assert int(told[1]) == played(output) > 20
    assert sorted(path.name for path in tmp_path.iterdir()) == [output.name]


def test_segments_on_a_full_disk(tmp_path):
    output = tmp_path / "out.mp4"
    command = ["process", "sample:320x180", "--max-frames", "200", "--crf", "12", "-o", str(output)]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "100000", *command, "--segment", "1h"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    told = re.search(r"What was done until then, (\d+) frames, is in (\S+)\.\n", done.stderr)
    assert told and Path(told[2]) == tmp_path / "out-*.mp4", done.stderr
    assert int(told[1]) == played(tmp_path / "out-0001.mp4") > 20


def test_pictures_that_did_not_fit_are_not_counted(tmp_path):
    command = ["process", "sample:320x180", "--max-frames", "3", "-o", str(tmp_path / "%d.png")]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "1000", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "What was done" not in done.stderr
    assert not list(tmp_path.iterdir())
