"""Records prepared dispatches into a compute pass, at the least cost a dispatch.

wgpu-py's methods look for an error after each native call, which is where 4 of the 7 us of a dispatch go; errors of a pass only
appear when its encoder is finished, so here the native functions are called without that. They are private to the version of wgpu-py
that pyproject.toml pins; where they are not found, the public methods do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Command = tuple[Any, Any, tuple[int, int, int]]
"""(pipeline, bind group, workgroups in x, y, z)"""

Record = Callable[[Any, int, int | None], None]


def _record_public(commands: Sequence[Command]) -> Record:
    def record(compute_pass: Any, start: int, stop: int | None) -> None:
        for pipeline, bind_group, groups in commands[start:stop]:
            compute_pass.set_pipeline(pipeline)
            compute_pass.set_bind_group(0, bind_group)
            compute_pass.dispatch_workgroups(*groups)

    return record


def make_recorder(commands: Sequence[Command]) -> Record:
    """Return a function (compute pass, start, stop) that records a slice of `commands`, whose objects the caller keeps alive."""
    try:
        from wgpu.backends.wgpu_native._ffi import ffi, lib

        set_pipeline = lib.wgpuComputePassEncoderSetPipeline
        set_bind_group = lib.wgpuComputePassEncoderSetBindGroup
        dispatch = lib.wgpuComputePassEncoderDispatchWorkgroups
        handles = [(p._internal, g._internal, *groups) for p, g, groups in commands]
    except (ImportError, AttributeError):
        return _record_public(commands)
    nothing = ffi.NULL

    def record(compute_pass: Any, start: int, stop: int | None) -> None:
        encoder = compute_pass._internal
        for pipeline, bind_group, x, y, z in handles[start:stop]:
            set_pipeline(encoder, pipeline)
            set_bind_group(encoder, 0, bind_group, 0, nothing)
            dispatch(encoder, x, y, z)

    return record
