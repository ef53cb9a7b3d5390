"""Read small results back through a ring of buffers; a thread waits for each map, so frames do not block."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.pace import Pace
from desktop.compute.gpu.recording import Ticket

log = logging.getLogger(__name__)

SLOT_BYTES: Final = 4096
# Most of it is for a network's inference on a software adapter; device loss is noticed long before.
WAIT_SECONDS: Final = 120.0


@dataclass
class Slot:
    """A buffer of the ring, with the note of the frame that uses it."""

    buffer: wgpu.GPUBuffer
    note: Any = None


@dataclass(frozen=True)
class Arrival:
    """The result of a frame: its note, its bytes, and the time at which the GPU finished it."""

    note: Any
    data: bytes
    finished_at: float


class ReadbackRing:
    """Slots for frames in flight. `take` blocks only with `wait`, to throttle a fast producer."""

    def __init__(
        self,
        gpu: Gpu,
        slots: int = 3,
        size: int = SLOT_BYTES,
        is_lost: Callable[[], bool] = lambda: False,
        on_finished: Callable[[], None] = lambda: None,
    ) -> None:
        """Make the buffers; `on_finished` is called on another thread when a frame has finished, or failed."""
        self._gpu = gpu
        self._is_lost, self._on_finished = is_lost, on_finished
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        self._size = size
        self._free: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        self._all = [
            Slot(gpu.device.create_buffer(size=size, usage=usage, label="readback")) for _ in range(slots)
        ]
        for slot in self._all:
            self._free.put(slot)
        self._pending: queue.SimpleQueue[tuple[Slot, int, float, Ticket] | None] = queue.SimpleQueue()
        self._arrived: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        self.on_arrival: Callable[[], None] | None = None
        self.failed: str | None = None
        self._submitted = self._finished = 0  # each written by one thread only
        # Held while a mapped range is read: wgpu-native aborts if `close` destroys a buffer in use.
        self._reading = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="readback", daemon=True)
        self._thread.start()

    @property
    def in_flight(self) -> int:
        """Frames submitted and not yet finished."""
        return self._submitted - self._finished

    @property
    def submitted_frames(self) -> int:
        """Frames submitted since the beginning."""
        return self._submitted

    @property
    def finished_frames(self) -> int:
        """Frames finished since the beginning; they finish in the order in which they were submitted."""
        return self._finished

    @property
    def is_full(self) -> bool:
        """True while every slot is in use."""
        return self._free.empty()

    def take(self, *, wait: bool = False, timeout: float = WAIT_SECONDS) -> Slot | None:
        """Return a free slot, or None; with `wait`, block for `timeout` seconds or until a map has failed.

        Raises StoppedError if `Gpu.stopping` ended the wait.
        """
        end = time.perf_counter() + (timeout if wait else 0.0)
        while True:
            try:
                return self._free.get(block=wait, timeout=0.1 if wait else None)
            except queue.Empty:
                self._gpu.check_stopping()
                if self.failed is not None or time.perf_counter() >= end:
                    return None

    def give_back(self, slot: Slot) -> None:
        """Return a slot that was taken and not used to the ring."""
        self._free.put(slot)

    def submitted(self, slot: Slot, note: Any, used: int, ticket: Ticket = None) -> None:
        """Map a slot whose frame has just been submitted; `used` of its bytes were written.

        `ticket`: of `Gpu.submit`, so that no later frame is waited for.
        """
        slot.note = note
        self._submitted += 1
        self._pending.put((slot, used, time.perf_counter(), ticket))

    def arrivals(self) -> list[Arrival]:
        """Return the results that arrived since the last call, oldest first."""
        found: list[Arrival] = []
        # Only one thread takes, so the check holds; an exception would cost more than all the rest.
        while not self._arrived.empty():
            found.append(self._arrived.get_nowait())
        return found

    def drain(self, timeout: float = WAIT_SECONDS) -> bool:
        """Wait until nothing is in flight; return False if that takes longer than `timeout` seconds."""
        end = time.perf_counter() + timeout
        while self.in_flight and self.failed is None and time.perf_counter() < end:
            time.sleep(0.0005)
        return self.in_flight == 0

    def _run(self) -> None:
        pace = Pace()
        while (item := self._pending.get()) is not None:
            slot, used, submitted_at, ticket = item
            try:
                was_awaited = self._gpu.map_for_reading(slot.buffer, ticket, pace.rest(submitted_at))
                finished = pace.finished(submitted_at, was_awaited=was_awaited)
                data = self._read(slot, used)
            except Exception as error:  # whatever it is, the frame's waiter must get it
                self.failed = self.failed or str(error)
                log.warning("readback failed: %s", error)
                self._finished += 1
                self._on_finished()
                continue
            note, slot.note = slot.note, None
            self._arrived.put(Arrival(note, data, finished))
            self._finished += 1
            self._free.put(slot)
            self._on_finished()
            self._notify()

    def _read(self, slot: Slot, used: int) -> bytes:
        with self._reading:
            if self.failed is not None or self._is_lost():
                # wgpu-native aborts the process when the range of a destroyed buffer is requested.
                raise RuntimeError("the device was lost")
            data = bytes(slot.buffer.read_mapped(0, self._size, copy=False)[:used]) if used else b""
            slot.buffer.unmap()
            return data

    def _notify(self) -> None:
        if self.on_arrival is None:
            return
        try:
            self.on_arrival()
        except Exception:
            # A listener that fails in teardown must not end the thread: no later frame would finish.
            log.exception("a listener failed")

    def close(self) -> None:
        """Stop the thread and release the buffers."""
        self._pending.put(None)
        if self.failed is None:
            # After a device loss a map may never come back; the thread is a daemon and ends with it.
            self._thread.join(timeout=2.0)
        with self._reading:
            self.failed = self.failed or "closed"
            for slot in self._all:
                slot.buffer.destroy()
