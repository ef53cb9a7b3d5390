"""The figures of `lightloom serve` for `--metrics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from desktop.base.errors import RefusalKind
from desktop.metrics.inference_reader import GpuProcessCounts, InferenceCounts
from desktop.serving.gpu_processes import GpuProcesses
from desktop.serving.models import Models

_REASONS: Final[Mapping[RefusalKind, str]] = {
    "full": "REJECTED",
    "late": "REJECTED",
    "unavailable": "REJECTED",
    "failed": "BACKEND",
}
"""Triton's reason for each kind of refusal; others are OTHER."""


def gpu_process_counts(processes: GpuProcesses | None) -> list[GpuProcessCounts]:
    """Return the figures of the processes of GPUs; none without --gpus."""
    found = processes.processes if processes is not None else ()
    return [GpuProcessCounts(each.adapter.removeprefix("#"), each.pid != 0, each.starts) for each in found]


def inference_counts(models: Models) -> list[InferenceCounts]:
    """Return the figures of all versions."""
    found = []
    for model in models.all:
        figures = model.statistics.snapshot()
        failed: Counter[str] = Counter()
        for kind, count in figures.refused.items():
            failed[_REASONS.get(kind, "OTHER")] += count
        found.append(
            InferenceCounts(
                model.name,
                model.version,
                figures.requests,
                failed,
                figures.rows,
                figures.runs,
                figures.waiting,
                figures.latency_s,
                figures.queue_s,
                figures.compute.input_s,
                figures.compute.infer_s,
                figures.compute.output_s,
            )
        )
    return found
