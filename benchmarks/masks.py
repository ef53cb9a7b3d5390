"""Measure the cost of masks, opacity and blend modes: a stage's GPU time with each, compared with the stage alone.

    python benchmarks/masks.py [--adapter NAME] [--size 1920x1080] [--frames 120] [--rounds 5]

The time is that of the stage's span, by the GPU's clock where it has one. Cases take turns, after half a second in
which the GPU leaves its idle clock. Given are medians of the rounds' medians, and the differences.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Mapping
from typing import Final

import numpy as np

from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import Join, MaskPart, MaskSpec
from desktop.pipeline.pipeline import Pipeline

_FILTER: Final = "saturation"
_WARM_S: Final = 0.5


def cases(library: FilterLibrary) -> Mapping[str, ChainSpec]:
    """Return the chains that are compared, the stage alone first."""

    def part(kind: str, join: Join = "add", **values: float) -> MaskPart:
        return MaskPart(kind, library.mask(kind).check(values), join)

    alone = ChainSpec().added(_FILTER, library.get(_FILTER).check({"saturation": 0.0}))
    ellipse = part("ellipse")
    three = (ellipse, part("luma", "intersect"), part("rectangle", "subtract", width=10))
    masks = {
        "an ellipse": MaskSpec((ellipse,)),
        "three parts": MaskSpec(three),
        "a polygon": MaskSpec((part("polygon"),)),
        "grown by 1 %": MaskSpec((ellipse,), grow=1.0),
        "feathered by 1 %": MaskSpec((ellipse,), feather=1.0),
        "edges refined": MaskSpec((ellipse,), refine=True),
    }
    return {
        "alone": alone,
        "opacity": alone.with_mixing(1, opacity=0.5),
        "soft light": alone.with_mixing(1, blend="soft_light"),
        **{name: alone.with_mixing(1, mask=mask) for name, mask in masks.items()},
    }


def _stage_ms(pipeline: Pipeline, frames: list[Frame], count: int) -> float:
    """Return the mean time of the stage over the last frames, in milliseconds."""
    for number in range(count):
        pipeline.render(frames[number % len(frames)])
    pipeline.drain()
    span = next(stage for stage in pipeline.stats.stages if stage.name == "filter:1")
    return span.gpu_ms if span.gpu_ms is not None else span.cpu_ms


def main() -> None:
    """Run; print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--adapter")
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--frames", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    width, height = (int(side) for side in options.size.split("x"))
    gpu = Gpu.open(options.adapter)
    library = FilterLibrary(None)
    pipeline = Pipeline(gpu, library, wait=True)
    frames = [_noise(seed, width, height) for seed in range(4)]
    times: dict[str, list[float]] = {name: [] for name in cases(library)}
    for _ in range(options.rounds):
        for name, chain in cases(library).items():
            pipeline.set_chain(chain)
            end = time.perf_counter() + _WARM_S
            while time.perf_counter() < end:
                pipeline.render(frames[0])
            times[name].append(_stage_ms(pipeline, frames, options.frames))
    print(f"{gpu.adapter.name}, {width}x{height}, ms a stage")
    alone = statistics.median(times["alone"])
    for name, found in times.items():
        middle = statistics.median(found)
        print(f"  {name:18} {middle:7.3f}  {middle - alone:+7.3f}")
    pipeline.close()


def _noise(seed: int, width: int, height: int) -> Frame:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 4), dtype=np.uint8)
    pixels[..., 3] = 255
    plane = Plane(pixels.tobytes(), width * 4, width, height)
    return Frame((plane,), RGBA, width, height, ColorInfo("rgb", "full", "srgb", "bt709"))


if __name__ == "__main__":
    main()
