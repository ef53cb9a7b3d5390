"""Waiting for the GPU in ways that wgpu-py has only inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import wgpu

from desktop.compute.gpu.wgpu_native import version


def poll(device: Any) -> None:
    """Block until everything submitted to a device is finished and its maps are told so, in this thread.

    wgpu-py's poller thread would tell, two changes of thread later. With another version nothing is done, and whoever waits for a map waits
    for that thread.
    """
    if version.is_known():
        device._poll_wait()


def wait_for(promise: Any, check: Callable[[], None]) -> Any:
    """Return what a promise gives, and call `check` ten times a second meanwhile, which raises to end the waiting.

    The promise's own `sync_wait` cannot be ended by Ctrl+C; with another version it is called all the same.
    """
    if version.is_known():
        # wgpu-py resolves it on a thread of its own; this is the event that `sync_wait` waits for, without an end.
        while not promise._thread_event.wait(0.1):
            check()
    return promise.sync_wait()


def finish(device: Any) -> None:
    """Block until everything submitted to a device is finished; no map is told of it here."""
    # wgpu-py's plain READ submits an empty command buffer before it maps, behind all that is there.
    probe = device.create_buffer(size=4, usage=wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)
    probe.map_sync("READ")
    probe.unmap()
    probe.destroy()
