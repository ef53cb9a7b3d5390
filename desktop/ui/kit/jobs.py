"""Background work: runs on threads and reports its end on the window's thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from PySide6.QtCore import QObject

from desktop.base.errors import LightloomError
from desktop.base.wording import sentence
from desktop.ui.kit.thread_signal import ThreadSignal

log = logging.getLogger(__name__)

Result = TypeVar("Result")


class Jobs(QObject):
    """Runs functions on a few threads. `run` is for the window's thread."""

    def __init__(self, parent: QObject | None = None, threads: int = 3) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="job")
        self._open = 0
        self._closed = False
        self._finished = ThreadSignal(self._deliver)

    @property
    def running(self) -> int:
        """Number of unfinished jobs."""
        return self._open

    def run(
        self,
        work: Callable[[], Result],
        done: Callable[[Result], object] | None = None,
        failed: Callable[[LightloomError], object] | None = None,
    ) -> None:
        """Run `work` on a thread, then `done` or `failed` on the window's thread; nothing after `close`.

        An exception other than a `LightloomError` is a bug: logged, and reported for a user to pass on.
        """
        if self._closed:
            return
        self._open += 1
        future = self._pool.submit(work)
        future.add_done_callback(lambda f: self._emit(f, done, failed))

    def _emit(
        self,
        future: Future[Result],
        done: Callable[[Result], object] | None,
        failed: Callable[[LightloomError], object] | None,
    ) -> None:
        if not self._closed:
            self._finished.send(future, done, failed)

    def _deliver(
        self,
        future: Future[Result],
        done: Callable[[Result], object] | None,
        failed: Callable[[LightloomError], object] | None,
    ) -> None:
        self._open -= 1
        if self._closed or future.cancelled():
            return
        error = future.exception()
        if error is None:
            if done is not None:
                done(future.result())
            return
        if not isinstance(error, LightloomError):
            log.error("a job failed", exc_info=error)
            error = LightloomError(
                sentence(
                    "Something went wrong inside Lightloom ({error}); the log file has the details.",
                    error=error,
                )
            )
        if failed is not None:
            failed(error)

    def close(self) -> None:
        """Cancel work that has not started, wait for the rest, and report nothing."""
        self._closed = True
        self._pool.shutdown(wait=True, cancel_futures=True)
