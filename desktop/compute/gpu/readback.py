"""Read small results back through a ring of buffers.

A thread waits for each map, so that the rendering thread need not. Where that one waits for each frame anyway, it
polls for the result itself: that saves two thread switches, which took 0.1 ms a frame and up to 0.5 beside a
decoding thread (H200).
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.pace import Pace
from desktop.compute.gpu.recording import Mapping, Ticket

log = logging.getLogger(__name__)

SLOT_BYTES: Final = 4096
# Most of it is for a network's inference on a software adapter; device loss is noticed long before.
WAIT_SECONDS: Final = 120.0

_LEAST_REST_S: Final = 1e-3
"""Shorter times are not slept through where one thread renders and reads: a sleep ends 0.06 to 0.4 ms late."""
_BUSY_POLL_S: Final = 2e-3
"""Time for which that thread polls without a pause after the expected end; later it sleeps between polls."""
_LONGEST_NAP_S: Final = 5e-3
_LONGEST_WAIT_S: Final = 0.1
"""Time after which a waiting thread checks whether it is to stop."""


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


@dataclass(frozen=True)
class _Submitted:
    """A frame in flight: its slot, the bytes that it writes, when it was submitted, and its map, if begun."""

    slot: Slot
    used: int
    at: float
    ticket: Ticket
    mapping: Mapping | None = None


class ReadbackRing:
    """Slots for frames in flight. `take` blocks only with `wait`, to throttle a fast producer.

    With `is_direct` there is no thread: frames finish in `take`, `arrivals` and `drain`, on the thread that calls.
    """

    def __init__(
        self,
        gpu: Gpu,
        slots: int = 3,
        size: int = SLOT_BYTES,
        is_lost: Callable[[], bool] = lambda: False,
        on_finished: Callable[[], None] = lambda: None,
        *,
        is_direct: bool = False,
    ) -> None:
        """Make the buffers; `on_finished` is called when a frame has finished, or failed: on another thread, unless
        `is_direct`, which is ignored where maps cannot be polled.
        """
        self._gpu = gpu
        self.is_direct = is_direct and gpu.can_poll_maps
        self._is_lost, self._on_finished = is_lost, on_finished
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        self._size = size
        self._free: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        self._all = [
            Slot(gpu.device.create_buffer(size=size, usage=usage, label="readback")) for _ in range(slots)
        ]
        for slot in self._all:
            self._free.put(slot)
        self._pending: queue.SimpleQueue[_Submitted | None] = queue.SimpleQueue()
        self._begun: deque[_Submitted] = deque()  # with their maps; used with `is_direct` only
        self._pace = Pace()
        self._arrived: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        self.on_arrival: Callable[[], None] | None = None
        self.failed: str | None = None
        self._submitted = self._finished = 0  # each written by one thread only
        # Held while a mapped range is read: wgpu-native aborts if `close` destroys a buffer in use.
        self._reading = threading.Lock()
        self._one_finished = threading.Event()
        self._thread: threading.Thread | None = None
        if not self.is_direct:
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
        if self._free.empty() and self._begun:
            self._finish_first(end, self._gpu.check_stopping)
        wait = wait and not self.is_direct
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
        at = time.perf_counter()
        if not self.is_direct:
            self._pending.put(_Submitted(slot, used, at, ticket))
            return
        try:
            self._begun.append(_Submitted(slot, used, at, ticket, self._gpu.begin_map(slot.buffer)))
        except (RuntimeError, wgpu.GPUError) as error:
            self._fail(error)

    def arrivals(self) -> list[Arrival]:
        """Return the results that arrived since the last call, oldest first."""
        if self._begun:
            self._finish_first(0.0)
        found: list[Arrival] = []
        # Only one thread takes, so the check holds; an exception would cost more than all the rest.
        while not self._arrived.empty():
            found.append(self._arrived.get_nowait())
        return found

    def drain(self, timeout: float = WAIT_SECONDS) -> bool:
        """Wait until nothing is in flight; return False if that takes longer than `timeout` seconds.

        It does not wait once the ring has failed: after a device loss a map may never come back.
        """
        end = time.perf_counter() + timeout
        if self.is_direct:
            while self._begun and self.failed is None and self._finish_first(end):
                pass
            return self.in_flight == 0
        while self.in_flight and self.failed is None and (left := end - time.perf_counter()) > 0.0:
            self._one_finished.clear()
            if self.in_flight:
                self._one_finished.wait(min(left, _LONGEST_WAIT_S))
        return self.in_flight == 0

    def _run(self) -> None:
        while (item := self._pending.get()) is not None:
            try:
                rest = self._pace.rest(item.at)
                was_awaited = self._gpu.map_for_reading(item.slot.buffer, item.ticket, rest)
                arrival = self._arrival(item, was_awaited=was_awaited)
            except Exception as error:  # whatever it is, the frame's waiter must get it
                self._fail(error)
                continue
            self._deliver(item.slot, arrival)

    def _finish_first(self, end: float, check: Callable[[], None] = lambda: None) -> bool:
        """Wait for the frame submitted first, until `end`, and deliver it; return False if it is not finished then.

        `check` is called meanwhile, and may raise.
        """
        item = self._begun[0]
        try:
            assert item.mapping is not None
            busy_until, was_awaited = 0.0, False
            while not item.mapping.is_done():
                now = time.perf_counter()
                if now >= end:
                    return False
                check()
                if (rest := self._pace.rest(item.at)) > _LEAST_REST_S:
                    time.sleep(min(rest, end - now, _LONGEST_WAIT_S))
                    continue
                was_awaited = True
                busy_until = busy_until or now + _BUSY_POLL_S
                if now > busy_until:
                    time.sleep(min(0.05 * (now - item.at), end - now, _LONGEST_NAP_S))
            item.mapping.finish()
            arrival = self._arrival(item, was_awaited=was_awaited)
        except (RuntimeError, wgpu.GPUError) as error:
            self._begun.popleft()
            self._fail(error)
            return True
        self._begun.popleft()
        self._deliver(item.slot, arrival)
        return True

    def _arrival(self, item: _Submitted, *, was_awaited: bool) -> Arrival:
        finished = self._pace.finished(item.at, was_awaited=was_awaited)
        return Arrival(item.slot.note, self._read(item.slot, item.used), finished)

    def _deliver(self, slot: Slot, arrival: Arrival) -> None:
        slot.note = None
        self._arrived.put(arrival)
        self._finished += 1
        self._free.put(slot)
        self._one_finished.set()
        self._on_finished()
        self._notify()

    def _fail(self, error: BaseException) -> None:
        self.failed = self.failed or str(error)
        log.warning("readback failed: %s", error)
        self._finished += 1
        self._one_finished.set()
        self._on_finished()

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
        if self.failed is None and self._thread is not None:
            # After a device loss a map may never come back; the thread is a daemon and ends with it.
            self._thread.join(timeout=2.0)
        with self._reading:
            self.failed = self.failed or "closed"
            for slot in self._all:
                slot.buffer.destroy()
