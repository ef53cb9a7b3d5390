"""Metrics of the inference server, under Triton's names and labels.

https://github.com/triton-inference-server/server/blob/main/docs/user_guide/metrics.md
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from desktop.metrics.family import Family, Reader, Reading

_MODEL: Final = ("model", "version")


def _counter(name: str, help_: str, *labels: str) -> Family:
    # Triton's counters lack the `_total` that the library gives each counter.
    return Family(f"nv_inference_{name}", "untyped", help_, (*_MODEL, *labels))


SUCCESS: Final = _counter("request_success", "Number of successful inference requests, all batch sizes")
FAILURE: Final = _counter("request_failure", "Number of failed inference requests, all batch sizes", "reason")
ROWS: Final = _counter("count", "Number of inferences performed: a batch of n counts as n")
RUNS: Final = _counter("exec_count", "Number of model executions performed")
REQUEST: Final = _counter("request_duration_us", "Cumulative inference request duration in microseconds")
QUEUE: Final = _counter("queue_duration_us", "Cumulative inference queuing duration in microseconds")
INPUT: Final = _counter(
    "compute_input_duration_us", "Cumulative compute input duration in microseconds, per request"
)
INFER: Final = _counter(
    "compute_infer_duration_us", "Cumulative compute inference duration in microseconds, per request"
)
OUTPUT: Final = _counter(
    "compute_output_duration_us", "Cumulative inference compute output duration in microseconds, per request"
)
PENDING: Final = Family(
    "nv_inference_pending_request_count",
    "gauge",
    "Instantaneous number of pending requests awaiting execution",
    _MODEL,
)
REASONS: Final = ("REJECTED", "BACKEND", "OTHER")


@dataclass(frozen=True)
class InferenceCounts:
    """Figures of a version of a model. Times in seconds, summed over requests; `failed` is by reason."""

    model: str
    version: str
    succeeded: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    rows: int = 0
    runs: int = 0
    pending: int = 0
    request_s: float = 0.0
    queue_s: float = 0.0
    input_s: float = 0.0
    infer_s: float = 0.0
    output_s: float = 0.0


GPU_UP: Final = Family(
    "lightloom_gpu_process_up", "gauge", "1 while the process that computes on this GPU runs", ("gpu",)
)
GPU_STARTS: Final = Family(
    "lightloom_gpu_process_starts_total", "counter", "How often the process of this GPU was started", ("gpu",)
)


@dataclass(frozen=True)
class GpuProcessCounts:
    """Figures of the process for a GPU, which has a number."""

    gpu: str
    is_up: bool
    starts: int


class InferenceReader(Reader):
    """Reads the figures of models, and of the processes of GPUs; both callables return the current ones, on any
    thread.
    """

    families = (
        *(SUCCESS, FAILURE, ROWS, RUNS, REQUEST, QUEUE, INPUT, INFER, OUTPUT, PENDING),
        *(GPU_UP, GPU_STARTS),
    )

    def __init__(
        self,
        counts: Callable[[], Iterable[InferenceCounts]],
        processes: Callable[[], Iterable[GpuProcessCounts]] = tuple,
    ) -> None:
        self._counts, self._processes = counts, processes

    def read(self) -> Iterator[Reading]:
        """Yield the figures of each version, with a failure count for each reason, and of each process."""
        for process in self._processes():
            yield Reading(GPU_UP, process.is_up, (process.gpu,))
            yield Reading(GPU_STARTS, process.starts, (process.gpu,))
        for each in self._counts():
            labels = (each.model, each.version)
            yield Reading(SUCCESS, each.succeeded, labels)
            for reason in REASONS:
                yield Reading(FAILURE, each.failed.get(reason, 0), (*labels, reason))
            yield Reading(ROWS, each.rows, labels)
            yield Reading(RUNS, each.runs, labels)
            yield Reading(PENDING, each.pending, labels)
            times = zip(
                (REQUEST, QUEUE, INPUT, INFER, OUTPUT),
                (each.request_s, each.queue_s, each.input_s, each.infer_s, each.output_s),
                strict=True,
            )
            for family, seconds in times:
                yield Reading(family, round(seconds * 1e6), labels)
