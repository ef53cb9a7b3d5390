"""A disk that is full in the middle of a video: what is on it plays, and is counted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import av
import pytest

ROOT = Path(__file__).parents[2]
# A small file system in memory, which the program alone sees and which goes with it; what is on it is copied
# before. A limit of the process's file sizes (RLIMIT_FSIZE) would be less work, but it ends the driver too:
# lavapipe has had its memory in files since Mesa 24.
ON_SMALL_DISK = """
mount -t tmpfs -o "size=$1" tmpfs "$2" || exit 77
disk=$2 copy=$3
shift 3
"$@"
status=$?
cp -a "$disk/." "$copy" || exit 78
exit $status
"""


class SmallDisk:
    """A folder that the program sees as a disk of its own.

    Attributes:
        folder: the disk; nobody else sees what is on it.
        copy: what was on it when the program ended.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.copy = folder / "disk", folder / "copy"
        self.folder.mkdir()
        self.copy.mkdir()

    def run(self, *command: str, size: int) -> subprocess.CompletedProcess[str]:
        """Run a program with `size` bytes on the disk; skip the test where none can be mounted."""
        if shutil.which("unshare") is None:
            pytest.skip("mounting a small disk needs the program unshare of Linux")
        # Whoever is not root is in a namespace of its own.
        user = [] if os.geteuid() == 0 else ["--map-root-user"]
        mounted = ["unshare", *user, "--mount", "sh", "-c", ON_SMALL_DISK, "sh"]
        done = subprocess.run(
            [*mounted, str(size), str(self.folder), str(self.copy), *command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 78, f"what is on the small disk was not copied: {done.stderr}"
        refused = re.match(r"(unshare|mount): .*", done.stderr)
        if refused:
            pytest.skip(f"a small disk cannot be mounted here, which root can on Linux: {refused[0]}")
        return done

    def process(self, *arguments: str, size: int) -> subprocess.CompletedProcess[str]:
        """Run `lightloom process` on the sample."""
        command = [sys.executable, "-m", "desktop", "process", "sample:320x180"]
        return self.run(*command, *arguments, size=size)


@pytest.fixture
def disk(tmp_path):
    return SmallDisk(tmp_path)


def played(path):
    """How many pictures are played; PyAV raises for what is damaged."""
    with av.open(str(path)) as container:
        return sum(1 for _ in container.decode(video=0))


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv", "webm"])
def test_what_reached_the_disk_plays_and_is_counted(disk, suffix):
    output = disk.folder / f"out.{suffix}"
    done = disk.process("--max-frames", "200", "--crf", "12", "-o", str(output), size=100_000)
    assert done.returncode == 1
    told = re.search(r"What was done until then, (\d+) frames, is in (\S+)\.\n", done.stderr)
    assert told and Path(told[2]) == output, done.stderr
    assert int(told[1]) == played(disk.copy / output.name) > 20
    assert sorted(path.name for path in disk.copy.iterdir()) == [output.name]


def test_segments_on_a_full_disk(disk):
    output = str(disk.folder / "out.mp4")
    more = ["--max-frames", "200", "--crf", "12", "--segment", "1h"]
    done = disk.process(*more, "-o", output, size=100_000)
    assert done.returncode == 1
    told = re.search(r"What was done until then, (\d+) frames, is in (\S+)\.\n", done.stderr)
    assert told and Path(told[2]) == disk.folder / "out-*.mp4", done.stderr
    assert int(told[1]) == played(disk.copy / "out-0001.mp4") > 20


def test_pictures_that_did_not_fit_are_not_counted(disk):
    done = disk.process("--max-frames", "3", "-o", str(disk.folder / "%d.png"), size=4096)
    assert done.returncode == 1 and "What was done" not in done.stderr
    assert not list(disk.copy.iterdir())
