"""Background work: runs on threads and reports its end on the window's thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject

from desktop.base.errors import LightloomError
from desktop.base.wording import sentence
from desktop.ui.kit.thread_signal import ThreadSignal

log = logging.getLogger(__name__)

Result = TypeVar("Result")


# Limit of long jobs at a time, each on a thread of its own: far above what a window begins, so that none waits.
_MOST_LONG: Final = 64


class Jobs(QObject):
    """Runs functions on a few threads, and those that take long on others, so that opening a file never waits for
    them. `run` is for the window's thread.
    """

    def __init__(self, parent: QObject | None = None, threads: int = 3) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="job")
        self._long_pool = ThreadPoolExecutor(_MOST_LONG, thread_name_prefix="long job")
        # Those that `close` may cancel.
        self._optional: set[Future[Any]] = set()
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
        *,
        is_long: bool = False,
        saves: bool = False,
    ) -> None:
        """Run `work` on a thread, then `done` or `failed` on the window's thread; nothing after `close`.

        An exception other than a `LightloomError` is a bug: logged, and reported for a user to pass on.

        Args:
            is_long: it may take longer than a user waits for a file to open.
            saves: it writes what the user wants to have; `close` lets it begin and waits for it.
        """
        if self._closed:
            return
        self._open += 1
        future = (self._long_pool if is_long else self._pool).submit(work)
        if not saves:
            self._optional.add(future)
        future.add_done_callback(lambda f: self._emit(f, done, failed))

    def _emit(
        self,
        future: Future[Result],
        done: Callable[[Result], object] | None,
        failed: Callable[[LightloomError], object] | None,
    ) -> None:
        if not self._closed:
            self._finished.send(future, done, failed)
        elif not future.cancelled() and (error := future.exception()) is not None:
            # The window that would show it is closing.
            log.error("a job failed while the window closed: %s", error)

    def _deliver(
        self,
        future: Future[Result],
        done: Callable[[Result], object] | None,
        failed: Callable[[LightloomError], object] | None,
    ) -> None:
        self._open -= 1
        self._optional.discard(future)
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
        """Cancel work that has not started and saves nothing, wait for the rest, and report nothing."""
        self._closed = True
        for future in self._optional:
            future.cancel()
        for pool in (self._pool, self._long_pool):
            pool.shutdown(wait=True)
