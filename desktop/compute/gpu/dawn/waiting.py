"""Wait for Dawn. Its promises are resolved in the thread that waits for them or polls."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from desktop.compute.gpu.dawn import version
from desktop.compute.gpu.dawn.adapters import extras
from desktop.compute.gpu.dawn.library import library
from desktop.compute.gpu.recording import Mapping, Ticket
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


def submit(device: Any, commands: Any) -> Ticket:
    """Submit a command buffer; a map waits for the submissions that use its buffer."""
    device.queue.submit([commands])
    return None


def map_for_reading(device: Any, buffer: Any, ticket: Ticket = None, rest_s: float = 0.0) -> bool:
    """Map a buffer for reading, once submitted work on it is finished.

    It sleeps for `rest_s` seconds before it waits in Dawn, which holds up submissions by other threads.
    Returns True if it had to wait after the rest. Raises RuntimeError (device lost) or wgpu.GPUError.
    """
    if version.is_known():
        return _map(buffer, rest_s, is_written=False)
    buffer.map_async("READ_NOSYNC").sync_wait()
    return True


def map_for_writing(device: Any, buffer: Any) -> np.ndarray:
    """Map a buffer for writing, once submitted work on it is finished; return its bytes, valid until `unmap`.

    It looks every millisecond and does not wait in Dawn. Raises as `map_for_reading`.
    """
    if version.is_known():
        _map(buffer, 0.0, is_written=True)
    else:
        buffer.map_async("WRITE").sync_wait()
    return np.frombuffer(buffer._experimental_get_mapped_range(), np.uint8)


def can_poll_maps() -> bool:
    """Return True if `begin_map` may be called: for the known version."""
    return version.is_known()


def begin_map(device: Any, buffer: Any) -> Mapping:
    """Begin to map a buffer for reading, without waiting."""
    return _Map(buffer, is_written=False)


class _Map:
    """A map of a buffer without a promise of wgpudawn, which costs 40 us."""

    def __init__(self, buffer: Any, *, is_written: bool) -> None:
        from wgpudawn.backends.dawn._ffi import c_callback, callbacks
        from wgpudawn.backends.dawn._helpers import get_wgpu_instance

        api, ffi, lib = library().api, library().ffi, library().lib
        found = self._found = list[str | None]()

        def finish(status: int, message: Any, *_: Any) -> None:
            is_done = status == lib.WGPUMapAsyncStatus_Success
            found.append(None if is_done else api.from_c_string_view(message))

        info = ffi.new("WGPUBufferMapCallbackInfo *")
        info.mode, info.callback = lib.WGPUCallbackMode_WaitAnyOnly, c_callback("WGPUBufferMapCallback")
        info.userdata1 = callbacks.register(finish)
        flags = api.flags.MapMode
        self._api, self._buffer = api, buffer
        self._mode = flags.WRITE if is_written else flags.READ
        self._instance = get_wgpu_instance()
        self._wait = ffi.new("WGPUFutureWaitInfo *")
        self._wait.future = api.libf.wgpuBufferMapAsync(buffer._internal, self._mode, 0, buffer.size, info[0])

    def is_done(self) -> bool:
        """Look without waiting; return True if it is done or has failed.

        By `lib`, since `libf` raises errors that calls of other threads have caused.
        """
        if not self._found:
            library().lib.wgpuInstanceWaitAny(self._instance, 1, self._wait, 0)
        return bool(self._found)

    def wait(self, wait_ns: int) -> bool:
        """Wait in Dawn for `wait_ns`; return True if it is done or has failed."""
        if not self._found:
            self._api.libf.wgpuInstanceWaitAny(self._instance, 1, self._wait, wait_ns)
        return bool(self._found)

    def finish(self) -> None:
        """Leave the buffer as wgpudawn's own map does, for `read_mapped` and `unmap`; RuntimeError if it failed."""
        if self._found[0] is not None:
            raise RuntimeError(f"Could not map buffer ({self._found[0]}).")
        buffer = self._buffer
        buffer._map_state = self._api.enums.BufferMapState.mapped
        buffer._mapped_status = (0, buffer.size, self._mode)
        buffer._mapped_memoryviews = []


def _map(buffer: Any, rest_s: float, *, is_written: bool) -> bool:
    mapping = _Map(buffer, is_written=is_written)
    if rest_s > 0.0:
        time.sleep(rest_s)
    is_done = mapping.wait(0)
    had_to_wait = not is_done
    while not is_done:
        if is_written:
            time.sleep(_NAP)
        is_done = mapping.wait(0 if is_written else _CHUNK_NS)
    mapping.finish()
    return had_to_wait


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
