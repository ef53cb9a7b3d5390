"""Wait for Dawn. Its promises are resolved in the thread that waits for them or polls."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from desktop.compute.gpu.dawn.adapters import extras
from desktop.compute.gpu.dawn.version import is_known
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
    wait = _native_wait(promise) if is_known() else None
    while not promise._thread_event.is_set():
        if wait is not None:
            wait()
        else:
            extras().process_events()
            time.sleep(_NAP)
        check()
    return promise.sync_wait()


def map_for_reading(device: Any, buffer: Any) -> None:
    """Map a buffer for reading, once submitted work on it is finished. Raises the promise's error."""
    buffer.map_async("READ_NOSYNC").sync_wait()


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
