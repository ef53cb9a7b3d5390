"""`lightloom bench pipeline`: decode, upload, filter, infer and present offscreen at full speed."""

from __future__ import annotations

import argparse
import itertools
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
import wgpu

from desktop.base import console
from desktop.base.addresses import public_name
from desktop.base.errors import SourceUnsupportedError, UsageError
from desktop.base.interrupt import Interrupt
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import Frame
from desktop.media.sources.base import Source
from desktop.media.sources.opening import open_source
from desktop.outputs.encoders import ENCODERS, encodes
from desktop.pipeline.batch import check_stages, when_free
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.engine import Engine, LoadNetwork
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.prefetch import prefetch
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup

_ARRIVAL_S: Final = 0.1
"""Seconds after which the device is checked for a loss if a frame does not arrive."""
_DEFAULT_FILTERS: Final = ("gaussian_blur:radius=8", "lut", "sharpen")


def _looped(source: Source) -> Iterator[Frame]:
    # A clip of ten seconds is over in half a second; the same clip again, decoded again, goes on.
    empty = False
    while not empty:
        empty = True
        for frame in source.frames():
            empty = False
            yield frame


def _write_test_lut(folder: Path) -> Path:
    size = 33
    axis = np.linspace(0, 1, size)
    rows = [f"{r**0.9:.6f} {g:.6f} {b**1.1:.6f}" for b in axis for g in axis for r in axis]
    path = folder / "bench.cube"
    path.write_text(f"LUT_3D_SIZE {size}\n" + "\n".join(rows))
    return path


def _chain(options: argparse.Namespace, library: FilterLibrary, folder: Path) -> Any:
    stages = [parse_stage(text) for text in options.filter or _DEFAULT_FILTERS]
    stages = [
        replace(stage, values={**stage.values, "table": str(_write_test_lut(folder))})
        if stage.filter == "lut" and "table" not in stage.values
        else stage
        for stage in stages
    ]
    return typed_chain(library, stages)


def _encoder() -> tuple[str, dict[str, str]]:
    settings = {"preset": "veryfast", "crf": "20"}
    if encodes(next(each for each in ENCODERS if each.name == "libx264"), settings):
        return "libx264", settings
    # As in the bundles; figures with it are not comparable with others.
    console.fail("there is no H.264 encoder here, so the sample is decoded from VP9.")
    return "libvpx-vp9", {"deadline": "realtime", "cpu-used": "8", "crf": "20", "b": "0"}


def _encode_sample(size: str, folder: Path) -> Path:
    # Two seconds of the sample as H.264: at 1080p drawing it takes 12 ms on the CPU, decoding it 1 ms.
    path = folder / "sample.mp4"
    with av.open(str(path), "w") as container:
        frames = open_source(f"sample:{size}").frames()
        encoder, settings = _encoder()
        stream: Any = container.add_stream(encoder, rate=30, options=settings)
        stream.width, stream.height = (int(v) for v in size.split("x"))
        stream.pix_fmt = "yuv420p"
        for frame in itertools.islice(frames, 60):
            picture = av.VideoFrame(frame.width, frame.height, frame.format.name)
            for plane, target in zip(frame.planes, picture.planes, strict=True):
                rows = np.frombuffer(plane.data, np.uint8)[: plane.stride * plane.height].reshape(
                    plane.height, -1
                )
                padded = np.zeros((plane.height, target.line_size), np.uint8)
                padded[:, : min(rows.shape[1], target.line_size)] = rows[:, : target.line_size]
                target.update(padded.tobytes())
            container.mux(stream.encode(picture.reformat(format="yuv420p")))
        container.mux(stream.encode(None))
    return path


def _open(options: argparse.Namespace, folder: Path) -> Source:
    if options.input.rstrip(":") != "sample":
        return open_source(options.input)
    if not re.fullmatch(r"\d+x\d+", options.size):
        raise UsageError(f"'{options.size}' is not a size such as 1920x1080.")
    return open_source(_encode_sample(options.size, folder))


def _open_gpu(name: str | None) -> Gpu:
    gpu = Gpu.open(name)
    for note in gpu.notes:
        console.fail(note)
    return gpu


def bench_pipeline(
    options: argparse.Namespace, network: NetworkSpec | None, load_network: LoadNetwork
) -> dict[str, Any]:
    """Return the benchmark's figures in ms; latency is from taking a decoded frame to the end of the present
    pass, with two frames in flight. `wait_ms_per_frame` is what the rendering thread waits for the next frame
    to be decoded and copied: near 0 where rendering is the limit.

    With `options.one_by_one` each frame begins when the one before is done, so that one is in flight; `result_ms`
    is the time from taking it, its copy to the GPU included, until its result is in host memory.
    """
    library = FilterLibrary(None)
    with tempfile.TemporaryDirectory() as folder:
        source = _open(options, Path(folder))
        in_flight = 1 if options.one_by_one else 2
        engine = Engine(
            lambda: _open_gpu(options.adapter), library, load_network, wait=True, in_flight=in_flight
        )
        try:
            begun = time.perf_counter()
            engine.current.set_setup(Setup(_chain(options, library, Path(folder)), network))
            load_s = time.perf_counter() - begun
            return _measure(engine, source, options) | {"load_s": round(load_s, 3)}
        finally:
            source.close()
            engine.close()


