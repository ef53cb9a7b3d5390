"""Wait for Dawn. Its promises are resolved in the thread that waits for them or polls."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from desktop.compute.gpu.dawn import version
from desktop.compute.gpu.dawn.adapters import extras
from desktop.compute.gpu.dawn.library import library
from desktop.compute.gpu.turns import Turns

_CHUNK_NS: Final = 100_000_000
_NAP: Final = 0.001


def make_turns(device: Any) -> Turns:
    """Return turns that need not be taken."""
    return Turns()


def poll(device: Any) -> None:
    """Block until everything submitted to a device is finished."""
    device.queue.on_submitted_work_done_sync()


def finish(device: Any) -> None:
    """Block until submitted work is finished. A map would not do: Dawn maps an unused buffer at once."""
    poll(device)


def wait_for(promise: Any, check: Callable[[], None]) -> Any:
    """Return a promise's result; call `check` (it raises to end the wait) ten times a second or more."""
    wait = _native_wait(promise) if version.is_known() else None
    while not promise._thread_event.is_set():
        if wait is not None:
            wait()
        else:
            extras().process_events()
            time.sleep(_NAP)
        check()
    return promise.sync_wait()


def map_for_reading(device: Any, buffer: Any, naps: Iterator[float] | None = None) -> None:
    """Map a buffer for reading, once submitted work on it is finished.

    With `naps`, seconds to sleep before each look, it does not wait in Dawn, which would hold up submissions
    by other threads. Raises RuntimeError (device lost) or wgpu.GPUError.
    """
    if version.is_known():
        _map(buffer, naps, is_written=False)
    else:
        buffer.map_async("READ_NOSYNC").sync_wait()


def map_for_writing(device: Any, buffer: Any) -> np.ndarray:
    """Map a buffer for writing, once submitted work on it is finished; return its bytes, valid until `unmap`.

    It does not wait in Dawn. Raises as `map_for_reading`.
    """
    if version.is_known():
        _map(buffer, itertools.repeat(_NAP), is_written=True)
    else:
        buffer.map_async("WRITE").sync_wait()
    return np.frombuffer(buffer._experimental_get_mapped_range(), np.uint8)


def _map(buffer: Any, naps: Iterator[float] | None, *, is_written: bool) -> None:
    """Map a buffer without a promise of wgpudawn, which costs 40 us."""
    from wgpudawn.backends.dawn._ffi import c_callback, callbacks
    from wgpudawn.backends.dawn._helpers import get_wgpu_instance

    api, ffi, lib = library().api, library().ffi, library().lib
    found: list[str | None] = []

    def finish(status: int, message: Any, *_: Any) -> None:
        is_done = status == lib.WGPUMapAsyncStatus_Success
        found.append(None if is_done else api.from_c_string_view(message))

    info = ffi.new("WGPUBufferMapCallbackInfo *")
    info.mode, info.callback = lib.WGPUCallbackMode_WaitAnyOnly, c_callback("WGPUBufferMapCallback")
    info.userdata1 = callbacks.register(finish)
    flags = api.flags.MapMode
    mode = flags.WRITE if is_written else flags.READ
    wait = ffi.new("WGPUFutureWaitInfo *")
    wait.future = api.libf.wgpuBufferMapAsync(buffer._internal, mode, 0, buffer.size, info[0])
    instance, is_first = get_wgpu_instance(), True
    while not found:
        if naps is not None and not is_first:
            time.sleep(next(naps))
        is_first = False
        api.libf.wgpuInstanceWaitAny(instance, 1, wait, _CHUNK_NS if naps is None else 0)
    if found[0] is not None:
        raise RuntimeError(f"Could not map buffer ({found[0]}).")
    # As wgpudawn's own map leaves it, for `read_mapped` and `unmap`.
    buffer._map_state = api.enums.BufferMapState.mapped
    buffer._mapped_status = (0, buffer.size, mode)
    buffer._mapped_memoryviews = []


def _native_wait(promise: Any) -> Callable[[], None] | None:
    """Return a `sync_wait` limited to a tenth of a second; None if the promise has no call of Dawn."""
    if promise._wgpu_future_id is None:
        return None
    from wgpudawn._lib import ffi, lib
    from wgpudawn.backends.dawn._helpers import get_wgpu_instance

    info = ffi.new("WGPUFutureWaitInfo *")
    info.future.id = promise._wgpu_future_id
    instance = get_wgpu_instance()
    return lambda: lib.wgpuInstanceWaitAny(instance, 1, info, _CHUNK_NS)
