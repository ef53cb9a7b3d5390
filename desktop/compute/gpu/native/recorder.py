"""Record prepared dispatches into a compute pass at the least cost: networks, filters and the color pass.

wgpu-py queries errors after each native call (4 of the 7 us of a dispatch), and cffi releases the
interpreter's lock, which each call may then await beside a decoding thread. So ctypes calls the native
functions with the lock held, in a compiled loop where there is one: on an H200's host that takes 1.1 to 2.0 us
a dispatch instead of 2.2 to 4.4 (Dawn; `compiled.py`). That is safe as they only append to the pass's list: they neither lock the queue
nor compile nor allocate GPU memory, and an error callback runs on this same thread. Functions that wait
(`finish`, `submit`, `write_texture`) must go through the Python package, and for versions unknown to
`version.py` all do.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from desktop.compute.gpu.native import compiled
from desktop.compute.gpu.native.library import Library
from desktop.compute.gpu.recording import Command, Record

if TYPE_CHECKING:
    import wgpu


_FUNCTIONS: Final = (
    "wgpuComputePassEncoderSetPipeline",
    "wgpuComputePassEncoderSetBindGroup",
    "wgpuComputePassEncoderDispatchWorkgroups",
)


def record_native(library: Library, commands: Sequence[Command]) -> Record:
    """Return a recorder (compute pass, start, stop) of slices of `commands` that keeps them alive."""
    loop = compiled.compiled_loop()
    return _record_by_ctypes(library, commands) if loop is None else _record_compiled(library, commands, loop)


def _record_compiled(library: Library, commands: Sequence[Command], loop: compiled.Loop) -> Record:
    calls = list[compiled.Call]()
    begins = [0]  # the place of each command's first call, and the end
    for pipeline, groups, workgroups in commands:
        calls.append(compiled.Call(_address(library, pipeline), compiled.SET_PIPELINE))
        for index, group in enumerate(groups):
            calls.append(compiled.Call(_address(library, group), compiled.SET_BIND_GROUP, index))
        calls.append(compiled.Call(None, compiled.DISPATCH, *workgroups))
        begins.append(len(calls))
    table = (compiled.Call * len(calls))(*calls)
    functions = (ctypes.c_void_p * len(_FUNCTIONS))(
        *(library.address(library.pointer(name)) for name in _FUNCTIONS)
    )
    first, size = ctypes.addressof(table), ctypes.sizeof(compiled.Call)
    # The addresses in the table are valid only while their objects live.
    kept = (tuple(commands), table, functions)

    def record(compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None) -> None:
        begin, end, _ = slice(start, stop).indices(len(kept[0]))
        if begin < end:
            place, count = begins[begin], begins[end] - begins[begin]
            loop(_address(library, compute_pass), first + place * size, count, ctypes.addressof(functions))

    return record


def _address(library: Library, thing: Any) -> int:
    return library.address(thing._internal)


def _record_by_ctypes(library: Library, commands: Sequence[Command]) -> Record:
    ffi = library.ffi

    def handle(thing: Any) -> ctypes.c_void_p:
        return ctypes.c_void_p(int(ffi.cast("uintptr_t", thing._internal)))

    set_pipeline, set_bind_group, dispatch = (library.untyped(name) for name in _FUNCTIONS)
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
