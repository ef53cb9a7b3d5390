"""Measure how exactly crossings are counted behind a detector with errors, and the cost of zones.

    python benchmarks/zones.py [--seeds N] [--objects N]

The truths of MOT17-02 and MOT17-09 (`mot` in the folder that the variable LIGHTLOOM_SHARED names, by default
../shared) are seen by the detector of benchmarks/tracking.py: a tenth of the boxes missed, the others off by
a twentieth of their size, a tenth as many false ones, and everybody hidden for a second now and then. Five
lines from top to bottom stand where the people are. What is counted behind tracker and faults is compared
with what the same lines count of the truth, and with how often the feet of somebody change the side there,
frame by frame, reckoned without anything of ours, for whoever turns on the line too.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.tracking import Faults, considered, followed, read_rows, with_faults
from desktop.vision.tasks.shapes import Box
from desktop.vision.tracking.counts import LineCounts
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.zone_watch import ZoneWatch
from desktop.vision.tracking.zones import LineSpec, ZoneSpec

_ROOT: Final = Path(__file__).resolve().parent.parent
_SEQUENCES: Final = ("MOT17-02", "MOT17-09")
_SIZE: Final = (1920, 1080)
_RATE: Final = 30.0
_SHARES: Final = (0.3, 0.4, 0.5, 0.6, 0.7)


def feet(rows: np.ndarray) -> np.ndarray:
    """Return x of the middle of each row's lower edge, in pixels; held to the picture."""
    return np.clip(rows[:, 2] + rows[:, 4] / 2, 0, _SIZE[0])


def true_crossings(truth: np.ndarray, x: float) -> int:
    """Return how often somebody changes the side of the upright line at x."""
    found = 0
    for identity in np.unique(truth[:, 1]):
        own = truth[truth[:, 1] == identity]
        places = feet(own[np.argsort(own[:, 0])])
        found += int(np.count_nonzero(np.diff(places >= x)))
    return found


def pictures(rows: np.ndarray) -> Iterator[tuple[float, list[Box]]]:
    """Yield times and boxes of rows of frame, identity, left, top, width, height."""
    for frame in range(1, int(rows[:, 0].max()) + 1):
        boxes = []
        for _, identity, left, top, width, height in rows[rows[:, 0] == frame][:, :6]:
            x, y = left / _SIZE[0], top / _SIZE[1]
            right, bottom = (left + width) / _SIZE[0], (top + height) / _SIZE[1]
            boxes.append(Box("person", 0, x, y, right, bottom, 0.9, int(identity)))
        yield frame / _RATE, boxes


def counted(rows: np.ndarray, lines: Sequence[LineSpec]) -> int:
    """Return what the lines count."""
    watch = ZoneWatch()
    watch.use(lines, [])
    for pts, boxes in pictures(rows):
        watch.see(boxes, pts, _SIZE, followed=True)
    return sum(c.forward + c.backward for c in watch.counts() if isinstance(c, LineCounts))


@dataclass(frozen=True)
class Crossings:
    """Of one sequence: changes of sides in the truth, what the lines count of the truth, and what they count
    behind the faults.
    """

    changes: int
    of_truth: int
    of_found: int


def compare(shared: Path, seed: int) -> dict[str, Crossings]:
    """Return the crossings of each sequence."""
    found = {}
    for name in _SEQUENCES:
        truth = considered(read_rows(shared / "MOT17" / name / "gt.txt"))
        at = [float(np.quantile(feet(truth), share)) for share in _SHARES]
        lines = [LineSpec(f"{x:.0f}", ((x / _SIZE[0], 0.0), (x / _SIZE[0], 1.0))) for x in at]
        seen = with_faults(truth, _RATE, Faults(), seed)
        rows = followed(seen, int(truth[:, 0].max()), _RATE, TrackSpec())
        changes = sum(true_crossings(truth, x) for x in at)
        found[name] = Crossings(changes, counted(truth, lines), counted(rows, lines))
    return found


def cost(objects: int) -> None:
    """Print what four zones and four lines cost a result with so many things, in milliseconds of the
    processor.
    """
    random = np.random.default_rng(1)
    turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    zones: list[ZoneSpec | LineSpec] = []
    for i in range(4):
        x = 0.2 + 0.2 * i
        zones.append(ZoneSpec(f"z{i}", tuple((x + 0.1 * np.cos(a), 0.5 + 0.2 * np.sin(a)) for a in turn)))
        zones.append(LineSpec(f"l{i}", ((x, 0.1), (x, 0.9))))
    watch = ZoneWatch()
    watch.use(zones, [])
    at, velocity = random.random((objects, 2)), random.normal(0.0, 0.002, (objects, 2))
    times = []
    for frame in range(200):
        places = (at + velocity * frame) % 1.0
        boxes = [
            Box("a", 0, x - 0.01, y - 0.04, x + 0.01, y, 0.9, i) for i, (x, y) in enumerate(places.tolist())
        ]
        begun = time.process_time()
        watch.see(boxes, frame / _RATE, _SIZE, followed=True)
        times.append(time.process_time() - begun)
    median, most = np.percentile(np.array(times[20:]) * 1e3, (50, 95))
    print(f"{objects} things, 4 zones and 4 lines: {median:.2f} ms a result, 95 % below {most:.2f} ms")


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=4, help="how many times faults are made")
    parser.add_argument("--objects", type=int, default=300, help="how many the cost is measured with")
    options = parser.parse_args()
    cost(options.objects)
    shared = Path(os.environ.get("LIGHTLOOM_SHARED", _ROOT.parent / "shared")) / "mot"
    by_rule, by_changes = [], []
    for seed in range(1, options.seeds + 1):
        found = compare(shared, seed)
        changes, of_truth, of_found = (
            sum(getattr(each, name) for each in found.values())
            for name in ("changes", "of_truth", "of_found")
        )
        by_rule.append(of_found / of_truth - 1)
        by_changes.append(of_found / changes - 1)
        each = ", ".join(f"{n} {c.of_found} of {c.of_truth} ({c.changes} changes)" for n, c in found.items())
        print(f"faults {seed}: {each}; together {by_rule[-1]:+.1%} ({by_changes[-1]:+.1%})")
    worst = max(by_rule, key=abs)
    print(f"mean {np.mean(by_rule):+.1%} ({np.mean(by_changes):+.1%} of the changes), worst {worst:+.1%}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