class _Awaited:
    """An iterator that adds up how long its caller waited for items."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames
        self.seconds = 0.0

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        begun = time.perf_counter()
        try:
            return next(self._frames)
        finally:
            self.seconds += time.perf_counter() - begun


def _measure(engine: Engine, source: Source, options: argparse.Namespace) -> dict[str, Any]:
    decoded = _looped(source)
    frames = prefetch(decoded if options.one_by_one else engine.staged(decoded))
    first = next(frames, None)
    if first is None:
        raise SourceUnsupportedError(f"{public_name(options.input)} gave no frame to measure with.")
    width, height = first.display_size
    target = engine.gpu.device.create_texture(
        size=(width, height, 1),
        format="rgba8unorm",
        usage=wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.STORAGE_BINDING,
    )
    pipeline = engine.pipeline
    rest = _Awaited(itertools.chain([first], frames))
    times: list[float] = []
    run = partial(_run_one_by_one, times) if options.one_by_one else _run
    try:
        run(engine, rest, target, min(options.seconds, 2.0), options.interrupt)
        pipeline.drain()
        check_stages(engine)
        pipeline.statistics.reset()
        rest.seconds = 0.0
        times.clear()
        begun = time.perf_counter()
        count = run(engine, rest, target, options.seconds, options.interrupt)
        pipeline.drain()
        seconds = time.perf_counter() - begun
        check_stages(engine)
    finally:
        frames.close()
        target.destroy()
    figures = _figures(engine, options, count, seconds, (width, height))
    figures["wait_ms_per_frame"] = round(rest.seconds / count * 1e3, 4)
    if times:
        found = np.percentile(times, (50, 95, 99))
        figures["result_ms"] = {
            name: round(float(each), 3) for name, each in zip(("p50", "p95", "p99"), found, strict=True)
        }
    return figures


def _run(
    engine: Engine, frames: Iterator[Frame], target: wgpu.GPUTexture, seconds: float, interrupt: Interrupt
) -> int:
    end = time.perf_counter() + seconds
    count = 0
    for frame in when_free(engine, frames):
        interrupt.check()
        engine.render(replace(frame, captured_at=time.perf_counter()), target)
        count += 1
        if time.perf_counter() > end:
            break
    return count


def _run_one_by_one(
    times: list[float],
    engine: Engine,
    frames: Iterator[Frame],
    target: wgpu.GPUTexture,
    seconds: float,
    interrupt: Interrupt,
) -> int:
    """Run frames, each once the one before is done; add to `times` what each took, in ms."""
    pipeline = engine.pipeline
    end = time.perf_counter() + seconds
    count = 0
    for frame in frames:
        interrupt.check()
        begun = time.perf_counter()
        engine.render(replace(frame, captured_at=begun), target)
        while not pipeline.drain(_ARRIVAL_S):
            pipeline.check_device()
        pipeline.await_analysis()
        now = time.perf_counter()
        times.append((now - begun) * 1e3)
        count += 1
        if now > end:
            break
    return count


def _figures(
    engine: Engine, options: argparse.Namespace, count: int, seconds: float, size: tuple[int, int]
) -> dict[str, Any]:
    stats = engine.pipeline.stats
    titles = {f"filter:{s.id}": s.name for s in engine.pipeline.chain.statuses}
    latest = engine.pipeline.analyses.latest
    return {
        "input": public_name(options.input),
        "size": list(size),
        "frames": count,
        "fps": round(count / seconds, 2),
        "latency_ms": stats.latency_ms.to_dict(),
        "cpu_ms_per_frame": round(stats.cpu_ms, 4),
        "gpu_ms_per_frame": None if stats.gpu_ms is None else round(stats.gpu_ms, 4),
        "stages": [
            {
                "name": titles.get(s.name, s.name),
                "gpu_ms": None if s.gpu_ms is None else round(s.gpu_ms, 4),
                "cpu_ms": round(s.cpu_ms, 4),
            }
            for s in stats.stages
        ],
        "timing_source": stats.timing_source,
        "adapter": str(engine.gpu.adapter),
        "backend": engine.gpu.adapter.backend,
        "network": engine.current.network_status.text,
        "top": [shape.label for shape in latest.shapes()] if latest is not None else [],
        "upload_bytes_per_frame": stats.upload_bytes,
        "upload_bytes_per_pixel": round(stats.upload_bytes / (size[0] * size[1]), 4),
        "readback_bytes_per_frame": stats.readback_bytes,
    }
