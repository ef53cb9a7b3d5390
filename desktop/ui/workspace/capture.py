"""Snapshots and recordings in full resolution, unmirrored, fetched and encoded on other threads."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Container
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from desktop.base.errors import ExportError, LightloomError
from desktop.base.files import exists
from desktop.base.wording import Text, joined, sentence
from desktop.media.audio.output import Listen
from desktop.outputs.picture_queue import Fetch, PictureQueue
from desktop.pipeline.engine import Engine
from desktop.pipeline.picture.present import LaidOver
from desktop.ui.kit.thread_signal import ThreadSignal

if TYPE_CHECKING:
    # Imports the modules that encode videos.
    from desktop.outputs.encoding import Encoding
    from desktop.outputs.recording import Recorder
    from desktop.outputs.segment_limits import SegmentLimit
    from desktop.outputs.segments import SegmentedRecorder

log = logging.getLogger(__name__)

# Audio blocks queued until the file is open, a second on a busy machine: some 15 s, 6 MB.
_MOST_HELD: Final = 1500
_FINISHING_S: Final = 30.0


def free_path(folder: Path, stem: str, suffix: str, taken: Container[Path] = ()) -> Path:
    """Return an unused path in `folder` outside `taken`: the stem with the time, and a number if needed."""
    base = f"{stem} {time.strftime('%Y-%m-%d %H.%M.%S')}"
    path, count = folder / f"{base}{suffix}", 1
    while exists(path) or path in taken:
        count += 1
        path = folder / f"{base} {count}{suffix}"
    return path


class Recording(QObject):
    """A recording in progress. `add` submits frames on the render thread; another thread encodes them.

    Timestamps are the clock's, so that pauses and slow filters last as long as on the screen. A frame is
    dropped if three others are queued (`PictureQueue`): a recording never slows the display. `listen`
    connects a listener to the audio and returns the function to disconnect it; None for no audio. With
    `segment` it is written in segments named after `path`, and `finished` has the first one's path.
    """

    finished = Signal(str)
    noted = Signal(object)
    failed = Signal(object)  # not str, which Qt would copy without what a `Text` is made of

    def __init__(
        self,
        path: Path,
        rate: float,
        encoding: Encoding | None = None,
        parent: QObject | None = None,
        *,
        listen: Listen | None = None,
        segment: SegmentLimit | None = None,
    ) -> None:
        """Begin; without `encoding` as is usual for the file."""
        super().__init__(parent)
        self.path = path
        self._rate = rate
        self._encoding, self._segment = encoding, segment
        self._first_path = path
        self._begun = time.perf_counter()
        self._queue = PictureQueue()
        self._closing = False
        self._outcome: Text | str = "unfinished"
        self._recorder: Recorder | SegmentedRecorder | None = None
        self._first = 0.0
        self._lock = threading.Lock()
        self._held: deque[tuple[float, np.ndarray]] = deque(maxlen=_MOST_HELD)
        self._has_sound = listen is not None
        self._deaf = listen(self._record_audio) if listen is not None else lambda: None
        self._reported_end = ThreadSignal(self._on_end)
        self._reported_note = ThreadSignal(self._on_note)
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        """Duration so far, in seconds."""
        return time.perf_counter() - self._begun

    @property
    def waiting(self) -> int:
        """Number of frames that wait to be encoded."""
        return self._queue.waiting

    @property
    def dropped(self) -> int:
        """Number of frames dropped because encoding was behind."""
        return self._queue.dropped

    def add(self, engine: Engine, overlay: Callable[[], LaidOver | None]) -> None:
        """Record the last rendered frame, with the overlay that `overlay` returns."""
        if not self._closing:
            self._queue.offer(lambda: begin_fetch(engine, overlay()), self.seconds)

    def _record_audio(self, at: float, samples: np.ndarray) -> None:
        """Record a block of audio, held until the file is open; none precedes the first frame."""
        with self._lock:
            recorder = self._recorder
            if self._closing:
                return
            if recorder is None:
                self._held.append((at, samples.copy()))
                return
        recorder.add_sound(samples, at - self._begun - self._first)

    def _opened(self, recorder: Recorder | SegmentedRecorder, first: float) -> None:
        """Write the queued audio to the opened file."""
        with self._lock:
            self._first, self._recorder = first, recorder
            while self._held:
                at, samples = self._held.popleft()
                recorder.add_sound(samples, at - self._begun - first)

    def stop(self, *, wait: bool = False) -> None:
        """Finish the file; `finished` or `failed` follows. `wait`: return after that, or after 30 s."""
        if not self._closing:
            self._closing = True
            self._deaf()
            self._queue.end()
        if wait:
            self._thread.join(_FINISHING_S)
            # The window that would show it is closing.
            log.info("closing with a recording to %s: %s", self.path, self._outcome)

    def _run(self) -> None:
        recorder: Recorder | SegmentedRecorder | None = None
        begun = 0.0
        try:
            for fetch_it, at in self._queue:
                picture = fetch_it()
                if recorder is None:
                    recorder, begun = self._make_recorder((picture.shape[1], picture.shape[0])), at
                    self._opened(recorder, begun)
                recorder.add(picture, at - begun)
            if recorder is None:
                raise ExportError(
                    sentence(
                        "Nothing was recorded: no frame came while the recording ran; record while the "
                        "source plays."
                    )
                )
            recorder.close()
            self._take_outcome(recorder)
        except LightloomError as error:
            self._closing = True
            self._deaf()
            self._report_end(joined(" ", (str(error), *self._abandon(recorder))))
            return
        except Exception as error:
            log.exception("recording to %s", self.path)
            self._closing = True
            self._deaf()
            self._report_end(
                joined(
                    " ",
                    (
                        sentence("The recording {name} stopped ({error}).", name=self.path.name, error=error),
                        *self._abandon(recorder),
                    ),
                )
            )
            return
        self._report_end(None)

    def _take_outcome(self, recorder: Recorder | SegmentedRecorder) -> None:
        from desktop.outputs.segments import SegmentedRecorder

        if isinstance(recorder, SegmentedRecorder):
            self._first_path = recorder.segments[0].path
            return
        for note in recorder.notes:
            self._reported_note.send(note)

    def _report_end(self, failure: Text | None) -> None:
        self._outcome = failure or "saved"
        self._reported_end.send(failure)

    def _on_end(self, failure: Text | None) -> None:
        if failure is None:
            self.finished.emit(str(self._first_path))
        else:
            self.failed.emit(failure)

    def _on_note(self, note: Text) -> None:
        self.noted.emit(note)

    def _make_recorder(self, size: tuple[int, int]) -> Recorder | SegmentedRecorder:
        from desktop.outputs.encoders import choose
        from desktop.outputs.encoding import Encoding
        from desktop.outputs.recording import Recorder

        encoding = self._encoding or Encoding()
        choice = choose(self.path, encoding, encoding.size_of(size))
        for note in choice.notes:
            self._reported_note.send(note)

        def make(path: Path, begin: float = 0.0) -> Recorder:
            return Recorder(path, size, self._rate, encoding, choice=choice, live_sound=self._has_sound)

        if self._segment is None or not choice.container.sound:
            return make(self.path)
        from desktop.outputs.segments import SegmentedRecorder

        recorder = SegmentedRecorder(self.path, make, self._segment)
        recorder.on_note = self._reported_note.send
        return recorder

    @staticmethod
    def _abandon(recorder: Recorder | SegmentedRecorder | None) -> tuple[Text, ...]:
        """Abort a recording; return notes on what was written."""
        kept = recorder.abandon() if recorder is not None else None
        if isinstance(kept, tuple):
            kept = kept[0] if kept else None
        return () if kept is None else (sentence("What was recorded until then is in {file}.", file=kept),)


def begin_fetch(engine: Engine, over: LaidOver | None = None) -> Fetch | None:
    """Begin reading the frame shown, with an overlay; None if there is no frame."""
    pending = engine.current.export(over)
    return None if pending is None else pending.result


def fetch(engine: Engine, over: LaidOver | None = None) -> Fetch:
    """Begin reading the frame shown; see `begin_fetch`. Raises ExportError if there is none."""
    begun = begin_fetch(engine, over)
    if begun is None:
        raise ExportError(sentence("There is no image to save yet; open a source first."))
    return begun
