"""Measure latency percentiles, frame rate, and the stages' CPU and GPU times (timestamp queries) in ms."""

from __future__ import annotations

import struct
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import wgpu

from desktop.compute.gpu.device import Gpu

# With 40, heads that fill a slot leave no room for their flag (pipeline/running/one/head_reader.py).
MAX_SPANS: Final = 39
TIMESTAMP_BYTES: Final = MAX_SPANS * 2 * 8


@dataclass(frozen=True)
class Percentiles:
    """50th, 95th and 99th percentile in milliseconds (linear interpolation); None without values."""

    p50: float | None = None
    p95: float | None = None
    p99: float | None = None

    @classmethod
    def of(cls, values: Sequence[float]) -> Percentiles:
        """Return the percentiles of a sequence of milliseconds."""
        if not values:
            return cls()
        ordered = sorted(values)
        return cls(*(_quantile(ordered, share) for share in (0.5, 0.95, 0.99)))

    def to_dict(self) -> dict[str, float | None]:
        """Return {'p50': ..., 'p95': ..., 'p99': ...}, rounded to a microsecond."""
        return {
            k: None if v is None else round(v, 3)
            for k, v in (("p50", self.p50), ("p95", self.p95), ("p99", self.p99))
        }


def _quantile(ordered: Sequence[float], share: float) -> float:
    # Not NumPy's, which takes seven times as long for a few hundred values, each frame, and imports numpy.ma.
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (ordered[above] - ordered[below]) * (place - below))


@dataclass(frozen=True)
class StageTime:
    """Times of a stage over the last frames in which it ran.

    Attributes:
        gpu_ms: mean time on the GPU; None without timestamps.
        cpu_ms: mean time of recording on the CPU.
        samples: milliseconds of each of these frames, oldest first: on the GPU if it has timestamps.
    """

    name: str
    gpu_ms: float | None
    cpu_ms: float
    samples: tuple[float, ...] = ()


class Series:
    """The last `length` values of a measurement, for percentiles and graphs."""

    def __init__(self, length: int = 240) -> None:
        self._values: deque[float] = deque(maxlen=length)

    def add(self, value: float) -> None:
        """Append a value."""
        self._values.append(value)

    def clear(self) -> None:
        """Remove all values."""
        self._values.clear()

    @property
    def values(self) -> list[float]:
        """The values, oldest first."""
        return list(self._values)

    @property
    def mean(self) -> float:
        """The mean of the values, 0.0 if there are none."""
        return sum(self._values) / len(self._values) if self._values else 0.0

    @property
    def percentiles(self) -> Percentiles:
        """The percentiles of the values."""
        return Percentiles.of(self.values)


class RateMeter:
    """Rate of events per second over the last two seconds."""

    def __init__(self, window: float = 2.0) -> None:
        self._window = window
        self._times: deque[float] = deque()

    def tick(self, now: float) -> None:
        """Count an event."""
        self._times.append(now)
        while self._times[0] < now - self._window:
            self._times.popleft()

    def rate(self, now: float) -> float:
        """Return the rate at `now`; 0.0 after two seconds without events."""
        recent = [t for t in self._times if t >= now - self._window]
        if len(recent) < 2:
            return 0.0
        return (len(recent) - 1) / max(recent[-1] - recent[0], 1e-9)


class ResultRate:
    """Rate of results per second over the last ones, for networks that take seconds each as well."""

    def __init__(self, length: int = 30) -> None:
        self._times: deque[float] = deque(maxlen=length)

    def tick(self, now: float) -> None:
        """Count a result."""
        self._times.append(now)

    def clear(self) -> None:
        """Remove all results."""
        self._times.clear()

    def rate(self, now: float) -> float:
        """Return the rate at `now`; 0.0 before the second result, and once results have stopped."""
        times = self._times
        if len(times) < 2:
            return 0.0
        interval = (times[-1] - times[0]) / (len(times) - 1)
        has_stopped = now - times[-1] > max(2.0, 3.0 * interval)
        return 0.0 if has_stopped else 1.0 / max(interval, 1e-9)


class FrameTimer:
    """Times one frame's passes by timestamp writes, in the order of `names`, and measures the CPU's time."""

    def __init__(self, gpu: Gpu) -> None:
        self.on_gpu = gpu.has("timestamp-query")
        self._queries: wgpu.GPUQuerySet | None = None
        self._resolved: wgpu.GPUBuffer | None = None
        if self.on_gpu:
            self._queries = gpu.device.create_query_set(type="timestamp", count=MAX_SPANS * 2)
            usage = wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC
            self._resolved = gpu.buffer(TIMESTAMP_BYTES, usage, "timestamps")
        # Arguments that open the pass of each span: the same each frame.
        self._spans = [self._span(index) for index in range(MAX_SPANS if self.on_gpu else 0)]
        self.names: list[str] = []
        self.cpu_ms: list[float] = []
        self._begun = 0.0
        self._prefix = ""

    def _span(self, index: int) -> dict[str, Any]:
        writes = {
            "query_set": self._queries,
            "beginning_of_pass_write_index": 2 * index,
            "end_of_pass_write_index": 2 * index + 1,
        }
        return {"timestamp_writes": writes}

    def begin_frame(self) -> None:
        """Drop the last frame's spans."""
        self.names = []
        self.cpu_ms = []

    def begin(self, name: str) -> Mapping[str, Any]:
        """Begin a span; return the keyword arguments for `begin_compute_pass` or `begin_render_pass`."""
        self._begun = time.perf_counter()
        index = len(self.names)
        self.names.append(self._prefix + name)
        return self._spans[index] if index < len(self._spans) else {}

    @contextmanager
    def prefixed(self, prefix: str) -> Iterator[None]:
        """Let the names of spans begin with `prefix` inside the context."""
        before, self._prefix = self._prefix, prefix
        try:
            yield
        finally:
            self._prefix = before

    def end(self) -> None:
        """End the span that began last."""
        self.cpu_ms.append((time.perf_counter() - self._begun) * 1e3)

    def resolve(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer) -> None:
        """Record the resolution of this frame's queries and their copy to the beginning of `target`."""
        count = 2 * min(len(self.names), MAX_SPANS)
        if self.on_gpu and count:
            encoder.resolve_query_set(self._queries, 0, count, self._resolved, 0)
            encoder.copy_buffer_to_buffer(self._resolved, 0, target, 0, count * 8)

    def decode(self, names: Sequence[str], raw: memoryview) -> list[float | None]:
        """Return the milliseconds of each named span from the bytes that `resolve` wrote."""
        if not self.on_gpu:
            return [None] * len(names)
        count = min(len(names), MAX_SPANS)
        ticks = struct.unpack_from(f"<{count * 2}Q", raw)
        # In nanoseconds. If the driver resets its clock, the end precedes the start: time unknown.
        spans = [(end - begin) / 1e6 for begin, end in zip(ticks[::2], ticks[1::2], strict=True)]
        return [ms if 0 <= ms < 60_000 else None for ms in spans] + [None] * (len(names) - count)

    def close(self) -> None:
        """Release the queries."""
        for held in (self._queries, self._resolved):
            if held is not None:
                held.destroy()
