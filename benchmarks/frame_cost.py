"""What a picture costs in Python, apart from the GPU: the thread that renders, those that wait for the GPU, and the sample's.

    python benchmarks/frame_cost.py [--against CHECKOUT] [--rounds 5] [--frames 300] [--adapter NAME] [--json]

Four sources share one interpreter lock, so this decides what the host of a fast GPU does a second. Pictures of 64 x 64 pixels through three
filters into a tile of as many leave the GPU next to nothing to do; each is waited for before the next. Given are milliseconds of processor
time of the threads themselves, so that other programs count little. The sample is drawn at 1920 x 1080. Last, four samples of that size
play at 60 pictures a second, and a blank picture is rendered for each of theirs: how many of 1000 are lost, which counts what else runs.

With `--against` another checkout of this repository, the version before say, is measured in turn with this one, round by round in
processes of their own, and the ratios are given: this one's time in the other's, the median of the rounds and their range.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

_HERE: Final = Path(__file__).resolve().parents[1]
_CHAIN: Final = (("gaussian_blur", {}), ("saturation", {}), ("sharpen", {}))
_SIDE: Final = 64
_SAMPLE: Final = (1920, 1080)
_RATE: Final = 60
_SECONDS: Final = 5.0
Figures = dict[str, float]


def main() -> int:
    """Run; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--adapter")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--once", action="store_true", help="measure in this process, print JSON")
    options = parser.parse_args()
    if options.once:
        print(json.dumps(measured(options.frames, options.adapter)), flush=True)
        # Leaving the interpreter would wait for the device's threads.
        os._exit(0)
    checkouts = [_HERE, *([options.against.resolve()] if options.against else [])]
    rounds = [[in_process(checkout, options) for checkout in checkouts] for _ in range(options.rounds)]
    if options.json:
        print(json.dumps([dict(zip(map(str, checkouts), each, strict=True)) for each in rounds], indent=1))
    else:
        show(rounds)
    return 0


def in_process(checkout: Path, options: argparse.Namespace) -> Figures:
    """Measure a checkout once, in a process of its own."""
    command = [sys.executable, __file__, "--once", "--frames", str(options.frames)]
    if options.adapter:
        command += ["--adapter", options.adapter]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    figures = json.loads(done.stdout)
    if Path(figures.pop("package")) != checkout / "desktop":
        raise SystemExit(f"{checkout} is no checkout of this repository.")
    return figures


def measured(frames: int, adapter: str | None) -> dict[str, float | str]:
    """Return milliseconds of a picture by what they are of, and the package that was measured."""
    import desktop

    # As the window's process does (`__main__`).
    sys.setswitchinterval(2e-4)
    package = str(Path(str(desktop.__file__)).parent)
    render = renderer(adapter)
    figures = {**rendering(render, frames), "drawing the sample": drawing(), "lost of 1000": lost(render)}
    return {**figures, "package": package}


class Render(Protocol):
    """Renders a blank picture, if the GPU takes one, and waits for it or not; returns the seconds of this thread without the waiting."""

    def __call__(self, *, wait: bool = True) -> float: ...


def renderer(adapter: str | None) -> Render:
    """Return what renders."""
    from desktop.compute.chain.runner import chain_of
    from desktop.compute.engine import Engine
    from desktop.compute.filters.library import FilterLibrary
    from desktop.compute.gpu.device import Gpu
    from desktop.compute.media.sources.sample import SampleSource
    from desktop.compute.mosaic import Mosaic, areas
    from desktop.compute.presets.preset import Setup

    library = FilterLibrary(None)
    engine = Engine(lambda: Gpu.open(adapter), library, load_network=None)
    lane = engine.add_lane()
    lane.set_setup(Setup(chain_of(library, _CHAIN)))
    mosaic = Mosaic(engine.gpu, "bgra8unorm", (0.3, 0.7, 0.6))
    mosaic.lay_out(areas(1, (_SIDE, _SIDE), 4))
    blank = SampleSource((_SIDE, _SIDE), 60).blank()

    def render(*, wait: bool = True) -> float:
        begun = time.thread_time()
        engine.render(blank, mosaic.texture(0), lane)
        took = time.thread_time() - begun
        if wait:
            lane.pipeline.drain()
        return took

    render()
    while lane.wants_frames:
        render()
    return render


def rendering(render: Render, frames: int) -> Figures:
    """Render again and again."""
    for _ in range(50):
        render()
    before = sum(other_threads())
    own = [render() for _ in range(frames)]
    others = (sum(other_threads()) - before) / frames
    return {"rendering": statistics.median(own) * 1e3, "waiting for the GPU": others * 1e3}


def other_threads() -> Iterator[float]:
    """Seconds of each of Python's other threads; none where the system cannot tell (it is POSIX's)."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.ident is not None:
            yield time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


def drawing() -> float:
    """Milliseconds for a picture of the sample, over its whole loop."""
    from desktop.compute.media.sources._sample_scene import Scene

    scene = Scene(*_SAMPLE)
    places = range(0, 1800, 19)
    times = []
    for _ in range(3):  # the first reads the layers
        begun = time.thread_time()
        for place in places:
            scene.render(place / 1800, place / 60)
        times.append((time.thread_time() - begun) / len(places) * 1e3)
    return min(times)


def lost(render: Render) -> float:
    """Let four samples play for a while, and render for each of their pictures; return how many of 1000 were not drawn, or not taken."""
    from desktop.compute.media.sources.sample import SampleSource

    sources = [SampleSource(_SAMPLE, _RATE) for _ in range(4)]
    for source in sources:
        source.start()
    begun = time.perf_counter() + 2.0
    taken = 0
    while (now := time.perf_counter()) < begun + _SECONDS:
        pictures = sum(source.take(now) is not None for source in sources)
        for _ in range(pictures):
            render(wait=False)
        if now >= begun:
            taken += pictures
        if not pictures:
            time.sleep(0.0003)
    for source in sources:
        source.close()
    return max(0.0, 1000 * (1 - taken / (_SECONDS * _RATE * len(sources))))


def show(rounds: list[list[Figures]]) -> None:
    """Print the figures as a table."""
    for name in rounds[0][0]:
        each = [[figures[name] for figures in sides] for sides in rounds]
        unit = "" if name == "lost of 1000" else " ms"
        line = f"{name:22}{statistics.median(sides[0] for sides in each):8.3f}{unit}"
        if len(each[0]) > 1:
            line += f"  {statistics.median(sides[1] for sides in each):8.3f}{unit} there"
            if unit:
                ratios = sorted(ours / theirs for ours, theirs in each)
                line += f"   {statistics.median(ratios):.2f} of it ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(line)


if __name__ == "__main__":
    sys.exit(main())
