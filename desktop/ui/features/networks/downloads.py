"""Downloads in the window: each on a thread of its own, with signals on the window's thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.base.wording import sentence
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.vision.models.library.access import Access, DownloadProgress
from desktop.vision.models.library.catalogue import Entry
from desktop.vision.models.library.store import ModelStore

if TYPE_CHECKING:
    from desktop.vision.models.library.download import Download

log = logging.getLogger(__name__)


class Downloads(QObject):
    """Downloads in progress, for the window's thread.

    Signal `ended` has an entry's id, whether the file is complete, and an error message ('' if stopped).
    """

    progressed = Signal(str, object)
    # Not str: Qt would copy the message without the parts of a `Text`.
    ended = Signal(str, bool, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: dict[str, tuple[Download, threading.Thread]] = {}
        self._discarded: dict[str, Callable[[], None]] = {}
        self._done = ThreadSignal(self._on_done)
        self._progress = ThreadSignal(self._on_progress)

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._running

    def start(self, store: ModelStore, entry: Entry, access: Access) -> None:
        """Begin, or go on with, a download; nothing if it runs already."""
        if entry.id in self._running:
            return

        def report(progress: DownloadProgress) -> None:
            self._progress.send(entry.id, progress)

        job = store.download(entry, access, report)
        thread = threading.Thread(
            target=self._work, args=(store, entry, job), name=f"download {entry.id}", daemon=True
        )
        self._running[entry.id] = (job, thread)
        thread.start()

    def stop(self, entry_id: str, discard: Callable[[], None] | None = None) -> None:
        """Stop a download soon, then call `discard`; without it, received data is kept."""
        if entry_id in self._running:
            if discard is not None:
                self._discarded[entry_id] = discard
            self._running[entry_id][0].stop()

    def close(self) -> None:
        """Stop all downloads and wait; they can be resumed later."""
        for job, _ in self._running.values():
            job.stop()
        for _, thread in self._running.values():
            thread.join(10.0)
        self._running.clear()

    def _work(self, store: ModelStore, entry: Entry, job: Download) -> None:
        there, why = False, ""
        try:
            there = job.run()
            if there:
                store.finish(entry)
        except LightloomError as error:
            why = str(error)
        except Exception as error:  # a bug, which must not leave a progress bar that never ends
            log.exception("a download failed")
            why = sentence(
                "Something went wrong inside Lightloom ({error}); the log file has the details.", error=error
            )
        self._done.send(entry.id, there, why)

    def _on_progress(self, entry_id: str, progress: DownloadProgress) -> None:
        self.progressed.emit(entry_id, progress)

    def _on_done(self, entry_id: str, there: bool, why: str) -> None:
        if self._running.pop(entry_id, None) is None:
            return  # closed meanwhile
        discard = self._discarded.pop(entry_id, None)
        if discard is not None and not there:
            try:
                discard()
            except LightloomError as error:
                why = str(error)
        self.ended.emit(entry_id, there, why)
