"""Pictures and videos of what is shown: full resolution, unmirrored, fetched and encoded on other threads."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from desktop.compute.engine import Engine
from desktop.compute.present import LaidOver, PendingPicture
from desktop.errors import ExportError, LightloomError
from desktop.wording import Text, joined, sentence

if TYPE_CHECKING:
    # It brings what encodes videos.
    from desktop.compute.outputs.recording import Recorder

log = logging.getLogger(__name__)

_AHEAD: Final = 3


def free_path(folder: Path, stem: str, suffix: str) -> Path:
    """Return a path in `folder` that does not exist: the stem with the time, and a number where that is taken."""
    base = f"{stem} {time.strftime('%Y-%m-%d %H.%M.%S')}"
    path, count = folder / f"{base}{suffix}", 1
    while path.exists():
        count += 1
        path = folder / f"{base} {count}{suffix}"
    return path


class Recording(QObject):
    """A recording under way. Pictures are begun on the rendering thread (`add`), fetched and encoded on another.

    Time stamps are those of the clock, so that pauses and slow filters last as long in the file as they did on the screen. A picture
    that finds three others waiting is dropped: a recording never slows the picture.

    Signals:
        finished: the file's path.
        failed: a sentence.
    """

    finished = Signal(str)
    failed = Signal(object)  # not str, which Qt would copy without what a `Text` is made of

    def __init__(self, path: Path, rate: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._rate = rate
        self._begun = time.perf_counter()
        self._queue: queue.Queue[tuple[PendingPicture, float] | None] = queue.Queue()
        self._waiting = 0
        self.dropped = 0
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        """How long it has lasted."""
        return time.perf_counter() - self._begun

    def add(self, engine: Engine, overlay: Callable[[], LaidOver | None]) -> None:
        """Record the picture that was rendered last, with what `overlay` paints over it."""
        if self._closing:
            return
        if self._waiting >= _AHEAD:
            self.dropped += 1
            return
        pending = engine.export(overlay())
        if pending is not None:
            self._waiting += 1
            self._queue.put((pending, self.seconds))

    def stop(self, *, wait: bool = False) -> None:
        """Finish the file; `finished` or `failed` follows."""
        if not self._closing:
            self._closing = True
            self._queue.put(None)
        if wait:
            self._thread.join(10.0)

    def _run(self) -> None:
        recorder: Recorder | None = None
        begun = 0.0
        try:
            while (item := self._queue.get()) is not None:
                pending, at = item
                picture = pending.result()
                self._waiting -= 1
                if recorder is None:
                    from desktop.compute.outputs.recording import Recorder

                    size = (picture.shape[1], picture.shape[0])
                    recorder, begun = Recorder(self.path, size, self._rate), at
                recorder.add(picture, at - begun)
            if recorder is None:
                raise ExportError(
                    sentence(
                        "Nothing was recorded: no picture came while the recording ran; record while the source plays."
                    )
                )
            recorder.close()
        except LightloomError as error:
            self._closing = True
            self.failed.emit(joined(" ", (str(error), *self._abandon(recorder))))
            return
        except Exception as error:
            log.exception("recording to %s", self.path)
            self._closing = True
            self.failed.emit(
                joined(
                    " ",
                    (
                        sentence("The recording {name} stopped ({error}).", name=self.path.name, error=error),
                        *self._abandon(recorder),
                    ),
                )
            )
            return
        self.finished.emit(str(self.path))

    @staticmethod
    def _abandon(recorder: Recorder | None) -> tuple[Text, ...]:
        """Give a recording up; a sentence on what there is of it."""
        kept = recorder.abandon() if recorder is not None else None
        return () if kept is None else (sentence("What was recorded until then is in {file}.", file=kept),)


def fetch(engine: Engine, over: LaidOver | None = None) -> Callable[[], np.ndarray]:
    """Begin to read the picture shown, with what lies over it; the returned function waits for it, on any thread.

    Raises:
        ExportError: there is no picture.
    """
    pending = engine.export(over)
    if pending is None:
        raise ExportError(sentence("There is no picture to save yet; open a source first."))
    return pending.result
