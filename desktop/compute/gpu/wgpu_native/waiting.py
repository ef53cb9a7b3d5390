"""Wait for the GPU through internals of wgpu-py."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, Final

import wgpu

from desktop.compute.gpu.wgpu_native import version

# The poll of another thread may have found that the map is done, and be about to report it.
_WAIT_S: Final = 0.01


def poll(device: Any) -> None:
    """Block until everything submitted to a device is finished and its maps are resolved, in this thread.

    wgpu-py's poller thread would do so two thread switches later. With unknown versions nothing is done here,
    and waiting for a map waits for that thread.
    """
    if version.is_known():
        device._poll_wait()


def wait_for(promise: Any, check: Callable[[], None]) -> Any:
    """Return the result of a promise; meanwhile call `check`, which raises to end the wait, ten times a
    second.

    The promise's own `sync_wait` cannot be interrupted by Ctrl+C; with unknown versions it is called all the
    same.
    """
    if version.is_known():
        # wgpu-py resolves it on its own thread; `sync_wait` waits for this event, without a timeout.
        while not promise._thread_event.wait(0.1):
            check()
    return promise.sync_wait()


def finish(device: Any) -> None:
    """Block until everything submitted to a device is finished; no map is resolved here."""
    probe = device.create_buffer(size=4, usage=wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)
    # Submissions end in order, so the map of this one waits for all. The map of an unused buffer returned on
    # an H100 2 ms into a UNet of 20.
    encoder = device.create_command_encoder()
    encoder.clear_buffer(probe)
    device.queue.submit([encoder.finish()])
    probe.map_sync("READ")
    probe.unmap()
    probe.destroy()


def map_for_reading(device: Any, buffer: Any) -> None:
    """Map a buffer for reading, on a thread that waits for nothing else: blocks until work submitted to it is
    finished.

    A submission must have written it. wgpu-py makes a callback and a promise for each map, and its poller
    resolves that, which wakes the waiting thread. Here that thread waits in the driver itself.

    Raises:
        RuntimeError: it could not be mapped, or the device is lost.
        wgpu.GPUError: the GPU refuses it.
    """
    if version.is_known():
        _map_native()(device, buffer)
    else:
        buffer.map_async("READ_NOSYNC").sync_wait()


class _Map:
    """State of one map, set by whichever thread finds it done."""

    def __init__(self) -> None:
        self._finished = threading.Event()
        self.problem: str | None = None

    def finish(self, problem: str | None) -> None:
        """Mark it as done, or as failed with `problem`."""
        self.problem = problem
        self._finished.set()

    def is_finished(self) -> bool:
        """Wait briefly, and return True if it is done or failed."""
        return self._finished.wait(_WAIT_S)


@functools.cache
def _map_native() -> Callable[[Any, Any], None]:
    from wgpu.backends.wgpu_native import _api
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    wgpu_py: Any = _api
    # Maps to be resolved, by handle, which must live as long: the waiter may have been refused.
    waiting: dict[Any, _Map] = {}

    @ffi.callback("void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)")
    def finish(status: int, message: Any, handle: Any, _: Any) -> None:
        is_done = status == lib.WGPUMapAsyncStatus_Success
        waiting.pop(handle).finish(None if is_done else wgpu_py.from_c_string_view(message))

    def map_native(device: Any, buffer: Any) -> None:
        waited = _Map()
        handle = ffi.new_handle(waited)
        waiting[handle] = waited
        info = ffi.new("WGPUBufferMapCallbackInfo *")
        info.mode, info.callback, info.userdata1 = lib.WGPUCallbackMode_AllowProcessEvents, finish, handle
        wgpu_py.libf.wgpuBufferMapAsync(buffer._internal, lib.WGPUMapMode_Read, 0, buffer.size, info[0])
        device._poll_wait()
        while not waited.is_finished():
            device._poll_wait()
        if waited.problem is not None:
            raise RuntimeError(f"Could not map buffer ({waited.problem}).")
        # As wgpu-py's own map leaves it, for `read_mapped` and `unmap`.
        buffer._map_state = wgpu_py.enums.BufferMapState.mapped
        buffer._mapped_status = (0, buffer.size, wgpu_py.flags.MapMode.READ)
        buffer._mapped_memoryviews = []

    return map_native
