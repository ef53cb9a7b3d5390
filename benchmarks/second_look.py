"""A detector and a second network on a clip: results a second, how often the detector rested, what was read
back, what the processor took.

    python benchmarks/second_look.py --model palm.onnx --second hand.onnx --picture hand.jpg
        [--size 1920x1080] [--backend onnxruntime] [--seconds 8] [--things 1] [--rate 25] [--json]

The picture moves across a gray one of the size, as planes of Y'CbCr 4:2:0 as a decoder gives them, 25 times a
second or as often as `--rate` says; with 0 as often as the pipeline takes them. There is no window. Where
other programs take the processor, the rates say nothing: 'cpu_ms_per_picture' and 'cpu_ms_per_result' are
what this program took of it, the latter beyond a run without networks.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time

import cv2
import numpy as np

from desktop.compute.gpu.device import Gpu
from desktop.media.frame import YUV420P, ColorInfo, Frame, Plane
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.opening import load_analysis

_RATE = 25.0
_PERIOD = 100  # pictures until it is where it was


def make_clip(path: str, width: int, height: int) -> list[tuple[Plane, ...]]:
    """Return the planes of pictures in which the one of a file moves to and fro; BT.601, limited range, as
    OpenCV converts.
    """
    picture = cv2.imread(path)
    if picture is None:
        raise SystemExit(f"There is no picture {path}.")
    tall = int(height * 0.8)
    wide = min(width // 2, int(picture.shape[1] * tall / picture.shape[0]))
    picture = cv2.resize(picture, (wide, tall))
    found = []
    for step in range(_PERIOD):
        whole = np.full((height, width, 3), 128, np.uint8)
        left = int((width - wide) * (0.5 + 0.4 * math.sin(step / _PERIOD * 2 * math.pi)))
        top = (height - tall) // 2
        whole[top : top + tall, left : left + wide] = picture
        found.append(_planes(cv2.cvtColor(whole, cv2.COLOR_BGR2YUV_I420), width, height))
    return found


def _planes(values: np.ndarray, width: int, height: int) -> tuple[Plane, ...]:
    data, area = values.tobytes(), width * height
    ends = (0, area, area * 5 // 4, area * 3 // 2)
    luma, *chroma = (data[begin:end] for begin, end in itertools.pairwise(ends))
    half = (width // 2, width // 2, height // 2)
    return (Plane(luma, width, width, height), *(Plane(plane, *half) for plane in chroma))


def play(
    gpu: Gpu,
    clip: list[tuple[Plane, ...]],
    size: tuple[int, int],
    spec: NetworkSpec | None,
    seconds: float,
    rate: float,
) -> dict[str, float]:
    """Play the clip for a while, `rate` pictures a second or, for 0, as many as go; return what was measured."""
    width, height = size
    pipeline = Pipeline(gpu, FilterLibrary(None))
    if spec is not None:
        pipeline.set_analysis(load_analysis(gpu, spec))
    color = ColorInfo("bt601", "limited")
    step = 1 / rate if rate else 0.0
    pictures = results = rested = objects = 0
    last: object = None
    begun, cpu, due = time.perf_counter(), time.process_time(), 0.0
    while (now := time.perf_counter() - begun) < seconds:
        if now >= due and not pipeline.is_busy:
            planes = clip[pictures % len(clip)]
            at = time.perf_counter()
            pts = pictures / (rate or _RATE)
            pipeline.render(Frame(planes, YUV420P, width, height, color, pts=pts, captured_at=at))
            pictures += 1
            due = max(due + step, now - step)
        pipeline.poll()
        newest = pipeline.analyses.latest
        if newest is not None and newest is not last:
            last = newest
            results += 1
            rested += bool(getattr(newest, "rested", False))
            objects += len(getattr(newest, "objects", ()))
        if rate or pipeline.is_busy:
            # The thread that reads back has to have its turn; a millisecond is a third of a picture's time
            # where 300 go.
            time.sleep(0.001 if rate else 5e-5)
    took = time.perf_counter() - begun
    report = {
        "pictures_per_second": pictures / took,
        "results_per_second": results / took,
        "share_rested": rested / max(results, 1),
        "things_per_result": objects / max(results, 1),
        "readback_bytes_per_picture": pipeline.stats.readback_bytes,
        "cpu_s": time.process_time() - cpu,
        "pictures": pictures,
        "results": results,
    }
    pipeline.close()
    return report


def main() -> int:
    """Run; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--model", "--second", "--picture"):
        parser.add_argument(name)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--things", type=int, default=1)
    parser.add_argument("--rate", type=float, default=_RATE)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not (options.model and options.second and options.picture):
        print("Nothing is measured: give --model, --second and --picture.")
        return 0
    width, height = (int(side) for side in options.size.split("x"))
    gpu = Gpu.open(None)
    clip = make_clip(options.picture, width, height)
    second = NetworkSpec(options.second, options.backend, things=options.things)
    spec = NetworkSpec(options.model, options.backend, second=second)
    alone = play(gpu, clip, (width, height), None, options.seconds / 2, options.rate)
    pair = play(gpu, clip, (width, height), spec, options.seconds, options.rate)
    picture = 1e3 * alone["cpu_s"] / max(alone["pictures"], 1)
    beyond = 1e3 * pair["cpu_s"] - picture * pair["pictures"]
    report: dict[str, object] = {"adapter": str(gpu.adapter), "size": options.size}
    report |= {name: round(value, 3) for name, value in pair.items()}
    report |= {
        "cpu_ms_per_picture": round(picture, 1),
        "cpu_ms_per_result": round(beyond / max(pair["results"], 1), 1),
    }
    print(json.dumps(report, indent=1) if options.json else "\n".join(f"{k}: {v}" for k, v in report.items()))
    gpu.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
