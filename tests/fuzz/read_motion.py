"""The motion of a video, which `process --motion` reads: whatever is in it, the warps are finite."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.media.stabilization.motion_file import read_motion
from desktop.media.stabilization.path import MOST_ZOOM, stabilization
from fuzz.harness import Finding, Harness
from fuzz.json_mutation import mutated_json
from fuzz.material import written

_VIDEO = "0" * 64


def _read(data: bytes, folder: Path) -> None:
    import numpy as np

    found = read_motion(written(folder / "motion.json", data), _VIDEO)
    made = stabilization(found.frames, found.aspect, 1.0)
    values = [(*warp.row_x, *warp.row_y) for warp in made.warps if warp is not None]
    if not np.isfinite(values).all() or not 1.0 <= made.zoom <= MOST_ZOOM:
        raise Finding("a warp that is none")


def _seeds(folder: Path) -> list[bytes]:
    rows = [[0.0, 0, None], *([n / 25, n == 4, 0.01 * n, -0.02, 0.001, 0.0] for n in range(1, 9))]
    document = {"format": "lightloom motion", "version": 1, "video": _VIDEO, "aspect": 0.5625, "frames": rows}
    return [json.dumps(document).encode(), json.dumps({**document, "frames": rows[:1]}).encode()]


HARNESS = Harness(
    _read,
    _seeds,
    (b"null", b"1e308", b"-1e9", b"NaN", b"true", b'"frames"', b'"aspect"', b"[0, 0, null]"),
    memory_mb=400,
    mutate=mutated_json,
)
