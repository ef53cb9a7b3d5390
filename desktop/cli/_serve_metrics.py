"""The figures of `lightloom serve` for `--metrics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from desktop.base.errors import RefusalKind
from desktop.metrics.inference_reader import InferenceCounts
from desktop.serving.models import Models

_REASONS: Final[Mapping[RefusalKind, str]] = {
    "full": "REJECTED",
    "late": "REJECTED",
    "unavailable": "REJECTED",
    "failed": "BACKEND",
}
"""Triton's reason for each kind of refusal; others are OTHER."""


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
