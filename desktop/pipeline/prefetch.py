"""Read frames ahead on a thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterable
from typing import Any, Final, TypeVar

Item = TypeVar("Item")
_END: Final = object()

_POLL_S: Final = 0.1


def prefetch(
    frames: Iterable[Item],
    depth: int = 6,
    *,
    is_over: Callable[[], bool] = lambda: False,
    patience: float = 5.0,
) -> Generator[Item]:
    """Yield frames, or items with them, that a thread reads `depth` ahead; raise the reader's exception here.

    Closing the iterator stops the thread, within `patience` seconds. `is_over` is called several times a
    second while no frame comes (a camera stalls): True ends the iteration; it may raise.
    """
    # Not a `Queue`, whose locks are taken in Python: 0.1 ms per frame beside a busy thread.
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
    places: queue.SimpleQueue[None] = queue.SimpleQueue()
    for _ in range(depth):
        places.put(None)
    stop = threading.Event()

    def put(item: Any) -> bool:
        while not stop.is_set():
            try:
                places.get(timeout=0.1)
            except queue.Empty:
                continue
            waiting.put(item)
            return True
        return False

    def read() -> None:
        try:
            for frame in frames:
                if not put(frame):
                    return
            put(_END)
        except BaseException as error:  # handed over whole, and raised on the consumer's thread
            put(error)

    def following() -> Any:
        while True:
            try:
                item = waiting.get(timeout=_POLL_S)
            except queue.Empty:
                if is_over():
                    return _END
                continue
            places.put(None)
            return item

    thread = threading.Thread(target=read, name="prefetch", daemon=True)
    thread.start()
    try:
        while (item := following()) is not _END:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join(timeout=patience)
