"""Wait for the GPU through internals of wgpu-py.

A waiting poll of wgpu-native holds a lock that each submission takes: on a software adapter a frame's
`submit` would wait for seconds, on the window's thread. There polls do not wait, their threads sleep in
between, and submissions take turns (`turns.py`).
"""

from __future__ import annotations

import functools
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import wgpu

from desktop.compute.gpu.recording import Mapping, Ticket
from desktop.compute.gpu.turns import Turns
from desktop.compute.gpu.wgpu_native import version
from desktop.compute.gpu.wgpu_native.library import library

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


def submit(device: Any, commands: Any) -> Ticket:
    """Submit a command buffer; return the submission's number where it can be waited for."""
    if not version.is_known() or is_software(device):
        device.queue.submit([commands])
        return None
    native = library()
    array = native.ffi.new("WGPUCommandBuffer[]", [commands._internal])
    return int(native.api.libf.wgpuQueueSubmitForIndex(device.queue._internal, 1, array))


def map_for_reading(device: Any, buffer: Any, ticket: Ticket = None, rest_s: float = 0.0) -> bool:
    """Map a buffer that a submission writes for reading; block until that is finished.

    It sleeps for `rest_s` seconds before it waits in the driver, which holds up submissions by other threads.
    With a ticket it waits for that submission rather than the newest. wgpu-py's promise costs one thread
    switch more. Returns True if it had to wait after the rest. Raises RuntimeError (device lost) or
    wgpu.GPUError.
    """
    if version.is_known():
        return _map_native(device, buffer, ticket, rest_s)
    buffer.map_async("READ_NOSYNC").sync_wait()
    return True


def map_for_writing(device: Any, buffer: Any) -> np.ndarray:
    """Map a buffer for writing, once submitted work on it is finished; return its bytes, valid until `unmap`.

    No poll waits, so that submissions by other threads are not held up. Raises as `map_for_reading`.
    """
    if version.is_known():
        _map_native(device, buffer, is_written=True)
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


def can_poll_maps() -> bool:
    """Return True if `begin_map` may be called: for the known versions."""
    return version.is_known()


def begin_map(device: Any, buffer: Any) -> Mapping:
    """Begin to map a buffer for reading, without waiting."""
    return _begin()(device, buffer, is_written=False)


class _Mapping:
    """A map without a promise of wgpu-py."""

    def __init__(self, device: Any, buffer: Any, mode: int, waited: _Map) -> None:
        self.waited = waited
        self._device, self._buffer, self._mode = device, buffer, mode

    def is_done(self) -> bool:
        """Poll without waiting; return True if it is done or has failed."""
        if not self.waited.is_finished(0.0):
            self._device._poll(False)
        return self.waited.is_finished(0.0)

    def finish(self) -> None:
        """Leave the buffer as wgpu-py's own map does, for `read_mapped` and `unmap`; RuntimeError if it failed."""
        if self.waited.problem is not None:
            raise RuntimeError(f"Could not map buffer ({self.waited.problem}).")
        buffer = self._buffer
        buffer._map_state = library().api.enums.BufferMapState.mapped
        buffer._mapped_status = (0, buffer.size, self._mode)
        buffer._mapped_memoryviews = []


@functools.cache
def _begin() -> Callable[..., _Mapping]:
    from wgpu.backends.wgpu_native import _api
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    wgpu_py: Any = _api
    # Maps to be resolved, by handle, which must live as long: the waiter may have been refused.
    waiting: dict[Any, _Map] = {}

    @ffi.callback("void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)")
    def finish(status: int, message: Any, handle: Any, _: Any) -> None:
        is_done = status == lib.WGPUMapAsyncStatus_Success
        waiting.pop(handle).finish(None if is_done else wgpu_py.from_c_string_view(message))

    def begin(device: Any, buffer: Any, *, is_written: bool) -> _Mapping:
        waited = _Map()
        handle = ffi.new_handle(waited)
        waiting[handle] = waited
        info = ffi.new("WGPUBufferMapCallbackInfo *")
        info.mode, info.callback, info.userdata1 = lib.WGPUCallbackMode_AllowProcessEvents, finish, handle
        flags = wgpu_py.flags.MapMode
        mode = flags.WRITE if is_written else flags.READ
        wgpu_py.libf.wgpuBufferMapAsync(buffer._internal, mode, 0, buffer.size, info[0])
        return _Mapping(device, buffer, mode, waited)

    return begin


def _map_native(
    device: Any, buffer: Any, ticket: Ticket = None, rest_s: float = 0.0, *, is_written: bool = False
) -> bool:
    native = library()
    mapping = _begin()(device, buffer, is_written=is_written)
    may_wait = not (is_written or is_software(device))
    submission = native.ffi.NULL if ticket is None else native.ffi.new("WGPUSubmissionIndex *", ticket)
    if rest_s > 0.0 and may_wait:
        time.sleep(rest_s)
    # A waiting poll holds up the next submission; work that is done needs none.
    had_to_wait = not mapping.is_done()
    while not mapping.waited.is_finished(0.0):
        native.api.libf.wgpuDevicePoll(device._internal, may_wait, submission)
        if mapping.waited.is_finished(_WAIT_S if may_wait else _NAP_S):
            break
    mapping.finish()
    return had_to_wait
