"""Prepared dispatches and texture writes, recorded through the public API of either WebGPU implementation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import wgpu

Command: TypeAlias = "tuple[wgpu.GPUComputePipeline, tuple[wgpu.GPUBindGroup, ...], tuple[int, int, int]]"
"""(pipeline, bind groups from group 0 on, workgroups in x, y, z)"""

Ticket: TypeAlias = "int | None"
"""A submission to wait for; None where that of a map is enough."""


class Mapping(Protocol):
    """A buffer's map that has begun; it goes on while `is_done` is called."""

    def is_done(self) -> bool:
        """Return True if it is done or has failed; never waits."""

    def finish(self) -> None:
        """Make the bytes readable; raises RuntimeError (device lost) or wgpu.GPUError if it failed."""


class Record(Protocol):
    """Records a slice of prepared commands, by default all, into an open compute pass."""

    def __call__(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None: ...


def record_public(commands: Sequence[Command]) -> Record:
    """Return a recorder (compute pass, start, stop) of slices of `commands` that keeps them alive."""

    def record(compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None) -> None:
        for pipeline, bind_groups, workgroups in commands[start:stop]:
            compute_pass.set_pipeline(pipeline)
            for index, bind_group in enumerate(bind_groups):
                compute_pass.set_bind_group(index, bind_group)
            compute_pass.dispatch_workgroups(*workgroups)

    return record


class WriteTexture(Protocol):
    """Function that writes pixels into a part of a texture."""

    def __call__(
        self,
        texture: wgpu.GPUTexture,
        at: tuple[int, int],
        data: Any,
        offset: int,
        bytes_per_row: int,
        size: tuple[int, int],
    ) -> None:
        """Write pixels to a two-dimensional texture.

        Args:
            at: upper left corner of the part, in texels.
            data: contiguous memory; not used after the call.
            offset: offset of the first row in it, in bytes; rows lie `bytes_per_row` apart.
            size: (width, height) of the part, in texels.

        Raises wgpu.GPUError if the GPU refuses it.
        """


def write_public(queue: wgpu.GPUQueue) -> WriteTexture:
    """Return a function that writes into textures of a queue's device."""

    def write(
        texture: wgpu.GPUTexture,
        at: tuple[int, int],
        data: Any,
        offset: int,
        bytes_per_row: int,
        size: tuple[int, int],
    ) -> None:
        layout = {"offset": offset, "bytes_per_row": bytes_per_row, "rows_per_image": size[1]}
        queue.write_texture({"texture": texture, "origin": (*at, 0)}, data, layout, (*size, 1))

    return write
