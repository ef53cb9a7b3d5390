"""Measure accuracy and cost of the tracker, beside SORT and ByteTrack of a maintained package.

    python benchmarks/tracking.py [--judge PYTHON] [--seed N] [--even] [--pan] [--fault NAME=VALUE] [--objects N] [--keep FOLDER]

The sequences are in the folder `mot` of the one that the variable LIGHTLOOM_SHARED names, by default
../shared: TUD-Campus and TUD-Stadtmitte with the detections that SORT published, and the truths of MOT17-02
and MOT17-09 seen by a detector that makes faults: a tenth of the boxes missed, the others off by a twentieth
of their size, a tenth as many false ones, and everybody hidden for a second now and then. Measures and the
other trackers need packages that Lightloom does not: they run in an environment of their own,

    python -m venv JUDGE && JUDGE/bin/pip install trackeval trackers
    python benchmarks/tracking.py --judge JUDGE/bin/python

and first repeat what was published for one tracker (`mot/expected.json`), so that the measures themselves are
right. Without --judge only the cost is measured, as time of the processor in this process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.vision.tasks.shapes import Box
from desktop.vision.tracking.scene import Scene, SceneSpec
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.tracker import Tracker, TrackerInput

_ROOT: Final = Path(__file__).resolve().parent.parent
_TUD: Final = ("TUD-Campus", "TUD-Stadtmitte")
_MOT17: Final = ("MOT17-02", "MOT17-09")
_RATES: Final = {"TUD-Campus": 25.0, "TUD-Stadtmitte": 25.0, "MOT17-02": 30.0, "MOT17-09": 30.0}


@dataclass(frozen=True)
class Faults:
    """Errors of a simulated detector.

    Attributes:
        missed: share of the boxes that it misses.
        jitter: how far its boxes are off, in sizes of the box (one standard deviation).
        false: how many of its boxes are none, as a share of the true ones.
        hidden_every, hidden: seconds between the times that a thing is hidden, and for how long.
        even: its scores do not fall with what is seen of a thing.
        pan: how far the camera swings to both sides, in pixels across.
    """

    missed: float = 0.1
    jitter: float = 0.05
    false: float = 0.1
    hidden_every: float = 5.0
    hidden: float = 1.0
    even: bool = False
    pan: float = 0.0


def read_rows(path: Path) -> np.ndarray:
    """Return a file of MOTChallenge: frame, identity, left, top, width, height, score or flag, and what
    follows.
    """
    return np.loadtxt(path, delimiter=",", ndmin=2)


def considered(truth: np.ndarray) -> np.ndarray:
    """Return the rows of a truth that count: pedestrians, where the file has classes."""
    return truth[(truth[:, 6] == 1) & (truth[:, 7] == 1)] if truth[:, 7].max() > 0 else truth


def with_faults(truth: np.ndarray, rate: float, faults: Faults, seed: int) -> np.ndarray:
    """Return what a detector with faults finds of a truth: rows of frame, -1, left, top, width, height,
    score.

    A thing that is half hidden is seen with a lower score, as the truth's visibility says; what is false has
    a low one.
    """
    random = np.random.default_rng(seed)
    seen = np.ones(len(truth), bool)
    for identity in np.unique(truth[:, 1]):
        rows = np.flatnonzero(truth[:, 1] == identity)
        at = truth[rows, 0].min() + random.exponential(faults.hidden_every * rate)
        while at < truth[rows, 0].max():
            seen[rows[(truth[rows, 0] >= at) & (truth[rows, 0] < at + faults.hidden * rate)]] = False
            at += faults.hidden * rate + random.exponential(faults.hidden_every * rate)
    seen &= random.random(len(truth)) >= faults.missed
    boxes = truth[seen, 2:6].copy()
    sizes = boxes[:, 2:].copy()
    boxes[:, :2] += sizes / 2 + random.normal(0.0, faults.jitter, sizes.shape) * sizes
    boxes[:, 2:] *= np.exp(random.normal(0.0, faults.jitter, sizes.shape))
    boxes[:, :2] -= boxes[:, 2:] / 2
    seen_share = np.full(len(boxes), 0.75) if faults.even else truth[seen, 8]
    scores = 0.3 + 0.6 * seen_share + random.normal(0.0, 0.1, len(boxes))
    true = np.column_stack((truth[seen, 0], np.full(len(boxes), -1.0), boxes, scores))
    count = round(faults.false * len(boxes))
    like = truth[random.integers(0, len(truth), count)]
    width, height = (truth[:, 2] + truth[:, 4]).max(), (truth[:, 3] + truth[:, 5]).max()
    false = np.column_stack(
        (
            random.integers(1, int(truth[:, 0].max()) + 1, count),
            np.full(count, -1.0),
            random.random(count) * width - like[:, 4] / 2,
            random.random(count) * height - like[:, 5] / 2,
            like[:, 4:6],
            random.normal(0.4, 0.15, count),
        )
    )
    found = np.concatenate((true, false))
    found[:, 6] = np.clip(found[:, 6], 0.05, 1.0)
    return found[np.lexsort((-found[:, 6], found[:, 0]))]


def panned(rows: np.ndarray, rate: float, faults: Faults, seed: int) -> np.ndarray:
    """Return rows as a camera sees them that swings to and fro in 4 s, up and down by a third of that, and
    trembles by 3 pixels.
    """
    frames = np.arange(rows[:, 0].max() + 2) / rate
    swing = np.column_stack((np.sin(2 * np.pi * frames / 4.0), np.sin(2 * np.pi * frames / 2.3) / 3.0))
    tremble = np.random.default_rng(seed).normal(0.0, 3.0, (2000, 2))[: len(frames)]
    moved = rows.copy()
    moved[:, 2:4] += (faults.pan * swing + tremble)[rows[:, 0].astype(int)]
    return moved


def followed(found: np.ndarray, frames: int, rate: float, spec: TrackSpec, every: int = 1) -> np.ndarray:
    """Return what the tracker says of a detector's rows, as a result file of MOTChallenge has it."""
    tracker, rows = Tracker(), []
    for frame in range(1, frames + 1, every):
        of_frame = found[found[:, 0] == frame]
        left_top = of_frame[:, 2:4]
        boxes = np.concatenate((left_top, left_top + of_frame[:, 4:6]), axis=1)
        things = TrackerInput(boxes, of_frame[:, 6], np.zeros(len(boxes), np.int64))
        identities = tracker.step(things, frame / rate, spec)
        rows.append(np.column_stack((of_frame[:, :1], identities, of_frame[:, 2:7]))[identities > 0])
    return np.concatenate(rows)


