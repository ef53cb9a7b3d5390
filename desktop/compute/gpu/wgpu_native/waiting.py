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
    """Block until a device has finished its work and resolved its maps; do nothing for unknown versions.

    wgpu-py's poller thread would take two thread switches longer.
    """
    if version.is_known():
        device._poll_wait()


def wait_for(promise: Any, check: Callable[[], None]) -> Any:
    """Return a promise's result; call `check`, which raises to end the wait, ten times a second.

    wgpu-py's `sync_wait`, used with unknown versions, cannot be interrupted by Ctrl+C.
    """
    if version.is_known():
        # wgpu-py resolves it on its own thread; `sync_wait` waits for this event, without a timeout.
        while not promise._thread_event.wait(0.1):
            check()
    return promise.sync_wait()


def finish(device: Any) -> None:
    """Block until everything submitted to a device is finished; no map is resolved here."""
    probe = device.create_buffer(size=4, usage=wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)
    # Submissions end in order. The map of an unused buffer returned 2 ms into a UNet of 20 (H100).
    encoder = device.create_command_encoder()
    encoder.clear_buffer(probe)
    device.queue.submit([encoder.finish()])
    probe.map_sync("READ")
    probe.unmap()
    probe.destroy()


def map_for_reading(device: Any, buffer: Any) -> None:
    """Map a buffer that a submission writes for reading; block in the driver until that is finished.

    wgpu-py's promise costs one thread switch more. Raises RuntimeError (device lost) or wgpu.GPUError.
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
