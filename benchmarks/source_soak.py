"""Live sources whose senders fail again and again: no frame, file handle, thread or result may get lost.

    python benchmarks/source_soak.py [--events 10000] [--minutes 60] [--speed 10] [--json]

Senders by RTSP, HTTP (MPEG-TS, MJPEG), TCP and UDP and a camera's driver close, reset, stall, restart, refuse,
change size and codec, jump in time, send damaged packets and bursts. Each frame is analyzed on the GPU, whose
device is lost now and then, and becomes a row of results, events (JSON lines, CSV, MQTT, a web address) and
part of a recording; the disk is full for a while, and the receivers of events are away. The clock of the
sources and senders runs `--speed` times as fast as the machine's. Exit status 1 where the account does not
balance.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import errno
import gc
import itertools
import json
import logging
import os
import queue
import random
import resource
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from event_rig import Requests, SmallBroker
from faulty_senders import WRAP_S, Camera, Datagrams, Look, Sender
from losing import lose
from tiny_models import square_detector

from desktop.base.clock import Clock
from desktop.base.errors import ExportError, LightloomError
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import Frame
from desktop.media.sources.base import SourceStats
from desktop.media.sources.camera import CameraSource
from desktop.media.sources.stream import StreamSource
from desktop.outputs.detections import detections_of
from desktop.outputs.events.action import Surroundings
from desktop.outputs.events.delivery import Deliveries
from desktop.outputs.journal import Journal, PictureRecord
from desktop.outputs.recording import Recorder
from desktop.outputs.result_format import About
from desktop.outputs.results import format_for
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.events import ActionSpec, EventSpec, Occurrence
from desktop.vision.tracking.scene import Scene, SceneSpec

# Below it, in real seconds, a wait is a machine's slowness; above it a source hangs.
_HANGS_S: Final = 60.0
_ALLOWED_MIB: Final = 20.0
_WARM_EVENTS: Final = 500
# Every so many frames one goes to the slower receivers, and one recording ends.
# FFmpeg does not return the last frames of MPEG-TS in RTP, as their ends are marked by what follows.
_UNFINISHED: Final = {"rtsp": 4}
_FULL_BYTES: Final = 4096
# The engine gives a device up that is lost three times within 30 s.
_DEVICE_S: Final = 16.0
# Of the recorder, and the connections of the receivers of events; threads also of the pools of an encoder and of the
# conversion of its pictures, which have one per core (PyAV 19 keeps a converter for each thread that converts).
_SPARE: Final = {"handles": 8, "threads": 8 + 2 * (os.cpu_count() or 1)}
_TENTH: Final = 10
_SEGMENT: Final = 400
_BROKEN: Final = ("reconnecting", "lost", "failed")
_TS_CHANGES: Final = ("size", "codec", "streams", "back", "ahead", "wrap", "damage", "burst")
_FAULTS: Final = {
    "ts": ("close", "reset", "stall", "away", "refuse", *_TS_CHANGES, "reopen"),
    "mjpeg": ("close", "reset", "stall", "away", "refuse", "size", "damage", "burst", "reopen"),
    "tcp": ("close", "reset", "stall", "away", *_TS_CHANGES, "reopen"),
    "rtsp": ("close", "reset", "stall", "away", "refuse", *_TS_CHANGES, "reopen"),
    "udp": ("stall", "restart", *_TS_CHANGES, "reopen"),
    "camera": ("unplug", "hang", "busy", "close", "size", "reopen"),
}
# With these the source notices that its sender is gone.
_BREAKS: Final = frozenset({"close", "reset", "stall", "away", "refuse", "unplug", "hang", "busy"})
_REFUSALS: Final = (
    b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + b"<html>rebooting</html>" * 20,
    b"HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apple.mpegurl\r\n\r\n#EXTM3U\n#EXT-X-TARGETDURATION:5\n"
    b"#EXTINF:5,\nhttp://127.0.0.1:1/a.ts\n",
)


class Failures:
    """What does not hold, each kind once with its number; thread-safe."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, kind: str, detail: object = "") -> None:
        """Count a failure; the first of a kind is printed with its details."""
        with self._lock:
            self.counts[kind] += 1
            if self.counts[kind] <= 3:
                print(f"FAILED {kind}: {detail}", file=sys.stderr, flush=True)