def write_rows(path: Path, rows: np.ndarray) -> None:
    """Write a file of MOTChallenge."""
    path.parent.mkdir(parents=True, exist_ok=True)
    filled = np.column_stack((rows, np.full((len(rows), 10 - rows.shape[1]), -1.0)))
    np.savetxt(path, filled, delimiter=",", fmt="%.10g")


def prepare(shared: Path, folder: Path, seed: int, faults: Faults) -> None:
    """Write truths, detections and our results into a folder for the judge."""
    plan = {}
    for name in (*_TUD, *_MOT17):
        rate = _RATES[name]
        if name in _TUD:
            truth = read_rows(shared / "motmetrics" / name / "gt.txt")
            found = read_rows(shared / "sort" / "train" / name / "det" / "det.txt")
        else:
            truth = considered(read_rows(shared / "MOT17" / name / "gt.txt"))
            found = with_faults(truth, rate, faults, seed)
            if faults.pan:
                truth, found = (panned(rows, rate, faults, seed) for rows in (truth, found))
        frames = int(max(truth[:, 0].max(), found[:, 0].max()))
        plan[name] = {"rate": rate, "frames": frames}
        counted = np.column_stack((truth[:, :6], np.ones((len(truth), 3))))
        write_rows(folder / "truth" / name / "gt" / "gt.txt", counted)
        write_rows(folder / "found" / f"{name}.txt", found[:, :7])
        write_rows(
            folder / "results" / "Lightloom" / "data" / f"{name}.txt",
            followed(found, frames, rate, TrackSpec()),
        )
        if name in _TUD:
            published = read_rows(shared / "motmetrics" / name / "test.txt")
            write_rows(folder / "published" / "test" / "data" / f"{name}.txt", published[:, :7])
    (folder / "plan.json").write_text(json.dumps(plan))


