"""Profile a network's GPU time per node, each dispatch in a timed pass: gaps make the sum exceed a run."""

from __future__ import annotations

import statistics
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.lowering.plan import Plan
from desktop.compute.nn.runtime.session import WgpuSession

Encode = Callable[[wgpu.GPUComputePassEncoder, int, int], None]
_PAIRS: Final = 2048  # WebGPU allows 4096 queries in a set
_TICKS: Final = 16  # bytes of a pair


@dataclass(frozen=True)
class NodeProfile:
    """Times and sizes of a node, or, named by a tensor, of a layout conversion.

    Attributes:
        kernels: the files of `shaders/nn` that compute it.
        ms: time of all its dispatches, the median over the runs.
        bytes: memory that its dispatches read and write; parts of a Concat count as the whole.
        flops: 2 x multiply-adds; 0 for operators that compile/flops.py does not count.
        tuned: the kernel that a tuning chose for it; '' for the rule's.
    """

    node: str
    kernels: tuple[str, ...]
    ms: float
    dispatches: int
    bytes: int
    flops: int
    tuned: str = ""

    @property
    def flop_rate(self) -> float:
        """FLOP/s."""
        return self.flops / (self.ms * 1e-3) if self.ms else 0.0

    @property
    def byte_rate(self) -> float:
        """Bytes a second."""
        return self.bytes / (self.ms * 1e-3) if self.ms else 0.0


@dataclass(frozen=True)
class Profile:
    """Profile of a network's nodes in execution order; `clock` is 'GPU timestamps' or 'CPU'."""

    nodes: tuple[NodeProfile, ...]
    clock: str
    runs: int

    @property
    def ms(self) -> float:
        """Return the sum over the nodes."""
        return sum(node.ms for node in self.nodes)

    def to_dict(self) -> dict[str, object]:
        """Return values for JSON; times in ms, rates per second."""
        nodes = [
            {
                "node": n.node,
                "kernels": list(n.kernels),
                "tuned": n.tuned,
                "ms": round(n.ms, 6),
                "dispatches": n.dispatches,
                "bytes": n.bytes,
                "flops": n.flops,
                "flop_per_s": round(n.flop_rate),
                "bytes_per_s": round(n.byte_rate),
            }
            for n in self.nodes
        ]
        return {"clock": self.clock, "runs": self.runs, "ms": round(self.ms, 6), "nodes": nodes}


def profile_session(session: WgpuSession, runs: int = 5) -> Profile:
    """Time each dispatch of a plan alone, on the last inputs, in `runs` runs after a warm-up.

    Raises ModelError if the session is closed.
    """
    plan, gpu = session.plan, session.gpu
    count = len(plan.dispatches)
    samples = [time_each(gpu, count, session.encode) for _ in range(runs + 1)][1:]
    times = [statistics.median(column) for column in zip(*samples, strict=True)]
    return Profile(_by_node(plan, times, session.flops), clock_of(gpu), runs)


def clock_of(gpu: Gpu) -> str:
    """Return the source of the times: 'GPU timestamps' or 'CPU'."""
    return "GPU timestamps" if gpu.has("timestamp-query") else "CPU"


def time_each(gpu: Gpu, count: int, encode: Encode) -> list[float]:
    """Return the milliseconds of each of `count` items that `encode` records into a pass in turn."""
    return (_by_timestamps if gpu.has("timestamp-query") else _by_clock)(gpu, count, encode)


def _by_node(plan: Plan, times: list[float], flops: Mapping[str, int]) -> tuple[NodeProfile, ...]:
    groups: dict[str, list[int]] = {}
    for index, dispatch in enumerate(plan.dispatches):
        groups.setdefault(dispatch.node, []).append(index)
    found = []
    for node, indices in groups.items():
        dispatches = [plan.dispatches[i] for i in indices]
        size = sum(plan.storages[s].size for d in dispatches for s in {*d.touches})
        kernels = tuple(dict.fromkeys(d.kernel for d in dispatches))
        tuned = ", ".join(dict.fromkeys(d.tuned for d in dispatches if d.tuned))
        ms = sum(times[i] for i in indices)
        found.append(NodeProfile(node, kernels, ms, len(indices), size, flops.get(node, 0), tuned))
    return tuple(found)


def _by_timestamps(gpu: Gpu, count: int, encode: Encode) -> list[float]:
    return [
        ms
        for start in range(0, count, _PAIRS)
        for ms in _timestamps_of(gpu, start, min(start + _PAIRS, count), encode)
    ]


def _timestamps_of(gpu: Gpu, start: int, stop: int, encode: Encode) -> list[float]:
    count = stop - start
    usage = wgpu.BufferUsage
    queries = gpu.device.create_query_set(type="timestamp", count=2 * count)
    resolved = gpu.buffer(count * _TICKS, usage.QUERY_RESOLVE | usage.COPY_SRC, "profile ticks")
    encoder = gpu.device.create_command_encoder()
    for index in range(count):
        writes = {
            "query_set": queries,
            "beginning_of_pass_write_index": 2 * index,
            "end_of_pass_write_index": 2 * index + 1,
        }
        compute_pass = encoder.begin_compute_pass(timestamp_writes=writes)
        encode(compute_pass, start + index, start + index + 1)
        compute_pass.end()
    encoder.resolve_query_set(queries, 0, 2 * count, resolved, 0)
    gpu.queue.submit([encoder.finish()])
    ticks = struct.unpack_from(f"<{2 * count}Q", gpu.queue.read_buffer(resolved))
    # Ticks are nanoseconds. After a reset of the clock the end is before the start: unknown.
    return [max(end - begin, 0) / 1e6 for begin, end in zip(ticks[::2], ticks[1::2], strict=True)]


def _by_clock(gpu: Gpu, count: int, encode: Encode) -> list[float]:
    """Return the wall time from recording a dispatch to its end on the GPU."""
    times = []
    for index in range(count):
        begin = time.perf_counter()
        encoder = gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        encode(compute_pass, index, index + 1)
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])
        gpu.wait()
        times.append((time.perf_counter() - begin) * 1e3)
    return times