class Reader:
    """Reads `frames` of a source on a thread, as commands do; `take` returns each frame once."""

    def __init__(self, source: StreamSource | CameraSource) -> None:
        self._source = source
        self._frames: queue.Queue[Frame] = queue.Queue(6)
        self.error: Exception | None = None
        self._thread = threading.Thread(target=self._read, name="reader", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.closing(self._source.frames()) as frames:
            try:
                for frame in frames:
                    self._frames.put(frame)
            except LightloomError as error:
                self.error = error

    def take(self) -> Frame | None:
        """Return the next frame, None if there is none yet."""
        with contextlib.suppress(queue.Empty):
            return self._frames.get_nowait()
        return None

    def has_ended(self) -> bool:
        """Return True if the thread has ended."""
        return not self._thread.is_alive()


@dataclass
class Account:
    """Frames of one lane over the lives of its sources."""

    received: int = 0
    taken: int = 0
    drops: Counter[str] = field(default_factory=Counter)
    whole: int = 0
    unfinished: int = 0

    def add(self, stats: SourceStats) -> None:
        """Add those of a closed source."""
        self.received += stats.received
        self.taken += stats.taken
        self.drops.update(stats.drops)


class Lane:
    """A sender with its source, and the thread that makes the one fail and takes the frames of the other."""

    def __init__(
        self, name: str, kind: str, clock: Clock, failures: Failures, deliver: Callable[[str, Frame], None]
    ) -> None:
        self.name, self.kind, self._clock = name, kind, clock
        self._failures, self._deliver = failures, deliver
        self.sender: Any = (
            Camera(clock) if kind == "camera" else Datagrams(clock) if kind == "udp" else Sender(kind, clock)
        )
        self._reads = name.endswith("frames")
        self.account = Account()
        self.events: Counter[str] = Counter()
        self.delivered = 0
        self._rng = random.Random(name)
        self._breaks = 0
        self._closings: deque[float] = deque(maxlen=4)
        self._recent: deque[tuple[float, str]] = deque(maxlen=4)
        # (time, frames received until then) at each break.
        self._marks: list[tuple[float, int]] = []
        self._open()

    @property
    def count(self) -> int:
        """Number of events so far."""
        return self.events.total()

    def _open(self) -> None:
        self._last_pts = -1.0
        if self.kind == "camera":
            self._source: Any = CameraSource(backend=self.sender, clock=self._clock)
        else:
            self._source = StreamSource(self.sender.address, self._clock)
        self._state = ""
        self._source.on_change = self._note
        self._reader = Reader(self._source) if self._reads else None
        if self._reader is None:
            self._source.start()

    def _note(self) -> None:
        state = self._source.state
        if state != self._state and state in _BROKEN:
            self._breaks += 1
            self._marks.append((time.perf_counter(), self.account.received + self._source.stats.received))
            error = self._source.error
            if error is None or not str(error).endswith("."):
                self._failures.add("a break without a sentence", (self.name, state, error))
        self._state = state

    def _take(self) -> Frame | None:
        return self._reader.take() if self._reader is not None else self._source.take(self._clock.now())

    def _consume(self, is_done: Callable[[], bool], what: str, *, frames: bool = True) -> bool:
        """Take frames until a condition holds; return False if it does not for a long time."""
        end = time.monotonic() + _HANGS_S
        while not is_done():
            frame = self._take() if frames else None
            if frame is not None:
                self._pass_on(frame)
            elif self._source.state == "failed" and self.kind != "camera" and frames:
                # A failure before the first frame is final, by intent: on a busy machine the time was too short.
                self.events["opened again"] += 1
                self._reopen()
            elif time.monotonic() > end:
                source = self._source
                self._failures.add("hangs", (self.name, what, source.state, source.error, source.stats))
                return False
            else:
                time.sleep(0.002)
        return True

    def _pass_on(self, frame: Frame) -> None:
        # Not `<=`: a time that is no number is a failure too.
        if not frame.pts > self._last_pts:
            self._failures.add("time goes back", (self.name, self._last_pts, frame.pts))
        self._last_pts = frame.pts
        self.delivered += 1
        self._deliver(self.name, frame)

    def run(self, is_over: Callable[[], bool]) -> None:
        """Let one thing after the other fail."""
        self._go_on(3, "beginning")
        while not is_over():
            fault = self._rng.choice(_FAULTS[self.kind])
            before = self._breaks
            self._recent.append((round(time.perf_counter(), 3), fault))
            end_fault = self._begin(fault)
            if fault in _BREAKS:
                self._consume(lambda before=before: self._breaks > before, f"{fault} is not noticed")
            end_fault()
            if not self._go_on(self._rng.randrange(2, 6), f"after {fault}"):
                self._reopen()
            self.events[fault] += 1
            self._settle_connections()
        self._close()
        self._settle_connections()
        self.sender.close() if self.kind != "camera" else self.sender.feed.stop.set()

    def _go_on(self, frames: int, what: str) -> bool:
        wanted = self.delivered + frames
        return self._consume(lambda: self.delivered >= wanted and self._source.state == "live", what)

    def _begin(self, fault: str) -> Callable[[], object]:
        """Begin a fault; return what ends it."""
        sender, feed, rng = self.sender, self.sender.feed, self._rng
        match fault:
            case "close":
                feed.end()
            case "reset":
                feed.end(reset=True)
            case "stall" | "hang":
                feed.stall()
                return feed.resume
            case "away":
                sender.go_away()
                return sender.come_back
            case "refuse":
                sender.refusal = rng.choice(_REFUSALS)
                feed.end()
                return lambda: setattr(sender, "refusal", b"")
            case "restart":
                feed.begin()
            case "unplug":
                sender.unplug()
                return sender.plug_in
            case "busy":
                sender.refusal = OSError(errno.EBUSY, os.strerror(errno.EBUSY))
                feed.end()
                return sender.come_back
            case "size" | "codec" | "streams" | "back" | "ahead" | "wrap":
                feed.change(self._changed(fault, feed.look))
            case "damage":
                feed.damage(rng.randrange(1, 4))
            case "burst":
                feed.hurry(rng.randrange(10, 60))
            case "reopen":
                return self._reopen_somewhere()
        return lambda: None

    def _changed(self, fault: str, look: Look) -> Look:
        size = (128, 96) if (look.size == (96, 64)) == (fault == "size") else (96, 64)
        codec = look.codec
        if fault == "codec":
            codec = "libx264" if codec == "mpeg2video" else "mpeg2video"
        begin = {"back": 0.0, "ahead": look.begin + 5000.0, "wrap": float(int(WRAP_S) - 1)}.get(
            fault, look.begin
        )
        stream = look.stream if fault != "streams" else 557 - look.stream
        return Look(codec, size, begin if begin <= WRAP_S else 0.0, stream)

    def _reopen_somewhere(self) -> Callable[[], object]:
        """Close the source as it plays, waits or tries again, and open another one."""
        state = self._rng.choice(("live", "stalled", "away"))
        if state == "stalled":
            self.sender.feed.stall()
            time.sleep(0.05)
        elif state == "away" and self.kind not in ("camera", "udp"):
            self.sender.go_away()
            time.sleep(0.05)
        self._reopen()
        if state == "stalled" and self.kind in ("udp", "camera"):
            return self.sender.feed.resume
        return self.sender.come_back if self.kind != "camera" else lambda: None

    def _reopen(self) -> None:
        self._close()
        # A failure before the first frame is final, by intent.
        self.sender.come_back()
        self.sender.feed.resume()
        if self.kind not in ("camera", "udp"):
            self.sender.refusal = b""
            time.sleep(0.05)
        self._open()

    def _close(self) -> None:
        source, begun = self._source, time.monotonic()
        self._closings.append(time.perf_counter())
        source.close()
        if time.monotonic() - begun > 2.0:
            self._failures.add("close takes long", (self.name, time.monotonic() - begun))
        if self._reader is None and source.take(self._clock.now()) is not None:
            self._failures.add("a frame after close", self.name)
        self.sender.feed.resume()
        reader = self._reader
        if reader is not None:
            self._consume(reader.has_ended, "reading ends")
            while (frame := reader.take()) is not None:
                self._pass_on(frame)
        self._consume(lambda: _balances(source.stats), "the account", frames=False)
        stats = source.stats
        if not _balances(stats):
            self._failures.add("frames are missing", (self.name, stats))
        self.account.add(stats)
        self._marks.append((time.perf_counter(), self.account.received))

    def _settle_connections(self) -> None:
        """Compare what arrived in connections that ended properly with what was sent in them."""
        for connection in self.sender.take_connections() if self.kind != "camera" else ():
            before = [received for at, received in self._marks if at < connection.begun]
            following = [received for at, received in self._marks if at >= connection.begun]
            was_left = any(connection.begun < at < connection.ended for at in self._closings)
            if connection.is_whole and not was_left and connection.sent and following:
                arrived = following[0] - (before[-1] if before else 0)
                self.account.whole += 1
                self.account.unfinished += connection.sent - arrived
                if not 0 <= connection.sent - arrived <= _UNFINISHED.get(self.kind, 0):
                    self._failures.add(
                        "a frame did not arrive",
                        (self.name, connection, arrived, list(self._recent), self._marks[-4:]),
                    )
        del self._marks[:-8]


def _balances(stats: SourceStats) -> bool:
    return stats.received == stats.taken + sum(stats.drops.values())


class Results:
    """Everything that is made of the frames, on the main thread: analysis, rows, events, a recording."""

    def __init__(self, folder: Path, failures: Failures, adapter: str | None) -> None:
        self._folder, self._failures = folder, failures
        self._engine = Engine(
            lambda: Gpu.open(adapter), FilterLibrary(None), LiveNetwork.load, wait=True, in_flight=1
        )
        model = square_detector(folder / "squares.onnx")
        self._engine.current.set_setup(Setup(network=NetworkSpec(str(model), "wgpu")))
        self.rows = self.objects = self.devices_lost = self.disks_full = self.receivers_away = 0
        self.recorded = self.lost_to_disk = self.recordings = 0
        self._scene = Scene(SceneSpec())
        self._journal = Journal.begin(folder / "results.journal", {"soak": 1})
        self._broker, self._requests = SmallBroker(), Requests()
        self.published = self.requested = self.tenths = 0
        every = (
            ActionSpec("jsonl", {"path": str(folder / "events.jsonl")}),
            ActionSpec("csv", {"path": str(folder / "events.csv")}),
        )
        tenth = (
            ActionSpec("mqtt", {"address": f"127.0.0.1:{self._broker.port}"}),
            ActionSpec("url", {"address": self._requests.address}),
        )
        surroundings = Surroundings(lambda _: None, 2.0, first_wait_s=0.02)
        self._deliveries = Deliveries(surroundings, lambda _: None)
        self._deliveries.use(
            [EventSpec("every", "soak", actions=every), EventSpec("tenth", "soak", actions=tenth)]
        )
        self._recorder: Recorder | None = None
        self._unwritten: deque[PictureRecord] = deque()
        self._in_segment = 0
        self._is_full = False

    def lose_device(self) -> None:
        """Lose the GPU's device."""
        lose(self._engine.gpu)
        self.devices_lost += 1

    @contextlib.contextmanager
    def full_disk(self) -> Iterator[None]:
        """Let no file grow beyond some KiB."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (_FULL_BYTES, hard))
        self._is_full = True
        self.disks_full += 1
        try:
            yield
        finally:
            self._is_full = False
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    def receivers_fail(self) -> None:
        """Take the broker and the web server away, until `receivers_return`."""
        self._count_received()
        self._broker.close()
        self._requests.status = 503
        self.receivers_away += 1

    def receivers_return(self) -> None:
        """Bring them back."""
        self._broker = SmallBroker(self._broker.port)
        self._requests.status = 200

    def add(self, lane: str, frame: Frame) -> None:
        """Analyze a frame and pass its result on; with a full disk its row is tried again."""
        result = self._engine.analyze_frame(frame)
        tracked = self._scene.see(result, float(self.rows), self._engine.pipeline.picture_size)
        record = PictureRecord.of(tracked, lane, lane, self.rows + 1, still=False)
        self._unwritten.append(record)
        self._write_rows()
        self.rows += 1
        self.objects += len(detections_of(record))
        happened = [Occurrence("every", "soak", "enters", float(self.rows))]
        if self.rows % _TENTH == 0:
            happened.append(Occurrence("tenth", "soak", "enters", float(self.rows)))
            self.tenths += 1
            self._count_received()
        self._deliveries.take(happened, lane)
        self._record()

    def _write_rows(self) -> None:
        try:
            while self._unwritten:
                self._journal.add(0, self._unwritten[0])
                self._unwritten.popleft()
        except ExportError:
            if not self._is_full:
                raise

    def _record(self) -> None:
        pixels = np.full((48, 64, 4), self.rows % 256, np.uint8)
        try:
            if self._recorder is None:
                self._in_segment = 0
                self._recorder = Recorder(
                    self._folder / f"segment{self.recordings % 3}.mkv", (64, 48), 25.0, wait=True
                )
            self._in_segment += 1
            self._recorder.add(pixels, self._in_segment / 25)
            if self._in_segment >= _SEGMENT:
                self._end_recording()
        except ExportError:
            recorder, self._recorder = self._recorder, None
            if recorder is not None:
                recorder.abandon(publish=False)
                self.recorded += recorder.written
                self.lost_to_disk += self._in_segment - recorder.written
            else:
                self.lost_to_disk += 1

    def _end_recording(self) -> None:
        recorder = self._recorder
        assert recorder is not None
        recorder.close()
        self._recorder = None
        self.recorded += recorder.written
        self.lost_to_disk += recorder.dropped
        self.recordings += 1

    def _count_received(self) -> None:
        while self._broker.messages:
            self._broker.messages.pop(0)
            self.published += 1
        while self._requests.taken:
            self._requests.taken.pop(0)
            self.requested += 1

    def close(self) -> dict[str, Any]:
        """End everything; return the number of rows of each kind."""
        self._write_rows()
        undelivered = self._deliveries.close(30.0)
        self._count_received()
        if self._recorder is not None:
            self._end_recording()
        about = About(network="squares")
        found: dict[str, Any] = {"rows": self.rows, "undelivered_events": undelivered}
        for suffix in ("jsonl", "csv"):
            target = self._folder / f"results.{suffix}"
            format_for(target, "").write(self._journal.records, target, about)
            found[f"results.{suffix}"] = sum(1 for _ in target.open("rb")) - (suffix == "csv")
        # A line for each object.
        found["objects"] = self.objects
        for suffix in ("jsonl", "csv"):
            lines = sum(1 for _ in (self._folder / f"events.{suffix}").open("rb"))
            found[f"events.{suffix}"] = lines - (suffix == "csv")
        self._journal.close()
        self._engine.close()
        self._broker.close()
        self._requests.close()
        numbers = ("tenths", "published", "requested", "recorded", "lost_to_disk", "recordings")
        events = ("devices_lost", "disks_full", "receivers_away")
        return found | {name: getattr(self, name) for name in (*numbers, *events)}


@dataclass
class Level:
    """Memory in MiB, file handles, and threads that are not of one connection or one moment."""

    mib: float
    handles: int
    threads: int


def level(process: psutil.Process) -> Level:
    """Return the level now."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        # What the allocator keeps of frames that are gone is no leak.
        ctypes.CDLL(None).malloc_trim(0)
    return Level(process.memory_info().rss / 2**20, process.num_fds(), process.num_threads())


class Soak:
    """The whole run."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self._options = options
        self._clock = Clock(options.speed)
        self.failures = Failures()
        self._frames: queue.Queue[tuple[str, Frame]] = queue.Queue(64)
        self.results = Results(folder, self.failures, options.adapter)
        names = options.lanes.split(",")
        self.before = level(psutil.Process())
        self.lanes = [
            Lane(name, name.removesuffix("-frames"), self._clock, self.failures, self._put) for name in names
        ]
        self.levels: list[tuple[int, Level]] = []
        self.global_events = 0
        self._device_lost_at = 0.0

    def _put(self, lane: str, frame: Frame) -> None:
        self._frames.put((lane, frame))

    @property
    def count(self) -> int:
        """Number of events so far."""
        return sum(lane.count for lane in self.lanes) + self.global_events

    def run(self) -> None:
        """Run until there were enough events, or time is over."""
        end = time.monotonic() + self._options.minutes * 60
        is_over = threading.Event()
        threads = [
            threading.Thread(target=lane.run, args=(is_over.is_set,), name=f"lane {lane.name}", daemon=True)
            for lane in self.lanes
        ]
        for thread in threads:
            thread.start()
        process, marks = psutil.Process(), itertools.count(_WARM_EVENTS, _WARM_EVENTS)
        next_mark, last_global = next(marks), 0
        ends: list[tuple[float, Callable[[], object]]] = []
        rng = random.Random(1)
        while any(thread.is_alive() for thread in threads) or not self._frames.empty():
            with contextlib.suppress(queue.Empty):
                self.results.add(*self._frames.get(timeout=0.05))
            count = self.count
            if count >= next_mark:
                self.levels.append((count, level(process)))
                next_mark = next(marks)
                if self._options.verbose:
                    print(count, self.levels[-1][1], dict(self.failures.counts), file=sys.stderr, flush=True)
            now = time.monotonic()
            while ends and ends[0][0] <= now:
                ends.pop(0)[1]()
            if count - last_global >= self._options.every and not ends and not is_over.is_set():
                last_global = count
                self.global_events += 1
                ends += self._fail_globally(rng.choice(("device", "disk", "receivers")), now)
            if not is_over.is_set() and (count >= self._options.events or now > end):
                is_over.set()
        for _, end_fault in ends:
            end_fault()
        # Threads that FFmpeg and connections of receivers leave end within a moment.
        limit = time.monotonic() + _HANGS_S
        while (after := level(process)).threads > self.before.threads + _SPARE[
            "threads"
        ] and time.monotonic() < limit:
            time.sleep(0.5)
        self.levels.append((count, after))

    def _fail_globally(self, fault: str, now: float) -> list[tuple[float, Callable[[], object]]]:
        if fault == "device" and now - self._device_lost_at < _DEVICE_S:
            fault = "disk"
        if fault == "device":
            self._device_lost_at = now
            self.results.lose_device()
            return []
        if fault == "disk":
            full = contextlib.ExitStack()
            full.enter_context(self.results.full_disk())
            return [(now + 0.5, full.close)]
        self.results.receivers_fail()
        return [(now + 0.5, self.results.receivers_return)]

    def report(self, seconds: float) -> dict[str, Any]:
        """Close everything and return the account."""
        rows = self.results.close()
        accounts = {lane.name: lane.account for lane in self.lanes}
        drops: Counter[str] = Counter()
        for account in accounts.values():
            drops.update(account.drops)
        faults: Counter[str] = Counter()
        for lane in self.lanes:
            faults.update(lane.events)
        delivered = sum(lane.delivered for lane in self.lanes)
        report: dict[str, Any] = {
            "events": self.count,
            "seconds": round(seconds),
            "faults": dict(faults),
            "frames_sent": sum(lane.sender.sent for lane in self.lanes),
            "frames_in": sum(account.received for account in accounts.values()),
            "frames_out": delivered,
            "drops": dict(drops),
            "whole_connections": sum(account.whole for account in accounts.values()),
            "unfinished_in_them": sum(account.unfinished for account in accounts.values()),
            **rows,
        }
        self._check(report)
        report["level_before"] = (round(self.before.mib, 1), self.before.handles, self.before.threads)
        report["levels"] = [
            (count, round(each.mib, 1), each.handles, each.threads) for count, each in self.levels
        ]
        report["failures"] = dict(self.failures.counts)
        return report

    def _check(self, report: dict[str, Any]) -> None:
        after = self.levels[-1][1]
        for name in ("handles", "threads"):
            if getattr(after, name) > getattr(self.before, name) + _SPARE[name]:
                names = sorted(thread.name for thread in threading.enumerate())
                self.failures.add(f"{name} stay", (self.before, after, names))
        rows = report["rows"]
        equal = {
            "frames_in": report["frames_out"] + sum(report["drops"].values()),
            "frames_out": rows,
            "results.jsonl": rows,
            "results.csv": report["objects"],
            "recorded": rows - report["lost_to_disk"],
        }
        for name, wanted in equal.items():
            if report[name] != wanted:
                self.failures.add(f"{name} is not {wanted}", report[name])
        # QoS 1 may deliver twice; a web server may have taken what it did not answer.
        events = report["events.jsonl"] + report["events.csv"] + report["published"] + report["requested"]
        if events + report["undelivered_events"] < 2 * rows + 2 * report["tenths"]:
            self.failures.add("events are missing", report)
        if len(self.levels) > 1:
            (_, first), *others = self.levels
            if max(each.mib for _, each in others) - first.mib > _ALLOWED_MIB:
                self.failures.add("memory grows", self.levels)


def main() -> int:
    """Run; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--speed", type=float, default=10.0)
    parser.add_argument(
        "--every", type=int, default=100, help="events between two losses of device, disk, receivers"
    )
    parser.add_argument("--lanes", default="ts,ts-frames,mjpeg,tcp,rtsp,rtsp-frames,udp,camera")
    parser.add_argument("--adapter")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    av.logging.set_level(av.logging.PANIC)
    logging.getLogger().setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(options, Path(folder))
        begun = time.monotonic()
        soak.run()
        report = soak.report(time.monotonic() - begun)
    print(json.dumps(report, indent=1) if options.json else "\n".join(f"{k}: {v}" for k, v in report.items()))
    return 1 if soak.failures.counts else 0


if __name__ == "__main__":
    sys.exit(main())
