"""Frame rate with previews of a gallery and without.

    python benchmarks/previews.py [--adapter NAME] [--size 1280x720] [--rate 0] [--keys 16] [--rounds 10]

Frames run through two filters into a target of the size of a window's view, as fast as they come or at a
rate; previews of other filters are rendered beside them in every second period of two seconds. Given are the
medians of the rounds: frames a second, processor time of this process for a frame (all of the cost on a
software adapter, and unlike the rate little changed by other programs), and previews a second.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.previews.chains import obstacle_of
from desktop.pipeline.setup.setup import Setup

_SECONDS: Final = 2.0
_TARGET: Final = (900, 506, 1)


@dataclass(frozen=True)
class Period:
    """Figures of a period: frames and previews a second, milliseconds of processor time for a frame."""

    frames: float
    previews: float
    cpu_ms: float


def main() -> None:
    """Run; print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--adapter")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument(
        "--rate", type=float, default=0.0, help="frames a second; 0 for all that are rendered"
    )
    parser.add_argument("--keys", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    width, height = (int(side) for side in options.size.split("x"))
    library = FilterLibrary(None)
    engine = Engine(lambda: Gpu.open(options.adapter), library, load_network=None)
    engine.current.set_setup(Setup(chain_of(library, [("bloom", {}), ("sepia", {})])))
    frames = [_noise(seed, width, height) for seed in range(4)]
    usage = wgpu.TextureUsage.RENDER_ATTACHMENT
    target = engine.gpu.device.create_texture(size=_TARGET, format="bgra8unorm", usage=usage)
    single = {name: chain_of(library, [(name, {})]) for name in sorted(library.filters)}
    chains = [(name, chain) for name, chain in single.items() if not obstacle_of(chain, library)]
    requested = dict(chains[: options.keys])
    print(engine.gpu.adapter)
    for warming in ({}, requested):
        _period(engine, frames, target, warming, options.rate, 3 * _SECONDS)
    closed: list[Period] = []
    opened: list[Period] = []
    for _ in range(options.rounds):
        closed.append(_period(engine, frames, target, {}, options.rate, _SECONDS))
        opened.append(_period(engine, frames, target, requested, options.rate, _SECONDS))
    _show("without", closed)
    _show("with", opened)
    for name in ("frames", "cpu_ms"):
        ratios = [getattr(b, name) / getattr(a, name) for a, b in zip(closed, opened, strict=True)]
        print(f"{name}: {100 * (statistics.median(ratios) - 1):+.1f} % (median of the rounds)")
    engine.close()


def _noise(seed: int, width: int, height: int) -> Frame:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 4), dtype=np.uint8)
    plane = Plane(pixels.tobytes(), width * 4, width, height)
    return Frame((plane,), RGBA, width, height, ColorInfo("rgb", "full", "srgb", "bt709"), captured_at=0.0)


def _period(
    engine: Engine,
    frames: list[Frame],
    target: wgpu.GPUTexture,
    requested: dict[str, ChainSpec],
    rate: float,
    seconds: float,
) -> Period:
    engine.previews.request(requested)
    rendered = previews = 0
    begun, cpu = time.perf_counter(), time.process_time()
    due = begun
    while (now := time.perf_counter()) < begun + seconds:
        if now < due:
            time.sleep(0.0005)
            continue
        shown = frames[rendered % len(frames)]
        if engine.render(replace(shown, captured_at=now), target):
            rendered += 1
            due = max(due + 1.0 / rate, now - 0.1) if rate else now
            engine.render_previews()
        else:
            time.sleep(0.0005)
        previews += len(engine.previews.take())
    engine.pipeline.drain()
    taken = time.perf_counter() - begun
    return Period(rendered / taken, previews / taken, 1e3 * (time.process_time() - cpu) / max(rendered, 1))


def _show(name: str, periods: list[Period]) -> None:
    frames, previews, cpu_ms = (
        statistics.median(getattr(period, figure) for period in periods)
        for figure in ("frames", "previews", "cpu_ms")
    )
    print(
        f"{name:8} {frames:7.1f} frames/s {cpu_ms:8.2f} ms processor time a frame {previews:6.1f} previews/s"
    )


if __name__ == "__main__":
    main()
