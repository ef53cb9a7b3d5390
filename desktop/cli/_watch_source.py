"""The process of one source of `watch`: frames, network, events, recording, and reports to the supervisor."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from desktop.base import console
from desktop.base.errors import ExportError, LightloomError, UsageError
from desktop.base.interrupt import Interrupt
from desktop.cli._engine import closing, make_engine
from desktop.cli._live import Assumptions
from desktop.cli._overlay import CommandOverlay
from desktop.cli._segments import recovery_text
from desktop.cli._watch_network import AwaitedNetwork
from desktop.cli._watch_setup import SetupBuilder
from desktop.cli._zones import CommandEvents, events_done
from desktop.media.audio.devices import SILENT
from desktop.media.audio.output import SoundOutput
from desktop.media.frame import Frame
from desktop.media.sources.base import Source
from desktop.media.sources.opening import open_source
from desktop.metrics.engine_reader import EngineReader
from desktop.metrics.queue_reader import QueueReader, QueueState
from desktop.outputs.incomplete_results import IncompleteResults
from desktop.outputs.recording import Recorder
from desktop.outputs.segment_index import Segment
from desktop.outputs.segments import SegmentedRecorder
from desktop.pipeline.batch import check_stages, when_free
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import LaidOver, PendingPicture
from desktop.vision.tracking.scene import TrackedResult
from desktop.watch.config import ConfigError, Faults, RecordSpec, parse_source
from desktop.watch.messages import LONGEST_LINE, Counts, Message
from desktop.watch.secrets import Secrets

_POLL_S: Final = 0.1
_REPORT_S: Final = 1.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 30.0
# After a failure, such as a full disk, recording is tried again.
_RECORD_AGAIN_S: Final = 30.0
# Time stamps that differ more from the clock than this are those of another connection.
_DRIFT_S: Final = 1.0
_LEAST_STEP_S: Final = 0.001
# Limit on reading an unfinished segment, which may have gigabytes on a slow disk.
_LONGEST_BUSY_S: Final = 900.0
_USUAL_RATE: Final = 25.0
_LIVE: Final = ("live", "playing")
_BROKEN: Final = ("reconnecting", "lost", "failed", "ended")


def run_source(options: argparse.Namespace) -> int:
    """Run the source whose table is on standard input until that is closed; return the exit status."""
    stream = sys.stdin.buffer
    try:
        document = json.loads(stream.readline(LONGEST_LINE))
        folder, adapter = Path(document["folder"]), str(document["adapter"])
    except (ValueError, TypeError, LookupError) as error:
        raise UsageError("This option is for 'lightloom watch CONFIG' itself; give it a file.") from error
    end_with(stream)
    secrets = Secrets()
    faults = Faults({}, {})
    spec = parse_source(document["table"], folder, faults, ())
    library = FilterLibrary(None)
    builder = SetupBuilder(spec, folder, faults, secrets)
    setup = builder.setup(library)
    if faults.found:
        raise ConfigError(faults.found, "source")
    options.adapter = adapter or None
    reports = Reports(sys.stdout.buffer, secrets)
    reports.send("starting")
    engine = make_engine(options, library, continues_without_server=True)
    try:
        with closing(engine):
            network = AwaitedNetwork(engine, setup)
            reports.read_metrics(EngineReader(engine, failed_sources=lambda: reports.counts.breaks))
            live = LiveFrames(
                builder.address, spec.record, options.interrupt, reports, fault=lambda: network.fault
            )
            overlay = CommandOverlay(engine).over if spec.overlay else None
            # A clip begins seconds behind: waiting for it would drop the frames of the event from the recording.
            with events_done(engine, setup.scene, waits=False) as events:
                reports.read_events(events.queue)
                engine.on_tracked_result.append(lambda result: events.take(result, spec.name))
                with recording(spec.record, live, reports) as recorder, incomplete_reported(engine):
                    work(engine, live, network, recorder, events, overlay, waits=spec.every_frame)
    except LightloomError as error:
        reports.send("failed", str(error))
        raise
    reports.send("stopped")
    return 0


@contextmanager
def incomplete_reported(engine: Engine) -> Iterator[None]:
    """Report incomplete results inside the context: when the first one occurs, and their number at the end."""
    incomplete = IncompleteResults()
    count = 0

    def add(tracked_result: TrackedResult) -> None:
        nonlocal count
        incomplete.add(tracked_result.result)
        if len(notes := incomplete.notes) > count:
            count = len(notes)
            for note in notes:
                console.err(note)

    engine.on_tracked_result.append(add)
    try:
        yield
    finally:
        engine.on_tracked_result.remove(add)
        for note in incomplete.notes:
            console.err(note)


def end_with(stream: BinaryIO) -> None:
    """End this process in order, as by SIGTERM, when a stream ends: its supervisor has stopped it, or is gone."""

    # Not `stream.read`, whose lock this thread would hold when the process ends by itself: Python then aborts.
    descriptor = stream.fileno()

    def wait() -> None:
        while os.read(descriptor, 4096):
            pass
        # Not `os.kill`, which ends the process at once on Windows: the open segment would be lost.
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=wait, name="supervisor", daemon=True).start()


class Reports:
    """Counts, and sends messages to the supervisor. Thread-safe."""

    def __init__(self, stream: BinaryIO, secrets: Secrets) -> None:
        self._stream, self._secrets = stream, secrets
        self._lock = threading.Lock()
        self._state, self._error = "starting", ""
        self._metrics: EngineReader | None = None
        self._events: Callable[[], QueueState] = lambda: QueueState("events", 0, 0)
        self._next = 0.0
        self.counts = Counts()

    def read_metrics(self, reader: EngineReader) -> None:
        """Send the metrics of a reader too, every second."""
        self._metrics = reader

    def read_events(self, queue: Callable[[], QueueState]) -> None:
        """Send the state of the queue of events with each message, from now on; `queue` is thread-safe."""
        self._events = queue

    def add(self, **more: int) -> None:
        """Increase counters of `Counts`."""
        with self._lock:
            self.counts = self.counts + Counts(**more)

    def set(self, **values: int) -> None:
        """Set counters of `Counts`."""
        with self._lock:
            self.counts = replace(self.counts, **values)

    @contextmanager
    def busy(self, every_s: float = _REPORT_S) -> Iterator[None]:
        """Send the counters regularly inside the context, for up to 15 minutes: a silent process is killed."""
        done = threading.Event()

        def repeat() -> None:
            until = time.monotonic() + _LONGEST_BUSY_S
            while not done.wait(every_s) and time.monotonic() < until:
                with suppress(OSError, ValueError):  # the supervisor is gone, which ends this process
                    self.send()

        thread = threading.Thread(target=repeat, name="busy", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def send(self, state: str | None = None, error: str = "") -> None:
        """Send the counters, and another state."""
        now = time.monotonic()
        readings = None
        if self._metrics is not None and now >= self._next:
            self._next = now + _REPORT_S
            readings = tuple(self._metrics.read())
        with self._lock:
            # Not before: another thread could write a newer state first, and the counter would decrease.
            events = self._events()
            if readings is not None:
                readings += tuple(QueueReader(lambda: (events,)).read())
            if state is not None:
                self._state, self._error = state, self._secrets.hidden(error)
            self.counts = replace(self.counts, undelivered=events.dropped)
            message = Message(self.counts, self._state, self._error, readings, events.waiting)
            self._stream.write(message.line())
            self._stream.flush()


class LiveFrames:
    """The frames of a source that is opened again for as long as the process runs; only the newest one waits.

    Times of frames are seconds since `begun` (`time.perf_counter()`) and go on after a break.
    """

    def __init__(
        self,
        address: str,
        record: RecordSpec | None,
        interrupt: Interrupt,
        reports: Reports,
        waits: tuple[float, float] = (_FIRST_WAIT_S, _LONGEST_WAIT_S),
        fault: Callable[[], str] = lambda: "",
    ) -> None:
        """Open nothing yet. `waits` are the shortest and the longest time in seconds until the next attempt; `fault`
        returns a sentence about what else fails while the source delivers frames, or ''.
        """
        self._waits, self._fault = waits, fault
        self._address, self._interrupt, self._reports = address, interrupt, reports
        self._wake = threading.Event()
        self.begun = time.perf_counter()
        self.sound: SoundOutput | None = None
        self.has_audio = False
        self.rate = _USUAL_RATE
        self._wants_audio = record is not None and record.audio
        self._offset: float | None = None
        self._last = -_LEAST_STEP_S
        self._reported_at = 0.0
        self._is_broken = False
        self._assumptions = Assumptions()
        interrupt.on_request.append(self._wake.set)

    @property
    def is_over(self) -> bool:
        """True if the process is to end."""
        if self._interrupt.is_requested:
            self._interrupt.acknowledge()
        return self._interrupt.is_requested

    def frames(self, on_idle: Callable[[], None]) -> Iterator[Frame]:
        """Yield frames until the process is to end; `on_idle` is called while none comes."""
        shortest, longest = self._waits
        wait = shortest
        while not self.is_over:
            had_frames = False
            for frame in self._of_one(on_idle):
                had_frames = True
                yield frame
            wait = shortest if had_frames else min(wait * 2, longest)
            self._pause(wait, on_idle)

    def _of_one(self, on_idle: Callable[[], None]) -> Iterator[Frame]:
        """Yield the frames of the source until it fails for good."""
        source = open_source(self._address)
        before = self._reports.counts
        source.on_change = self._wake.set
        audio = source.capabilities.audio if self._wants_audio else None
        if audio is not None:
            self.sound = self.sound or SoundOutput(SILENT)
            self.sound.on_notice = console.err
            audio.use(self.sound)
        source.start()
        try:
            while not self.is_over:
                self._wake.clear()
                frame = source.take(time.perf_counter())
                self._report(source, before)
                if frame is not None:
                    self.rate = source.info.rate or _USUAL_RATE
                    self.has_audio = audio is not None and bool(audio.tracks)
                    yield self._timed(frame)
                    continue
                if source.state in ("failed", "ended", "closed"):
                    return
                on_idle()
                self._wake.wait(_POLL_S)
        finally:
            source.close()
            self._count(source, before)
            self._reports.send()

    def _count(self, source: Source, before: Counts) -> bool:
        """Set the counters; return True if frames were received."""
        stats = source.stats
        received = before.received + stats.taken + stats.dropped
        has_new = received != self._reports.counts.received
        self._reports.set(
            received=received,
            dropped=before.dropped + stats.dropped,
            damaged=before.damaged + stats.damaged,
        )
        return has_new

    def _report(self, source: Source, before: Counts) -> None:
        """Report the state and counters of the source. It stays interrupted until one is live again, however often
        it is opened meanwhile: that is one break, and one sentence.
        """
        has_new = self._count(source, before)
        self._assumptions.report(source)
        was_broken = self._is_broken
        if source.state in _BROKEN:
            self._is_broken = True
        elif source.state in _LIVE:
            self._is_broken = False
        changed = self._is_broken != was_broken
        if changed and self._is_broken:
            self._reports.add(breaks=1)
            why = source.error or f"{source.info.title} has ended."
            console.err(f"{why} It is opened again as soon as that is possible.")
        elif changed:
            console.err(f"{source.info.title} is back.")
        now = time.monotonic()
        if has_new or changed or now - self._reported_at >= _REPORT_S:
            self._reported_at = now
            state = "live" if source.state in _LIVE else source.state
            self._reports.send(state, str(source.error or self._fault()))

    def _timed(self, frame: Frame) -> Frame:
        at = frame.captured_at - self.begun
        if self._offset is None or abs(frame.pts + self._offset - at) > _DRIFT_S:
            self._offset = at - frame.pts
        pts = max(frame.pts + self._offset, self._last + _LEAST_STEP_S)
        self._last = pts
        return replace(frame, pts=pts)

    def _pause(self, seconds: float, on_idle: Callable[[], None]) -> None:
        until = time.monotonic() + seconds
        while not self.is_over and time.monotonic() < until:
            on_idle()
            self._reports.send()
            time.sleep(_POLL_S)

    def close(self) -> None:
        """Release the audio output."""
        if self.sound is not None:
            self.sound.close()


class Recording:
    """Records frames in segments; after a failure it reports it, and begins again later."""

    def __init__(self, spec: RecordSpec, live: LiveFrames, reports: Reports) -> None:
        self._spec, self._live, self._reports = spec, live, reports
        self._recorder: SegmentedRecorder | None = None
        self._size = (0, 0)
        self._given = self._written = 0
        self._origin = 0.0
        self._again_at = 0.0
        self._deaf: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def open(self) -> None:
        """Complete what a killed process left, before the first frame; a failure is reported."""
        try:
            self._recorder = self._open()
        except ExportError as error:
            self._fail(error)

    def add(self, pixels: np.ndarray, pts: float) -> None:
        """Record a frame; one that cannot be written is counted."""
        if time.monotonic() < self._again_at:
            self._reports.add(unrecorded=1)
            return
        self._given += 1
        try:
            if self._recorder is None:
                self._recorder = self._open()
            # A segment that begins now does so with the frame before.
            self._recorder.add(pixels, pts)
            self._size = (pixels.shape[1], pixels.shape[0])
        except ExportError as error:
            self._fail(error)
        self._listen()

    def _open(self) -> SegmentedRecorder:
        def make(path: Path, begin: float) -> Recorder:
            sound = self._live.has_audio
            return Recorder(
                path, self._size, self._live.rate, self._spec.encoding, wait=True, live_sound=sound
            )

        with self._reports.busy():
            recorder = SegmentedRecorder(
                self._spec.target,
                make,
                self._spec.limit,
                retention=self._spec.retention,
                on_note=console.err,
            )
        recorder.on_segment = self._count
        for segment in recorder.recovered:
            self._reports.add(recorded=segment.frames, recovered=segment.frames)
            console.err(recovery_text(segment))
        self._reports.send()
        return recorder

    def _count(self, segment: Segment) -> None:
        with self._lock:
            self._written += segment.frames
        self._reports.add(recorded=segment.frames)
        # At once: frames of a complete segment are not lost if this process is killed.
        self._reports.send()

    def _listen(self) -> None:
        """Connect the audio, once the source has an output."""
        sound = self._live.sound
        if self._deaf is None and sound is not None:
            self._deaf = sound.listen(self._add_sound)

    def _add_sound(self, at: float, samples: np.ndarray) -> None:
        if (recorder := self._recorder) is not None:
            recorder.add_sound(samples, at - self._live.begun)

    def _fail(self, error: ExportError) -> None:
        console.err(f"{error} Recording is tried again in {_RECORD_AGAIN_S:.0f} s.")
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            with self._reports.busy():
                recorder.abandon()
        self._settle()
        self._again_at = time.monotonic() + _RECORD_AGAIN_S

    def _settle(self) -> None:
        """Count the frames that were given and not written."""
        with self._lock:
            lacking, self._given, self._written = self._given - self._written, 0, 0
        self._reports.add(unrecorded=max(0, lacking))

    def close(self) -> None:
        """Complete the last segment; a failure is reported, and its frames are counted."""
        if self._deaf is not None:
            self._deaf()
        try:
            if self._recorder is not None:
                self._recorder.close()
        except ExportError as error:
            console.err(error)
        self._settle()


@contextmanager
def recording(spec: RecordSpec | None, live: LiveFrames, reports: Reports) -> Iterator[Recording | None]:
    """Record inside the context, if the source has a recording."""
    recorder = None if spec is None else Recording(spec, live, reports)
    try:
        if recorder is not None:
            recorder.open()
        yield recorder
    finally:
        if recorder is not None:
            recorder.close()
        live.close()


def work(
    engine: Engine,
    live: LiveFrames,
    network: AwaitedNetwork,
    recorder: Recording | None,
    events: CommandEvents,
    overlay: Callable[[], LaidOver | None] | None,
    *,
    waits: bool,
) -> None:
    """Process frames until the process is to end. With `waits` each frame waits for its own result."""
    pending: deque[tuple[PendingPicture, float]] = deque()

    def deliver(keep: int) -> None:
        while len(pending) > keep:
            exported, pts = pending.popleft()
            picture = exported.result()
            events.buffer_picture(picture, pts)
            if recorder is not None:
                recorder.add(picture, pts)

    def on_idle() -> None:
        deliver(0)

    for frame in when_free(engine, live.frames(on_idle)):
        network.step()
        engine.render(frame, None)
        if waits:
            engine.await_result()
        check_stages(engine)
        if recorder is not None or events.wants_pictures:
            exported = engine.current.export(overlay() if overlay is not None else None)
            if exported is not None:
                pending.append((exported, frame.pts))
            deliver(1)
    deliver(0)
    engine.pipeline.drain()
    engine.pipeline.await_analysis()
