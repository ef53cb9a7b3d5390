"""What the frames of a pipeline took, lately: rates, latency, the time of each stage."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from desktop.compute.gpu.timing import Percentiles, RateMeter, ResultRate, Series, StageTime
from desktop.compute.totals import Totals
from desktop.wording import sentence

# As sentences, which the window says in its language.
_BY_GPU: Final = sentence("GPU timestamps")
_BY_CPU: Final = sentence("CPU time")


@dataclass(frozen=True)
class PipelineStats:
    """What the pipeline measured lately.

    Attributes:
        fps: new pictures finished a second; behind a network in step, those that it has finished.
        latency_ms: from the capture (a file's due time) of the picture that is shown to the GPU having finished the frame's last pass.
        gpu_ms: sum of the stages' GPU times, None where the adapter has no timestamps.
        cpu_ms: recording and submitting a frame.
        stages: mean times of what is in use over the last frames in which it ran, in order.
        network_ms: mean of the last whole inferences of the network that looks at the pictures, however many frames each took; None
            where nothing can tell it.
        network_fps: its results a second.
        network_copies_ms: what of the last inference went into copies to the network's device and back; None where its session cannot tell.
        upload_bytes: bytes uploaded for the last frame.
        readback_bytes: bytes read back a frame, on average, the CPU backend's network input included.
        frames: pictures finished since the beginning.
        skipped: frames not drawn because the GPU was still busy with the ones before.
        timing_source: 'GPU timestamps' or 'CPU time': where the stages' times come from.
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


class Statistics:
    """Takes in what each frame took. For the rendering thread.

    Attributes:
        latency, frame_time: milliseconds of the last frames, for graphs.
        spans: times on the GPU and on the CPU by the spans' names.
        totals: where somebody counts, gets the same; `reset` leaves it alone.
    """

    def __init__(self, *, on_gpu: bool) -> None:
        """`on_gpu`: spans have GPU timestamps."""
        self._on_gpu = on_gpu
        self.totals: Totals | None = None
        self._frames = self._skipped = self._submits = self._readback_bytes = 0
        self._rate = RateMeter()
        self.latency = Series()
        self.frame_time = Series()
        self._last_finished: float | None = None
        self._last_captured: float | None = None
        self._follows = False
        self._cpu = Series(120)
        self.spans: dict[str, tuple[Series, Series]] = {}
        self._results = ResultRate()
        self._inference = Series(30)

    def reset(self) -> None:
        """Begin all counters and series anew."""
        self._frames = self._skipped = self._submits = self._readback_bytes = 0
        self._rate = RateMeter()
        self._last_finished = None
        self._results.clear()
        for series in (self.latency, self.frame_time, self._cpu, self._inference):
            series.clear()
        self.spans.clear()

    def keep_stages(self, ids: Collection[int]) -> None:
        """Forget the times of stages other than these."""
        kept = {f"{kind}:{stage}" for stage in ids for kind in ("filter", "network")}

        def is_kept(name: str) -> bool:
            return name in kept or not name.startswith(("filter:", "network:"))

        for name in [name for name in self.spans if not is_kept(name)]:
            del self.spans[name]
        if self.totals is not None:
            self.totals.keep(is_kept)

    def forget_analysis(self) -> None:
        """Another network looks at the pictures, or none."""
        self.spans.pop("network", None)
        self._results.clear()
        self._inference.clear()

    # -- what happens ----------------------------------------------------------------------------------------------

    def skip_interval(self) -> None:
        """The next picture does not follow the one before (a pause, a seek, a step): what lies between is no frame time."""
        self._follows = False

    def skipped(self) -> None:
        """A frame was not drawn because the GPU was still busy."""
        self._skipped += 1
        if self.totals is not None:
            self.totals.skipped += 1

    def uploaded(self, cpu_ms: float) -> None:
        """A frame was uploaded."""
        self.timed("upload", None, cpu_ms)

    def submitted(self, cpu_ms: float, *, is_new: bool) -> bool:
        """A frame was submitted, with a new picture or the one before; return whether it follows the picture before it."""
        self._cpu.add(cpu_ms)
        self._submits += 1
        follows, self._follows = self._follows, self._follows or is_new
        return follows

    def read_back(self, count: int) -> None:
        """A frame reads back so many bytes."""
        self._readback_bytes += count

    def finished(self, finished_at: float, captured_at: float, *, follows: bool) -> None:
        """A picture is finished.

        It may be the one before, which a network in step shows anew after a change, minutes after its capture: that is no latency.
        """
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
        """A span took so long."""
        on_gpu, on_cpu = self._span(name)
        on_cpu.add(cpu_ms)
        if gpu_ms is not None:
            on_gpu.add(gpu_ms)
        if self.totals is not None:
            self.totals.timed(name, gpu_ms, cpu_ms)

    def analyzed(self, inference_ms: float | None) -> None:
        """The network that looks at the pictures has said something."""
        self._results.tick(time.perf_counter())
        if inference_ms is not None:
            self._inference.add(inference_ms)
        if self.totals is not None:
            self.totals.analyzed(inference_ms)

    def network_failed(self) -> None:
        """A network could not be loaded, or was switched off."""
        if self.totals is not None:
            self.totals.network_failures += 1

    def _span(self, name: str) -> tuple[Series, Series]:
        return self.spans.setdefault(name, (Series(120), Series(120)))

    # -- what it comes to ------------------------------------------------------------------------------------------

    def summary(self, names: Sequence[str], upload_bytes: int) -> PipelineStats:
        """Return the figures of now, with the spans of these names in their order."""
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
        )

    def _stage_time(self, name: str) -> StageTime:
        on_gpu, on_cpu = self.spans[name]
        return StageTime(name, on_gpu.mean if on_gpu.values else None, on_cpu.mean)
