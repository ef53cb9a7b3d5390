"""Clips by one process, by two, and by two workers of Ray: the same pictures, what a kill costs, and what
each way costs.

    python benchmarks/many_machines.py [--clips 40] [--from FOLDER] [--seconds 0.4] [--no-ray] [--json FILE]

The clips are made here, 64 x 64 at 25 pictures a second, or with --from those of a folder (its first seconds,
--range 0-SECONDS). Rows:

    one            processes:1
    two, killed    processes:2; in the middle one of the workers' processes is killed (SIGKILL)
    driver killed  processes:2; in the middle the driver is killed, and the same command begun again
    ray            ray --workers 2
    ray, killed    likewise; in the middle one of Ray's actors is killed with what it runs

`starting` is the part of the workers' time that passed before a piece's first picture: interpreter, device,
shaders. `before` is the time until the first worker was at work: for Ray, its cluster. `carried` is what went
through Ray's store; 0 where all see the same storage. The exit status is 1 where the hashes of the decoded
pictures of a row are not those of the first one, or a clip is missing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import av
import numpy as np
import psutil

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"


@dataclass(frozen=True)
class Row:
    """One way; times in seconds."""

    name: str
    wall: float
    before: float
    work: float
    starting_share: float
    again: int
    found: int
    carried_mb: float
    clips: int
    is_same: bool


def make_clip(path: Path, seconds: float, seed: int) -> None:
    """Write noise that moves."""
    noise = np.random.default_rng(seed).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        for number in range(max(1, round(seconds * 25))):
            picture = np.ascontiguousarray(np.roll(noise, 3 * number, axis=1))
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of all decoded pictures of each video, with their times."""
    found = {}
    for path in sorted(folder.glob("*.mp4")):
        digest = hashlib.sha256()
        with av.open(str(path)) as container:
            for frame in container.decode(video=0):
                digest.update(f"{frame.pts} {frame.time_base}".encode())
                digest.update(frame.to_ndarray(format="rgb24").tobytes())
        found[path.name] = digest.hexdigest()
    return found


def at_work() -> list[psutil.Process]:
    """The processes of these runs that do a piece, wherever they hang in the tree."""
    found = []
    for child in psutil.process_iter(["cmdline"]):
        words = child.info["cmdline"] or []
        if "--piece" in words and any(MARK in word for word in words):
            found.append(child)
    return found


MARK = f"many-machines-{os.getpid()}"


def done(folder: Path) -> int:
    """Number of pieces that a run has finished."""
    try:
        return (folder / "all.mp4.pieces" / "done.jsonl").read_text().count('"piece"')
    except OSError:
        return 0


class Runs:
    """The rows, all of the same clips."""

    def __init__(self, clips: Path, out: Path, part: str) -> None:
        self._clips, self._out, self._part = clips, out, part
        self._count = sum(1 for _ in clips.iterdir())
        self._first: dict[str, str] | None = None
        self.rows: list[Row] = []

    def _start(self, folder: Path, on: str, workers: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "desktop", "process", str(self._clips), "-o", str(folder / "%s.mp4")]
        command += ["--filter", "sharpen", "--audio", "none", "--on", on]
        command += ["--range", self._part] if self._part else []
        command += ["--workers", str(workers)] if workers else []
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(
        self, name: str, on: str, workers: int = 0, disturb: Callable[[Path, int], bool] | None = None
    ) -> None:
        """Do a row. `disturb`, called until it has done its harm, gets the folder and the driver's process
        id.
        """
        folder = self._out / f"{MARK} {name}"
        folder.mkdir()
        begun = time.perf_counter()
        driver = self._start(folder, on, workers)
        before = 0.0
        while driver.poll() is None:
            if not before and at_work():
                before = time.perf_counter() - begun
            if disturb is not None and disturb(folder, driver.pid):
                disturb = None
            time.sleep(0.02)
        if driver.returncode == -signal.SIGKILL:
            driver.communicate()
            driver = self._start(folder, on, workers)
        _, said = driver.communicate()
        wall = time.perf_counter() - begun
        if driver.returncode != 0:
            print(said, file=sys.stderr)
        self._add(name, folder, wall, before, said)

    def _add(self, name: str, folder: Path, wall: float, before: float, said: str) -> None:
        found = hashes(folder)
        self._first = self._first or found
        work = re.search(r"([\d.]+) s of work, (\d+)%", said)
        carried = re.search(r"([\d.]+) MB sent and ([\d.]+) MB", said)
        again, earlier = re.search(r"(\d+) given once", said), re.search(r"(\d+) were done", said)
        row = Row(
            name,
            round(wall, 1),
            round(before, 1),
            float(work[1]) if work else 0.0,
            int(work[2]) / 100 if work else 0.0,
            int(again[1]) if again else 0,
            int(earlier[1]) if earlier else 0,
            float(carried[1]) + float(carried[2]) if carried else 0.0,
            len(found),
            found == self._first and len(found) == self._count,
        )
        self.rows.append(row)
        print(
            f"{row.name:<15} {row.wall:7.1f} s  before {row.before:5.1f} s  work {row.work:7.1f} s ({row.starting_share:.0%} starting)  "
            f"again {row.again}  found {row.found}  carried {row.carried_mb:.1f} MB  {row.clips} clips  "
            f"{'same' if row.is_same else 'NOT THE SAME'}",
            flush=True,
        )


def kill_worker(after: int) -> Callable[[Path, int], bool]:
    """Kill a process that does a piece, once so many pieces are done."""

    def disturb(folder: Path, pid: int) -> bool:
        if done(folder) < after or not (found := at_work()):
            return False
        found[0].kill()
        return True

    return disturb


def kill_actor(after: int) -> Callable[[Path, int], bool]:
    """Kill the process of Ray's in which a worker lives."""

    def disturb(folder: Path, pid: int) -> bool:
        if done(folder) < after or not (found := at_work()):
            return False
        parent = found[0].parent()
        if parent is None:
            return False
        parent.kill()
        return True

    return disturb


def kill_driver(after: int) -> Callable[[Path, int], bool]:
    """Kill the driver, once so many pieces are done."""

    def disturb(folder: Path, pid: int) -> bool:
        if done(folder) < after:
            return False
        os.kill(pid, signal.SIGKILL)
        return True

    return disturb


def main() -> int:
    """Run all rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=40)
    parser.add_argument("--from", dest="source", type=Path)
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--no-ray", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="many-machines-") as place:
        clips, out = Path(place) / "clips", Path(place) / "out"
        clips.mkdir()
        out.mkdir()
        files = sorted(path for path in options.source.iterdir() if path.is_file()) if options.source else []
        for number in range(len(files[: options.clips]) if files else options.clips):
            if files:
                (clips / files[number].name).symlink_to(files[number].absolute())
            else:
                make_clip(clips / f"{number:03d}.mp4", options.seconds, number)
        runs = Runs(clips, out, f"0-{options.seconds}" if files else "")
        half = max(1, options.clips // 2)
        runs.run("one", "processes:1")
        runs.run("two, killed", "processes:2", disturb=kill_worker(half))
        runs.run("driver killed", "processes:2", disturb=kill_driver(half))
        if not options.no_ray:
            runs.run("ray", "ray", 2)
            runs.run("ray, killed", "ray", 2, kill_actor(half))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in runs.rows], indent=1))
    return 0 if all(row.is_same for row in runs.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
