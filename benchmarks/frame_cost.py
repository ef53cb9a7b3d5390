"""Measure the CPU time of a frame in Python: of the thread that renders, of those that wait for the GPU, and
of the sample's.

    python benchmarks/frame_cost.py [--against CHECKOUT] [--rounds 20] [--frames 100] [--adapter NAME] [--json]

Four sources share one interpreter lock, so this decides what the host of a fast GPU does a second. Pictures
of 64 x 64 pixels through three filters into a tile of as many leave the GPU next to nothing to do; each is
waited for before the next. Given are milliseconds of processor time of the threads themselves, of a picture
that a tenth of them beat: others wait for caches that other programs use. The sample is drawn at 1920 x 1080.
Last, four samples of that size play at 60 pictures a second, and a blank picture is rendered for each of
theirs: how many of 1000 are lost, which counts whatever else runs.

With `--against` another checkout of this repository, the version before say, is measured in turn with this
one, each in a process of its own, which waits while the other one measures. The ratios are this one's time in
the other's: the median of the rounds, and the quartiles.
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
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol

_HERE: Final = Path(__file__).resolve().parents[1]
_CHAIN: Final = (("gaussian_blur", {}), ("saturation", {}), ("sharpen", {}))
_SIDE: Final = 64
_SAMPLE: Final = (1920, 1080)
_RATE: Final = 60
_SECONDS: Final = 5.0
_LOST: Final = "lost of 1000"
# What is asked of each checkout, and in how many rounds at most.
_ASKED: Final = {"rendering": 1000, "drawing": 1000, "losing": 3}
Figures = dict[str, float]


def main() -> int:
    """Run; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--adapter")
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--answer", action="store_true", help="measure in this process what lines of the input name"
    )
    options = parser.parse_args()
    if options.answer:
        answer(options.frames, options.adapter)
        # Leaving the interpreter would wait for the device's threads.
        os._exit(0)
    checkouts = [_HERE, *([options.against.resolve()] if options.against else [])]
    measuring = [Measuring(checkout, options.frames, options.adapter) for checkout in checkouts]
    try:
        rounds = {
            what: [[each.ask(what) for each in measuring] for _ in range(min(most, options.rounds))]
            for what, most in _ASKED.items()
        }
    finally:
        for each in measuring:
            each.close()
    if options.json:
        print(
            json.dumps({"checkouts": [str(checkout) for checkout in checkouts], "rounds": rounds}, indent=1)
        )
    else:
        show(rounds)
    return 0


class Measuring:
    """A process that measures a checkout when it is asked."""

    def __init__(self, checkout: Path, frames: int, adapter: str | None) -> None:
        command = [sys.executable, __file__, "--answer", "--frames", str(frames)]
        command += ["--adapter", adapter] if adapter else []
        environment = {**os.environ, "PYTHONPATH": str(checkout), "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if Path(self._line()) != checkout / "desktop":
            self.close()
            raise SystemExit(f"{checkout} is no checkout of this repository.")

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def ask(self, what: str) -> Figures:
        """Return the figures of something."""
        assert self._process.stdin is not None
        print(what, file=self._process.stdin, flush=True)
        figures: Figures = json.loads(self._line())
        return figures

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


def answer(frames: int, adapter: str | None) -> None:
    """Print which package this is, then figures for each line of the input."""
    import desktop

    # As the window's process does (`__main__`).
    sys.setswitchinterval(2e-4)
    render, draw = renderer(adapter), drawer()
    print(Path(str(desktop.__file__)).parent, flush=True)
    asked = {
        "rendering": lambda: rendering(render, frames),
        "drawing": draw,
        "losing": lambda: losing(render),
    }
    for line in sys.stdin:
        print(json.dumps(asked[line.strip()]()), flush=True)


class Render(Protocol):
    """Renders a blank picture, if the GPU takes one, and waits for it or not; returns the seconds of this
    thread without the waiting.
    """

    def __call__(self, *, wait: bool = True) -> float: ...


def renderer(adapter: str | None) -> Render:
    """Return what renders."""
    from desktop.compute.gpu.device import Gpu
    from desktop.media.sources.sample import SampleSource
    from desktop.pipeline.chain.spec import chain_of
    from desktop.pipeline.engine import Engine
    from desktop.pipeline.filters.library import FilterLibrary
    from desktop.pipeline.picture.mosaic import Mosaic, areas
    from desktop.pipeline.setup.setup import Setup

    library = FilterLibrary(None)
    engine = Engine(lambda: Gpu.open(adapter), library, load_network=None)
    source_pipeline = engine.add_source_pipeline()
    source_pipeline.set_setup(Setup(chain_of(library, _CHAIN)))
    mosaic = Mosaic(engine.gpu, "bgra8unorm", (0.3, 0.7, 0.6))
    mosaic.lay_out(areas(1, (_SIDE, _SIDE), 4))
    blank = SampleSource((_SIDE, _SIDE), 60).blank()

    def render(*, wait: bool = True) -> float:
        begun = time.thread_time()
        engine.render(blank, mosaic.texture(0), source_pipeline)
        took = time.thread_time() - begun
        if wait:
            source_pipeline.pipeline.drain()
        return took

    render()
    while source_pipeline.wants_frames:
        render()
    return render


def rendering(render: Render, frames: int) -> Figures:
    """Render again and again."""
    for _ in range(10):
        render()
    own, others = [], []
    for _ in range(frames):
        before = sum(other_threads())
        own.append(render())
        others.append(sum(other_threads()) - before)
    return {"rendering": tenth(own) * 1e3, "waiting for the GPU": tenth(others) * 1e3}


def tenth(values: list[float]) -> float:
    """Return what a tenth of the values is below."""
    return sorted(values)[len(values) // 10]


def other_threads() -> Iterator[float]:
    """Seconds of each of Python's other threads; none where the system cannot tell (it is POSIX's)."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.ident is not None:
            yield time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


def drawer() -> Callable[[], Figures]:
    """Return what draws pictures of the sample over its whole loop, and returns the milliseconds of one, on
    average.
    """
    from desktop.media.sources._sample_scene import Scene

    scene = Scene(*_SAMPLE)
    places = range(0, 1800, 60)

    def draw() -> Figures:
        times = []
        for place in places:
            begun = time.thread_time()
            scene.render(place / 1800, place / 60)
            times.append(time.thread_time() - begun)
        return {"drawing the sample": statistics.mean(times) * 1e3}

    draw()  # which reads the layers
    return draw


def losing(render: Render) -> Figures:
    """Let four samples play for a while, and render for each of their pictures; return how many of 1000 were
    not drawn, or not taken.
    """
    from desktop.media.sources.sample import SampleSource

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
    return {_LOST: max(0.0, 1000 * (1 - taken / (_SECONDS * _RATE * len(sources))))}


def show(rounds: Mapping[str, list[list[Figures]]]) -> None:
    """Print the figures as a table."""
    for measured in rounds.values():
        for name in measured[0][0]:
            each = [[figures[name] for figures in sides] for sides in measured]
            unit = "" if name == _LOST else " ms"
            line = f"{name:22}{statistics.median(sides[0] for sides in each):8.3f}{unit}"
            if len(each[0]) > 1:
                line += f"  {statistics.median(sides[1] for sides in each):8.3f}{unit} there"
            if len(each[0]) > 1 and len(each) > 1 and unit:
                low, middle, high = statistics.quantiles((ours / theirs for ours, theirs in each), n=4)
                line += f"   {middle:.2f} of it ({low:.2f} to {high:.2f})"
            print(line)


if __name__ == "__main__":
    sys.exit(main())
