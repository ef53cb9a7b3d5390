"""Measure layers: the frame rate with up to four videos over a main one, and the GPU time of each layer.

    python benchmarks/layers.py [--adapter NAME] [--size 1920x1080] [--frames 300] [--layers 4]

The videos are encoded first, in H.264 or what there is of it, each other noise that moves. All are decoded while
frames are drawn, as in an export without encoding. Given are frames a second with 0, 1, ... layers, and the mean
GPU time of the passes of each layer (of the CPU without a clock on the GPU).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import av
import numpy as np

from desktop.compute.gpu.device import Gpu
from desktop.media.sources.opening import open_source
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.kind import layer_kind
from desktop.pipeline.layers.spec import LayerPlace, Layers, LayerSpec
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.prefetch import prefetch

_RATE = 60


def _write(path: Path, size: tuple[int, int], count: int, seed: int) -> None:
    """Encode a clip of blocks that drift."""
    random = np.random.default_rng(seed)
    blocks = random.integers(0, 256, (size[1] // 8, size[0] // 8, 3), np.uint8)
    image = blocks.repeat(8, 0).repeat(8, 1)
    with av.open(str(path), "w") as container:
        codec = "libx264" if "libx264" in av.codecs_available else "mpeg4"
        stream = container.add_stream(codec, rate=_RATE)
        stream.width, stream.height, stream.pix_fmt = image.shape[1], image.shape[0], "yuv420p"
        for number in range(count):
            frame = av.VideoFrame.from_ndarray(np.roll(image, 4 * number, 1), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def _layers(paths: list[Path]) -> Layers:
    layers = Layers()
    for number, path in enumerate(paths):
        place = LayerPlace(0.5 * (number % 2), 0.5 * (number // 2 % 2), 0.5)
        values = layer_kind("video").check({"path": str(path), "at_end": "loop"})
        layers = layers.added(LayerSpec(0, "video", values, place))
    return layers


def _run(gpu: Gpu, main: Path, layers: Layers, count: int) -> tuple[float, dict[str, float]]:
    """Return frames a second, and milliseconds of each span of a layer."""
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
    pipeline.set_layers(layers)
    frames = prefetch(open_source(main).frames())
    # The first frame compiles and opens everything.
    pipeline.render(next(frames))
    pipeline.drain()
    begun, done = time.perf_counter(), 0
    for frame in frames:
        pipeline.render(frame)
        done += 1
        if done == count:
            break
    pipeline.drain()
    seconds = time.perf_counter() - begun
    spans = {
        span.name: span.gpu_ms if span.gpu_ms is not None else span.cpu_ms
        for span in pipeline.stats.stages
        if span.name.startswith("layer ")
    }
    frames.close()
    pipeline.close()
    return done / seconds, spans


def main() -> None:
    """Run; print a row for each number of layers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--adapter")
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--layers", type=int, default=4)
    options = parser.parse_args()
    width, height = (int(side) for side in options.size.split("x"))
    gpu = Gpu.open(options.adapter)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.mp4") for number in range(options.layers + 1)]
        for number, path in enumerate(paths):
            _write(path, (width // 8 * 8, height // 8 * 8), options.frames + 1, number)
        print(f"{gpu.adapter.name}, {width}x{height}, {options.frames} frames")
        for count in range(options.layers + 1):
            rate, spans = _run(gpu, paths[0], _layers(paths[1 : count + 1]), options.frames)
            each = ", ".join(f"{ms:.3f}" for ms in spans.values())
            print(f"  {count} layers {rate:8.1f} FPS{'   ms a layer: ' if each else ''}{each}")


if __name__ == "__main__":
    main()
