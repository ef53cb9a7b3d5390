"""Recent performance of a pipeline: rates, latency, and the time of each stage."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from desktop.base.wording import sentence
from desktop.compute.gpu.timing import Percentiles, RateMeter, ResultRate, Series, StageTime
from desktop.pipeline.totals import Totals

# Marked as sentences, which the window translates.
_BY_GPU: Final = sentence("GPU timestamps")
_BY_CPU: Final = sentence("CPU time")


@dataclass(frozen=True)
class PipelineStats:
    """Recent measurements of the pipeline.

    Attributes:
        fps: new frames finished per second; with a synchronous network, those that it has finished.
        latency_ms: for the frame shown, from capture (a file's due time) to the end of its last GPU pass.
        gpu_ms: sum of the stages' GPU times, None if the adapter has no timestamps.
        stages: mean times of the stages in use, over the last frames in which each ran, in order.
        network_ms: mean time of the network's last complete inferences, over all their frames, if known.
        network_copies_ms: the part of it spent on copies to and from the network's device, if known.
        readback_bytes: mean bytes read back per frame, including the CPU backend's network input.
        skipped: frames not drawn because the GPU was busy with earlier ones.
        timing_source: source of the stages' times: 'GPU timestamps' or 'CPU time'.
        frame_ms: GPU time of all stages of each of the last frames, or its CPU time without timestamps, in
            milliseconds, oldest first.
        inferences: times of the analysis network's last complete inferences in milliseconds, oldest first.
    """

    fps: float = 0.0
    latency_ms: Percentiles = field(default_factory=Percentiles)
    gpu_ms: float | None = None
    cpu_ms: float = 0.0
    stages: tuple[StageTime, ...] = ()
    network_ms: float | None = None
    network_fps: float = 0.0
    network_copies_ms: float | None = None
    upload_bytes: int = 0
    readback_bytes: int = 0
    frames: int = 0
    skipped: int = 0
    timing_source: str = _BY_CPU
    frame_ms: tuple[float, ...] = ()
    inferences: tuple[float, ...] = ()


class Statistics:
    """Accumulates frames' measurements for the rendering thread; `reset` does not affect `totals`."""

    def __init__(self, *, on_gpu: bool) -> None:
        """Start without measurements. `on_gpu`: spans have GPU timestamps."""
        self._on_gpu = on_gpu
        self.totals: Totals | None = None
        self._frames = self._skipped = self._submits = self._readback_bytes = 0
        self._rate = RateMeter()
        self.latency = Series()
        self.frame_time = Series()
        self._last_finished: float | None = None
        self._last_captured: float | None = None
        self._follows = False
        self._cpu, self._gpu = Series(120), Series(120)
        self.spans: dict[str, tuple[Series, Series]] = {}
        self._results = ResultRate()
        self._inference = Series(30)

    def reset(self) -> None:
        """Reset all counters and series."""
        self._frames = self._skipped = self._submits = self._readback_bytes = 0
        self._rate = RateMeter()
        self._last_finished = None
        self._results.clear()
        for series in (self.latency, self.frame_time, self._cpu, self._gpu, self._inference):
            series.clear()
        self.spans.clear()

    def retain_stages(self, ids: Collection[int]) -> None:
        """Discard the times of all other stages."""
        kept = {f"{kind}:{stage}" for stage in ids for kind in ("filter", "network")}

        def is_retained(name: str) -> bool:
            return name in kept or not name.startswith(("filter:", "network:"))

        for name in [name for name in self.spans if not is_retained(name)]:
            del self.spans[name]
        if self.totals is not None:
            self.totals.retain(is_retained)

    def retain_layers(self, ids: Collection[int]) -> None:
        """Discard the times of all other layers."""
        kept = tuple(f"layer {layer}" for layer in ids)

        def is_retained(name: str) -> bool:
            return not name.startswith("layer ") or name.startswith(kept)

        for name in [name for name in self.spans if not is_retained(name)]:
            del self.spans[name]
        if self.totals is not None:
            self.totals.retain(is_retained)

    def clear_analysis(self) -> None:
        """Discard the analysis network's times: it was replaced or removed."""
        self.spans.pop("network", None)
        self._results.clear()
        self._inference.clear()

    # -- events ----------------------------------------------------------------------------------------------

    def skip_interval(self) -> None:
        """Ignore the next frame interval: a pause, a seek or a step precedes it."""
        self._follows = False

    def skipped(self) -> None:
        """Count a frame that was not drawn because the GPU was still busy."""
        self._skipped += 1
        if self.totals is not None:
            self.totals.skipped += 1

    def uploaded(self, cpu_ms: float) -> None:
        """Record a frame's upload."""
        self.timed("upload", None, cpu_ms)

    def submitted(self, cpu_ms: float, *, is_new: bool) -> bool:
        """Record a submitted frame, new or repeated; return True if it directly follows the one before it."""
        self._cpu.add(cpu_ms)
        self._submits += 1
        follows, self._follows = self._follows, self._follows or is_new
        return follows

    def read_back(self, count: int) -> None:
        """Record the number of bytes that a frame reads back."""
        self._readback_bytes += count

    def finished(self, finished_at: float, captured_at: float, *, follows: bool) -> None:
        """Record a finished frame; a repeated one, perhaps minutes after capture, has no latency."""
        self._frames += 1
        self._rate.tick(finished_at)
        latency = finished_at - captured_at if captured_at != self._last_captured else None
        if latency is not None:
            self.latency.add(latency * 1e3)
        if self.totals is not None:
            self.totals.finished(latency)
        self._last_captured = captured_at
        if self._last_finished is not None and follows:
            self.frame_time.add((finished_at - self._last_finished) * 1e3)
        self._last_finished = finished_at

    def timed(self, name: str, gpu_ms: float | None, cpu_ms: float) -> None:
        """Record the duration of a span."""
        on_gpu, on_cpu = self._span(name)
        on_cpu.add(cpu_ms)
        if gpu_ms is not None:
            on_gpu.add(gpu_ms)
        if self.totals is not None:
            self.totals.timed(name, gpu_ms, cpu_ms)

    def ran(self, gpu_ms: float) -> None:
        """Record the GPU time of all stages of a frame."""
        self._gpu.add(gpu_ms)

    def analyzed(self, inference_ms: float | None) -> None:
        """Record a result of the analysis network."""
        self._results.tick(time.perf_counter())
        if inference_ms is not None:
            self._inference.add(inference_ms)
        if self.totals is not None:
            self.totals.analyzed(inference_ms)

    def network_failed(self) -> None:
        """Count a network that could not be loaded, or was disabled."""
        if self.totals is not None:
            self.totals.network_failures += 1

    def _span(self, name: str) -> tuple[Series, Series]:
        return self.spans.setdefault(name, (Series(120), Series(120)))

    # -- summary ---------------------------------------------------------------------------------------------

    def summary(self, names: Sequence[str], upload_bytes: int) -> PipelineStats:
        """Return the current figures, with the named spans in this order."""
        stages = tuple(self._stage_time(name) for name in names if name in self.spans)
        gpu = [s.gpu_ms for s in stages if s.gpu_ms is not None]
        now = time.perf_counter()
        return PipelineStats(
            fps=self._rate.rate(now),
            latency_ms=self.latency.percentiles,
            gpu_ms=sum(gpu) if self._on_gpu else None,
            cpu_ms=self._cpu.mean,
            stages=stages,
            network_ms=self._inference.mean if self._inference.values else None,
            network_fps=self._results.rate(now),
            upload_bytes=upload_bytes,
            readback_bytes=math.ceil(self._readback_bytes / max(self._submits, 1)),
            frames=self._frames,
            skipped=self._skipped,
            timing_source=_BY_GPU if self._on_gpu else _BY_CPU,
            frame_ms=tuple((self._gpu if self._on_gpu else self._cpu).values),
            inferences=tuple(self._inference.values),
        )

    def _stage_time(self, name: str) -> StageTime:
        on_gpu, on_cpu = self.spans[name]
        gpu, cpu = on_gpu.values, on_cpu.values
        return StageTime(name, on_gpu.mean if gpu else None, on_cpu.mean, tuple(gpu or cpu))
