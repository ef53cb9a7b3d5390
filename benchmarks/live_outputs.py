"""Measure the cost of a live output for the frames shown: the sample plays offscreen at its rate, with the
output off and on in turns, in one run.

    python benchmarks/live_outputs.py [--output virtual_camera] [--set NAME=VALUE] [--size 1920x1080] [--rate 60] [--seconds 5] [--turns 4]

The virtual camera writes to a stand-in of a device, which throws away what it takes, unless `--set
device=/dev/videoN` names a real one. `--output clean` is no live output but the clean window: each picture is
drawn once more, into a texture of the sample's size. Pictures are drawn before, so that the sample's own
drawing takes no part, and rendered as the window does: when they are due, and only if the GPU has room.
Latency is the pipeline's own, from when a picture was due to the end of its last pass; `thread` is what a
picture takes of the rendering thread, reading it back included. No Qt is needed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import desktop  # noqa: F401 - chooses what `import wgpu` gives

# isort: split

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.media import v4l2
from desktop.media.frame import Frame
from desktop.media.sources.opening import open_source
from desktop.outputs.live import live_outputs
from desktop.outputs.live._loopback import Loopbacks
from desktop.outputs.live.feed import CommonOptions, Feeds
from desktop.outputs.live.output import LiveOutput, PictureFormat
from desktop.outputs.live.virtual_camera import virtual_camera
from desktop.outputs.picture_queue import Fetch
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import View
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.setup import Setup

_FRAMES = 60
_FILTERS = ("gaussian_blur:radius=8", "sharpen")


class Nowhere:
    """A device that takes everything."""

    def __init__(self, path: Path) -> None:
        pass

    def ask(self, request: int, argument: bytearray) -> None:
        """Every format is fine as it is; it says that it is v4l2loopback's."""
        if request == v4l2.QUERYCAP:
            argument[:13], argument[84:88] = b"v4l2 loopback", (2).to_bytes(4, "little")

    def write(self, data: bytes | memoryview) -> int:
        """Take a picture."""
        return len(data)

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True)
class Turn:
    """Measurements of some seconds: frames a second, latency in ms, ms of the rendering thread."""

    rate: float
    latency_p50: float
    latency_p95: float
    thread_p50: float
    thread_p95: float


@dataclass
class Written:
    """Totals of an output over all turns: frames, those that they dropped, and seconds to the receiver where
    they know them.
    """

    pictures: int = 0
    dropped: int = 0
    latency_s: list[float] = field(default_factory=list)


class Bench:
    """An engine with an offscreen target, and pictures to show."""

    def __init__(self, options: argparse.Namespace) -> None:
        library = FilterLibrary(None)
        self.rate = float(options.rate)
        self.frames = _frames(f"sample:{options.size}@{options.rate}")
        self.engine = Engine(lambda: Gpu.open(options.adapter), library, load_analysis)
        self.engine.current.set_setup(
            Setup(typed_chain(library, [parse_stage(text) for text in options.filter]))
        )
        width, height = self.frames[0].display_size
        usage = wgpu.TextureUsage.RENDER_ATTACHMENT
        self.target = self.engine.gpu.device.create_texture(
            size=(width, height, 1), format="bgra8unorm", usage=usage
        )
        self.clean = self.engine.gpu.device.create_texture(
            size=(width, height, 1), format="bgra8unorm", usage=usage
        )
        self.feeds = Feeds()
        self.pictures = PictureFormat(width, height, self.rate)
        self.draws_twice = False
        self.drawn_twice = 0

    def play(self, seconds: float) -> Turn:
        """Show pictures at their rate, and return what that took."""
        engine, apart = self.engine, 1.0 / self.rate
        engine.pipeline.drain()
        engine.current.reset_stats()
        begun, thread, shown = time.perf_counter(), [], 0
        for number, frame in enumerate(itertools.cycle(self.frames)):
            due = begun + number * apart
            if due - begun > seconds:
                break
            while (now := time.perf_counter()) < due:
                time.sleep(min(0.001, due - now))
            # A picture that is late by more than one is left out, as by a source in the window.
            if now - due > apart:
                continue
            while engine.current.is_busy() and time.perf_counter() < due + apart:
                time.sleep(0.0005)
            at = time.perf_counter()
            if engine.render(replace(frame, captured_at=due), self.target):
                shown += 1
                self.feeds.offer(self._export, at)
                if self.draws_twice:
                    self.engine.draw_shown(self.clean, View(background=(0.0, 0.0, 0.0)))
                    self.drawn_twice += 1
            thread.append((time.perf_counter() - at) * 1000)
        took = time.perf_counter() - begun
        engine.pipeline.drain()
        engine.current.is_busy()
        latency = engine.current.snapshot().stats.latency_ms
        return Turn(
            shown / took,
            latency.p50 or 0.0,
            latency.p95 or 0.0,
            statistics.median(thread),
            float(np.percentile(thread, 95)),
        )

    def _export(self, overlay: bool) -> Fetch | None:
        pending = self.engine.current.export()
        return None if pending is None else pending.result

    def close(self) -> None:
        """Release everything."""
        self.feeds.close()
        self.target.destroy()
        self.clean.destroy()
        self.engine.close()


