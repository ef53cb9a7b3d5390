"""Prepared dispatches, and how they are recorded by the public API of either WebGPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import wgpu

Command: TypeAlias = "tuple[wgpu.GPUComputePipeline, tuple[wgpu.GPUBindGroup, ...], tuple[int, int, int]]"
"""(pipeline, bind groups from group 0 on, workgroups in x, y, z)"""


class Record(Protocol):
    """Records a slice of prepared commands, by default all, into an open compute pass."""

    def __call__(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None: ...


def record_public(commands: Sequence[Command]) -> Record:
    """Return a function (compute pass, start, stop) that records a slice of `commands`, and keeps their objects alive."""

    def record(compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None) -> None:
        for pipeline, bind_groups, workgroups in commands[start:stop]:
            compute_pass.set_pipeline(pipeline)
            for index, bind_group in enumerate(bind_groups):
                compute_pass.set_bind_group(index, bind_group)
            compute_pass.dispatch_workgroups(*workgroups)

    return record
