"""Measure the cost of metrics: a chain and a network run as fast as they can, in turns with nothing counted
and with everything counted and scraped, in one run.

    python benchmarks/metrics.py [--size 640x360] [--seconds 2] [--turns 20] [--every 1] [--model classifier] [--filter ...]

Pictures are drawn before. A process of its own scrapes each second, fifteen times as often as Prometheus does
by default. A turn has three parts, in the order of chance: nothing counted, the same again, and all counted
and scraped. The figure is the median over turns of the ratio of their frame rates, with a 95 % interval of it
by the bootstrap, and the same for a scrape each 15 s, as is Prometheus' default, by what each scrape cost;
the ratio of the two that are the same shows what the machine makes of nothing. The same of the processor time
a frame, which other programs disturb less; and what a frame's counting and a scrape's text take by
themselves. For POSIX systems.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import signal
import statistics
import subprocess
import sys
import time
import timeit
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from prometheus_client import generate_latest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import desktop  # noqa: F401 - chooses what `import wgpu` gives

# isort: split

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.media.sources.opening import open_source
from desktop.metrics.address import Address
from desktop.metrics.engine_reader import EngineReader
from desktop.metrics.exporter import Exporter
from desktop.metrics.family import Reading
from desktop.metrics.queue_reader import QueueReader
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.totals import Totals
from desktop.vision.models.builtin import builtin_models

_FRAMES = 30
_DEFAULT_S = 15.0
_FILTERS = ("gaussian_blur:radius=8", "sharpen")
_SCRAPER = """
import sys, time, urllib.request
while True:
    time.sleep(float(sys.argv[2]))
    with urllib.request.urlopen(sys.argv[1], timeout=10) as answer:
        answer.read()
