"""Wait for the GPU through internals of wgpu-py.

A waiting poll of wgpu-native holds a lock that each submission takes: on a software adapter a frame's
`submit` would wait for seconds, on the window's thread. There polls do not wait, their threads sleep in
between, and submissions take turns (`turns.py`).
"""

from __future__ import annotations

import functools
import itertools
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import wgpu

from desktop.compute.gpu.turns import Turns
from desktop.compute.gpu.wgpu_native import version

# The poll of another thread may have found that the map is done, and be about to report it.
_WAIT_S: Final = 0.01
# Between two polls of a software adapter.
_NAP_S: Final = 0.001


def is_software(device: Any) -> bool:
    """Return True for a device that computes on the CPU."""
    return bool(device.adapter.info["adapter_type"] == "CPU")


def make_turns(device: Any) -> Turns:
    """Return the turns at a device's queue, and have its submissions and polls keep to them."""
    if not (version.is_known() and is_software(device)):
        return Turns()
    from wgpu.backends.wgpu_native import _api
    from wgpu.backends.wgpu_native._ffi import ffi

    wgpu_py: Any = _api
    # Not the device, which its own poller thread would keep alive.
    internal, submit = device._internal, type(device.queue).submit
    device_of = weakref.ref(device)

    def poll_once(block: bool) -> None:
        wgpu_py.libf.wgpuDevicePoll(internal, False, ffi.NULL)
        if block:
            time.sleep(_NAP_S)

    def submit_and_wait(commands: Sequence[Any]) -> None:
        owner: Any = device_of()
        probe, cleared = _probe(owner)
        submit(owner.queue, [*commands, cleared])
        map_for_reading(owner, probe)
        probe.unmap()
        probe.destroy()

    def submit_in_turn(commands: Sequence[Any]) -> None:
        owner: Any = device_of()
        turns.submit(lambda: submit(owner.queue, commands), lambda: submit_and_wait(commands))

    turns = Turns(are_needed=True)
    device._poller._poll_func = poll_once
    device.queue.submit = submit_in_turn
    return turns


def _probe(device: Any) -> tuple[Any, Any]:
    """Return a buffer, and commands that write it: once it can be mapped, what came before is finished."""
    # The map of an unused buffer returned 2 ms into a UNet of 20 (H100).
    buffer = device.create_buffer(size=4, usage=wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)
    encoder = device.create_command_encoder()
    encoder.clear_buffer(buffer)
    return buffer, encoder.finish()


def poll(device: Any) -> None:
    """Block until a device has finished its work and resolved its maps; do nothing for unknown versions.

    wgpu-py's poller thread would take two thread switches longer.
    """
    if not version.is_known():
        return
    if is_software(device):
        finish(device)
    else:
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
    probe, cleared = _probe(device)
    device.queue.submit([cleared])
    map_for_reading(device, probe)
    probe.unmap()
    probe.destroy()


def map_for_reading(device: Any, buffer: Any, naps: Iterator[float] | None = None) -> None:
    """Map a buffer that a submission writes for reading; block until that is finished.

    With `naps`, seconds to sleep before each look, and on a software adapter it does not wait in the driver,
    which would hold up submissions by other threads. wgpu-py's promise costs one thread switch more. Raises
    RuntimeError (device lost) or wgpu.GPUError.
    """
    if version.is_known():
        _map_native()(device, buffer, naps)
    else:
        buffer.map_async("READ_NOSYNC").sync_wait()


def map_for_writing(device: Any, buffer: Any) -> np.ndarray:
    """Map a buffer for writing, once submitted work on it is finished; return its bytes, valid until `unmap`.

    No poll waits, so that submissions by other threads are not held up. Raises as `map_for_reading`.
    """
    if version.is_known():
        _map_native()(device, buffer, itertools.repeat(_NAP_S), is_written=True)
    else:
        buffer.map_async("WRITE").sync_wait()
    return np.frombuffer(buffer._experimental_get_mapped_range(), np.uint8)


class _Map:
    """State of one map, set by whichever thread finds it done."""

    def __init__(self) -> None:
        self._finished = threading.Event()
        self.problem: str | None = None

    def finish(self, problem: str | None) -> None:
        """Mark it as done, or as failed with `problem`."""
        self.problem = problem
        self._finished.set()

    def is_finished(self, wait_s: float) -> bool:
        """Wait briefly, and return True if it is done or failed."""
        return self._finished.wait(wait_s)


@functools.cache
def _map_native() -> Callable[..., None]:
    from wgpu.backends.wgpu_native import _api
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    wgpu_py: Any = _api
    # Maps to be resolved, by handle, which must live as long: the waiter may have been refused.
    waiting: dict[Any, _Map] = {}

    @ffi.callback("void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)")
    def finish(status: int, message: Any, handle: Any, _: Any) -> None:
        is_done = status == lib.WGPUMapAsyncStatus_Success
        waiting.pop(handle).finish(None if is_done else wgpu_py.from_c_string_view(message))

    def map_native(
        device: Any, buffer: Any, naps: Iterator[float] | None = None, *, is_written: bool = False
    ) -> None:
        waited = _Map()
        handle = ffi.new_handle(waited)
        waiting[handle] = waited
        info = ffi.new("WGPUBufferMapCallbackInfo *")
        info.mode, info.callback, info.userdata1 = lib.WGPUCallbackMode_AllowProcessEvents, finish, handle
        mode = lib.WGPUMapMode_Write if is_written else lib.WGPUMapMode_Read
        wgpu_py.libf.wgpuBufferMapAsync(buffer._internal, mode, 0, buffer.size, info[0])
        if naps is None and is_software(device):
            naps = itertools.repeat(_NAP_S)
        # A waiting poll waits for the newest submission, and holds up the next; work that is done needs none.
        device._poll(False)
        wait_s = 0.0
        while not waited.is_finished(wait_s):
            device._poll(naps is None)
            wait_s = _WAIT_S if naps is None else next(naps)
        if waited.problem is not None:
            raise RuntimeError(f"Could not map buffer ({waited.problem}).")
        # As wgpu-py's own map leaves it, for `read_mapped` and `unmap`.
        buffer._map_state = wgpu_py.enums.BufferMapState.mapped
        flags = wgpu_py.flags.MapMode
        buffer._mapped_status = (0, buffer.size, flags.WRITE if is_written else flags.READ)
        buffer._mapped_memoryviews = []

    return map_native
