"""10,000 frames with edits to the chain, seeks and source switches: GPU objects and memory must not grow.

    python benchmarks/soak.py [--frames 10000] [--size 192x108] [--json]

Prints the live wgpu objects after the first tenth and at the end, and the resident memory; exit status 1
where objects grew or memory grew by more than 20 MiB after the first tenth.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import psutil

import desktop  # noqa: F401 - chooses what `import wgpu` gives

# isort: split

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.media.frame import Frame
from desktop.media.sources.base import Seekable
from desktop.media.sources.sample import SampleSource
from desktop.media.sources.video import VideoSource
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.setup import Setup

_FILTERS = ("gaussian_blur", "exposure", "motion_trails", "sharpen", "bloom", "sobel", "vignette", "pixelate")
_ALLOWED_MIB = 20.0


def write_clip(path: Path, width: int, height: int) -> None:
    """Encode a short clip of moving noise and gradients."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=30)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        y, x = np.mgrid[0:height, 0:width]
        for index in range(90):
            picture = np.stack([x + index * 3, y * 2 + index, x ^ (y + index)], axis=-1).astype(np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))


class Sources:
    """Frames from a video file and the sample in turn, with seeks."""

    def __init__(self, clip: Path, size: tuple[int, int], rng: random.Random) -> None:
        self._clip = clip
        self._size = size
        self._rng = rng
        self._source: Seekable | None = None

    def switch(self) -> None:
        """Close the source in use and open the other one."""
        is_video = isinstance(self._source, VideoSource)
        self.close()
        self._source = SampleSource(self._size) if is_video else VideoSource(self._clip)
        self._source.start()
        self._source.set_loop(None, None, whole=True)
        self._source.set_speed(4.0)
        self._source.play()

    def seek(self) -> None:
        """Go to a random time."""
        if self._source is not None:
            self._source.seek(self._rng.uniform(0, 2.5))

    def frames(self) -> Iterator[Frame]:
        """Yield what is due; the last frame again where nothing new is, so that the count does not depend on
        decoding speed.
        """
        last: Frame | None = None
        while True:
            assert self._source is not None
            frame = self._source.take(time.perf_counter())
            if frame is None and last is not None:
                yield replace(last, captured_at=time.perf_counter())
                continue
            if frame is None:
                time.sleep(0.001)
                continue
            last = frame
            yield frame

    def close(self) -> None:
        """Close the source in use."""
        if self._source is not None:
            self._source.close()


def edit(chain: ChainSpec, library: FilterLibrary, rng: random.Random) -> ChainSpec:
    """Return the chain after one random edit."""
    ids = [s.id for s in chain.stages]
    choice = rng.random()
    if len(ids) < 2 or (choice < 0.35 and len(ids) < 5):
        name = rng.choice(_FILTERS)
        return chain.added(name, library.get(name).defaults)
    stage = rng.choice(ids)
    if choice < 0.55:
        return chain.removed(stage)
    if choice < 0.75:
        return chain.moved(stage, rng.randrange(len(ids)))
    return chain.with_enabled(stage, not chain.find(stage).enabled)


def live_objects() -> dict[str, int]:
    """Return the number of live wgpu objects by kind, as the native library counts them."""
    gc.collect()
    counts = wgpu.diagnostics.object_counts.get_dict()
    return {name: int(row["count"]) for name, row in counts.items() if row.get("count")}


def main() -> int:
    """Run; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--size", default="192x108")
    parser.add_argument("--adapter")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    width, height = (int(v) for v in options.size.split("x"))
    rng = random.Random(7)
    library = FilterLibrary(None)
    process = psutil.Process()
    with tempfile.TemporaryDirectory() as folder:
        clip = Path(folder) / "clip.mp4"
        write_clip(clip, width, height)
        engine = Engine(lambda: Gpu.open(options.adapter), library, None, wait=True)
        sources = Sources(clip, (width, height), rng)
        sources.switch()
        # Every filter once, so that its pipelines (which are kept) exist before the count begins.
        chain = ChainSpec()
        for name in _FILTERS:
            chain = chain.added(name, library.get(name).defaults)
        engine.current.set_setup(Setup(chain))
        marks: list[tuple[int, float, dict[str, int]]] = []
        series: list[float] = []
        for index, frame in enumerate(sources.frames()):
            engine.render(frame)
            if index % 25 == 0:
                chain = edit(chain, library, rng)
                engine.current.set_setup(Setup(chain))
            if index % 70 == 0:
                sources.seek()
                engine.pipeline.chain.reset()
            if index % 500 == 499:
                sources.switch()
            if index + 1 in (options.frames // 10, options.frames):
                # The same state at both marks: an empty chain, nothing in flight.
                engine.current.set_setup(Setup())
                engine.render(frame)
                engine.pipeline.drain()
                marks.append((index + 1, process.memory_info().rss / 2**20, live_objects()))
                engine.current.set_setup(Setup(chain))
            if (index + 1) % max(options.frames // 10, 1) == 0:
                series.append(round(process.memory_info().rss / 2**20, 1))
            if index + 1 >= options.frames:
                break
        sources.close()
        engine.close()
    (first_at, first_mib, first), (_, last_mib, last) = marks
    grown = {k: last.get(k, 0) - first.get(k, 0) for k in last if last.get(k, 0) > first.get(k, 0)}
    report = {
        "frames": options.frames,
        "first_mark": first_at,
        "objects_first": first,
        "objects_last": last,
        "grown": grown,
        "rss_mib_first": round(first_mib, 1),
        "rss_mib_last": round(last_mib, 1),
        "rss_mib_each_tenth": series,
    }
    print(json.dumps(report, indent=1) if options.json else "\n".join(f"{k}: {v}" for k, v in report.items()))
    return 1 if grown or last_mib - first_mib > _ALLOWED_MIB else 0


if __name__ == "__main__":
    sys.exit(main())
