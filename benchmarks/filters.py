"""GPU time of every bundled filter at its default values, on a frame of the built-in sample, slowest first.

    python benchmarks/filters.py [FILTER...] [--size 1920x1080] [--frames 30] [--json]

Each filter runs alone through its `FilterStage`, as in a chain, on one picture that stays on the GPU. A time is the median over the
frames of what timestamp queries say about the filter's compute pass; the zeroing of its buffers before the pass (a fill of 256 KiB at
most among the bundled filters) is not in it. Set LIGHTLOOM_ADAPTER to choose an adapter.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import wgpu

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.compute.filter_stage import (
    WORKING_FORMAT,
    FilterProgram,
    FilterStage,
    FrameInfo,
    StageIO,
    compile_filter,
)
from desktop.compute.filters import FilterLibrary
from desktop.compute.gpu import Gpu
from desktop.compute.sources.sample import SampleSource
from desktop.compute.timing import TIMESTAMP_BYTES, FrameTimer
from desktop.compute.upload import Uploader
from desktop.errors import GpuError, LightloomError, UsageError

_WARM_UP = 5


class Bench:
    """A picture on the GPU, a texture to write to, and a clock.

    Raises:
        GpuError: the adapter has no timestamp queries.
    """

    def __init__(self, gpu: Gpu, size: tuple[int, int]) -> None:
        self.gpu, self.size = gpu, size
        self.timer = FrameTimer(gpu)
        if not self.timer.on_gpu:
            raise GpuError(f"{gpu.adapter} has no timestamp queries, so filters can't be timed on it.")
        self.uploader = Uploader(gpu)
        self.uploader.upload(next(SampleSource(size).frames()))
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
        self.result = gpu.device.create_texture(size=(*size, 1), format=WORKING_FORMAT, usage=usage)
        self.ticks = gpu.buffer(
            TIMESTAMP_BYTES, wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.COPY_SRC, "ticks"
        )
        encoder = gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        self.uploader.encode(compute_pass)
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])

    def measure(self, program: FilterProgram, frames: int) -> float:
        """Return the filter's median milliseconds at its defaults."""
        stage = FilterStage(program, program.spec.defaults)
        times = [self._frame(stage, index) for index in range(_WARM_UP + frames)][_WARM_UP:]
        stage.close()
        known = [ms for ms in times if ms is not None]
        if not known:
            raise GpuError(f"{self.gpu.adapter} gave no usable times for '{program.spec.id}'.")
        return statistics.median(known)

    def _frame(self, stage: FilterStage, index: int) -> float | None:
        source = self.uploader.texture
        stage.prepare(StageIO(source, source, self.result), self.size, reset=index == 0)
        stage.update(FrameInfo(self.size, index / 30, 1 / 30 if index else 0.0, index, index == 0))
        encoder = self.gpu.device.create_command_encoder()
        stage.clear(encoder)
        self.timer.begin_frame()
        compute_pass = encoder.begin_compute_pass(**self.timer.begin("filter"))
        stage.encode(compute_pass)
        compute_pass.end()
        self.timer.end()
        self.timer.resolve(encoder, self.ticks)
        self.gpu.queue.submit([encoder.finish()])
        return self.timer.decode(["filter"], self.gpu.queue.read_buffer(self.ticks))[0]

    def close(self) -> None:
        """Release what it holds."""
        self.timer.close()
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
    bench = Bench(gpu, size)
    try:
        times = {
            name: bench.measure(compile_filter(gpu, library.get(name), time.perf_counter), frames)
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
        if options.frames < 1:
            raise UsageError("Give --frames a number of at least 1.")
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
