"""Sequences of dispatches and whole runs of networks, of which any slice can be recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.compute.gpu.webgpu import Command, Record, make_recorder

if TYPE_CHECKING:
    import wgpu


@dataclass(frozen=True)
class RecordedPart:
    """Consecutive dispatches: our own, or a whole run of a network."""

    count: int
    record: Record

    @classmethod
    def of(cls, commands: Sequence[Command]) -> RecordedPart:
        """Make a part of our own dispatches."""
        return cls(len(commands), make_recorder(commands))


def record_parts(
    parts: Sequence[RecordedPart], compute_pass: wgpu.GPUComputePassEncoder, start: int, stop: int
) -> None:
    """Record dispatches `start` to `stop` of all the parts' into an open compute pass."""
    first = 0
    for part in parts:
        begin, end = max(start - first, 0), min(stop - first, part.count)
        if begin < end:
            part.record(compute_pass, begin, end)
        first += part.count