"""


@dataclass(frozen=True)
class Half:
    """Cost of some frames: seconds a frame, and of the processor; how many frames and scrapes there were."""

    wall: float
    processor: float
    frames: int
    scrapes: int


class Scrapes:
    """A reader with nothing to tell: it counts how often it is asked."""

    families = ()

    def __init__(self) -> None:
        self.count = 0

    def read(self) -> tuple[Reading, ...]:
        """See `Reader`."""
        self.count += 1
        return ()


class Bench:
    """An engine with an offscreen target, and an exporter that is there all the time."""

    def __init__(self, options: argparse.Namespace) -> None:
        library = FilterLibrary(None)
        source = open_source(f"sample:{options.size}@30")
        self.frames = itertools.cycle(list(itertools.islice(source.frames(), _FRAMES)))
        source.close()
        self.engine = Engine(lambda: Gpu.open(options.adapter), library, load_analysis, wait=True)
        network = NetworkSpec(str(builtin_models()[options.model].path)) if options.model else None
        chain = typed_chain(library, [parse_stage(text) for text in options.filter])
        self.engine.current.set_setup(Setup(chain, network))
        size = next(self.frames).display_size
        usage = wgpu.TextureUsage.RENDER_ATTACHMENT
        self.target = self.engine.gpu.device.create_texture(size=(*size, 1), format="bgra8unorm", usage=usage)
        self._scrapes = Scrapes()
        readers = (EngineReader(self.engine), QueueReader(tuple), self._scrapes)
        self.exporter = Exporter(Address("127.0.0.1", 0), readers)
        self.exporter.start()
        self._totals = self.engine.current.totals
        # It stands still between its turns; starting one each time would take the processor from those who
        # draw.
        address = f"http://{self.exporter.address}/metrics"
        self._scraper = subprocess.Popen([sys.executable, "-c", _SCRAPER, address, str(options.every)])
        self._scraper.send_signal(signal.SIGSTOP)

    def count(self, on: bool) -> None:
        """Count from now on, or do not."""
        source_pipeline = self.engine.current
        source_pipeline.totals = source_pipeline.pipeline.statistics.totals = self._totals if on else None

    def run(self, seconds: float) -> Half:
        """Render for so long."""
        self.engine.pipeline.drain()
        begun, used, count = time.perf_counter(), time.process_time(), 0
        scraped = self._scrapes.count
        while time.perf_counter() - begun < seconds:
            frame = next(self.frames)
            self.engine.render(replace(frame, captured_at=time.perf_counter()), self.target)
            count += 1
        self.engine.pipeline.drain()
        wall, processor = (time.perf_counter() - begun) / count, (time.process_time() - used) / count
        return Half(wall, processor, count, self._scrapes.count - scraped)

    def scraped(self, seconds: float) -> Half:
        """Render for so long while a program scrapes."""
        self._scraper.send_signal(signal.SIGCONT)
        self.count(True)
        try:
            return self.run(seconds)
        finally:
            self.count(False)
            self._scraper.send_signal(signal.SIGSTOP)

    def scrape_s(self) -> float:
        """Seconds of a core that one scrape takes, the HTTP beside it left out."""
        times = []
        for _ in range(50):
            begun = time.thread_time()
            generate_latest(self.exporter.registry)
            times.append(time.thread_time() - begun)
        return statistics.median(times)

    def close(self) -> None:
        """Release everything."""
        self._scraper.kill()
        self._scraper.wait()
        self.exporter.close()
        self.target.destroy()
        self.engine.close()


def _turn(bench: Bench, seconds: float, chance: random.Random) -> dict[str, Half]:
    """Nothing counted, the same again, and all counted and scraped; in the order of chance."""
    parts = ["without", "again", "scraped"]
    chance.shuffle(parts)
    return {part: bench.scraped(seconds) if part == "scraped" else bench.run(seconds) for part in parts}


def _at_default(turn: dict[str, Half], part: str = "scraped") -> float:
    """The ratio of the frame rates with a scrape each 15 s: what the scrapes of a part cost is what its
    frames took beyond the others'.
    """
    without, scraped = turn["without"], turn[part]
    lost = scraped.frames * (scraped.wall - without.wall) / max(turn["scraped"].scrapes, 1)
    return 1.0 / (1.0 + lost / _DEFAULT_S)


def _ratio(values: list[float]) -> dict[str, float]:
    """The median and the ends of its 95 % interval."""
    ratios, chance = np.array(values), np.random.default_rng(0)
    medians = np.median(chance.choice(ratios, (10_000, len(ratios))), axis=1)
    low, high = np.percentile(medians, (2.5, 97.5))
    return {
        name: round(float(each), 4)
        for name, each in (("median", np.median(ratios)), ("low", low), ("high", high))
    }


def _counting_us() -> float:
    """Microseconds that a frame with six spans and a result is counted in."""
    totals = Totals()

    def frame() -> None:
        for span in ("upload", "color", "filter:1", "filter:2", "network", "present"):
            totals.timed(span, 1.5, 0.2)
        totals.finished(0.016)
        totals.analyzed(12.0)

    return min(timeit.repeat(frame, number=2000, repeat=20)) / 2000 * 1e6


def main() -> None:
    """Run the benchmark and print its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--adapter")
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--every", type=float, default=1.0)
    parser.add_argument("--model", default="classifier", help="network in the box; '' for none")
    parser.add_argument("--filter", action="append", default=[])
    options = parser.parse_args()
    options.filter = options.filter or list(_FILTERS)
    sys.setswitchinterval(2e-4)  # as the program does
    bench = Bench(options)
    chance = random.Random(0)
    try:
        bench.count(False)
        bench.run(2.0)
        turns = [_turn(bench, options.seconds, chance) for _ in range(options.turns)]
        scrape = bench.scrape_s()
        adapter = str(bench.engine.gpu.adapter)
    finally:
        bench.close()
    frame = float(np.median([turn["without"].wall for turn in turns]))
    counting = _counting_us()
    figures = {
        "adapter": adapter,
        "fps": round(1.0 / frame, 1),
        "rate_ratio": _ratio([turn["without"].wall / turn["scraped"].wall for turn in turns]),
        "rate_ratio_at_15_s": _ratio([_at_default(turn) for turn in turns]),
        "rate_ratio_at_15_s_of_nothing": _ratio([_at_default(turn, "again") for turn in turns]),
        "rate_ratio_of_nothing": _ratio([turn["without"].wall / turn["again"].wall for turn in turns]),
        "processor_ratio": _ratio([turn["scraped"].processor / turn["without"].processor for turn in turns]),
        "processor_ratio_of_nothing": _ratio(
            [turn["again"].processor / turn["without"].processor for turn in turns]
        ),
        "counting_us_per_frame": round(counting, 2),
        "scrape_ms": round(scrape * 1e3, 2),
        "scrapes": sum(turn["scraped"].scrapes for turn in turns),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
