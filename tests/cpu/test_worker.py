"""The thread beside the pictures, without a GPU: what it gives, and when it may be seen."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
from waiting import LIMIT_S

from desktop.pipeline.running.worker import CpuWorker


class Staging:
    """A buffer that holds four numbers."""

    size = 16

    def map_async(self, mode: str) -> Any:
        return SimpleNamespace(sync_wait=lambda: None)

    def read_mapped(self, offset: int, size: int, copy: bool) -> bytes:
        return np.arange(4, dtype=np.float32).tobytes()

    def unmap(self) -> None: ...

    def destroy(self) -> None: ...


class SlowToRest(threading.Event):
    """Says late that the thread takes another input, as a thread of low priority on a busy machine does."""

    def __init__(self) -> None:
        super().__init__()
        super().set()
        self.reached, self.gate = threading.Event(), threading.Event()

    def set(self) -> None:
        self.reached.set()
        self.gate.wait(LIMIT_S)
        super().set()


def show(worker: CpuWorker, note: str) -> None:
    """Record a frame with the worker's input, and submit it."""
    worker.capture(SimpleNamespace(copy_buffer_to_buffer=lambda *_: None)).submitted(note)


def make_worker(run: Any) -> CpuWorker:
    gpu = SimpleNamespace(buffer=lambda *_: Staging())
    tensor = SimpleNamespace(shape=(4,), buffer=None, offset=0)
    return CpuWorker(gpu, SimpleNamespace(run=run), tensor, "x", "float32")


def test_a_result_is_seen_while_the_next_picture_is_looked_at() -> None:
    """A network that is quicker than the pictures has its next one before anybody asks for the result of the
    last.
    """
    gate = threading.Event()

    def run(inputs: Any) -> Any:
        assert gate.wait(LIMIT_S)
        return {"y": inputs["x"]}

    worker = make_worker(run)
    gate.set()
    show(worker, "first")
    while not worker.idle:
        pass
    gate.clear()
    show(worker, "second")
    found = worker.poll()
    assert found is not None and found[1] == "first"
    gate.set()
    worker.close()


def test_a_result_is_seen_once_the_next_picture_would_be_taken() -> None:
    worker = make_worker(lambda inputs: {"y": inputs["x"] + 1})
    worker._idle = idle = SlowToRest()
    show(worker, "first")
    assert idle.reached.wait(LIMIT_S)
    assert worker.poll() is None and not worker.idle
    idle.gate.set()
    while not worker.idle:
        pass
    found = worker.poll()
    assert found is not None and found[1] == "first"
    assert np.array_equal(found[0]["y"], [1.0, 2.0, 3.0, 4.0])
    assert worker.poll() is None
    worker.close()
