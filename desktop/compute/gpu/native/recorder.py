"""Record prepared dispatches into a compute pass at the least cost: networks, filters and the color pass.

wgpu-py queries errors after each native call (4 of the 7 us of a dispatch), and cffi releases the
interpreter's lock, which each call may then await beside a decoding thread. So ctypes calls the native
functions with the lock held. That is safe as they only append to the pass's list: they neither lock the queue
nor compile nor allocate GPU memory, and an error callback runs on this same thread. Functions that wait
(`finish`, `submit`, `write_texture`) must go through the Python package, and for versions unknown to
`version.py` all do.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from desktop.compute.gpu.native.library import Library
from desktop.compute.gpu.recording import Command, Record

if TYPE_CHECKING:
    import wgpu


def record_native(library: Library, commands: Sequence[Command]) -> Record:
    """Return a recorder (compute pass, start, stop) of slices of `commands` that keeps them alive."""
    ffi = library.ffi

    def handle(thing: Any) -> ctypes.c_void_p:
        return ctypes.c_void_p(int(ffi.cast("uintptr_t", thing._internal)))

    set_pipeline = library.untyped("wgpuComputePassEncoderSetPipeline")
    set_bind_group = library.untyped("wgpuComputePassEncoderSetBindGroup")
    dispatch = library.untyped("wgpuComputePassEncoderDispatchWorkgroups")
    # The command is kept with its handles, which are valid only while its objects live.
    prepared = [
        (handle(c[0]), tuple((i, handle(group)) for i, group in enumerate(c[1])), *c[2], c) for c in commands
    ]
    no_offsets = ctypes.c_size_t(0)

    def record(compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None) -> None:
        encoder = handle(compute_pass)
        for pipeline, groups, x, y, z, _ in prepared[start:stop]:
            set_pipeline(encoder, pipeline)
            for index, group in groups:
                set_bind_group(encoder, index, group, no_offsets, None)
            dispatch(encoder, x, y, z)

    return record
