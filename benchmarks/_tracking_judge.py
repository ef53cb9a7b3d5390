"""The part of tracking.py that runs in an environment with `trackeval` and `trackers`: other trackers, and
the measures of all.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import supervision
import trackers
import trackeval

_COUNTS = ("IDSW", "Frag", "CLR_FN", "CLR_FP")


def follow(folder: Path, plan: dict[str, dict[str, Any]], name: str, make: Any) -> float:
    """Run a tracker of the package over all sequences; return milliseconds of the processor a frame."""
    spent, frames = 0.0, 0
    for sequence, facts in plan.items():
        found = np.loadtxt(folder / "found" / f"{sequence}.txt", delimiter=",", ndmin=2)
        tracker, rows = make(frame_rate=facts["rate"]), []
        for frame in range(1, facts["frames"] + 1):
            of_frame = found[found[:, 0] == frame]
            left_top = of_frame[:, 2:4]
            things = supervision.Detections(
                xyxy=np.concatenate((left_top, left_top + of_frame[:, 4:6]), axis=1),
                confidence=of_frame[:, 6],
                class_id=np.zeros(len(of_frame), int),
            )
            begun = time.process_time()
            followed = tracker.update(things)
            spent += time.process_time() - begun
            frames += 1
            for box, score, identity in zip(
                followed.xyxy, followed.confidence, followed.tracker_id, strict=True
            ):
                if identity >= 0:
                    rows.append(
                        (
                            frame,
                            identity + 1,
                            box[0],
                            box[1],
                            box[2] - box[0],
                            box[3] - box[1],
                            score,
                            -1,
                            -1,
                            -1,
                        )
                    )
        target = folder / "results" / name / "data" / f"{sequence}.txt"
        target.parent.mkdir(parents=True, exist_ok=True)
        np.savetxt(target, np.array(rows), delimiter=",", fmt="%.10g")
    return spent / frames * 1e3


def measured(
    folder: Path, results: Path, plan: dict[str, dict[str, Any]]
) -> dict[str, dict[str, dict[str, float]]]:
    """Return the figures of each tracker for each sequence and for all of them together, by TrackEval."""
    evaluation = trackeval.Evaluator(
        {
            "PRINT_RESULTS": False,
            "PRINT_CONFIG": False,
            "OUTPUT_SUMMARY": False,
            "OUTPUT_DETAILED": False,
            "PLOT_CURVES": False,
            "TIME_PROGRESS": False,
            "LOG_ON_ERROR": None,
        }
    )
    data = trackeval.datasets.MotChallenge2DBox(
        {
            "GT_FOLDER": str(folder / "truth"),
            "TRACKERS_FOLDER": str(results),
            "SEQ_INFO": {name: facts["frames"] for name, facts in plan.items()},
            "SKIP_SPLIT_FOL": True,
            "DO_PREPROC": False,
            "PRINT_CONFIG": False,
        }
    )
    metrics = [
        trackeval.metrics.HOTA(),
        trackeval.metrics.CLEAR({"PRINT_CONFIG": False}),
        trackeval.metrics.Identity({"PRINT_CONFIG": False}),
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        found, _ = evaluation.evaluate([data], metrics)
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for tracker, sequences in found["MotChallenge2DBox"].items():
        figures[tracker] = {}
        for sequence, classes in sequences.items():
            of = classes["pedestrian"]
            figures[tracker][sequence] = {
                "MOTA": float(of["CLEAR"]["MOTA"]),
                "IDF1": float(of["Identity"]["IDF1"]),
                "HOTA": float(np.mean(of["HOTA"]["HOTA"])),
                **{name: float(of["CLEAR"][name]) for name in _COUNTS},
            }
    return figures


def repeat_published(folder: Path, plan: dict[str, dict[str, Any]], expected: dict[str, Any]) -> bool:
    """Measure result files whose figures are published; tell whether they come out."""
    tud = {name: facts for name, facts in plan.items() if name.startswith("TUD")}
    figures = measured(folder, folder / "published", tud)["test"]
    good = True
    for key, published in expected["published"].items():
        name = next((name for name in tud if key.startswith(f"motmetrics/{name}")), None)
        if name is None:
            continue
        pairs = {"MOTA": "MOTA", "IDF1": "IDF1", "FP": "CLR_FP", "FN": "CLR_FN", "IDs": "IDSW"}
        same = all(abs(figures[name][ours] - published[theirs]) < 1e-4 for theirs, ours in pairs.items())
        good &= same
        told = ", ".join(
            f"{theirs} {figures[name][ours]:.6g} (published {published[theirs]:.6g})"
            for theirs, ours in pairs.items()
        )
        print(f"{'the same' if same else 'ANOTHER'}: {name}: {told}")
    return good


def main(folder: Path, expected: Path) -> int:
    """Judge what tracking.py left in a folder."""
    plan = json.loads((folder / "plan.json").read_text())
    if not repeat_published(folder, plan, json.loads(expected.read_text())):
        print("The measures do not repeat what was published.", file=sys.stderr)
        return 1
    # As they are made, and remembering lost things for 2 s, as Lightloom does, instead of 1 s.
    others: dict[str, Any] = {
        "ByteTrack": trackers.ByteTrackTracker,
        "SORT": trackers.SORTTracker,
        "ByteTrack 2 s": functools.partial(trackers.ByteTrackTracker, lost_track_buffer=60),
        "SORT 2 s": functools.partial(trackers.SORTTracker, lost_track_buffer=60),
        "OC-SORT": trackers.OCSORTTracker,
        "C-BIoU": trackers.CBIoUTracker,
    }
    for name, make in others.items():
        print(f"{name}: {follow(folder, plan, name, make):.2f} ms of the processor a frame")
    figures = measured(folder, folder / "results", plan)
    print(f"{'':16}{'':15}" + "".join(f"{name:>8}" for name in ("MOTA", "IDF1", "HOTA", *_COUNTS)))
    for sequence in (*plan, "COMBINED_SEQ"):
        for tracker in ("Lightloom", *others):
            of = figures[tracker][sequence]
            shares = "".join(f"{of[name] * 100:8.1f}" for name in ("MOTA", "IDF1", "HOTA"))
            print(f"{sequence:16}{tracker:15}{shares}" + "".join(f"{of[name]:8.0f}" for name in _COUNTS))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