def cost(objects: int) -> None:
    """Print what following so many objects costs a result, in milliseconds of the processor."""
    random = np.random.default_rng(1)
    at = random.random((objects, 2)) * (1920, 1080)
    velocity = random.normal(0.0, 60.0, (objects, 2))
    sizes = random.uniform(30.0, 90.0, (objects, 1)) * (1.0, 2.0)
    tracker, scene = Tracker(), Scene(SceneSpec(TrackSpec()))
    times: dict[str, list[float]] = {"the tracker": [], "the scene, with shapes and trails": []}
    for frame in range(200):
        seen = random.random(objects) >= 0.1
        center = (at + velocity * frame / 30.0) % (1920, 1080)
        center = center[seen] + random.normal(0.0, 2.0, (int(seen.sum()), 2))
        boxes = np.concatenate((center - sizes[seen] / 2, center + sizes[seen] / 2), axis=1)
        found = TrackerInput(boxes, random.uniform(0.3, 1.0, len(boxes)), np.zeros(len(boxes), np.int64))
        shares = boxes / (1920, 1080, 1920, 1080)
        result = _Boxes(
            tuple(
                Box("a", 0, *map(float, b), score=float(s)) for b, s in zip(shares, found.scores, strict=True)
            )
        )
        begun = time.process_time()
        tracker.step(found, frame / 30.0, TrackSpec())
        between = time.process_time()
        scene.see(result, frame / 30.0, (1920, 1080))
        ended = time.process_time()
        times["the tracker"].append(between - begun)
        times["the scene, with shapes and trails"].append(ended - between)
    for what, values in times.items():
        median, most = np.percentile(np.array(values[20:]) * 1e3, (50, 95))
        print(f"{objects} objects, {what}: {median:.2f} ms a result, 95 % below {most:.2f} ms")


@dataclass(frozen=True)
class _Boxes:
    """The part of a result that a scene reads."""

    boxes: tuple[Box, ...]
    has_nan: bool = False

    def shapes(self) -> tuple[Box, ...]:
        return self.boxes


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--judge", metavar="PYTHON", help="an environment's Python that has trackeval and trackers"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the faults")
    parser.add_argument(
        "--even", action="store_true", help="scores that do not fall where things are half hidden"
    )
    parser.add_argument("--pan", action="store_true", help="a camera that swings by 120 pixels to both sides")
    numbers = ", ".join(f.name for f in fields(Faults) if f.type == "float")
    parser.add_argument(
        "--fault", metavar="NAME=VALUE", action="append", default=[], help=f"another fault; any of {numbers}"
    )
    parser.add_argument("--objects", type=int, default=300, help="how many the cost is measured with")
    parser.add_argument(
        "--keep", type=Path, help="folder for detections and results; a temporary one by default"
    )
    options = parser.parse_args()
    cost(options.objects)
    if options.judge is None:
        print("Without --judge nothing is compared.")
        return 0
    shared = Path(os.environ.get("LIGHTLOOM_SHARED", _ROOT.parent / "shared")) / "mot"
    if not shared.is_dir():
        print(f"There is no {shared}; say with LIGHTLOOM_SHARED where the sequences are.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        given = {name: float(value) for name, _, value in (text.partition("=") for text in options.fault)}
        faults = Faults(even=options.even, pan=120.0 if options.pan else 0.0)
        prepare(shared, folder, options.seed, replace(faults, **given))
        judge = [
            options.judge,
            str(_ROOT / "benchmarks" / "_tracking_judge.py"),
            str(folder),
            str(shared / "expected.json"),
        ]
        return subprocess.run(judge, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
