"""Run a session for host arrays on a thread of its own beside the frames."""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import wgpu

from desktop.base.errors import LightloomError, ModelAwayError, ModelError
from desktop.base.priority import yield_to_others
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Session, Tensor


@dataclass(frozen=True)
class _Request:
    promise: Any
    note: Any
    began: float


@dataclass(frozen=True)
class CapturedInput:
    """An input whose copy is recorded into a frame that is not submitted yet."""

    _worker: CpuWorker

    @property
    def bytes(self) -> int:
        """Bytes that the frame reads back for it."""
        return self._worker.readback_bytes

    def submitted(self, note: Any) -> int:
        """Hand it to the thread after the frame's submission; return the bytes that the frame reads back."""
        self._worker._take(note)
        return self.bytes


class EachInTurn:
    """A session of a batch of one, run for each item of an array."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def run(self, feeds: dict[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
        """Return the outputs of each item."""
        ((name, items),) = feeds.items()
        return [self._session.run({name: items[i : i + 1]}) for i in range(len(items))]


class CpuWorker:
    """Runs a session on its own thread, one input at a time; while it is busy no frame is captured.

    `capture` and what it returns are for the rendering thread and never block; results are taken with `poll`.
    `on_result` is called from the thread after each input and must only wake another.
    """

    def __init__(
        self,
        gpu: Gpu,
        session: Session | EachInTurn,
        tensor: Tensor,
        input_name: str,
        dtype: str,
        read: Callable[[Any, Any], Any] = lambda outputs, note: outputs,
    ) -> None:
        """Start a thread for a session with host arrays and one input, `input_name` of type `dtype`.

        `tensor` is the prepared input, in a buffer of `gpu` with COPY_SRC. `read` converts outputs and note
        for `poll`; called on the thread, it may take long.
        """
        self._session = session
        self._read = read
        self._tensor = tensor
        self._input_name = input_name
        self._dtype = np.dtype(dtype)
        self.readback_bytes = int(np.prod(tensor.shape)) * self._dtype.itemsize
        self.readbacks = 0
        self._shape = tensor.shape
        self.error: LightloomError | None = None
        self._away: ModelAwayError | None = None
        self.on_result: Callable[[], None] = lambda: None
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        self._staging = gpu.buffer((self.readback_bytes + 3) // 4 * 4, usage, "network input readback")
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Any, Any, float, float]] = queue.SimpleQueue()
        self._handing_over = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()
        self._thread = threading.Thread(target=self._run, name="inference", daemon=True)
        self._thread.start()

    @property
    def idle(self) -> bool:
        """True if the next frame should be captured for it."""
        return self._idle.is_set() and self.error is None

    def capture(self, encoder: wgpu.GPUCommandEncoder, items: int | None = None) -> CapturedInput:
        """Record the input's copy to the staging buffer, after the pass that fills it; only while `idle`.
        With `items`, only that many of its first dimension are read and given to the session.
        """
        assert self.idle, "one input at a time"
        self._shape = self._tensor.shape if items is None else (items, *self._tensor.shape[1:])
        self.readback_bytes = math.prod(self._shape) * self._dtype.itemsize
        size = (self.readback_bytes + 3) // 4 * 4
        encoder.copy_buffer_to_buffer(self._tensor.buffer, self._tensor.offset, self._staging, 0, size)
        return CapturedInput(self)

    def _take(self, note: Any) -> None:
        self._idle.clear()
        self.readbacks += 1
        # NOSYNC: a submission has just written the buffer, so wgpu-py's empty extra submission is not needed.
        promise = self._staging.map_async("READ_NOSYNC")
        self._requests.put(_Request(promise, note, time.perf_counter()))

    def poll(self) -> tuple[Any, Any, float, float] | None:
        """Return, once, the newest result: outputs (as from `read`), note, latency ms, inference ms.

        Raise ModelAwayError once if the server did not respond, LightloomError if the worker has stopped.
        """
        if self.error is not None:
            raise self.error
        away, self._away = self._away, None
        if away is not None:
            raise away
        # Not waited for: the thread that holds it may be one of low priority on a busy machine.
        if not self._handing_over.acquire(blocking=False):
            return None
        try:
            newest = None
            with contextlib.suppress(queue.Empty):
                while True:
                    newest = self._results.get_nowait()
            return newest
        finally:
            self._handing_over.release()

    def _run(self) -> None:
        yield_to_others()  # to the thread that draws
        while (request := self._requests.get()) is not None:
            found = None
            try:
                found = self._infer(request)
            except ModelAwayError as error:
                self._away = error
            except LightloomError as error:
                self.error = error
            except Exception as error:
                # Any exception: a thread that ends silently would look like a network that never answers.
                self.error = ModelError(
                    sentence(
                        "The network's input could not be read back from the GPU: {error}; load the "
                        "network again.",
                        error=error,
                    )
                )
            # In one step: a caller that has the result may hand over the next frame at once. A quick network
            # that always has its next frame is never idle.
            with self._handing_over:
                if found is not None:
                    self._results.put(found)
                self._idle.set()
            found = None  # freed with its last reader, not with the next frame
            self.on_result()

    def _infer(self, request: _Request) -> tuple[Any, Any, float, float]:
        request.promise.sync_wait()
        size = (self.readback_bytes + 3) // 4 * 4
        data = bytes(self._staging.read_mapped(0, size, copy=False)[: self.readback_bytes])
        self._staging.unmap()
        array = np.frombuffer(data, self._dtype).reshape(self._shape)
        began = time.perf_counter()
        found: Any = self._session.run({self._input_name: array})
        ended = time.perf_counter()
        found = self._read(found, request.note)
        return found, request.note, (ended - request.began) * 1e3, (ended - began) * 1e3

    def close(self) -> None:
        """Stop the thread (a running inference is waited for, 10 s at most) and release the buffer."""
        self._requests.put(None)
        self._thread.join(timeout=10.0)
        self._staging.destroy()
