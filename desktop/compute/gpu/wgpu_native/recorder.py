"""Record prepared dispatches into a compute pass, at the least cost a dispatch: networks, filters and the
color pass.

wgpu-py's methods query errors after each native call, which takes 4 of the 7 us of a dispatch, and its
foreign calls (cffi) release the interpreter's lock each time. Beside a decoding thread, each of some hundred
calls a frame may then wait until that thread releases the lock in turn. The native functions that are called
here only append to the pass's list of commands, in less than a microsecond, so they are called through ctypes
with the lock held.

That is safe because none of them waits for another thread that may want the lock: they neither lock the queue
nor compile nor allocate GPU memory, and errors of a pass appear when it is ended. If one is reported at once
(a pass that was ended), wgpu-py's error callback runs on this same thread, which may enter the interpreter
again. Functions that do wait (`finish`, `submit`, `write_texture`) must go through wgpu-py.

The functions are private to the versions that `version.py` names; with others, the public methods do the
same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from desktop.compute.gpu.recording import Command, Record, record_public
from desktop.compute.gpu.wgpu_native import version

if TYPE_CHECKING:
    import wgpu


def record_native(commands: Sequence[Command]) -> Record:
    """Return `make_recorder`'s function, made of native functions: for the known versions."""
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    kind = ctypes.PYFUNCTYPE(None)

    def function(name: str) -> Any:
        # PYFUNCTYPE keeps the lock. No argument types: checking them takes a fifth of the time, and the
        # arguments are ctypes objects and ints that fit a C int, made once.
        address = int(ffi.cast("uintptr_t", getattr(lib, name)))
        return kind(address)

    def handle(thing: Any) -> ctypes.c_void_p:
        return ctypes.c_void_p(int(ffi.cast("uintptr_t", thing._internal)))

    set_pipeline = function("wgpuComputePassEncoderSetPipeline")
    set_bind_group = function("wgpuComputePassEncoderSetBindGroup")
    dispatch = function("wgpuComputePassEncoderDispatchWorkgroups")
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


def make_recorder(commands: Sequence[Command]) -> Record:
    """Return a recorder (compute pass, start, stop) of slices of `commands` that keeps them alive."""
    return record_native(commands) if version.is_known() else record_public(commands)
