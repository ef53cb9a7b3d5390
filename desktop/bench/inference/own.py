"""This engine as the benchmark's candidates."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import wgpu

from desktop.bench.inference.candidate import DEVICE, HOST, OWN, TEXTURE, Candidate, wall
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.compute.nn.session import Precision
from desktop.pipeline.running.inputs.gpu_preprocess import GpuPreprocessor
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD, Preprocess


def own_candidates(gpu: Gpu, path: Path, feeds: dict[str, np.ndarray]) -> Iterator[Candidate]:
    """Yield host to host, texture to buffer (input 1 x 3 x H x W) and device only, in fp16 and fp32."""
    shapes = {name: value.shape for name, value in feeds.items()}
    precisions: tuple[Precision, ...] = ("fp16", "fp32") if gpu.has("shader-f16") else ("fp32",)
    for precision in precisions:
        begin = time.perf_counter()
        session = WgpuSession.load(gpu, path, precision=precision, input_shapes=shapes)
        session.run(feeds)
        loaded = time.perf_counter() - begin
        yield Candidate(OWN, precision, HOST, wall(partial(session.run, feeds)), loaded, session.plan.memory)
        if session.inputs[0].shape[:2] == (1, 3) and len(session.inputs[0].shape) == 4:
            yield Candidate(OWN, precision, TEXTURE, _from_texture(gpu, session), None)
        yield Candidate(OWN, precision, DEVICE, on_device(gpu, session), None, None, session.close)


def _from_texture(gpu: Gpu, session: WgpuSession) -> Callable[[], float]:
    """Time from a 1080p rgba16float frame on the GPU, resized and normalized, to an output on the GPU."""
    info = session.inputs[0]
    height, width = info.shape[2:]
    plan = Preprocess(width=width, height=height, mean=IMAGENET_MEAN, std=IMAGENET_STD)
    preprocess = GpuPreprocessor(gpu, plan, session.tensor(info.name))
    texture = gpu.device.create_texture(
        size=(1920, 1080, 1), format="rgba16float", usage=wgpu.TextureUsage.TEXTURE_BINDING
    )
    preprocess.bind(texture)

    def run() -> None:
        encoder = gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        preprocess.encode(compute_pass)
        session.encode(compute_pass)
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])
        gpu.poll()

    return wall(run)


_BUSY_MS: Final = 4.0
"""Load before a sample: idle GPUs lower their clock (a VGG11 took 0.71 to 0.91 instead of 0.51 ms)."""
_MOST_RUNS: Final = 32


def on_device(gpu: Gpu, session: WgpuSession) -> Callable[[], float]:
    """Return a function that times a session's run in ms, by GPU timestamps or the wall clock. With
    timestamps, runs before it keep the GPU busy.
    """

    def run() -> None:
        gpu.compute(session.encode)
        gpu.poll()

    if not gpu.has("timestamp-query"):
        return wall(run)
    usage = wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC
    queries = gpu.device.create_query_set(type="timestamp", count=2)
    resolved = gpu.buffer(16, usage, "bench timestamps")
    stamps = {"query_set": queries, "beginning_of_pass_write_index": 0, "end_of_pass_write_index": 1}

    def timed(before: int) -> float:
        for each in (
            *[None] * before,
            stamps,
        ):  # submitted one by one: one is recorded while another is computed
            encoder = gpu.device.create_command_encoder()
            compute_pass = encoder.begin_compute_pass(timestamp_writes=each)
            session.encode(compute_pass)
            compute_pass.end()
            if each is not None:
                encoder.resolve_query_set(queries, 0, 2, resolved, 0)
            gpu.queue.submit([encoder.finish()])
        begin, end = np.frombuffer(gpu.queue.read_buffer(resolved, 0, 16), np.uint64)
        return float(end - begin) / 1e6

    first = timed(1)
    before = min(int(_BUSY_MS / max(first, 1e-3)), _MOST_RUNS)
    return lambda: timed(before)
