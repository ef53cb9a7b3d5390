"""GPU time of every bundled filter at its default values, on a frame of the built-in sample, slowest first.

    python benchmarks/filters.py [FILTER...] [--size 1920x1080] [--frames 30] [--json]

Each filter runs alone through its `FilterStage`, as in a chain, on one picture that stays on the GPU. A time
is the median over the frames of what timestamp queries say about the filter's compute pass; the zeroing of
its buffers before the pass (a fill of 256 KiB at most among the bundled filters) is not in it. Set
LIGHTLOOM_ADAPTER to choose an adapter.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import desktop  # noqa: F401 - chooses what `import wgpu` gives

# isort: split

import wgpu

from desktop.base.errors import GpuError, LightloomError, UsageError
from desktop.compute.gpu.device import Gpu
from desktop.media.conversion import WORKING_FORMAT
from desktop.media.sources.sample import SampleSource
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.program import FilterProgram
from desktop.pipeline.filters.stage import FilterStage, StageIO, compile_filter
from desktop.pipeline.picture.upload import Uploader

_WARM_UP_SECONDS = 0.2
_MAX_FRAMES = 1000  # a query set has at most 4096 queries, two a frame


class Bench:
    """A picture on the GPU, a texture to write to, and a clock.

    Raises:
        GpuError: the adapter has no timestamp queries.
    """

    def __init__(self, gpu: Gpu, size: tuple[int, int], frames: int) -> None:
        self.gpu, self.size = gpu, size
        self.frames = frames
        if not gpu.has("timestamp-query"):
            raise GpuError(f"{gpu.adapter} has no timestamp queries, so filters can't be timed on it.")
        self.uploader = Uploader(gpu)
        self.uploader.upload(next(SampleSource(size).frames()))
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
        self.result = gpu.device.create_texture(size=(*size, 1), format=WORKING_FORMAT, usage=usage)
        self.queries = gpu.device.create_query_set(type="timestamp", count=2 * self.frames)
        self.ticks = gpu.buffer(
            16 * self.frames, wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC, "ticks"
        )
        self.uploader.convert()

    def measure(self, program: FilterProgram) -> float:
        """Return the filter's median milliseconds at its defaults."""
        stage = FilterStage(program, program.spec.defaults)
        # A GPU that idled, if only while a shader was compiled, takes milliseconds to raise its clock.
        begun, index = time.perf_counter(), 0
        while time.perf_counter() - begun < _WARM_UP_SECONDS:
            self._submit(stage, index, 0)
            self.gpu.wait()
            index += 1
        for query in range(self.frames):
            self._submit(stage, index + query, query)
        encoder = self.gpu.device.create_command_encoder()
        encoder.resolve_query_set(self.queries, 0, 2 * self.frames, self.ticks, 0)
        self.gpu.queue.submit([encoder.finish()])
        ticks = np.frombuffer(self.gpu.queue.read_buffer(self.ticks), np.int64).reshape(-1, 2)
        stage.close()
        return float(np.median(ticks[:, 1] - ticks[:, 0])) / 1e6

    def _submit(self, stage: FilterStage, index: int, query: int) -> None:
        source = self.uploader.texture
        stage.prepare(StageIO(source, source, self.result), self.size, reset=index == 0)
        stage.update(FrameInfo(self.size, index / 30, 1 / 30 if index else 0.0, index, index == 0))
        encoder = self.gpu.device.create_command_encoder()
        stage.clear(encoder)
        writes = {
            "query_set": self.queries,
            "beginning_of_pass_write_index": 2 * query,
            "end_of_pass_write_index": 2 * query + 1,
        }
        compute_pass = encoder.begin_compute_pass(timestamp_writes=writes)
        stage.encode(compute_pass)
        compute_pass.end()
        self.gpu.queue.submit([encoder.finish()])

    def close(self) -> None:
        """Release what it holds."""
        self.queries.destroy()
        self.uploader.close()
        self.result.destroy()
        self.ticks.destroy()


def parse_size(text: str) -> tuple[int, int]:
    """Return (width, height) of a text like 1920x1080."""
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size like 1920x1080.")
    return int(width), int(height)


def run(names: list[str], size: tuple[int, int], frames: int, gpu: Gpu) -> dict[str, float]:
    """Return the milliseconds of each filter, slowest first."""
    library = FilterLibrary()
    bench = Bench(gpu, size, frames)
    try:
        times = {
            name: bench.measure(compile_filter(gpu, library.get(name), time.perf_counter))
            for name in names or sorted(library.filters)
        }
    finally:
        bench.close()
    return dict(sorted(times.items(), key=lambda item: -item[1]))


def main() -> int:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description="GPU time of the bundled filters.")
    parser.add_argument("filters", nargs="*", help="by default all of them")
    parser.add_argument("--size", type=parse_size, default=(1920, 1080))
    parser.add_argument("--frames", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    gpu: Gpu | None = None
    try:
        if not 1 <= options.frames <= _MAX_FRAMES:
            raise UsageError(f"Give --frames a number from 1 to {_MAX_FRAMES}.")
        gpu = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
        times = run(options.filters, options.size, options.frames, gpu)
    except LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        if gpu is not None:
            gpu.close()
    report: dict[str, Any] = {"adapter": str(gpu.adapter), "size": list(options.size), "gpu_ms": times}
    if options.json:
        print(json.dumps(report, indent=2))
        return 0
    print(f"{gpu.adapter}, {options.size[0]}x{options.size[1]}, milliseconds on the GPU")
    for name, ms in times.items():
        print(f"{ms:8.3f}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
