"""The networks in the box beside their rivals, one run: MobileNetV2, Johnson's style, YOLOX-nano, MediaPipe's
mask.

    python benchmarks/builtin.py [--seconds 6] [--json]

All on this engine, in turn, in each precision that the adapter has; median and 95th percentile in
milliseconds, host to host and on the device alone. MobileNetV2 and Johnson's network are exported from
PyTorch with random weights (speed does not hang on them); YOLOX-nano and the selfie segmentation are read
from the shared folder (LIGHTLOOM_SHARED, by default ../shared).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.base.interrupt import Interrupt
from desktop.bench.inference.candidate import TEXTURE, Candidate
from desktop.bench.inference.networks import NETWORKS, export
from desktop.bench.inference.own import own_candidates
from desktop.bench.inference.run import Row, random_feeds, row_of, sampled
from desktop.compute.gpu.device import Gpu

_MODELS = Path(__file__).resolve().parent.parent / "assets" / "models"


@dataclass(frozen=True)
class Contestant:
    """One network; `size`: height and width for one that leaves them free."""

    name: str
    path: Path
    size: tuple[int, int] | None = None

    def candidates(self, gpu: Gpu) -> Iterator[Candidate]:
        """Host to host and device only, in each precision."""
        feeds = random_feeds(self.path, {"image": (1, 3, *self.size)} if self.size else None)
        return (each for each in own_candidates(gpu, self.path, feeds) if each.mode != TEXTURE)


def pairs(folder: Path, shared: Path) -> Iterator[tuple[Contestant, Contestant]]:
    """Yield each network in the box with its rival; exports go to `folder`."""
    rivals = {network.name: network for network in NETWORKS}

    def exported(name: str) -> Contestant:
        return Contestant(name, export(rivals[name], folder))

    def own(name: str, size: tuple[int, int] | None = None) -> Contestant:
        return Contestant(name, _MODELS / f"{name}.onnx", size)

    yield own("classifier"), exported("mobilenet_v2")
    yield own("style_ink", (512, 512)), exported("style512")
    yield own("detector"), Contestant("yolox_nano", shared / "models/detect/yolox_nano_zoo.onnx")
    selfie = shared / "models/segment/obs_selfie_segmentation.onnx"
    yield own("person_mask", (192, 320)), Contestant("obs_selfie", selfie)


def measured(gpu: Gpu, pair: tuple[Contestant, Contestant], seconds: float) -> list[Row]:
    """Time a pair's candidates in turn."""
    named = [(each.name, candidate) for each in pair for candidate in each.candidates(gpu)]
    times = sampled([candidate for _, candidate in named], seconds, Interrupt())
    rows = [row_of(name, candidate, t) for (name, candidate), t in zip(named, times, strict=True)]
    for _, candidate in named:
        candidate.close()
    return rows


def main() -> int:
    """Print a line for each network, precision and mode."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--seconds", type=float, default=6.0, help="for each pair, beside one second of warm-up each"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    shared = Path(os.environ.get("LIGHTLOOM_SHARED", "../shared"))
    gpu = Gpu.open()
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for pair in pairs(Path(folder), shared) for row in measured(gpu, pair, options.seconds)]
    if options.json:
        print(json.dumps({"adapter": str(gpu.adapter), "rows": [asdict(row) for row in rows]}, indent=1))
        return 0
    print(gpu.adapter)
    for row in rows:
        print(f"{row.network:14} {row.precision:5} {row.mode:13} p50 {row.p50:8.3f}  p95 {row.p95:8.3f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