def _frames(spec: str) -> list[Frame]:
    source = open_source(spec)
    try:
        return list(itertools.islice(source.frames(), _FRAMES))
    finally:
        source.close()


def _output(options: argparse.Namespace) -> tuple[LiveOutput, Mapping[str, object]]:
    given = dict(text.split("=", 1) for text in options.set)
    output = live_outputs()[options.output]
    if options.output == "virtual_camera" and "device" not in given:
        output = virtual_camera(Loopbacks(opens=Nowhere))
        given["device"] = "/dev/null"
    numbers = {field.name for field in output.fields if field.kind == "number"}
    return output, output.checked({k: float(v) if k in numbers else v for k, v in given.items()})


def _wait(condition: Callable[[], bool], seconds: float) -> None:
    ends = time.monotonic() + seconds
    while not condition() and time.monotonic() < ends:
        time.sleep(0.01)


@contextmanager
def _clean_window(bench: Bench, written: Written) -> Iterator[None]:
    before = bench.drawn_twice
    bench.draws_twice = True
    try:
        yield
    finally:
        bench.draws_twice = False
        written.pictures += bench.drawn_twice - before


@contextmanager
def _live_output(
    bench: Bench, output: LiveOutput, values: Mapping[str, object], written: Written
) -> Iterator[None]:
    feed = bench.feeds.begin(output, values, bench.pictures, CommonOptions(False, False))
    _wait(lambda: feed.state != "opening", 30.0)
    yield
    if feed.state != "running":
        raise SystemExit(f"the output ended: {feed.error}")
    figures = feed.figures()
    written.pictures += figures.sink.pictures
    written.dropped += figures.dropped
    if figures.sink.latency_s is not None:
        written.latency_s.append(figures.sink.latency_s)
    bench.feeds.end(output.id)
    feed.join(10.0)


def run(options: argparse.Namespace) -> dict[str, object]:
    """Return the figures of all turns."""
    bench = Bench(options)
    written = Written()
    if options.output == "clean":
        switched_on = partial(_clean_window, bench, written)
    else:
        switched_on = partial(_live_output, bench, *_output(options), written)
    turns: dict[bool, list[Turn]] = {False: [], True: []}
    try:
        bench.play(min(2.0, options.seconds))  # pipelines are compiled, buffers made
        for _ in range(options.turns):
            turns[False].append(bench.play(options.seconds))
            with switched_on():
                turns[True].append(bench.play(options.seconds))
    finally:
        adapter = str(bench.engine.gpu.adapter)
        bench.close()

    def of(on: bool, name: str) -> float:
        return statistics.median(getattr(turn, name) for turn in turns[on])

    names = Turn.__dataclass_fields__
    return {
        "adapter": adapter,
        "output": options.output,
        "size": options.size,
        "rate": options.rate,
        "off": {name: round(of(False, name), 3) for name in names},
        "on": {name: round(of(True, name), 3) for name in names},
        "rate_ratio": round(of(True, "rate") / of(False, "rate"), 4),
        "added_latency_p50_ms": round(of(True, "latency_p50") - of(False, "latency_p50"), 3),
        "added_latency_p95_ms": round(of(True, "latency_p95") - of(False, "latency_p95"), 3),
        "added_thread_p50_ms": round(of(True, "thread_p50") - of(False, "thread_p50"), 3),
        "picture_ms": round(1000 / options.rate, 2),
        "written": written.pictures,
        "dropped": written.dropped,
        "output_latency_ms": round(statistics.median(written.latency_s) * 1000, 2)
        if written.latency_s
        else None,
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--output", default="virtual_camera", help="id of the output, or clean (default: virtual_camera)"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a field of the output"
    )
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--rate", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each turn")
    parser.add_argument("--turns", type=int, default=4, help="with the output off and on, each")
    parser.add_argument("--filter", action="append", default=[], metavar="NAME[:P=V]")
    parser.add_argument("--adapter", default=None)
    options = parser.parse_args()
    options.filter = options.filter or list(_FILTERS)
    print(json.dumps(run(options), indent=2))


if __name__ == "__main__":
    main()
